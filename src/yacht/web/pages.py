"""The pages of a game, and the forms they post."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from litestar import Response, get, post
from litestar.datastructures import FormMultiDict
from litestar.response import Redirect, Stream

from yacht import words
from yacht.dicelog import log_of
from yacht.engine.game import Keep, Move, Score, UndoScore
from yacht.engine.notation import encode_record
from yacht.engine.reasons import IllegalMove, Reason
from yacht.i18n import Language
from yacht.rooms.presence import Around
from yacht.rooms.room import Room
from yacht.rooms.table import Stale, check_deletable
from yacht.view import view
from yacht.web import friends, hints, live
from yacht.web.faults import BadRequest, message_of, status_of
from yacht.web.limits import Act
from yacht.web.rendering import game_values, render
from yacht.web.respond import message, page, see
from yacht.web.visit import (
    Asked,
    InPath,
    address_of,
    allow,
    base_of,
    form_of,
    host_of,
    identity_cookie,
    keep_days_of,
    language_of,
    loopback_of,
    new_token,
    since_of,
    token_of,
    viewer_of,
    whole,
)

PART = "yacht-part"
"""The header with which the page's script asks for the game alone."""


@get("/g/{room_id:str}")
async def game(request: Asked, room_id: InPath) -> Response[str]:
    room = await host_of(request).look(room_id, _viewer(request))
    asked = "hint" in request.query_params and room.belongs_to(_viewer(request))
    hint = await hints.hint(room) if asked and room.game.seat in room.assisted else None
    answer = await _game_page(request, room_id, room, hint=hint)
    if not room.begun and token_of(request) is None:  # whoever may sit down has an identity
        answer.set_cookie(identity_cookie(request, new_token()))
    return answer


@post("/g/{room_id:str}")
async def play(request: Asked, room_id: InPath) -> Response[str] | Redirect:
    host, form, token = host_of(request), await form_of(request), token_of(request)
    salts = [str(salt) for salt in form.getall("salt", [])]
    joins = form.get("do") == "join" and token is None
    if joins:
        token = new_token()
    viewer = viewer_of(token)
    try:
        if form.get("do") == "hint":
            return await _hinted(request, room_id)
        if form.get("do") in friends.ACTS:
            room = await friends.act(host, room_id, viewer, form, language_of(request))
        else:
            seq, move = _move(form)
            seat_bytes = [salt.encode() for salt in salts]
            room = await host.act(room_id, viewer, seq, move, seat_bytes)
    except IllegalMove as illegal:
        room = illegal.room if isinstance(illegal, Stale) else await host.room(room_id)
        notice = message_of(illegal, language_of(request))
        status = status_of(illegal)
        typed = {"salts": salts, "name": str(form.get("name", ""))}
        return await _game_page(request, room_id, room, notice=notice, status=status, typed=typed)
    if PART not in request.headers:
        return see(request, f"/g/{room_id}", token if joins else None)
    answer = await _game_page(request, room_id, room, viewer=viewer)
    if joins and token:
        answer.set_cookie(identity_cookie(request, token))
    return answer


@get("/g/{room_id:str}/live")
async def stream(request: Asked, room_id: InPath) -> Stream:
    async def part(room: Room) -> str:
        return await _part(request, room_id, room)

    host, viewer = host_of(request), _viewer(request)
    return live.stream(live.events(host, room_id, since_of(request), part, viewer))


@get("/g/{room_id:str}/log")
async def dice_log(request: Asked, room_id: InPath) -> Response[str]:
    room, here = await host_of(request).newest(room_id), f"{base_of(request)}/g/{room_id}"
    seen = view(room_id, room, _viewer(request))
    return page(request, "log.html", seen=seen, log=log_of(room), here=here)


@post("/g/{room_id:str}/again")
async def again(request: Asked, room_id: InPath) -> Redirect:
    allow(request, Act.OPENING)
    return see(request, f"/g/{await host_of(request).again(room_id, _viewer(request))}")


@get("/g/{room_id:str}/share")
async def share(request: Asked, room_id: InPath) -> Response[str]:
    host = host_of(request)
    room, language = await host.newest(room_id), language_of(request)
    here = f"{address_of(request)}/g/{room_id}"
    links = [(language("For anyone: watch this game"), here)]
    text = language("Whoever has the link for watching sees every roll but can’t change anything.")
    if room.belongs_to(_viewer(request)):
        key = await host.link_key(room_id, _viewer(request))
        links.append((language("For you alone: go on in another browser"), f"{here}/here/{key}"))
        moves = language("The second link moves the game to another browser.")
        if room.options:
            moves = language("The second link moves your seat to another browser.")
        text += f" {moves} {language('The link works once; after that you can only watch here.')}"
    text = f"{text} {loopback_of(request)}".rstrip()
    back = {"href": f"{base_of(request)}/g/{room_id}", "label": language("Back to the game")}
    return message(request, language("Links"), text, links=links, back=back)


@get("/g/{room_id:str}/here/{key:str}")
async def ask_here(request: Asked, room_id: InPath, key: InPath) -> Response[str]:
    await host_of(request).check_link(room_id, _viewer(request), key)
    language = language_of(request)
    room = await host_of(request).room(room_id)
    text = (
        language("Your seat moves to this browser; where you played, you can then watch.")
        if room.options
        else language(
            "The game moves to this browser; where it was played, it can then be watched."
        )
    )
    ask = {"action": f"{base_of(request)}/g/{room_id}/here/{key}", "label": language("Go on here")}
    answer = message(request, language("Go on with this game here?"), text, ask=ask)
    if token_of(request) is None:  # so that the key, sent twice, comes from one and the same
        answer.set_cookie(identity_cookie(request, new_token()))
    return answer


@post("/g/{room_id:str}/here/{key:str}")
async def take(request: Asked, room_id: InPath, key: InPath) -> Redirect:
    token = token_of(request) or new_token()
    await host_of(request).take(room_id, viewer_of(token), key)
    return see(request, f"/g/{room_id}", token)


@get("/g/{room_id:str}/delete")
async def ask_delete(request: Asked, room_id: InPath) -> Response[str]:
    room, language = await host_of(request).newest(room_id), language_of(request)
    check_deletable(room, _viewer(request))
    text = language(
        "The game of {names} and its record will be removed for good.",
        names=words.listed(room.names, language),
    )
    here = f"{base_of(request)}/g/{room_id}"
    ask = {"action": f"{here}/delete", "label": language("Delete the game")}
    back = {"href": here, "label": language("Keep it")}
    return message(request, language("Delete this game?"), text, ask=ask, back=back)


@post("/g/{room_id:str}/delete")
async def delete(request: Asked, room_id: InPath) -> Redirect:
    await host_of(request).delete(room_id, _viewer(request))
    return see(request, "/")


def _viewer(request: Asked) -> str:
    return viewer_of(token_of(request))


async def _hinted(request: Asked, room_id: str) -> Response[str] | Redirect:
    """The game with a hint for the dice on the table; it counts as assisted from then on."""
    room = await host_of(request).hint(room_id, _viewer(request))
    if PART in request.headers:
        return await _game_page(request, room_id, room, hint=await hints.hint(room))
    return see(request, f"/g/{room_id}?hint=1")


async def _game_page(  # noqa: PLR0913 (after the star: what a refusal shows besides)
    request: Asked,
    room_id: str,
    room: Room,
    *,
    notice: str = "",
    status: int = 200,
    typed: Mapping[str, object] | None = None,
    hint: hints.Hint | None = None,
    viewer: str | None = None,
    part: bool = False,
) -> Response[str]:
    """The game as this visitor sees it: the whole page, or the part that the script asks for."""
    part = part or PART in request.headers
    kind = "game" if room.begun else "lobby"
    template = f"_{kind}.html" if part else f"{kind}.html"
    viewer = _viewer(request) if viewer is None else viewer
    values = _values(_shown(request, room_id, room, viewer))
    values |= {"notice": notice, "hint": hint}
    if room.due:
        values["left"] = words.left(room.due - host_of(request).now(), language_of(request))
    if not room.begun:
        values |= await friends.lobby_values(request, room_id, room, viewer)
    values |= typed or {}
    return page(request, template, status, **values)


@dataclass(frozen=True, slots=True)
class _Shown:
    """What the page of a game depends on; all who watch a state see the same one."""

    room_id: str
    fingerprint: str  # an id may be another game's once its own is deleted
    seq: int
    seats: frozenset[int]
    around: Around
    language: Language
    base: str
    keep_days: int
    room: Room = field(compare=False)


def _shown(request: Asked, room_id: str, room: Room, viewer: str) -> _Shown:
    return _Shown(
        room_id,
        room.fingerprint,
        room.seq,
        room.seats_of(viewer),
        host_of(request).presence.around(room_id, room),
        language_of(request),
        base_of(request),
        keep_days_of(request),
        room,
    )


async def _part(request: Asked, room_id: str, room: Room) -> str:
    if not room.begun:
        return str((await _game_page(request, room_id, room, part=True)).content)
    return _rendered(_shown(request, room_id, room, _viewer(request)))


@lru_cache(256)
def _rendered(shown: _Shown) -> str:
    return render("_game.html", shown.language, shown.base, **_values(shown))


def _values(shown: _Shown) -> dict[str, object]:
    room = shown.room
    viewer = room.owners[min(shown.seats)] if shown.seats else ""
    seen = view(shown.room_id, room, viewer, shown.around)
    waits = room.seat_bytes is None and room.options is not None
    return {
        **game_values(seen, shown.language, f"{shown.base}/g/{shown.room_id}"),
        "record": encode_record(room.record) if seen.over else "",
        "salted": waits and any(not room.salts[seat] for seat in shown.seats),
        "keep_days": shown.keep_days,
        "left": "",  # a script counts by itself
        "notice": "",
        "salts": (),
        "hint": None,
    }


def _move(form: FormMultiDict) -> tuple[int, Move]:
    """The number a form's move was made at, and the move."""
    seq = whole(form.get("seq"), "seq")
    match form.get("do"):
        case "roll":
            positions = [_position(value) for value in form.getall("keep", [])]
            return seq, Keep(frozenset(positions))
        case "score":
            box = form.get("box")
            if not isinstance(box, str):
                raise IllegalMove(Reason.NO_BOX_CHOSEN)
            return seq, Score(box)
        case "undo":
            return seq, UndoScore()
        case _:
            raise BadRequest("do")


def _position(value: object) -> int:
    if not isinstance(value, str) or not re.fullmatch(r"[0-9]", value):
        raise IllegalMove(Reason.NO_SUCH_DIE, value=value)
    return int(value)
