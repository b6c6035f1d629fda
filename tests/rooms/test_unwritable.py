"""Real servers that can't write for a while: they say so, live, show the games, and play on."""

import asyncio
import itertools
import os
import random
import resource
import shutil
import subprocess
from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest

from tests.postgres import Cluster
from tests.rooms.told import Json, Table, Told, as_json, clear, outcome, some_move, stored_in, until
from tests.serving import Served, served
from yacht.engine.game import Keep
from yacht.engine.notation import decode_record, verify
from yacht.rooms.host import Host
from yacht.rooms.room import Room
from yacht.rooms.sqlite import Sqlite
from yacht.web.visit import new_token, viewer_of


def refused(table: Table, game: Told, body: Json) -> None:
    """Moves and new games are refused with a sentence, the game is shown as it was."""
    bearer = {"Authorization": f"Bearer {game.token}"}
    path = f"games/{game.room}"
    clear(table.client.post(f"{path}/moves", json=body, headers=bearer))
    clear(table.client.post("games", json={"names": ["Ana"]}, headers=bearer))
    clear(table.client.post("rooms", json={"name": "Ana"}, headers=bearer))
    shown = table.client.get(path, headers=bearer)
    assert (shown.status_code, shown.json()) == (200, game.answers[-1])


def until_refused(table: Table, game: Told) -> Json:
    """Back and forth until a move is refused; its body."""
    bearer, done = {"Authorization": f"Bearer {game.token}"}, itertools.cycle(["score", "undo"])
    while True:
        body = {"do": next(done), "seq": game.answers[-1]["seq"]}
        body |= {"box": "choice"} if body["do"] == "score" else {}
        answer = table.client.post(f"games/{game.room}/moves", json=body, headers=bearer)
        if answer.status_code == 503:
            return body
        game.answers.append(answer.json())


def begun(table: Table) -> Told:
    """A game with dice on the table."""
    game = table.open(random.Random(1))
    table.move(game, {"do": "roll", "seq": 1, "keep": []})
    return game


def played_out(table: Table, game: Told, body: Json) -> None:
    """What was refused is played now, and the game to its end."""
    chance = random.Random(1)
    table.move(game, body)
    while not (seen := game.answers[-1])["over"]:
        table.move(game, some_move(seen, chance))
    verify(decode_record(table.client.get(f"games/{game.room}/record").text))


# SQLite


def mounting() -> Sequence[str]:
    """Before a command: it may mount what nobody else sees."""
    command = ("unshare", "--map-root-user", "--mount")
    if not shutil.which("unshare") or subprocess.run([*command, "true"], check=False).returncode:
        pytest.skip("this system lets nobody mount a disk of their own")
    return command


def test_a_full_disk(tmp_path: Path):
    """From the moment when its disk is full until there is room again."""
    small = f'mount -t tmpfs -o size=300k none {tmp_path} && exec "$0" "$@"'

    class OnSmallDisk(Served):
        program = (*mounting(), "sh", "-c", small, *Served.program)

    with OnSmallDisk(tmp_path) as server, (table := Table(server.address)).client:
        game = begun(table)
        rest = Path(f"/proc/{server.process.pid}/root{tmp_path}/rest")
        with suppress(OSError), rest.open("wb", buffering=0) as file:
            while file.write(bytes(1024)):
                pass
        body = until_refused(table, game)
        for _ in range(2):
            refused(table, game, body)
        rest.unlink()
        played_out(table, game, body)


class Plain(Served):
    """A server for which the rights on files count, whoever starts it."""

    program = (
        *(("setpriv", "--bounding-set", "-dac_override") if not os.geteuid() else ()),
        *Served.program,
    )


def after_a_kill(folder: Path) -> Told:
    """A game with dice on the table, in the files that a killed server leaves."""

    async def play() -> Told:
        token = new_token()
        store = Sqlite(folder / "open" / "yacht.db")
        host, viewer = Host(store), viewer_of(token)
        room_id = await host.open(viewer, "classic", ["Ana"])
        room = await host.act(room_id, viewer, 1, Keep())
        for file in (folder / "open").iterdir():
            shutil.copy(file, folder)
        (folder / "server.lock").touch()
        await store.close()
        game = Told(room_id, token, [])
        game.answers.append(as_json(game, room))
        return game

    (folder / "open").mkdir()
    return asyncio.run(play())


def test_writes_that_fail(tmp_path: Path):
    """While it may only read its folder, or no file of it takes anything."""
    game = after_a_kill(tmp_path)
    body: Json = {"do": "score", "seq": 3, "box": "choice"}
    paths = [tmp_path, *tmp_path.glob("*.*")]
    modes = [path.stat().st_mode for path in paths]
    for path, mode in zip(paths, modes, strict=True):
        path.chmod(mode & 0o555)
    with Plain(tmp_path) as server, (table := Table(server.address)).client:
        refused(table, game, body)
        refused(table, game, body)
    for path, mode in zip(paths, modes, strict=True):
        path.chmod(mode)
    with Served(tmp_path) as server, (table := Table(server.address)).client:
        table.move(game, body)
        body = {"do": "undo", "seq": 4}
        pid = server.process.pid
        limits = resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
        refused(table, game, body)
        refused(table, game, body)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, limits)
        played_out(table, game, body)


# PostgreSQL


@contextmanager
def read_only(cluster: Cluster, url: str) -> Generator[None]:
    """Whoever connects may only read."""
    setting = "default_transaction_read_only"
    cluster.run(f"ALTER DATABASE postgres SET {setting} = on")
    able = url + quote(f" -c {setting}=off")
    try:
        cluster.disconnect(able)
        yield
    finally:
        cluster.run(f"ALTER DATABASE postgres RESET {setting}", able)
        cluster.disconnect()


FILLING = """DO $$ BEGIN
    FOR n IN 2000..1000000 LOOP
        INSERT INTO log (room, seq, at, by, event) VALUES ('large', n, 0, '', 'undo');
        COMMIT;
    END LOOP;
END $$"""


@contextmanager
def full(cluster: Cluster, url: str) -> Generator[None]:
    """Nobody's log can grow any more; it is as large as the files of what is written ahead."""
    cluster.run("INSERT INTO room VALUES ('large', '', '')", url)
    cluster.run(
        "INSERT INTO log (room, seq, at, by, event) "
        "SELECT 'large', n, 0, repeat('x', 900), 'undo' FROM generate_series(1, 1200) n",
        url,
    )
    [(size,)] = cluster.run("SELECT pg_relation_size('log')", url)
    cluster.limit(f"{size}")
    try:
        cluster.disconnect()
        with suppress(psycopg.Error):
            cluster.run(FILLING, url)
        yield
    finally:
        cluster.limit("unlimited")
        cluster.disconnect()


Broken = Callable[[Cluster, str], AbstractContextManager[None]]


@pytest.mark.parametrize("broken", [read_only, full])
def test_a_database(cluster: Cluster, url: str, tmp_path: Path, broken: Broken):
    """While its database takes nothing, for it is read-only or full."""
    with served(url, tmp_path) as server, (table := Table(server.address)).client:
        game = begun(table)
        with broken(cluster, url):
            until(lambda: table.client.get(f"games/{game.room}"))
            body = until_refused(table, game)
            before = stored_in(cluster, url)[game.room]
            for _ in range(2):
                refused(table, game, body)
        bearer = {"Authorization": f"Bearer {game.token}"}
        path = f"games/{game.room}/moves"
        answer = until(lambda: table.client.post(path, json=body, headers=bearer))
        assert answer.status_code == 200
        wanted = outcome(Room.fold(before.entries), body, before.seed)
        assert stored_in(cluster, url)[game.room].entries == [*before.entries, *wanted]
        game.answers.append(answer.json())
        played_out(table, game, some_move(game.answers[-1], random.Random(1)))
