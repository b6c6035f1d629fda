"""Watchers, a process of their own: ``python -m bench.watchers PORT ROOMS EACH SECONDS RATE``.

In so many rooms of EACH friends, everybody has the page open. RATE moves a second are made in them
in turn, and what was Watched is printed as JSON; the delay is from the sending of a move, before it
is written down, to the frame that shows it. With a rate of 0 the rooms are on one device, with EACH
pages open to watch; each plays one game after another as fast as it can, and what the players
Measured is printed.
"""

import asyncio
import gc
import re
import sys
from collections.abc import Callable
from functools import partial
from random import Random
from time import perf_counter
from typing import cast

import httpx
import msgspec
import uvloop

from bench import client
from bench.client import WARM_UP, Player, acts
from bench.report import quantile
from yacht.web.visit import COOKIE, new_token

_FRAME = re.compile(rb"id: (\d+)\nevent: game\n")


class Watched(msgspec.Struct):
    """Moves a second, frames a second, and how late they were in milliseconds."""

    moves: float
    frames: float
    p50: float
    p99: float


class Watch(asyncio.Protocol):
    """One open page of a room, a player's if there is a token: tells the seq of each state."""

    def __init__(self, room: str, told: Callable[[str, int], None], token: str = "") -> None:
        self.room, self.told, self.token, self.rest = room, told, token, b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        cookie = f"cookie: {COOKIE}={self.token}\r\n" if self.token else ""
        head = f"GET /g/{self.room}/live?since=0 HTTP/1.1\r\nhost: 127.0.0.1\r\n{cookie}\r\n"
        self.transport = cast("asyncio.Transport", transport)
        self.transport.write(head.encode())

    def data_received(self, data: bytes) -> None:
        data = self.rest + data
        for found in _FRAME.finditer(data):
            self.told(self.room, int(found[1]))
        self.rest = data[-40:] if not _FRAME.search(data[-40:]) else b""


class Table:
    """A room of friends who play to the end, each with a token of their own."""

    def __init__(self, client: httpx.AsyncClient, friends: int, seed: int) -> None:
        self.client, self.room = client, ""
        self.tokens = [new_token() for _ in range(friends)]
        self.start = 2 + friends  # entries: the invitation, those who sat down, the beginning
        self.bodies = acts(Random(seed), friends, self.start)
        self.seat, self.turn = 0, asyncio.Lock()

    async def open(self) -> None:
        """All sit down and begin."""
        made = await self._post("rooms", 0, {"name": "Friend", "places": len(self.tokens)})
        self.room = made.json()["game"]["room"]
        for seat in range(1, len(self.tokens)):
            await self._act("seats", seat, {"do": "join", "name": f"Friend {seat}"})
        begun = await self._act("seats", 0, {"do": "begin"})
        assert begun.json()["game"]["seq"] == self.start

    async def move(self, sent: Callable[[str, int], None]) -> bool:
        """Make the next move, once the last one was answered; false once the game is over."""
        async with self.turn:
            body = next(self.bodies, None)
            if body is None:
                return False
            move = msgspec.json.decode(body)
            sent(self.room, move["seq"] + (2 if move["seq"] == self.start else 1))
            await self._act("moves", self.seat, move)
            self.seat = (self.seat + (move["do"] == "score")) % len(self.tokens)
            return True

    async def _act(self, what: str, seat: int, body: object) -> httpx.Response:
        return await self._post(f"games/{self.room}/{what}", seat, body)

    async def _post(self, path: str, seat: int, body: object) -> httpx.Response:
        bearer = {"Authorization": f"Bearer {self.tokens[seat]}"}
        answer = await self.client.post(f"/api/v1/{path}", json=body, headers=bearer)
        assert answer.is_success, answer.text
        return answer


class Load:
    """What was sent and seen while it counted."""

    def __init__(self) -> None:
        self.at = dict[tuple[str, int], float]()
        self.late = list[float]()
        self.moves, self.begin = 0, perf_counter() + WARM_UP

    def sent(self, room: str, seq: int) -> None:
        self.at[room, seq] = now = perf_counter()
        self.moves += now > self.begin

    def told(self, room: str, seq: int) -> None:
        at = self.at.get((room, seq), 0.0)
        if at > self.begin:
            self.late.append(1000 * (perf_counter() - at))

    def watched(self) -> Watched:
        seconds = perf_counter() - self.begin
        p50, p99 = (quantile(self.late or [0.0], part) for part in (0.5, 0.99))
        return Watched(self.moves / seconds, len(self.late) / seconds, p50, p99)


async def _watch(port: int, rooms: int, each: int, seconds: float, rate: float) -> Watched:
    load, limits = Load(), httpx.Limits(max_connections=50, keepalive_expiry=3)
    address = f"http://127.0.0.1:{port}"
    async with httpx.AsyncClient(base_url=address, limits=limits, timeout=60) as client:
        tables = [Table(client, each, seed) for seed in range(rooms)]
        for table in tables:
            await table.open()
            for token in table.tokens:
                await _look(port, table.room, load.told, token)
        _ready()
        load.begin = perf_counter() + WARM_UP
        await _paced(tables, load, rate, load.begin + seconds)
        return load.watched()


def _ready() -> None:
    """Say so, and wait for the word to begin."""
    print("open", flush=True)
    sys.stdin.readline()


async def _look(
    port: int, room: str, told: Callable[[str, int], None], token: str = ""
) -> asyncio.Transport:
    """An open page of a room."""
    make = partial(Watch, room, told, token)
    transport, _ = await asyncio.get_running_loop().create_connection(make, "127.0.0.1", port)
    return transport


async def _paced(tables: list[Table], load: Load, rate: float, end: float) -> None:
    """Moves at an even rate, whether or not the last one has been answered."""
    moves, number = set[asyncio.Task[bool]](), 0
    start = perf_counter()
    while perf_counter() < end:
        moves.add(asyncio.create_task(tables[number % len(tables)].move(load.sent)))
        number += 1
        await asyncio.sleep(max(0.0, start + number / rate - perf_counter()))
    await asyncio.gather(*moves)


class Seen(Player):
    """A player of whose every game so many pages are open."""

    def __init__(self, seed: int, load: client.Load, port: int, each: int) -> None:
        super().__init__(Random(seed), load, None)
        self.port, self.each, self.pages = port, each, list[asyncio.Task[asyncio.Transport]]()

    def play(self, room: str | None, token: str) -> None:
        for page in self.pages:
            page.result().close()
        looks = (_look(self.port, str(room), lambda _room, _seq: None) for _ in range(self.each))
        self.pages = [asyncio.create_task(look) for look in looks]
        super().play(room, token)


def main(port: str, rooms: str, each: str, seconds: str, rate: str) -> None:
    """Print what was measured."""
    gc.disable()
    if float(rate):
        load = _watch(int(port), int(rooms), int(each), float(seconds), float(rate))
    else:
        _ready()
        load = client.play(
            int(rooms),
            float(seconds),
            int(port),
            lambda seed, moves: Seen(seed, moves, int(port), int(each)),
        )
    print(msgspec.json.encode(uvloop.run(load)).decode())


if __name__ == "__main__":
    main(*sys.argv[1:])
