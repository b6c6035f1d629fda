"""Friends at a host's tables: whatever comes at once, exactly one thing happens."""

import asyncio

import pytest

from tests.rooms.friends import ANA, BEN, EVA, WATCHER, Clock
from tests.rooms.hosting import DAY, at_once, begun, count, play, seated
from tests.rooms.playing import refusal, stored
from yacht.engine.game import Keep, Score, UndoScore
from yacht.engine.notation import verify
from yacht.engine.reasons import Reason
from yacht.rooms.entries import SKIPPED, Back, Begun, Invited, Joined, StoodIn
from yacht.rooms.host import Host
from yacht.rooms.options import Options
from yacht.rooms.sqlite import Sqlite
from yacht.rooms.table import Stale

pytestmark = pytest.mark.anyio

ROOM = "r" * 16


@pytest.fixture
def host(quick: Sqlite, clock: Clock) -> Host:
    """A host whose clock the test sets."""
    return Host(quick, now=clock)


# Before the game


async def test_a_room(host: Host):
    """Whoever opens a room sits in its first seat, by what was agreed."""
    room_id = await host.invite(ANA, " Ana ", "sum", Options(3, 60, hints=True))
    hidden, room = await stored(host, room_id)
    assert (room.names, room.owners) == (("Ana",), (ANA,))
    assert (room.ruleset.key, room.options) == ("sum", Options(3, 60, hints=True))
    assert not room.begun
    assert [game.room for game in await host.games_of(ANA)] == [room_id]
    assert hidden.seed.hex() not in f"{room}"


async def test_no_bytes_before_the_fingerprint(host: Host):
    """When a room's seed is drawn nobody's bytes are known; whoever invites adds theirs after."""
    room_id = await host.invite(ANA, "Ana", "classic", Options(3))
    room = await host.room(room_id)
    assert [entry.event for entry in room.entries] == [
        Invited("classic", 3, room.fingerprint),
        Joined("Ana", ANA),
    ]
    await host.join(room_id, BEN, "Ben", b"ben")
    await host.add_bytes(room_id, ANA, [b"ana"])
    await host.begin(room_id, ANA)
    room = await play(host, room_id, 1)
    assert room.seat_bytes == (b"ana", b"ben")


async def test_bytes_amid_other_acts(host: Host):
    """Bytes that come for the seal don't make what others do in the lobby stale."""
    room_id = await seated(host, ANA, BEN)
    room = await host.room(room_id)
    await host.add_bytes(room_id, ANA, [b"ana"])
    await host.seat_computer(room_id, BEN, room.seq, "Computer", "easy")
    refused = await refusal(host.leave(room_id, BEN, room.seq, 2))
    assert isinstance(refused, Stale)


@pytest.mark.parametrize(
    ("name", "options", "reason"),
    [
        ("", Options(2), Reason.BAD_NAME),
        ("Ana", Options(9), Reason.BAD_PLACES),
        ("Ana", Options(2, 7), Reason.BAD_CLOCK),
    ],
)
async def test_a_room_that_is_refused(host: Host, name: str, options: Options, reason: Reason):
    """A room that couldn't be played in isn't opened."""
    assert (await refusal(host.invite(ANA, name, "classic", options))).reason is reason
    assert await host.games_of(ANA) == []


async def test_no_lobby_without_end(host: Host, monkeypatch: pytest.MonkeyPatch):
    """From some length of its log on nobody sits down or gets up, but the game can begin."""
    room_id = await host.invite(ANA, "Ana", "classic", Options(3))
    seq = (await host.join(room_id, BEN, "Ben")).seq
    monkeypatch.setattr("yacht.rooms.room.MOST_ENTRIES", seq)
    for attempt in (
        host.join(room_id, EVA, "Eva"),
        host.leave(room_id, BEN, seq, 1),
        host.seat_computer(room_id, ANA, seq, "Computer", "easy"),
    ):
        assert (await refusal(attempt)).reason is Reason.TOO_LONG
    assert (await host.begin(room_id, ANA)).begun


async def test_a_room_asked_for_twice(host: Host):
    """Asking again for the same room is one room, and for another's it is refused."""
    room_ids = [await host.invite(ANA, "Ana", "classic", Options(2), ROOM) for _ in range(2)]
    assert room_ids == [ROOM, ROOM]
    refused = await refusal(host.invite(BEN, "Ben", "classic", Options(2), ROOM))
    assert refused.reason is Reason.NOT_YOURS
    assert (await stored(host, ROOM))[1].names == ("Ana",)


async def test_the_list_of_games(host: Host):
    """A room is in the list of those who sit in it now, and nobody else's."""
    room_id = await seated(host, ANA, BEN)

    async def listed() -> set[str]:
        return {viewer for viewer in (ANA, BEN, EVA) if await host.games_of(viewer)}

    assert await listed() == {ANA, BEN}
    await host.leave(room_id, ANA, (await host.room(room_id)).seq, 0)
    assert await listed() == {BEN}
    await host.join(room_id, ANA, "Ana")
    await host.take(room_id, EVA, await host.link_key(room_id, BEN))
    assert await listed() == {ANA, EVA}


async def test_begin_and_join_at_once(host: Host):
    """Who joins while somebody begins plays or is refused; the game has a card a seat."""
    for order in (1, -1):
        room_id = await seated(host, ANA, BEN)
        acts = [host.begin(room_id, ANA), host.begin(room_id, BEN), host.join(room_id, EVA, "Eva")]
        _, refused = await at_once(*acts[::order])
        room = (await stored(host, room_id))[1]
        assert count(room, Begun) == 1
        assert refused in ([], [Reason.ALREADY_BEGUN])
        assert (EVA in room.owners) == (refused == [])
        assert len(room.game.cards) == len(room.names)


async def test_a_room_of_friends_is_not_deleted(host: Host):
    """No player deletes what belongs to all."""
    room_id = await seated(host, ANA, BEN)
    for viewer, reason in (
        (ANA, Reason.OF_FRIENDS),
        (BEN, Reason.OF_FRIENDS),
        (WATCHER, Reason.NOT_YOURS),
    ):
        assert (await refusal(host.delete(room_id, viewer))).reason is reason
    assert (await stored(host, room_id))[1].owners == (ANA, BEN)


# In the game


async def test_a_whole_game(host: Host):
    """Friends play to the end, who opened the room watching: its record can be checked."""
    room_id = await seated(host, ANA, BEN, EVA)
    await host.leave(room_id, ANA, (await host.room(room_id)).seq, 0)
    await host.begin(room_id, EVA)
    room = await play(host, room_id, 100)
    assert room.game.is_over
    assert room.seat_bytes == (b"bbbb", b"eeee")
    verify(room.record)
    for viewer in (BEN, EVA):
        [listed] = await host.games_of(viewer)
        assert listed.result is not None
        assert listed.result.totals == tuple(card.total for card in room.game.cards)
    assert (await stored(host, room_id))[1] == room


# The clock


async def test_before_it_is_due(host: Host, clock: Clock):
    """Nothing is due before the time is over, and asking changes nothing."""
    room_id = await begun(host, ANA, BEN, clock=30)
    room = await host.room(room_id)
    clock.at += 29.9
    assert await host.store.due(clock.at) == []
    assert await host.expire(room_id) == room == (await stored(host, room_id))[1]


async def test_undo_against_the_clock(host: Host, clock: Clock):
    """A score that is taken back when its time is over is written by the clock at once."""
    room_id = await begun(host, ANA, BEN, clock=30)
    clock.at += 10
    room = await play(host, room_id, 2)
    clock.at += 29
    room = await host.act(room_id, ANA, room.seq, UndoScore())
    clock.at += 2
    assert await host.store.due(clock.at) == [room_id]
    room = await host.expire(room_id)
    assert (room.game.seat, room.turns[0].by_person) == (1, False)


async def test_games_that_end_by_the_clock(host: Host, clock: Clock):
    """A clock alone ends a game, opens its seed, and then nothing is due."""
    room_id = await begun(host, ANA, BEN, clock=90)
    turns = 0
    while due := await host.store.due(clock.at + 90):
        assert due == [room_id]
        clock.at += 90
        await host.expire(room_id)
        turns += 1
    room = (await stored(host, room_id))[1]
    assert (turns, room.game.is_over) == (24, True)
    verify(room.record)


# Somebody away


@pytest.mark.parametrize("skip", [True, False])
async def test_help_comes_after_two_minutes(
    host: Host,
    clock: Clock,
    skip: bool,  # noqa: FBT001 (a row of the table)
):
    """Others may help once the one on turn has been away for two minutes, and help once."""
    room_id = await begun(host, ANA, BEN, EVA)
    room = await host.enter(room_id, ANA)
    clock.at += 120
    early = await refusal(host.help_out(room_id, BEN, room.seq, skip=skip))
    assert early.reason is Reason.NOT_AWAY
    clock.at += 1
    assert (await refusal(host.help_out(room_id, ANA, room.seq, skip=skip))).reason is (
        Reason.NOT_AWAY
    )
    clock.at += 121  # asking, she was here
    helped, refused = await at_once(
        *(host.help_out(room_id, viewer, room.seq, skip=skip) for viewer in (BEN, EVA) * 5)
    )
    after = (await stored(host, room_id))[1]
    assert (helped, refused) == ([after], [Reason.STALE] * 9)
    added = after.entries[room.seq :]
    if skip:
        assert [entry.by for entry in added] == [SKIPPED] * 3
        assert after.game.seat == 1
    else:
        assert [entry.event for entry in added] == [StoodIn(0)]
        assert after.computer


async def test_coming_back(host: Host, clock: Clock):
    """Who opens their page plays for themselves again, at once; others' pages change nothing."""
    room_id = await begun(host, ANA, BEN)
    clock.at += 121
    room = await host.help_out(room_id, BEN, (await host.room(room_id)).seq, skip=False)
    room = await host.step(room_id, room.seq)
    assert room.game.rolls_used == 1
    for viewer in (BEN, WATCHER):
        assert await host.enter(room_id, viewer) == room
    back, refused = await at_once(*(host.enter(room_id, ANA) for _ in range(5)))
    after = (await stored(host, room_id))[1]
    assert (back, refused) == ([after] * 5, [])
    assert count(after, Back) == 1
    assert isinstance(await refusal(host.step(room_id, room.seq)), Stale)
    after = await host.act(room_id, ANA, after.seq, Score("choice"))
    assert after.game.seat == 1


@pytest.mark.parametrize("seq", [-1, 0])
async def test_whoever_acts_is_here(host: Host, clock: Clock, seq: int):
    """Who never opens a page but acts is here, whether or not the act was in time."""
    room_id = await begun(host, ANA, BEN)
    await host.act(room_id, ANA, (await host.room(room_id)).seq, Keep())
    clock.at += 100
    room = await host.room(room_id)
    await asyncio.gather(
        host.act(room_id, ANA, room.seq + seq, Keep(frozenset({0}))), return_exceptions=True
    )
    clock.at += 100
    room = await host.room(room_id)
    late = await refusal(host.help_out(room_id, BEN, room.seq, skip=True))
    assert late.reason is Reason.NOT_AWAY
    assert host.presence.away(room_id, room) == {0}
    clock.at += 21
    assert (await host.help_out(room_id, BEN, room.seq, skip=True)).game.seat == 1


async def test_whoever_acts_is_back(host: Host, clock: Clock):
    """Who acts in a page that was left open plays for themselves again, and the act counts."""
    room_id = await begun(host, ANA, BEN)
    room = await host.room(room_id)
    clock.at += 121
    await host.help_out(room_id, BEN, room.seq, skip=False)
    after = await host.act(room_id, ANA, room.seq, Keep())
    assert [entry.by for entry in after.entries[room.seq :]] == [BEN, ANA, ANA, ANA]
    assert (after.computer, after.game.rolls_used) == ("", 1)
    assert host.presence.away(room_id, after) == frozenset()


async def test_back_amid_a_step(host: Host, clock: Clock):
    """A computer's step against a return: whichever comes first, the game goes on from there."""
    for order in (1, -1):
        room_id = await begun(host, ANA, BEN)
        room = await host.room(room_id)
        clock.at += 121
        room = await host.help_out(room_id, BEN, room.seq, skip=False)
        acts = [host.step(room_id, room.seq), host.enter(room_id, ANA)]
        _, refused = await at_once(*acts[::order])
        after = (await stored(host, room_id))[1]
        assert after.game.rolls_used == (0 if refused else 1)
        assert set(refused) <= {Reason.COMPUTERS_SEAT, Reason.STALE}
        assert after.computer == ""


# What doesn't stay


async def test_sweep(host: Host, clock: Clock):
    """Lobbies older than a day and rooms idle for long go; a game on one device stays."""
    alone = await host.open(ANA, "classic", ["Ana", "Ben"])
    old_lobby, old_game = await seated(host, ANA, BEN), await begun(host, ANA, BEN)
    clock.at += 2 * DAY
    lobby, idle = await seated(host, ANA, BEN), await begun(host, ANA, BEN)
    assert await host.sweep(DAY, 90 * DAY) == 1
    assert (await refusal(host.room(old_lobby))).reason is Reason.NO_SUCH_ROOM
    assert (await refusal(host.join(old_lobby, EVA, "Eva"))).reason is Reason.NO_SUCH_ROOM
    assert {game.room for game in await host.games_of(ANA)} == {alone, old_game, lobby, idle}
    clock.at += 89 * DAY
    await play(host, idle, 1)
    await play(host, alone, 1)
    assert await host.sweep(DAY, 90 * DAY) == 2
    assert {game.room for game in await host.games_of(BEN)} == {idle}
    clock.at += 1000 * DAY
    assert await host.sweep(DAY, 90 * DAY) == 1
    assert [game.room for game in await host.games_of(ANA)] == [alone]
    assert (await host.room(alone)).game.rolls_used == 1
    assert await host.sweep(DAY, 90 * DAY) == 0


async def test_sweep_tells_who_listens(host: Host, clock: Clock):
    """A page that watches a room hears that it is gone."""
    room_id = await seated(host, ANA)
    changed = host.bell.listen(room_id)
    clock.at += DAY + 1
    await host.sweep(DAY, DAY)
    assert changed.is_set()


async def test_a_seat_is_freed_or_filled_once(host: Host):
    """The same press sent twice takes one computer away, or adds one; the second is Stale."""
    room_id = await seated(host, ANA, places=6)
    room = await host.room(room_id)
    for _ in range(2):
        room = await host.seat_computer(room_id, ANA, room.seq, "Computer", "easy")
    presses = [host.leave(room_id, ANA, room.seq, 1) for _ in range(2)]
    stale = [type(one) for one in await asyncio.gather(*presses, return_exceptions=True)]
    assert sorted(kind.__name__ for kind in stale) == ["Room", "Stale"]
    room = await host.room(room_id)
    assert len(room.names) == 2
    presses = [host.seat_computer(room_id, ANA, room.seq, "C", "exact") for _ in range(2)]
    stale = [type(one) for one in await asyncio.gather(*presses, return_exceptions=True)]
    assert sorted(kind.__name__ for kind in stale) == ["Room", "Stale"]
    assert len((await host.room(room_id)).names) == 3
