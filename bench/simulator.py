"""How many games a second the simulator plays, beside what they ask of NumPy."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter

import numpy as np
from numpy.random import SFC64, Generator

from bench.report import Line, Table, ratio, say
from yacht.engine.rules import CLASSIC
from yacht.strategy.players import LEVELS
from yacht.strategy.simulate import simulate
from yacht.strategy.solo import solved

_ROUNDS = 5
_EXACT, _BY_ODDS = 1_000_000, 20_000
_AIM = 300_000
_BLOCK = 1 << 15


def run() -> Table:
    """Exact play beside its random numbers and look-ups alone; the other levels beside exact."""
    say("simulator: exact play")
    simulate(LEVELS["exact"], 1, 0)  # solved before it is measured
    rounds = [
        (_rate(lambda seed=seed: _play("exact", _EXACT, seed)), _rate(lambda: _bare(_EXACT)))
        for seed in range(_ROUNDS)
    ]
    exact, bare = ([pair[side] for pair in rounds] for side in (0, 1))
    lines = [
        Line(
            "games, exact play",
            f"{max(exact):,.0f}/s",
            f"numbers and look-ups alone {max(bare):,.0f}/s: {ratio(exact, bare):.2f} ×",
            f"at least {_AIM:,}/s",
            max(exact) >= _AIM,
        )
    ]
    for key in ("strong", "steady", "easy"):
        say(f"simulator: {key}")
        rates = [_rate(lambda key=key, seed=seed: _play(key, _BY_ODDS, seed)) for seed in range(3)]
        lines.append(Line(f"{_BY_ODDS:,} games, {key}", f"{_BY_ODDS / max(rates):.1f} s"))
    return Table(
        "Simulator",
        f"Solo games of Classic on all cores: {_EXACT:,} by exact play, {_BY_ODDS:,} by odds. The "
        "numbers and look-ups alone are 36 random numbers below 7,776 a game, and for each one "
        "entry of the solver's table and one of a table of rolls, on as many threads.",
        lines,
    )


def _rate(work: Callable[[], int]) -> float:
    start = perf_counter()
    games = work()
    return games / (perf_counter() - start)


def _play(key: str, games: int, seed: int) -> int:
    return len(simulate(LEVELS[key], games, seed))


def _bare(games: int) -> int:
    """What NumPy takes for the numbers and look-ups of so many games, blocks in turn."""
    table = solved(CLASSIC).policy.keeps[0].ravel()
    rolls = np.arange(7776 * 3) % 252
    row = Generator(SFC64(1)).integers(4096, size=_BLOCK) * 252

    def block(number: int) -> None:
        source = Generator(SFC64(number))
        for _ in range(36):
            thrown = source.integers(7776, size=_BLOCK, dtype=np.uint16)
            table.take(row + rolls.take(thrown))

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        blocks = -(-games // _BLOCK)
        list(pool.map(block, range(blocks)))
    return blocks * _BLOCK
