"""The sealed dice: the vectors of docs/sealed-dice.md, unbiased faces, a verifier of its own."""

import hmac
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from hashlib import sha256
from itertools import combinations, islice, product
from math import erfc, exp, pi, sqrt
from pathlib import Path
from typing import Any

import pytest

from yacht.engine import dice
from yacht.engine.reasons import IllegalMove, Reason
from yacht.engine.rules import CLASSIC, Category, Dice, Ruleset

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "sealed-dice.md").read_text(encoding="utf-8")
GOLDEN = (ROOT / "tests" / "golden" / "two-players.txt").read_text(encoding="utf-8")
SEED = bytes(range(32))
ALONE = (b"",)
ANA_AND_BEN = (b"Ana", b"Ben")
PLACES = list(product(range(8), range(12), range(3), range(5)))
"""Every seat, turn, roll and position of the largest game."""


def hmac_sha256(key: bytes, message: bytes) -> bytes:
    return hmac.new(key, message, sha256).digest()


def digest(key: bytes, *numbers: int) -> bytes:
    return hmac_sha256(key, bytes(numbers))


FINGERPRINT = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
KEY_ALONE = hmac_sha256(SEED, b"yacht-dice-1\x00")
KEY_ANA_AND_BEN = hmac_sha256(SEED, b"yacht-dice-1\x03Ana\x03Ben")

VECTORS = [
    # the seats' bytes, seat, turn, the three rolls
    (ALONE, 0, 0, "26155 16636 36561"),
    (ALONE, 0, 11, "55324 45424 14463"),
    (ANA_AND_BEN, 0, 0, "24321 14531 13622"),
    (ANA_AND_BEN, 1, 0, "24435 36446 14526"),
]

PASSED_OVER = [
    # the key, place, how the digest begins, the byte that counts, the face
    (KEY_ALONE, (0, 11, 0, 1), [253, 226, 44], 226, 5),
    (KEY_ANA_AND_BEN, (0, 0, 2, 0), [253, 6, 102], 6, 1),
    (KEY_ANA_AND_BEN, (1, 0, 2, 2), [254, 136, 152], 136, 5),
    (KEY_ANA_AND_BEN, (1, 0, 2, 3), [252, 241, 80], 241, 2),
]


CHANCES = [
    # the seats' bytes, seat, turn, rolls so far, the number by which a computer chooses
    (ALONE, 0, 0, 1, 0.12257176513992607),
    (ALONE, 0, 11, 3, 0.47786929375437426),
    (ANA_AND_BEN, 0, 0, 1, 0.21903776043920264),
    (ANA_AND_BEN, 1, 0, 1, 0.6901570067444993),
]


@pytest.mark.parametrize(("seat_bytes", "seat", "turn", "rolls", "number"), CHANCES)
def test_chance(seat_bytes: tuple[bytes, ...], seat: int, turn: int, rolls: int, number: float):
    """The number of a known seed is the published one: the first 53 bits of a digest of its own."""
    assert dice.chance(dice.player_key(SEED, seat_bytes), seat, turn, rolls) == number
    added = b"".join(bytes([len(own)]) + own for own in seat_bytes)
    key = hmac_sha256(SEED, b"yacht-player-1" + added)
    first = int.from_bytes(digest(key, seat, turn, rolls)[:8], "big")
    assert number == first // 2**11 / 2**53


def test_chances():
    """The numbers of all games' places lie evenly from 0 to below 1, and none comes twice."""
    key = dice.player_key(SEED, ALONE)
    places = product(range(8), range(12), range(1, 4))
    numbers = sorted(dice.chance(key, *place) for place in places)
    assert 0 <= numbers[0] < numbers[-1] < 1
    assert len(set(numbers)) == 8 * 12 * 3
    steps = [abs(number - (n + 0.5) / 288) for n, number in enumerate(numbers)]
    assert max(steps) < 1.63 / sqrt(288)  # Kolmogorov's bound at 1 %


def test_chances_tell_nothing_of_the_dice():
    """The key of the computers is another one than that of the dice."""
    for seat_bytes in (ALONE, ANA_AND_BEN):
        assert dice.player_key(SEED, seat_bytes) != dice.dice_key(SEED, seat_bytes)
    with pytest.raises(IllegalMove) as refused:
        dice.player_key(SEED, (bytes(33),))
    assert refused.value.reason is Reason.TOO_MANY_BYTES


@pytest.mark.parametrize(("seat_bytes", "seat", "turn", "rolls"), VECTORS)
def test_vectors(seat_bytes: tuple[bytes, ...], seat: int, turn: int, rolls: str):
    """The throws of a known seed are those that are published."""
    key = dice.dice_key(SEED, seat_bytes)
    thrown = [dice.throw(key, seat, turn, roll) for roll in range(3)]
    assert " ".join("".join(map(str, faces)) for faces in thrown) == rolls


def test_fingerprint():
    """The fingerprint is the SHA-256 of the seed in small hexadecimal digits."""
    assert dice.fingerprint(SEED) == FINGERPRINT
    assert sha256(SEED).hexdigest() == FINGERPRINT
    assert len(SEED) == dice.SEED_BYTES


@pytest.mark.parametrize(
    ("seat_bytes", "message"),
    [
        ((b"",), b"\x00"),
        ((b"Ana", b"Ben"), b"\x03Ana\x03Ben"),
        ((b"", b"", b""), b"\x00\x00\x00"),
        ((b"\x00" * 32, b"", b"\xff"), b"\x20" + b"\x00" * 32 + b"\x00\x01\xff"),
    ],
)
def test_key(seat_bytes: tuple[bytes, ...], message: bytes):
    """The key is an HMAC of the seed over the label and each seat's length and bytes."""
    assert dice.dice_key(SEED, seat_bytes) == hmac_sha256(SEED, b"yacht-dice-1" + message)


def test_whose_bytes_they_are_matters():
    """The seed, each seat's bytes, their order and their borders change the key."""
    keys = {
        dice.dice_key(seed, seat_bytes)
        for seed in (SEED, bytes(32))
        for seat_bytes in (
            (b"",),
            (b"", b""),
            (b"ab",),
            (b"ab", b""),
            (b"", b"ab"),
            (b"a", b"b"),
            (b"b", b"a"),
            (b"\x00",),
            (b"\x01a", b""),
        )
    }
    assert len(keys) == 18


@pytest.mark.parametrize("length", [33, 64, 255, 256, 1000])
def test_too_many_bytes(length: int):
    """A seat adds at most 32 bytes; more are refused, and the seat is named, counted from 1."""
    assert len(dice.dice_key(SEED, (bytes(32), bytes(32)))) == 32
    with pytest.raises(IllegalMove) as refused:
        dice.dice_key(SEED, (b"", bytes(length)))
    assert refused.value.reason is Reason.TOO_MANY_BYTES
    assert refused.value.values == {"seat": 2, "value": length, "most": 32}


def first_below(limit: int, key: bytes, *place: int) -> int:
    """The byte that counts for a die, as docs/sealed-dice.md says."""
    return next(
        byte for counter in range(256) for byte in digest(key, *place, counter) if byte < limit
    )


@pytest.mark.parametrize("key", [KEY_ALONE, KEY_ANA_AND_BEN])
def test_every_place(key: bytes):
    """At every place of a game the face comes from the first byte below 252, modulo 6."""
    thrown = {
        (seat, turn, roll, position): face
        for seat, turn, roll in product(range(8), range(12), range(3))
        for position, face in enumerate(dice.throw(key, seat, turn, roll))
    }
    assert thrown == {place: first_below(252, key, *place) % 6 + 1 for place in PLACES}
    assert any(digest(key, *place, 0)[0] >= 252 for place in PLACES)


@pytest.mark.parametrize(("key", "place", "begins", "byte", "face"), PASSED_OVER)
def test_bytes_passed_over(
    key: bytes, place: tuple[int, int, int, int], begins: list[int], byte: int, face: int
):
    """A first byte over 251 is passed over, and the next one in the same digest counts."""
    assert list(digest(key, *place, 0)[:3]) == begins
    assert begins[0] >= 252 > begins[1] == byte
    seat, turn, roll, position = place
    assert dice.throw(key, seat, turn, roll)[position] == face == byte % 6 + 1


def test_two_bytes_passed_over():
    """Where a digest begins with two bytes over 251, the third counts."""
    keys = (dice.dice_key(SEED, (b"%d" % number,)) for number in range(100))
    key, place = next(
        (key, place) for key in keys for place in PLACES if min(digest(key, *place, 0)[:2]) >= 252
    )
    third = digest(key, *place, 0)[2]
    seat, turn, roll, position = place
    assert third < 252
    assert dice.throw(key, seat, turn, roll)[position] == third % 6 + 1


def test_next_counter(monkeypatch: pytest.MonkeyPatch):
    """Where a digest has no byte below 252, the digest of the next counter follows."""

    def scarce(_keyed: object, message: bytes) -> bytes:
        return (b"\xff" * 32, b"\xfe" * 32, b"\xfd\xfc\x03\x04")[message[4]]

    monkeypatch.setattr(dice, "_digest", scarce)
    assert dice.throw(b"", 0, 0, 0) == (4, 4, 4, 4, 4)


def throws(games: Iterable[int]) -> Iterable[Dice]:
    """All 288 throws of each of many whole games of eight, with seeds that are always the same."""
    for game in games:
        key = dice.dice_key(sha256(b"%d" % game).digest(), (b"",) * 8)
        for seat, turn, roll in product(range(8), range(12), range(3)):
            yield dice.throw(key, seat, turn, roll)


def test_throws_differ():
    """Every seat, turn, roll and position has faces of its own, which are always the same."""
    key = dice.dice_key(SEED, ALONE)
    faces = {
        (seat, turn, roll, position): dice.throw(key, seat, turn, roll)[position]
        for seat, turn, roll, position in PLACES
    }
    for part, size in enumerate((8, 12, 3, 5)):
        lines = {
            tuple(face for place, face in faces.items() if place[part] == number)
            for number in range(size)
        }
        assert len(lines) == size
    assert dice.throw(key, 1, 2, 0) == dice.throw(key, 1, 2, 0)


def p_value(square: float, freedom: int) -> float:
    """The chance of a chi-square at least so large, for odd degrees of freedom.

    Abramowitz and Stegun, Handbook of Mathematical Functions, 26.4.4.
    """
    term, total = 1.0, 0.0
    for odd in range(1, freedom, 2):
        total += term
        term *= square / (odd + 2)
    return erfc(sqrt(square / 2)) + sqrt(2 * square / pi) * exp(-square / 2) * total


def p_of_counts(counts: Counter[Any], cells: int) -> float:
    """How likely fair dice are to give counts at least so uneven."""
    expected = counts.total() / cells
    square = sum((count - expected) ** 2 for count in counts.values()) / expected
    square += (cells - len(counts)) * expected
    return p_value(square, cells - 1)


@pytest.mark.parametrize(
    ("square", "freedom", "chance"),
    [
        (11.070, 5, 0.05),
        (20.515, 5, 0.001),
        (25.745, 5, 0.0001),
        (49.802, 35, 0.05),
        (66.619, 35, 0.001),
    ],
)
def test_p_value(square: float, freedom: int, chance: float):
    """The chi-square distribution is the one in the tables."""
    assert p_value(square, freedom) == pytest.approx(chance, rel=1e-3)


SIGNIFICANCE = 1e-4
"""A test of fair dice fails with this chance; of all 17 together, once in 588 choices of seeds."""


def check_fair(games: int, number: int):
    """Chi-square tests of so many throws: faces, positions, pairs of them, and the next roll."""
    rolls, next_rolls, before = Counter[Dice](), Counter[tuple[Dice, Dice]](), None
    for at, roll in enumerate(islice(throws(range(games)), number)):
        rolls[roll] += 1
        if before and at % 3:
            next_rolls[before, roll] += 1
        before = roll
    assert rolls.total() == number
    positions = [Counter[int]() for _ in range(5)]
    pairs = {pair: Counter[Dice]() for pair in combinations(range(5), 2)}
    for roll, count in rolls.items():
        for counter, face in zip(positions, roll, strict=True):
            counter[face] += count
        for (one, other), counter in pairs.items():
            counter[roll[one], roll[other]] += count
    following = Counter[Dice]()
    for two_rolls, count in next_rolls.items():
        for faces in zip(*two_rolls, strict=True):
            following[faces] += count
    chances = {
        "faces": p_of_counts(sum(positions, Counter[int]()), 6),
        **{f"position {at}": p_of_counts(own, 6) for at, own in enumerate(positions)},
        **{f"positions {at}": p_of_counts(own, 36) for at, own in pairs.items()},
        "the same die in the next roll": p_of_counts(following, 36),
    }
    assert len(chances) == 17
    assert {what: chance for what, chance in chances.items() if chance < SIGNIFICANCE} == {}


def test_fair_dice():
    """20,000 throws pass a chi-square test for faces, positions and all pairs of positions."""
    check_fair(70, 20_000)


@pytest.mark.soak
def test_a_million_throws():
    """A million throws pass a chi-square test for faces, positions and all pairs of positions."""
    check_fair(3_473, 1_000_000)


def test_bias_would_be_seen():
    """A million throws are enough to see the bias of dice that pass no byte over."""
    counts = Counter({face: 5_000_000 * (43 if face <= 4 else 42) // 256 for face in range(1, 7)})
    assert p_of_counts(counts, 6) < SIGNIFICANCE


@pytest.mark.parametrize("faces", [2, 3, 4, 6, 8, 20])
def test_other_dice(faces: int):
    """Dice with other faces pass over the bytes from the last multiple of their faces on."""
    ruleset = Ruleset("toy", (Category("sum", sum),), dice=2, faces=faces)
    limit = max(multiple for multiple in range(257) if multiple % faces == 0)
    for place in product(range(8), range(12), range(3)):
        assert dice.throw(KEY_ALONE, *place, ruleset) == tuple(
            first_below(limit, KEY_ALONE, *place, position) % faces + 1 for position in range(2)
        )


def test_ruleset_is_classic_unless_told_otherwise():
    """A throw has five dice with six faces unless it is given another ruleset."""
    assert dice.throw(KEY_ALONE, 0, 0, 0) == dice.throw(KEY_ALONE, 0, 0, 0, CLASSIC)


def rows(columns: int) -> list[list[str]]:
    """The rows of the page's tables with so many columns, without their heads."""
    lines = [line.strip("|") for line in PAGE.replace("`", "").splitlines() if "|" in line]
    cells = [[cell.strip() for cell in line.split("|")] for line in lines]
    return [row for row in cells if len(row) == columns and re.match("(one|two|three) ", row[0])]


def test_vectors_in_the_documentation():
    """The vectors that are published are those that are tested here."""
    alone, two = "one seat, none", "two seats, Ana and Ben"
    assert FINGERPRINT in PAGE
    assert rows(2) == [
        [alone, KEY_ALONE.hex()],
        [two, KEY_ANA_AND_BEN.hex()],
        ["three seats, none", hmac_sha256(SEED, b"yacht-dice-1\0\0\0").hex()],
    ]
    assert rows(6) == [
        [alone if seat_bytes is ALONE else two, str(seat), str(turn), *rolls.split()]
        for seat_bytes, seat, turn, rolls in VECTORS
    ]
    assert rows(5) == [
        [alone if seat_bytes is ALONE else two, *map(str, numbers)]
        for seat_bytes, *numbers in CHANCES
    ]
    assert rows(8) == [
        [
            alone if key is KEY_ALONE else two,
            *map(str, place),
            ", ".join(map(str, begins)),
            str(byte),
            str(face),
        ]
        for key, place, begins, byte, face in PASSED_OVER
    ]


[VERIFIER] = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture(name="verifier", scope="module")
def fixture_verifier() -> dict[str, Any]:
    """What the verifier in the documentation defines, which doesn't use this package."""
    names: dict[str, Any] = {"__name__": "verifier"}
    exec(compile(VERIFIER, "docs/sealed-dice.md", "exec"), names)  # noqa: S102 (the point of it)
    assert re.findall(r"^(?:import|from) .*", VERIFIER, re.MULTILINE) == [
        "import hashlib, hmac, re, sys"
    ]
    return names


def test_faces_of_the_documented_verifier(verifier: dict[str, Any]):
    """The documented verifier passes over the same bytes."""
    for key, place, _, _, face in PASSED_OVER:
        assert verifier["face"](key, *place) == face


def test_documented_verifier(verifier: dict[str, Any]):
    """The documented verifier accepts the golden record and says what is wrong in others."""
    verify = verifier["verify"]
    assert verify(GOLDEN) is None
    assert verify("\ufeff# a comment\n\n" + GOLDEN.replace("\n", "\r\n")) is None
    for old, new, said in (
        ("seed: 00", "seed: 01", "The seed is not the one of the fingerprint."),
        ("1.1 24321", "1.1 24322", "Turn 1.1, roll 1: die 5 is wrong."),
        ("416e61", "416e62", "Turn 1.1, roll 1: die 1 is wrong."),
    ):
        assert GOLDEN.count(old) == 1
        assert verify(GOLDEN.replace(old, new)) == said
    held = re.search(r"\(([1-6])\)", GOLDEN)
    assert held
    other = "6" if held[1] == "1" else "1"
    wrong = GOLDEN[: held.start(1)] + other + GOLDEN[held.end(1) :]
    assert re.fullmatch(r"Turn 1\.1, roll 2: die [1-5] is wrong\.", verify(wrong))


def test_documented_verifier_on_a_file(tmp_path: Path):
    """The documented verifier is a program that takes a file and ends with 0 if all is right."""
    program, right, wrong = (tmp_path / name for name in ("verify.py", "right.txt", "wrong.txt"))
    program.write_text(VERIFIER, encoding="utf-8")
    right.write_text(GOLDEN, encoding="utf-8")
    wrong.write_text(GOLDEN.replace("1.1 24321", "1.1 54321"), encoding="utf-8")
    for file, code, said in ((right, 0, ""), (wrong, 1, "Turn 1.1, roll 1: die 1 is wrong.\n")):
        ended = subprocess.run(
            [sys.executable, "-I", str(program), str(file)],
            capture_output=True,
            check=False,
            text=True,
        )
        assert (ended.returncode, ended.stderr) == (code, said)
