"""Two processes' hosts on one PostgreSQL: what one does is there for the other, and is heard."""

import asyncio
from collections.abc import AsyncIterator, Awaitable

import pytest

from tests.postgres import Cluster
from tests.rooms.playing import (
    ANA,
    BEN,
    derived,
    opened,
    opened_with,
    play_to_the_end,
    refusal,
    stored,
)
from yacht.engine.game import Keep, Score
from yacht.engine.reasons import IllegalMove, Reason
from yacht.engine.rules import CLASSIC
from yacht.rooms import postgres
from yacht.rooms.computers import Computers
from yacht.rooms.hearing import Hearing
from yacht.rooms.host import Host
from yacht.rooms.options import Options
from yacht.rooms.postgres import Postgres
from yacht.rooms.room import Room
from yacht.rooms.table import Stale
from yacht.rooms.tasks import stopped

pytestmark = pytest.mark.anyio

LISTENING = "SELECT pid FROM pg_stat_activity WHERE query = 'LISTEN yacht'"


class Process:
    """A host with a connection of its own, listening as in a server."""

    def __init__(self, url: str) -> None:
        self.host = Host(Postgres(url))
        self.ready = asyncio.Event()
        self.listening = asyncio.create_task(
            self.host.store.listen(self.host.tables.heard, self._missed)
        )

    def _missed(self) -> None:
        self.host.tables.missed()
        self.ready.set()

    async def end(self) -> None:
        await stopped([self.listening])
        await self.host.store.close()


@pytest.fixture
async def processes(url: str) -> AsyncIterator[list[Process]]:
    """Two that share a database, both listening."""
    processes = [Process(url), Process(url)]
    for process in processes:
        await process.ready.wait()
    yield processes
    for process in processes:
        await process.end()


@pytest.fixture
def hosts(processes: list[Process]) -> list[Host]:
    return [process.host for process in processes]


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


async def test_ones_own_bell_rings_once(hosts: list[Host], monkeypatch: pytest.MonkeyPatch):
    """What a process wrote itself isn't read again when the database tells of it."""
    host, store = hosts[0], hosts[0].store
    assert isinstance(store, Postgres)
    room_id = await opened(host)
    room = await host.room(room_id)
    heard = asyncio.Queue[int]()

    def hear(room_id: str, seq: int) -> None:
        host.tables.heard(room_id, seq)
        heard.put_nowait(seq)

    store._hearing.heard = hear
    monkeypatch.setattr(store, "rows", None)
    for move in (Keep(), Score("choice"), Keep(), Score("ones")):
        room = await host.act(room_id, ANA, room.seq, move)
        rung = host.bell.listen(room_id)
        async with asyncio.timeout(10):
            while await heard.get() < room.seq:
                pass
        assert not rung.is_set()
        assert await host.room(room_id) == room


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


async def test_again_from_both(hosts: list[Host]):
    """Asked of both processes at once, there is one game after this one."""
    room_id = await opened(hosts[0], "Ana")
    await play_to_the_end(hosts[0], room_id)
    asked = [host.again(room_id, ANA) for host in (*hosts, *hosts)]
    assert len(set(await asyncio.gather(*asked))) == 1


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


async def test_who_looks_sees_what_was_answered(hosts: list[Host]):
    """A page asked of the other process after a move shows it, though no bell has rung there."""
    one, other = hosts
    room_id = await opened(one)
    room = await other.room(room_id)
    assert isinstance(other.store, Postgres)
    other.store._hearing.heard = lambda room, seq: None
    for _ in range(3):
        room = await one.act(room_id, ANA, room.seq, Keep())
        assert await other.look(room_id, ANA) == room


async def test_seats_through_both(hosts: list[Host]):
    """Friends who sit down through both processes at once get a seat each, as long as there are."""
    room_id = await hosts[0].invite(ANA, "Ana", "classic", Options(4))
    friends = [f"{number:032}" for number in range(8)]
    asked = [hosts[n % 2].join(room_id, friend, "Ben") for n, friend in enumerate(friends)]
    outcomes = await asyncio.gather(*asked, return_exceptions=True)
    assert sum(isinstance(outcome, Room) for outcome in outcomes) == 3
    assert sum(isinstance(outcome, IllegalMove) for outcome in outcomes) == 5
    room = (await stored(hosts[0], room_id))[1]
    assert len(set(room.owners)) == len(room.owners) == 4


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


async def test_who_was_seen_elsewhere(hosts: list[Host]):
    """Who was seen in one process is here for the other, which asks at its first load."""
    one, other = hosts
    room_id = await one.invite(ANA, "Ana", "classic", Options(2))
    await one.join(room_id, BEN, "Ben")
    now = one.now() + 500
    for host in hosts:
        host.now = host.presence._now = lambda: now
    one.presence.seen = {(room_id, ANA): now - 5, (room_id, BEN): now - 50}
    one.presence._met = 0  # neither has told or heard of them
    await one.presence.meet(one.store, [])
    room = await other.room(room_id)
    assert other.presence.away(room_id, room) == {1}
    one.presence.saw(room_id, BEN)
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
