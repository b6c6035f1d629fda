"""The pages to read and to print: which rules they follow, and where they were opened from."""

import re
from typing import NamedTuple

from yacht.engine.reasons import IllegalMove
from yacht.engine.rules import CLASSIC, RULESETS, Ruleset
from yacht.rooms.host import Host
from yacht.rooms.table import ROOM_ID
from yacht.web.visit import Asked, host_of


class Leaflet(NamedTuple):
    """Where to go back to, the rules that are played there if they are known, those asked for.

    ``back`` is a room, or ``score`` with the card that is looked at there; empty if it is neither.
    """

    back: str
    played: Ruleset | None
    ruleset: Ruleset


async def leaflet_of(request: Asked) -> Leaflet:
    """What ``back`` and ``ruleset`` say; where the latter doesn't, the rules are the game's."""
    back, played = await _opened_from(host_of(request), request.query_params.get("back", ""))
    asked = request.query_params.get("ruleset", "")
    return Leaflet(back, played, RULESETS.get(asked, played or CLASSIC))


async def _opened_from(host: Host, back: str) -> tuple[str, Ruleset | None]:
    if re.fullmatch(r"score(\.[A-Za-z0-9_-]{8,64})?", back):
        return back, None
    if not ROOM_ID.fullmatch(back):
        return "", None
    try:
        return back, (await host.room(back)).ruleset
    except IllegalMove:
        return "", None
