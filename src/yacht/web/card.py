"""A blank scorecard to print, for those who play with dice, pencil and paper."""

from litestar import Response

from yacht.engine.game import MOST_SEATS
from yacht.engine.rules import RULESETS
from yacht.web.languages import content
from yacht.web.leaflet import leaflet_of
from yacht.web.respond import page
from yacht.web.visit import Asked

_PLAYERS = 4


@content("/card")
async def card(request: Asked) -> Response[str]:
    """The card for so many ``players``; ``back`` is where it was opened from."""
    leaflet = await leaflet_of(request)
    players = request.query_params.get("players", "")
    seats = range(1, MOST_SEATS + 1)
    return page(
        request,
        "card.html",
        back=leaflet.back,
        ruleset=leaflet.ruleset,
        rulesets=RULESETS,
        seats=seats,
        players=int(players) if players in map(str, seats) else _PLAYERS,
    )
