"""How fast the rules are: whole games, tokens and throws, each beside the least it could cost."""

import hmac
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from time import process_time

from bench.games import play
from bench.report import Line, Table, ratio, say
from yacht.engine.dice import throw
from yacht.engine.game import Event, Game, Keep, Rolled, Score, UndoScore
from yacht.engine.notation import decode, encode
from yacht.engine.rules import CLASSIC

_ROUNDS = 5
_SECONDS = 0.3
_KEY = bytes(32)


def run() -> Table:
    """Three pairs: what the engine does, and the same without what makes it the engine."""
    played = [event for seed in range(50) for event in play(Random(seed)).events]
    tokens = [encode(event) for event in played]
    assert [decode(token) for token in tokens] == played
    texts = [json.dumps(_as_lists(event)) for event in played]

    say("engine: random whole games")
    games = _pair(_game, _loop)
    say("engine: tokens")
    tokens_out = _pair(
        lambda _: len([encode(event) for event in played]),
        lambda _: len([json.dumps(_as_lists(event)) for event in played]),
    )
    tokens_in = _pair(
        lambda _: len([decode(token) for token in tokens]),
        lambda _: len([json.loads(text) for text in texts]),
    )
    say("engine: throws")
    throws = _pair(_throws, _digests)
    return Table(
        "Engine",
        "Pure Python, one thread. A game is one seat of Classic; each move is drawn from all that "
        "`moves()` offers but undo, and goes through `play()`. The plain loop rolls, holds and "
        "scores the same without a `Game`: a list of boxes and no rule checked.",
        [
            Line(
                "random whole games",
                f"{games.ours:,.0f}/s",
                f"plain loop {games.theirs:,.0f}/s: {games.ratio:.2f} ×",
            ),
            _line("events to tokens", tokens_out, "json.dumps of the same lists"),
            _line("tokens to events", tokens_in, "json.loads of the same lists"),
            _line("throws of five dice", throws, "five bare HMACs"),
        ],
    )


@dataclass(frozen=True, slots=True)
class _Pair:
    ours: float
    theirs: float
    ratio: float


def _pair(ours: Callable[[Random], int], theirs: Callable[[Random], int]) -> _Pair:
    """The rates of two ways of working, measured in turn."""
    rounds = [(_rate(ours, seed), _rate(theirs, seed)) for seed in range(_ROUNDS)]
    one, other = ([pair[side] for pair in rounds] for side in (0, 1))
    return _Pair(max(one), max(other), ratio(one, other))


def _rate(work: Callable[[Random], int], seed: int) -> float:
    """How many a second of the processor; ``work`` does some and says how many."""
    chance, done, start = Random(seed), 0, process_time()
    while (spent := process_time() - start) < _SECONDS:
        done += work(chance)
    return done / spent


def _line(what: str, pair: _Pair, beside: str) -> Line:
    return Line(what, f"{pair.ours:,.0f}/s", f"{beside} {pair.theirs:,.0f}/s: {pair.ratio:.2f} ×")


def _game(chance: Random) -> int:
    """One game of any moves but undo."""
    game = Game.new()
    while not game.is_over:
        move = chance.choice([move for move in game.moves() if type(move) is not UndoScore])
        if isinstance(move, Keep):
            game = game.play(game.rolled(move, tuple(chance.choices(range(1, 7), k=5))))
        else:
            game = game.play(move)
    return 1


def _loop(chance: Random) -> int:
    """What `_game` does, as a loop: the same choices, nothing checked, nothing immutable."""
    boxes: list[int | None] = [None] * len(CLASSIC.categories)
    keeps = [[place for place in range(5) if mask >> place & 1] for mask in range(31)]
    while None in boxes:
        dice = chance.choices(range(1, 7), k=5)
        rolls, scored = 1, False
        while not scored:
            is_open = [place for place, points in enumerate(boxes) if points is None]
            pick = chance.choice([*(keeps if rolls < CLASSIC.rolls else ()), *is_open])
            if isinstance(pick, list):
                thrown = chance.choices(range(1, 7), k=5)
                for place in pick:
                    thrown[place] = dice[place]
                dice, rolls = thrown, rolls + 1
            else:
                boxes[pick] = CLASSIC.categories[pick].score(tuple(dice))
                scored = True
    return 1


def _as_lists(event: Event) -> Sequence[object]:
    match event:
        case Rolled(kept, dice):
            return [*kept], dice
        case Score(category):
            return [category]
        case UndoScore():
            return []


def _throws(_: Random) -> int:
    for turn in range(12):
        for roll in range(3):
            throw(_KEY, 0, turn, roll)
    return 36


def _digests(_: Random) -> int:
    for turn in range(12):
        for roll in range(3):
            for position in range(5):
                hmac.digest(_KEY, bytes([0, turn, roll, position, 0]), "sha256")
    return 36
