"""What a server needs: memory, with many games in the store, and time until it answers."""

import asyncio
import re
from collections.abc import Sequence
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from secrets import token_urlsafe
from statistics import median

from bench.games import Played, play
from bench.process import (
    BARE,
    MAKE_PLAY,
    SERVE,
    Server,
    folder,
    megabytes,
    seconds_to_answer,
    serving,
)
from bench.report import Line, Table, say
from yacht.rooms.sqlite import Sqlite
from yacht.rooms.store import Append, Result, Secrets
from yacht.web.visit import COOKIE, new_token, viewer_of

_FINISHED, _OPEN, _PEOPLE = 100, 10, 100
"""Games of each person, and how many people."""
_KINDS = 10
"""Of so many kinds of people, each with random games of its own."""
_OPENED = 200
_MOST_MEGABYTES = 150
_STARTS = 3
_MOST_SECONDS = 2


def run() -> Table:
    """A server without games and one with many, and the starts of the latter."""
    with folder() as data:
        empty, full = data / "empty", data / "full"
        with serving(SERVE, empty) as server:
            _get(server, "/", new_token())
            without = megabytes(server)
        people = [new_token() for _ in range(_PEOPLE)]
        full.mkdir()
        asyncio.run(_fill(full / "yacht.db", people))
        with serving(SERVE, full) as server:
            _get(server, "/", people[0])
            first = megabytes(server)
            _walk(server, people)
            walked = megabytes(server)
        say("memory: starts")
        bare, serve, again = (
            # the first one only makes sure that everything is there
            median([seconds_to_answer(command, full) for _ in range(1 + _STARTS)][1:])
            for command in (BARE, SERVE, MAKE_PLAY)
        )
    return Table(
        "Memory and start",
        f"Resident memory of `yacht serve` with {_FINISHED * _PEOPLE:,} finished and "
        f"{_OPEN * _PEOPLE:,} open games of {_PEOPLE} people in its store. In the walk each of "
        f"them opens the home page, in short and in full, and {_OPENED} games are opened. A start "
        "ends when the home page has been answered.",
        [
            Line("memory, no games", f"{without:.0f} MB"),
            Line(
                "memory, all games",
                f"{first:.0f} MB",
                f"no games {without:.0f} MB: {first / without:.2f} ×",
            ),
            Line(
                "memory, all games, after the walk",
                f"{walked:.0f} MB",
                f"no games {without:.0f} MB: {walked / without:.2f} ×",
                f"under {_MOST_MEGABYTES} MB",
                walked < _MOST_MEGABYTES,
            ),
            Line(
                "start of `yacht serve`",
                f"{serve:.2f} s",
                f"bare framework {bare:.2f} s: {serve / bare:.1f} ×",
            ),
            Line(
                "start of a second `make play`",
                f"{again:.2f} s",
                f"bare framework {bare:.2f} s: {again / bare:.1f} ×",
                f"under {_MOST_SECONDS} s",
                again < _MOST_SECONDS,
            ),
        ],
    )


async def _fill(database: Path, people: Sequence[str]) -> None:
    """Everybody's games, finished and open."""
    chance, store = Random(1), Sqlite(database)
    kinds = [
        [
            *(play(chance, chance.randint(1, 4)) for _ in range(_FINISHED)),
            *(play(chance, chance.randint(1, 4), chance.randint(1, 20)) for _ in range(_OPEN)),
        ]
        for _ in range(_KINDS)
    ]
    for number, token in enumerate(people, 1):
        owner = viewer_of(token)
        await asyncio.gather(
            *(_store(store, owner, played) for played in kinds[number % len(kinds)])
        )
        if number % 20 == 0:
            say(f"memory: {number * (_FINISHED + _OPEN):,} games stored")
    await store.close()


async def _store(store: Sqlite, owner: str, played: Played) -> None:
    game, names = played.game, played.names
    totals = tuple(card.total for card in game.cards)
    result = Result(game.ruleset.key, names, totals) if game.is_over else None
    log = Append(token_urlsafe(12), 0, played.log(owner), [owner], result)
    await store.create(Secrets(played.seed, bytes(32)), log)


def _walk(server: Server, people: Sequence[str]) -> None:
    """Every home page, then a few games of everybody."""
    say("memory: walking through home pages and games")
    for token in people:
        _get(server, "/", token)
        rooms = set(re.findall(r'href="/g/([\w-]{16})"', _get(server, "/?all=1", token)))
        assert len(rooms) == _FINISHED + _OPEN
        for room in sorted(rooms)[: _OPENED // len(people)]:
            _get(server, f"/g/{room}", token)


def _get(server: Server, path: str, token: str) -> str:
    connection = HTTPConnection("127.0.0.1", server.port)
    connection.request("GET", path, headers={"cookie": f"{COOKIE}={token}"})
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    assert answer.status == 200, text
    return text
