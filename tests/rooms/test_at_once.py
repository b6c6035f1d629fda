"""Many acts at once, through two processes on one PostgreSQL: exactly one of them counts.

And the same in one process, which alone writes to its SQLite file.
"""

import asyncio
import random
from collections.abc import Awaitable

import pytest

from tests.rooms.friends import ANA, BEN, EVA, Clock
from tests.rooms.hosting import DAY, PEOPLE, at_once, begun, count, play, seated
from tests.rooms.playing import refusal, stored
from tests.rooms.processes import Process
from yacht.engine.game import Keep, Rolled
from yacht.engine.reasons import Reason
from yacht.rooms.entries import CLOCK, Again, Joined, Taken
from yacht.rooms.host import Host
from yacht.rooms.room import Room

pytestmark = pytest.mark.anyio

MANY = 100


@pytest.fixture(params=["one", "two"])
def hosts(request: pytest.FixtureRequest, clock: Clock) -> list[Host]:
    """Where each may act: at one process on a SQLite file, or at either of two on a PostgreSQL."""
    if request.param == "two":
        processes: list[Process] = request.getfixturevalue("processes")
        return [process.host for process in processes]
    return [Host(request.getfixturevalue("quick"), now=clock)] * 2


def many(number: int = MANY) -> list[str]:
    """So many people."""
    return [f"{person:032}" for person in range(1, number + 1)]


async def test_joins_for_the_last_seat(hosts: list[Host]):
    """Of a hundred who want the last seat one gets it."""
    room_id = await seated(hosts[0], ANA, places=2)
    joined, refused = await at_once(
        *(hosts[n % 2].join(room_id, viewer, "Guest") for n, viewer in enumerate(many()))
    )
    room = (await stored(hosts[0], room_id))[1]
    assert joined == [room]
    assert refused == [Reason.ROOM_FULL] * (MANY - 1)
    assert (room.seq, count(room, Joined)) == (3, 2)
    assert room.owners[0] == ANA
    assert room.owners[1] in many()


async def test_joining_from_many_tabs(hosts: list[Host]):
    """A person who joins a hundred times at once sits down once."""
    room_id = await seated(hosts[0], ANA)
    joins = [at.join(room_id, BEN, "Ben", b"ben") for at in hosts for _ in range(MANY // 2)]
    _, refused = await at_once(*joins)
    assert refused == []
    room = (await stored(hosts[0], room_id))[1]
    assert (room.owners, room.seq) == ((ANA, BEN), 3)


async def test_rolls_at_once(hosts: list[Host]):
    """A hundred times the same roll is one roll; others' are refused."""
    room_id = await begun(hosts[0], ANA, BEN)
    room = await hosts[0].room(room_id)
    await hosts[1].room(room_id)
    rolls = [at.act(room_id, ANA, room.seq, Keep()) for at in hosts for _ in range(MANY // 2)]
    foreign = [at.act(room_id, BEN, room.seq, Keep()) for at in hosts for _ in range(5)]
    rolled, refused = await at_once(*rolls, *foreign)
    after = (await stored(hosts[0], room_id))[1]
    assert (after.game.rolls_used, count(after, Rolled)) == (1, 1)
    assert rolled == [after] * MANY
    assert len(refused) == 10
    assert set(refused) <= {Reason.NOT_YOUR_TURN, Reason.STALE}


async def test_unlike_rolls_at_once(hosts: list[Host]):
    """Of a hundred rolls that hold different dice one is made; who holds the same agrees."""
    room_id = await begun(hosts[0], ANA, BEN)
    room = await play(hosts[0], room_id, 1)
    await hosts[1].look(room_id, ANA)
    moves = [Keep(frozenset({n % 5})) for n in range(MANY)]
    rolled, refused = await at_once(
        *(hosts[n // 5 % 2].act(room_id, ANA, room.seq, move) for n, move in enumerate(moves))
    )
    after = (await stored(hosts[0], room_id))[1]
    assert (after.game.rolls_used, count(after, Rolled)) == (2, 2)
    assert rolled == [after] * (MANY // 5)
    assert refused == [Reason.STALE] * (MANY - MANY // 5)


async def test_a_link_used_at_once(hosts: list[Host]):
    """Of many who open one personal link at once one gets the seat."""
    room_id = await begun(hosts[0], ANA, BEN)
    key = await hosts[0].link_key(room_id, BEN)
    await hosts[1].room(room_id)
    taken, refused = await at_once(
        *(hosts[n % 2].take(room_id, viewer, key) for n, viewer in enumerate(many(20)))
    )
    room = (await stored(hosts[0], room_id))[1]
    assert (len(taken), refused) == (1, [Reason.LINK_USED] * 19)
    assert count(room, Taken) == 1
    assert room.owners[0] == ANA
    for host in hosts:
        assert (await refusal(host.act(room_id, BEN, room.seq, Keep()))).reason is Reason.NOT_YOURS


async def test_a_rematch_from_five(hosts: list[Host]):
    """Five who want a rematch at once, some of them twice, get one room."""
    room_id = await seated(hosts[0], *PEOPLE, clock=60, places=6)
    room = await hosts[0].room(room_id)
    await hosts[0].seat_computer(room_id, EVA, room.seq, "Computer", "easy")
    await hosts[0].begin(room_id, ANA)
    room = await hosts[0].room(room_id)
    while not room.game.is_over:
        room = await (
            hosts[0].step(room_id, room.seq) if room.computer else play(hosts[0], room_id, 1)
        )
    await hosts[1].look(room_id, ANA)
    rooms, refused = await at_once(
        *(hosts[n % 2].again(room_id, viewer) for n, viewer in enumerate([*PEOPLE, *PEOPLE[:3]]))
    )
    assert refused == []
    [again] = set(map(str, rooms))
    after = (await stored(hosts[0], room_id))[1]
    new = (await stored(hosts[1], again))[1]
    assert (count(after, Again), after.again) == (1, again)
    assert new.owners == (*PEOPLE[1:], "", PEOPLE[0])
    assert new.names == (*room.names[1:], room.names[0])
    assert (new.options, new.computers[4]) == (room.options, "easy")
    assert new.fingerprint != room.fingerprint
    assert new.begun
    for viewer in PEOPLE:
        assert {game.room for game in await hosts[1].games_of(viewer)} == {room_id, again}
    assert await hosts[1].store.due(1e9) == [again]


# The clock


async def test_expiry_at_once(hosts: list[Host], clock: Clock):
    """However many see that the time is over, the turn is completed once."""
    room_id = await begun(hosts[0], ANA, BEN, clock=30)
    await hosts[1].room(room_id)
    clock.at += 30
    assert await hosts[0].store.due(clock.at) == [room_id]
    done, refused = await at_once(*(at.expire(room_id) for at in hosts for _ in range(20)))
    room = (await stored(hosts[0], room_id))[1]
    assert refused == []
    assert done == [room] * 40
    assert len(room.turns) == 1
    assert [entry.by for entry in room.entries[-3:]] == [CLOCK] * 3
    assert await hosts[0].store.due(clock.at) == []
    assert await hosts[0].store.due(clock.at + 30) == [room_id]


async def after_turns(turns: int, attempt: Awaitable[Room]) -> Room:
    """The attempt, made once the loop has gone round so often."""
    for _ in range(turns):
        await asyncio.sleep(0)
    return await attempt


@pytest.mark.parametrize("rolled", [False, True])
async def test_a_roll_against_the_clock(
    hosts: list[Host],
    clock: Clock,
    rolled: bool,  # noqa: FBT001 (a row of the table)
):
    """A roll as the time runs out happens, or the turn is completed without it; never both."""
    chance, won = random.Random(1), list[str]()
    while len(won) < 3 or len(set(won)) < 2:
        assert len(won) < 50
        room_id = await begun(hosts[0], ANA, BEN, clock=30)
        room = await play(hosts[0], room_id, int(rolled))
        await hosts[1].look(room_id, ANA)
        clock.at += 30
        first, second = chance.sample(hosts, 2)
        ahead = chance.choice((0, chance.randrange(40)))
        rolls = [
            after_turns(ahead, at.act(room_id, ANA, room.seq, Keep()))
            for at in (first, second)
            for _ in range(5)
        ]
        ends = [at.expire(room_id) for at in (second, first) for _ in range(3)]
        _, refused = await at_once(*rolls, *ends)
        after = (await stored(hosts[0], room_id))[1]
        by = [entry.by for entry in after.entries[room.seq :]]
        entries = {ANA: 1, CLOCK: 1} if rolled else {ANA: 2, CLOCK: 3}  # the seal comes first
        assert by == [by[0]] * entries[by[0]]
        assert refused == ([] if by[0] == ANA else [Reason.STALE] * 10)
        assert len(after.turns) == 1
        won.append(by[0])


@pytest.mark.parametrize("seconds", [30, 90, DAY, 7 * DAY])
async def test_a_deadline_after_a_restart(hosts: list[Host], clock: Clock, seconds: int):
    """The deadline is the same for a process that hasn't seen the room before."""
    room_id = await begun(hosts[0], ANA, BEN, clock=seconds)
    clock.at += 7.25
    room = await play(hosts[0], room_id, 3)
    assert room.due == clock.at + seconds
    another = Host(hosts[1].store, now=clock)
    assert await another.room(room_id) == room


# With an old memory


async def test_an_old_memory_of_what_is_due(deaf: list[Host], clock: Clock):
    """A process that knows an old state of the room does nothing when its time would be over."""
    host, other = deaf
    room_id = await begun(host, ANA, BEN, clock=30)
    await other.room(room_id)
    clock.at += 20
    room = await play(host, room_id, 1)
    clock.at += 15
    assert await other.expire(room_id) == room == (await stored(host, room_id))[1]
    assert await other.room(room_id) == room


async def test_a_young_store_and_an_old_memory(deaf: list[Host], clock: Clock):
    """A process that knows an old state, in which nothing is due, completes what is."""
    host, other = deaf
    room_id = await seated(host, ANA, BEN, clock=30)
    await other.room(room_id)
    await host.begin(room_id, ANA)
    clock.at += 31
    assert await other.store.due(clock.at) == [room_id]
    assert (await other.expire(room_id)).game.seat == 1
    assert await other.store.due(clock.at) == []


async def test_a_move_in_a_room_that_was_swept(deaf: list[Host], clock: Clock):
    """A process that still knows a room which another has swept hears it at the next act."""
    host, other = deaf
    room_id = await begun(host, ANA, BEN)
    room = await other.room(room_id)
    clock.at += 91 * DAY
    await host.sweep(DAY, 90 * DAY)
    refused = await refusal(other.act(room_id, ANA, room.seq, Keep()))
    assert refused.reason is Reason.NO_SUCH_ROOM
    assert (await refusal(other.room(room_id))).reason is Reason.NO_SUCH_ROOM
    assert (await refusal(other.expire(room_id))).reason is Reason.NO_SUCH_ROOM
