"""Watchers, a process of their own: ``python -m bench.watchers PORT ROOMS EACH SECONDS RATE``.

EACH page streams are open on every one of so many rooms. RATE moves a second are made in them in
turn, and what was Watched is printed as JSON; the delay is from the sending of a move, before it is
written down, to the frame that shows it. With a rate of 0, each room plays one game after another
as fast as it can, and what the players Measured is printed.
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
from yacht.web.visit import COOKIE

_FRAME = re.compile(rb"id: (\d+)\nevent: game\n")


class Watched(msgspec.Struct):
    """Moves a second, frames a second, and how late they were in milliseconds."""

    moves: float
    frames: float
    p50: float
    p99: float


class Watch(asyncio.Protocol):
    """One open page of a room: tells the seq of each state that it is sent."""

    def __init__(self, room: str, told: Callable[[str, int], None]) -> None:
        self.room, self.told, self.rest = room, told, b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        head = f"GET /g/{self.room}/live?since=0 HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n"
        self.transport = cast("asyncio.Transport", transport)
        self.transport.write(head.encode())

    def data_received(self, data: bytes) -> None:
        data = self.rest + data
        for found in _FRAME.finditer(data):
            self.told(self.room, int(found[1]))
        self.rest = data[-40:] if not _FRAME.search(data[-40:]) else b""


class Table:
    """A room whose game is played to its end."""

    def __init__(self, client: httpx.AsyncClient, room: str, token: str, seed: int) -> None:
        self.client, self.room = client, room
        self.headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        self.bodies = acts(Random(seed))
        self.turn = asyncio.Lock()

    async def move(self, sent: Callable[[str, int], None]) -> bool:
        """Make the next move, once the last one was answered; false once the game is over."""
        async with self.turn:
            body = next(self.bodies, None)
            if body is None:
                return False
            seq = msgspec.json.decode(body)["seq"]
            sent(self.room, seq + (2 if seq == 1 else 1))
            path = f"/api/v1/games/{self.room}/moves"
            answer = await self.client.post(path, content=body, headers=self.headers)
            assert answer.status_code == 200, answer.text
            return True


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
        tables = [await _open(client, seed) for seed in range(rooms)]
        for table in tables:
            for _ in range(each):
                await _look(port, table.room, load.told)
        _ready()
        load.begin = perf_counter() + WARM_UP
        await _paced(tables, load, rate, load.begin + seconds)
        return load.watched()


def _ready() -> None:
    """Say so, and wait for the word to begin."""
    print("open", flush=True)
    sys.stdin.readline()


async def _look(port: int, room: str, told: Callable[[str, int], None]) -> asyncio.Transport:
    """An open page of a room."""
    make = partial(Watch, room, told)
    transport, _ = await asyncio.get_running_loop().create_connection(make, "127.0.0.1", port)
    return transport


async def _open(client: httpx.AsyncClient, seed: int) -> Table:
    answer = await client.post("/api/v1/games", json={"names": ["Ana"]})
    client.cookies.delete(COOKIE)
    made = answer.json()
    return Table(client, made["game"]["room"], made["token"], seed)


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
