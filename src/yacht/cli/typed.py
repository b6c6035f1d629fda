"""What people type at the prompt, as moves and holds."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, auto
from unicodedata import normalize

from yacht import words
from yacht.cli.plain import short
from yacht.cli.spoken import LANGUAGE
from yacht.engine.game import Game, Keep, Move, Score, UndoScore
from yacht.engine.reasons import IllegalMove, Reason

_ = LANGUAGE

SHORT_NAMES = {
    "ones": "s1",
    "twos": "s2",
    "threes": "s3",
    "fours": "s4",
    "fives": "s5",
    "sixes": "s6",
    "full_house": "fh",
    "four_of_a_kind": "4k",
    "little_straight": "ls",
    "big_straight": "bs",
    "choice": "ch",
    "yacht": "ya",
}
"""What to type for a box; a digit alone would hold a die."""

_SCORE, _HOLD, _KEEP = ("s", "score"), ("h", "hold"), ("k", "keep")
_VERB = re.compile(r"(s|score|h|hold|k|keep)(?:(?=[0-9])| |$)(.*)")
_DIGITS = re.compile(r"[0-9 ,]*")


class Unclear(Exception):
    """What was typed can't be taken; ``sentence`` says what to type."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class Hold:
    """From now on these dice (positions from 0) are held, and no others."""

    positions: frozenset[int]


class Ask(Enum):
    """What changes nothing in the game."""

    CARD = auto()
    HELP = auto()
    QUIT = auto()


_WORDS: dict[str, Move | Ask] = {
    "u": UndoScore(),
    "undo": UndoScore(),
    "c": Ask.CARD,
    "card": Ask.CARD,
    "?": Ask.HELP,
    "help": Ask.HELP,
    "q": Ask.QUIT,
    "quit": Ask.QUIT,
    "exit": Ask.QUIT,
}


def read(line: str, game: Game, held: frozenset[int]) -> Move | Hold | Ask:
    """What a line asks for. Raises Unclear or IllegalMove."""
    line = " ".join(line.casefold().split())
    if line in {"", "r", "roll"}:
        return Keep(held)
    if line in _WORDS:
        return _WORDS[line]
    if _DIGITS.fullmatch(line):
        return _toggled(line, game, held)
    if verb := _VERB.fullmatch(line):
        word, rest = verb[1], verb[2].strip()
        if word in _SCORE:
            return _scored(rest, game)
        return _toggled(rest, game, held) if word in _HOLD else _kept(rest, game, held)
    return Score(_box(line, game))


def _scored(name: str, game: Game) -> Score:
    if not name:
        raise IllegalMove(Reason.NO_BOX_CHOSEN)
    return Score(_box(name, game))


def _toggled(typed: str, game: Game, held: frozenset[int]) -> Hold:
    """The dice at these positions, from 1: held ones are released, the others held."""
    numbers = _numbers(typed)
    if not numbers:
        raise Unclear(_("Say which dice to hold by their positions: h 1 3."))
    positions = [number - 1 for number in numbers]
    for position in positions:
        _check_die(position, game)
    if len(set(positions)) < len(positions):
        raise Unclear(_("Name each position once. To hold by faces type k: k 4 4."))
    return Hold(held.symmetric_difference(positions))


def _kept(typed: str, game: Game, held: frozenset[int]) -> Hold:
    """Dice that show these faces, ones already held first; no faces release all."""
    faces = _numbers(typed)
    if faces is None:
        raise Unclear(_("Say which faces to hold: k 4 4."))
    _check_die(0, game)
    order = sorted(range(len(game.dice)), key=lambda position: position not in held)
    kept = set[int]()
    for face in faces:
        fitting = (at for at in order if game.dice[at] == face and at not in kept)
        if (position := next(fitting, None)) is None:
            raise Unclear(_too_few(face, game.dice.count(face)))
        kept.add(position)
    return Hold(frozenset(kept))


def _too_few(face: int, n: int) -> str:
    if not n:
        return _("No die shows {face}.", face=face)
    return _.plural("Only {n} die shows {face}.", "Only {n} dice show {face}.", n, face=face)


def _check_die(position: int, game: Game) -> None:
    """Raise the IllegalMove that refuses to hold this die now."""
    if not 0 <= position < game.ruleset.dice:
        raise IllegalMove(Reason.NO_SUCH_DIE, value=position + 1, dice=game.ruleset.dice)
    game.check(Keep(frozenset({position})))


def _numbers(typed: str) -> list[int] | None:
    """Digits, also without spaces between them; None if there is anything else."""
    return (
        [int(digit) for digit in re.findall("[0-9]", typed)] if _DIGITS.fullmatch(typed) else None
    )


def _box(typed: str, game: Game) -> str:
    """The key of the box with this name, short name or beginning of a name."""
    keys = [category.key for category in game.ruleset.categories]
    wanted = _letters(typed)
    exact = [key for key in keys if wanted in _exact_names(key)]
    found = exact or [key for key in keys if wanted and _name(key).startswith(wanted)]
    if len(found) == 1:
        return found[0]
    if found:
        raise Unclear(
            _("“{typed}” may be {boxes}. Type more of it.", typed=typed, boxes=_either(found))
        )
    raise Unclear(
        _("“{typed}” is neither a box nor a command. Type ? to see both.", typed=short(typed))
    )


def _exact_names(key: str) -> set[str]:
    brief = SHORT_NAMES[key]
    return {_name(key), _letters(key), brief, brief.removeprefix("s")}


def _either(keys: Iterable[str]) -> str:
    *others, last = (words.box(key, _) for key in keys)
    return _("{some} or {last}", some=words.listed(others, _), last=last)


def _name(key: str) -> str:
    return _letters(words.box(key, _).casefold())


def _letters(text: str) -> str:
    """What a name is told by; accents needn't be typed."""
    return "".join(sign for sign in normalize("NFD", text) if sign.isalnum())
