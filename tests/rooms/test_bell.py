"""The bell: nobody hears of anything before it is durable, and then everybody does."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from tests.rooms.playing import (
    ANA,
    BEN,
    found_in,
    opened,
    play,
    play_to_the_end,
    refusal,
    stored,
)
from tests.stores import no_writes
from yacht.engine.game import Keep, Score, UndoScore
from yacht.engine.reasons import Reason
from yacht.rooms.bell import Bell
from yacht.rooms.host import Host
from yacht.rooms.sqlite import Sqlite
from yacht.rooms.store import Append, Secrets, Unavailable

pytestmark = pytest.mark.anyio


class Slow(Sqlite):
    """A store whose writes wait until ``gate`` is open."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.gate, self.asked = asyncio.Event(), asyncio.Event()
        self.gate.set()

    async def create(self, secrets: Secrets, log: Append, after: Append | None = None) -> None:
        await self._passed()
        await super().create(secrets, log, after)

    async def append(self, log: Append) -> None:
        await self._passed()
        await super().append(log)

    async def delete(self, room: str, member: str) -> None:
        await self._passed()
        await super().delete(room, member)

    async def _passed(self) -> None:
        self.asked.set()
        await self.gate.wait()


ACTS: dict[str, Callable[[Host, str, str], Awaitable[object]]] = {
    "move": lambda host, room_id, _: host.act(room_id, ANA, 3, Score("choice")),
    "again": lambda host, room_id, _: host.again(room_id, ANA),
    "take": lambda host, room_id, key: host.take(room_id, BEN, key),
    "delete": lambda host, room_id, _: host.delete(room_id, ANA),
}


@pytest.mark.parametrize("what", ACTS)
async def test_the_bell(database: Path, what: str):
    """Nobody hears or sees anything of an act before it is durable, and then everybody does."""
    store = Slow(database)
    host = Host(store)
    room_id, other = await opened(host, "Ana"), await opened(host)
    key = await host.link_key(room_id, ANA)
    before = await play(host, room_id, Keep())
    if what == "again":
        before = await play_to_the_end(host, room_id)
    rung, elsewhere = host.bell.listen(room_id), host.bell.listen(other)
    store.asked.clear()
    store.gate.clear()
    acting = asyncio.ensure_future(ACTS[what](host, room_id, key))
    await store.asked.wait()
    for _ in range(5):
        await asyncio.sleep(0)
    assert not rung.is_set()
    assert not acting.done()
    assert await host.room(room_id) == before == (await stored(host, room_id))[1]
    store.gate.set()
    await acting
    assert rung.is_set()
    assert not elsewhere.is_set()
    if what == "delete":
        assert (await refusal(host.room(room_id))).reason is Reason.NO_SUCH_ROOM
    else:
        after = await host.room(room_id)
        assert after.seq > before.seq
        assert after == (await stored(host, room_id))[1]
    await store.close()


class Witness(Bell):
    """A bell that looks, whenever it rings, at what is in the file and what the host shows."""

    def __init__(self, database: Path) -> None:
        super().__init__()
        self.database = database
        self.host: Host | None = None
        self.seen: list[tuple[int, int]] = []

    def ring(self, room: str) -> None:
        assert self.host
        written = found_in(self.database, "SELECT count(*) FROM log")[0]
        self.seen.append((written, self.host.tables._known[room].room.seq))
        super().ring(room)


async def test_at_the_ring(sqlite: Sqlite, database: Path):
    """At each ring the file and the host have what it rings for, even if it rings at once."""
    bell = Witness(database)
    bell.host = host = Host(sqlite, bell)
    room_id = await opened(host, "Ana")
    await play(host, room_id, Keep(), Keep(), Score("choice"), UndoScore(), Score("ones"))
    await host.take(room_id, BEN, await host.link_key(room_id, ANA))
    assert bell.seen == [(seq, seq) for seq in range(3, 9)]


async def test_no_ring_for_nothing(host: Host):
    """What is refused, was there already or couldn't be written rings no bell."""
    room_id = await opened(host)
    room = await play(host, room_id, Keep())
    rung = host.bell.listen(room_id)
    await host.act(room_id, ANA, 1, Keep())
    for viewer, seq, move in (
        (ANA, 1, Score("choice")),
        (ANA, 3, Score("sevens")),
        (ANA, 9, Keep()),
        (BEN, 3, Score("choice")),
    ):
        await refusal(host.act(room_id, viewer, seq, move))
    await refusal(host.take(room_id, BEN, "key"))
    await refusal(host.delete(room_id, BEN))
    await refusal(host.again(room_id, ANA))
    for attempt in (
        host.act(room_id, ANA, 3, Score("choice")),
        host.take(room_id, BEN, await host.link_key(room_id, ANA)),
        host.delete(room_id, ANA),
    ):
        with no_writes(), pytest.raises(Unavailable):
            await attempt
    assert not rung.is_set()
    assert await host.room(room_id) == room == (await stored(host, room_id))[1]
    await host.act(room_id, ANA, 3, Score("choice"))
    assert rung.is_set()


async def test_who_hears_the_bell():
    """Who listens hears one ring of that room; who listens later hears the next."""
    bell = Bell()
    bell.ring("room")
    first, also, other = bell.listen("room"), bell.listen("room"), bell.listen("other")
    assert not first.is_set()
    bell.ring("room")
    assert (first.is_set(), also.is_set(), other.is_set()) == (True, True, False)
    assert not bell.listen("room").is_set()


async def test_the_last_bell():
    """When the process ends all who listen wake, and nobody waits any more."""
    bell = Bell()
    listening = [bell.listen(room) for room in ("room", "other")]
    bell.close()
    assert bell.closed
    assert all(rung.is_set() for rung in [*listening, bell.listen("room"), bell.listen("new")])


async def test_nobody_listens():
    """A bell keeps nothing of rooms to which nobody listens."""
    bell = Bell()
    rung = bell.listen("room")
    assert list(bell._listening) == ["room"]
    del rung
    assert list(bell._listening) == []
