"""Players who ask whichever of several servers answers, and friends among them."""

import asyncio
import random
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import accumulate
from threading import Event, Semaphore
from typing import Any

import httpx
import msgspec

from tests.rooms.playing import derived
from tests.rooms.told import Json, Stored, Table, some_move
from tests.serving import Served
from yacht.engine.game import Keep, Move, Score, UndoScore
from yacht.rooms.entries import CLOCK, move_of
from yacht.rooms.host import Host
from yacht.rooms.postgres import Postgres
from yacht.rooms.room import Room
from yacht.view import view
from yacht.web.visit import new_token, viewer_of

CLOCK_SECONDS = 30
ANA, COMPUTER, BEN = range(3)
"""The seats of a party."""


class Anywhere:
    """Somebody who asks any of several servers, until one answers.

    ``moving`` is released as they send a move.
    """

    def __init__(self, servers: Iterable[Served], chance: random.Random, moving: Semaphore) -> None:
        self.tables = [Table(server.address) for server in servers]
        self.chance, self.moving = chance, moving
        self.resent = 0

    def anywhere(self, ask: Callable[[Table], Any]) -> Any:
        """What any server answers; one that doesn't is dead, and may have done it all the same."""
        while True:
            try:
                return ask(self.chance.choice(self.tables))
            except httpx.TransportError:
                self.resent += 1

    def close(self) -> None:
        """Hang up."""
        for table in self.tables:
            table.client.close()


@dataclass
class Evening:
    """A room as its people know it: what each was told of each state, and who made which move.

    A move that wasn't made came too late. ``clocked``: the first turn is left to the clock.
    """

    room: str
    clocked: bool
    told: dict[tuple[str, int], Json] = field(default_factory=dict[tuple[str, int], Json])
    acts: list[tuple[str, Json, bool]] = field(default_factory=list[tuple[str, Json, bool]])
    newest: int = 0
    over: bool = False

    def tell(self, viewer: str, seen: Json) -> None:
        """Whoever asks of whom, a state is always the same; but for who is away just now."""
        for seat in seen["seats"]:
            seat["away"] = False
        assert self.told.setdefault((viewer, seen["seq"]), seen) == seen
        self.newest, self.over = max(self.newest, seen["seq"]), seen["over"]


class Party(Anywhere):
    """Ana, a computer and Ben, who play in a few rooms in turn.

    In every other room they leave the first turn to the clock, which runs out soon.
    """

    def __init__(
        self, servers: Iterable[Served], chance: random.Random, moving: Semaphore, url: str
    ) -> None:
        super().__init__(servers, chance, moving)
        self.url = url
        self.tokens = {ANA: new_token(), BEN: new_token()}
        self.evenings = list[Evening]()

    def play(self, stop: Event) -> None:
        """Until it is time to stop, and the computers and clocks have done what was theirs."""
        while not stop.is_set():
            if len(self.evenings) < 3 or not self.chance.randrange(50):
                self.evenings.append(self._gather())
            for evening in self.evenings[-3:]:
                if not self._play(evening, self.chance.randrange(10) == 0):
                    stop.wait(0.01)
        for evening in self.evenings:
            while not self._play(evening, undo=True) and not evening.over:
                time.sleep(0.01)
        self.close()

    def _gather(self) -> Evening:
        """A room in which all have sat down and begun."""
        options = {"name": "Ana", "places": 3, "clock": CLOCK_SECONDS}
        made = self.anywhere(lambda table: self._post(table, "rooms", ANA, options)).json()
        evening = Evening(made["game"]["room"], clocked=len(self.evenings) % 2 == 0)
        while not (seen := self._look(evening, ANA))["friends"]["begun"]:
            seats, seq = len(seen["seats"]), seen["seq"]
            computer = {"do": "computer", "seq": seq, "name": "Computer", "level": "easy"}
            acts = {COMPUTER: computer, BEN: {"do": "join", "name": "Ben"}}
            if seats == 3 and evening.clocked:
                late = CLOCK_SECONDS - self.chance.uniform(0.2, 1.5)
                asyncio.run(_begin(self.url, evening.room, viewer_of(self.tokens[ANA]), late))
            else:
                act, seat = acts.get(seats, {"do": "begin"}), BEN if seats == BEN else ANA
                self._sent(evening, "seats", seat, act)
        return evening

    def _play(self, evening: Evening, undo: bool) -> bool:  # noqa: FBT001 (drawn by lot)
        """Whether there was anything to do: a move, or to take a score back if so wanted."""
        seen = self._look(evening, ANA)
        if evening.over:
            return False
        seat, first = seen["seat"], seen["turn"] == 0
        if seat == COMPUTER:
            if not (undo and seen["may_undo"]):
                return False
            seat, body = ANA, {"do": "undo", "seq": seen["seq"]}
        elif seat == ANA and first and evening.clocked:
            return False
        else:
            seen = {**seen, "may_undo": False}
            body = some_move(seen, self.chance)
            body.pop("seat_bytes", None)  # they are each friend's own
        self.moving.release()
        answer = self._sent(evening, "moves", seat, body)
        assert answer.status_code in {200, 409}, answer.text
        viewer, made = viewer_of(self.tokens[seat]), answer.status_code == 200
        evening.acts.append((viewer, body, made))
        evening.tell(viewer, answer.json() if made else answer.json()["game"])
        return True

    def _look(self, evening: Evening, seat: int) -> Json:
        """The game as it is, which is never older than what anybody was told."""
        bearer = self._bearer(seat)
        path = f"games/{evening.room}"
        answer = self.anywhere(lambda table: table.client.get(path, headers=bearer))
        seen: Json = answer.json()
        assert seen["seq"] >= evening.newest
        evening.tell(viewer_of(self.tokens[seat]), seen)
        return seen

    def _sent(self, evening: Evening, what: str, seat: int, body: Json) -> httpx.Response:
        path = f"games/{evening.room}/{what}"
        return self.anywhere(lambda table: self._post(table, path, seat, body))

    def _post(self, table: Table, path: str, seat: int, body: Json) -> httpx.Response:
        answer = table.client.post(path, json=body, headers=self._bearer(seat))
        assert answer.status_code < 500, answer.text
        return answer

    def _bearer(self, seat: int) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.tokens[seat]}"}


async def _begin(url: str, room_id: str, viewer: str, ago: float) -> None:
    """Begin a game as a process would have done so many seconds ago."""
    store = Postgres(url)
    await Host(store, now=lambda: time.time() - ago).begin(room_id, viewer)
    await store.close()


def check_evening(evening: Evening, found: Stored) -> None:
    """All that was told is there, each move once, and what computers and the clock did is right."""
    log = found.timed
    rooms = list(accumulate(log[1:], Room.after, initial=Room.opened(log[0])))
    for (viewer, seq), seen in evening.told.items():
        shown = view(evening.room, rooms[seq - 1], viewer)
        assert msgspec.json.decode(msgspec.json.encode(shown)) == seen
    moves = {number: entry for number, entry in enumerate(log) if move_of(entry.event)}
    made = set[int]()
    for viewer, body, was_made in evening.acts:
        number = next((number for number in moves if number >= body["seq"]), None)
        entry = moves.get(number or 0)
        assert was_made == (
            entry is not None and (entry.by, move_of(entry.event)) == (viewer, _move(body))
        )
        made |= {number or 0} if was_made else set()
    people = rooms[-1].viewers
    assert made == {number for number, entry in moves.items() if entry.by in people}
    assert list(rooms[-1].record.events) == derived(rooms[-1], found.seed)
    ends = [number for number, entry in enumerate(log) if entry.by == CLOCK]
    for number in ends:
        after_score = isinstance(log[number - 1].event, Score)
        if number - 1 not in ends or after_score:
            due = rooms[number - 1].due
            assert due is not None
            assert log[number].at >= due
        assert isinstance(log[number].event, Score) or number + 1 in ends
    assert ends or not evening.clocked


def _move(body: Json) -> Move:
    match body["do"]:
        case "roll":
            return Keep(frozenset(body["keep"]))
        case "score":
            return Score(body["box"])
        case _:
            return UndoScore()
