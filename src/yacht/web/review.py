"""The review of a finished game: the sum, the curve, and what the choices cost."""

import asyncio

from litestar import Response, get, post

from yacht import reviewing
from yacht.engine.notation import decode_record
from yacht.engine.reasons import IllegalMove, Reason
from yacht.rooms.room import Room
from yacht.strategy.review import Review, reviewed
from yacht.view import log_of, view
from yacht.web.plot import drawn
from yacht.web.respond import message, page
from yacht.web.visit import Asked, InPath, base_of, form_of, host_of, language_of


@get("/g/{room_id:str}/review")
async def review(request: Asked, room_id: InPath) -> Response[str]:
    room, language = await host_of(request).room(room_id), language_of(request)
    here = f"{base_of(request)}/g/{room_id}"
    return await _page(request, room, {"href": here, "label": language("Back to the game")})


@post("/record/review", status_code=200)
async def review_record(request: Asked) -> Response[str]:
    text, language = (await form_of(request)).get("text", ""), language_of(request)
    room = await asyncio.to_thread(_opened, str(text))
    here = f"{base_of(request)}/record"
    return await _page(request, room, {"href": here, "label": language("Open another record")})


async def review_of(room: Room) -> Review:
    """The review of a game that is over, made aside. Raises IllegalMove(NOT_OVER)."""
    if not room.game.is_over:
        raise IllegalMove(Reason.NOT_OVER)
    return await asyncio.to_thread(_reviewed, room)


async def _page(request: Asked, room: Room, back: dict[str, str]) -> Response[str]:
    language = language_of(request)
    if not room.game.is_over:
        heading = language("The review comes after the game")
        text = language("It knows the best choice for every roll, so it waits for the last score.")
        return message(request, heading, text, 409, back=back)
    told, seen = await review_of(room), view("", room, "")
    boxes = [box.key for box in room.ruleset.categories]
    return page(
        request,
        "review.html",
        seen=seen,
        reviewing=reviewing,
        told=told,
        plot=drawn(told, len(boxes), room.ruleset.rolls),
        by_box=[
            (key, [next(turn for turn in seat.turns if turn.box == key) for seat in told.seats])
            for key in boxes
        ],
        by_turn=list(zip(*(seat.turns for seat in told.seats), strict=True)),
        most_lost=max(turn.loss for seat in told.seats for turn in seat.turns),
        most_luck=max(abs(turn.luck) for seat in told.seats for turn in seat.turns),
        log=log_of(room),
        back=back,
    )


def _opened(text: str) -> Room:
    return Room.of(decode_record(text))


def _reviewed(room: Room) -> Review:
    return reviewed(room.ruleset, len(room.names), room.record.events)
