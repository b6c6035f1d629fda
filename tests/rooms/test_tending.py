"""What a process does by the clock: each in its time, also after a fault, until it is ended."""

import asyncio
from collections.abc import AsyncIterator, Sequence

import pytest

from tests.rooms.playing import ANA, BEN, opened
from yacht.engine.game import UndoScore
from yacht.rooms.entries import CLOCK, Entry
from yacht.rooms.host import Host
from yacht.rooms.options import Options
from yacht.rooms.room import Room
from yacht.rooms.sqlite import Sqlite
from yacht.rooms.store import COMPUTER_SECONDS, Append, Secrets, Unavailable
from yacht.rooms.tending import DUE_SECONDS, MEET_SECONDS, SWEEP_SECONDS, Tending

pytestmark = pytest.mark.anyio

DAY = 86_400


class Clock:
    """A time that passes only when the test says so, and what waits for it."""

    def __init__(self) -> None:
        self.now, self._waiting = 1_000_000.0, list[tuple[float, asyncio.Event]]()

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        woken = asyncio.Event()
        self._waiting.append((self.now + seconds, woken))
        await woken.wait()

    async def passes(self, seconds: float) -> None:
        """So much later, once all that was due has been done."""
        self.now += seconds
        due = [(at, woken) for at, woken in self._waiting if at <= self.now]
        self._waiting = [waiting for waiting in self._waiting if waiting not in due]
        for _, woken in due:
            woken.set()
        await self.all_wait()

    async def all_wait(self) -> None:
        async with asyncio.timeout(10):
            while len(self._waiting) < 3:  # noqa: ASYNC110 (SQLite's thread does the work)
                await asyncio.sleep(0)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def host(quick: Sqlite, clock: Clock) -> Host:
    return Host(quick, now=clock)


@pytest.fixture
async def tending(host: Host, clock: Clock) -> AsyncIterator[Tending]:
    """One that has begun and waits for its next time."""
    tending = Tending(host, 90, clock.sleep)
    tending.start()
    await clock.all_wait()
    yield tending
    await tending.close()


async def friends(host: Host, clock: int = 0) -> str:
    """A room in which Ana and Ben have begun to play."""
    room_id = await host.invite(ANA, "Ana", "classic", Options(2, clock))
    await host.join(room_id, BEN, "Ben")
    await host.begin(room_id, ANA)
    return room_id


async def stored(host: Host, room_id: str) -> Room | None:
    loaded = await host.store.load(room_id)
    return loaded and Room.fold(loaded[1])


async def test_a_turn_that_runs_out(host: Host, clock: Clock, tending: Tending):
    """A turn whose time is over is completed, also in a room that nobody has looked at."""
    room_id = await friends(host, 30)
    host.tables.missed()
    await clock.passes(29)
    room = await stored(host, room_id)
    assert room
    assert room.game.seat == 0
    await clock.passes(1 + DUE_SECONDS)
    room = await stored(host, room_id)
    assert room
    assert (room.game.seat, room.entries[-1].by) == (1, CLOCK)
    rung = host.bell.listen(room_id)
    await clock.passes(31)
    assert rung.is_set()


async def test_a_computer_that_is_due(host: Host, clock: Clock, tending: Tending):
    """Where a computer is due in a game by the clock it is woken, though nobody looks."""
    room_id = await host.invite(ANA, "Ana", "classic", Options(2, 30))
    await host.seat_computer(room_id, ANA, (await host.room(room_id)).seq, "Computer", "easy")
    await host.begin(room_id, ANA)
    woken = list[str]()
    host.computer_on_turn = woken.append
    await clock.passes(31)  # Ana's turn is completed
    woken.clear()
    host.tables.missed()
    await clock.passes(COMPUTER_SECONDS)
    assert woken == [room_id]


async def test_a_computer_that_plays(
    host: Host, clock: Clock, tending: Tending, monkeypatch: pytest.MonkeyPatch
):
    """A room with a computer on turn that is known isn't read again each time, but woken."""
    room_id = await host.invite(ANA, "Ana", "classic", Options(2, 30))
    await host.seat_computer(room_id, ANA, (await host.room(room_id)).seq, "Computer", "easy")
    await host.begin(room_id, ANA)
    await clock.passes(31)
    woken = list[str]()
    host.computer_on_turn = woken.append
    monkeypatch.setattr(host.store, "load", None)
    await clock.passes(COMPUTER_SECONDS / 2)
    assert woken == []
    await clock.passes(COMPUTER_SECONDS)
    assert woken == [room_id]


async def test_many_rooms_that_are_due(
    host: Host, clock: Clock, tending: Tending, monkeypatch: pytest.MonkeyPatch
):
    """Between two rooms of many that are due everyone else has their turn."""
    waits, done = list[int](), list[str]()

    async def due(_by: float) -> list[str]:
        return [f"room {number}" for number in range(50)]

    async def expire(room_id: str) -> None:
        done.append(room_id)

    monkeypatch.setattr(host.store, "due", due)
    monkeypatch.setattr(host, "expire", expire)
    expiring = asyncio.create_task(tending.expire())
    while not expiring.done():
        waits.append(len(done))
        await asyncio.sleep(0)
    assert len(set(waits)) >= 50


async def test_rooms_that_fail(
    host: Host,
    clock: Clock,
    tending: Tending,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
):
    """A room that can't be read, or breaks the program, is told of and keeps no other waiting.

    It is tried again after a minute.
    """
    rooms, asked, load = list[str](), list[str](), host.store.load
    for _ in range(3):
        rooms.append(await friends(host, 30))
        clock.now += 0.1
    unreadable, breaks, sound = rooms
    await host.store.append(Append(unreadable, 4, [Entry(ANA, UndoScore())]))

    async def loaded(room_id: str) -> tuple[Secrets, Sequence[Entry]] | None:
        asked.append(room_id)
        if room_id == breaks:
            raise ZeroDivisionError
        return await load(room_id)

    monkeypatch.setattr(host.store, "load", loaded)
    host.tables.missed()
    await clock.passes(31)
    room = await host.room(sound)
    assert room.game.seat == 1
    for _ in range(29):
        await clock.passes(DUE_SECONDS)
    assert asked == rooms
    assert [record.getMessage() for record in caplog.records] == [
        f"completing the turn in room {room_id} failed" for room_id in (unreadable, breaks)
    ]
    for _ in range(31):
        await clock.passes(DUE_SECONDS)
    assert asked.count(unreadable) == asked.count(breaks) == 2
    assert (await host.room(sound)).game.turn == 1


async def test_rooms_that_are_too_old(host: Host, clock: Clock, tending: Tending):
    """A lobby goes after a day, a game of friends after the days set, one on one device never."""
    waiting = await host.invite(ANA, "Ana", "classic", Options(2))
    played, own = await friends(host), await opened(host)
    kept = {
        1: {waiting, played, own},
        DAY + SWEEP_SECONDS: {played, own},
        90 * DAY - 5 * SWEEP_SECONDS: {own, played},
        90 * DAY + SWEEP_SECONDS: {own},
    }
    begin = clock.now
    for at, rooms in kept.items():
        await clock.passes(begin + at - clock.now)
        assert {room for room in (waiting, played, own) if await stored(host, room)} == rooms


async def test_a_clock_longer_than_rooms_are_kept(host: Host, clock: Clock):
    """Who has days for a turn has them, also where rooms are kept for one; then the room goes."""
    tending = Tending(host, 1, clock.sleep)
    room_id = await friends(host, 3 * DAY)
    clock.now += 3 * DAY - 1
    await tending.sweep()
    await tending.expire()
    assert (await host.room(room_id)).game.seat == 0
    clock.now += 1
    await tending.sweep()
    await tending.expire()
    assert (await host.room(room_id)).game.seat == 1
    room = await host.room(room_id)
    while not room.game.is_over:
        clock.now += 3 * DAY
        room = await host.expire(room_id)
    clock.now += DAY + 1
    await tending.sweep()
    assert await stored(host, room_id) is None


async def test_who_comes_and_goes(host: Host, clock: Clock, tending: Tending):
    """Who listens is woken when somebody has gone for a while or is back, and not in between."""
    room_id = await friends(host)
    rings = list[bool]()
    for seen, seconds in (
        (True, 10),
        (False, 10),
        (False, 20),
        (False, 10),
        (True, 10),
        (True, 10),
    ):
        host.presence.saw(room_id, ANA)
        if seen:
            host.presence.saw(room_id, BEN)
        rung = host.bell.listen(room_id)
        await clock.passes(seconds)
        rings.append(rung.is_set())
    assert MEET_SECONDS == 10
    assert rings == [False, False, True, False, True, False]


async def test_who_was_seen_long_ago(host: Host, clock: Clock, tending: Tending):
    """Sights are forgotten after a day."""
    host.presence.saw("room", ANA)
    await clock.passes(DAY - 1)
    assert host.presence.seen
    await clock.passes(MEET_SECONDS + 1)
    assert not host.presence.seen


async def test_it_goes_on_after_a_fault(
    host: Host,
    clock: Clock,
    tending: Tending,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
):
    """While the store can't be reached, or the program fails, it tries again; a fault is logged."""
    room_id = await friends(host, 30)
    faults = list[Exception]()

    async def broken(*_: object) -> list[str]:
        faults.append(Unavailable("away") if len(faults) < 5 else ZeroDivisionError())
        raise faults[-1]

    with monkeypatch.context() as patch:
        for name in ("due", "sweep", "seen"):
            patch.setattr(host.store, name, broken)
        await clock.passes(SWEEP_SECONDS)
        await clock.passes(SWEEP_SECONDS)
    assert len(faults) == 6
    assert [record.getMessage() for record in caplog.records] == ["looking after the rooms failed"]
    await clock.passes(DUE_SECONDS)
    room = await stored(host, room_id)
    assert room
    assert room.game.seat == 1


async def test_an_end_at_any_time(host: Host, clock: Clock):
    """It ends in the midst of its work, and before it has begun."""
    tending = Tending(host, 90, clock.sleep)
    await tending.close()
    tending.start()
    await asyncio.sleep(0)
    async with asyncio.timeout(10):
        await tending.close()
    assert all(task.done() for task in tending._tasks)
