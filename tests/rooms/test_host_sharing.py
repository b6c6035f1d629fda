"""Games that are played again, go on in another browser, or are deleted."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest

from tests.rooms.playing import ANA, BEN, EVA, opened, play, play_to_the_end, refusal, stored
from yacht.engine.game import Keep, Score
from yacht.engine.reasons import IllegalMove, Reason
from yacht.rooms.entries import Again, Entry, Taken
from yacht.rooms.host import Host
from yacht.rooms.room import Room
from yacht.view import view

pytestmark = pytest.mark.anyio


# Again


async def test_again(host: Host):
    """After the end the same players play again in a new room, and the next one starts."""
    names = ["Ana", "Ben", "Eva"]
    seen: set[str] = set()
    room_id = await host.open(ANA, "sum", names)
    seen.add(room_id)
    for _ in names:
        first = await play_to_the_end(host, room_id)
        room_id = await host.again(room_id, ANA)
        names = [*names[1:], names[0]]
        room = await host.room(room_id)
        assert list(room.names) == names
        assert (room.ruleset.key, room.viewers, room.seq) == ("sum", {ANA}, 1)
        assert room.fingerprint != first.fingerprint
        seen.add(room_id)
    assert {game.room for game in await host.games_of(ANA)} == seen


async def test_again_only_after_the_end(host: Host):
    """Nobody plays again while the game goes on, and only its owner does after it."""
    room_id = await opened(host, "Ana")
    room = await play(host, room_id, Keep())
    assert (await refusal(host.again(room_id, ANA))).reason is Reason.NOT_OVER
    assert (await refusal(host.again(room_id, BEN))).reason is Reason.NOT_YOURS
    assert await host.room(room_id) == room
    room = await play_to_the_end(host, room_id)
    assert (await refusal(host.again(room_id, BEN))).reason is Reason.NOT_YOURS
    assert (await stored(host, room_id))[1] == room
    assert len(await host.games_of(ANA)) == 1


async def test_again_pressed_five_times(host: Host):
    """Pressed by five at once, and later once more, it is one new room."""
    room_id = await opened(host)
    over = await play_to_the_end(host, room_id)
    ids = set(await asyncio.gather(*(host.again(room_id, ANA) for _ in range(5))))
    ids.add(await host.again(room_id, ANA))
    [new] = ids
    assert {game.room for game in await host.games_of(ANA)} == {room_id, new}
    after = (await stored(host, room_id))[1]
    assert after == await host.room(room_id) == over.after(Entry(ANA, Again(new)))
    assert view(room_id, after, BEN).again == new
    assert await host.again(room_id, BEN) == new  # whoever watched may watch on


async def test_again_after_the_new_room_is_deleted(host: Host):
    """A new room that was deleted can be followed by one more, by the owner and once."""
    room_id = await opened(host)
    await play_to_the_end(host, room_id)
    gone = await host.again(room_id, ANA)
    await host.delete(gone, ANA)
    assert (await refusal(host.again(room_id, BEN))).reason is Reason.NOT_YOURS
    [new] = set(await asyncio.gather(*(host.again(room_id, ANA) for _ in range(5))))
    assert new != gone
    assert (await stored(host, room_id))[1].again == new
    assert {game.room for game in await host.games_of(ANA)} == {room_id, new}


# In another browser


async def test_a_look_at_a_link(host: Host):
    """A link can be looked at without being used: right for whom it moves the game, or has it."""
    room_id = await opened(host)
    key = await host.link_key(room_id, ANA)
    before = await host.room(room_id)
    for viewer, shown in ((BEN, key), (BEN, key), ("", key), (ANA, key), (ANA, "wrong")):
        await host.check_link(room_id, viewer, shown)
    for wrong in ("wrong", "", "é"):
        refused = await refusal(host.check_link(room_id, BEN, wrong))
        assert refused.reason is Reason.LINK_USED
    assert (await stored(host, room_id))[1] == before
    await host.take(room_id, BEN, key)
    await host.check_link(room_id, BEN, key)
    for viewer in (ANA, EVA):
        refused = await refusal(host.check_link(room_id, viewer, key))
        assert refused.reason is Reason.LINK_USED


async def test_take(host: Host):
    """The personal link moves the game: its taker plays on, its old owner watches."""
    room_id = await opened(host)
    before = await play(host, room_id, Keep())
    room = await host.take(room_id, BEN, await host.link_key(room_id, ANA))
    assert room == before.after(Entry(BEN, Taken(BEN))) == (await stored(host, room_id))[1]
    assert view(room_id, room, BEN).may_act
    assert not view(room_id, room, ANA).may_act
    refused = await refusal(host.act(room_id, ANA, room.seq, Score("choice")))
    assert refused.reason is Reason.NOT_YOURS
    assert (await refusal(host.link_key(room_id, ANA))).reason is Reason.NOT_YOURS
    assert (await host.act(room_id, BEN, room.seq, Score("choice"))).viewers == {BEN}
    assert await host.games_of(ANA) == []
    assert [game.room for game in await host.games_of(BEN)] == [room_id]


async def test_a_key_is_used_once(host: Host):
    """A key that was used is worth nothing, also once the game has come back to its giver."""
    room_id = await opened(host)
    keys: list[str] = []
    for giver, taker in ((ANA, BEN), (BEN, ANA), (ANA, BEN)):
        key = await host.link_key(room_id, giver)
        assert await host.link_key(room_id, giver) == key
        keys.append(key)
        room = await host.take(room_id, taker, key)
        for used in keys:
            assert (await refusal(host.take(room_id, EVA, used))).reason is Reason.LINK_USED
        assert (await stored(host, room_id))[1] == room
    assert len(set(keys)) == 3


async def test_wrong_keys(host: Host):
    """A wrong key moves nothing, and only the owner is told the right one."""
    room_id, other = await opened(host), await opened(host)
    before = (await stored(host, room_id))[1]
    key = await host.link_key(room_id, ANA)
    wrong = ["", key[:-1], key + "0", "0" * 32, "é", await host.link_key(other, ANA)]
    for attempt in wrong:
        assert (await refusal(host.take(room_id, BEN, attempt))).reason is Reason.LINK_USED
    for viewer in (BEN, ""):
        assert (await refusal(host.link_key(room_id, viewer))).reason is Reason.NOT_YOURS
    assert (await stored(host, room_id))[1] == before
    assert len(key) == 32
    hidden, _ = await stored(host, room_id)
    assert key not in f"{view(room_id, before, ANA)} {before} {hidden.link.hex()}"


async def test_an_owner_who_takes(host: Host):
    """Who has the game already and opens its link changes nothing, and the link stays good."""
    room_id = await opened(host)
    key = await host.link_key(room_id, ANA)
    before = await host.room(room_id)
    assert await host.take(room_id, ANA, key) == before == (await stored(host, room_id))[1]
    assert (await host.take(room_id, BEN, key)).viewers == {BEN}


async def test_two_who_take(host: Host):
    """Of two who use one link at once one gets the game, the other nothing."""
    room_id = await opened(host)
    key = await host.link_key(room_id, ANA)
    outcomes = await asyncio.gather(
        *(host.take(room_id, viewer, key) for viewer in (BEN, EVA)), return_exceptions=True
    )
    [room] = [outcome for outcome in outcomes if isinstance(outcome, Room)]
    [refused] = [outcome for outcome in outcomes if isinstance(outcome, IllegalMove)]
    assert refused.reason is Reason.LINK_USED
    assert (await stored(host, room_id))[1] == room
    assert room.seq == 2


async def test_take_amid_a_move(host: Host):
    """A game that is taken while a move is being made loses neither."""
    room_id = await opened(host)
    key = await host.link_key(room_id, ANA)
    rolled, taken = await asyncio.gather(
        host.act(room_id, ANA, 1, Keep()), host.take(room_id, BEN, key)
    )
    assert taken == (await stored(host, room_id))[1] == rolled.after(Entry(BEN, Taken(BEN)))


# Gone


async def test_delete_amid_a_move_to_another_browser(host: Host):
    """Who has lost a game at the same moment doesn't delete it, and who has deleted it has."""
    for order in ([0, 1], [1, 0]):
        room_id = await opened(host)
        key = await host.link_key(room_id, ANA)
        attempts: list[Coroutine[Any, Any, object]] = [
            host.take(room_id, BEN, key),
            host.delete(room_id, ANA),
        ]
        outcomes = await asyncio.gather(*(attempts[n] for n in order), return_exceptions=True)
        reasons = [one.reason for one in outcomes if isinstance(one, IllegalMove)]
        there = await host.store.load(room_id)
        assert reasons == ([Reason.NO_SUCH_ROOM] if there is None else [Reason.NOT_YOURS])
        assert [game.room for game in await host.games_of(BEN)] == ([room_id] if there else [])
        if there:
            await host.delete(room_id, BEN)


async def test_delete(host: Host):
    """Its owner, and nobody else, removes a game for good."""
    room_id, other = await opened(host), await opened(host)
    room = await play(host, room_id, Keep())
    for viewer in (BEN, ""):
        assert (await refusal(host.delete(room_id, viewer))).reason is Reason.NOT_YOURS
    assert await host.room(room_id) == room
    await host.delete(room_id, ANA)
    for attempt in (
        host.room(room_id),
        host.act(room_id, ANA, room.seq, Score("choice")),
        host.delete(room_id, ANA),
    ):
        assert (await refusal(attempt)).reason is Reason.NO_SUCH_ROOM
    assert [game.room for game in await host.games_of(ANA)] == [other]


async def test_delete_amid_moves(host: Host):
    """A game that is deleted while a move is being made is gone, before or after that move."""
    for order in ([0, 1], [1, 0]):
        room_id = await opened(host)
        attempts: list[Coroutine[Any, Any, object]] = [
            host.act(room_id, ANA, 1, Keep()),
            host.delete(room_id, ANA),
        ]
        outcomes = await asyncio.gather(*(attempts[n] for n in order), return_exceptions=True)
        moved = outcomes[order.index(0)]
        assert isinstance(moved, Room) or (
            isinstance(moved, IllegalMove) and moved.reason is Reason.NO_SUCH_ROOM
        )
        assert (await refusal(host.room(room_id))).reason is Reason.NO_SUCH_ROOM
