"""What a viewer may see: enough to play or to watch, the same for all, and no secret early."""

from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.engine.strategies import TO_THE_END, walk
from tests.rooms.strategies import SEED, logs
from yacht.dicelog import FacesView, LogView, log_of
from yacht.engine import dice
from yacht.engine.game import Event, Game, Rolled, Score, Scorecard, UndoScore
from yacht.engine.notation import Record
from yacht.engine.rules import CLASSIC, RULESETS, score
from yacht.rooms.entries import Again, Entry, Hinted, LogEvent, Opened, Started, Taken, Unsealed
from yacht.rooms.room import Room
from yacht.view import GameView, LastView, RollView, TurnView, view

ANA, BEN = "a" * 32, "b" * 32
KEYS = [
    *("ones", "twos", "threes", "fours", "fives", "sixes"),
    *("full_house", "four_of_a_kind", "little_straight", "big_straight", "choice", "yacht"),
]
OPENED = Opened("classic", ("Ana", "Ben"), dice.fingerprint(SEED), ANA)
STARTED = Started((b"Ana", b""))
FIRST = Rolled(frozenset(), (5, 5, 5, 2, 2))
SECOND = Rolled(frozenset({0, 1, 2}), (5, 5, 5, 2, 6))
OTHER = Rolled(frozenset(), (1, 2, 3, 4, 6))


def room_of(*events: LogEvent) -> Room:
    return Room.fold([Entry(ANA, event) for event in (OPENED, *events)])


def seen(*events: LogEvent, viewer: str = ANA) -> GameView:
    return view("room", room_of(*events), viewer)


def against(*events: LogEvent) -> Room:
    """A room in which Ben is an easy computer."""
    opened = replace(OPENED, computers=("", "easy"))
    return Room.fold([Entry(ANA, event) for event in (opened, *events)])


def finished(*totals: int) -> Room:
    """A room whose game ended with these totals."""
    boxes = tuple(Scorecard((total, *[0] * 11)) for total in totals)
    names = tuple(f"Player {seat}" for seat in range(len(totals)))
    opened = Room.opened(Entry(ANA, Opened("classic", names, OPENED.fingerprint, ANA)))
    return replace(opened, game=Game(CLASSIC, boxes))


# Who looks


@pytest.mark.parametrize("viewer", [ANA, BEN, ""])
def test_who_may_act(viewer: str):
    """The owner may act; a watcher, and a visitor without an identity, see the same and may not."""
    events = (STARTED, FIRST, SECOND)
    assert seen(*events, viewer=viewer).may_act == (viewer == ANA)
    watched = seen(*events, viewer=viewer)
    seats = [replace(seat, yours=viewer == ANA) for seat in seen(*events).seats]
    assert watched.seats == seats
    assert replace(watched, mine=True, may_act=True, seats=seen(*events).seats) == seen(*events)


def test_a_game_that_moved():
    """Once a game goes on in another browser, that one may act and the old one watches."""
    room = room_of(STARTED, FIRST, Taken(BEN))
    assert [view("room", room, viewer).may_act for viewer in (ANA, BEN)] == [False, True]


def test_a_computer_on_turn():
    """While a computer is on turn its game stays its owner's, who may only take a score back."""
    events: list[LogEvent] = [STARTED, FIRST, Score("fives"), OTHER, Score("choice")]
    told = [
        (now.mine, now.may_act, now.may_undo)
        for now in (view("room", against(*events[:count]), ANA) for count in range(6))
    ]
    mine, undo, watch = (True, True, False), (True, False, True), (True, False, False)
    assert told == [mine, mine, mine, undo, watch, mine]
    for count in range(6):
        now = view("room", against(*events[:count]), BEN)
        assert (now.mine, now.may_act) == (False, False)
    assert [seat.computer for seat in seen().seats] == ["", ""]


@pytest.mark.parametrize("viewer", [ANA, ""])
def test_nobody_acts_in_a_record(viewer: str):
    """In the room of a record nobody may act, not even a visitor without an identity."""
    record = Record(CLASSIC, ("Ana",), (b"",), OPENED.fingerprint, (FIRST,))
    assert not view("", Room.of(record), viewer).may_act


# What there is to see


def test_a_new_game():
    """A new game has open boxes, three rolls, no dice, and its fingerprint."""
    new = seen()
    assert (new.room, new.seq, new.ruleset, new.over) == ("room", 1, "classic", False)
    assert [seat.name for seat in new.seats] == ["Ana", "Ben"]
    assert [seat.boxes for seat in new.seats] == [dict.fromkeys(KEYS)] * 2
    assert [list(seat.boxes) for seat in new.seats] == [KEYS] * 2
    assert [(seat.total, seat.rank) for seat in new.seats] == [(0, 1)] * 2
    assert (new.seat, new.turn, new.rolls, new.rolls_used, new.rolls_left) == (0, 0, 3, 0, 3)
    assert (new.dice, new.kept, new.points, new.winners, new.last_turn) == ([], [], {}, [], None)
    assert (new.may_undo, new.last) == (False, LastView("opened", 1))
    assert new.fingerprint == dice.fingerprint(SEED)
    assert (new.seat_bytes, new.seed, new.again) == (None, None, None)


def test_dice_on_the_table():
    """After a roll the dice lie there with what each open box would give, zeros too."""
    rolled = seen(STARTED, FIRST, SECOND)
    assert (rolled.seq, rolled.rolls_used, rolled.rolls_left) == (4, 2, 1)
    assert (rolled.dice, rolled.kept) == ([5, 5, 5, 2, 6], [0, 1, 2])
    expected = dict.fromkeys(KEYS, 0) | {"twos": 2, "fives": 15, "sixes": 6, "choice": 23}
    assert list(rolled.points.items()) == list(expected.items())
    assert rolled.last == LastView("rolled", 4, 0)
    assert rolled.seat_bytes == ["416e61", ""]
    assert rolled.last_turn is None
    assert log_of(room_of(STARTED, FIRST, SECOND)).turns == [
        TurnView(
            0, 0, [RollView([], [5, 5, 5, 2, 2]), RollView([0, 1, 2], [5, 5, 5, 2, 6])], None, None
        )
    ]


def test_a_score():
    """A score is in its box, the next seat has the turn, no dice lie there; it can be undone."""
    scored = seen(STARTED, FIRST, Score("full_house"))
    assert scored.seats[0].boxes["full_house"] == 19
    assert [(seat.total, seat.rank) for seat in scored.seats] == [(19, 1), (0, 2)]
    assert (scored.seat, scored.turn, scored.rolls_left, scored.may_undo) == (1, 0, 3, True)
    assert (scored.dice, scored.kept, scored.points) == ([], [], {})
    assert scored.last == LastView("scored", 4, 0, "full_house", 19)
    turn = TurnView(0, 0, [RollView([], [5, 5, 5, 2, 2])], "full_house", 19)
    assert scored.last_turn == turn
    assert log_of(room_of(STARTED, FIRST, Score("full_house"))).turns == [turn]
    assert seen(STARTED, FIRST, Score("full_house"), OTHER).last_turn == turn


def test_a_score_of_nothing():
    """A written zero is 0 and an open box is null."""
    scored = seen(STARTED, FIRST, Score("yacht"))
    boxes = scored.seats[0].boxes
    assert (boxes["yacht"], boxes["choice"]) == (0, None)
    assert scored.last == LastView("scored", 4, 0, "yacht", 0)


def test_a_score_taken_back():
    """After an undo the dice, holds, rolls and points are those from before the score."""
    undone = seen(STARTED, FIRST, SECOND, Score("choice"), UndoScore())
    before = seen(STARTED, FIRST, SECOND)
    changed = {"seq": undone.seq, "last": LastView("undone", 6, 0)}
    assert undone == replace(before, **changed)
    assert undone.seq == 6


def test_points_of_the_seat_on_turn():
    """Points are for the open boxes of the seat on turn, not for those another seat has open."""
    events: list[LogEvent] = [STARTED, FIRST, Score("choice"), OTHER, Score("yacht")]
    first = seen(*events, OTHER)
    assert list(first.points) == [key for key in KEYS if key != "choice"]
    second = seen(*events, FIRST, Score("ones"), OTHER)
    assert list(second.points) == [key for key in KEYS if key != "yacht"]
    assert (second.seat, second.turn) == (1, 1)
    turns = log_of(room_of(*events, FIRST, Score("ones"), OTHER)).turns
    assert [(turn.turn, turn.seat) for turn in turns] == [(0, 0), (0, 1), (1, 0), (1, 1)]


def test_what_happened_last():
    """What happened last has its number in the log; a rematch elsewhere doesn't change it."""
    assert seen(STARTED, FIRST, Score("ones"), OTHER).last == LastView("rolled", 5, 1)
    assert seen(STARTED, FIRST, Taken(BEN)).last == LastView("taken", 4, 0)
    assert seen(Taken(BEN)).last == LastView("taken", 2, 0)
    scored = LastView("scored", 6, 1, "choice", 16)
    events = (STARTED, FIRST, Score("ones"), OTHER, Score("choice"))
    assert seen(*events, Again("next")).last == scored
    assert seen(*events, UndoScore()).last == LastView("undone", 7, 1)


def test_a_hint():
    """Whoever took a hint is marked for all to see; what happened last is what it was."""
    for viewer in (ANA, BEN, ""):
        shown = seen(STARTED, FIRST, Hinted(0), viewer=viewer)
        assert [seat.assisted for seat in shown.seats] == [True, False]
        assert shown.last == LastView("rolled", 3, 0)
        assert shown.seq == 4
    later = seen(STARTED, FIRST, Hinted(0), Score("choice"), OTHER, Hinted(1))
    assert [seat.assisted for seat in later.seats] == [True, True]


@given(logs, st.sampled_from((ANA, "owner 0", "")))
def test_every_view(entries: tuple[Entry, ...], viewer: str):
    """At any moment: points only with dice on the table, the seed only at the end, all as JSON."""
    room = Room.fold(entries)
    shown = view("room", room, viewer)
    assert msgspec.json.decode(msgspec.json.encode(shown), type=GameView) == shown
    on_turn = shown.seats[shown.seat].boxes
    open_boxes = [key for key, points in on_turn.items() if points is None]
    if shown.dice:
        assert list(shown.points) == open_boxes
        for box, points in shown.points.items():
            assert points == score(tuple(shown.dice), box, RULESETS[shown.ruleset])
    else:
        assert shown.points == {}
    assert shown.seq == len(entries)
    assert (shown.seed is not None) == shown.over
    assert bool(shown.winners) == shown.over
    log = log_of(room)
    assert msgspec.json.decode(msgspec.json.encode(log), type=LogView) == log
    assert (shown.seat_bytes is None) == (not log.turns)
    assert shown.last_turn == next((turn for turn in reversed(log.turns) if turn.box), None)
    for seat in shown.seats:
        assert seat.total == sum(points or 0 for points in seat.boxes.values())
        assert seat.rank == 1 + sum(other.total > seat.total for other in shown.seats)
    if shown.dice:
        rolls = log.turns[-1].rolls
        assert rolls[-1] == RollView(shown.kept, shown.dice)
        assert len(rolls) == shown.rolls_used == shown.rolls - shown.rolls_left
    if not shown.over:
        assert SEED.hex() not in msgspec.json.encode(shown).decode()


def test_after_the_end():
    """After the end nothing can be done, no dice lie there, and seed and winner are public."""
    played = walk(Game.new(CLASSIC, 2), 7, TO_THE_END, dice.dice_key(SEED, STARTED.seat_bytes))
    over = seen(STARTED, *played.events, Unsealed(SEED), Again("other room"))
    assert over.over
    assert (over.dice, over.kept, over.points) == ([], [], {})
    assert (over.rolls_left, over.may_act, over.may_undo) == (0, False, False)
    assert over.seed == SEED.hex()
    assert over.again == "other room"
    totals = [seat.total for seat in over.seats]
    assert over.winners == [seat for seat in (0, 1) if totals[seat] == max(totals)]
    assert (over.last.what, over.last.seat) == ("scored", 1)
    log = log_of(room_of(STARTED, *played.events))
    assert len(log.turns) == 24
    assert over.last_turn == log.turns[-1]


@pytest.mark.parametrize(
    ("totals", "ranks", "winners"),
    [
        ((200, 180, 180, 150), [1, 2, 2, 4], [0]),
        ((150, 180, 200, 180), [4, 2, 1, 2], [2]),
        ((180, 180), [1, 1], [0, 1]),
        ((0, 0, 0), [1, 1, 1], [0, 1, 2]),
        ((5, 200, 200, 200, 7), [5, 1, 1, 1, 4], [1, 2, 3]),
        ((100,), [1], [0]),
        ((8, 7, 6, 5, 4, 3, 2, 1), [1, 2, 3, 4, 5, 6, 7, 8], [0]),
    ],
)
def test_ranks(totals: tuple[int, ...], ranks: list[int], winners: list[int]):
    """Equal totals share a rank, and the next rank counts all before it."""
    over = view("room", finished(*totals), ANA)
    assert [seat.total for seat in over.seats] == list(totals)
    assert [seat.rank for seat in over.seats] == ranks
    assert over.winners == winners


def test_json():
    """The JSON of a view has these names, and lists and numbers that any language reads."""
    room = against(STARTED, FIRST, Score("fives"))
    assert msgspec.json.decode(msgspec.json.encode(view("room", room, ANA))) == {
        "room": "room",
        "seq": 4,
        "ruleset": "classic",
        "mine": True,
        "may_act": False,
        "over": False,
        "seats": [
            {
                "name": "Ana",
                "computer": "",
                "boxes": dict.fromkeys(KEYS) | {"fives": 15},
                "total": 15,
                "rank": 1,
                "assisted": False,
                "yours": True,
                "away": False,
                "stand_in": False,
                "helped": False,
            },
            {
                "name": "Ben",
                "computer": "easy",
                "boxes": dict.fromkeys(KEYS),
                "total": 0,
                "rank": 2,
                "assisted": False,
                "yours": False,
                "away": False,
                "stand_in": False,
                "helped": False,
            },
        ],
        "seat": 1,
        "turn": 0,
        "rolls": 3,
        "rolls_used": 0,
        "rolls_left": 3,
        "dice": [],
        "kept": [],
        "points": {},
        "may_undo": True,
        "winners": [],
        "last": {"what": "scored", "seq": 4, "seat": 0, "box": "fives", "points": 15},
        "last_turn": {
            "turn": 0,
            "seat": 0,
            "rolls": [{"kept": [], "dice": [5, 5, 5, 2, 2]}],
            "box": "fives",
            "points": 15,
        },
        "fingerprint": OPENED.fingerprint,
        "seat_bytes": ["416e61", ""],
        "seed": None,
        "again": None,
        "friends": None,
    }


# The faces thrown


def thrown_by_hand(*rolls: int) -> list[LogEvent]:
    """A log of one seat's game in which so many dice are thrown at each roll."""
    events: list[Event] = []
    game = Game.new(CLASSIC, 1)
    for count in rolls:
        if not game.rolls_left:
            events.append(Score(game.open_boxes[0]))
            game = game.play(events[-1])
        held = frozenset(range(5 - count))
        table = game.dice or (1,) * 5
        events.append(Rolled(held, tuple(table[n] if n in held else 6 for n in range(5))))
        game = game.play(events[-1])
    return [Started((b"",)), *events]


def faces_after(*rolls: int) -> FacesView:
    opened = Opened("classic", ("Ana",), OPENED.fingerprint, ANA)
    log = [Entry(ANA, event) for event in (opened, *thrown_by_hand(*rolls))]
    return log_of(Room.fold(log)).faces[0]


def test_faces():
    """Only dice that were thrown count, each time they are thrown, for the seat that threw them."""
    room = room_of(STARTED, FIRST, SECOND, Score("choice"), OTHER, Score("ones"), FIRST)
    ana, ben = log_of(room).faces
    assert (ana.counts, ana.thrown) == ([0, 5, 0, 0, 6, 1], 12)
    assert (ben.counts, ben.thrown) == ([1, 1, 1, 1, 0, 1], 5)


def test_faces_after_an_undo():
    """A score taken back and entered elsewhere throws nothing."""
    events = (STARTED, FIRST, Score("ones"), UndoScore(), Score("twos"), UndoScore())
    assert log_of(room_of(*events)).faces == log_of(room_of(STARTED, FIRST)).faces


def test_faces_of_nothing():
    """Before the first throw all counts are 0, and that is what is usual."""
    assert log_of(room_of()).faces == [FacesView([0] * 6, 0, 0, 0)] * 2


@given(logs)
def test_all_faces(log: tuple[Entry, ...]):
    """The faces of all seats together are the dice that weren't kept, of all rolls of the log."""
    room = Room.fold(log)
    faces = log_of(room).faces
    rolls = [entry.event for entry in log if isinstance(entry.event, Rolled)]
    thrown = Counter(f for r in rolls for n, f in enumerate(r.dice) if n not in r.kept)
    assert [sum(counts) for counts in zip(*(f.counts for f in faces), strict=True)] == [
        thrown[face] for face in range(1, 7)
    ]
    assert all(sum(f.counts) == f.thrown for f in faces)


def chance_of(thrown: int) -> list[Fraction]:
    """How likely each count of one face is: by all outcomes while they are few."""
    if thrown <= 6:
        counts = Counter(outcome.count(1) for outcome in product(range(6), repeat=thrown))
        return [Fraction(counts[hits], 6**thrown) for hits in range(thrown + 1)]
    sixth = Fraction(1, 6)
    return [
        comb(thrown, hits) * sixth**hits * (1 - sixth) ** (thrown - hits)
        for hits in range(thrown + 1)
    ]


@pytest.mark.parametrize("rolls", [(5,), (5, 1), (5, 5), (5, 5, 5), (5, 4, 3), (5, 5, 2) * 3])
def test_usual_counts(rolls: tuple[int, ...]):
    """At most 1 in 40 fair games has fewer than ``low``, or more than ``high``; both are tight."""
    faces = faces_after(*rolls)
    chances, limit = chance_of(sum(rolls)), Fraction(1, 40)
    assert faces.thrown == sum(rolls)
    assert sum(chances) == 1
    assert sum(chances[: faces.low]) <= limit < sum(chances[: faces.low + 1])
    assert sum(chances[faces.high + 1 :]) <= limit < sum(chances[faces.high :])
    assert sum(chances[faces.low : faces.high + 1]) >= Fraction(19, 20)


@pytest.mark.parametrize(
    ("rolls", "low", "high"),
    [
        # quantiles 0.025 and 0.975 of the binomial distribution, p = 1/6, from a table
        ((5,), 0, 3),
        ((5, 5), 0, 4),
        ((5,) * 12, 5, 16),
        ((5, 5, 5) * 12, 21, 40),
    ],
)
def test_usual_counts_from_a_table(rolls: tuple[int, ...], low: int, high: int):
    """The usual counts are the outer 2.5 % quantiles of the binomial distribution."""
    faces = faces_after(*rolls)
    assert (faces.low, faces.high) == (low, high)
