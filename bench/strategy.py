"""How fast the solver is: beside the same values by one dense matrix; and what it needs."""

import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from itertools import combinations, combinations_with_replacement, cycle
from math import factorial, prod
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from bench.report import Line, Table, ratio, say
from yacht.engine.game import Game, Scorecard
from yacht.engine.rules import CLASSIC, Dice
from yacht.strategy.solo import Solver

_ROUNDS = 7
_RANKED = 1000
_LEAST_FASTER = 3
_MOST_MICROSECONDS = 150
_MOST_SECONDS = 3
_MOST_MEGABYTES = 150
_MOST_LONGER = 0.15
"""Seconds that ``yacht advise`` may take beyond the import of NumPy."""
_IMPORT = (sys.executable, "-c", "import numpy")
_ADVISE = (
    *(str(Path(sys.executable).with_name("yacht")), "advise"),
    *("--dice", "1-2-2-4-6", "--rolls-left", "2", "--json"),
)
_TARGETS = (150, 180, 200, 250)
"""As many as a solver remembers."""
_SETS = 256
"""So many sets of open boxes at once are fastest for the dense form too."""
_EMPTY = Game.new().cards[0]


def run() -> Table:
    """Solving beside the dense form, then each question, then the memory of all of them."""
    say("strategy: solving")
    assert abs(Solver().value(_EMPTY) - _dense()) < 1e-9
    rounds = [(_seconds(Solver), _seconds(_dense)) for _ in range(_ROUNDS)]
    solves, denses = ([pair[side] for pair in rounds] for side in (0, 1))
    faster = ratio(denses, solves)
    say("strategy: questions")
    rank = _rank() * 1e6
    distribution = median(_seconds(lambda: Solver().distribution(_EMPTY)) for _ in range(_ROUNDS))
    chance = _seconds(lambda: Solver().chance(_EMPTY, 200))
    say("strategy: processes")
    starts = [(_process(_ADVISE), _process(_IMPORT)) for _ in range(_ROUNDS)]
    advise, imports = (median(pair[side] for pair in starts) for side in (0, 1))
    longer = median(ours - least for ours, least in starts)
    say("strategy: memory")
    imported, asked = _peak("import numpy"), _peak("from bench.strategy import ask; ask()")
    return Table(
        "Strategy",
        "Classic, solved from the rules: the tables of the dice, what each box gives, and all "
        "4,096 sets of open boxes. The dense form does the same with the 462 × 252 matrix of the "
        "chances from keeps to rolls, as many sets at once, NumPy's matrix product on all cores. "
        "Distribution and chance are the first question to a solver and include solving. The "
        f"process that asked everything ranked all 4,095 sets and had {len(_TARGETS)} targets.",
        [
            Line(
                "solve",
                f"{median(solves) * 1000:.0f} ms",
                f"dense form {median(denses) * 1000:.0f} ms: {faster:.1f} × as fast",
                f"at least {_LEAST_FASTER} ×",
                faster >= _LEAST_FASTER,
            ),
            Line(
                "rank, after the first of a card",
                f"{rank:.0f} µs",
                aim=f"at most {_MOST_MICROSECONDS} µs",
                met=rank <= _MOST_MICROSECONDS,
            ),
            Line(
                "distribution, empty card",
                f"{distribution:.2f} s",
                aim=f"at most {_MOST_SECONDS} s",
                met=distribution <= _MOST_SECONDS,
            ),
            Line("chance of 200, empty card", f"{chance:.1f} s"),
            Line(
                "`yacht advise --json`, the process",
                f"{advise:.2f} s",
                f"`import numpy` {imports:.2f} s: {longer:.2f} s longer",
                f"at most {_MOST_LONGER} s longer",
                longer <= _MOST_LONGER,
            ),
            Line(
                "peak memory, asked everything",
                f"{asked:.0f} MB",
                f"`import numpy` {imported:.0f} MB: {asked / imported:.1f} ×",
                f"under {_MOST_MEGABYTES} MB",
                asked < _MOST_MEGABYTES,
            ),
        ],
    )


def ask() -> None:
    """Solve and ask all that there is to ask."""
    solver, boxes = Solver(), len(CLASSIC.categories)
    for mask in range(1, 1 << boxes):
        card = Scorecard(tuple(None if mask >> box & 1 else 0 for box in range(boxes)))
        solver.rank(card, (1, 2, 2, 4, 6), 2)
    solver.distribution(_EMPTY)
    for target in _TARGETS:
        solver.rank_chance(_EMPTY, (1, 2, 2, 4, 6), 2, target)


def _seconds(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start


def _process(command: Sequence[str]) -> float:
    return _seconds(lambda: subprocess.run(command, stdout=subprocess.DEVNULL, check=True))


def _rank() -> float:
    """The median seconds to rank what any dice offer, on a card that was asked for before."""
    solver, chance = Solver(), Random(1)
    solver.rank(_EMPTY, (), CLASSIC.rolls)
    spent = list[float]()
    for _, left in zip(range(_RANKED), cycle((1, 2)), strict=False):
        dice = tuple(chance.choices(range(1, 7), k=5))
        spent.append(_seconds(lambda dice=dice, left=left: solver.rank(_EMPTY, dice, left)))
    return median(spent)


def _peak(code: str) -> float:
    """The most resident megabytes of a Python that does this, as Linux tells it."""
    told = "print(open('/proc/self/status').read())"
    ended = subprocess.run(
        [sys.executable, "-c", f"{code}; {told}"], stdout=subprocess.PIPE, text=True, check=True
    )
    found = re.search(r"VmHWM:\s+(\d+) kB", ended.stdout)
    assert found
    return int(found[1]) / 1024


def _dense() -> float:
    """The value of the empty card by the matrix of all chances, and the keeps of each roll."""
    faces, dice = range(1, CLASSIC.faces + 1), CLASSIC.dice
    keeps = [
        keep for size in range(dice + 1) for keep in combinations_with_replacement(faces, size)
    ]
    rolls = [keep for keep in keeps if len(keep) == dice]
    row = {keep: place for place, keep in enumerate(keeps)}
    column = {roll: place for place, roll in enumerate(rolls)}
    chances = np.zeros((len(keeps), len(rolls)))
    for keep in keeps:
        for others in combinations_with_replacement(faces, dice - len(keep)):
            roll = column[tuple(sorted(keep + others))]
            chances[row[keep], roll] = _ways(others) / 6 ** len(others)
    parts = [
        sorted({row[part] for size in range(dice + 1) for part in combinations(roll, size)})
        for roll in rolls
    ]
    most = max(map(len, parts))
    held = np.array([[*part, *part[:1] * (most - len(part))] for part in parts])
    points = np.array([[box.score(roll) for roll in rolls] for box in CLASSIC.categories])
    values = np.zeros(1 << len(points))
    masks = np.arange(1, len(values))
    for size in range(1, len(points) + 1):
        layer = masks[np.bitwise_count(masks) == size]
        for start in range(0, len(layer), _SETS):
            _solve(values, layer[start : start + _SETS], points, chances, held)
    return float(values[-1])


def _ways(dice: Dice) -> int:
    return factorial(len(dice)) // prod(factorial(dice.count(face)) for face in set(dice))


def _solve(
    values: NDArray[np.float64],
    masks: NDArray[np.intp],
    points: NDArray[np.intp],
    chances: NDArray[np.float64],
    held: NDArray[np.intp],
) -> None:
    """The values of some sets of equal size, whose smaller ones are known."""
    final = np.full((points.shape[1], len(masks)), -np.inf)
    for box, given in enumerate(points):
        (cases,) = np.nonzero(masks >> box & 1)
        worth = given[:, np.newaxis] + values[masks[cases] ^ 1 << box]
        final[:, cases] = np.maximum(final[:, cases], worth)
    best = final
    for _ in range(CLASSIC.rolls - 1):
        worth = chances @ best
        best = worth[held[:, 0]]
        for part in held.T[1:]:
            np.maximum(best, worth[part], out=best)
    values[masks] = chances[0] @ best
