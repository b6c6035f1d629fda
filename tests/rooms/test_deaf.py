"""A process that hasn't heard yet what another one wrote: it refuses nothing that is possible."""

from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from tests.rooms.friends import ANA, BEN, EVA, Clock
from tests.rooms.hosting import begun, play, seated
from tests.rooms.playing import opened, play_to_the_end, refusal, stored
from yacht.engine.game import Keep, Score, UndoScore
from yacht.engine.reasons import Reason
from yacht.rooms.host import Host
from yacht.rooms.postgres import Postgres
from yacht.rooms.presence import HELP_SECONDS
from yacht.rooms.room import Room
from yacht.rooms.table import Stale
from yacht.web.friends import name_of

pytestmark = pytest.mark.anyio


@pytest.fixture
async def hosts(url: str, clock: Clock) -> AsyncIterator[list[Host]]:
    """Two processes' hosts on one database that don't listen to each other."""
    hosts = [Host(Postgres(url), now=clock) for _ in range(2)]
    yield hosts
    for host in hosts:
        await host.store.close()


async def begin(one: Host, deaf: Host) -> Room:
    """Before, one alone sat there."""
    room_id = await seated(one, ANA)
    await deaf.room(room_id)
    await one.join(room_id, BEN, "Ben")
    return await deaf.begin(room_id, ANA)


async def seat_computer(one: Host, deaf: Host) -> Room:
    """The lobby it was asked from is newer than what is known."""
    room_id = await seated(one, ANA)
    await deaf.room(room_id)
    room = await one.join(room_id, BEN, "Ben")
    return await deaf.seat_computer(room_id, BEN, room.seq, "Computer", "easy")


async def leave(one: Host, deaf: Host) -> Room:
    """Before, they had no seat."""
    room_id = await seated(one, ANA)
    await deaf.room(room_id)
    room = await one.join(room_id, BEN, "Ben")
    return await deaf.leave(room_id, BEN, room.seq, 1)


async def join(one: Host, deaf: Host) -> Room:
    """Before, all seats were taken."""
    room_id = await seated(one, ANA, BEN, places=2)
    room = await deaf.room(room_id)
    await one.leave(room_id, BEN, room.seq, 1)
    return await deaf.join(room_id, EVA, "Eva")


async def join_again(one: Host, deaf: Host) -> Room:
    """Before, they sat there: it seemed to be done already."""
    room_id = await seated(one, ANA, BEN)
    room = await deaf.room(room_id)
    await one.leave(room_id, BEN, room.seq, 1)
    return await deaf.join(room_id, BEN, "Ben")


async def add_bytes(one: Host, deaf: Host) -> Room:
    """Before, they had no seat."""
    room_id = await seated(one, ANA)
    await deaf.room(room_id)
    await one.join(room_id, BEN, "Ben")
    return await deaf.add_bytes(room_id, BEN, [b"ben"])


async def move(one: Host, deaf: Host) -> Room:
    """Before, it was another's turn."""
    room_id = await begun(one, ANA, BEN)
    await deaf.room(room_id)
    room = await play(one, room_id, 2)
    return await deaf.act(room_id, BEN, room.seq, Keep())


async def hint(one: Host, deaf: Host) -> Room:
    """Before, it was another's turn."""
    room_id = await begun(one, ANA, BEN)
    await deaf.room(room_id)
    await play(one, room_id, 3)
    return await deaf.hint(room_id, BEN)


async def help_out(one: Host, deaf: Host) -> Room:
    """Before, the game hadn't begun."""
    room_id = await seated(one, ANA, BEN)
    await deaf.room(room_id)
    room = await one.begin(room_id, BEN)
    assert isinstance(one.now, Clock)
    one.now.at += HELP_SECONDS + 1
    return await deaf.help_out(room_id, BEN, room.seq, skip=True)


async def take(one: Host, deaf: Host) -> Room:
    """Before, the link had another key."""
    room_id = await seated(one, ANA, BEN)
    await deaf.room(room_id)
    await one.take(room_id, EVA, await one.link_key(room_id, BEN))
    key = await one.link_key(room_id, EVA)
    await deaf.check_link(room_id, BEN, key)
    return await deaf.take(room_id, BEN, key)


async def again(one: Host, deaf: Host) -> Room:
    """Before, the game wasn't over."""
    room_id = await opened(one, "Ana")
    await deaf.room(room_id)
    await play_to_the_end(one, room_id)
    await deaf.again(room_id, ANA)
    return await deaf.room(room_id)


@pytest.mark.parametrize(
    "act",
    [
        *(begin, seat_computer, leave, join, join_again, add_bytes),
        *(move, hint, help_out, take, again),
    ],
)
async def test_what_was_impossible_before(
    hosts: list[Host], act: Callable[[Host, Host], Awaitable[Room]]
):
    """What the other process has made possible is done here too, and written."""
    one, deaf = hosts
    room = await act(one, deaf)
    [(room_id,)] = await rooms(one)
    assert (await stored(one, room_id))[1] == room


async def rooms(host: Host) -> list[tuple[str]]:
    """The room that a test began with."""
    assert isinstance(host.store, Postgres)
    return [(row[0],) for row in await host.store.rows("SELECT room FROM log ORDER BY at LIMIT 1")]


async def test_moves_that_came_first(hosts: list[Host]):
    """A resend gets the game as it is, and any other move at an old number is Stale with it."""
    one, deaf = hosts
    room_id = await opened(one)
    await deaf.room(room_id)
    room = await one.act(room_id, ANA, 1, Keep())
    assert await deaf.act(room_id, ANA, 1, Keep()) == room
    room = await one.act(room_id, ANA, room.seq, Score("choice"))
    for seq, move in ((1, UndoScore()), (room.seq - 1, Score("ones")), (room.seq + 1, Keep())):
        stale = await refusal(deaf.act(room_id, ANA, seq, move))
        assert isinstance(stale, Stale)
        assert stale.room == room


async def test_what_is_only_looked_at(hosts: list[Host]):
    """Pages, records and links are of the newest state."""
    one, deaf = hosts
    room_id = await begun(one, ANA, BEN)
    await deaf.room(room_id)
    room = await play(one, room_id, 3)
    assert await deaf.newest(room_id) == room
    room = await play(one, room_id, 3)
    assert await deaf.look(room_id, EVA) == room
    room = await one.take(room_id, EVA, await one.link_key(room_id, BEN))
    assert await deaf.link_key(room_id, EVA) == await one.link_key(room_id, EVA)


async def test_what_is_gone(hosts: list[Host]):
    """A game that was deleted elsewhere is gone for whoever asks for it or moves."""
    one, deaf = hosts
    attempts: list[Callable[[str], Awaitable[object]]] = [
        lambda room_id: deaf.look(room_id, ANA),
        deaf.newest,
        lambda room_id: deaf.act(room_id, ANA, 1, Score("ones")),
        lambda room_id: deaf.link_key(room_id, ANA),
        lambda room_id: deaf.again(room_id, ANA),
    ]
    for attempt in attempts:
        room_id = await opened(one)
        await deaf.room(room_id)
        await one.delete(room_id, ANA)
        assert (await refusal(attempt(room_id))).reason is Reason.NO_SUCH_ROOM


async def test_a_name_in_a_room_that_was_left(hosts: list[Host]):
    """Whoever has a seat in a process's memory and no more in the store has no name there."""
    one, deaf = hosts
    room_id = await seated(one, ANA)
    await deaf.room(room_id)
    await one.join(room_id, BEN, "Ben")
    assert await name_of(deaf, BEN) == ""
    await deaf.newest(room_id)
    assert await name_of(deaf, BEN) == "Ben"
