"""A PostgreSQL of the tests' own, which ends with the process that started it."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Self
from urllib.parse import quote

import psycopg
import pytest

PASSWORD = "open sesame"
"""Asked for by nobody; it must not be seen anywhere."""
_SECONDS = 30


def program(name: str) -> str:
    """A program of PostgreSQL's newest version here; the path has only some of them."""
    versions = Path("/usr/lib/postgresql").glob(f"*/bin/{name}")
    newest = sorted(versions, key=lambda file: int(file.parts[-3]))
    found = str(newest[-1]) if newest else shutil.which(name)
    assert found, f"{name} isn't here: sh tests/postgres.sh"
    return found


def _apart() -> Sequence[str]:
    """Before a command: PostgreSQL refuses root, and must not outlive us however we end."""
    if not shutil.which("setpriv"):
        return ()
    dying = ("setpriv", "--pdeathsig", "INT")
    if os.geteuid():
        return dying
    return (*dying, "--reuid", "postgres", "--regid", "postgres", "--clear-groups")


class Cluster:
    """A server of databases on a socket in a folder of its own. Use it in a ``with``.

    Unless it has to be ``durable``, it survives its own crash but not that of the machine.
    """

    def __init__(self, *, durable: bool = False) -> None:
        self._durable = durable
        self._folder = Path(tempfile.mkdtemp(prefix="yacht-"))
        if not os.geteuid():
            shutil.chown(self._folder, "postgres", "postgres")
        self._numbers = count(1)
        self._process: subprocess.Popen[bytes] | None = None
        made = ["--auth", "trust", "--username", "postgres", "--encoding", "UTF8", "--no-locale"]
        made += ["--no-sync", "--wal-segsize", "1"]
        self._run("initdb", *made, str(self._folder / "data"))
        self.start()

    def start(self) -> None:
        """Start the server again, and return once it answers."""
        command = [program("postgres"), "-D", str(self._folder / "data"), "-c", "listen_addresses="]
        command += ["-c", f"unix_socket_directories={self._folder}"]
        command += ["-c", "max_connections=200", "-c", "shared_buffers=16MB"]
        command += [] if self._durable else ["-c", "fsync=off"]
        log = (self._folder / "log").open("ab")
        with log:
            self._process = subprocess.Popen(
                [*_apart(), *command], stdout=log, stderr=log, cwd=self._folder
            )
        end = time.monotonic() + _SECONDS
        while True:
            with suppress(psycopg.OperationalError), psycopg.connect(self.url()):
                return
            assert self._process.poll() is None, (self._folder / "log").read_text()
            assert time.monotonic() < end, "it doesn't answer"
            time.sleep(0.01)

    def stop(self, how: int = signal.SIGINT) -> None:
        """End the server and everybody's connections: SIGINT in order, SIGQUIT as a crash does."""
        if self._process:
            self._process.send_signal(how)
            self._process.wait(_SECONDS)
            self._process = None

    def limit(self, size: str) -> None:
        """Let no file of whoever connects from now on grow beyond so many bytes."""
        assert self._process
        command = ["prlimit", "--pid", f"{self._process.pid}", f"--fsize={size}:"]
        subprocess.run([*_apart(), *command], check=True)

    def disconnect(self, url: str | None = None) -> None:
        """Cut off everybody else."""
        self.run(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
            url,
        )

    @contextmanager
    def away(self, how: int) -> Generator[None]:
        """While the block lasts it is stopped in this way."""
        self.stop(how)
        try:
            yield
        finally:
            self.start()

    def new(self) -> str:
        """The address of an empty place: a schema of its own, made sooner than a database."""
        name = f"yacht{next(self._numbers)}"
        self.run(f"CREATE SCHEMA {name}")
        return self.url(name)

    def run(self, sql: str, url: str | None = None) -> list[tuple[object, ...]]:
        """What the database at ``url`` answers to one statement of another program."""
        with psycopg.connect(url or self.url(), autocommit=True) as db:
            asked = db.execute(sql.encode())
            return asked.fetchall() if asked.description else []

    def url(self, schema: str = "public") -> str:
        user = f"postgres:{quote(PASSWORD)}"
        options = quote(f"-c search_path={schema}")
        return f"postgresql://{user}@/postgres?host={self._folder}&options={options}"

    def _run(self, name: str, *arguments: str) -> None:
        command = [*_apart(), program(name), *arguments]
        done = subprocess.run(command, capture_output=True, check=False, cwd=self._folder)
        assert not done.returncode, done.stderr.decode()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop(signal.SIGQUIT)  # nobody needs what is there
        shutil.rmtree(self._folder)


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """One server for all tests of a worker; each takes databases of its own."""
    with Cluster() as cluster:
        yield cluster
