"""A game as one immutable value, and the events that make it."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import combinations
from typing import Self

from yacht.engine.reasons import IllegalMove, Reason
from yacht.engine.rules import CLASSIC, Dice, Ruleset

MOST_SEATS = 8


@dataclass(frozen=True, slots=True)
class Keep:
    """A move: these dice (positions from 0) stay, the rest are rolled. Empty: roll them all."""

    positions: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Score:
    """A move, and the event it becomes: the dice go into this box."""

    category: str


@dataclass(frozen=True, slots=True)
class UndoScore:
    """A move, and the event it becomes: take the last score back, nothing was rolled since."""


@dataclass(frozen=True, slots=True)
class Rolled:
    """An event: the dice on the table after a roll, the kept ones unchanged in their places."""

    kept: frozenset[int]
    dice: Dice


Move = Keep | Score | UndoScore
Event = Rolled | Score | UndoScore


@dataclass(frozen=True, slots=True)
class Scorecard:
    """One player's boxes in the ruleset's order: points, or None while open."""

    boxes: tuple[int | None, ...]

    @property
    def total(self) -> int:
        """The sum of the filled boxes."""
        return sum(filter(None, self.boxes))

    @property
    def filled(self) -> int:
        """How many boxes are filled, with zeros too."""
        return len(self.boxes) - self.boxes.count(None)

    def fill(self, place: int, points: int) -> "Scorecard":
        """The card with one more box filled."""
        return Scorecard((*self.boxes[:place], points, *self.boxes[place + 1 :]))


@dataclass(frozen=True, slots=True)
class Standing:
    """A seat's place: equal totals share a rank, and the next rank counts them all."""

    rank: int
    seat: int
    total: int


@dataclass(frozen=True, slots=True)
class Game:
    """The whole truth about a game in progress.

    ``dice`` is empty before the first roll of a turn, ``kept`` holds the positions that stayed at
    the last roll, and ``before`` is the game as it was before the last score while that score
    can still be taken back.
    """

    ruleset: Ruleset
    cards: tuple[Scorecard, ...]
    dice: Dice = ()
    kept: frozenset[int] = frozenset()
    rolls_used: int = 0
    before: "Game | None" = None

    @classmethod
    def new(cls, ruleset: Ruleset = CLASSIC, seats: int = 1) -> Self:
        """An empty card for each of 1 to 8 seats. Raises IllegalMove(SEAT_COUNT)."""
        if not 1 <= seats <= MOST_SEATS:
            raise IllegalMove(Reason.SEAT_COUNT, value=seats, most=MOST_SEATS)
        return cls(ruleset, (Scorecard((None,) * len(ruleset.categories)),) * seats)

    @property
    def seat(self) -> int:
        """Whose turn it is, from 0; of a game that is over, 0."""
        return self._scores % len(self.cards)

    @property
    def turn(self) -> int:
        """Which turn the seat is in, from 0; of a game that is over, the number of boxes."""
        return self._scores // len(self.cards)

    @property
    def is_over(self) -> bool:
        """Every box of every card is filled; the last seat's card is the last to be full."""
        return None not in self.cards[-1].boxes

    @property
    def rolls_left(self) -> int:
        """How many rolls the turn still has; 0 once the game is over."""
        return 0 if self.is_over else self.ruleset.rolls - self.rolls_used

    @property
    def open_boxes(self) -> tuple[str, ...]:
        """The keys of the open boxes of the seat whose turn it is, in card order."""
        boxes = self.cards[self.seat].boxes
        return tuple(
            category.key
            for category, points in zip(self.ruleset.categories, boxes, strict=True)
            if points is None
        )

    @property
    def standings(self) -> tuple[Standing, ...]:
        """All seats, the highest total first, equal ones in seat order."""
        totals = [card.total for card in self.cards]
        return tuple(
            Standing(1 + sum(other > totals[seat] for other in totals), seat, totals[seat])
            for seat in sorted(range(len(totals)), key=lambda seat: -totals[seat])
        )

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that share the highest total; empty before the end."""
        return tuple(s.seat for s in self.standings if s.rank == 1) if self.is_over else ()

    def moves(self) -> Iterator[Move]:
        """Every legal move, each once: undo, keeps, scores."""
        if self.before is not None:
            yield UndoScore()
        if self.rolls_left:
            yield from _keeps(len(self.dice))
        if self.dice:
            yield from map(Score, self.open_boxes)

    def holding(self, faces: Iterable[int]) -> Keep:
        """The keep of dice with these faces: those kept at the last roll first, then from the left.

        Faces that don't lie there are passed over.
        """
        wanted, positions = Counter(faces), set[int]()
        for position in sorted(range(len(self.dice)), key=lambda place: place not in self.kept):
            if wanted[self.dice[position]]:
                wanted[self.dice[position]] -= 1
                positions.add(position)
        return Keep(frozenset(positions))

    def check(self, move: Move) -> None:
        """Raise the IllegalMove that refuses this move, if it isn't among ``moves()``."""
        match move:
            case Keep(positions):
                self._check_keep(positions)
            case Score(category):
                self._check_score(category)
            case UndoScore():
                if self.before is None:
                    raise IllegalMove(Reason.NOTHING_TO_UNDO)
            case _:
                raise TypeError(f"not a move: {move!r}")

    def rolled(self, keep: Keep, thrown: Dice) -> Rolled:
        """The event of a keep: ``thrown`` has a face for every position, kept dice ignore theirs.

        Raises IllegalMove if the keep is refused.
        """
        self._check_keep(keep.positions)
        dice = tuple(
            self.dice[position] if position in keep.positions else face
            for position, face in enumerate(thrown)
        )
        return Rolled(keep.positions, dice)

    def play(self, event: Event) -> "Game":
        """The game after an event. Raises IllegalMove, and the game stays what it was.

        A Keep is a move but no event: ``rolled`` makes it one, with the dice that were thrown.
        """
        match event:
            case Rolled(kept, dice):
                return self._after_roll(kept, dice)
            case Score(category):
                return self._after_score(category)
            case UndoScore():
                if self.before is None:
                    raise IllegalMove(Reason.NOTHING_TO_UNDO)
                return self.before
            case _:
                raise TypeError(f"not an event: {event!r}")

    @property
    def _scores(self) -> int:
        return sum(card.filled for card in self.cards)

    def _after_roll(self, kept: frozenset[int], dice: Dice) -> "Game":
        self._check_keep(kept)
        checked = self.ruleset.check(dice)
        for position in kept:
            if checked[position] != self.dice[position]:
                raise IllegalMove(Reason.KEPT_DIE_CHANGED, position=position + 1)
        return Game(self.ruleset, self.cards, checked, kept, self.rolls_used + 1)

    def _after_score(self, category: str) -> "Game":
        place = self._check_score(category)
        seat = self.seat
        points = self.ruleset.categories[place].score(self.dice)
        card = self.cards[seat].fill(place, points)
        after = Game(self.ruleset, (*self.cards[:seat], card, *self.cards[seat + 1 :]))
        return after if after.is_over else Game(after.ruleset, after.cards, before=self)

    def _check_keep(self, positions: frozenset[int]) -> None:
        if self.is_over:
            raise IllegalMove(Reason.GAME_OVER)
        if not self.rolls_left:
            raise IllegalMove(Reason.NO_ROLLS_LEFT, rolls=self.ruleset.rolls)
        for position in positions:
            if type(position) is not int or not 0 <= position < self.ruleset.dice:
                raise IllegalMove(Reason.NO_SUCH_DIE, value=position, dice=self.ruleset.dice)
        if positions and not self.dice:
            raise IllegalMove(Reason.NOTHING_TO_KEEP)
        if len(positions) == self.ruleset.dice:
            raise IllegalMove(Reason.ALL_KEPT)

    def _check_score(self, category: str) -> int:
        if self.is_over:
            raise IllegalMove(Reason.GAME_OVER)
        place = self.ruleset.index(category)
        if not self.dice:
            raise IllegalMove(Reason.NOT_ROLLED)
        if self.cards[self.seat].boxes[place] is not None:
            raise IllegalMove(Reason.BOX_FILLED, category=category)
        return place


def replay(game: Game, events: Iterable[Event]) -> Game:
    """The game after all these events. Raises IllegalMove at the first that is refused."""
    return reduce(Game.play, events, game)


@lru_cache
def _keeps(dice: int) -> tuple[Keep, ...]:
    """Every keep that rolls at least one of so many dice; without dice, only the empty one."""
    sizes = range(max(dice, 1))
    return tuple(
        Keep(frozenset(kept)) for size in sizes for kept in combinations(range(dice), size)
    )
