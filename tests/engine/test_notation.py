"""Tokens and records: they come back as they went, and nothing in a record can be changed.

``PYTHONPATH=src:. python tests/engine/test_notation.py`` writes the golden record again.
"""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.strategies import names, records, whole_records
from yacht.engine import dice
from yacht.engine.game import Event, Game, Keep, Move, Rolled, Score, UndoScore
from yacht.engine.notation import (
    Record,
    decode,
    decode_record,
    encode,
    encode_record,
    turn_lines,
    verify,
)
from yacht.engine.reasons import IllegalMove, Reason
from yacht.engine.rules import CLASSIC, SUM

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden" / "two-players.txt"


def golden_record() -> Record:
    """A game of two who keep their commonest face, with two scores taken back."""
    seed, seat_bytes = bytes(range(32)), (b"Ana", b"Ben")
    key = dice.dice_key(seed, seat_bytes)
    game = Game.new(CLASSIC, 2)
    events: list[Event] = []

    def act(move: Move) -> None:
        nonlocal game
        if isinstance(move, Keep):
            thrown = dice.throw(key, game.seat, game.turn, game.rolls_used)
            events.append(game.rolled(move, thrown))
        else:
            events.append(move)
        game = game.play(events[-1])

    def commonest() -> Keep:
        most = max(game.dice, key=lambda face: (game.dice.count(face), face))
        return Keep(frozenset(at for at, face in enumerate(game.dice) if face == most))

    def boxes() -> list[Score]:
        """The open boxes from that which gives most to that which gives least."""
        total = {key: game.play(Score(key)).cards[game.seat].total for key in game.open_boxes}
        return [Score(key) for key in sorted(total, key=total.__getitem__, reverse=True)]

    while not game.is_over:
        act(Keep())
        act(commonest())
        if (game.turn, game.seat) == (2, 1):
            act(boxes()[0])
            act(UndoScore())
        if game.play(boxes()[0]).cards[game.seat].total < game.cards[game.seat].total + 20:
            act(commonest())
        if (game.turn, game.seat) == (6, 0):
            act(boxes()[-1])
            act(UndoScore())
        act(boxes()[0])
    return Record(CLASSIC, ("Ana", "Ben"), seat_bytes, dice.fingerprint(seed), tuple(events), seed)


TEXT = (
    GOLDEN.read_bytes() if GOLDEN.exists() else encode_record(golden_record()).encode()
).decode()
LINES = TEXT.splitlines(keepends=True)

TOKENS: list[tuple[str, Event]] = [
    ("26155", Rolled(frozenset(), (2, 6, 1, 5, 5))),
    ("(2)6(5)31", Rolled(frozenset({0, 2}), (2, 6, 5, 3, 1))),
    ("1234(6)", Rolled(frozenset({4}), (1, 2, 3, 4, 6))),
    ("(1)(1)(1)(1)1", Rolled(frozenset(range(4)), (1,) * 5)),
    ("ones", Score("ones")),
    ("four_of_a_kind", Score("four_of_a_kind")),
    ("undo", UndoScore()),
]


@pytest.mark.parametrize(("token", "event"), TOKENS)
def test_tokens(token: str, event: Event):
    """A token is the thrown faces, held ones in brackets, or a category's key, or undo."""
    assert encode(event) == token
    assert decode(token) == event


categories = st.sampled_from([category.key for category in CLASSIC.categories])
events = (
    st.builds(
        Rolled,
        st.frozensets(st.integers(0, 4)),
        st.tuples(*[st.integers(1, 6)] * 5),
    )
    | st.builds(Score, categories)
    | st.just(UndoScore())
)


@given(events)
def test_events_come_back(event: Event):
    """Every event has a token that is decoded to the same event."""
    assert decode(encode(event)) == event


@given(events, events)
def test_tokens_differ(one: Event, other: Event):
    """Two events have the same token only if they are equal."""
    assert (encode(one) == encode(other)) == (one == other)


@pytest.mark.parametrize(
    "token",
    [
        *("", " ", "26155 ", " undo", "26 155", "26155\n", "2-155", "2615x"),
        *("(26)155", "()26155", "(2", "2)", "((2))6155", "(2)6(5)31)", "[2]6155", "-26155"),
        *("ones=5", "Ones", "UNDO", "full house", "full-house", "einser1", "ünes", "="),
        *("\uff12\uff16\uff11\uff15\uff15", "\u0661\u0662\u0663\u0664\u0665", "²6155"),
    ],
)
def test_bad_tokens(token: str):
    """A text in no event's form is refused and named."""
    with pytest.raises(IllegalMove) as refused:
        decode(token)
    assert refused.value.reason is Reason.BAD_TOKEN
    assert refused.value.values == {"value": token}


FORM = re.compile(
    r"""yacht\ 1\n
    ruleset:\ (?:classic|sum)\n
    fingerprint:\ [0-9a-f]{64}\n
    (?:seat\ [1-8]:\ "(?:[^"\\\x00-\x1f]|\\["\\bfnrt]|\\u00[01][0-9a-f])*"
        (?:\ (?:[0-9a-f]{2}){1,32})?\n){1,8}
    (?:computer\ [1-8]:\ (?:exact|strong|steady|easy)\n){0,8}
    (?:seed:\ [0-9a-f]{64}\n)?
    \n
    (?:(?:[1-9]|1[0-2])\.[1-8]\ (?:\([1-6]\)|[1-6]){5}
        (?:\ (?:(?:\([1-6]\)|[1-6]){5}|[a-z_]+=[0-9]{1,2}|undo))*\n)*""",
    re.VERBOSE,
)
"""What docs/records.md says of a written record."""


@given(records)
def test_records_come_back(record: Record):
    """Every record, finished or not and whatever its names, is decoded to the same record."""
    text = encode_record(record)
    assert FORM.fullmatch(text)
    assert decode_record(text) == record
    assert decode_record(text.encode().decode()) == record
    assert encode_record(decode_record(text)) == text


@given(whole_records)
def test_whole_records_are_verified(record: Record):
    """The record of a finished game with sealed dice is verified, and its game is over."""
    verify(record)
    verify(decode_record(encode_record(record)))
    assert record.game.is_over


@given(st.lists(names, min_size=1, max_size=8))
def test_names_come_back(seats: list[str]):
    """Names with quotes, line ends, comment signs or other tricks stay text, each in its line."""
    record = Record(
        SUM,
        tuple(seats),
        (b"",) * len(seats),
        dice.fingerprint(b""),
        (Rolled(frozenset(), (1,) * 5),),
    )
    text = encode_record(record)
    assert len(text.split("\n")) == 3 + len(seats) + 3
    assert decode_record(text).names == tuple(seats)
    assert decode_record(text.replace("\n", "\r\n")) == record


@given(records)
def test_one_line_a_turn(record: Record):
    """A record has one line for each turn begun, in order, with the turn and seat from 1."""
    lines = list(turn_lines(record))
    seats, game = len(record.names), record.game
    begun = sum(card.filled for card in game.cards) + bool(game.dice)
    labels = [f"{turn + 1}.{seat + 1}" for turn in range(12) for seat in range(seats)]
    assert [line.split()[0] for line in lines] == labels[:begun]
    tokens = [token for line in lines for token in line.split()[1:]]
    assert [decode(token.partition("=")[0]) for token in tokens] == list(record.events)


def test_golden_record():
    """The golden record is decoded, verified and encoded to the same bytes."""
    text = GOLDEN.read_bytes()
    record = decode_record(text.decode())
    verify(record)
    assert encode_record(record).encode() == text
    assert record.names == ("Ana", "Ben")
    assert record.seat_bytes == (b"Ana", b"Ben")
    assert record.game.is_over
    assert record.events.count(UndoScore()) == 2


def test_golden_record_is_up_to_date():
    """The golden record is the game that this file plays."""
    assert decode_record(TEXT) == golden_record()


def test_golden_totals():
    """The points written in the golden record, without those taken back, are its totals."""
    points = [
        [int(token.partition("=")[2]) for token in line.split() if "=" in token][-1]
        for line in LINES[7:]
    ]
    cards = decode_record(TEXT).game.cards
    assert [card.total for card in cards] == [sum(points[::2]), sum(points[1::2])]


def refusal_of(text: str) -> IllegalMove:
    """What is wrong with a text, when it is decoded or else verified."""
    with pytest.raises(IllegalMove) as refused:
        verify(decode_record(text))
    return refused.value


def changed(old: str, new: str) -> str:
    assert TEXT.count(old) == 1, f"{old!r} isn't there just once"
    return TEXT.replace(old, new)


HEX = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
BAD_TAGS = [
    # an old text, a new one, the line and text that is wrong
    ("ruleset: classic", "ruleset: Classic", 2, "ruleset: Classic"),
    ("ruleset: classic", "ruleset:classic", 2, "ruleset:classic"),
    ("ruleset: classic", "ruleset:  classic", 2, "ruleset:  classic"),
    ("ruleset: classic", "ruleset: classic sum", 2, "ruleset: classic sum"),
    ("ruleset: classic", "ruleset: classic\nruleset: classic", 3, "ruleset: classic"),
    (HEX, HEX[:-1], 3, f"fingerprint: {HEX[:-1]}"),
    (HEX, HEX + "0", 3, f"fingerprint: {HEX}0"),
    (HEX, HEX.upper(), 3, f"fingerprint: {HEX.upper()}"),
    ('"Ana" 416e61', '"Ana" 416e6', 4, 'seat 1: "Ana" 416e6'),
    ('"Ana" 416e61', '"Ana" 416E61', 4, 'seat 1: "Ana" 416E61'),
    ('"Ana" 416e61', '"Ana"  416e61', 4, 'seat 1: "Ana"  416e61'),
    ('"Ana" 416e61', '"Ana"416e61', 4, 'seat 1: "Ana"416e61'),
    ('"Ana" 416e61', "Ana 416e61", 4, "seat 1: Ana 416e61"),
    ('"Ana" 416e61', "416e61", 4, "seat 1: 416e61"),
    ('"Ana" 416e61', '"A"a" 416e61', 4, 'seat 1: "A"a" 416e61'),
    ('"Ana" 416e61', '"A\\na" 416e61 00', 4, 'seat 1: "A\\na" 416e61 00'),
    ('"Ana" 416e61', '"A\\xa" 416e61', 4, 'seat 1: "A\\xa" 416e61'),
    ('"Ana" 416e61', '"A\ta" 416e61', 4, 'seat 1: "A\ta" 416e61'),
    ('"Ana" 416e61', '"A\\ud83d\\udfb2" 416e61', 4, 'seat 1: "A\\ud83d\\udfb2" 416e61'),
    ("seat 2", "seat 1", 5, 'seat 1: "Ben" 42656e'),
    ("seat 2", "seat 3", 5, 'seat 3: "Ben" 42656e'),
    ("seat 2", "seat 02", 5, 'seat 02: "Ben" 42656e'),
    ("seat 2", "seat  2", 5, 'seat  2: "Ben" 42656e'),
    ("seat 2: ", "seat 2 ", 5, 'seat 2 "Ben" 42656e'),
    ("seed: 00", "seed: ", 6, f"seed: {bytes(range(1, 32)).hex()}"),
    ("seed: 00", "seed: 0000", 6, f"seed: 00{bytes(range(32)).hex()}"),
    ("seed: 00", "seed: 0x", 6, f"seed: 0x{bytes(range(1, 32)).hex()}"),
    ("\n\n", "\ndate: today\n\n", 7, "date: today"),
    ("\n\n", "\ncomputer 3: easy\n\n", 7, "computer 3: easy"),
    ("\n\n", "\ncomputer 0: easy\n\n", 7, "computer 0: easy"),
    ("\n\n", "\ncomputer: easy\n\n", 7, "computer: easy"),
    ("\n\n", "\ncomputer 2: very easy\n\n", 7, "computer 2: very easy"),
    ("\n\n", "\ncomputer 2: easy\ncomputer 2: easy\n\n", 8, "computer 2: easy"),
    ("\n\n", '\nseat 4: "Eva"\n\n', 7, 'seat 4: "Eva"'),
    ("\n\n", "\nseat 0: \n\n", 7, "seat 0:"),
    ("\n\n", "\na remark\n\n", 7, "a remark"),
    ("\n10.1", "\nthe end\n10.1", 26, "the end"),
    ("(2)45(2)1 ", "\n(2)45(2)1 ", 9, "(2)45(2)1 (2)36(2)2 choice=15"),
]


@pytest.mark.parametrize(("old", "new", "line", "value"), BAD_TAGS)
def test_bad_tags(old: str, new: str, line: int, value: str):
    """A tag that is unknown, there twice or in another form is refused with its line."""
    refused = refusal_of(changed(old, new))
    assert refused.reason is Reason.BAD_TAG
    assert refused.values == {"line": line, "value": value}


def test_nine_seats():
    """A ninth seat is one too many."""
    more = "".join(f'\nseat {seat}: ""' for seat in range(3, 10))
    refused = refusal_of(changed("42656e", f"42656e{more}"))
    assert refused.reason is Reason.BAD_TAG
    assert refused.values == {"line": 12, "value": 'seat 9: ""'}


@pytest.mark.parametrize(("line", "tag"), [(2, "ruleset"), (3, "fingerprint"), (4, "seat 1")])
def test_missing_tags(line: int, tag: str):
    """A tag that isn't there is named."""
    assert LINES[line - 1].startswith(f"{tag}: ")
    refused = refusal_of("".join(LINES[: line - 1] + LINES[line:]))
    assert refused.reason is Reason.MISSING_TAG
    assert refused.values == {"value": tag}


@pytest.mark.parametrize(
    "text",
    [
        *("", "\n", "# yacht 1\n", "Dear Ana,\n", "1.1 24321\n"),
        *("yacht 2\n", "yacht\n", "yacht  1\n", "Yacht 1\n", "yacht 10\n", "\ufeff\ufeffyacht 1\n"),
        "".join(LINES[1:]),
    ],
)
def test_not_a_record(text: str):
    """A text that doesn't begin with the line of a record is none."""
    refused = refusal_of(text)
    assert refused.reason is Reason.NOT_A_RECORD
    assert refused.values == {}


def instead(value: str, right: str) -> dict[str, object]:
    return {"value": value, "right": right}


LAST = LINES[30]
WRONG_WHEN_DECODED: list[tuple[str, str, int, Reason, dict[str, object]]] = [
    # an old text, a new one, the line that is wrong, the reason, what it names
    ("classic", "poker", 2, Reason.UNKNOWN_RULESET, {"value": "poker"}),
    ("classic", "sum", 20, Reason.WRONG_POINTS, instead("four_of_a_kind=20", "four_of_a_kind=21")),
    # labels, and lines that are missing, twice, in another place or cut short
    ("3.2 ", "3.1 ", 13, Reason.WRONG_LABEL, instead("3.1", "3.2")),
    ("3.2 ", "3.3 ", 13, Reason.WRONG_LABEL, instead("3.3", "3.2")),
    ("3.2 ", "03.2 ", 13, Reason.WRONG_LABEL, instead("03.2", "3.2")),
    ("3.2 ", "3.2. ", 13, Reason.WRONG_LABEL, instead("3.2.", "3.2")),
    ("3.2 ", "\u0663.2 ", 13, Reason.WRONG_LABEL, instead("\u0663.2", "3.2")),
    ("3.2 ", "", 13, Reason.WRONG_LABEL, instead("63455", "3.2")),
    (LINES[12], "", 13, Reason.WRONG_LABEL, instead("4.1", "3.2")),
    (LINES[12], LINES[12] * 2, 14, Reason.WRONG_LABEL, instead("3.2", "4.1")),
    (LINES[12] + LINES[13], LINES[13] + LINES[12], 13, Reason.WRONG_LABEL, instead("4.1", "3.2")),
    (LINES[4], "", 8, Reason.WRONG_LABEL, instead("1.2", "2.1")),
    (LINES[4], f'{LINES[4]}seat 3: "Eva"\n', 11, Reason.WRONG_LABEL, instead("2.1", "1.3")),
    (" choice=21", "", 10, Reason.WRONG_LABEL, instead("2.1", "1.2")),
    ("24435 3(4)(4)46 choice=21", "", 10, Reason.WRONG_LABEL, instead("2.1", "1.2")),
    ("(4)46 choice=21", "(4", 9, Reason.BAD_TOKEN, {"value": "3(4)(4"}),
    ("46 choice=21", "", 9, Reason.WRONG_DICE_COUNT, {"value": 3, "dice": 5}),
    ("choice=21", "choice", 9, Reason.WRONG_POINTS, instead("choice", "choice=21")),
    ("choice=21", "choi", 9, Reason.UNKNOWN_CATEGORY, {"category": "choi"}),
    (LAST, "", 31, Reason.CUT_OFF, {"right": "12.2"}),
    (LAST, f"#{LAST}", 31, Reason.CUT_OFF, {"right": "12.2"}),
    (LAST, "12.2\n", 32, Reason.CUT_OFF, {"right": "12.2"}),
    (LAST, "12.2 52334", 32, Reason.CUT_OFF, {"right": "12.2"}),
    ("".join(LINES[7:]), "", 7, Reason.CUT_OFF, {"right": "1.1"}),
    (LAST, f"{LAST}13.1 12345\n", 32, Reason.GAME_OVER, {}),
    # more than the 32 bytes that a seat may add
    ("416e61", "41" * 33, 4, Reason.BAD_TAG, {"value": f'seat 1: "Ana" {"41" * 33}'}),
    # dice and holds
    ("24435", "24437", 9, Reason.FACE_OUT_OF_RANGE, {"value": 7, "faces": 6}),
    ("24435", "04435", 9, Reason.FACE_OUT_OF_RANGE, {"value": 0, "faces": 6}),
    ("24435", "2443", 9, Reason.WRONG_DICE_COUNT, {"value": 4, "dice": 5}),
    ("24435", "244351", 9, Reason.WRONG_DICE_COUNT, {"value": 6, "dice": 5}),
    ("24435", "2443x", 9, Reason.BAD_TOKEN, {"value": "2443x"}),
    ("24435", "(2)4435", 9, Reason.NOTHING_TO_KEEP, {}),
    ("3(4)(4)46 ", "3(4)(5)46 ", 9, Reason.KEPT_DIE_CHANGED, {"position": 3}),
    ("3(4)(4)46 ", "(3)(4)(4)46 ", 9, Reason.KEPT_DIE_CHANGED, {"position": 1}),
    ("3(4)(4)46 ", "(2)(4)(4)(3)(5) ", 9, Reason.ALL_KEPT, {}),
    ("(2)36(2)2 ", "(2)36(2)2 11111 ", 8, Reason.NO_ROLLS_LEFT, {"rolls": 3}),
    # scores
    ("choice=21", "choice=22", 9, Reason.WRONG_POINTS, instead("choice=22", "choice=21")),
    ("choice=21", "choice=021", 9, Reason.WRONG_POINTS, instead("choice=021", "choice=21")),
    ("choice=21", "fours=8", 9, Reason.WRONG_POINTS, instead("fours=8", "fours=12")),
    ("choice=21", "fours=12", 21, Reason.BOX_FILLED, {"category": "fours"}),
    ("choice=21", "chance=21", 9, Reason.UNKNOWN_CATEGORY, {"category": "chance"}),
    ("choice=21", "Choice=21", 9, Reason.BAD_TOKEN, {"value": "Choice"}),
    ("choice=21", "choice=21 ones=0", 9, Reason.NOT_ROLLED, {}),
    ("24435", "24435=19", 9, Reason.WRONG_POINTS, instead("24435=19", "24435")),
    # scores taken back
    ("24435", "24435 undo", 9, Reason.NOTHING_TO_UNDO, {}),
    ("undo 322", "undo undo 322", 13, Reason.NOTHING_TO_UNDO, {}),
    ("undo 322", "undo=10 322", 13, Reason.WRONG_POINTS, instead("undo=10", "undo")),
    ("fives=10 undo 322", "undo 322", 13, Reason.NOTHING_TO_UNDO, {}),
    ("undo 322", "322", 13, Reason.NOTHING_TO_KEEP, {}),
    (LAST, f"{LAST[:-1]} undo\n", 31, Reason.NOTHING_TO_UNDO, {}),
]


@pytest.mark.parametrize(("old", "new", "line", "reason", "values"), WRONG_WHEN_DECODED)
def test_wrong_when_decoded(
    old: str, new: str, line: int, reason: Reason, values: dict[str, object]
):
    """What the rules or the form of a record forbid is refused with its line and reason."""
    text = changed(old, new)
    with pytest.raises(IllegalMove) as refused:
        decode_record(text)
    assert refused.value.reason is reason
    assert refused.value.values == {"line": line, **values}


def throw_at(turn: int, seat: int, roll: int, value: str, thrown: str) -> dict[str, object]:
    return {"turn": turn, "seat": seat, "roll": roll, "value": value, "thrown": thrown}


WRONG_WHEN_VERIFIED: list[tuple[str, str, Reason, dict[str, object]]] = [
    # an old text, a new one, the reason, what it names
    (LINES[5], "", Reason.MISSING_TAG, {"value": "seed"}),
    ("seed: 00", "seed: 01", Reason.WRONG_FINGERPRINT, {"value": HEX}),
    (HEX, "7" + HEX[1:], Reason.WRONG_FINGERPRINT, {"value": "7" + HEX[1:]}),
    ("416e61", "416e62", Reason.WRONG_THROW, throw_at(1, 1, 1, "24321", "41411")),
    (" 42656e", "", Reason.WRONG_THROW, throw_at(1, 1, 1, "24321", "22214")),
    # a die that is held at both rolls after it, one that is rolled again, one of the last roll
    ("24321", "24322", Reason.WRONG_THROW, throw_at(1, 1, 1, "24322", "24321")),
    ("46261", "46262", Reason.WRONG_THROW, throw_at(2, 1, 1, "46262", "46261")),
    (
        "(2)36(2)2 choice=15",
        "(2)36(2)1 choice=14",
        Reason.WRONG_THROW,
        throw_at(1, 1, 3, "(2)36(2)1", "13622"),
    ),
    # a die that wasn't held
    ("(2)45(2)1", "245(2)1", Reason.WRONG_THROW, throw_at(1, 1, 2, "245(2)1", "14531")),
]


def test_nothing_to_verify_yet():
    """The dice of a game that goes on are sealed, so they can't be verified."""
    going = decode_record("".join([*LINES[:5], *LINES[6:12]]))
    assert not going.game.is_over
    with pytest.raises(IllegalMove) as refused:
        verify(going)
    assert refused.value.reason is Reason.STILL_SEALED


@pytest.mark.parametrize(("old", "new", "reason", "values"), WRONG_WHEN_VERIFIED)
def test_wrong_when_verified(old: str, new: str, reason: Reason, values: dict[str, object]):
    """What the rules allow but the seal doesn't is refused when the record is verified."""
    record = decode_record(changed(old, new))
    with pytest.raises(IllegalMove) as refused:
        verify(record)
    assert refused.value.reason is reason
    assert refused.value.values == values


@pytest.mark.parametrize("position", range(5))
def test_every_throw_is_compared(position: int):
    """Whichever roll has another face than the seal gives, the record is refused."""
    record = golden_record()
    for number in range(position, len(record.events), 5):
        event = record.events[number]
        if isinstance(event, Rolled):
            faces = list(event.dice)
            faces[position] = faces[position] % 6 + 1
            other = replace(event, dice=tuple(faces))
            events = (*record.events[:number], other)
            with pytest.raises(IllegalMove) as refused:
                verify(replace(record, events=events))
            held = position in event.kept
            assert refused.value.reason is (Reason.KEPT_DIE_CHANGED if held else Reason.WRONG_THROW)


def test_verify_replays():
    """Events that the rules refuse are refused when a record is verified, too."""
    record = golden_record()
    for event, reason in (
        (Rolled(frozenset(), (2, 4, 3, 2)), Reason.WRONG_DICE_COUNT),
        (Rolled(frozenset({0}), (2, 4, 3, 2, 1)), Reason.NOTHING_TO_KEEP),
        (Score("ones"), Reason.NOT_ROLLED),
    ):
        with pytest.raises(IllegalMove) as refused:
            verify(replace(record, events=(event,)))
        assert refused.value.reason is reason


def every_line(before: str = "", after: str = "") -> str:
    return "".join(f"{before}{line[:-1]}{after}\n" for line in LINES)


ACCEPTED = {
    "line ends of Windows": TEXT.replace("\n", "\r\n"),
    "a byte order mark": f"\ufeff{TEXT}",
    "a byte order mark and line ends of Windows": "\ufeff" + TEXT.replace("\n", "\r\n"),
    "comments": f"# Ana's best\n{every_line(before='# yacht 2' + chr(10))}  # seed: 00\n#",
    "empty lines": f"\n \n{every_line(after=chr(10))}\n\n",
    "no empty line": TEXT.replace("\n\n", "\n"),
    "spaces around": every_line("  ", "\t "),
    "other spaces in the turns": "".join(
        [*LINES[:7], *(re.sub(" ", " \t", at) for at in LINES[7:])]
    ),
    "no line end at the end": TEXT.rstrip("\n"),
    "tags in another order": "".join([LINES[0], *LINES[5:0:-1], *LINES[6:]]),
    "tags after the turns": "".join([LINES[0], *LINES[6:], *LINES[1:6]]),
    "a name with escapes": TEXT.replace('"Ana"', r'"\u0041n\u0061"'),
}


@pytest.mark.parametrize("text", ACCEPTED.values(), ids=ACCEPTED.keys())
def test_accepted(text: str):
    """What a person or a program may do to a text leaves the same record."""
    record = decode_record(text)
    assert record == golden_record()
    assert encode_record(record) == TEXT


def test_names_are_free():
    """A name is what its owner says: it isn't sealed, and may have any escape of JSON."""
    record = decode_record(changed('"Ana"', r'"\"\\\/\b\f\n\r\t\u2028é"'))
    verify(record)
    assert record.names == ('"\\/\b\f\n\r\t\u2028é', "Ben")
    assert replace(record, names=("Ana", "Ben")) == golden_record()


def test_computers():
    """A seat's computer is a tag of its own, and like a name it isn't sealed."""
    record = decode_record(changed("seed: 00", "computer 2: strong\nseed: 00"))
    assert record == replace(golden_record(), computers=("", "strong"))
    verify(record)
    assert encode_record(record).splitlines()[3:6] == [
        'seat 1: "Ana" 416e61',
        'seat 2: "Ben" 42656e',
        "computer 2: strong",
    ]


def same_but_for_names(text: str, record: Record) -> bool:
    """A text is refused, or it is the record of the same game with the same seal."""
    try:
        other = decode_record(text)
        verify(other)
    except IllegalMove:
        return True
    seats = {"names": record.names, "computers": record.computers}  # these aren't sealed
    return len(other.names) == len(record.names) and replace(other, **seats) == record


SIGNS = '#07 \n(\t3)5.=:"9a\\2-_\ruf\x00\u2028\ufeffé\u0662'
"""Characters that mean something somewhere in a record, or look as if they did."""


def edits(text: str, at: int, sign: str) -> tuple[str, str, str]:
    """A character changed to a sign, a sign put before it, and the character left out."""
    return (
        text[:at] + sign + text[at + 1 :],
        text[:at] + sign + text[at:],
        text[:at] + text[at + 1 :],
    )


def test_no_character_can_be_changed():
    """At each place of a record a change is refused or leaves the game and its seal the same."""
    record = decode_record(TEXT)
    for at in range(len(TEXT)):
        changes = edits(TEXT, at, SIGNS[at % len(SIGNS)])
        assert same_but_for_names(changes[at % 3], record), at
    for line in LINES:
        at = TEXT.index(line)
        assert same_but_for_names(edits(TEXT, at, "#")[0], record), line
        assert same_but_for_names(edits(TEXT, at, "#")[1], record), line


@pytest.mark.soak
@pytest.mark.parametrize("number", range(len(SIGNS)))
def test_no_character_can_be_changed_to_any_other(number: int):
    """At each place of a record every change is refused or leaves game and seal the same."""
    record = decode_record(TEXT)
    for at in range(len(TEXT)):
        for text in edits(TEXT, at, SIGNS[number]):
            assert same_but_for_names(text, record), at


@given(
    whole_records,
    st.integers(0),
    st.sampled_from(SIGNS) | st.characters(exclude_categories=("Cs",)),
)
def test_no_character_of_any_record_can_be_changed(record: Record, at: int, sign: str):
    """In any finished record a change is refused or leaves the game and its seal the same."""
    text = encode_record(record)
    for changed_text in edits(text, at % len(text), sign):
        assert same_but_for_names(changed_text, record)


def test_documented_record():
    """The record in the documentation is one, its throws are those of the published seed."""
    page = (ROOT / "docs" / "records.md").read_text(encoding="utf-8")
    [text] = re.findall(r"```\n(yacht 1\n.*?)```", page, re.DOTALL)
    record = decode_record(text)
    assert encode_record(record) == text
    assert not record.game.is_over
    verify(replace(record, seed=bytes(range(32))))


if __name__ == "__main__":
    GOLDEN.write_bytes(encode_record(golden_record()).encode())
