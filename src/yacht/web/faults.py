"""What goes wrong, told once: each reason's HTTP status, one page and one JSON shape for all."""

import logging

import msgspec
from litestar import Response
from litestar.exceptions import HTTPException

from yacht.engine.reasons import IllegalMove, Reason
from yacht.i18n import N_, Language
from yacht.refusals import reason
from yacht.rooms.store import Unavailable
from yacht.view import GameView

_log = logging.getLogger("yacht")

STATUS = {
    Reason.NO_SUCH_ROOM: 404,
    Reason.UNREADABLE: 500,
    Reason.NOT_YOURS: 403,
    Reason.LINK_USED: 403,
    Reason.STALE: 409,
    Reason.NOT_OVER: 409,
    Reason.NO_SUCH_SHEET: 404,
}
"""The HTTP status of a reason; every other reason is about the request's content: 422."""

_MESSAGES = {
    400: N_("This request isn’t in a form the server understands."),
    403: N_("This request came from another site’s page, so it was refused."),
    404: N_("There is no such page."),
    405: N_("This address can’t be used in that way."),
    413: N_("The request is too large: at most 64 KB are accepted."),
    415: N_("This kind of content can’t be read here."),
    429: N_("Too many requests came from here at once. Nothing was lost; try again in a moment."),
    500: N_("Something broke on the server. Your game is as it was before."),
    503: N_("The games can’t be reached right now. Nothing was lost; try again in a moment."),
}


class BadRequest(Exception):
    """A request that isn't in the form its handler takes; ``detail`` is for a programmer."""

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.detail = detail


class TooMany(Exception):
    """More came from one address or identity than is taken; ``wait`` is in whole seconds."""

    def __init__(self, wait: int) -> None:
        super().__init__(wait)
        self.wait = wait


def status_of(error: Exception) -> int:
    """The HTTP status of an error."""
    match error:
        case IllegalMove():
            return STATUS.get(error.reason, 422)
        case BadRequest():
            return 400
        case TooMany():
            return 429
        case Unavailable():
            return 503
        case HTTPException():
            return error.status_code
        case _:
            return 500


def message_of(error: Exception, language: Language) -> str:
    """The sentence that a person reads; a fault of the program is logged, not shown."""
    if isinstance(error, IllegalMove):
        return reason(error, language)
    status = status_of(error)
    if status >= 500:  # noqa: PLR2004 (from here on it is the server's fault)
        _log.error("%s", error, exc_info=error)
    return language(_MESSAGES.get(status, _MESSAGES[400]))


class Told(msgspec.Struct):
    """What was wrong: a stable key, a sentence for people, a detail for programmers."""

    reason: str
    message: str
    detail: str | None = None


class Failed(msgspec.Struct):
    """The one shape of every error; ``game`` is the current state where that helps."""

    error: Told
    game: GameView | None = None


def as_json(error: Exception, language: Language, game: GameView | None = None) -> Response[Failed]:
    """The error for a program."""
    status = status_of(error)
    key = error.reason.value if isinstance(error, IllegalMove) else f"http_{status}"
    detail = error.detail if isinstance(error, BadRequest) else None
    return Response(
        Failed(Told(key, message_of(error, language), detail), game), status_code=status
    )
