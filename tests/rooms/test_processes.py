"""Real servers on one PostgreSQL, and what becomes of their games when one or the other fails."""

import os
import random
import secrets
import signal
import time
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from queue import Queue
from threading import Event, Semaphore, Thread

import httpx
import msgspec
import pytest

from tests.postgres import PASSWORD, Cluster
from tests.rooms.parties import Anywhere, Party, check_evening
from tests.rooms.told import (
    Json,
    Stored,
    Table,
    Told,
    as_json,
    check_file,
    clear,
    outcome,
    some_move,
    stored_in,
    until,
)
from tests.serving import Served, served
from yacht.engine.notation import decode_record, verify
from yacht.rooms.room import Room

PARTIES = 2


class Player(Anywhere):
    """Plays one game on one device after the other."""

    def __init__(self, servers: list[Served], chance: random.Random, moving: Semaphore) -> None:
        super().__init__(servers, chance, moving)
        self.games: list[tuple[Told, list[Json]]] = []
        """Each with the bodies of its moves."""

    def play(self, stop: Event) -> None:
        """Until it is time to stop, and the game that was begun has ended."""
        while not stop.is_set():
            game, bodies = self.anywhere(lambda table: table.open(self.chance)), list[Json]()
            self.games.append((game, bodies))
            while not (seen := game.answers[-1])["over"]:
                bodies.append(some_move(seen, self.chance))
                self.moving.release()
                self.anywhere(lambda table, game=game, body=bodies[-1]: table.move(game, body))
        self.close()


def check(game: Told, bodies: list[Json], found: Stored) -> None:
    """Each move is in the log once, where it was told to be, and nothing else is."""
    room = Room.opened(found.entries[0])
    assert as_json(game, room) == game.answers[0]
    for body, answer in zip(bodies, game.answers[1:], strict=True):
        wanted = outcome(room, body, found.seed)
        assert found.entries[room.seq : room.seq + len(wanted)] == wanted
        for entry in wanted:
            room = room.after(entry)
        assert as_json(game, room) == answer
    assert room.seq == len(found.entries)
    assert room.game.is_over


@pytest.mark.parametrize("kills", [3, pytest.param(50, marks=pytest.mark.soak)])
def test_one_of_two_is_killed(cluster: Cluster, url: str, tmp_path: Path, kills: int):
    """Whichever server is killed, the games end right: nothing told is lost, nothing done twice."""
    seed = int(os.environ.get("KILL_SEED") or secrets.randbits(32))
    print(f"To make the same choices again: KILL_SEED={seed}")  # noqa: T201 (shown if it fails)
    chance, moving, stop = random.Random(seed), Semaphore(0), Event()
    with ExitStack() as stack, ThreadPoolExecutor(1 + PARTIES) as pool:
        servers = [stack.enter_context(served(url, tmp_path)) for _ in range(2)]
        chances = [random.Random(chance.random()) for _ in range(1 + PARTIES)]
        player = Player(servers, chances.pop(), moving)
        parties = [Party(servers, each, moving, url) for each in chances]
        playing = [pool.submit(one.play, stop) for one in (player, *parties)]
        try:
            for _ in range(kills):
                moves = chance.randrange(1, 30)
                while moving.acquire(blocking=False):
                    pass  # what was sent while the last one started
                assert all(moving.acquire(timeout=30) for _ in range(moves))
                time.sleep(chance.uniform(0, 0.01))  # into the midst of the next moves
                killed = chance.randrange(2)
                servers[killed].kill()
                port = servers[killed].port
                servers[killed] = stack.enter_context(served(url, tmp_path, port))
        finally:
            stop.set()
        for one in playing:
            one.result(60)
        records = f"{servers[0].address}api/v1/games/{player.games[-1][0].room}/record"
        verify(decode_record(httpx.get(records, trust_env=False).text))
    check_file(stored := stored_in(cluster, url))
    for game, bodies in player.games:
        check(game, bodies, stored[game.room])
    for evening in (evening for party in parties for evening in party.evenings):
        check_evening(evening, stored[evening.room])
    assert sum(one.resent for one in (player, *parties))


@contextmanager
def watching(address: str, room: str) -> Generator[Queue[Json]]:
    """The states that a page gets, which asks again whenever its stream ends."""
    states, ended = Queue[Json](), Event()

    def watch() -> None:
        client = Table(address).client
        with client:
            while not ended.is_set():
                try:
                    with client.stream("GET", f"games/{room}/stream") as stream:
                        for line in stream.iter_lines():
                            if line.startswith("data: {"):
                                states.put(msgspec.json.decode(line[6:]))
                except httpx.TransportError:
                    pass

    watcher = Thread(target=watch)
    watcher.start()
    try:
        yield states
    finally:
        ended.set()
        watcher.join(30)  # the server ends first


def test_the_database_is_away(cluster: Cluster, url: str, tmp_path: Path):
    """Stopped or crashed: each server says so; then games and streams go on as they were."""
    chance = random.Random(1)
    with ExitStack() as stack:
        servers = [stack.enter_context(served(url, tmp_path)) for _ in range(2)]
        one, other = [Table(server.address) for server in servers]
        stack.enter_context(one.client)
        stack.enter_context(other.client)
        game = one.open(chance)
        states = stack.enter_context(watching(servers[1].address, game.room))
        for table in (one, other, one):
            table.move(game, some_move(game.answers[-1], chance))
        bearer = {"Authorization": f"Bearer {game.token}"}

        def move(table: Table, body: Json) -> httpx.Response:
            return table.client.post(f"games/{game.room}/moves", json=body, headers=bearer)

        def open_game(table: Table) -> httpx.Response:
            return table.client.post("games", json={"names": ["Ana"]})

        def health(table: Table) -> httpx.Response:
            return table.client.get("../../healthz")

        for how in (signal.SIGINT, signal.SIGQUIT):
            body = some_move(game.answers[-1], chance)
            before = stored_in(cluster, url)[game.room]
            with cluster.away(how), ThreadPoolExecutor() as pool:
                asks = partial(move, body=body), open_game, health
                asked = [pool.submit(ask, table) for table in (one, other) for ask in asks]
                for answer in asked:
                    clear(answer.result())
            assert stored_in(cluster, url) == {game.room: before}
            answers = [until(partial(move, table, body)) for table in (one, other)]
            assert [answer.status_code for answer in answers] == [200, 200]
            assert answers[0].json() == answers[1].json()
            game.answers.append(answers[0].json())
            wanted = outcome(Room.fold(before.entries), body, before.seed)
            assert stored_in(cluster, url)[game.room].entries == [*before.entries, *wanted]
            while states.get(timeout=30)["seq"] < game.answers[-1]["seq"]:
                pass
        for server in servers:
            assert PASSWORD not in server.stop()
