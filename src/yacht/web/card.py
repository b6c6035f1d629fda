"""A blank scorecard to print, for those who play with dice, pencil and paper."""

from litestar import Response

from yacht.engine.game import MOST_SEATS
from yacht.engine.rules import CLASSIC, RULESETS, Ruleset
from yacht.i18n import N_, Language
from yacht.web.languages import content
from yacht.web.respond import page
from yacht.web.rules import opened_from
from yacht.web.visit import Asked, host_of

_PLAYERS = 4

_REMINDERS = {
    "full_house": N_("Three alike and two others alike: add all five"),
    "little_straight": N_("1-2-3-4-5 in any order: {n}"),
    "big_straight": N_("2-3-4-5-6 in any order: {n}"),
    "choice": N_("Any dice: add all five"),
    "yacht": N_("Five alike: {n}"),
}

_FOUR_REMINDERS = {
    "classic": N_("Four alike: four times their face"),
    "sum": N_("Four alike: add all five"),
}


@content("/card")
async def card(request: Asked) -> Response[str]:
    """The card for so many ``players``; ``back`` is where it was opened from."""
    back, played = await opened_from(host_of(request), request.query_params.get("back", ""))
    asked = request.query_params.get("ruleset", "")
    players = request.query_params.get("players", "")
    seats = range(1, MOST_SEATS + 1)
    return page(
        request,
        "card.html",
        back=back,
        ruleset=RULESETS.get(asked, played or CLASSIC),
        rulesets=RULESETS,
        seats=seats,
        players=int(players) if players in map(str, seats) else _PLAYERS,
        reminder=reminder,
    )


def reminder(key: str, ruleset: Ruleset, language: Language) -> str:
    """What a box counts, in a few words."""
    category = ruleset.categories[ruleset.index(key)]
    if category.face:
        return language("Every {n} counts {n}.", n=category.face)
    said = _FOUR_REMINDERS[ruleset.key] if key == "four_of_a_kind" else _REMINDERS[key]
    return language(said, n=ruleset.most(key))
