"""Home: a new game, the games to go on with, the finished ones and what they show."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from litestar import Response, get, post
from litestar.response import Redirect

from yacht import words
from yacht.engine.game import MOST_SEATS
from yacht.engine.reasons import IllegalMove
from yacht.engine.rules import CLASSIC, RULESETS
from yacht.i18n import Language
from yacht.rooms.host import Host
from yacht.rooms.room import Room
from yacht.rooms.store import Listed, Result
from yacht.rooms.table import new_room_id
from yacht.strategy.levels import AVERAGES
from yacht.web.faults import message_of, status_of
from yacht.web.limits import Act
from yacht.web.respond import page, see
from yacht.web.visit import (
    Asked,
    allow,
    form_of,
    host_of,
    identity_cookie,
    language_of,
    new_token,
    room_of,
    token_of,
    viewer_of,
)

_SHOWN = 20
_IN_CURVE = 30


@get("/")
async def home(request: Asked) -> Response[str]:
    """Home; whoever opens it has an identity from then on, and keeps it for longer."""
    response = await _home(request, host_of(request))
    response.set_cookie(identity_cookie(request, token_of(request) or new_token()))
    return response


@post("/games")
async def new_game(request: Asked) -> Response[str] | Redirect:
    host = host_of(request)
    form = await form_of(request)
    language, token = language_of(request), token_of(request) or new_token()
    typed = [
        (str(name), str(level))
        for name, level in zip_longest(
            form.getall("name", []), form.getall("computer", []), fillvalue=""
        )
    ]
    seats = _seats(typed, language)
    names, computers = [name for name, _ in seats], [level for _, level in seats]
    ruleset, room = form.get("ruleset", CLASSIC.key), room_of(form.get("room"))
    allow(request, Act.OPENING)
    try:
        room_id = await host.open(viewer_of(token), ruleset, names, room, computers)
    except IllegalMove as illegal:
        return await _home(request, host, illegal, typed, str(ruleset))
    return see(request, f"/g/{room_id}", token)


def _seats(typed: Sequence[tuple[str, str]], language: Language) -> list[tuple[str, str]]:
    """The seats of a form, names and levels: the first, and the others where anything is given.

    A computer needs no name, nor does a person in the first seat.
    """
    unnamed = sum(not name.strip() and level != "" for name, level in typed)
    seats, computers = list[tuple[str, str]](), 0
    for place, (name, level) in enumerate(typed or [("", "")]):
        given = name
        if not name.strip() and level:
            computers += 1
            given = words.computer(computers, unnamed, language)
        elif not name.strip() and place == 0:
            given = language("Player {n}", n=1)
        if given.strip():
            seats.append((given, level))
    return seats


@dataclass(frozen=True, slots=True)
class _Open:
    """A game to go on with, for the list; ``called`` if friends wait for the viewer."""

    room: str
    names: Sequence[str]
    turn: int
    turns: int
    begun: bool
    of_friends: bool
    called: bool


@dataclass(frozen=True, slots=True)
class _Done:
    """A finished game, for the list."""

    room: str
    at: float
    scores: Sequence[tuple[str, int]]
    of_friends: bool


@dataclass(frozen=True, slots=True)
class _Progress:
    """What one player's totals came to, the last ones as a curve from old to new."""

    name: str
    totals: Sequence[int]
    others: Sequence[str]

    @property
    def games(self) -> int:
        return len(self.totals)

    @property
    def average(self) -> float:
        return sum(self.totals) / len(self.totals)

    @property
    def best(self) -> int:
        return max(self.totals)

    @property
    def last(self) -> Sequence[int]:
        return self.totals[-_IN_CURVE:]

    @property
    def curve(self) -> str:
        """The points of a line in a box of 300 by 60."""
        if len(self.last) < 2:  # noqa: PLR2004 (a line has two ends)
            return ""
        low, high = min(self.last), max(self.last)
        step, scale = 292 / (len(self.last) - 1), 48 / max(high - low, 1)
        return " ".join(
            f"{4 + place * step:.1f},{54 - (total - low) * scale:.1f}"
            for place, total in enumerate(self.last)
        )


async def _home(
    request: Asked,
    host: Host,
    illegal: IllegalMove | None = None,
    typed: Sequence[tuple[str, str]] = (),
    ruleset: str = CLASSIC.key,
) -> Response[str]:
    viewer, query = viewer_of(token_of(request)), request.query_params
    games = await host.games_of(viewer) if viewer else []
    most = len(games) if "all" in query else _SHOWN
    unfinished = [game for game in games if game.result is None]
    finished = [(game, game.result) for game in games if game.result is not None]
    rooms = [(game, await _room(host, game)) for game in unfinished[:most]]
    resume = [_open(game, room, viewer) for game, room in rooms if room is not None]
    if not typed and (last := await _last(host, games)):
        made_up = words.computers(MOST_SEATS, language_of(request))
        levels = [last.level(seat) for seat in range(len(last.names))]
        typed = [
            ("" if level and name in made_up else name, level)
            for name, level in zip(last.names, levels, strict=True)
        ]
        you = next(seat for seat, (_, level) in enumerate(typed) if not level)
        typed = [*typed[you:], *typed[:you]]
    seats = [*typed, *[("", "")] * MOST_SEATS][:MOST_SEATS]
    return page(
        request,
        "home.html",
        status_of(illegal) if illegal else 200,
        notice=message_of(illegal, language_of(request)) if illegal else "",
        names=[name for name, _ in seats],
        computers=[level for _, level in seats],
        levels=AVERAGES,
        room=new_room_id(),
        ruleset=ruleset,
        rulesets=RULESETS,
        resume=resume,
        finished=[
            _Done(
                game.room,
                game.at,
                list(zip(result.names, result.totals, strict=True)),
                game.of_friends,
            )
            for game, result in finished[:most]
        ],
        progress=_progress([result for _, result in finished], query.get("who")),
        more=len(games) if max(len(unfinished), len(finished)) > most else 0,
    )


async def _last(host: Host, games: Sequence[Listed]) -> Room | None:
    """The game on one device that was played last, of the few last ones."""
    for game in games[:_SHOWN]:
        room = await _room(host, game)
        if room is not None and room.options is None:
            return room
    return None


async def _room(host: Host, game: Listed) -> Room | None:
    """The room of a listed game, unless it was deleted meanwhile or can't be read."""
    try:
        return await host.room(game.room)
    except IllegalMove:
        return None


def _open(game: Listed, room: Room, viewer: str) -> _Open:
    turns, friends = len(room.ruleset.categories), game.of_friends
    called = friends and room.begun and room.game.seat in room.seats_of(viewer)
    return _Open(game.room, room.names, room.game.turn + 1, turns, room.begun, friends, called)


def _progress(results: Sequence[Result], who: str | None) -> _Progress | None:
    """The totals of ``who``, or of the one who has played most."""
    played = Counter(name for result in results for name, _ in _people(result))
    if not played:
        return None
    name = who if who and who in played else played.most_common(1)[0][0]
    totals = [
        total for result in reversed(results) for person, total in _people(result) if person == name
    ]
    others = [other for other, _ in played.most_common(MOST_SEATS) if other != name]
    return _Progress(name, totals, others)


def _people(result: Result) -> list[tuple[str, int]]:
    """The names and totals of a game's people, without its computers."""
    computers = result.computers or ("",) * len(result.names)
    seats = zip(result.names, result.totals, computers, strict=True)
    return [(name, total) for name, total, computer in seats if not computer]
