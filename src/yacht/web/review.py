"""The review of a finished game: the sum, the curve, and what the choices cost."""

from itertools import zip_longest

from litestar import Response, get, post
from litestar.response import Redirect

from yacht import reviewing
from yacht.dicelog import log_of
from yacht.engine.notation import decode_record
from yacht.engine.reasons import IllegalMove, Reason
from yacht.i18n import N_
from yacht.rooms.room import Room
from yacht.strategy.review import Review, reviewed
from yacht.view import view
from yacht.web.aside import aside
from yacht.web.limits import Act
from yacht.web.plot import drawn, won
from yacht.web.respond import message, page, see
from yacht.web.visit import (
    Asked,
    InPath,
    allow,
    base_of,
    form_of,
    host_of,
    language_of,
    token_of,
    viewer_of,
)

_AFTER = N_("The review comes after the game")
_WAITS = N_("It shows the best choice for every roll, so it opens after the last score.")


@get("/g/{room_id:str}/review")
async def review(request: Asked, room_id: InPath) -> Response[str]:
    room, language = await host_of(request).newest(room_id), language_of(request)
    here = f"{base_of(request)}/g/{room_id}"
    back = {"href": here, "label": language("Back to the game")}
    own = room.options is None and room.belongs_to(viewer_of(token_of(request)))
    if room.game.is_over or (own and room.people <= room.assisted):
        return await _page(request, room, back)
    if not own:
        return _too_early(request, back)
    text = language(_WAITS) + " "
    text += language("You can see it now: the game then counts as played with hints.")
    ask = {"action": f"{here}/review", "label": language("Review it now")}
    return message(request, language(_AFTER), text, ask=ask, back=back)


@post("/g/{room_id:str}/review")
async def review_now(request: Asked, room_id: InPath) -> Redirect:
    """The review of one's own running game is a hint to all who play it here."""
    host = host_of(request)
    if not (await host.newest(room_id)).game.is_over:
        await host.hint(room_id, viewer_of(token_of(request)), everyone=True)
    return see(request, f"/g/{room_id}/review")


@post("/record/review", status_code=200)
async def review_record(request: Asked) -> Response[str]:
    text, language = (await form_of(request)).get("text", ""), language_of(request)
    room = await aside(_opened, str(text))
    here = f"{base_of(request)}/record"
    back = {"href": here, "label": language("Open another record")}
    return await _page(request, room, back) if room.game.is_over else _too_early(request, back)


async def review_of(request: Asked, room: Room, *, chances: bool = True) -> Review:
    """The review of a game that is over, made aside. Raises IllegalMove(NOT_OVER), TooMany."""
    if not room.game.is_over:
        raise IllegalMove(Reason.NOT_OVER)
    return await _review(request, room, chances=chances)


def _too_early(request: Asked, back: dict[str, str]) -> Response[str]:
    language = language_of(request)
    return message(request, language(_AFTER), language(_WAITS), 409, back=back)


async def _page(request: Asked, room: Room, back: dict[str, str]) -> Response[str]:
    told, seen = await _review(request, room), view("", room, "")
    language = language_of(request)
    seats, turns = told.seats, [turn for seat in told.seats for turn in seat.turns]
    boxes = [box.key for box in room.ruleset.categories]
    wins = won(told, len(boxes)) if len(seats) > 1 else None
    return page(
        request,
        "review.html",
        seen=seen,
        reviewing=reviewing,
        told=told,
        plot=drawn(told, len(boxes), room.ruleset.rolls),
        ends=[reviewing.end(seat, language, over=told.over) for seat in seats],
        chances=[language.percent(chance) for chance in told.chances[-1]] if wins else [],
        rounds=_rounds(told) if wins else [],
        wins=wins,
        by_box=[
            (key, [next((turn for turn in seat.turns if turn.box == key), None) for seat in seats])
            for key in boxes
        ],
        by_turn=list(zip_longest(*(seat.turns for seat in seats))),
        most_lost=max((turn.loss for turn in turns), default=0),
        most_luck=max((abs(turn.luck) for turn in turns), default=0),
        log=log_of(room),
        back=back,
    )


def _rounds(told: Review) -> list[tuple[float, ...]]:
    """Everyone's chances to win once each turn was played by all, or as far as they came."""
    turns = [step.turn for seat in told.seats for step in seat.steps]
    return [
        told.chances[sum(played <= turn for played in turns)]
        for turn in range(max(turns, default=-1) + 1)
    ]


def _opened(text: str) -> Room:
    return Room.of(decode_record(text))


async def _review(request: Asked, room: Room, *, chances: bool = True) -> Review:
    allow(request, Act.QUESTION)
    events = room.record.events
    return await aside(reviewed, room.ruleset, len(room.names), events, chances=chances)
