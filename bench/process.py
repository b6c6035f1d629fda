"""Servers as processes of their own. Each prints its address once it listens."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from time import perf_counter

BARE = (sys.executable, "-m", "bench.bare")
SERVE = (str(Path(sys.executable).with_name("yacht")), "serve")
MAKE_PLAY = ("make", "play")
_SETTINGS = {
    "YACHT_PORT": "0",
    "YACHT_RATE_LIMIT": "999999",  # counted, as at every server, and never reached
    "YACHT_ADDRESS_LIMIT": "999999",
}


@dataclass(frozen=True, slots=True)
class Server:
    """One that listens on 127.0.0.1; ``pid`` is that of the command, not of what it starts."""

    pid: int
    port: int

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/"


@contextmanager
def serving(command: Sequence[str], data: Path) -> Generator[Server]:
    """Start it on a free port, its games in ``data``; end it with all that it started."""
    with (
        TemporaryFile("w+") as errors,
        subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=errors,  # told if it doesn't start; make tells each time that it was ended
            text=True,
            env={**os.environ, **_SETTINGS, "YACHT_DATA": str(data)},
            start_new_session=True,
        ) as process,
    ):
        assert process.stdout is not None
        try:
            for line in process.stdout:
                if found := re.search(r"http://127\.0\.0\.1:(\d+)/", line):
                    yield Server(process.pid, int(found[1]))
                    return
            errors.seek(0)
            raise RuntimeError(f"{' '.join(command)} didn't start: {errors.read()}")
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)


def seconds_to_answer(command: Sequence[str], data: Path) -> float:
    """Seconds from the start of a server to the end of its first answer."""
    start = perf_counter()
    with serving(command, data) as server:
        connection = HTTPConnection("127.0.0.1", server.port)
        connection.request("GET", "/")
        connection.getresponse().read()
        spent = perf_counter() - start
        connection.close()
    return spent


def megabytes(server: Server) -> float:
    """The resident memory of a process, as Linux tells it."""
    status = Path(f"/proc/{server.pid}/status").read_text(encoding="utf-8")
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    assert found
    return int(found[1]) / 1024


@contextmanager
def folder() -> Generator[Path]:
    """A folder on a real disk, removed afterwards; /tmp may be memory."""
    lasting = Path("/var/tmp")  # noqa: S108 (a new folder in it, of our own)
    with TemporaryDirectory(prefix="yacht-bench-", dir=lasting if lasting.is_dir() else None) as at:
        yield Path(at)
