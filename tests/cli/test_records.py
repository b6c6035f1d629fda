"""``yacht show`` and ``yacht verify``."""

from pathlib import Path

import pytest

from tests.cli.conftest import Call

GOLDEN = Path(__file__).parents[1] / "golden" / "two-players.txt"
SOUND = GOLDEN.read_text("utf-8")
NOT_A_RECORD = "This isn’t a record of a game: its first line must be “yacht 1”.\n"


def test_a_sound_record(yacht: Call):
    """A record whose throws and scores are right is told so in one line, with status 0."""
    ended = yacht("verify", str(GOLDEN))
    told = "Every roll is the sealed one, and every score is right.\n"
    assert (ended.status, ended.out, ended.err) == (0, told, "")
    assert yacht("verify", "-", typed=SOUND) == ended


@pytest.mark.parametrize(
    ("right", "wrong", "sentence"),
    [
        ("choice=15", "choice=16", "Line 8: “choice=16” should be “choice=15”."),
        ("3(4)(4)46", "3(5)(4)46", "Line 9: Die 2 was held, so its face can’t change."),
        ("yacht=50", "fives=0", "Line 13: Fives is filled already. Choose an open box."),
        ("seed: 00", "seed: 01", "The seed doesn’t have the fingerprint 630dcd2966c433669112"),
        ("41245", "41246", "Turn 2 of seat 2, roll 1: the record has 41246, the seed gives 41245."),
        ('"Ana" 416e61', '"Ana" 416e62', "Turn 1 of seat 1, roll 1: the record has 24321, "),
        ("2.2 ", "2.1 ", "Line 11: Expected turn 2.2 here, not “2.1”."),
        ("undo", "redo", "Line 13: There is no box “redo” on the card."),
        ("yacht 1", "yacht 2", NOT_A_RECORD.strip()),
        (
            "ruleset: classic",
            "ruleset: sum",
            "Line 20: “four_of_a_kind=20” should be “four_of_a_kind=21”.",
        ),
        (
            "12.2 52334 26(3)(3)4 32(3)(3)5 big_straight=0\n",
            "",
            "Line 31: Turn 12.2 and everything after it are missing",
        ),
    ],
)
def test_the_first_wrong_thing_is_named(yacht: Call, right: str, wrong: str, sentence: str):
    """A record that was changed ends with status 1 and the first thing that is wrong."""
    assert right in SOUND
    ended = yacht("verify", "-", typed=SOUND.replace(right, wrong, 1))
    assert (ended.status, ended.out) == (1, "")
    assert ended.err.startswith(sentence)
    assert ended.err.count("\n") == 1


def test_a_record_without_its_seed_is_not_verified(yacht: Call):
    """Without its seed a record can be shown, and can't be verified; over or not, it says why."""
    seed = next(line for line in SOUND.splitlines(keepends=True) if line.startswith("seed: "))
    over = SOUND.replace(seed, "")
    running = "".join(over.splitlines(keepends=True)[:-1])
    for text, told in (
        (over, "The record has no “seed”.\n"),
        (running, "The dice are still sealed: the record gets its seed at the end.\n"),
    ):
        ended = yacht("verify", "-", typed=text)
        assert (ended.status, ended.out, ended.err) == (1, "", told)
        assert yacht("show", "-", typed=text).status == 0


def test_show_prints_the_game(yacht: Call):
    """The players, the result, every box and every turn of the record are shown."""
    ended = yacht("show", str(GOLDEN))
    rows = {" ".join(line.split()) for line in ended.out.splitlines()}
    assert (ended.status, ended.err) == (0, "")
    assert {
        "Winner: Ben, 146 points.",
        "1 Ben 146",
        "2 Ana 86",
        "Box Ana Ben",
        "Full House 20 24",
        "Yacht 0 50",
        "Total 86 146",
        "1 Ana Choice 15 24321 (2)45(2)1 (2)36(2)2",
        "2 Ben Yacht 50 41245 (4)45(4)4 (4)(4)4(4)(4)",
    } <= rows


def test_show_prints_a_game_that_is_not_over(yacht: Call):
    """Of a running game the card, the turns and whose turn it is are shown."""
    head, turns = SOUND.split("\n\n")
    seed = next(line for line in head.splitlines() if line.startswith("seed: "))
    running = head.replace(f"{seed}\n", "").replace(seed, "").rstrip() + "\n\n" + turns[:20]
    ended = yacht("show", "-", typed=running.rpartition(" ")[0])
    assert "Turn: Ana" in ended.out.splitlines()


@pytest.mark.parametrize("command", ["show", "verify"])
@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", NOT_A_RECORD),
        (b"\x7fELF\x00\x00\xff\xfe", NOT_A_RECORD),
        (bytes(range(256)), NOT_A_RECORD),
        (SOUND.encode("utf-16"), NOT_A_RECORD),
        (b"yacht 1\n" * 200_000, "{file} is too large to be the record of a game.\n"),
        (
            b"yacht 1\n" + b"x" * 5000,
            "Line 2: “" + "x" * 60 + "…” isn’t allowed here in a record.\n",
        ),
        (b"yacht 1\n\x1b[2Jx", "Line 2: “\ufffd[2Jx” isn’t allowed here in a record.\n"),
    ],
    ids=["empty", "binary", "bytes", "utf-16", "huge", "long line", "escape"],
)
def test_what_is_no_record(
    yacht: Call, tmp_path: Path, command: str, content: bytes, sentence: str
):
    """A file that is no record ends with status 1 and one sentence."""
    file = tmp_path / "file"
    file.write_bytes(content)
    ended = yacht(command, str(file))
    assert (ended.status, ended.out, ended.err) == (1, "", sentence.format(file=file))


@pytest.mark.parametrize("command", ["show", "verify"])
def test_what_cannot_be_read(yacht: Call, tmp_path: Path, command: str):
    """A missing file and a folder end with status 1 and one sentence."""
    for file, problem in (
        (tmp_path / "none", "there is no such file or folder"),
        (tmp_path, "it is a folder"),
    ):
        ended = yacht(command, str(file))
        told = f"{file} can’t be read: {problem}.\n"
        assert (ended.status, ended.out, ended.err) == (1, "", told)


def test_names_cannot_steer_the_terminal(yacht: Call):
    """Control signs and signs that turn text around are not written to the terminal."""
    hostile = SOUND.replace('"Ana"', '"\\u001b[31mA\\u202en\\na\\u009b"')
    ended = yacht("show", "-", typed=hostile)
    assert ended.status == 0
    assert set("\x1b\u202e\x9b").isdisjoint(ended.out)
    assert "\ufffd[31mA\ufffdn\ufffda\ufffd" in ended.out
