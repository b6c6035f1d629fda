"""Rooms of friends: the invitation, the lobby with its link, and what happens in both."""

from collections.abc import Mapping

from litestar import Response, get, post
from litestar.datastructures import FormMultiDict
from litestar.response import Redirect

from yacht import counting, words
from yacht.engine.game import MOST_SEATS
from yacht.engine.reasons import IllegalMove, Reason
from yacht.engine.rules import CLASSIC, RULESETS
from yacht.i18n import Language
from yacht.rooms.host import Host
from yacht.rooms.options import CLOCKS, FEWEST_FRIENDS, Options
from yacht.rooms.room import Room
from yacht.rooms.table import new_room_id
from yacht.strategy.levels import AVERAGES
from yacht.web.faults import BadRequest, message_of, status_of
from yacht.web.limits import Act
from yacht.web.qr import qr_code
from yacht.web.respond import page, see
from yacht.web.visit import (
    Asked,
    address_of,
    allow,
    form_of,
    host_of,
    identity_cookie,
    language_of,
    loopback_of,
    new_token,
    room_of,
    token_of,
    viewer_of,
    whole,
)

ACTS = frozenset({"join", "leave", "computer", "begin", "skip", "stand_in", "seal"})
"""What the forms of a room may do besides its game's moves; on one device the last alone."""


@get("/invite")
async def invite(request: Asked) -> Response[str]:
    viewer = viewer_of(token_of(request))
    typed = {"name": await name_of(host_of(request), viewer)}
    answer = _invitation(request, typed)
    if not viewer:  # so that a double click comes from one and the same
        answer.set_cookie(identity_cookie(request, new_token()))
    return answer


@post("/rooms")
async def new_room(request: Asked) -> Response[str] | Redirect:
    """A room, its host seated; sent twice it is one."""
    form, token = await form_of(request), token_of(request) or new_token()
    typed = {key: str(value) for key, value in form.items()}
    language = language_of(request)
    name = typed.get("name", "").strip() or language("Player {n}", n=1)
    allow(request, Act.OPENING)
    try:
        options = Options(
            whole(typed.get("places", ""), "places"),
            whole(typed.get("clock", ""), "clock"),
            "hints" in typed,
        )
        room, ruleset = room_of(typed.get("room")), typed.get("ruleset", CLASSIC.key)
        host, viewer = host_of(request), viewer_of(token)
        room_id = await host.invite(viewer, name, ruleset, options, room)
    except IllegalMove as illegal:
        return _invitation(request, typed, illegal)
    return see(request, f"/g/{room_id}", token)


async def act(
    host: Host, room_id: str, viewer: str, form: FormMultiDict, language: Language
) -> Room:
    """The room after what a form says. Raises IllegalMove and BadRequest."""
    match form.get("do"):
        case "join":
            salt = str(form.get("salt", "")).encode()
            return await host.join(room_id, viewer, str(form.get("name", "")), salt)
        case "leave":
            seat = whole(form.get("seat"), "seat")
            return await host.leave(room_id, viewer, whole(form.get("seq"), "seq"), seat)
        case "computer":
            room = await host.newest(room_id)
            taken = sum(map(bool, room.computers)) + 1
            name = words.computer(taken, taken, language)
            seq, level = whole(form.get("seq"), "seq"), str(form.get("level", ""))
            return await host.seat_computer(room_id, viewer, seq, name, level)
        case "begin":
            return await host.begin(room_id, viewer)
        case "seal":
            salts = [str(salt).encode() for salt in form.getall("salt", [])]
            return await host.add_bytes(room_id, viewer, salts)
        case "skip" | "stand_in" as what:
            seq = whole(form.get("seq"), "seq")
            return await host.help_out(room_id, viewer, seq, skip=what == "skip")
        case _:
            raise BadRequest("do")


async def lobby_values(request: Asked, room_id: str, room: Room, viewer: str) -> dict[str, object]:
    """What the lobby shows besides the room: its link, also as a code, and when it goes."""
    link = f"{address_of(request)}/g/{room_id}"
    joins = not room.belongs_to(viewer)
    return {
        "link": link,
        "loopback": loopback_of(request),
        "late": message_of(IllegalMove(Reason.ALREADY_BEGUN), language_of(request)),
        "code": qr_code(link),
        "levels": list(reversed(AVERAGES)),
        "hosts": room.host == viewer,
        "agreed": agreed(room, language_of(request)),
        "empty": (room.options.places if room.options else 0) - len(room.names),
        "name": await name_of(host_of(request), viewer) if joins else "",
    }


def agreed(room: Room, language: Language) -> str:
    """What was agreed in a room of friends, in a line."""
    if room.options is None:
        raise ValueError(room.names)
    hints = language("with hints") if room.options.hints else language("no hints")
    rules = counting.name(room.ruleset.key, language)
    return " · ".join([rules, words.clock(room.options.clock, language), hints])


async def name_of(host: Host, viewer: str) -> str:
    """The name that the viewer played under last, or nothing."""
    games = await host.games_of(viewer) if viewer else []
    for game in games[:1]:
        try:
            room = await host.room(game.room)
        except IllegalMove:
            return ""
        seat = min(room.seats_of(viewer), default=None)  # they may just have left it elsewhere
        return "" if seat is None else room.names[seat]
    return ""


def _invitation(
    request: Asked, typed: Mapping[str, str], illegal: IllegalMove | None = None
) -> Response[str]:
    return page(
        request,
        "invite.html",
        status_of(illegal) if illegal else 200,
        notice=message_of(illegal, language_of(request)) if illegal else "",
        typed=typed,
        room=new_room_id(),
        rulesets=RULESETS,
        places=range(FEWEST_FRIENDS, MOST_SEATS + 1),
        clocks=CLOCKS,
    )
