"""What terminals of all kinds get: colours or none, any encoding, any width."""

import os
import pty
import shlex
import subprocess

import pytest
from rich.cells import cell_len

from tests.cli.conftest import YACHT, Call

PLAY = "r\n1 2\n\nch\nr\n?\nc\nfoo\nq\n"


def on_terminal(*arguments: str, **environment: str) -> str:
    """What a call writes to a terminal."""
    keyboard, terminal = pty.openpty()
    os.write(keyboard, PLAY.encode())
    process = subprocess.Popen(
        [*YACHT, *arguments],
        stdin=terminal,
        stdout=terminal,
        env={name: value for name, value in os.environ.items() if name != "NO_COLOR"} | environment,
    )
    os.close(terminal)
    output = b""
    try:
        while piece := os.read(keyboard, 10_000):
            output += piece
    except OSError:  # the program has ended
        pass
    os.close(keyboard)
    assert process.wait(timeout=30) == 0
    return output.decode()


def test_a_terminal_gets_its_styles(data: object):
    """On a terminal that can, previews and held dice are styled too."""
    assert "\x1b[" in on_terminal("play", TERM="xterm-256color")


@pytest.mark.parametrize(
    "environment", [{"TERM": "xterm-256color", "NO_COLOR": "1"}, {"TERM": "dumb"}]
)
def test_plain_terminals_get_no_escape_codes(data: object, environment: dict[str, str]):
    """With NO_COLOR, and on a dumb terminal, there is not one escape code."""
    out = on_terminal("play", "Ana", "Ben", **environment)
    assert "\x1b" not in out
    assert "Held" in out


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp437", "cp1252"])
def test_any_encoding_can_be_written(program: Call, encoding: str):
    """A sign that the output's encoding lacks is replaced by a plain one, column for column."""
    ended = program(
        "play", "Zoë", "🎲 Ana’s", typed=PLAY, PYTHONIOENCODING=f"{encoding}:strict", COLUMNS="40"
    )
    assert (ended.status, ended.err) == (0, "")
    shown = ended.out.splitlines()
    numbers = next(n for n, line in enumerate(shown) if "1       2       3" in line)
    assert {len(line) for line in shown[numbers - 5 : numbers + 1]} == {39}


def test_ascii_is_drawn_with_ascii(program: Call):
    """Dice are boxes of + and |, held ones of #, and quotation marks are straight."""
    out = program("play", "Zoë", typed=PLAY, PYTHONIOENCODING="ascii", COLUMNS="40").out
    assert "+-----+" in out
    assert "#=====#" in out
    assert '"foo" is neither a box nor a command.' in out
    assert "Zoe, 3 rolls left > " in out
    assert "?" not in out.replace("? tells", "").replace("Type ?", "").replace("> ?", "")


@pytest.mark.parametrize("columns", [40, 60, 80, 120])
@pytest.mark.parametrize("seats", [1, 2, 3, 8])
def test_every_width_is_kept(
    yacht: Call, monkeypatch: pytest.MonkeyPatch, columns: int, seats: int
):
    """No line is wider than the terminal, but the fingerprint, which people may copy."""
    monkeypatch.setenv("COLUMNS", str(columns))
    names = ["Ana", "Ben", "Player 3", "Maximiliane Wolkenstein", "Øyvind", "李小龍", "Jo", "K"]
    out = yacht("play", *names[:seats], typed=PLAY).out
    wide = [line for line in out.splitlines() if cell_len(line) > columns]
    assert [len(line) for line in wide] == [64] * (columns < 64)


def test_nothing_moves_from_roll_to_roll(yacht: Call):
    """The head of the card stays the same from the first roll of a turn to its last."""
    out = yacht("play", "Jo", "K", typed="r\nr\nr\n").out
    heads = [line.rstrip() for line in out.splitlines() if line.startswith("Box ")]
    assert len(heads) == 4
    assert len(set(heads)) == 1


@pytest.mark.parametrize(
    "command", ["", "play", "score", "simulate", "show", "verify", "serve", "backup", "move"]
)
def test_help(yacht: Call, command: str):
    """Every command explains itself."""
    ended = yacht(*command.split(), "--help")
    assert ended.status == 0
    assert ended.out.startswith("usage: yacht")


@pytest.mark.parametrize("arguments", [[], ["roll"], ["play", "--seats", "2"], ["show"]])
def test_wrong_arguments(yacht: Call, arguments: list[str]):
    """A call that isn't understood ends with status 2 and says what is."""
    ended = yacht(*arguments)
    assert (ended.status, ended.out) == (2, "")
    assert "usage: yacht" in ended.err


def test_a_reader_that_has_gone(data: object):
    """Nothing is complained about when whoever reads the output stops."""
    process = subprocess.Popen(
        [*YACHT, "play"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout
    process.stdout.close()
    _, complaint = process.communicate(PLAY.encode(), timeout=30)
    assert (process.returncode, complaint) == (1, b"")


def test_a_full_disk(data: object):
    """Output that can't be written is one sentence and status 1."""
    with open("/dev/full", "wb") as full:  # noqa: PTH123 (a device)
        done = subprocess.run(
            [*YACHT, "score", "5", "5", "5", "2", "1"],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr.decode().startswith("The output can’t be written: ")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams(data: object, closed: str):
    """A stream that is closed is like an empty one: the game is left, saved, with status 0."""
    command = f"{shlex.join(YACHT)} play {closed}"
    done = subprocess.run(
        ["sh", "-c", command], input=b"", capture_output=True, check=False, timeout=30
    )
    assert (done.returncode, done.stderr) == (0, b"")
