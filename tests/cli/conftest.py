"""The command ``yacht``, called in this process and as a program of its own."""

import io
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from yacht.cli import main

YACHT = (sys.executable, "-c", "import sys; from yacht.cli import main; sys.exit(main())")


@dataclass(frozen=True)
class Ended:
    """How a call ended: its exit status, and what it wrote."""

    status: int
    out: str
    err: str


Call = Callable[..., Ended]


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for the games, and a terminal of 80 columns."""
    for name in [name for name in os.environ if name.startswith("YACHT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("YACHT_DATA", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


@pytest.fixture
def yacht(data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    """Calls ``main`` with arguments and, as ``typed``, all that its input has."""

    def call(*arguments: str, typed: str = "") -> Ended:
        raw = typed.encode("utf-8", "surrogateescape")
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw), "utf-8"))
        try:
            status = main(arguments)
        except SystemExit as end:  # argparse ends so
            status = int(end.code or 0)
        written = capsys.readouterr()
        return Ended(status, written.out, written.err)

    return call


@pytest.fixture
def program(data: Path) -> Call:
    """Like ``yacht``, as a process with its own environment."""

    def run(*arguments: str, typed: str = "", **environment: str) -> Ended:
        done = subprocess.run(
            [*YACHT, *arguments],
            input=typed.encode(),
            capture_output=True,
            env={**os.environ, **environment},
            timeout=60,
            check=False,
        )
        encoding = environment.get("PYTHONIOENCODING", "utf-8").partition(":")[0]
        return Ended(done.returncode, done.stdout.decode(encoding), done.stderr.decode(encoding))

    return run
