"""The JSON interface, /api/v1: the same host and the same view as the pages."""
# pyright: reportUnknownMemberType=false
# (Litestar leaves type parameters of its own open)

import asyncio
from typing import Annotated, Any, TypeVar

import msgspec
from litestar import Response, Router, get, post
from litestar.exceptions import ClientException
from litestar.response import Stream

from yacht.engine.dice import MOST_SEAT_BYTES
from yacht.engine.game import MOST_SEATS, Keep, Move, Score, UndoScore
from yacht.engine.notation import encode_record
from yacht.engine.rules import CLASSIC
from yacht.rooms.entries import Joined
from yacht.rooms.host import Host
from yacht.rooms.options import FEWEST_FRIENDS, Options
from yacht.rooms.room import Room
from yacht.rooms.table import Stale
from yacht.strategy.advice import Ranking, advise
from yacht.strategy.review import Review
from yacht.view import GameView, LogView, log_of, view
from yacht.web import live
from yacht.web.analysis import Question, answer, asked
from yacht.web.faults import BadRequest, Failed, as_json
from yacht.web.limits import Act
from yacht.web.openapi import About, document
from yacht.web.review import review_of
from yacht.web.visit import (
    Asked,
    InPath,
    allow,
    base_of,
    host_of,
    identity_cookie,
    language_of,
    new_token,
    since_of,
    token_of,
    viewer_of,
)

Position = Annotated[int, msgspec.Meta(ge=0, le=CLASSIC.dice - 1)]
Seq = Annotated[int, msgspec.Meta(ge=0, description="the game's seq that the move is made at")]
HexBytes = Annotated[str, msgspec.Meta(pattern=rf"^([0-9a-f]{{2}}){{0,{MOST_SEAT_BYTES}}}(?!\n)$")]


class NewGame(msgspec.Struct, forbid_unknown_fields=True):
    """A game on one device: a name for each of 1 to 8 seats.

    ``computers`` has for each seat the level of the computer that plays it, exact, strong, steady
    or easy, or "" for a person; an empty list means people alone.
    """

    names: Annotated[list[str], msgspec.Meta(min_length=1, max_length=MOST_SEATS)]
    ruleset: str = CLASSIC.key
    computers: Annotated[list[str], msgspec.Meta(max_length=MOST_SEATS)] = []


class NewRoom(msgspec.Struct, forbid_unknown_fields=True):
    """A room for friends, whose first seat is taken by whoever opens it.

    ``places`` may play. ``clock`` gives 30, 60 or 90 seconds for a decision, or 1, 2, 3, 5 or 7
    days, in seconds, for a turn; 0 is none. ``seat_bytes`` goes into the seal.
    """

    name: str
    places: Annotated[int, msgspec.Meta(ge=FEWEST_FRIENDS, le=MOST_SEATS)] = MOST_SEATS
    ruleset: str = CLASSIC.key
    clock: int = 0
    hints: bool = False
    seat_bytes: HexBytes = ""


class SitDown(msgspec.Struct, tag_field="do", tag="join", forbid_unknown_fields=True):
    """Take the next empty seat."""

    name: str
    seat_bytes: HexBytes = ""


class SeatComputer(msgspec.Struct, tag_field="do", tag="computer", forbid_unknown_fields=True):
    """Give the next empty seat to a computer: exact, strong, steady or easy."""

    name: str
    level: str


class StandUp(msgspec.Struct, tag_field="do", tag="leave", forbid_unknown_fields=True):
    """Free one's own seat, or a computer's, from 0."""

    seat: Annotated[int, msgspec.Meta(ge=0)]


class Begin(msgspec.Struct, tag_field="do", tag="begin", forbid_unknown_fields=True):
    """Begin the game; two seats must be taken."""


class HelpOut(msgspec.Struct, tag_field="do", tag="help", forbid_unknown_fields=True):
    """Complete the turn of somebody who is away, or let a computer play until they are back."""

    seq: Seq
    skip: bool


class RollDice(msgspec.Struct, tag_field="do", tag="roll", forbid_unknown_fields=True):
    """Roll every die but those at the kept positions, from 0.

    With the first roll, each seat may add up to 32 bytes to the seal, in hex.
    """

    seq: Seq
    keep: Annotated[list[Position], msgspec.Meta(max_length=CLASSIC.dice)] = []
    seat_bytes: list[HexBytes] = []

    def move(self) -> Move:
        return Keep(frozenset(self.keep))


class WriteScore(msgspec.Struct, tag_field="do", tag="score", forbid_unknown_fields=True):
    """Score the dice in a box."""

    seq: Seq
    box: str

    def move(self) -> Move:
        return Score(self.box)


class TakeBack(msgspec.Struct, tag_field="do", tag="undo", forbid_unknown_fields=True):
    """Take the last score back."""

    seq: Seq

    def move(self) -> Move:
        return UndoScore()


class Hint(msgspec.Struct):
    """The game, which is assisted from now on, and every choice for the dice on the table."""

    game: GameView
    ranking: Ranking


class Created(msgspec.Struct):
    """A new game, and the token that plays it: send it as ``Authorization: Bearer``."""

    token: str
    game: GameView


T = TypeVar("T")

RoomAct = SitDown | SeatComputer | StandUp | Begin | HelpOut

_new_room = msgspec.json.Decoder(NewRoom)
_room_act = msgspec.json.Decoder(RoomAct)
_new_game = msgspec.json.Decoder(NewGame)
_move = msgspec.json.Decoder(RollDice | WriteScore | TakeBack)


async def _exactly(request: Asked, decoder: msgspec.json.Decoder[T]) -> T:
    """The body as exactly its type; the framework's own reading takes "1" and 1.0 for 1."""
    if request.content_type[0] != "application/json":
        raise ClientException(status_code=415)
    try:
        return decoder.decode(await request.body())
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadRequest(str(error)) from None


@post("/games", about=About(Created, (400, 403, 413, 415, 422, 503), NewGame))
async def create(request: Asked) -> Response[Created]:
    """Start a game; without a token, a new one is made."""
    host = host_of(request)
    data = await _exactly(request, _new_game)
    allow(request, Act.OPENING)
    token = token_of(request) or new_token()
    viewer = viewer_of(token)
    room_id = await host.open(viewer, data.ruleset, data.names, computers=data.computers)
    seen = _seen(host, room_id, await host.room(room_id), viewer)
    return Response(Created(token, seen), cookies=[identity_cookie(request, token)])


@post("/rooms", about=About(Created, (400, 403, 413, 415, 422, 429, 503), NewRoom))
async def create_room(request: Asked) -> Response[Created]:
    """Open a room for friends; without a token, a new one is made."""
    allow(request, Act.OPENING)
    host, data = host_of(request), await _exactly(request, _new_room)
    token = token_of(request) or new_token()
    viewer = viewer_of(token)
    seat = Joined(data.name, viewer, bytes.fromhex(data.seat_bytes))
    options = Options(data.places, data.clock, data.hints)
    room_id = await host.invite(seat, data.ruleset, options)
    seen = _seen(host, room_id, await host.room(room_id), viewer)
    return Response(Created(token, seen), cookies=[identity_cookie(request, token)])


@post(
    "/games/{room_id:str}/seats",
    status_code=200,
    about=About(Created, (400, 403, 404, 409, 413, 415, 422, 429, 503), RoomAct),
)
async def seats(request: Asked, room_id: InPath) -> Response[Created] | Response[Failed]:
    """Sit down, leave, add a computer, begin, or help out; the answer has the token that plays."""
    host, data = host_of(request), await _exactly(request, _room_act)
    token = token_of(request) or new_token()
    viewer = viewer_of(token)
    try:
        match data:
            case SitDown(name, hexed):
                room = await host.join(room_id, viewer, name, bytes.fromhex(hexed))
            case SeatComputer(name, level):
                room = await host.seat_computer(room_id, viewer, name, level)
            case StandUp(seat):
                room = await host.leave(room_id, viewer, seat)
            case Begin():
                room = await host.begin(room_id, viewer)
            case HelpOut(seq, skip):
                room = await host.help_out(room_id, viewer, seq, skip=skip)
    except Stale as stale:
        seen = _seen(host, room_id, stale.room, viewer)
        return as_json(stale, language_of(request), seen)
    return Response(Created(token, _seen(host, room_id, room, viewer)))


@post(
    "/games/{room_id:str}/hint",
    status_code=200,
    about=About(Hint, (403, 404, 413, 422, 429, 503)),
)
async def hint(request: Asked, room_id: InPath) -> Hint:
    """Every choice for the dice on the table, on one's own turn; all see that a hint was taken."""
    allow(request, Act.QUESTION)
    host, viewer = host_of(request), viewer_of(token_of(request))
    room = await host.hint(room_id, viewer)
    game = room.game
    advice = await asyncio.to_thread(
        advise, game.cards[game.seat], game.dice, game.rolls_left, game.ruleset
    )
    return Hint(_seen(host, room_id, room, viewer), advice.ranking)


@post(
    "/games/{room_id:str}/again",
    about=About(GameView, (403, 404, 409, 413, 429, 503)),
)
async def again(request: Asked, room_id: InPath) -> GameView:
    """The next game of the same players, the next one starting: one, whoever asks first."""
    host, viewer = host_of(request), viewer_of(token_of(request))
    next_id = await host.again(room_id, viewer)
    return _seen(host, next_id, await host.room(next_id), viewer)


@get("/games/{room_id:str}", about=About(GameView, (404, 503)))
async def state(request: Asked, room_id: InPath) -> GameView:
    """The game as this identity sees it."""
    host, viewer = host_of(request), viewer_of(token_of(request))
    return _seen(host, room_id, await host.enter(room_id, viewer), viewer)


@post(
    "/games/{room_id:str}/moves",
    status_code=200,
    about=About(
        GameView, (400, 403, 404, 409, 413, 415, 422, 503), RollDice | WriteScore | TakeBack
    ),
)
async def move(request: Asked, room_id: InPath) -> Response[GameView] | Response[Failed]:
    """Play a move. The same move sent twice, at the same ``seq``, happens once."""
    data = await _exactly(request, _move)
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
    return encode_record((await host_of(request).room(room_id)).record)


@get("/games/{room_id:str}/log", about=About(LogView, (404, 503)))
async def dice_log(request: Asked, room_id: InPath) -> LogView:
    """Every throw of the game, and how often each seat threw each face."""
    return log_of(await host_of(request).room(room_id))


@get("/games/{room_id:str}/review", about=About(Review, (404, 409, 429, 503)))
async def review(request: Asked, room_id: InPath) -> Review:
    """What luck brought and what each choice cost, once the game is over: 409 before."""
    return await review_of(request, await host_of(request).room(room_id))


@get(
    "/games/{room_id:str}/stream",
    about=About(str, (404, 503), media_type=live.EVENTS, or_else=live.LINES),
)
async def stream(request: Asked, room_id: InPath) -> Stream:
    """Server-sent events named ``game``: the ``id`` is the seq, the data the game as JSON.

    With a Last-Event-ID header, or a ``since`` in the query, only states after that seq come.
    With ``Accept: application/x-ndjson`` the stream is lines of JSON: first the whole game, then,
    for each new state, the fields that changed, ``seq`` always among them, to be put over those
    known before. An empty line, at least every 15 seconds, says that nothing has happened.
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


_PREFIX = "/api/v1"
_ROUTES = [
    *(create, create_room, state, seats, move, hint, again),
    *(record, dice_log, review, stream, advice),
]


@get("/openapi.json")
async def openapi(request: Asked) -> dict[str, Any]:
    return document(_PREFIX, _ROUTES, base_of(request))


API = Router(_PREFIX, route_handlers=[*_ROUTES, openapi])
