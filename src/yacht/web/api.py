"""The JSON interface, /api/v1: the same host and the same view as the pages."""
# pyright: reportUnknownMemberType=false
# (Litestar leaves type parameters of its own open)

from typing import Any

import msgspec
from litestar import Response, Router, get, post
from litestar.response import Stream

from yacht.dicelog import LogView, log_of
from yacht.engine.notation import encode_record
from yacht.rooms.host import Host
from yacht.rooms.options import Options
from yacht.rooms.room import Room
from yacht.rooms.table import Stale
from yacht.strategy.advice import Ranking
from yacht.strategy.review import Review
from yacht.view import GameView, view
from yacht.web import games, hints, live
from yacht.web.analysis import Question, answer, asked
from yacht.web.faults import Failed, as_json
from yacht.web.limits import Act
from yacht.web.openapi import About, document
from yacht.web.review import review_of
from yacht.web.shapes import (
    Begin,
    Created,
    HelpOut,
    Hint,
    MoveAct,
    NewGame,
    NewRoom,
    RollDice,
    RoomAct,
    Seal,
    SeatComputer,
    SitDown,
    StandUp,
    Take,
)
from yacht.web.visit import (
    Asked,
    InPath,
    allow,
    base_of,
    exactly,
    host_of,
    identity_cookie,
    language_of,
    new_token,
    since_of,
    token_of,
    viewer_of,
)

_new_room = msgspec.json.Decoder(NewRoom)
_room_act = msgspec.json.Decoder(RoomAct)
_new_game = msgspec.json.Decoder(NewGame)
_move = msgspec.json.Decoder(MoveAct)


@post("/games", about=About(Created, (400, 403, 413, 415, 422, 503), NewGame))
async def create(request: Asked) -> Response[Created]:
    """Start a game; without a token, a new one is made."""
    host = host_of(request)
    data = await exactly(request, _new_game)
    allow(request, Act.OPENING)
    token = token_of(request) or new_token()
    viewer = viewer_of(token)
    room_id = await host.open(viewer, data.ruleset, data.names, data.room, data.computers)
    seen = _seen(host, room_id, await host.room(room_id), viewer)
    return Response(Created(token, seen), cookies=[identity_cookie(request, token)])


@post("/rooms", about=About(Created, (400, 403, 413, 415, 422, 503), NewRoom))
async def create_room(request: Asked) -> Response[Created]:
    """Open a room for friends; without a token, a new one is made."""
    host, data = host_of(request), await exactly(request, _new_room)
    allow(request, Act.OPENING)
    token = token_of(request) or new_token()
    viewer = viewer_of(token)
    options = Options(data.places, data.clock, data.hints)
    room_id = await host.invite(viewer, data.name, data.ruleset, options, data.room)
    seen = _seen(host, room_id, await host.room(room_id), viewer)
    return Response(Created(token, seen), cookies=[identity_cookie(request, token)])


@post(
    "/games/{room_id:str}/seats",
    status_code=200,
    about=About(Created, (400, 403, 404, 409, 413, 415, 422, 503), RoomAct),
)
async def seats(request: Asked, room_id: InPath) -> Response[Created] | Response[Failed]:
    """Sit down, take a seat over, leave, add a computer or bytes, begin, or help out.

    The answer has the token that plays.
    """
    host, data = host_of(request), await exactly(request, _room_act)
    token = token_of(request) or new_token()
    viewer = viewer_of(token)
    try:
        match data:
            case SitDown(name, hexed):
                room = await host.join(room_id, viewer, name, bytes.fromhex(hexed))
            case SeatComputer(seq, name, level):
                room = await host.seat_computer(room_id, viewer, seq, name, level)
            case StandUp(seq, seat):
                room = await host.leave(room_id, viewer, seq, seat)
            case Take(key):
                room = await host.take(room_id, viewer, key)
            case Begin():
                room = await host.begin(room_id, viewer)
            case Seal(hexed):
                salts = [bytes.fromhex(one) for one in hexed]
                room = await host.add_bytes(room_id, viewer, salts)
            case HelpOut(seq, skip):
                room = await host.help_out(room_id, viewer, seq, skip=skip)
    except Stale as stale:
        seen = _seen(host, room_id, stale.room, viewer)
        return as_json(stale, language_of(request), seen)
    return Response(Created(token, _seen(host, room_id, room, viewer)))


@post(
    "/games/{room_id:str}/hint",
    status_code=200,
    about=About(Hint, (403, 404, 413, 422, 503)),
)
async def hint(request: Asked, room_id: InPath) -> Hint:
    """Every choice for the dice on the table, on one's own turn; all see that a hint was taken."""
    host, viewer = host_of(request), viewer_of(token_of(request))
    room = await host.hint(room_id, viewer)
    advice = await hints.advice(room)
    return Hint(_seen(host, room_id, room, viewer), advice.ranking)


@post(
    "/games/{room_id:str}/again",
    about=About(GameView, (403, 404, 409, 413, 503)),
)
async def again(request: Asked, room_id: InPath) -> GameView:
    """The next game of the same players, the next one starting: one, whoever asks first."""
    allow(request, Act.OPENING)
    host, viewer = host_of(request), viewer_of(token_of(request))
    next_id = await host.again(room_id, viewer)
    return _seen(host, next_id, await host.room(next_id), viewer)


@get("/games/{room_id:str}", about=About(GameView, (404, 503)))
async def state(request: Asked, room_id: InPath) -> GameView:
    """The game as this identity sees it."""
    host, viewer = host_of(request), viewer_of(token_of(request))
    return _seen(host, room_id, await host.look(room_id, viewer), viewer)


@post(
    "/games/{room_id:str}/moves",
    status_code=200,
    about=About(GameView, (400, 403, 404, 409, 413, 415, 422, 503), MoveAct),
)
async def move(request: Asked, room_id: InPath) -> Response[GameView] | Response[Failed]:
    """Play a move. The same move sent twice, at the same ``seq``, happens once."""
    data = await exactly(request, _move)
    viewer = viewer_of(token_of(request))
    salts = (
        [bytes.fromhex(hexed) for hexed in data.seat_bytes] if isinstance(data, RollDice) else ()
    )
    try:
        room = await host_of(request).act(room_id, viewer, data.seq, data.move(), salts)
    except Stale as stale:
        seen = _seen(host_of(request), room_id, stale.room, viewer)
        return as_json(stale, language_of(request), seen)
    return Response(_seen(host_of(request), room_id, room, viewer))


@get(
    "/games/{room_id:str}/record",
    media_type="text/plain",
    about=About(str, (404, 503), media_type="text/plain"),
)
async def record(request: Asked, room_id: InPath) -> str:
    """The record of the game as text; its seed is in it once the game is over."""
    return encode_record((await host_of(request).newest(room_id)).record)


@get("/games/{room_id:str}/log", about=About(LogView, (404, 503)))
async def dice_log(request: Asked, room_id: InPath) -> LogView:
    """Every throw of the game, and how often each seat threw each face."""
    return log_of(await host_of(request).newest(room_id))


@get("/games/{room_id:str}/review", about=About(Review, (404, 409, 429, 503)))
async def review(request: Asked, room_id: InPath) -> Review:
    """What luck brought and what each choice cost, once the game is over: 409 before."""
    return await review_of(request, await host_of(request).newest(room_id))


@get(
    "/games/{room_id:str}/stream",
    about=About(str, (404, 503), media_type=live.EVENTS, or_else=live.LINES),
)
async def stream(request: Asked, room_id: InPath) -> Stream:
    """Server-sent events named ``game``: the ``id`` is the seq, the data the game as JSON.

    With a Last-Event-ID header, or a ``since`` in the query, only states after that seq come. Among
    friends the first state comes all the same, and whenever somebody is away or back, a state with
    the seq of the one before.
    With ``Accept: application/x-ndjson`` the stream is lines of JSON: first the whole game, then,
    for each new state, the fields that changed, ``seq`` always among them, to be put over those
    known before. An empty line, at least every 15 seconds, says that nothing has happened.
    A stream of a game among friends in which this identity plays ends after about a minute, events
    with one named ``again``: to ask for it again at once shows that the player is still there.
    """
    host = host_of(request)
    await host.room(room_id)
    viewer, since = viewer_of(token_of(request)), since_of(request)

    def seen(room: Room) -> GameView:
        return _seen(host, room_id, room, viewer)

    async def render(room: Room) -> str:
        return msgspec.json.encode(seen(room)).decode()

    if request.accept.best_match([live.EVENTS, live.LINES]) == live.LINES:
        return live.stream(live.lines(host, room_id, since, seen, viewer), live.LINES)
    return live.stream(live.events(host, room_id, since, render, viewer))


@get("/advice", about=About(Ranking, (422, 429), asks=Question))
async def advice(request: Asked) -> Ranking:
    """Every choice for these dice on this card, the best first, as ``yacht advise`` has it."""
    return (await answer(request, asked(request.query_params))).ranking


def _seen(host: Host, room_id: str, room: Room, viewer: str) -> GameView:
    return view(room_id, room, viewer, host.presence.around(room_id, room))


PREFIX = "/api/v1"
ROUTES = [
    *(create, create_room, state, seats, move, hint, again),
    *(record, dice_log, review, stream, advice),
    *(games.mine, games.link, games.remove),
]


@get("/openapi.json")
async def openapi(request: Asked) -> dict[str, Any]:
    return document(PREFIX, ROUTES, base_of(request))


API = Router(PREFIX, route_handlers=[*ROUTES, openapi])
