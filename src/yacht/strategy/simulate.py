"""Many games alone at once: all of them play their first turn, then all their second one.

They go through a turn in blocks that stay in a processor's cache, each with random numbers of its
own. So the totals don't depend on the number of threads, and a longer run begins with those of a
shorter one.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import chain
from typing import Protocol

import numpy as np
from numpy.random import SFC64, Generator, SeedSequence
from numpy.typing import NDArray

from yacht.engine.rules import CLASSIC, Dice, Ruleset
from yacht.strategy.lattice import Floats, Ints, Lattice
from yacht.strategy.odds import Odds
from yacht.strategy.players import Level
from yacht.strategy.solo import Solver, solved

_BLOCK = 1 << 15
_SETS = 32
"""So many sets of open boxes at once get their odds."""
_FINE = 32
"""Bits of a chance: with a place in a table before the point it is still exact as a float."""


def simulate(
    level: Level,
    games: int,
    seed: int,
    ruleset: Ruleset = CLASSIC,
    progress: Callable[[int], object] | None = None,
) -> NDArray[np.int32]:
    """The totals of so many games (1 or more) that a level plays alone.

    The same seed (0 or more) gives the same ones. ``progress`` is told every few milliseconds in
    how many more games a turn was played.
    """
    solver = solved(ruleset)
    plays, turns = _plays(level, solver), len(ruleset.categories)
    open_boxes = np.full(games, (1 << turns) - 1, np.int16)
    totals = np.zeros(games, np.int32)
    blocks = [slice(start, min(start + _BLOCK, games)) for start in range(0, games, _BLOCK)]
    walk = _Walk(solver)
    pool = ThreadPoolExecutor(os.cpu_count())
    try:
        for turn in range(turns):
            done = pool.map(
                partial(walk.turn, plays(open_boxes)),
                (open_boxes[block] for block in blocks),
                (totals[block] for block in blocks),
                (SeedSequence(seed, spawn_key=(turn, block)) for block in range(len(blocks))),
            )
            for played in done:
                if progress:
                    progress(played)
    finally:
        pool.shutdown(cancel_futures=True)  # a with statement would first play all that waits
    return totals


class _Play(Protocol):
    """How a level plays a turn. Every array has an entry for each game of a block.

    A roll's number counts the rolls alone, a keep's the whole lattice.
    """

    def rows(self, open_boxes: NDArray[np.int16]) -> Ints:
        """Where the tables' entries for these sets of open boxes begin; the rolls follow."""
        ...

    def keep(self, row: Ints, roll: Ints, left: int, before: Ints, source: Generator) -> Ints:
        """What to hold with so many rolls left, after holding ``before``; to score, all of it."""
        ...

    def box(self, row: Ints, roll: Ints, source: Generator) -> Ints:
        """The place of the box to score a roll in."""
        ...


def _plays(level: Level, solver: Solver) -> Callable[[NDArray[np.int16]], _Play]:
    """How a level plays the next turn of games with these open boxes."""
    if level.temperature:
        return partial(_Drawn, Odds(solver, level.temperature))
    best = _Best(solver)
    return lambda open_boxes: best  # noqa: ARG005 (it has them all)


class _Walk:
    """A turn, for a block of games.

    ``_rolls`` has what each keep may become: from its ``_starts`` on, a roll for each of the
    ``_ways`` in which its other dice can fall.
    """

    def __init__(self, solver: Solver) -> None:
        self._left = range(solver.ruleset.rolls - 1, 0, -1)
        self._points, self._count = solver.points.ravel(), solver.points.shape[1]
        becomes = _becomes(solver.lattice)
        self._ways = np.array([len(rolls) for rolls in becomes])
        self._starts = np.cumsum(self._ways) - self._ways
        self._rolls = np.concatenate(becomes)

    def turn(
        self,
        play: _Play,
        open_boxes: NDArray[np.int16],
        totals: NDArray[np.int32],
        seed: SeedSequence,
    ) -> int:
        """Play it, in place; how many games did."""
        source, row = Generator(SFC64(seed)), play.rows(open_boxes)
        keep = np.zeros(len(open_boxes), np.intp)
        roll = self._thrown(keep, source)
        for left in self._left:
            keep = play.keep(row, roll, left, keep, source)
            roll = self._thrown(keep, source)
        box = play.box(row, roll, source)
        totals += self._points.take(box * self._count + roll)
        open_boxes ^= np.left_shift(1, box)
        return len(open_boxes)

    def _thrown(self, keep: Ints, source: Generator) -> Ints:
        """What each keep becomes. All dice fall in a multiple of the ways its own can fall."""
        most = int(self._ways[0])
        place = self._ways.take(keep)
        place *= _random(source, most, len(keep))
        place //= most
        place += self._starts.take(keep)
        return self._rolls.take(place)


class _Best:
    """The solver's choices."""

    def __init__(self, solver: Solver) -> None:
        keeps, boxes = solver.policy
        self._keeps, self._boxes = [stage.ravel() for stage in keeps], boxes.ravel()
        self._count = boxes.shape[1]

    def rows(self, open_boxes: NDArray[np.int16]) -> Ints:
        return open_boxes.astype(np.intp) * self._count

    def keep(self, row: Ints, roll: Ints, left: int, before: Ints, source: Generator) -> Ints:
        del before, source  # what is to be scored stays so, and nothing is left to chance
        return self._keeps[left - 1].take(row + roll).astype(np.intp)

    def box(self, row: Ints, roll: Ints, source: Generator) -> Ints:
        del source
        return self._boxes.take(row + roll).astype(np.intp)


class _Drawn:
    """Choices by odds, for those sets of open boxes of one size that some games have.

    A table has where each option ends on one line, on which every roll of every set takes 1.
    """

    def __init__(self, odds: Odds, open_boxes: NDArray[np.int16]) -> None:
        masks = np.flatnonzero(np.bincount(open_boxes))
        self._options, self._count = odds.options, len(odds.starts)
        self._first = odds.solver.lattice.rolls.start
        self._rows = np.zeros(masks[-1] + 1, np.intp)
        self._rows[masks] = np.arange(len(masks)) * self._count
        open_count = int(masks[0]).bit_count()
        of_box = np.repeat(np.arange(self._count), open_count)
        self._keeps = [
            np.empty((len(masks), len(self._options))) for _ in range(odds.solver.ruleset.rolls - 1)
        ]
        self._boxes = np.empty((len(masks), len(of_box)))
        self._places = np.empty((len(masks), open_count), np.intp)
        for start in range(0, len(masks), _SETS):
            here = slice(start, start + _SETS)
            turn = odds.turn(masks[here])
            for ends, stage in zip(self._keeps, turn.keeps, strict=True):
                _line_up(stage.T, odds.rolls, start, ends[here])
            _line_up(turn.boxes.reshape(-1, len(of_box)), of_box, start, self._boxes[here])
            self._places[here] = turn.places.T

    def rows(self, open_boxes: NDArray[np.int16]) -> Ints:
        return self._rows.take(open_boxes)

    def keep(self, row: Ints, roll: Ints, left: int, before: Ints, source: Generator) -> Ints:
        drawn = _draw(self._keeps[left - 1], row + roll, source)
        return np.where(before < self._first, self._options.take(drawn), before)

    def box(self, row: Ints, roll: Ints, source: Generator) -> Ints:
        drawn = _draw(self._boxes, row + roll, source) % self._places.shape[1]
        return self._places[row // self._count, drawn]


def _line_up(odds: Floats, rolls: Ints, first: int, ends: Floats) -> None:
    """Set where each option ends (cases × options); those of a roll begin at its number.

    ``rolls`` has the roll that each option belongs to; ``first`` is the number of the first case.
    """
    np.cumsum(odds, axis=1, out=ends)
    np.minimum(ends, rolls + 1, out=ends)
    last = np.append(np.diff(rolls) > 0, True)
    ends[:, last] = rolls[last] + 1  # but for rounding it is so already
    ends += (np.arange(len(odds))[:, np.newaxis] + first) * (rolls[-1] + 1)


def _draw(ends: Floats, places: Ints, source: Generator) -> Ints:
    """The option drawn for each game, counted within its case."""
    marks = places + _random(source, 1 << _FINE, len(places)) / (1 << _FINE)
    return np.searchsorted(ends.ravel(), marks, side="right") % ends.shape[1]


def _random(source: Generator, below: int, games: int) -> Ints:
    """A number for each game; a full block draws as many as one that isn't."""
    kind = np.min_scalar_type(below - 1)
    return source.integers(below, size=_BLOCK, dtype=kind)[:games]


def _becomes(lattice: Lattice) -> list[Ints]:
    """The rolls that each keep may become, one for each way in which its other dice can fall."""
    becomes = dict[Dice, list[int]]()
    for keep in reversed(lattice.keeps):
        if len(keep) == lattice.dice:
            becomes[keep] = [lattice.index[keep] - lattice.rolls.start]
        else:
            more = (tuple(sorted((*keep, face))) for face in range(1, lattice.faces + 1))
            becomes[keep] = list(chain.from_iterable(becomes[larger] for larger in more))
    return [np.array(becomes[keep]) for keep in lattice.keeps]
