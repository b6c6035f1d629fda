"""Friends at a table: who sits where, who may do what and when, and what the clock does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.strategies import HOSTILE_NAMES
from tests.rooms.friends import (
    ANA,
    BEN,
    DAN,
    EVA,
    WATCHER,
    begun,
    invited,
    moved,
    next_move,
    reason,
    seated,
    to_the_end,
    written,
)
from yacht.engine.game import Keep, Move, Rolled, Score, UndoScore
from yacht.engine.notation import decode_record, encode_record, verify
from yacht.engine.reasons import IllegalMove, Reason
from yacht.engine.rules import score
from yacht.rooms import away, lobby
from yacht.rooms.entries import CLOCK, COMPUTER, SKIPPED, Entry, Hinted, Salted, Started, Taken
from yacht.rooms.names import clean_name
from yacht.rooms.options import CLOCKS, Options
from yacht.rooms.room import Room
from yacht.rooms.store import COMPUTER_SECONDS, Standing
from yacht.rooms.table import Stale, Table
from yacht.rooms.table import invited as new_room
from yacht.view import LastView, view

DAY = 86_400

# Before the game


def test_sitting_down():
    """Whoever comes gets the next empty seat, and a person once, however often they come."""
    table = seated(ANA, BEN, EVA)
    assert table.room.names == ("Ana", "Ben", "Eva")
    assert table.room.owners == (ANA, BEN, EVA)
    assert table.room.viewers == {ANA, BEN, EVA}
    assert len(table.room.game.cards) == 3
    assert lobby.join(table.room, BEN, "Another name", b"") == ()
    table = written(table, lobby.begin(table.room, EVA))
    assert lobby.join(table.room, BEN, "Ben", b"") == ()


def test_no_seat():
    """A full room, a game that has begun and one on one device have no seat for anybody."""
    full = seated(ANA, BEN, places=2)
    assert reason(lobby.join, full.room, EVA, "Eva", b"") is Reason.ROOM_FULL
    assert reason(lobby.seat_computer, full.room, ANA, "C", "easy") is Reason.ROOM_FULL
    on = begun(ANA, BEN)
    assert reason(lobby.join, on.room, EVA, "Eva", b"") is Reason.ALREADY_BEGUN
    assert reason(lobby.seat_computer, on.room, ANA, "C", "easy") is Reason.SEATS_FIXED
    assert reason(lobby.leave, on.room, ANA, 0) is Reason.SEATS_FIXED
    one_device = Room.of(to_the_end(begun(ANA, BEN)).room.record)
    assert reason(lobby.join, one_device, EVA, "Eva", b"") is Reason.ONE_DEVICE


def test_two_of_one_name_are_told_apart():
    """Whoever comes second takes another name; sitting down twice is still one seat."""
    table = seated(ANA, BEN)
    for name in ("Ben", " ben ", "ANA"):
        assert reason(lobby.join, table.room, EVA, name, b"") is Reason.NAME_TAKEN
    assert lobby.join(table.room, EVA, "Ben S.", b"")
    assert not lobby.join(table.room, BEN, "Ben", b"")


@pytest.mark.parametrize("name", [*HOSTILE_NAMES, "A" * 24, "A" * 25])
def test_names(name: str):
    """A friend's name is trimmed or refused as any player's, and what is kept is plain text."""
    room = invited().room
    try:
        expected = clean_name(name)
    except IllegalMove:
        assert reason(lobby.join, room, ANA, name, b"") is Reason.BAD_NAME
    else:
        [entry] = lobby.join(room, ANA, name, b"")
        assert room.after(entry).names == (expected,)


def test_too_many_bytes():
    """Nobody sits down, or opens a room, with more than 32 bytes for the seal."""
    assert reason(lobby.join, invited().room, ANA, "Ana", b"x" * 33) is Reason.TOO_MANY_BYTES
    [entry] = lobby.join(invited().room, ANA, "Ana", b"x" * 32)
    assert invited().room.after(entry).salts == (b"x" * 32,)


def test_getting_up():
    """Who gets up leaves no gap; the others keep their names, owners, levels and bytes."""
    table = seated(ANA, BEN, EVA, computers=1)
    after = written(table, lobby.leave(table.room, BEN, 1)).room
    assert after.names == ("Ana", "Eva", "Computer")
    assert after.owners == (ANA, EVA, "")
    assert after.computers == ("", "", "easy")
    assert after.salts == (b"Ana", b"Eva", b"")
    assert after.viewers == {ANA, EVA}
    assert len(after.game.cards) == 3
    [again] = lobby.join(after, BEN, "Ben", b"new")
    assert after.after(again).owners == (ANA, EVA, "", BEN)


def test_who_may_empty_a_seat():
    """A seat is emptied by who sits there or opened the room, a computer's by any player.

    No seat is by a watcher, nor by the host once they have left.
    """
    table = seated(ANA, BEN, computers=1)
    room = table.room
    assert reason(lobby.leave, room, BEN, 0) is Reason.NOT_YOURS
    assert written(table, lobby.leave(room, ANA, 1)).room.names == ("Ana", "Computer")
    left = written(table, lobby.leave(room, ANA, 0)).room
    assert reason(lobby.leave, left, ANA, 0) is Reason.NOT_YOURS
    assert reason(lobby.leave, room, WATCHER, 0) is Reason.NOT_YOURS
    assert reason(lobby.leave, room, WATCHER, 2) is Reason.NOT_YOURS
    for seat in (-1, 3, 8):
        assert reason(lobby.leave, room, ANA, seat) is Reason.BAD_SEAT
    assert written(table, lobby.leave(room, BEN, 2)).room.names == ("Ana", "Ben")


def test_the_last_person_stays():
    """A room doesn't lose its last person, computers or not; the first may leave before."""
    table = seated(ANA, BEN, computers=1)
    table = written(table, lobby.leave(table.room, ANA, 0))
    assert table.room.viewers == {BEN}
    assert reason(lobby.leave, table.room, BEN, 0) is Reason.LAST_PERSON
    table = written(table, lobby.begin(table.room, BEN))
    assert to_the_end(table).room.names == ("Ben", "Computer")


def test_computers_seats():
    """Any player gives an empty seat to a computer of a known level, a watcher doesn't."""
    table = seated(ANA, BEN)
    after = written(table, lobby.seat_computer(table.room, BEN, "C", "exact")).room
    assert after.people == {0, 1}
    assert after.level(2) == "exact"
    assert reason(lobby.seat_computer, table.room, WATCHER, "C", "exact") is Reason.NOT_YOURS
    assert reason(lobby.seat_computer, table.room, ANA, "C", "best") is Reason.UNKNOWN_LEVEL


def test_beginning():
    """Any player begins once two seats are taken, a watcher doesn't, and twice is once."""
    assert reason(lobby.begin, seated(ANA).room, ANA) is Reason.TOO_FEW
    table = seated(ANA, BEN)
    assert reason(lobby.begin, table.room, WATCHER) is Reason.NOT_YOURS
    for viewer, move in ((ANA, Keep()), (ANA, UndoScore()), (BEN, Score("ones"))):
        assert reason(table.act, viewer, table.room.seq, move, ()) is Reason.NOT_BEGUN
    table = written(table, lobby.begin(table.room, BEN))
    assert table.room.begun
    assert lobby.begin(table.room, ANA) == ()
    with_computer = seated(ANA, computers=1)
    assert written(with_computer, lobby.begin(with_computer.room, ANA)).room.begun


@pytest.mark.parametrize(
    ("options", "refused"),
    [
        (Options(1), Reason.BAD_PLACES),
        (Options(9), Reason.BAD_PLACES),
        (Options(2, 31), Reason.BAD_CLOCK),
        (Options(2, -30), Reason.BAD_CLOCK),
        (Options(2, 8 * DAY), Reason.BAD_CLOCK),
    ],
)
def test_options_that_are_refused(options: Options, refused: Reason):
    """Two to eight play, by one of the clocks."""
    assert reason(new_room, ANA, "classic", options) is refused


# Whose move it is


def offers(table: Table) -> list[Move]:
    """Moves of every kind, legal ones among them."""
    return [*table.room.game.moves(), Keep(), UndoScore(), Score("ones"), Score("yacht")]


def refusal(table: Table, viewer: str, move: Move) -> Reason | None:
    """Why this viewer doesn't make this move; None if they may."""
    try:
        moved(table, viewer, move)
    except IllegalMove as refused:
        return refused.reason
    return None


@given(st.integers(0, 80), st.integers(0, 2))
def test_nobody_moves_for_another(steps: int, computers: int):
    """At any moment of a game only the seat on turn moves; an undo is its writer's alone."""
    table = seated(ANA, BEN, EVA, computers=computers, places=8)
    table = written(table, lobby.begin(table.room, ANA))
    for _ in range(steps):
        if not table.room.game.is_over:
            viewer, move = next_move(table)
            table = moved(table, viewer, move)
    room, before = table.room, table.room.game.before
    on_turn = "" if room.game.is_over else room.owners[room.game.seat]
    scorer = room.owners[before.seat] if before else ""
    for viewer in (ANA, BEN, EVA, WATCHER, ""):
        for move in offers(table):
            refused = refusal(table, viewer, move)
            if viewer in (WATCHER, ""):
                assert refused is Reason.NOT_YOURS
            elif isinstance(move, UndoScore):
                assert refused is None or refused is Reason.NOTHING_TO_UNDO
                assert (refused is None) == (viewer == scorer)
            elif room.game.is_over:
                assert refused is Reason.GAME_OVER
            elif viewer != on_turn:
                assert refused is (Reason.NOT_YOUR_TURN if on_turn else Reason.COMPUTERS_SEAT)
            else:
                assert (refused is None) == (move in set(room.game.moves()))


def test_a_foreign_turn_has_its_name():
    """Who isn't on turn hears who is."""
    table = moved(begun(ANA, BEN), ANA, Keep())
    with pytest.raises(IllegalMove) as refused:
        table.act(BEN, table.room.seq, Score("ones"), ())
    assert refused.value.reason is Reason.NOT_YOUR_TURN
    assert refused.value.values["name"] == "Ana"


def test_undo():
    """Who scored takes it back until anybody rolls; the next one, meanwhile, doesn't."""
    table = moved(begun(ANA, BEN), ANA, Keep(), Score("choice"))
    rolled = table.room.game.before
    assert refusal(table, BEN, UndoScore()) is Reason.NOTHING_TO_UNDO
    assert moved(table, ANA, UndoScore()).room.game == rolled
    table = moved(table, BEN, Keep())
    for viewer in (ANA, BEN):
        assert refusal(table, viewer, UndoScore()) is Reason.NOTHING_TO_UNDO


def test_no_undo_of_what_nobody_wrote():
    """The score of a clock, a skip, a computer or a stand-in can't be taken back by anyone."""
    clocked = begun(ANA, BEN, clock=30)
    clocked = written(clocked, away.expire(clocked, 30.0), 30.0)
    skipped = begun(ANA, BEN)
    skipped = written(skipped, away.skip(skipped, BEN, skipped.room.seq))
    played = begun(ANA, BEN)
    played = written(played, away.stand_in(played, BEN, played.room.seq))
    while played.room.game.seat == 0:
        played = moved(played, *next_move(played))
    computers = seated(ANA, computers=1)
    computers = written(computers, lobby.begin(computers.room, ANA))
    while computers.room.game.turn == 0:
        computers = moved(computers, *next_move(computers))
    for table in (clocked, skipped, played, computers):
        assert table.room.game.before is not None
        assert not table.room.may_undo
        for viewer in (ANA, BEN, COMPUTER, CLOCK, SKIPPED):
            expected = Reason.NOT_YOURS if viewer not in table.room.owners else None
            assert refusal(table, viewer, UndoScore()) in (expected, Reason.NOTHING_TO_UNDO)


def test_what_happens_beside_the_game():
    """A hint, a return or bytes meanwhile don't cost somebody their move; a resend is still one."""
    table = begun(ANA, BEN, hints=True)
    seq = table.room.seq
    table = written(table, [Entry(BEN, Salted(1, b"late")), Entry(ANA, Hinted(0))])
    rolled = written(table, table.act(ANA, seq, Keep(), ()))
    assert rolled.room.game.rolls_used == 1
    assert rolled.act(ANA, seq, Keep(), ()) == ()
    rolled = written(rolled, [Entry(ANA, Hinted(0))])
    assert rolled.act(ANA, seq, Keep(), ()) == ()
    with pytest.raises(Stale):
        rolled.act(ANA, seq, Score("ones"), ())
    with pytest.raises(Stale):
        rolled.act(BEN, seq, Keep(), ())
    assert reason(rolled.act, WATCHER, seq, Keep(), ()) is Reason.NOT_YOURS


# Hints


def test_hints():
    """A hint is taken where it was agreed, on one's own turn, and marks one's own seat."""
    table = begun(ANA, BEN, hints=True)
    assert table.hint(ANA, everyone=False) == [Entry(ANA, Hinted(0))]
    assert reason(table.hint, ANA, everyone=True) is Reason.NOT_OVER  # its review waits for the end
    assert reason(table.hint, BEN, everyone=False) is Reason.NOT_YOUR_TURN
    assert reason(table.hint, WATCHER, everyone=False) is Reason.NOT_YOURS
    none = begun(ANA, BEN)
    assert reason(none.hint, ANA, everyone=False) is Reason.NO_HINTS
    early = seated(ANA, BEN, hints=True)
    assert reason(early.hint, ANA, everyone=False) is Reason.NOT_BEGUN


# Personal links


def test_a_link_moves_its_seat():
    """A personal link moves one seat, once; the other seats and their links stay as they are."""
    table = begun(ANA, BEN, EVA)
    keys = {viewer: table.link_key(viewer) for viewer in (ANA, BEN, EVA)}
    assert len(set(keys.values())) == 3
    taken = written(table, table.take(DAN, keys[BEN]))
    assert taken.room.owners == (ANA, DAN, EVA)
    assert (taken.link_key(ANA), taken.link_key(EVA)) == (keys[ANA], keys[EVA])
    assert reason(taken.take, WATCHER, keys[BEN]) is Reason.LINK_USED
    assert reason(taken.link_key, BEN) is Reason.NOT_YOURS
    back = written(taken, taken.take(BEN, taken.link_key(DAN)))
    assert back.room.owners == (ANA, BEN, EVA)
    assert back.link_key(BEN) != keys[BEN]
    assert reason(back.take, DAN, keys[BEN]) is Reason.LINK_USED


def test_a_link_of_ones_own():
    """Whoever opens their own link changes nothing; another's gives them a second seat."""
    table = begun(ANA, BEN)
    assert table.take(ANA, table.link_key(ANA)) == ()
    assert table.take(ANA, "0" * 32) == ()
    both = written(table, table.take(ANA, table.link_key(BEN)))
    assert both.room.owners == (ANA, ANA)
    assert moved(both, ANA, Keep(), Score("ones"), Keep()).room.game.seat == 1


def test_links_when_seats_move_up():
    """A link from before somebody got up is its owner's still, and opens nobody else's seat."""
    table = seated(ANA, BEN, EVA)
    keys = {viewer: table.link_key(viewer) for viewer in (ANA, BEN, EVA)}
    table = written(table, lobby.leave(table.room, ANA, 0))
    assert table.check_link(DAN, keys[BEN]) == {0}
    assert table.check_link(DAN, keys[EVA]) == {1}
    assert reason(table.check_link, DAN, keys[ANA]) is Reason.LINK_USED
    table = written(table, lobby.leave(table.room, BEN, 0))
    table = written(table, lobby.join(table.room, DAN, "Dan", b""))
    for viewer in (ANA, BEN):
        assert reason(table.check_link, WATCHER, keys[viewer]) is Reason.LINK_USED


# Somebody away


def test_skipping():
    """A skipped turn is rolled once if it wasn't, then the open box that pays most is written."""
    table = begun(ANA, BEN)
    skipped = written(table, away.skip(table, BEN, table.room.seq))
    started, rolled, scored = (entry.event for entry in skipped.room.entries[-3:])
    assert isinstance(started, Started)
    assert rolled == Rolled(frozenset(), (2, 4, 3, 2, 1))  # docs/sealed-dice.md, seats Ana and Ben
    assert scored == Score("choice")  # 12; the most that one other box pays is 4
    assert {entry.by for entry in skipped.room.entries[-3:]} == {SKIPPED}
    assert skipped.room.game.seat == 1
    assert skipped.room.helped == {0}
    assert skipped.room.stand_ins == frozenset()


@given(st.integers(0, 60), st.booleans())
def test_a_plain_turn(steps: int, clocked: bool):  # noqa: FBT001 (hypothesis' own)
    """Skip and clock use at most one roll more, none if there was one, and the best open box."""
    table = begun(ANA, BEN, clock=30 if clocked else 0)
    for _ in range(steps):
        if not table.room.game.is_over:
            table = moved(table, *next_move(table))
    game = table.room.game
    if game.is_over:
        return
    other = table.room.owners[1 - game.seat]
    entries = away.expire(table, 30.0) if clocked else away.skip(table, other, table.room.seq)
    after = written(table, entries).room
    turn = after.turns[-1]
    assert len(turn.rolls) == max(1, game.rolls_used)
    dice = turn.rolls[-1].dice
    assert turn.points == max(score(dice, box, game.ruleset) for box in game.open_boxes)
    assert (turn.seat, turn.by_person) == (game.seat, False)
    assert after.game.is_over or after.game.seat == 1 - game.seat


def test_who_may_help():
    """Only another player helps, where no clock does, and once, of two who do."""
    table = begun(ANA, BEN, EVA)
    seq = table.room.seq
    for help_out in (away.skip, away.stand_in):
        assert reason(help_out, table, ANA, seq) is Reason.NOT_AWAY
        assert reason(help_out, table, WATCHER, seq) is Reason.NOT_YOURS
        assert reason(help_out, seated(ANA, BEN), BEN, 3) is Reason.NOT_AWAY
        clocked = begun(ANA, BEN, clock=60)
        assert reason(help_out, clocked, BEN, clocked.room.seq) is Reason.NOT_AWAY
        over = to_the_end(begun(ANA, BEN))
        assert reason(help_out, over, BEN, over.room.seq) is Reason.NOT_AWAY
        after = written(table, help_out(table, BEN, seq))
        with pytest.raises(Stale):
            help_out(after, EVA, seq)


def test_standing_in_and_coming_back():
    """A computer plays for who is away, at every turn, until they are back and play at once."""
    table = begun(ANA, BEN)
    table = written(table, away.stand_in(table, BEN, table.room.seq))
    assert (table.room.computer, table.room.helped) == ("steady", {0})
    assert reason(table.act, ANA, table.room.seq, Keep(), ()) is Reason.COMPUTERS_SEAT
    assert table.room.owners[0] == ANA
    while table.room.game.turn < 2:
        table = moved(table, *next_move(table))
    assert table.room.computer == "steady"
    assert not away.come_back(table, BEN)
    assert not away.come_back(table, WATCHER)
    table = written(table, away.come_back(table, ANA))
    assert (table.room.computer, table.room.helped) == ("", {0})
    assert not away.come_back(table, ANA)
    assert moved(table, ANA, Keep()).room.game.rolls_used == 1
    assert reason(table.act, COMPUTER, table.room.seq, Keep(), ()) is Reason.COMPUTERS_SEAT


def test_no_computer_for_people():
    """Nobody moves as a computer where a person is on turn."""
    table = begun(ANA, BEN)
    assert reason(table.act, COMPUTER, table.room.seq, Keep(), ()) is Reason.COMPUTERS_SEAT


# The clock


@pytest.mark.parametrize("clock", [clock for clock in CLOCKS if 0 < clock < DAY])
def test_a_clock_for_each_decision(clock: int):
    """Beginning, each roll and each score give whoever decides next the whole time."""
    table = begun(ANA, BEN, clock=clock, at=100.0)
    assert table.room.due == 100 + clock
    for viewer, move, at in (
        (ANA, Keep(), 110.0),
        (ANA, Keep(), 115.0),
        (ANA, Score("ones"), 120.5),
        (BEN, Keep(), 121.0),
    ):
        table = moved(table, viewer, move, at=at)
        assert table.room.due == at + clock


@pytest.mark.parametrize("clock", [clock for clock in CLOCKS if clock >= DAY])
def test_a_clock_for_each_turn(clock: int):
    """A clock of days runs through a turn, whatever is rolled in it."""
    table = begun(ANA, BEN, clock=clock, at=100.0)
    table = moved(table, ANA, Keep(), Keep(), at=5000.0)
    assert table.room.due == 100 + clock
    table = moved(table, ANA, Score("ones"), at=6000.0)
    table = moved(table, BEN, Keep(), at=7000.0)
    assert table.room.due == 6000 + clock


@pytest.mark.parametrize("clock", [30, DAY])
def test_undo_wins_no_time(clock: int):
    """After a score taken back, once or often, the time is over when it would have been."""
    table = moved(begun(ANA, BEN, clock=clock, at=100.0), ANA, Keep(), at=110.0)
    due = table.room.due
    for at in (112.0, 120.0, 125.0):
        table = moved(table, ANA, Score("ones"), at=at)
        assert table.room.due == at + clock
        table = moved(table, ANA, UndoScore(), at=at + 2)
        assert table.room.due == due


@given(st.lists(st.integers(0, 9), max_size=60), st.sampled_from((0, 30, DAY)))
def test_due_survives_a_reload(steps: list[int], clock: int):
    """A room read from its log has the deadline that it had before."""
    table, at = begun(ANA, BEN, clock=clock, at=5.0), 5.0
    for step in steps:
        at += step
        undo = step == 0 and table.room.may_undo
        viewer, move = next_move(table)
        if undo:
            viewer, move = table.room.entries[-1].by, UndoScore()
        table = moved(table, viewer, move, at=at)
        assert Room.fold(table.room.entries) == table.room
        assert table.room.due is None if clock == 0 else table.room.due is not None
        if table.room.due is not None:
            assert at + clock >= table.room.due


def test_expiry():
    """The clock acts when the time is over, not before, and the next one has their whole time."""
    table = moved(begun(ANA, BEN, clock=30, at=100.0), ANA, Keep(), at=110.0)
    assert away.expire(table, 139.9) == ()
    entries = away.expire(table, 140.0)
    assert {entry.by for entry in entries} == {CLOCK}
    table = written(table, entries, 140.5)
    assert (table.room.game.seat, table.room.due) == (1, 170.5)
    assert not table.room.helped  # whoever is late may be here
    assert away.expire(table, 140.0) == ()


def test_no_clock():
    """Nothing is due in a lobby, without a clock, in a computer's turn and after the end."""
    assert seated(ANA, BEN, clock=30).room.due is None
    assert begun(ANA, BEN).room.due is None
    over = to_the_end(begun(ANA, BEN, clock=30))
    assert over.room.due is None
    assert away.expire(over, 1e12) == ()
    table = seated(ANA, computers=1, clock=30)
    table = written(table, lobby.begin(table.room, ANA))
    table = moved(table, ANA, Keep(), Score("ones"), at=8.0)
    assert table.room.due is None
    assert away.expire(table, 1e12) == ()
    assert Standing.of(table.room) == Standing(begun=True, due=8.0 + COMPUTER_SECONDS)


def test_a_game_that_nobody_plays():
    """A clock alone plays a game to its end, in whole turns."""
    table, at = begun(ANA, BEN, EVA, clock=30), 0.0
    for turn in range(36):
        assert len(table.room.turns) == turn
        at += 30
        table = written(table, away.expire(table, at), at)
    assert table.room.game.is_over
    verify(written(table, [table.unsealed(CLOCK)]).room.record)


# The seal


def test_the_bytes_of_the_seats():
    """What the seats added when they sat down counts, as they sit when the first one rolls."""
    table = seated(ANA, BEN, EVA, computers=1)
    table = written(table, lobby.leave(table.room, BEN, 1))
    table = written(table, lobby.begin(table.room, ANA))
    added = (b"Dan", b"Eva", b"")
    assert reason(table.act, ANA, table.room.seq, Keep(), added) is Reason.SEAL_APART
    table = moved(table, ANA, Keep())
    assert table.room.seat_bytes == (b"Ana", b"Eva", b"")
    assert sum(isinstance(entry.event, Started) for entry in table.room.entries) == 1


def test_what_is_told_of_the_lobby():
    """Whoever sits down last is named; an empty seat and the beginning are nobody's."""
    table = seated(ANA, BEN)
    for entries, last in (
        ((), LastView("joined", 3, 1)),
        (lobby.leave(table.room, BEN, 1), LastView("left", 4)),
        (lobby.begin(table.room, ANA), LastView("begun", 4)),
    ):
        assert view("room", written(table, entries).room, ANA).last == last


def test_bytes_added_later():
    """In a rematch each seat adds bytes once, its own, until the first roll."""
    secrets, entries = to_the_end(begun(ANA, BEN)).again(ANA)
    table = Table(Room.fold(entries), secrets)
    table = written(table, table.add_bytes(ANA, [b"ana"]))
    assert not table.add_bytes(ANA, [b"ana"])
    assert not table.add_bytes(ANA, [b""])
    assert reason(table.add_bytes, ANA, [b"other"]) is Reason.SEALED
    assert reason(table.add_bytes, ANA, [b"ana", b"ben"]) is Reason.WRONG_SEATS
    assert reason(table.add_bytes, WATCHER, [b"mine"]) is Reason.NOT_YOURS
    assert reason(table.add_bytes, BEN, [b"x" * 33]) is Reason.TOO_MANY_BYTES
    assert table.room.seat_bytes is None
    table = moved(table, BEN, Keep())
    assert table.room.seat_bytes == (b"", b"ana")
    assert reason(table.add_bytes, BEN, [b"late"]) is Reason.SEALED


@pytest.mark.parametrize("computers", [0, 2])
def test_records(computers: int):
    """The record of friends' game reads back, and everybody can check its dice."""
    table = seated(ANA, BEN, computers=computers)
    record = to_the_end(written(table, lobby.begin(table.room, ANA))).room.record
    assert decode_record(encode_record(record)) == record
    verify(record)


# Again


def test_a_rematch():
    """The same people, computers and options, the next one first, under another seal."""
    table = seated(ANA, BEN, clock=60, hints=True, computers=1)
    table = written(table, table.take(EVA, table.link_key(BEN)))
    table = to_the_end(written(table, lobby.begin(table.room, ANA)))
    secrets, entries = table.again(ANA)
    room = Room.fold(entries)
    assert room.names == ("Ben", "Computer", "Ana")
    assert room.owners == (EVA, "", ANA)
    assert room.computers == ("", "easy", "")
    assert (room.options, room.ruleset) == (table.room.options, table.room.ruleset)
    assert room.begun
    assert room.fingerprint != table.room.fingerprint
    assert secrets.link != table.secrets.link
    assert (room.helped, room.assisted, room.salts) == (frozenset(), frozenset(), (b"",) * 3)
    assert not any(isinstance(entry.event, Taken) for entry in entries)


def test_who_may_play_again():
    """A player plays again, once the game is over."""
    assert reason(begun(ANA, BEN).again, ANA) is Reason.NOT_OVER
    assert reason(to_the_end(begun(ANA, BEN)).again, WATCHER) is Reason.NOT_YOURS
