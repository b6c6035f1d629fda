"""The rules as a page. Every point on it is counted by the engine while the page is made."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from litestar import Response

from yacht.engine.game import MOST_SEATS
from yacht.engine.reasons import IllegalMove
from yacht.engine.rules import CLASSIC, RULESETS, Category, Dice, Ruleset, score
from yacht.i18n import N_
from yacht.rooms.host import Host
from yacht.web.languages import content
from yacht.web.rendering import EXAMPLES
from yacht.web.respond import page
from yacht.web.visit import Asked, host_of

_COUNTS = {
    "full_house": N_("Three of one face and two of another, all five added up."),
    "little_straight": N_("One to five, each of them, in any order."),
    "big_straight": N_("Two to six, each of them, in any order."),
    "choice": N_("Any dice at all, added up."),
    "yacht": N_("Five alike, whichever face."),
}

_FOUR_COUNTS = {
    "classic": N_("Four alike, or five: four times their face. The fifth die never counts."),
    "sum": N_("Four alike, or five: all five dice added up."),
}

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

_BEST_PLAY = {"classic": 166.9550677046, "sum": 169.7738890526}
"""The expected total of one player who plays alone and as well as can be."""


@dataclass(frozen=True, slots=True)
class _Box:
    """A box with an example: ``counts`` is for combinations, ``face`` for numbers.

    ``idle`` are the places of the dice that add nothing to the example.
    """

    key: str
    counts: str
    face: int | None
    dice: Dice
    points: int
    most: int
    idle: Sequence[int]


@content("/rules")
async def rules(request: Asked) -> Response[str]:
    """The rules; ``back`` is the game or the scorekeeper's card that they were opened from."""
    back, played = await opened_from(host_of(request), request.query_params.get("back", ""))
    asked = request.query_params.get("ruleset", "")
    ruleset = RULESETS.get(asked, played or CLASSIC)
    return page(
        request,
        "rules.html",
        back=back,
        played=played,
        ruleset=ruleset,
        rulesets=RULESETS,
        seats=MOST_SEATS,
        boxes=[[_box(box, ruleset) for box in part] for part in ruleset.sections],
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
        best_play=_BEST_PLAY,
    )


async def opened_from(host: Host, back: str) -> tuple[str, Ruleset | None]:
    """Where to go back to and the rules that are played there, as far as the server knows.

    That is a room, or ``score`` with the card that is looked at there; nothing if it is neither.
    """
    if re.fullmatch(r"score(\.[A-Za-z0-9_-]{8,64})?", back):
        return back, None
    if not re.fullmatch(r"[A-Za-z0-9_-]{16}", back):
        return "", None
    try:
        return back, (await host.room(back)).ruleset
    except IllegalMove:
        return "", None


def _box(category: Category, ruleset: Ruleset) -> _Box:
    key, dice = category.key, EXAMPLES[category.key]
    return _Box(
        key,
        _FOUR_COUNTS[ruleset.key] if key == "four_of_a_kind" else _COUNTS.get(key, ""),
        category.face,
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
