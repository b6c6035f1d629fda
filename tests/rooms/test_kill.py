"""A killed server loses nothing it has told, leaves nothing half, and throws the same dice after.

What the kill leaves in the kernel's memory reaches the disk all the same; that writes are synced
is tested in test_sqlite.py.
"""

import asyncio
import os
import random
import secrets
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Semaphore

import httpx
import msgspec
import pytest

from tests.rooms.dying import NEW, OLD, RESULT
from tests.rooms.playing import derived
from tests.rooms.told import (
    LOGS,
    ROOMS,
    Json,
    Stored,
    Table,
    Told,
    as_json,
    check_file,
    check_game,
    rooms_of,
    some_move,
)
from tests.serving import Served
from yacht.rooms.room import Room
from yacht.rooms.sqlite import Sqlite

DYING = Path(__file__).with_name("dying.py")
PLAYERS = 4


def play(address: str, chance: random.Random, games: list[Told], told: Semaphore) -> None:
    """One player's games, one after the other, until the server is gone."""
    table = Table(address)
    with table.client:
        try:
            while True:
                if not games or games[-1].answers[-1]["over"]:
                    games.append(table.open(chance))
                table.move(games[-1], some_move(games[-1].answers[-1], chance))
                told.release()
        except httpx.TransportError:
            return


def rooms_in(data: Path) -> dict[str, Stored]:
    """Every room in the file of the games."""
    with closing(sqlite3.connect(data / "yacht.db")) as db:
        return rooms_of(*(db.execute(sql).fetchall() for sql in (ROOMS, LOGS)))


@pytest.mark.parametrize("kills", [5, pytest.param(100, marks=pytest.mark.soak)])
def test_kill(tmp_path: Path, kills: int):
    """After a kill at any instant all that was told is there, and the next dice are the sealed."""
    seed = int(os.environ.get("KILL_SEED") or secrets.randbits(32))
    print(f"To make the same choices again: KILL_SEED={seed}")  # noqa: T201 (shown if it fails)
    chance = random.Random(seed)
    chances = [random.Random(chance.random()) for _ in range(PLAYERS)]
    games: list[list[Told]] = [[] for _ in range(PLAYERS)]
    unanswered = landed = 0
    for kill in range(kills + 1):
        with Served(tmp_path) as server:
            stored = rooms_in(tmp_path)
            check_file(stored)
            table = Table(server.address)
            with table.client:
                for game in (game for player in games for game in player[:-2]):
                    room = Room.fold(stored[game.room].entries)
                    assert as_json(game, room) == game.answers[-1]
                for game in (game for player in games for game in player[-2:]):
                    found = stored[game.room]
                    unanswered += game.sent is not None
                    landed += game.sent is not None and game.answers[-1]["seq"] < len(found.entries)
                    check_game(table, game, found)
            if kill == kills:
                break
            told = Semaphore(0)
            with ThreadPoolExecutor(PLAYERS) as pool:
                at_table = [
                    pool.submit(play, server.address, *player, told)
                    for player in zip(chances, games, strict=True)
                ]
                answers = chance.randrange(1, 80)
                answered = all(told.acquire(timeout=30) for _ in range(answers))
                time.sleep(chance.uniform(0, 0.004))  # into the midst of the next moves
                server.kill()
            for player in at_table:
                player.result()
            assert answered
    print(f"{unanswered} moves without an answer, {landed} of them done")  # noqa: T201
    assert unanswered


@pytest.mark.parametrize(("level", "how"), [("exact", "kill"), ("easy", "stop")])
def test_an_end_in_a_computers_turn(tmp_path: Path, level: str, how: str):
    """However a server ends in a computer's turn, the next one plays on as the seed says."""
    pace = "--computer-pace", "0.25"
    with Served(tmp_path, *pace) as server, Table(server.address).client as client:
        body = {"names": ["Computer", "Ana"], "computers": [level, ""]}
        room = client.post("games", json=body).json()["game"]["room"]
        seen = once(client, room, lambda seen: seen["rolls_used"] > 0)
        before = time.monotonic()
        server.kill() if how == "kill" else server.stop()
        assert time.monotonic() - before < 2
    found = rooms_in(tmp_path)[room]
    left = Room.fold(found.entries)
    assert left.seq >= seen["seq"]
    with Served(tmp_path, *pace) as server, Table(server.address).client as client:
        once(client, room, lambda seen: seen["seat"] == 1)
    check_file(stored := rooms_in(tmp_path))
    after = Room.fold(stored[room].entries)
    assert after.entries[: left.seq] == left.entries
    assert list(after.record.events) == derived(after, found.seed)
    assert (after.game.seat, after.game.rolls_used) == (1, 0)


def once(client: httpx.Client, room: str, fits: Callable[[Json], bool]) -> Json:
    """The state of a room once it fits, from its stream."""
    with client.stream("GET", f"games/{room}/stream") as stream:
        for line in stream.iter_lines():
            if line.startswith("data: {") and fits(seen := msgspec.json.decode(line[6:])):
                return seen
    raise AssertionError


@pytest.mark.anyio
async def test_killed_at_every_statement(tmp_path: Path):
    """A write is whole or absent at whichever of its statements the program is killed."""
    command = [sys.executable, DYING, tmp_path]
    await asyncio.to_thread(subprocess.run, command, check=True, timeout=60)
    files = sorted(tmp_path.glob("*.db"), key=lambda file: int(file.stem))  # noqa: ASYNC240
    assert len(files) > 5
    for file in files:
        store = Sqlite(file)
        old, new = [await store.load(room) for room in ("old", "new")]
        games = {game.room: game.result for game in await store.games_of("ben")}
        await store.close()
        assert old is not None
        if file == files[-1]:
            assert new is not None
            assert (old[1], new[1], games) == (OLD, NEW, {"old": RESULT, "new": None})
        else:
            assert (old[1], new, games) == (OLD[:1], None, {})
