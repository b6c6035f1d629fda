"""What a player of a game was told, and whether a store has it all."""

import random
import ssl
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import httpx
import msgspec

from tests.postgres import Cluster
from tests.rooms.playing import owner_of
from yacht.engine.dice import dice_key, fingerprint, throw
from yacht.engine.game import Keep, Score, UndoScore
from yacht.engine.notation import verify
from yacht.rooms.entries import Entry, LogEvent, Started, Unsealed
from yacht.rooms.room import Room
from yacht.rooms.store import decode_event
from yacht.view import view

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
    times: list[float] = field(default_factory=list[float])

    @property
    def timed(self) -> list[Entry]:
        """The entries with the times at which they were written."""
        rows = zip(self.entries, self.times, strict=True)
        return [msgspec.structs.replace(entry, at=at) for entry, at in rows]


ROOMS, LOGS = (
    "SELECT id, seed, result FROM room",
    "SELECT room, seq, by, event, at FROM log ORDER BY 1, 2",
)
"""What other programs ask a store."""


def rooms_of(rooms: Iterable[Sequence[Any]], logs: Iterable[Sequence[Any]]) -> dict[str, Stored]:
    """Every room, from the rows of both."""
    stored = {room: Stored(seed, result) for room, seed, result in rooms}
    for room, seq, by, event, at in logs:
        stored[room].numbers.append(seq)
        stored[room].times.append(at)
        stored[room].entries.append(Entry(by, decode_event(event)))
    return stored


def stored_in(cluster: Cluster, url: str) -> dict[str, Stored]:
    """Every room in a database."""
    return rooms_of(*(cluster.run(sql, url) for sql in (ROOMS, LOGS)))


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
    return [Entry(owner_of(room), event) for event in events]


def after(room: Room, entries: Sequence[Entry]) -> Room:
    return Room.fold([*room.entries, *entries])


def as_json(game: Told, room: Room) -> Json:
    """What the server must say of a room to its player."""
    return msgspec.json.decode(msgspec.json.encode(view(game.room, room, owner_of(room))))


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


def clear(answer: httpx.Response) -> None:
    """The answer says that it is the games that can't be reached."""
    assert answer.status_code == 503
    assert "Nothing was lost; try again in a moment" in answer.text


def until(ask: Callable[[], httpx.Response]) -> httpx.Response:
    """The first answer that isn't 503."""
    end = time.monotonic() + 30
    while (answer := ask()).status_code == 503:
        assert time.monotonic() < end
    return answer
