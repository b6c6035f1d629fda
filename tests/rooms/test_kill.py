"""A killed server loses nothing it has told, leaves nothing half, and throws the same dice after.

What the kill leaves in the kernel's memory reaches the disk all the same; that writes are synced
is tested in test_sqlite.py.
"""

import asyncio
import os
import random
import secrets
import sqlite3
import ssl
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Semaphore
from typing import Any

import httpx
import msgspec
import pytest

from tests.rooms.dying import NEW, OLD, RESULT
from tests.rooms.playing import derived
from tests.serving import Served
from yacht.engine.dice import dice_key, fingerprint, throw
from yacht.engine.game import Keep, Score, UndoScore
from yacht.engine.notation import verify
from yacht.rooms.entries import Entry, LogEvent, Started, Unsealed
from yacht.rooms.room import Room
from yacht.rooms.sqlite import Sqlite
from yacht.rooms.store import decode_event
from yacht.view import view

DYING = Path(__file__).with_name("dying.py")
PLAYERS = 4
NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # a client of its own loads all certificates

Json = dict[str, Any]


@dataclass
class Told:
    """A game as its player knows it: all answers to its moves, and a move without an answer."""

    room: str
    token: str
    answers: list[Json]
    sent: Json | None = None


@dataclass(frozen=True)
class Stored:
    """A room as it is in the file."""

    seed: bytes
    result: str | None
    numbers: list[int] = field(default_factory=list[int])
    entries: list[Entry] = field(default_factory=list[Entry])


class Table:
    """One player's connection to the server."""

    def __init__(self, address: str) -> None:
        self.client = httpx.Client(base_url=f"{address}api/v1/", timeout=30, verify=NO_TLS)

    def open(self, chance: random.Random) -> Told:
        names = [f"Player {seat}" for seat in range(chance.choice((1, 2, 3)))]
        ruleset = chance.choice(("classic", "sum"))
        answer = self.client.post("games", json={"names": names, "ruleset": ruleset})
        assert answer.status_code == 201, answer.text
        created = answer.json()
        return Told(created["game"]["room"], created["token"], [created["game"]])

    def move(self, game: Told, body: Json) -> Json:
        game.sent = body
        bearer = {"Authorization": f"Bearer {game.token}"}
        answer = self.client.post(f"games/{game.room}/moves", json=body, headers=bearer)
        assert answer.status_code == 200, answer.text
        game.answers.append(answer.json())
        game.sent = None
        return game.answers[-1]


def some_move(seen: Json, chance: random.Random) -> Json:
    """The body of a random legal move."""
    kinds = ["undo"] * seen["may_undo"] + ["roll"] * 3 * (seen["rolls_left"] > 0)
    kinds += ["score"] * 2 * bool(seen["dice"])
    match chance.choice(kinds):
        case "roll":
            keep = chance.sample(range(5), chance.randrange(5)) if seen["dice"] else []
            salts = [chance.randbytes(chance.randrange(33)).hex() for _ in seen["seats"]]
            return {"do": "roll", "seq": seen["seq"], "keep": keep, "seat_bytes": salts}
        case "score":
            return {"do": "score", "seq": seen["seq"], "box": chance.choice(list(seen["points"]))}
        case _:
            return {"do": "undo", "seq": seen["seq"]}


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
        rows = db.execute("SELECT id, seed, result FROM room")
        stored = {room: Stored(seed, result) for room, seed, result in rows}
        for room, seq, by, event in db.execute(
            "SELECT room, seq, by, event FROM log ORDER BY 1, 2"
        ):
            stored[room].numbers.append(seq)
            stored[room].entries.append(Entry(by, decode_event(event)))
    return stored


def outcome(room: Room, body: Json, seed: bytes) -> list[Entry]:
    """The entries that a move must become, derived from the seed."""
    game, events = room.game, list[LogEvent]()
    match body["do"]:
        case "roll":
            salts = room.seat_bytes
            if salts is None:
                salts = tuple(map(bytes.fromhex, body["seat_bytes"]))
                events.append(Started(salts))
            key = dice_key(seed, salts)
            thrown = throw(key, game.seat, game.turn, game.rolls_used, game.ruleset)
            events.append(game.rolled(Keep(frozenset(body["keep"])), thrown))
        case "score":
            events.append(Score(body["box"]))
            if game.play(Score(body["box"])).is_over:
                events.append(Unsealed(seed))
        case _:
            events.append(UndoScore())
    return [Entry(room.owner, event) for event in events]


def after(room: Room, entries: Sequence[Entry]) -> Room:
    return Room.fold([*room.entries, *entries])


def as_json(game: Told, room: Room) -> Json:
    """What the server must say of a room to its player."""
    return msgspec.json.decode(msgspec.json.encode(view(game.room, room, room.owner)))


def check_file(stored: dict[str, Stored]) -> None:
    """Nothing in the file is half: each log is a game, whole with its seed and result if over."""
    for found in stored.values():
        assert found.numbers == list(range(1, len(found.entries) + 1))
        room = Room.fold(found.entries)
        assert room.fingerprint == fingerprint(found.seed)
        verify(replace(room.record, seed=found.seed))
        assert room.seed == (found.seed if room.game.is_over else None)
        assert (found.result is not None) == room.game.is_over
        assert (room.seat_bytes is not None) == bool(room.turns)


def check_game(table: Table, game: Told, found: Stored) -> None:
    """All that was told is there; what wasn't is whole or absent; and the game goes on from it."""
    answers = {answer["seq"]: answer for answer in game.answers}
    room = Room.opened(found.entries[0])
    for entry in found.entries[1:]:
        if room.seq in answers:
            assert as_json(game, room) == answers.pop(room.seq)
        if not answers:
            break
        room = room.after(entry)
    if room.seq in answers:
        assert as_json(game, room) == answers.pop(room.seq)
    assert not answers, "told and lost"
    more = found.entries[room.seq :]
    if game.sent is None:
        assert more == []
    else:
        wanted = outcome(room, game.sent, found.seed)
        assert more in ([], wanted)
        body, room = game.sent, after(room, wanted)
        assert table.move(game, body) == table.move(game, body) == as_json(game, room)
    while not room.game.is_over:
        seq, box = room.seq, room.game.open_boxes[0]
        body = {"do": "score", "seq": seq, "box": box}
        if room.game.rolls_left:
            body = {"do": "roll", "seq": seq, "keep": [], "seat_bytes": ["00"] * len(room.names)}
        room = after(room, outcome(room, body, found.seed))
        assert table.move(game, body) == as_json(game, room)
        if body["do"] == "roll":
            break


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


@pytest.mark.parametrize(("level", "how"), [("easy", "kill"), ("exact", "kill"), ("easy", "stop")])
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
