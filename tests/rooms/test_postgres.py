"""The store in PostgreSQL: its schema, what it can't hold, and how it fails and mends."""

import asyncio
import signal
from collections.abc import AsyncIterator, Awaitable
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote

import psycopg
import pytest

from tests.postgres import PASSWORD, Cluster
from tests.rooms.playing import ANA, BEN, EVA
from yacht.cli.faults import told
from yacht.engine.game import Rolled, Score
from yacht.rooms import sql
from yacht.rooms.entries import Entry, Opened, StoodIn
from yacht.rooms.host import Host
from yacht.rooms.options import Options
from yacht.rooms.postgres import Postgres
from yacht.rooms.store import (
    Append,
    Conflict,
    NewerSchema,
    Secrets,
    Standing,
    Unavailable,
    WrongEncoding,
)

pytestmark = pytest.mark.anyio

FIRST = Entry(ANA, Opened("classic", ("Ana",), "f" * 64, ANA))
ROLL = Entry(ANA, Rolled(frozenset(), (2, 6, 1, 5, 5)))
HIDDEN = Secrets(bytes(32), bytes(32))


@pytest.fixture
async def postgres(url: str) -> AsyncIterator[Postgres]:
    opened = Postgres(url)
    yield opened
    await opened.close()


# Its schema


async def test_many_start_at_once(cluster: Cluster, url: str):
    """Of many processes that start at once on an empty database one makes the tables."""
    with ThreadPoolExecutor(8) as pool:
        stores = list(pool.map(Postgres, [url] * 8))
    for store in stores:
        await store.ping()
        await store.close()
    assert cluster.run("SELECT version FROM schema_version", url) == [
        (len(sql.schema("postgres")),)
    ]


def test_a_newer_schema(cluster: Cluster, url: str):
    """A database of a newer version is left as it is, and told without its password."""
    cluster.run("CREATE TABLE schema_version AS SELECT 99 AS version", url)
    with pytest.raises(NewerSchema) as refused:
        Postgres(url)
    assert (refused.value.found, refused.value.known) == (99, len(sql.schema("postgres")))
    assert PASSWORD not in f"{refused.value!r}"
    assert cluster.run("SELECT to_regclass('room')", url) == [(None,)]


async def test_who_may_only_use_it(cluster: Cluster, url: str):
    """Once the tables are there a server needs no right to make any."""
    await Postgres(url).close()
    schema = url.rpartition("%3D")[2]
    cluster.run("CREATE ROLE player LOGIN", url)
    cluster.run(f"GRANT USAGE ON SCHEMA {schema} TO player", url)
    cluster.run(f"GRANT ALL ON ALL TABLES IN SCHEMA {schema} TO player", url)
    store = Postgres(url.replace("//postgres:", "//player:"))
    await store.create(HIDDEN, Append("room", 0, [FIRST]))
    await store.close()


async def test_an_encoding_without_all_names(cluster: Cluster):
    """A database whose encoding can't hold every name is refused, in a sentence for people."""
    cluster.run("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0")
    with pytest.raises(WrongEncoding) as refused:
        Postgres(cluster.url().replace("/postgres?", "/latin?"))
    assert told(refused.value) == (
        "The database latin can’t hold every name. Make one whose encoding is UTF8.",
        1,
    )


# What it can't hold


async def test_text_that_no_database_holds(postgres: Postgres):
    """What can't be in the database isn't found there, and can't be written half."""
    assert await postgres.load("\0") is None
    assert await postgres.games_of("\0") == []
    await postgres.create(HIDDEN, Append("room", 0, [FIRST], [ANA]))
    for wrong in ("\0", "\ud800"):
        with pytest.raises((psycopg.DataError, UnicodeEncodeError)):
            await postgres.append(Append("room", 1, [ROLL, Entry(wrong, Score("ones"))]))
        with pytest.raises((psycopg.DataError, UnicodeEncodeError)):
            await postgres.append(Append("room", 1, [ROLL], members=[wrong]))
    assert await postgres.load("room") == (HIDDEN, [FIRST])
    assert [game.room for game in await postgres.games_of(ANA)] == ["room"]
    await postgres.append(Append("room", 1, [ROLL]))


# How it fails


async def test_looking_where_nothing_can_be_written(url: str):
    """On a read-only database games can be looked at and listed; who wants to play is told."""
    one = Host(Postgres(url))
    room_id = await one.invite(ANA, "Ana", "classic", Options(2))
    await one.join(room_id, BEN, "Ben")
    room = await one.begin(room_id, ANA)
    await one.store.append(Append(room_id, room.seq, [Entry(BEN, StoodIn(0))]))
    room = await one.newest(room_id)
    read_only = Host(Postgres(url + quote(" -c default_transaction_read_only=on")))
    for viewer in (ANA, BEN, EVA):
        assert await read_only.look(room_id, viewer) == room
    assert [game.room for game in await read_only.games_of(ANA)] == [room_id]
    assert await read_only.link_key(room_id, ANA) == await one.link_key(room_id, ANA)
    for attempt in (
        read_only.open(ANA, "classic", ["Ana"]),
        read_only.take(room_id, EVA, await one.link_key(room_id, ANA)),
        read_only.presence.meet(read_only.store, [room_id]),
    ):
        with pytest.raises(Unavailable):
            await attempt
    for host in (one, read_only):
        await host.store.close()


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://ana:sesame@127.0.0.1:1/yacht",
        "postgresql://ana:sesame@/yacht?host=/nowhere",
    ],
)
def test_no_database_there(address: str):
    """An address where none answers is Unavailable, in one line without the password."""
    with pytest.raises(Unavailable) as refused:
        Postgres(address)
    assert "sesame" not in str(refused.value)
    assert str(refused.value).count("\n") == 0
    assert str(refused.value)


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://ana:open sesame@/yacht",
        "postgresql://ana:sesame@/yacht?sesame=1",
        "postgresql://ana:sesame@[::1/yacht",
        "postgresql://ana:se%same@/yacht",
    ],
)
def test_no_address(address: str):
    """What isn't an address is told without repeating any of it."""
    with pytest.raises(ValueError, match=r"^$") as refused:
        Postgres(address)
    assert "same" not in f"{refused.value!r}"


# Amid what others write


async def waits(cluster: Cluster) -> int:
    """The backend that waits for another one, once there is one."""
    asked = "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    async with asyncio.timeout(10):
        while not (waiting := cluster.run(asked)):  # noqa: ASYNC110 (another process tells it)
            await asyncio.sleep(0)
    [(pid,)] = waiting
    assert isinstance(pid, int)
    return pid


async def test_delete_amid_a_move_to_another_browser(
    cluster: Cluster, url: str, postgres: Postgres
):
    """Who deletes a game that is just going to somebody else waits for that, and then may not."""
    await postgres.create(HIDDEN, Append("room", 0, [FIRST], [ANA]))
    with psycopg.connect(url) as other:
        other.execute("INSERT INTO log VALUES ('room', 2, 0, 'ben', 'undo')")
        other.execute("UPDATE member SET viewer = 'ben'")
        deleting = asyncio.create_task(postgres.delete("room", ANA))
        await waits(cluster)
        other.commit()
    with pytest.raises(Conflict):
        await deleting
    assert [game.room for game in await postgres.games_of("ben")] == ["room"]


async def test_a_sweep_amid_a_move(url: str, postgres: Postgres):
    """A room that somebody is writing in isn't swept, and keeps no sweep waiting."""
    for room in ("played", "idle"):
        standing = Standing(begun=True)
        await postgres.create(HIDDEN, Append(room, 0, [FIRST], [ANA], standing=standing))
    with psycopg.connect(url) as other:
        other.execute("INSERT INTO log VALUES ('played', 2, 200, 'ana', 'undo')")
        async with asyncio.timeout(10):
            assert await postgres.sweep(100, 100) == ["idle"]
        other.commit()
    assert await postgres.sweep(100, 100) == []
    assert await postgres.sweep(300, 300) == ["played"]
    assert await postgres.load("played") is None


async def test_cut_off_amid_a_write(cluster: Cluster, url: str, postgres: Postgres):
    """A write whose connection is lost is Unavailable, nothing of it is there, the next is done."""
    await postgres.create(HIDDEN, Append("room", 0, [FIRST], [ANA]))
    with psycopg.connect(url) as blocking:
        blocking.execute("LOCK TABLE member")
        writing = asyncio.create_task(postgres.append(Append("room", 1, [ROLL], ["b" * 32])))
        cluster.run(f"SELECT pg_terminate_backend({await waits(cluster)})")
        with pytest.raises(Unavailable):
            await writing
    assert await postgres.load("room") == (HIDDEN, [FIRST])
    await postgres.append(Append("room", 1, [ROLL], ["b" * 32]))
    with pytest.raises(Conflict):
        await postgres.append(Append("room", 1, [ROLL]))


async def test_cancelled_amid_a_write(cluster: Cluster, postgres: Postgres):
    """Who stops waiting for a write leaves a store that works, with all of it or nothing."""
    await postgres.create(HIDDEN, Append("room", 0, [FIRST], [ANA]))
    for _ in range(20):
        writing = asyncio.create_task(postgres.append(Append("room", 1, [ROLL, ROLL])))
        await asyncio.sleep(0)
        writing.cancel()
        await asyncio.gather(writing, return_exceptions=True)
        loaded = await postgres.load("room")
        assert loaded
        assert len(loaded[1]) in {1, 3}
    async with asyncio.timeout(10):
        await postgres.close()  # as soon as nobody uses it


async def test_a_restart(cluster: Cluster, postgres: Postgres):
    """While the server is away all is Unavailable; then the same store works again."""
    await postgres.create(HIDDEN, Append("room", 0, [FIRST], [ANA]))
    with cluster.away(signal.SIGQUIT):
        asked: list[Awaitable[object]] = [
            postgres.ping(),
            postgres.load("room"),
            postgres.append(Append("room", 1, [ROLL])),
            postgres.delete("room", ANA),
            postgres.sweep(1, 1),
            postgres.seen([]),
            postgres.saw({("room", ANA): 1.0}),
            postgres.forget(1),
        ]
        outcomes = await asyncio.gather(*asked, return_exceptions=True)
        assert [type(outcome) for outcome in outcomes] == [Unavailable] * 8
    async with asyncio.timeout(20):
        while True:
            try:
                await postgres.append(Append("room", 1, [ROLL]))
            except Unavailable:
                continue
            break
    assert await postgres.load("room") == (HIDDEN, [FIRST, ROLL])


async def test_a_store_that_is_closed(postgres: Postgres):
    """A store that was closed can't be asked: Unavailable, as a health check must know it."""
    await postgres.close()
    with pytest.raises(Unavailable):
        await postgres.ping()
