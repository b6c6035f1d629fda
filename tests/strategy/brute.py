"""Best play by trying everything that ``Game`` offers, in exact fractions: for toy rulesets."""

from collections import Counter
from collections.abc import Callable, Hashable
from fractions import Fraction
from itertools import combinations, product

from yacht.engine.game import Game, Keep, Move, UndoScore
from yacht.engine.rules import Dice, Ruleset

Named = tuple[Dice | None, str | None]
"""A choice: the dice that are kept, sorted, or the box they are scored in."""
Aims = tuple[Fraction, ...]
"""The best expected final total, then the best chances of a final total of 0, 1, 2, … or more."""
_Place = tuple[tuple[int | None, ...], Dice, int]


def contained(roll: Dice) -> set[Dice]:
    """Every sorted part of a sorted roll, with none and all of its dice."""
    return {keep for size in range(len(roll) + 1) for keep in combinations(roll, size)}


def becomes(keep: Dice, dice: int, faces: int) -> Counter[Dice]:
    """How many throws of the other dice make a roll of a keep."""
    thrown = product(range(1, faces + 1), repeat=dice - len(keep))
    return Counter(tuple(sorted((*keep, *others))) for others in thrown)


def named(game: Game, move: Move) -> Named:
    """What a move is without regard to the order of the dice."""
    if isinstance(move, Keep):
        return tuple(sorted(game.dice[position] for position in move.positions)), None
    assert not isinstance(move, UndoScore)
    return None, move.category


def offered(game: Game) -> dict[Named, Move]:
    """Every distinct choice, each with a move that makes it."""
    moves = (move for move in game.moves() if not isinstance(move, UndoScore))
    return {named(game, move): move for move in moves}


def place(game: Game) -> _Place:
    """What the rest of a game alone depends on."""
    return game.cards[0].boxes, tuple(sorted(game.dice)), game.rolls_left


class Brute:
    """Expectimax over ``moves()`` and ``play()`` from the empty card; each aim by itself."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.most = sum(ruleset.most(box.key) for box in ruleset.categories)
        self._best = dict[_Place, Aims]()
        self._games = list[Game]()
        self.best(Game.new(ruleset))

    @property
    def turns(self) -> list[Game]:
        """A game at the start of each turn that can come up."""
        return [game for game in self._games if not game.dice]

    def turn(self, start: Game) -> list[Game]:
        """The games that a turn can come to before it is scored; one for dice in any order."""
        return [game for game in self._games if game.cards == start.cards]

    def best(self, game: Game) -> Aims:
        """The most of each aim that can be had."""
        here = place(game)
        if here not in self._best:
            if game.is_over:
                total = game.cards[0].total
                reached = (Fraction(total >= target) for target in range(self.most + 2))
                self._best[here] = (Fraction(total), *reached)
            else:
                self._games.append(game)
                choices = self.choices(game).values()
                self._best[here] = tuple(max(aim) for aim in zip(*choices, strict=True))
        return self._best[here]

    def choices(self, game: Game) -> dict[Named, Aims]:
        """What each choice gives of each aim."""
        return {name: self._after(game, move) for name, move in offered(game).items()}

    def _after(self, game: Game, move: Move) -> Aims:
        if not isinstance(move, Keep):
            return self.best(game.play(move))
        after = [self.best(next_game) for next_game in throws(game, move)]
        return tuple(sum(aim) / Fraction(len(after)) for aim in zip(*after, strict=True))


def throws(game: Game, keep: Keep) -> list[Game]:
    """The games that the equally probable throws of a keep lead to."""
    faces = range(1, game.ruleset.faces + 1)
    rolled = product(faces, repeat=game.ruleset.dice - len(keep.positions))
    return [game.play(game.rolled(keep, _thrown(game, keep, dice))) for dice in rolled]


def _thrown(game: Game, keep: Keep, rolled: Dice) -> Dice:
    """A face for every position; the kept ones ignore theirs."""
    faces = iter(rolled)
    return tuple(1 if at in keep.positions else next(faces) for at in range(game.ruleset.dice))


def outcomes(
    starts: list[Game], choose: Callable[[Game], Named], ended: Callable[[Game], Hashable | None]
) -> dict[Hashable, Fraction]:
    """How likely each end is when ``choose`` makes every choice, from equally probable starts.

    ``ended`` tells of a game how it ended, None if it goes on.
    """
    known = dict[_Place, dict[Hashable, Fraction]]()

    def follow(game: Game) -> dict[Hashable, Fraction]:
        end = ended(game)
        if end is not None:
            return {end: Fraction(1)}
        here = place(game)
        if here not in known:
            move = offered(game)[choose(game)]
            after = throws(game, move) if isinstance(move, Keep) else [game.play(move)]
            known[here] = mean(after)
        return known[here]

    def mean(games: list[Game]) -> dict[Hashable, Fraction]:
        ends = dict[Hashable, Fraction]()
        for game in games:
            for end, chance in follow(game).items():
                ends[end] = ends.get(end, Fraction(0)) + chance / len(games)
        return ends

    return mean(starts)
