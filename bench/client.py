"""The load: players who post one move after another, each on a connection kept alive.

A process of its own, ``python -m bench.client PORT PLAYERS SECONDS [ROOM]``: it prints what it
measured as JSON. It is as cheap as can be, since it shares the machine with the server: a player
counts ``seq`` by itself and knows every request beforehand, so answers are read for their status
and length alone. With ROOM, no games are opened and all moves go to that room.
"""

import asyncio
import gc
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from random import Random
from time import perf_counter
from typing import cast

import msgspec
import uvloop

from bench.report import quantile
from yacht.engine.rules import CLASSIC

WARM_UP = 1.0
"""Seconds of load before anything is counted."""


class Measured(msgspec.Struct):
    """Moves a second, latencies in milliseconds, mean bytes of a request's and answer's body."""

    rate: float
    p50: float
    p99: float
    sent: float
    got: float


def acts(chance: Random, seats: int = 1, seq: int = 1) -> Iterator[bytes]:
    """The bodies of a whole game's moves: one to three rolls, then the next box of any order.

    ``seq`` is the number of the last entry before the first roll.
    """
    keys = [category.key for category in CLASSIC.categories]
    boxes = [chance.sample(keys, k=len(keys)) for _ in range(seats)]
    start = seq
    for turn in range(len(keys)):
        for seat in range(seats):
            for roll in range(chance.randint(1, 3)):
                keep = chance.sample(range(5), chance.randrange(5)) if roll else []
                yield msgspec.json.encode({"do": "roll", "seq": seq, "keep": keep})
                seq += 2 if seq == start else 1  # the first roll fixes the seal too
            yield msgspec.json.encode({"do": "score", "seq": seq, "box": boxes[seat][turn]})
            seq += 1


class Load:
    """What all players did while it counted."""

    def __init__(self) -> None:
        self.took: list[float] = []
        self.sent = self.got = 0
        self.begin = perf_counter() + WARM_UP

    def count(self, start: float, sent: int, got: int) -> None:
        end = perf_counter()
        if start > self.begin:
            self.took.append(end - start)
            self.sent += sent
            self.got += got

    def measured(self) -> Measured:
        seconds, moves = perf_counter() - self.begin, len(self.took)
        p50, p99 = (1000 * quantile(self.took, part) for part in (0.5, 0.99))
        return Measured(moves / seconds, p50, p99, self.sent / moves, self.got / moves)


class Player(asyncio.Protocol):
    """One connection: opens a game, plays it to its end, opens the next."""

    def __init__(self, chance: Random, load: Load, room: str | None) -> None:
        self.chance, self.load, self.room = chance, load, room
        self.bodies: Iterator[bytes] = iter(())
        self.head, self.path, self.heard = b"", "/api/v1/games", b""
        self.start, self.sent = 0.0, 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        self.next()

    def next(self) -> None:
        """Send the game's next move, or open the next game."""
        body = next(self.bodies, None)
        if body is None and self.room is None:
            self.head = _head("/api/v1/games", "")
            body = b'{"names":["Ana"]}'
        elif body is None:
            self.play(self.room, "0" * 43)
            body = next(self.bodies)
        self.start, self.sent = perf_counter(), len(body)
        self.transport.write(b"%b%d\r\n\r\n%b" % (self.head, len(body), body))

    def play(self, room: str | None, token: str) -> None:
        self.head = _head(f"/api/v1/games/{room}/moves", f"authorization: Bearer {token}\r\n")
        self.bodies = acts(self.chance)

    def data_received(self, data: bytes) -> None:
        self.heard = heard = self.heard + data
        if (body := heard.find(b"\r\n\r\n") + 4) == 3:
            return
        at = heard.index(b"content-length: ") + 16
        if len(heard) < body + int(heard[at : heard.index(b"\r", at)]):
            return
        self.heard = b""
        if heard.startswith(b"HTTP/1.1 200"):
            self.load.count(self.start, self.sent, len(heard) - body)
        elif heard.startswith(b"HTTP/1.1 201") and (found := _OPENED.search(heard)):
            self.play(found[2].decode(), found[1].decode())
        else:
            raise AssertionError(heard)
        self.next()


_OPENED = re.compile(rb'"token":"([\w-]{43})".*?"room":"([\w-]{16})"')


def _head(path: str, more: str) -> bytes:
    return (
        f"POST {path} HTTP/1.1\r\nhost: 127.0.0.1\r\n{more}"
        "content-type: application/json\r\ncontent-length: "
    ).encode()


async def play(
    players: int, seconds: float, port: int, make: Callable[[int, Load], Player]
) -> Measured:
    """What so many players do in that time, each made of a number and the load that counts."""
    loop, load = asyncio.get_running_loop(), Load()
    failed = asyncio.Event()
    loop.set_exception_handler(lambda loop, told: _tell(loop, told, failed))
    for seed in range(players):
        await loop.create_connection(lambda seed=seed: make(seed, load), "127.0.0.1", port)
    with suppress(TimeoutError):
        await asyncio.wait_for(failed.wait(), WARM_UP + seconds)
        sys.exit("the load failed")
    return load.measured()


def _tell(loop: asyncio.AbstractEventLoop, told: dict[str, object], failed: asyncio.Event) -> None:
    loop.default_exception_handler(told)
    failed.set()


def main(port: str, players: str, seconds: str, room: str | None = None) -> None:
    """Print what was measured."""
    gc.disable()
    load = play(
        int(players), float(seconds), int(port), lambda seed, load: Player(Random(seed), load, room)
    )
    print(msgspec.json.encode(uvloop.run(load)).decode())


if __name__ == "__main__":
    main(*sys.argv[1:])
