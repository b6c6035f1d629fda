"""Stores and hosts for the tests of rooms; coroutine tests run on asyncio."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from tests.postgres import Cluster
from tests.rooms.friends import Clock
from tests.rooms.processes import Process
from tests.stores import unsynced
from yacht.rooms.host import Host
from yacht.rooms.postgres import Postgres
from yacht.rooms.sqlite import Sqlite
from yacht.rooms.store import Store


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(params=["sqlite", "postgres"])
def reopen(request: pytest.FixtureRequest) -> Callable[[], Store]:
    """Opens the store of one place, the first time an empty one; the contract holds for all."""
    if request.param == "sqlite":
        database: Path = request.getfixturevalue("database")
        return lambda: Sqlite(database)
    url: str = request.getfixturevalue("url")
    return lambda: Postgres(url)


@pytest.fixture
def url(cluster: Cluster) -> str:
    """The address of an empty PostgreSQL database."""
    return cluster.new()


@pytest.fixture
async def store(reopen: Callable[[], Store]) -> AsyncIterator[Store]:
    """An empty store."""
    opened = reopen()
    yield opened
    await opened.close()


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """Where the file of a SQLite store will be."""
    return tmp_path / "yacht.db"


@pytest.fixture
async def sqlite(database: Path) -> AsyncIterator[Sqlite]:
    """An empty SQLite store in the file ``database``."""
    opened = Sqlite(database)
    yield opened
    await opened.close()


@pytest.fixture
def quick(sqlite: Sqlite) -> Sqlite:
    """The same without waiting for the disk: for tests that aren't about the disk."""
    return unsynced(sqlite)


@pytest.fixture
def host(quick: Sqlite) -> Host:
    """A host without rooms, in which it is always 0:00 on 1 January 1970."""
    return Host(quick, now=lambda: 0.0)


@pytest.fixture
def clock() -> Clock:
    """A time that passes only when the test says so."""
    return Clock()


@pytest.fixture
async def processes(url: str, clock: Clock) -> AsyncIterator[list[Process]]:
    """Two that share a PostgreSQL, both listening."""
    processes = [Process(Postgres(url), clock) for _ in range(2)]
    for process in processes:
        await process.ready.wait()
    yield processes
    for process in processes:
        await process.end()


@pytest.fixture
def hosts(processes: list[Process]) -> list[Host]:
    """Their hosts."""
    return [process.host for process in processes]


@pytest.fixture
async def deaf(url: str, clock: Clock) -> AsyncIterator[list[Host]]:
    """Two that share a PostgreSQL and hear nothing of each other."""
    hosts = [Host(Postgres(url), now=clock) for _ in range(2)]
    yield hosts
    for host in hosts:
        await host.store.close()
