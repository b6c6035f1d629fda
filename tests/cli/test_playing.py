"""``yacht play``: whole games by typed lines, left, killed and gone on with."""

import contextlib
import os
import re
import signal
import sqlite3
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import YACHT, Call
from yacht.engine.game import Rolled, Score
from yacht.engine.notation import Record, decode_record, encode, verify
from yacht.engine.rules import RULESETS

BOXES = ["s1", "s2", "s3", "s4", "s5", "s6", "fh", "4k", "ls", "bs", "ch", "ya"]


def record_in(data: Path) -> Record:
    (file,) = (data / "records").iterdir()
    return decode_record(file.read_text("utf-8"))


def lines(*typed: str) -> str:
    return "".join(f"{line}\n" for line in typed)


def whole_game(seats: int) -> str:
    return lines(*(line for box in BOXES for line in ("r", box) * seats))


def rolled(output: str) -> list[str]:
    """The dice of each roll that was told, in order."""
    return re.findall(r"rolled ([1-6](?:, [1-6]){4})\.", output)


def test_a_game_alone_to_its_end(program: Call, data: Path):
    """One player plays by piped lines to the end: result, seed and a sound record."""
    ended = program("play", "Ana", typed=whole_game(1))
    assert (ended.status, ended.err) == (0, "")
    record = record_in(data)
    verify(record)
    assert record.names == ("Ana",)
    total = record.game.cards[0].total
    assert f"The game is over: {total} points." in ended.out
    assert ended.out.index(record.fingerprint) < ended.out.index("rolled")
    assert ended.out.index(record.seed.hex() if record.seed else "?") > ended.out.index("is over")
    (file,) = (data / "records").iterdir()
    assert f"yacht verify {file}" in ended.out.splitlines()


def test_against_computers(yacht: Call, data: Path):
    """Computers of the levels asked for play at once, each step shown, in the next game too."""
    ended = yacht("play", "Ana", "--computer", "easy", "--computer", "exact", typed=whole_game(1))
    assert (ended.status, ended.err) == (0, "")
    record = record_in(data)
    verify(record)
    assert record.names == ("Ana", "Computer 1", "Computer 2")
    assert record.computers == ("", "easy", "exact")
    for word, kind in (("rolled", Rolled), ("wrote", Score)):
        steps = sum(isinstance(event, kind) for event in record.events)
        assert len(re.findall(rf"^(?:Ana|Computer [12]) {word} ", ended.out, re.MULTILINE)) == steps
    left = yacht("play", "--new", typed=lines("r", "s1", "u", "q"))
    assert "There is no score to take back: dice were rolled since." in left.out
    assert "Computer 2" in left.out
    again = yacht("play", typed=lines("q"))
    assert "The last game goes on: Ana, Computer 1, Computer 2, turn 2 of 12." in again.out
    one = yacht("play", "--computer", "strong", typed=lines("q"))
    assert re.search(r"▸Ana +Computer\n", one.out)
    good = yacht("play", "--computer", "good")
    assert (good.status, good.out) == (2, "")
    assert good.err == "There is no computer “good”. Choose exact, strong, steady or easy.\n"


def test_three_players_undo_leave_and_go_on(program: Call, data: Path):
    """Three players hold, undo, leave and go on; the result ranks them by their totals."""
    names = ("Ana", "Ben", "Zoë Ødegård")
    turns = ["r", "1 2", "", "k", "r", "ones", "u", "twos", "r", "s2", "r", "s2"]
    left = program("play", *names, "--ruleset", "sum", typed=lines(*turns, "r", "q"))
    assert (left.status, left.err) == (0, "")
    assert left.out.endswith("The game is saved. To go on with it:\nyacht play\n")
    rest = [line for box in BOXES[2:] for line in ("r", box) * 3]
    ended = program("play", typed=lines("s1", "r", "s1", "r", "s1", *rest))
    assert "The last game goes on: Ana, Ben, Zoë Ødegård, turn 2 of 12." in ended.out
    assert rolled(ended.out)[0] == rolled(left.out)[-1]
    record = record_in(data)
    verify(record)
    assert (record.names, record.ruleset) == (names, RULESETS["sum"])
    assert [encode(event) for event in record.events[3:6]] == ["ones", "undo", "twos"]
    for standing in record.game.standings:
        row = rf"{standing.rank} +{names[standing.seat]} +{standing.total}"
        assert re.search(rf"^{row}$", ended.out, re.MULTILINE)


def test_holds_go_on_to_the_next_roll(yacht: Call):
    """Dice that were held keep their faces and go on being held until they are released."""
    out = yacht("play", typed=lines("r", "1 3", "", "")).out
    first, second, third = (dice.split(", ") for dice in rolled(out))
    assert first[0] == second[0] == third[0]
    assert first[2] == second[2] == third[2]


def test_previews_stand_in_brackets_until_they_are_written(yacht: Call):
    """An open box has its points for these dice in brackets, a written one without them."""
    out = yacht("play", typed=lines("r", "ch", "r")).out
    total = sum(map(int, rolled(out)[0].split(", ")))
    assert re.search(rf"^Choice +ch +\({total}\) ", out, re.MULTILINE)
    assert re.search(rf"^Choice +ch +{total} ", out, re.MULTILINE)


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        (["1"], "There are no dice to hold yet. Roll all of them."),
        (["ones"], "Roll the dice first."),
        (["u"], "There is no score to take back: dice were rolled since."),
        (["r", "1 2 3 4 5", "r"], "All five dice are held. Release one to roll, or choose a box."),
        (["r", "", "", ""], "No rolls are left. Choose a box for these dice."),
        (["r", "6"], "There is no die “6”."),
        (["r", "s"], "Choose an open box first, then score."),
        (["r", "ch", "r", "ch"], "Choice is filled already. Choose an open box."),
        (["r", "ch", "r", "u"], "There is no score to take back: dice were rolled since."),
        (["\udcff\udcfe"], "“\ufffd\ufffd” is neither a box nor a command. Type ? to see both."),
    ],
)
def test_wrong_input_costs_nothing(yacht: Call, typed: list[str], sentence: str):
    """Wrong input is answered with one sentence, and the game is as it was."""
    *before, wrong = typed
    out = yacht("play", typed=lines(*before, "c", wrong, "c")).out
    answers = re.split(r"rolls? left > ", out)[len(before) + 1 :]
    card, answer, same_card = answers[:3]
    assert answer.splitlines()[1] == sentence
    assert card == same_card


def test_an_empty_input_leaves_a_saved_game(yacht: Call):
    """The end of the input leaves the game, saved, with status 0; the next call goes on with it."""
    first = yacht("play", "Ana")
    assert first.status == 0
    assert "The game is saved." in first.out
    assert "The last game goes on: Ana, turn 1 of 12." in yacht("play").out


def test_other_games_wait(yacht: Call, data: Path):
    """A new game says that another isn’t over, and that one goes on after it."""
    yacht("play", "Ana")
    ended = yacht("play", "Ben", typed=whole_game(1))
    assert "A game isn’t over yet: after this one “yacht play” goes on with it." in ended.out
    assert "The last game goes on: Ana, turn 1 of 12." in yacht("play").out
    again = yacht("play", "--new")
    assert "goes on:" not in again.out
    assert "Turn: Ben." in again.out


def test_the_first_game_needs_no_name(yacht: Call):
    """Without names and without an earlier game, Player 1 plays alone."""
    assert "Turn: Player 1." in yacht("play").out


def test_the_data_folder_can_be_named(yacht: Call, data: Path):
    """``--data`` names the folder of the games, and is part of the command that goes on."""
    folder = data / "my games"
    assert f"\nyacht play --data '{folder}'\n" in yacht("play", "--data", str(folder)).out
    assert (folder / "yacht.db").exists()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--ruleset", "poker"], "There is no ruleset “poker”. Choose classic or sum."),
        (["A"] * 9, "A game has 1 to 8 players, not 9."),
        ([" "], "“” can’t be a name. Use 1 to 24 letters, digits or symbols."),
        (["\x1b[2J"], "“\ufffd[2J” can’t be a name. Use 1 to 24 letters, digits or symbols."),
        (["--data", ""], "--data: “” can’t be used: give a folder."),
    ],
)
def test_wrong_calls(yacht: Call, arguments: list[str], sentence: str):
    """A game that can't be opened ends with status 2 and one sentence."""
    ended = yacht("play", *arguments)
    assert (ended.status, ended.out, ended.err) == (2, "", f"{sentence}\n")


def test_help_lists_what_can_be_typed(yacht: Call):
    """The question mark explains each thing that can be typed."""
    out = yacht("play", typed="?\n").out
    for typed in ("Enter, r", "1 3, h 1 3", "k 4 4", "fours, s 4, fh", "u", "c", "q"):
        assert re.search(rf"^{typed}  +\w+", out, re.MULTILINE)


class Terminal:
    """A running ``yacht play`` that is typed into line by line."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [*YACHT, "play", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.greeting = self.answer()

    def answer(self) -> str:
        """All output up to the next prompt, or to its end."""
        assert self.process.stdout
        output = b""
        while not output.endswith(b" > "):
            piece = os.read(self.process.stdout.fileno(), 1000)
            if not piece:
                break
            output += piece
        return output.decode()

    def type(self, line: str) -> str:
        """Type a line; what is answered."""
        assert self.process.stdin
        self.process.stdin.write(f"{line}\n".encode())
        self.process.stdin.flush()
        return self.answer()

    def end(self, how: signal.Signals) -> None:
        self.process.send_signal(how)
        self.process.communicate(timeout=30)


def test_a_killed_game_loses_nothing(data: Path, yacht: Call):
    """After kill -9 every move that was told is there, and the dice are the sealed ones."""
    terminal = Terminal("Ana", "Ben")
    told = rolled(terminal.type("r"))
    terminal.end(signal.SIGKILL)
    terminal = Terminal()
    assert rolled(terminal.greeting) == told
    told = rolled(terminal.type("1"))
    told = rolled(terminal.type("r"))
    terminal.type("s1")
    terminal.end(signal.SIGKILL)
    terminal = Terminal()
    assert "Ben, 3 rolls left > " in terminal.greeting
    assert rolled(terminal.type("u")) == []
    terminal.type("s1")
    terminal.type("r")
    terminal.end(signal.SIGKILL)
    yacht("play", typed=lines("s1", *(line for box in BOXES[1:] for line in ("r", box) * 2)))
    record = record_in(data)
    verify(record)
    first, second = record.events[:2]
    assert isinstance(first, Rolled)
    assert isinstance(second, Rolled)
    assert told == [", ".join(map(str, second.dice))]
    assert second.kept == {0}


def test_ctrl_c_leaves_a_saved_game(data: Path):
    """Ctrl+C leaves the game like q."""
    terminal = Terminal("Ana")
    terminal.type("r")
    terminal.process.send_signal(signal.SIGINT)
    out, _ = terminal.process.communicate(timeout=30)
    assert "The game is saved." in out.decode()
    assert terminal.process.returncode == 0


def test_two_terminals_with_one_game(data: Path):
    """A move made in another terminal meanwhile is shown, and nothing is done twice."""
    one = Terminal("Ana")
    one.type("r")
    other = Terminal()
    other.type("ones")
    answer = one.type("twos")
    assert "The game had already gone on. This is where it is now." in answer
    assert "Ana, 3 rolls left > " in answer
    one.end(signal.SIGKILL)
    other.end(signal.SIGKILL)


def test_a_record_that_cannot_be_written(yacht: Call, data: Path):
    """The result is shown, and one sentence with status 1 says that there is no record."""
    (data / "records").touch()
    ended = yacht("play", typed=whole_game(1))
    assert ended.status == 1
    assert "The game is over: " in ended.out
    assert ended.err.startswith(f"The record can’t be written to {data / 'records'}")


def test_games_that_cannot_be_read(yacht: Call, data: Path):
    """A file that is no database, or a newer one, ends with status 1 and one sentence."""
    database = data / "yacht.db"
    database.write_bytes(b"no database" * 100)
    ended = yacht("play")
    told = "The games can’t be read or written: file is not a database.\n"
    assert (ended.status, ended.out, ended.err) == (1, "", told)
    database.unlink()
    with contextlib.closing(sqlite3.connect(database)) as newer:
        newer.execute("PRAGMA user_version = 99")
    ended = yacht("play")
    assert (ended.status, ended.out) == (1, "")
    assert ended.err.startswith(f"{database} was written by a newer Yacht ")
