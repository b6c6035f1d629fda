"""The host: one move happens once, only its owner's, whatever comes at the same time."""

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest

from tests.rooms.playing import (
    ANA,
    BEN,
    SALTS,
    opened,
    opened_with,
    play,
    play_to_the_end,
    refusal,
    stored,
)
from yacht.engine import dice
from yacht.engine.game import Keep, Move, Score, UndoScore
from yacht.engine.notation import verify
from yacht.engine.reasons import Reason
from yacht.rooms import host as module
from yacht.rooms import tables
from yacht.rooms.entries import Entry, Hinted, Opened
from yacht.rooms.host import Host
from yacht.rooms.room import Room
from yacht.rooms.sqlite import Sqlite
from yacht.rooms.store import Append, decode_event, encode_event
from yacht.rooms.table import Stale

pytestmark = pytest.mark.anyio


# Hints


async def test_a_hint(host: Host):
    """The first hint that a seat takes is written down; a second one needs no word."""
    room_id = await opened(host)
    await play(host, room_id, Keep())
    before = (await host.room(room_id)).seq
    rung = host.bell.listen(room_id)
    hinted = await host.hint(room_id, ANA)
    assert rung.is_set()
    assert (hinted.seq, hinted.assisted) == (before + 1, {0})
    assert hinted.entries[-1] == Entry(ANA, Hinted(0))
    assert await host.hint(room_id, ANA) == hinted == (await stored(host, room_id))[1]
    await play(host, room_id, Score("choice"), Keep())
    assert (await host.hint(room_id, ANA)).assisted == {0, 1}


async def test_a_hint_for_all(host: Host):
    """A review of a running game is a hint to every person at the table, in anybody's turn."""
    room_id = await host.open(
        ANA, "classic", ["Ana", "Computer", "Ben"], computers=["", "easy", ""]
    )
    await play(host, room_id, Keep(), Score("choice"))
    assert (await refusal(host.hint(room_id, ANA))).reason is Reason.COMPUTERS_SEAT
    hinted = await host.hint(room_id, ANA, everyone=True)
    assert hinted.assisted == hinted.people == {0, 2}
    assert await host.hint(room_id, ANA, everyone=True) == hinted


async def test_hints_at_once(host: Host):
    """Asked at once, a hint is written once; a move made at the same time is done or is late."""
    room_id = await opened(host)
    seq = (await play(host, room_id, Keep())).seq
    asked = [host.hint(room_id, ANA) for _ in range(20)]
    done = await asyncio.gather(
        *asked, host.act(room_id, ANA, seq, Score("choice")), return_exceptions=True
    )
    *hinted, moved = done
    assert all(isinstance(room, Room) for room in hinted)
    room = (await stored(host, room_id))[1]
    marks = [entry for entry in room.entries if isinstance(entry.event, Hinted)]
    assert len(marks) == len(room.assisted)
    assert isinstance(moved, Room | Stale)


async def test_who_gets_no_hint(host: Host):
    """There is none for who only watches, nor after the end; nothing is marked then."""
    room_id = await opened(host, "Ana")
    room = await play(host, room_id, Keep())
    assert (await refusal(host.hint(room_id, BEN))).reason is Reason.NOT_YOURS
    assert await host.room(room_id) == room
    room = await play_to_the_end(host, room_id)
    assert (await refusal(host.hint(room_id, ANA))).reason is Reason.GAME_OVER
    assert await host.room(room_id) == room


# Opening


async def test_open(host: Host):
    """A new room has its cleaned names, its ruleset and its seal, and belongs to who opened it."""
    room_id = await host.open(ANA, "sum", [" Ana ", "Jose\u0301"])
    hidden, room = await stored(host, room_id)
    fingerprint = dice.fingerprint(hidden.seed)
    assert room.entries == (Entry(ANA, Opened("sum", ("Ana", "José"), fingerprint, ANA)),)
    assert await host.room(room_id) == room
    assert [game.room for game in await host.games_of(ANA)] == [room_id]


async def test_every_room_is_new(host: Host):
    """Every room has an id that can't be guessed, a seed and a link key of its own."""
    ids = [await opened(host) for _ in range(50)]
    hidden = [(await stored(host, room_id))[0] for room_id in ids]
    assert len(set(ids)) == len({one.seed for one in hidden}) == len({one.link for one in hidden})
    assert {len(one.seed) for one in hidden} == {len(one.link) for one in hidden} == {32}
    assert min(map(len, ids)) >= 16  # 96 bits in base 64


@pytest.mark.parametrize(
    ("ruleset", "names", "reason"),
    [
        ("classic", [], Reason.SEAT_COUNT),
        ("classic", ["Ana"] * 9, Reason.SEAT_COUNT),
        ("poker", ["Ana"], Reason.UNKNOWN_RULESET),
        ("classic", ["Ana", " "], Reason.BAD_NAME),
        ("classic", ["A" * 25], Reason.BAD_NAME),
    ],
)
async def test_what_is_not_opened(host: Host, ruleset: str, names: list[str], reason: Reason):
    """A room with a wrong number of seats, a wrong ruleset or a bad name isn't opened."""
    assert (await refusal(host.open(ANA, ruleset, names))).reason is reason
    assert await host.games_of(ANA) == []


@pytest.mark.parametrize(
    ("computers", "reason"),
    [
        (["easy", "exact"], Reason.NO_PERSON),
        (["easy"], Reason.LEVEL_COUNT),
        (["", "", "easy"], Reason.LEVEL_COUNT),
        (["", "good"], Reason.UNKNOWN_LEVEL),
    ],
)
async def test_computers_that_are_not_seated(host: Host, computers: list[str], reason: Reason):
    """A game of computers alone isn't opened, nor one with other levels or too few or many."""
    opening = host.open(ANA, "classic", ["Ana", "Ben"], computers=computers)
    assert (await refusal(opening)).reason is reason
    assert await host.games_of(ANA) == []


async def test_a_log_without_computers_says_nothing_of_them(host: Host):
    """A game of people is written as ever, so that an older version reads it, too."""
    room_id = await host.open(ANA, "classic", ["Ana", "Ben"], computers=["", ""])
    opening = (await host.room(room_id)).entries[0].event
    assert opening == Opened("classic", ("Ana", "Ben"), (await host.room(room_id)).fingerprint, ANA)
    assert "computers" not in encode_event(opening)
    assert decode_event(encode_event(opening)) == opening


async def test_opened_twice(host: Host):
    """Opening one room twice, as a double click does, gives its opener one game."""
    room_id = module.new_room_id()
    opening = [host.open(ANA, "classic", ["Ana", "Ben"], room_id) for _ in range(5)]
    assert set(await asyncio.gather(*opening)) == {room_id}
    assert await host.open(ANA, "sum", ["Eva"], room_id) == room_id
    room = (await stored(host, room_id))[1]
    assert await host.room(room_id) == room
    assert (room.names, room.ruleset.key, room.seq) == (("Ana", "Ben"), "classic", 1)
    assert [game.room for game in await host.games_of(ANA)] == [room_id]


async def test_opened_by_another(host: Host):
    """A room that somebody else has opened is not given away."""
    room_id = await opened(host)
    before = await stored(host, room_id)
    refused = await refusal(host.open(BEN, "classic", ["Ben"], room_id))
    assert refused.reason is Reason.NOT_YOURS
    assert await stored(host, room_id) == before
    assert await host.games_of(BEN) == []


@pytest.mark.parametrize(
    "room_id", ["", "a" * 15, "a" * 17, "a" * 15 + "\0", "a" * 16 + "\n", "é" * 16]
)
async def test_no_rooms_id(host: Host, room_id: str, monkeypatch: pytest.MonkeyPatch):
    """What can't be a room's id is no room: a store, which may not take such text, isn't asked."""
    for name in ("load", "delete", "saw", "seen", "append", "newest"):
        monkeypatch.setattr(host.store, name, None)
    for attempt in (
        host.look(room_id, ANA),
        host.act(room_id, ANA, 1, Keep()),
        host.begin(room_id, ANA),
        host.help_out(room_id, ANA, 1, skip=True),
        host.take(room_id, ANA, "key"),
        host.again(room_id, ANA),
        host.delete(room_id, ANA),
    ):
        assert (await refusal(attempt)).reason is Reason.NO_SUCH_ROOM


async def test_a_log_that_makes_no_game(host: Host):
    """A room whose log makes no game is unreadable; it hinders nobody and can be deleted."""
    room_id, other = await opened(host), await opened(host)
    await host.store.append(Append(room_id, 1, [Entry(ANA, UndoScore())]))
    for attempt in (host.room(room_id), host.again(room_id, ANA), host.take(room_id, BEN, "key")):
        assert (await refusal(attempt)).reason is Reason.UNREADABLE
    await play(host, other, Keep())
    await host.delete(room_id, ANA)
    assert [game.room for game in await host.games_of(ANA)] == [other]


# One move, once


async def test_a_resend(host: Host):
    """The same move at the same number gets the current state, however far the game has gone."""
    room_id = await opened(host)
    first = await host.act(room_id, ANA, 1, Keep(), SALTS)
    assert await host.act(room_id, ANA, 1, Keep(), SALTS) == first
    assert await host.act(room_id, ANA, 1, Keep()) == first
    moves = [Keep(frozenset({0, 3})), Score("choice"), UndoScore(), Score("ones"), Keep()]
    last = await play(host, room_id, *moves)
    for move, seq in zip([Keep(), *moves], [1, 3, 4, 5, 6, 7], strict=True):
        assert await host.act(room_id, ANA, seq, move) == last
    assert await stored(host, room_id) == ((await stored(host, room_id))[0], last)
    assert last.seq == 8


@pytest.mark.parametrize("move", [Keep(), Keep(frozenset({1})), Score("ones"), UndoScore()])
async def test_another_move_at_an_old_number(host: Host, move: Move):
    """A different move at a number that is taken is Stale and brings the current room."""
    room_id = await opened(host)
    last = await play(host, room_id, Keep(), Score("choice"), Keep())
    for seq in (0, 1, 3, 4):
        if (seq, move) in {(1, Keep()), (4, Keep())}:
            continue  # these are in the log
        stale = await refusal(host.act(room_id, ANA, seq, move))
        assert isinstance(stale, Stale)
        assert (stale.reason, stale.room) == (Reason.STALE, last)
    assert (await stored(host, room_id))[1] == last


async def test_a_number_ahead(host: Host):
    """A move at a number that isn't there yet is Stale and brings the current room."""
    room_id = await opened(host)
    last = await play(host, room_id, Keep())
    for seq in (4, 5, 1_000_000):
        for move in (Keep(), Score("choice")):
            stale = await refusal(host.act(room_id, ANA, seq, move))
            assert isinstance(stale, Stale)
            assert stale.room == last
    assert (await stored(host, room_id))[1] == last


async def test_a_move_that_the_rules_refuse(host: Host):
    """A move that the rules refuse changes nothing, and the same number can be played after it."""
    room_id = await opened(host)
    before = await stored(host, room_id)
    for move, reason in (
        (Score("choice"), Reason.NOT_ROLLED),
        (Score("sevens"), Reason.UNKNOWN_CATEGORY),
        (Keep(frozenset({0})), Reason.NOTHING_TO_KEEP),
        (Keep(frozenset({5})), Reason.NO_SUCH_DIE),
        (UndoScore(), Reason.NOTHING_TO_UNDO),
    ):
        assert (await refusal(host.act(room_id, ANA, 1, move))).reason is reason
        assert await stored(host, room_id) == before
        assert await host.room(room_id) == before[1]
    assert (await host.act(room_id, ANA, 1, Keep())).seq == 3


async def test_another_viewer(host: Host):
    """Nobody but the owner can move, at any number, nor resend the owner's moves."""
    room_id = await opened(host)
    last = await play(host, room_id, Keep())
    for viewer in (BEN, ""):
        for seq in (0, 1, 3, 4):
            for move in (Keep(), Score("choice"), UndoScore(), Score("sevens")):
                refused = await refusal(host.act(room_id, viewer, seq, move))
                assert refused.reason is Reason.NOT_YOURS
                assert not isinstance(refused, Stale)
    assert (await stored(host, room_id))[1] == last


async def test_no_such_room(host: Host):
    """Whatever is asked of a room that isn't there, it is said that it isn't."""
    for attempt in (
        host.room("nowhere"),
        host.act("nowhere", ANA, 1, Keep()),
        host.again("nowhere", ANA),
        host.link_key("nowhere", ANA),
        host.take("nowhere", ANA, "key"),
        host.delete("nowhere", ANA),
    ):
        assert (await refusal(attempt)).reason is Reason.NO_SUCH_ROOM


@pytest.mark.parametrize("started", [False, True], ids=["first roll", "later roll"])
async def test_parallel_rolls(host: Host, started: bool):  # noqa: FBT001
    """Fifty identical rolls in parallel are one roll, and all fifty get the same room."""
    room_id = await opened(host)
    before = await play(host, room_id, *([Keep(), Score("choice")] if started else []))
    rooms = await asyncio.gather(
        *(host.act(room_id, ANA, before.seq, Keep(), SALTS) for _ in range(50))
    )
    after = (await stored(host, room_id))[1]
    assert set(rooms) == {after}
    assert after.game.rolls_used == 1
    assert after.seq == before.seq + (1 if started else 2)


async def test_a_number_that_is_not_reached(host: Host, monkeypatch: pytest.MonkeyPatch):
    """A move at a number the log hasn't got is late, without the log being read again."""
    room_id = await opened(host)
    room = await host.room(room_id)
    monkeypatch.setattr(host.store, "load", None)
    assert (await refusal(host.act(room_id, ANA, 999_999_999, Keep()))).reason is Reason.STALE
    assert await host.room(room_id) == room


async def test_no_log_without_end(host: Host, monkeypatch: pytest.MonkeyPatch):
    """From some length on nothing is taken back or over any more; the game comes to its end."""
    room_id = await opened(host)
    room = await play(host, room_id, *[Keep(), Score("choice"), UndoScore(), Score("choice")])
    assert room.may_undo
    monkeypatch.setattr("yacht.rooms.room.MOST_ENTRIES", room.seq)
    assert not room.may_undo
    assert (await refusal(play(host, room_id, UndoScore()))).reason is Reason.TOO_LONG
    key = await host.link_key(room_id, ANA)
    assert (await refusal(host.take(room_id, BEN, key))).reason is Reason.TOO_LONG
    assert (await play_to_the_end(host, room_id)).game.is_over


async def test_parallel_scores(host: Host):
    """Of different scores in parallel exactly one is written; the others learn which."""
    room_id = await opened(host)
    room = await play(host, room_id, Keep())
    boxes = room.game.open_boxes
    outcomes = await asyncio.gather(
        *(host.act(room_id, ANA, room.seq, Score(box)) for box in boxes), return_exceptions=True
    )
    after = (await stored(host, room_id))[1]
    assert after.seq == room.seq + 1
    assert [outcome for outcome in outcomes if isinstance(outcome, Room)] == [after]
    stale = [outcome.room for outcome in outcomes if isinstance(outcome, Stale)]
    assert stale == [after] * (len(boxes) - 1)


async def test_parallel_moves_of_every_kind(host: Host):
    """Of all legal moves in parallel exactly one happens, again and again until the game ends."""
    room_id = await opened(host, "Ana", ruleset="sum")
    chance = random.Random(1)
    while not (room := await host.room(room_id)).game.is_over:
        moves = chance.sample(moves := list(room.game.moves()), min(6, len(moves)))
        attempts = [host.act(room_id, ANA, room.seq, move) for move in moves]
        outcomes = await asyncio.gather(*attempts, return_exceptions=True)
        assert sum(isinstance(outcome, Room) for outcome in outcomes) == 1
        assert sum(isinstance(outcome, Stale) for outcome in outcomes) == len(moves) - 1
    assert (await stored(host, room_id))[1] == room
    verify(room.record)


# The cache


async def test_a_small_cache(host: Host, monkeypatch: pytest.MonkeyPatch):
    """However few rooms are kept in memory, the games are the same, and no more are kept."""
    ids = [await opened_with(host, bytes([n]) * 32, "Ana") for n in range(5)]
    monkeypatch.setattr(tables, "MOST_CACHED", 2)
    chance = random.Random(2)
    for _ in range(15):
        for room_id in chance.sample(ids, 5):
            room = await host.room(room_id)
            move = Score(room.game.open_boxes[0]) if room.game.rolls_used == 2 else Keep()
            room = await host.act(room_id, ANA, room.seq, move)
            assert await Host(host.store).room(room_id) == room
            assert await host.act(room_id, ANA, room.seq - 1, move) == room or room.seq == 3
            assert len(host.tables._known) <= 2
    for number, room_id in enumerate(ids):
        key = dice.dice_key(bytes([number]) * 32, (b"",))
        for turn, played in enumerate((await host.room(room_id)).turns):
            thrown = [roll.dice for roll in played.rolls]
            assert thrown == [dice.throw(key, 0, turn, roll) for roll in range(len(thrown))]


async def test_what_is_kept(host: Host, monkeypatch: pytest.MonkeyPatch):
    """The rooms used last are kept, and neither owner nor stranger makes them be read again."""
    monkeypatch.setattr(tables, "MOST_CACHED", 2)
    first, second, third = [await opened(host) for _ in range(3)]
    for room_id in (first, second, first, third):
        await host.room(room_id)
    loaded: list[str] = []
    load = host.store.load

    async def noted(room: str) -> Any:
        loaded.append(room)
        return await load(room)

    monkeypatch.setattr(host.store, "load", noted)
    for room_id in (first, third):
        await play(host, room_id, Keep(), Score("choice"), Keep())
    for seq in (0, 6, 99):
        await refusal(host.act(first, BEN, seq, Keep()))
    assert loaded == []
    await host.room(second)
    assert loaded == [second]


class Late(Sqlite):
    """A store that writes at once, and says so of its first append only when it may."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.written, self.may_tell = asyncio.Event(), asyncio.Event()

    async def append(self, log: Append) -> None:
        await super().append(log)
        if not self.written.is_set():
            self.written.set()
            await self.may_tell.wait()


async def test_an_answer_that_comes_late(database: Path):
    """A move that is known to be written long after others followed it doesn't turn them back."""
    store = Late(database)
    host = Host(store)
    room_id = await opened(host)
    first = asyncio.create_task(host.act(room_id, ANA, 1, Keep()))
    await store.written.wait()
    resent = await host.act(room_id, ANA, 1, Keep())
    last = await play(host, room_id, Score("choice"), Keep())
    store.may_tell.set()
    assert await first == resent
    assert await host.room(room_id) == last
    await store.close()
