"""Two processes' hosts on one PostgreSQL: what one does is there for the other, and is heard."""

import asyncio
from collections.abc import Awaitable

import pytest

from tests.postgres import Cluster
from tests.rooms.friends import Clock
from tests.rooms.playing import (
    ANA,
    BEN,
    derived,
    opened,
    opened_with,
    refusal,
    stored,
)
from tests.rooms.processes import Counting, Process
from yacht.engine.game import Keep, Score
from yacht.engine.reasons import Reason
from yacht.engine.rules import CLASSIC
from yacht.rooms import postgres
from yacht.rooms.computers import Computers
from yacht.rooms.hearing import Hearing
from yacht.rooms.host import Host
from yacht.rooms.options import Options
from yacht.rooms.room import Room
from yacht.rooms.table import Stale

pytestmark = pytest.mark.anyio

LISTENING = "SELECT pid FROM pg_stat_activity WHERE query = 'LISTEN yacht'"


async def within(waiting: Awaitable[object]) -> None:
    async with asyncio.timeout(10):
        await waiting


async def changed(host: Host, room_id: str, seq: int) -> Room:
    """The room at ``seq``, without looking again before the bell has rung."""
    async with asyncio.timeout(10):
        while True:
            rung = host.bell.listen(room_id)
            room = await host.room(room_id)
            if room.seq >= seq:
                return room
            await rung.wait()


async def test_moves_through_either(hosts: list[Host]):
    """A game whose moves come through both in turn is one game, and each knows its end."""
    one, other = hosts
    room_id = await opened(one)
    room = await one.room(room_id)
    while not room.game.is_over:
        one, other = other, one
        move = Score(room.game.open_boxes[0]) if room.game.dice else Keep()
        room = await one.act(room_id, ANA, room.seq, move)
        assert await changed(other, room_id, room.seq) == room
    assert (await stored(one, room_id))[1] == room
    assert [game.result is not None for game in await other.games_of(ANA)] == [True]


async def test_the_bell_of_others(hosts: list[Host]):
    """Who listens in another process wakes for this room alone, and finds the new state."""
    one, other = hosts
    room_id, quiet = await opened(one), await opened(one)
    await other.room(room_id)
    rung, silent = other.bell.listen(room_id), other.bell.listen(quiet)
    room = await one.act(room_id, ANA, 1, Keep())
    await within(rung.wait())
    assert await other.room(room_id) == room
    assert not silent.is_set()


async def test_what_is_not_ours(cluster: Cluster, hosts: list[Host]):
    """Other programs may say anything where the processes listen: they go on listening."""
    room_id = await opened(hosts[0])
    rung = hosts[1].bell.listen(room_id)
    for said in ("", "hello", "a b c", f"{room_id} one", f"{room_id}"):
        cluster.run(f"NOTIFY yacht, '{said}'")
    await hosts[0].act(room_id, ANA, 1, Keep())
    await within(rung.wait())


async def test_ones_own_bell_rings_once(url: str, clock: Clock):
    """What a process wrote itself isn't read again when the database tells of it."""
    store = Counting(url)
    process = Process(store, clock)
    await process.ready.wait()
    host = process.host
    room_id = await opened(host)
    room = await host.room(room_id)
    reads = store.reads
    for move in (Keep(), Score("choice"), Keep(), Score("ones")):
        room = await host.act(room_id, ANA, room.seq, move)
        rung = host.bell.listen(room_id)
        async with asyncio.timeout(10):
            while await process.heard.get() != (room_id, room.seq):
                pass
        assert not rung.is_set()
        assert await host.room(room_id) == room
    assert store.reads == reads
    await process.end()


async def test_a_move_at_an_old_state(hosts: list[Host]):
    """Two moves at one state through two processes: one counts, the other is Stale."""
    room_id = await opened(hosts[0])
    for host in hosts:
        await host.room(room_id)
    rolls = (host.act(room_id, ANA, 1, Keep()) for host in hosts)
    rooms = await asyncio.gather(*rolls)  # the same move: one is a resend
    assert rooms[0] == rooms[1] == (await stored(hosts[0], room_id))[1]
    scores = [
        host.act(room_id, ANA, 3, Score(box))
        for host, box in zip(hosts, ("ones", "choice"), strict=True)
    ]
    outcomes = await asyncio.gather(*scores, return_exceptions=True)
    assert {type(outcome) for outcome in outcomes} == {Room, Stale}
    [done] = [outcome for outcome in outcomes if isinstance(outcome, Room)]
    assert (await stored(hosts[0], room_id))[1] == done


async def test_computers_of_both(hosts: list[Host]):
    """A computer that several processes play makes each step once, as the seed says."""
    seed = bytes(range(32))
    computers = [Computers(host, pace=0, undo=0) for host in hosts]
    room_id = await opened_with(hosts[0], seed, "Ana", "Computer", computers=("", "easy"))
    room = await hosts[0].room(room_id)
    for turn in range(3):
        for move in (Keep(), Score(CLASSIC.categories[turn].key)):
            room = await hosts[turn % 2].act(room_id, ANA, room.seq, move)
        while room.computer:
            looks = [changed(host, room_id, room.seq + 1) for host in hosts]
            room = max(await asyncio.gather(*looks), key=lambda room: room.seq)
    for one in computers:
        await one.close()
    room = (await stored(hosts[0], room_id))[1]
    assert list(room.record.events) == derived(room, seed)
    assert len(room.turns) == 6


async def test_who_looks_sees_what_was_answered(deaf: list[Host]):
    """A page asked of the other process after a move shows it, though no bell has rung there."""
    one, other = deaf
    room_id = await opened(one)
    room = await other.room(room_id)
    for _ in range(3):
        room = await one.act(room_id, ANA, room.seq, Keep())
        assert await other.look(room_id, ANA) == room


async def test_gone_for_both(hosts: list[Host]):
    """A deleted game is gone in the other process, for who listens and for who asks."""
    one, other = hosts
    room_id = await opened(one)
    await other.room(room_id)
    rung = other.bell.listen(room_id)
    await one.delete(room_id, ANA)
    await within(rung.wait())
    assert (await refusal(other.room(room_id))).reason is Reason.NO_SUCH_ROOM


async def test_delete_amid_a_move_to_another_browser(hosts: list[Host]):
    """Who loses a game in one process doesn't delete it in the other at the same moment."""
    one, other = hosts
    for _ in range(10):
        room_id = await opened(one)
        key = await one.link_key(room_id, ANA)
        await asyncio.gather(
            one.take(room_id, BEN, key), other.delete(room_id, ANA), return_exceptions=True
        )
        there = await one.store.load(room_id)
        assert [game.room for game in await one.games_of(BEN)] == ([room_id] if there else [])
        if there:
            await one.delete(room_id, BEN)


async def test_a_listener_that_is_cut_off(
    cluster: Cluster, hosts: list[Host], monkeypatch: pytest.MonkeyPatch
):
    """A process whose listening connection is lost listens again, and first re-reads all."""
    monkeypatch.setattr(postgres, "_RECONNECT_SECONDS", 0.05)
    one, other = hosts
    room_id = await opened(one)
    for host in hosts:
        await host.room(room_id)
    for seq, move in ((1, Keep()), (3, Score("choice"))):
        rung = other.bell.listen(room_id)
        for (pid,) in cluster.run(LISTENING):
            cluster.run(f"SELECT pg_terminate_backend({pid})")
        room = await one.act(room_id, ANA, seq, move)
        await within(rung.wait())
        assert await changed(other, room_id, room.seq) == room


async def test_who_was_seen_elsewhere(hosts: list[Host], clock: Clock):
    """Who was seen in one process is here for the other, which asks at its first load."""
    one, other = hosts
    room_id = await one.invite(ANA, "Ana", "classic", Options(2))
    await one.join(room_id, BEN, "Ben")
    clock.at += 500
    for viewer, seconds in ((BEN, 45), (ANA, 5)):
        await one.enter(room_id, viewer)
        clock.at += seconds
    await one.presence.meet(one.store, [])
    room = await other.room(room_id)
    assert other.presence.away(room_id, room) == {1}
    await one.enter(room_id, BEN)
    await one.presence.meet(one.store, [room_id])
    await other.presence.meet(other.store, [room_id])
    assert other.presence.away(room_id, room) == frozenset()


async def test_the_latest_sight_counts(hosts: list[Host]):
    """An older sight doesn't replace a newer one, and what is too old is dropped."""
    store, other = [host.store for host in hosts]
    who, ben = ("room", ANA), ("other", BEN)
    await store.saw({who: 100_000.0})
    await store.saw({who: 90_000.0, ben: 1.0})
    await store.saw({})
    assert await other.seen(["room"]) == {who: 100_000.0}
    assert await other.seen(["room", "other"]) == {who: 100_000.0, ben: 1.0}
    await store.forget(50_000)
    assert await other.seen(["room", "other"]) == {who: 100_000.0}
    assert await other.seen([]) == {}


# What is heard, and when


async def test_heard_while_busy():
    """What is heard of a room that is being read is told after the reader has its answer."""
    told, hearing = list[tuple[str, int] | str](), Hearing()
    hearing.heard = lambda room, seq: told.append((room, seq))
    hearing.missed = lambda: told.append("missed")
    with hearing.busy("room"):
        with hearing.busy("room", "other"):
            hearing.hear("room", 3)
            hearing.hear("third", 1)
            hearing.miss()
        told.append("answered")
        await asyncio.sleep(0)
    told.append("answered")
    assert told == [("third", 1), "missed", "answered", ("other", 0), "answered"]
    await asyncio.sleep(0)
    assert told[5:] == [("room", 3), ("room", 0)]
    hearing.hear("room", 4)
    assert told[-1] == ("room", 4)
    assert not hearing._busy
    assert not hearing._held
