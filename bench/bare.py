"""The bare framework, ``python -m bench.bare``: Litestar on uvicorn, one POST handler, a constant.

It listens on a free port, prints its address, and answers every move with the same state of a
game, about as long as the server's answers are on average.
"""
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# (Litestar leaves type parameters of its own open)

import socket
from random import Random
from typing import Any

import msgspec
import uvicorn
from litestar import Litestar, post

from bench.games import play
from yacht.rooms.room import Room
from yacht.view import view

_EVENTS = 18  # of the about 36 in a game

_room = Room.fold(play(Random(1), most=_EVENTS).log("0" * 32))
_state = msgspec.to_builtins(view("0" * 16, _room, "0" * 32))


@post("/api/v1/games/{room_id:str}/moves", status_code=200)
async def move(room_id: str, data: dict[str, Any]) -> dict[str, Any]:  # noqa: ARG001 (it is read)
    """The constant."""
    return _state


def main() -> None:
    """Serve until it is ended."""
    app = Litestar([move], openapi_config=None, logging_config=None)
    with socket.create_server(("127.0.0.1", 0), backlog=2048) as listener:
        print(f"http://127.0.0.1:{listener.getsockname()[1]}/", flush=True)
        config = uvicorn.Config(app, log_config=None, access_log=False, server_header=False)
        uvicorn.Server(config).run([listener])


if __name__ == "__main__":
    main()
