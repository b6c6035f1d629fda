"""The tips as a page: what each says, shown on positions with the solver's exact numbers."""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

from litestar import Response

from yacht import words
from yacht.engine.position import Position
from yacht.engine.rules import RULESETS, Ruleset
from yacht.i18n import Language
from yacht.strategy.advice import Tip
from yacht.strategy.lessons import Lesson, lessons
from yacht.web.analysis import address
from yacht.web.aside import aside
from yacht.web.languages import content
from yacht.web.leaflet import leaflet_of
from yacht.web.respond import page
from yacht.web.rules import idle
from yacht.web.visit import Asked

_FOUR_ALIKE = ((6, 6, 6, 6, 1), (5, 5, 5, 5, 1), (4, 4, 4, 4, 1), (1, 1, 1, 1, 6))


@content("/tips")
async def tips(request: Asked) -> Response[str]:
    """The tips; ``back`` is the game or the scorekeeper's card that they were opened from."""
    leaflet = await leaflet_of(request)
    ruleset = leaflet.ruleset
    four = ruleset.categories[ruleset.index("four_of_a_kind")]
    alike = [(dice, idle(four, dice, ruleset), four.score(dice)) for dice in _FOUR_ALIKE]
    return page(
        request,
        "tips.html",
        **leaflet._asdict(),
        rulesets=RULESETS,
        lessons=await aside(_lessons, ruleset),
        alike=alike,
        address=address,
        moment=moment,
        odds=odds,
    )


@lru_cache
def _lessons(ruleset: Ruleset) -> Mapping[Tip, tuple[Lesson, ...]]:
    return lessons(ruleset)


def moment(at: Position, language: Language) -> str:
    """How far the turn and the card are: “1 roll left. Open: Sixes, Yacht.”."""
    left = words.rolls_left(at.rolls_left, language) if at.rolls_left else language("No rolls left")
    boxes = [
        words.box(box.key, language)
        for box, points in zip(at.ruleset.categories, at.card.boxes, strict=True)
        if points is None
    ]
    if len(boxes) == len(at.card.boxes):
        card = language("All boxes are open.")
    else:
        card = language("Open: {boxes}.", boxes=words.listed(boxes, language))
    return f"{language('{what}.', what=left)} {card}"


def odds(chance: Fraction, language: Language) -> str:
    """A chance as one says it at the table: “1 in 3”."""
    if not chance:
        return language("never")
    return language("{n} in {of}", n=chance.numerator, of=chance.denominator)
