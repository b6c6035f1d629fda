"""A player's games in /api/v1: their list, the link that takes one elsewhere, and its removal."""

from typing import Annotated

import msgspec
from litestar import delete, get

from yacht.rooms.store import Listed, Result
from yacht.web.openapi import About
from yacht.web.visit import Asked, InPath, address_of, host_of, token_of, viewer_of


class Mine(msgspec.Struct):
    """A game that this identity plays in, and when it was last played, in Unix seconds.

    ``result`` is null until the game is over.
    """

    room: str
    at: float
    result: Result | None

    @classmethod
    def of(cls, game: Listed) -> "Mine":
        """A game as it is in its players' lists."""
        return cls(game.room, game.at, game.result)


class Link(msgspec.Struct):
    """A personal link: who opens ``address``, or sends ``key`` to take, plays from then on."""

    address: str
    key: Annotated[str, msgspec.Meta(description="it works once")]


@get("/games", about=About(list[Mine], (503,)))
async def mine(request: Asked) -> list[Mine]:
    """The games that this identity plays in, the last played first."""
    games = await host_of(request).games_of(viewer_of(token_of(request)))
    return [Mine.of(game) for game in games]


@get("/games/{room_id:str}/link", about=About(Link, (403, 404, 503)))
async def link(request: Asked, room_id: InPath) -> Link:
    """The link by which this identity's game, or its seat among friends, moves to another."""
    key = await host_of(request).link_key(room_id, viewer_of(token_of(request)))
    return Link(f"{address_of(request)}/g/{room_id}/here/{key}", key)


@delete("/games/{room_id:str}", status_code=204, about=About(None, (403, 404, 413, 422, 503)))
async def remove(request: Asked, room_id: InPath) -> None:
    """Remove a game on one device for good; one of friends belongs to all of them: 422."""
    await host_of(request).delete(room_id, viewer_of(token_of(request)))
