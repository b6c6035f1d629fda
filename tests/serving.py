"""A real server as a process, for tests and benchmarks that need one."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryFile
from types import TracebackType
from typing import Self

UNLIMITED = {"YACHT_RATE_LIMIT": "0", "YACHT_ADDRESS_LIMIT": "0"}
"""Variables for a server that has to take more than people send."""


class Served:
    """``yacht serve`` on a free port; ``address`` ends with a slash. Use it in a ``with``.

    It takes whatever is sent, unless ``environ`` has limits.
    """

    program: Sequence[str | Path] = (Path(sys.executable).with_name("yacht"),)

    def __init__(
        self, data: Path, *flags: str, port: int = 0, environ: Mapping[str, str] | None = None
    ) -> None:
        command = [*self.program, "serve", "--port", str(port), "--data", str(data)]
        # A pipe that nobody reads would stop it once it is full.
        self._errors = TemporaryFile("w+")  # noqa: SIM115 (closed at the end)
        self.process = subprocess.Popen(
            [*command, *flags],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            env={**os.environ, **UNLIMITED, **(environ or {})},
        )
        assert self.process.stdout is not None
        first = self.process.stdout.readline()
        found = re.search(r"http://\S+", first)
        assert found, first + self.stop()
        self.address = found[0]
        self.port = int(self.address.split(":")[2].split("/")[0])

    def kill(self) -> None:
        """End it as ``kill -9`` does."""
        self.process.kill()
        self.process.wait()

    def stop(self, by: signal.Signals = signal.SIGTERM) -> str:
        """End it as a service manager does, and give what it wrote to stderr."""
        self.process.send_signal(by)
        self.process.communicate(timeout=10)
        with self._errors as errors:
            errors.seek(0)
            return errors.read()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()
        self._errors.close()


def served(url: str, folder: Path, port: int = 0) -> Served:
    """A server on this database, with nothing of its own, whose computers are quick."""
    return Served(
        folder / "unused", port=port, environ={"YACHT_DATABASE": url, "YACHT_COMPUTER_PACE": "0.1"}
    )


class Timely(Served):
    """A server whose clock can be put forward."""

    program = (sys.executable, Path(__file__).with_name("timely.py"))

    def wait(self, seconds: float) -> None:
        """Let so much time pass for the server."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(f"{seconds}\n")
        self.process.stdin.flush()
        assert self.process.stdout.readline() == "passed\n"
