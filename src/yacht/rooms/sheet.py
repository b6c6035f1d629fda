"""A scorecard of real dice: what somebody wrote down at a table, in whatever order."""

from functools import lru_cache
from typing import Annotated

import msgspec

from yacht.engine.game import MOST_SEATS, Game, Scorecard
from yacht.engine.reasons import IllegalMove, Reason
from yacht.engine.rules import Ruleset, ruleset_named
from yacht.rooms.names import clean_name


class Player(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A column: the points of each box by its key, null or left out while it is open."""

    name: str
    boxes: dict[str, int | None]


class Sheet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The columns of 1 to 8 players, as they are sent and stored."""

    ruleset: str
    players: Annotated[tuple[Player, ...], msgspec.Meta(min_length=1, max_length=MOST_SEATS)]

    def checked(self) -> "Sheet":
        """The same with its names trimmed and its filled boxes alone.

        Raises IllegalMove naming the first thing that can't be.
        """
        rules = ruleset_named(self.ruleset)
        players = (Player(clean_name(one.name), _filled(rules, one.boxes)) for one in self.players)
        return Sheet(rules.key, tuple(players))

    @property
    def rules(self) -> Ruleset:
        """The ruleset it is kept by."""
        return ruleset_named(self.ruleset)

    @property
    def cards(self) -> tuple[Scorecard, ...]:
        """The columns as cards of the ruleset."""
        keys = [category.key for category in self.rules.categories]
        return tuple(Scorecard(tuple(one.boxes.get(key) for key in keys)) for one in self.players)

    @property
    def game(self) -> Game:
        """A game with these cards, for its ranks; it needn't be one that could be played."""
        return Game(self.rules, self.cards)

    @property
    def is_over(self) -> bool:
        """Every box of every card is filled."""
        return all(None not in card.boxes for card in self.cards)

    @property
    def seat(self) -> int:
        """Whose turn it is: the first of those with the fewest filled boxes."""
        filled = [card.filled for card in self.cards]
        return filled.index(min(filled))


def _filled(rules: Ruleset, boxes: dict[str, int | None]) -> dict[str, int | None]:
    given = _given(rules)
    for key, points in boxes.items():
        rules.index(key)
        if points is not None and points not in given[key]:
            raise IllegalMove(Reason.BAD_POINTS, category=key, value=points)
    return {key: points for key, points in boxes.items() if points is not None}


@lru_cache
def _given(rules: Ruleset) -> dict[str, set[int]]:
    """All the points that each box can give."""
    return {category.key: rules.given(category.key) for category in rules.categories}
