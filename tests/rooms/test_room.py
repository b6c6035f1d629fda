"""A room is a fold of its log: the game, its turns, whose it is, and which moves it has already."""

import contextlib
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.engine.strategies import TO_THE_END, records, walk
from tests.rooms.playing import owner_of
from tests.rooms.strategies import SEED, log_of, logs
from yacht.engine import dice
from yacht.engine.game import Game, Keep, Move, Rolled, Score, UndoScore, replay
from yacht.engine.notation import Record, verify
from yacht.engine.reasons import IllegalMove, Reason
from yacht.engine.rules import CLASSIC
from yacht.rooms.entries import (
    COMPUTER,
    Again,
    Back,
    Entry,
    Hinted,
    LogEvent,
    Opened,
    Started,
    Taken,
    Unsealed,
    move_of,
)
from yacht.rooms.room import Room
from yacht.rooms.turns import Turn
from yacht.strategy import players
from yacht.strategy.levels import AVERAGES

ANA, BEN = "a" * 32, "b" * 32
OPENED = Opened("classic", ("Ana", "Ben"), dice.fingerprint(SEED), ANA)
STARTED = Started((b"Ana", b""))
FIRST = Rolled(frozenset(), (2, 4, 3, 2, 1))
SECOND = Rolled(frozenset({1}), (1, 4, 5, 3, 1))


def room_of(*events: LogEvent) -> Room:
    return Room.fold([Entry(ANA, event) for event in (OPENED, *events)])


def has(room: Room, viewer: str, seq: int, move: Move) -> bool:
    """Whether the next move after ``seq`` is this one by this viewer."""
    moved = room.moved_since(seq)
    return moved is not None and (moved.by, move_of(moved.event)) == (viewer, move)


def moves_of(room: Room) -> list[tuple[int, Entry, Move]]:
    """Every move in a log with the number it was made at and its line."""
    found: list[tuple[int, Entry, Move]] = []
    for before, entry in enumerate(room.entries):
        first = before > 0 and isinstance(room.entries[before - 1].event, Started)
        match entry.event:
            case Rolled(kept):
                found.append((before - first, entry, Keep(kept)))
            case Score() | UndoScore() as move:
                found.append((before, entry, move))
            case _:
                pass
    return found


@given(logs, st.floats(0, 1))
def test_fold(log: tuple[Entry, ...], part: float):
    """The fold of a log is the room after its entries one by one, from anywhere in it on."""
    cut = 1 + int(part * (len(log) - 1))
    earlier = room = Room.fold(log[:cut])
    for number, entry in enumerate(log[cut:], cut + 1):
        room = room.after(entry)
        assert room.seq == number
    assert room == Room.fold(log)
    assert room.entries == log
    assert earlier == Room.fold(log[:cut])


def test_a_long_log():
    """Ten times as many entries take about ten times as long to fold, not a hundred times."""

    def seconds(entries: int) -> float:
        again = [Score("choice"), UndoScore()] * (entries // 2)
        log = [Entry(ANA, event) for event in (OPENED, STARTED, FIRST, *again)]
        before = time.process_time()
        Room.fold(log)
        return time.process_time() - before

    assert seconds(20_000) < 40 * seconds(2_000)


@given(logs)
def test_what_a_log_says(log: tuple[Entry, ...]):
    """A room holds the game of the log's game events, and what its other events set last."""
    room, events = Room.fold(log), [entry.event for entry in log]
    opened = events[0]
    assert isinstance(opened, Opened)
    played = [event for event in events if isinstance(event, Rolled | Score | UndoScore)]
    assert room.game == replay(Game.new(room.ruleset, len(opened.names)), played)
    assert (room.ruleset.key, room.names) == (opened.ruleset, opened.names)
    assert room.fingerprint == opened.fingerprint
    owners = [event.owner for event in events if isinstance(event, Opened | Taken)]
    salts = [event.seat_bytes for event in events if isinstance(event, Started)]
    seeds = [event.seed for event in events if isinstance(event, Unsealed)]
    again = [event.room for event in events if isinstance(event, Again)]
    assert room.viewers == {owners[-1]}
    assert [room.seat_bytes] == (salts or [None])
    assert [room.seed] == (seeds or [None])
    assert [room.again] == (again or [None])


@given(logs)
def test_turns(log: tuple[Entry, ...]):
    """The turns are the rolls between scores that stayed, each with its seat, box and points."""
    room = Room.fold(log)
    score = {category.key: category.score for category in room.ruleset.categories}
    turns: list[Turn] = []
    scored = True
    for entry in log:
        match entry.event:
            case Rolled() as rolled:
                if scored:
                    turns.append(Turn(len(turns) % len(room.names), ()))
                turns[-1] = replace(turns[-1], rolls=(*turns[-1].rolls, rolled))
                scored = False
            case Score(box):
                points = score[box](turns[-1].rolls[-1].dice)
                turns[-1] = replace(turns[-1], category=box, points=points)
                scored = True
            case UndoScore():
                turns[-1] = replace(turns[-1], category=None, points=None)
                scored = False
            case _:
                pass
    assert list(room.turns) == turns
    for seat, card in enumerate(room.game.cards):
        assert card.total == sum(turn.points or 0 for turn in turns if turn.seat == seat)


def test_a_turn_with_a_score_taken_back():
    """A score taken back leaves its turn open, and the next roll belongs to that turn."""
    room = room_of(STARTED, FIRST, Score("choice"), UndoScore(), SECOND, Score("ones"))
    assert room.turns == (Turn(0, (FIRST, SECOND), "ones", 2),)
    assert room_of(STARTED, FIRST, Score("choice")).turns == (Turn(0, (FIRST,), "choice", 12),)
    assert room_of(STARTED, FIRST, Score("choice"), UndoScore()).turns == (Turn(0, (FIRST,)),)


@given(logs)
def test_resends(log: tuple[Entry, ...]):
    """Every move of a log is known again at its number, by who made it and nobody else."""
    room = Room.fold(log)
    for at, entry, move in moves_of(room):
        assert has(room, entry.by, at, move)
        assert not has(room, "someone", at, move)
        other = Score("yacht") if move != Score("yacht") else UndoScore()
        assert not has(room, entry.by, at, other)
    assert not any(has(room, owner_of(room), room.seq, move) for move in room.game.moves())


def test_a_resend_of_the_first_roll():
    """The first roll is known at the number before the entry that starts the game."""
    room = room_of(STARTED, FIRST)
    assert has(room, ANA, 1, Keep())
    assert not has(room, ANA, 1, Keep(frozenset({0})))
    assert not has(room, BEN, 1, Keep())
    assert not has(room, ANA, 3, Keep())
    assert not has(room_of(STARTED), ANA, 1, Keep())


def test_no_move_hides_behind_another():
    """A move that happened one number later is no resend of a move made before it."""
    room = room_of(STARTED, FIRST, SECOND, Score("choice"), UndoScore())
    assert has(room, ANA, 3, Keep(frozenset({1})))
    assert not has(room, ANA, 3, Score("choice"))
    assert has(room, ANA, 4, Score("choice"))
    assert not has(room, ANA, 4, UndoScore())
    assert not has(room, ANA, 4, Score("ones"))
    assert has(room, ANA, 5, UndoScore())


def test_what_does_not_change_the_game():
    """A hint or a return after a number doesn't make the game another one; a roll does."""
    assert room_of(STARTED, FIRST, Hinted(0), Taken(BEN), Back(1)).moved_since(3) is None
    room = room_of(STARTED, FIRST, Hinted(0), SECOND, Score("choice"))
    assert room.moved_since(3) == room.moved_since(4) == Entry(ANA, SECOND)
    assert room.moved_since(5) == Entry(ANA, Score("choice"))


@pytest.mark.parametrize("seq", [4, 5, 1_000_000_000])
def test_no_resend_outside_the_log(seq: int):
    """At a number where nothing was played there is nothing to know again."""
    room = room_of(STARTED, FIRST)
    assert not any(has(room, ANA, seq, move) for move in (Keep(), UndoScore(), Score("choice")))


def test_owner():
    """Only its owner may act in a room."""
    room = room_of(STARTED, FIRST)
    room.check_owner(ANA)
    for viewer in (BEN, "", ANA.upper(), ANA[:-1]):
        with pytest.raises(IllegalMove) as refused:
            room.check_owner(viewer)
        assert refused.value.reason is Reason.NOT_YOURS


LEVELS = ("", "easy", "exact")
PEOPLE_AND_COMPUTERS = replace(OPENED, names=("Ana", "Bob", "Cleo"), computers=LEVELS)


def accepted(room: Room, viewer: str) -> set[Move]:
    """The moves of the game that the room lets this viewer make."""
    found = set[Move]()
    for move in room.game.moves():
        with contextlib.suppress(IllegalMove):
            room.check(viewer, move)
            found.add(move)
    return found


def test_whose_move_it_is():
    """A turn is made by its seat alone; a person's score can be taken back, a computer's not."""
    room = Room.opened(Entry(ANA, PEOPLE_AND_COMPUTERS)).after(Entry(ANA, STARTED))
    for seat, turn in ((seat, turn) for turn in range(12) for seat in range(3)):
        level, game = LEVELS[seat], room.game
        assert (game.seat, game.turn, room.level(seat), room.computer) == (seat, turn, level, level)
        back = {UndoScore()} if seat == 1 else set[Move]()  # only Ana's score lies before it
        assert room.may_undo == bool(back)
        turn_moves = set(game.moves()) - {UndoScore()}
        assert accepted(room, ANA) == (back if level else turn_moves)
        assert accepted(room, BEN) == accepted(room, "") == set()
        room = room.after(Entry("", FIRST))
        rolled = set(room.game.moves())
        assert accepted(room, ANA) == (set() if level else rolled)
        assert accepted(room, COMPUTER) == (rolled if level else set())
        room = room.after(Entry("", Score(room.game.open_boxes[0])))
    assert (room.computer, room.may_undo) == ("", False)


def test_what_is_refused_where_a_computer_plays():
    """A person is told that a computer plays there, or that nothing can be taken back."""
    events: list[LogEvent] = [PEOPLE_AND_COMPUTERS, STARTED, FIRST, Score("choice"), FIRST]
    playing = Room.fold([Entry(ANA, event) for event in events])
    after = playing.after(Entry(COMPUTER, Score("choice"))).after(Entry(COMPUTER, FIRST))
    after = after.after(Entry(COMPUTER, Score("choice")))
    for room, move, reason in (
        (playing, Keep(), Reason.COMPUTERS_SEAT),
        (playing, Score("ones"), Reason.COMPUTERS_SEAT),
        (after, UndoScore(), Reason.NOTHING_TO_UNDO),
    ):
        with pytest.raises(IllegalMove) as refused:
            room.check(ANA, move)
        assert refused.value.reason is reason
    after.check(ANA, Keep())
    room_of(STARTED).check(ANA, UndoScore())  # what the game itself refuses is for the game
    with pytest.raises(IllegalMove) as refused:
        after.check(COMPUTER, Keep())
    assert refused.value.reason is Reason.COMPUTERS_SEAT


@pytest.mark.parametrize(
    ("computers", "reason"),
    [
        (("", "grandmaster"), Reason.UNKNOWN_LEVEL),
        (("", "Easy"), Reason.UNKNOWN_LEVEL),
        (("easy",), Reason.LEVEL_COUNT),
        (("", "easy", ""), Reason.LEVEL_COUNT),
    ],
)
def test_levels_that_are_none(computers: tuple[str, ...], reason: Reason):
    """A level that isn't known, or as many levels as there are no seats, opens no room."""
    with pytest.raises(IllegalMove) as refused:
        Room.opened(Entry(ANA, replace(OPENED, computers=computers)))
    assert refused.value.reason is reason


def test_levels_are_those_that_play():
    """Each level that a room takes is one that a computer can play at, and the other way round."""
    assert list(AVERAGES) == list(players.LEVELS)


def test_taken():
    """A game that was taken is its taker's and no longer its old owner's."""
    room = room_of(STARTED, FIRST, Taken(BEN))
    room.check_owner(BEN)
    with pytest.raises(IllegalMove) as refused:
        room.check_owner(ANA)
    assert refused.value.reason is Reason.NOT_YOURS


def test_a_log_must_make_sense():
    """A log starts with its opening, has it once, and holds no event that the game refuses."""
    with pytest.raises(TypeError):
        Room.fold([Entry(ANA, STARTED)])
    with pytest.raises(TypeError):
        room_of(OPENED)
    for events in ([Score("choice")], [STARTED, SECOND], [STARTED, FIRST, UndoScore()]):
        with pytest.raises(IllegalMove):
            room_of(*events)


@given(records)
def test_the_room_of_a_record(record: Record):
    """A record's room plays its game, gives the record back, and belongs to nobody."""
    room = Room.of(record)
    assert room.record == record
    assert room.game == record.game
    assert (room.names, room.seat_bytes) == (record.names, record.seat_bytes)
    assert (room.fingerprint, room.seed) == (record.fingerprint, record.seed)
    with pytest.raises(IllegalMove):
        room.check_owner(ANA)


def test_no_room_of_a_wrong_record():
    """A record whose events don't make a game has no room."""
    names, salts = OPENED.names, STARTED.seat_bytes
    for events in ((SECOND,), (FIRST, FIRST, FIRST, FIRST), (FIRST, UndoScore())):
        with pytest.raises(IllegalMove):
            Room.of(Record(CLASSIC, names, salts, OPENED.fingerprint, events))


def test_the_record_of_a_room():
    """A record has the seats' bytes from the first roll on and the seed once the game is over."""
    names, none = ("Ana", "Ben"), (b"", b"")
    assert room_of().record == Record(CLASSIC, names, none, OPENED.fingerprint)
    assert room_of(STARTED, FIRST).record == Record(
        CLASSIC, names, STARTED.seat_bytes, OPENED.fingerprint, (FIRST,)
    )
    salts = (b"Ana", b"Ben")
    played = walk(Game.new(CLASSIC, 2), 1, TO_THE_END, dice.dice_key(SEED, salts))
    over = room_of(Started(salts), *played.events)
    assert over.record.seed is None
    open_seal = over.after(Entry(ANA, Unsealed(SEED))).record
    assert open_seal.events == played.events
    verify(open_seal)


@given(logs)
def test_a_record_of_any_room(log: tuple[Entry, ...]):
    """A room and the room of its record hold the same game and the same turns."""
    room = Room.fold(log)
    copy = Room.of(room.record)
    assert (copy.game, copy.turns, copy.seed) == (room.game, room.turns, room.seed)


def test_a_whole_log():
    """A log of a whole game ends with its seed and where its players went on."""
    room = Room.fold(log_of(walk(Game.new(CLASSIC, 3), 5, TO_THE_END), 5, 2))
    assert room.game.is_over
    assert (room.seed, room.again, room.viewers) == (SEED, "room", {"owner 2"})
