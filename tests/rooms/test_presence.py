"""Who is here: a short drop isn't shown, after two minutes the others may help."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from tests.rooms.friends import (
    ANA,
    BEN,
    EVA,
    WATCHER,
    Clock,
    begun,
    next_move,
    seated,
    to_the_end,
    written,
)
from tests.rooms.strategies import SEED
from yacht.engine import dice
from yacht.rooms import away, lobby
from yacht.rooms.entries import Entry, Opened
from yacht.rooms.host import Host
from yacht.rooms.options import Options
from yacht.rooms.postgres import Postgres
from yacht.rooms.presence import FORGET_SECONDS, Presence
from yacht.rooms.room import Room
from yacht.rooms.sqlite import Sqlite
from yacht.rooms.table import Table
from yacht.rooms.tasks import stopped
from yacht.rooms.tending import MEET_SECONDS
from yacht.web import live

pytestmark = pytest.mark.anyio

ROOM, OTHER = "room", "other room"


@pytest.fixture
def presence(clock: Clock) -> Presence:
    return Presence(clock)


def test_a_short_drop(presence: Presence, clock: Clock):
    """For 30 seconds nobody is shown as away; then exactly those who haven't been seen are."""
    room = begun(ANA, BEN, EVA).room
    presence.saw(ROOM, BEN)
    clock.at += 30
    assert presence.away(ROOM, room) == frozenset()
    presence.saw(ROOM, EVA)
    clock.at += 0.1
    assert presence.away(ROOM, room) == {0, 1}
    presence.saw(ROOM, ANA)
    assert presence.away(ROOM, room) == {1}
    clock.at += 60
    assert presence.away(ROOM, room) == {0, 1, 2}


def test_in_the_lobby(presence: Presence, clock: Clock):
    """Who has left is shown before the game begins too, a computer never is."""
    room = seated(ANA, BEN, computers=1).room
    clock.at += 31
    presence.saw(ROOM, BEN)
    assert presence.away(ROOM, room) == {0}
    assert not presence.is_long_away(ROOM, room)


def test_two_minutes(presence: Presence, clock: Clock):
    """The others may help after two minutes without the one on turn, whoever else is away."""
    room = begun(ANA, BEN).room
    presence.saw(ROOM, ANA)
    clock.at += 120
    assert not presence.is_long_away(ROOM, room)
    clock.at += 0.1
    assert presence.is_long_away(ROOM, room)
    presence.saw(OTHER, ANA)
    presence.saw(ROOM, BEN)
    assert presence.is_long_away(ROOM, room)
    presence.saw(ROOM, ANA)
    assert not presence.is_long_away(ROOM, room)
    clock.at += 121
    presence.heard(ROOM, ANA, clock.at - 100)
    assert not presence.is_long_away(ROOM, room)


def test_news_that_come_late(presence: Presence, clock: Clock):
    """What another process saw earlier doesn't hide what was seen here since."""
    room = begun(ANA, BEN).room
    presence.saw(ROOM, ANA)
    presence.heard(ROOM, ANA, clock.at - 500)
    clock.at += 29
    presence.saw(ROOM, BEN)
    assert presence.away(ROOM, room) == frozenset()


def test_nobody_to_help(presence: Presence, clock: Clock):
    """Nobody is long away while a computer plays for them, or once the game is over."""
    table = begun(ANA, BEN)
    clock.at += 1000
    assert presence.is_long_away(ROOM, table.room)
    played = written(table, away.stand_in(table, BEN, table.room.seq))
    assert not presence.is_long_away(ROOM, played.room)
    assert presence.away(ROOM, played.room) == {0, 1}
    over = to_the_end(table).room
    assert not presence.is_long_away(ROOM, over)
    assert presence.away(ROOM, over) == frozenset()


def test_one_device(presence: Presence, clock: Clock):
    """At one device nobody is ever away."""
    opened = Opened("classic", ("Ana", "Ben"), dice.fingerprint(SEED), ANA)
    room = Room.opened(Entry(ANA, opened))
    clock.at += 1e6
    assert presence.away(ROOM, room) == frozenset()
    assert not presence.is_long_away(ROOM, room)


def test_after_a_restart(clock: Clock):
    """A process that has just begun takes everyone for present until it could know better."""
    room = begun(ANA, BEN).room
    clock.at += 1e6
    presence = Presence(clock)
    clock.at += 30
    assert presence.away(ROOM, room) == frozenset()
    clock.at += 91
    assert presence.is_long_away(ROOM, room)


def test_who_has_just_sat_down(presence: Presence, clock: Clock):
    """Nobody is away since before they had their seat: by joining, a link or a rematch."""
    table = written(seated(ANA), [])
    clock.at += 500
    joined = lobby.join(table.room, BEN, "Ben", b"")
    table = written(table, joined, clock.at)
    assert presence.away(ROOM, table.room) == {0}
    table = written(table, table.take(EVA, table.link_key(ANA)), clock.at)
    assert presence.away(ROOM, table.room) == frozenset()
    secrets, entries = to_the_end(begun(ANA, BEN)).again(ANA)
    again = Room.fold([Entry(entry.by, entry.event, clock.at) for entry in entries])
    assert presence.away(ROOM, again) == frozenset()
    assert not presence.is_long_away(ROOM, again)
    clock.at += 121
    assert presence.is_long_away(ROOM, again)
    assert next_move(Table(again, secrets))[0] == BEN


async def test_a_quiet_stream_at_another_process(url: str, clock: Clock):
    """Whoever has a page open is here for every process, however little the stream has to say.

    The processes meet at different times; who has no page open is away for both.
    """
    one, other = [Host(Postgres(url), now=clock) for _ in range(2)]
    room_id = await one.invite(ANA, "Ana", "classic", Options(3))
    await one.join(room_id, BEN, "Ben")
    await one.join(room_id, EVA, "Eva")
    streams = [live.states(one, room_id, 0, viewer) for viewer in (ANA, WATCHER)]
    streams.append(live.states(other, room_id, 0, BEN))
    rooms = [await anext(stream) for stream in streams]
    waiting = [asyncio.create_task(_next(stream)) for stream in streams]
    await asyncio.sleep(0)
    room = rooms[0]
    assert room
    for second in range(100):
        clock.at += 1
        for host, phase in ((one, 9), (other, 0)):
            if second % MEET_SECONDS == phase:
                await host.presence.meet(host.store, [room_id])
        for host in (one, other):
            assert host.presence.away(room_id, room) == ({2} if second >= 30 else set())
    assert len(await one.store.seen([room_id])) == 2  # nobody tells of a watcher
    await stopped(waiting)
    clock.at += 31
    for host in (one, other):
        await host.presence.meet(host.store, [room_id])
        assert host.presence.away(room_id, room) == {0, 1, 2}
        await host.store.close()


async def _next(stream: AsyncIterator[Room | None]) -> Room | None:
    return await anext(stream)


async def test_what_is_forgotten(presence: Presence, clock: Clock, sqlite: Sqlite):
    """Whoever wasn't seen for a day is dropped, the others stay."""
    presence.saw(ROOM, ANA)
    clock.at += FORGET_SECONDS
    presence.saw(ROOM, BEN)
    await presence.meet(sqlite, [ROOM])
    assert set(presence.seen) == {(ROOM, ANA), (ROOM, BEN)}
    clock.at += 1
    await presence.meet(sqlite, [ROOM])
    assert set(presence.seen) == {(ROOM, BEN)}
