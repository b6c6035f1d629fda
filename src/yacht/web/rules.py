"""The rules as a page. Every point on it is counted by engine and solver, none is typed."""

from collections.abc import Sequence
from dataclasses import dataclass

from litestar import Response

from yacht import counting
from yacht.engine.game import MOST_SEATS, Game
from yacht.engine.rules import RULESETS, Category, Dice, Ruleset, score
from yacht.i18n import N_, Language
from yacht.web.aside import aside
from yacht.web.languages import content
from yacht.web.leaflet import leaflet_of
from yacht.web.rendering import EXAMPLES
from yacht.web.respond import page
from yacht.web.visit import Asked, language_of

_MISSES = (
    (
        N_("No Full House"),
        (
            ("full_house", (3, 3, 3, 3, 3), N_("Five alike is a Yacht")),
            ("full_house", (1, 4, 4, 4, 4), N_("Four and one")),
            ("full_house", (2, 2, 4, 4, 6), N_("Two pairs")),
        ),
    ),
    (
        N_("No straight"),
        (
            ("little_straight", (1, 2, 3, 4, 6), N_("The 5 is missing")),
            ("big_straight", (1, 3, 4, 5, 6), N_("The 2 is missing")),
            ("little_straight", (1, 1, 2, 3, 4), N_("Four in a row")),
            ("little_straight", (1, 2, 3, 3, 4), N_("One face twice")),
            ("big_straight", (3, 4, 4, 6, 6), N_("Two faces twice")),
        ),
    ),
    (
        N_("In the other straight’s box"),
        (
            ("little_straight", (2, 3, 4, 5, 6), N_("Big, in Little")),
            ("big_straight", (1, 2, 3, 4, 5), N_("Little, in Big")),
        ),
    ),
)
"""Dice that look like something: the box they are entered in, the dice, what they really are."""

_FIVE_THREES = (3, 3, 3, 3, 3)

_TURN = (
    (
        ((1,), (2, 2), (4, 6)),
        N_("A pair of 2s and not much else. You hold the 2s, and roll the other three: {dice}"),
        (4, 4, 6),
    ),
    (
        ((2, 2), (4, 4), (6,)),
        N_(
            "Two pairs, and the 4s are worth more. You hold those now, so you release the 2s, "
            "and roll three dice: {dice}"
        ),
        (1, 4, 4),
    ),
)
"""The turn that is told: dice before, among and after the held ones; what happens; new dice."""

_TURN_ENDS = (1, 4, 4, 4, 4)
_TURN_MAY_END_IN = ("four_of_a_kind", "fours", "choice")

_WORKED = ((4, 4, 4, 4, 1), (6, 6, 6, 6, 6))


@dataclass(frozen=True, slots=True)
class _Box:
    """A box with an example; ``idle`` are the places of the dice that add nothing to it."""

    key: str
    counts: str
    dice: Dice
    points: int
    most: int
    idle: Sequence[int]


@content("/rules")
async def rules(request: Asked) -> Response[str]:
    """The rules; ``back`` is the game or the scorekeeper's card that they were opened from."""
    leaflet, language = await leaflet_of(request), language_of(request)
    ruleset = leaflet.ruleset
    return page(
        request,
        "rules.html",
        **leaflet._asdict(),
        rulesets=RULESETS,
        seats=MOST_SEATS,
        boxes=[[_box(box, ruleset, language) for box in part] for part in ruleset.sections],
        misses=[
            (title, [(dice, why, score(dice, box, ruleset)) for box, dice, why in near])
            for title, near in _MISSES
        ],
        fives=_FIVE_THREES,
        fives_give=[(box.key, box.score(_FIVE_THREES)) for box in ruleset.categories],
        turn=_TURN,
        turn_ends=_TURN_ENDS,
        turn_gives=[(box, score(_TURN_ENDS, box, ruleset)) for box in _TURN_MAY_END_IN],
        worked=[
            (dice, [score(dice, "four_of_a_kind", each) for each in RULESETS.values()])
            for dice in _WORKED
        ],
        highest={key: _highest(each) for key, each in RULESETS.items()},
        lowest=_lowest(ruleset),
        best_play={key: await aside(_best_play, each) for key, each in RULESETS.items()},
    )


def _box(category: Category, ruleset: Ruleset, language: Language) -> _Box:
    key, dice = category.key, EXAMPLES[category.key]
    return _Box(
        key,
        counting.counts(category, ruleset, language).sentence,
        dice,
        category.score(dice),
        ruleset.most(key),
        idle(category, dice, ruleset),
    )


def idle(category: Category, dice: Dice, ruleset: Ruleset) -> list[int]:
    """The places of dice that add nothing: most other faces there would give the same points."""
    points, idle = category.score(dice), list[int]()
    for place, face in enumerate(dice):
        others = [other for other in range(1, ruleset.faces + 1) if other != face]
        same = [
            other
            for other in others
            if category.score((*dice[:place], other, *dice[place + 1 :])) == points
        ]
        if 2 * len(same) > len(others):
            idle.append(place)
    return idle


def _highest(ruleset: Ruleset) -> int:
    """The highest total: every box at its most."""
    return sum(ruleset.most(category.key) for category in ruleset.categories)


def _lowest(ruleset: Ruleset) -> int:
    """The lowest total: every box at its least."""
    return sum(min(map(box.score, ruleset.rolls_sorted())) for box in ruleset.categories)


def _best_play(ruleset: Ruleset) -> float:
    """The expected total of one player who plays alone and as well as can be."""
    from yacht.strategy.solo import solved  # noqa: PLC0415 (NumPy)

    return solved(ruleset).value(Game.new(ruleset).cards[0])
