"""The store in a SQLite file: durable, in groups, alone with its secrets, alive after a failure."""
# ruff: noqa: ASYNC240 (nobody else is kept waiting on a test's loop)

import asyncio
import os
import secrets
import sqlite3
import threading
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Coroutine, Generator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Self

import pytest

from tests.rooms.playing import ANA, found_in
from tests.stores import no_writes
from yacht.engine.game import Keep, Rolled, Score
from yacht.engine.reasons import IllegalMove, Reason
from yacht.rooms import sql
from yacht.rooms import sqlite as module
from yacht.rooms.entries import Entry, Opened
from yacht.rooms.host import Host
from yacht.rooms.sqlite import Sqlite, backup
from yacht.rooms.store import (
    Append,
    Conflict,
    Listed,
    NewerSchema,
    Secrets,
    Shown,
    Unavailable,
)
from yacht.rooms.writer import MOST_IN_A_GROUP, Job

pytestmark = pytest.mark.anyio

FIRST = Entry(ANA, Opened("classic", ("Ana",), "f" * 64, ANA))
ROLL = Entry(ANA, Rolled(frozenset(), (2, 6, 1, 5, 5)))
LARGE = Entry("b" * 200_000, Score("choice"))
UNWRITABLE = Entry("\ud800", Score("choice"))
SCHEMA = sorted((Path(module.__file__).parent / "schema").glob("*.sql"))


async def open_rooms(store: Sqlite, *rooms: str) -> None:
    for room in rooms:
        hidden = Secrets(secrets.token_bytes(32), secrets.token_bytes(32))
        await store.create(hidden, Append(room, 0, [FIRST], members=[ANA]))


async def log_in(store: Sqlite, room: str) -> Sequence[Entry]:
    loaded = await store.load(room)
    assert loaded is not None
    return loaded[1]


async def handed_over(*work: Coroutine[Any, Any, None]) -> list[asyncio.Task[None]]:
    """Tasks that have all given their work to the writer."""
    tasks = [asyncio.create_task(one) for one in work]
    await asyncio.sleep(0)
    return tasks


async def refused(work: Coroutine[Any, Any, None]) -> None:
    with pytest.raises(Conflict):
        await work


class Gate:
    """Stops the writer at its next such statement until the block ends; ``ran`` is what it did."""

    def __init__(self, store: Sqlite, statement: str) -> None:
        self.ran: list[str] = []
        self._statement, self._reached, self._open = statement, threading.Event(), threading.Event()
        store._writer.db.set_trace_callback(self._trace)

    def _trace(self, sql: str) -> None:
        self.ran.append(sql)
        if sql == self._statement:
            self._reached.set()
            self._open.wait()

    async def reached(self) -> None:
        await asyncio.to_thread(self._reached.wait)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.set()


# Durable


async def test_durable(sqlite: Sqlite):
    """A write waits for the disk: the log is written ahead, and synced at each commit."""
    pragmas = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}
    for pragma, value in pragmas.items():
        assert sqlite._writer.db.execute(f"PRAGMA {pragma}").fetchone() == (value,)


async def test_nobody_is_told_before_the_commit(sqlite: Sqlite, database: Path):
    """Until its commit a write is told to nobody and seen by nobody; once told it is there."""
    await open_rooms(sqlite, "room")
    with Gate(sqlite, "COMMIT") as gate:
        [task] = await handed_over(sqlite.append(Append("room", 1, [ROLL])))
        await gate.reached()
        for _ in range(5):
            await asyncio.sleep(0)
        assert not task.done()
        assert found_in(database, "SELECT count(*) FROM log") == [1]
    await task
    assert found_in(database, "SELECT count(*) FROM log") == [2]


async def test_numbers(sqlite: Sqlite, database: Path):
    """The entries of a room are numbered from 1 without a gap, and each has its time."""
    await open_rooms(sqlite, "room")
    await sqlite.append(Append("room", 1, [ROLL, ROLL]))
    await sqlite.append(Append("room", 3, [ROLL]))
    assert found_in(database, "SELECT seq FROM log ORDER BY at, seq") == [1, 2, 3, 4]


async def test_readers_do_not_wait(sqlite: Sqlite):
    """A room can be read, as it was, while the writer is in the midst of a transaction."""
    await open_rooms(sqlite, "room")
    with Gate(sqlite, "COMMIT") as gate:
        [task] = await handed_over(sqlite.append(Append("room", 1, [ROLL])))
        await gate.reached()
        assert await log_in(sqlite, "room") == [FIRST]
        assert [game.room for game in await sqlite.games_of(ANA)] == ["room"]
        await sqlite.ping()
    await task
    assert await log_in(sqlite, "room") == [FIRST, ROLL]


# In groups


@pytest.mark.parametrize(("writers", "groups"), [(200, 1), (2 * MOST_IN_A_GROUP + 1, 3)])
async def test_waiting_writes_share_a_commit(sqlite: Sqlite, writers: int, groups: int):
    """All writes that wait while the writer is busy are committed together, up to a limit."""
    rooms = [f"room {number}" for number in range(writers)]
    await asyncio.gather(*(open_rooms(sqlite, room) for room in rooms))
    with Gate(sqlite, "COMMIT") as gate:
        [busy] = await handed_over(refused(sqlite.delete("nowhere", ANA)))
        await gate.reached()
        tasks = await handed_over(*(sqlite.append(Append(room, 1, [ROLL])) for room in rooms))
    await asyncio.gather(busy, *tasks)
    assert gate.ran.count("COMMIT") == 1 + groups
    assert [await log_in(sqlite, room) for room in rooms] == [[FIRST, ROLL]] * writers


async def test_one_that_fails_in_a_group(sqlite: Sqlite):
    """In a group each gets its own outcome: what can't be written keeps nothing else back."""
    rooms = [f"room {number}" for number in range(6)]
    await open_rooms(sqlite, *rooms)
    with Gate(sqlite, "COMMIT") as gate:
        [busy] = await handed_over(refused(sqlite.delete("nowhere", ANA)))
        await gate.reached()
        tasks = await handed_over(
            sqlite.append(Append(rooms[0], 1, [ROLL])),
            sqlite.append(Append(rooms[1], 0, [ROLL, ROLL])),  # number 1 is taken
            sqlite.append(Append(rooms[2], 1, [ROLL])),
            sqlite.append(Append(rooms[3], 1, [ROLL, UNWRITABLE])),
            sqlite.append(Append("nowhere", 1, [ROLL])),
            sqlite.append(Append(rooms[4], 1, [ROLL])),
            sqlite.append(Append(rooms[4], 1, [ROLL])),  # the one before has it now
            sqlite.append(Append(rooms[5], 1, [ROLL], members=["\ud800"])),
        )
    await busy
    outcomes = [type(o) for o in await asyncio.gather(*tasks, return_exceptions=True)]
    written, taken, unwritable = type(None), Conflict, UnicodeEncodeError
    assert outcomes == [written, taken, written, unwritable, taken, written, taken, unwritable]
    assert gate.ran.count("COMMIT") == 2
    lengths = [len(await log_in(sqlite, room)) for room in rooms]
    assert lengths == [2, 1, 2, 1, 2, 1]


async def test_one_that_no_longer_waits(sqlite: Sqlite):
    """Whoever stops waiting, or whose event loop is gone, keeps nobody else back."""
    await open_rooms(sqlite, "room", "other")
    loop = asyncio.new_event_loop()
    with Gate(sqlite, "COMMIT") as gate:
        [busy] = await handed_over(refused(sqlite.delete("nowhere", ANA)))
        await gate.reached()
        gone, stays = await handed_over(
            sqlite.append(Append("room", 1, [ROLL])), sqlite.append(Append("other", 1, [ROLL]))
        )
        sqlite._writer._jobs.put(Job(lambda _: None, (), loop.create_future()))
        loop.close()
        gone.cancel()
    await asyncio.gather(busy, stays)
    assert gone.cancelled()
    await sqlite.append(Append("other", 2, [ROLL]))


async def test_the_writer_survives_a_fault(sqlite: Sqlite):
    """A fault of the program in a write is told to its caller, and the next write is done."""

    def work(_: sqlite3.Connection) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await sqlite._writer.do(work)
    await open_rooms(sqlite, "room")


# Alive after a failure


async def test_an_error_of_the_database(sqlite: Sqlite):
    """An error of the database undoes its whole group, is Unavailable, and leaves nothing open."""
    await open_rooms(sqlite, "room")
    with Gate(sqlite, "COMMIT") as gate:
        [busy] = await handed_over(refused(sqlite.delete("nowhere", ANA)))
        await gate.reached()
        tasks = await handed_over(
            sqlite.append(Append("room", 1, [ROLL])),
            sqlite._writer.do(lambda db: module._run(db, [("DELETE FROM nowhere", ())])),
        )
    outcomes = await asyncio.gather(busy, *tasks, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [type(None), Unavailable, Unavailable]
    assert await log_in(sqlite, "room") == [FIRST]
    await sqlite.append(Append("room", 1, [ROLL]))
    assert await log_in(sqlite, "room") == [FIRST, ROLL]


@contextmanager
def full(store: Sqlite, database: Path) -> Generator[None]:
    """The disk is full until the block ends."""
    [pages] = found_in(database, "PRAGMA page_count")
    store._writer.db.execute(f"PRAGMA max_page_count = {pages}")
    yield
    store._writer.db.execute("PRAGMA max_page_count = 4294967294")


@contextmanager
def read_only(store: Sqlite, database: Path) -> Generator[None]:
    """The system refuses every write until the block ends."""
    with no_writes():
        yield


@contextmanager
def locked(store: Sqlite, database: Path) -> Generator[None]:
    """Another program writes until the block ends, for longer than anyone waits."""
    store._writer.db.execute("PRAGMA busy_timeout = 1")
    with closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield


@pytest.mark.parametrize("broken", [full, read_only, locked])
async def test_unavailable(sqlite: Sqlite, database: Path, broken: Any):
    """What can't be written is Unavailable, nothing is half there, and later it is written."""
    await open_rooms(sqlite, "room", "other")
    writes = [Append("room", 1, [ROLL, LARGE]), Append("other", 1, [LARGE], members=["b" * 32])]
    with broken(sqlite, database):
        for _ in range(2):
            outcomes = await asyncio.gather(*map(sqlite.append, writes), return_exceptions=True)
            assert [type(outcome) for outcome in outcomes] == [Unavailable] * 2
            assert [await log_in(sqlite, room) for room in ("room", "other")] == [[FIRST]] * 2
            assert {game.room for game in await sqlite.games_of(ANA)} == {"room", "other"}
        await sqlite.ping()
    await asyncio.gather(*map(sqlite.append, writes))
    assert await log_in(sqlite, "room") == [FIRST, ROLL, LARGE]
    assert await log_in(sqlite, "other") == [FIRST, LARGE]


def test_a_file_that_is_no_database(database: Path):
    """A file of another kind is Unavailable, and stays what it is."""
    content = b"Dear diary, " * 100
    database.write_bytes(content)
    with pytest.raises(Unavailable):
        Sqlite(database)
    assert database.read_bytes() == content


def test_a_folder_that_is_not_there(database: Path):
    """A file that can't be made is Unavailable."""
    with pytest.raises(Unavailable):
        Sqlite(database / "yacht.db")


async def test_a_store_that_is_closed(database: Path):
    """A store that was closed can't be read: Unavailable, as a health check must know it."""
    store = Sqlite(database)
    await store.close()
    for reading in (store.ping(), store.load("room"), store.games_of(ANA)):
        with pytest.raises(Unavailable):
            await reading


async def test_a_log_that_cannot_be_read(sqlite: Sqlite, database: Path):
    """A log with a line that is no event is unreadable; other rooms and the list are not."""
    await open_rooms(sqlite, "room", "other")
    for event in ("two words", "{", '{"type":"burnt"}', "", "{}"):
        with closing(sqlite3.connect(database)) as db, db:
            db.execute("UPDATE log SET event = ? WHERE room = 'room'", (event,))
        with pytest.raises(IllegalMove) as refused:
            await sqlite.load("room")
        assert refused.value.reason is Reason.UNREADABLE
        assert await log_in(sqlite, "other") == [FIRST]
        assert {game.room for game in await sqlite.games_of(ANA)} == {"room", "other"}


async def test_a_list_that_cannot_be_read(sqlite: Sqlite, database: Path):
    """A result or a time that is damaged hides no game from the list."""
    await open_rooms(sqlite, "room", "other")
    for change in (
        "UPDATE room SET result = '{' WHERE id = 'room'",
        "UPDATE room SET result = CAST(x'ff' AS TEXT) WHERE id = 'room'",
        "UPDATE log SET at = 'x' WHERE room = 'room'",
        "DELETE FROM log WHERE room = 'room'",
    ):
        with closing(sqlite3.connect(database)) as db, db:
            db.execute(change)
        games = {game.room: game for game in await sqlite.games_of(ANA)}
        assert games["room"] == Listed("room", 0.0, None, of_friends=False)
        assert games["other"].at == 0.0


async def test_a_log_with_a_gap(sqlite: Sqlite, database: Path):
    """A log in which a number is missing is unreadable: no next entry could be written."""
    await open_rooms(sqlite, "room")
    await sqlite.append(Append("room", 1, [ROLL] * 3))
    with closing(sqlite3.connect(database)) as db, db:
        db.execute("DELETE FROM log WHERE seq = 3")
    with pytest.raises(IllegalMove) as refused:
        await sqlite.load("room")
    assert refused.value.reason is Reason.UNREADABLE


# Its schema


def shape(db: sqlite3.Connection) -> list[tuple[str, str]]:
    return db.execute(
        "SELECT name, sql FROM sqlite_master WHERE sql NOT NULL ORDER BY 1"
    ).fetchall()


async def test_a_fresh_file(sqlite: Sqlite, database: Path):
    """A new file has what the schema files make, and their number as its version."""
    with closing(sqlite3.connect(":memory:")) as db:
        for file in SCHEMA:
            db.executescript(file.read_text(encoding="utf-8"))
        assert shape(sqlite._writer.db) == shape(db)
    assert found_in(database, "PRAGMA user_version") == [len(SCHEMA)]
    assert [file.name for file in SCHEMA] == [f"{n:03}.sql" for n in range(1, len(SCHEMA) + 1)]


async def test_a_file_that_is_up_to_date(database: Path):
    """Opening a file that needs nothing writes nothing."""
    store = Sqlite(database)
    await open_rooms(store, "room")
    await store.close()
    before, changed = database.read_bytes(), database.stat().st_mtime_ns
    with closing(sqlite3.connect(database)) as db:
        version = db.execute("PRAGMA data_version").fetchone()
        store = Sqlite(database)
        assert await log_in(store, "room") == [FIRST]
        assert db.execute("PRAGMA data_version").fetchone() == version
        await store.close()
    assert (database.read_bytes(), database.stat().st_mtime_ns) == (before, changed)


def test_a_newer_file(database: Path):
    """A file of a newer program is refused, stays as it is, and isn't kept locked."""
    newer = len(SCHEMA) + 1
    with closing(sqlite3.connect(database)) as db:
        db.executescript(f"PRAGMA journal_mode = WAL; PRAGMA user_version = {newer}")
    content = database.read_bytes()
    with pytest.raises(NewerSchema) as refused:
        Sqlite(database)
    error = refused.value
    assert (error.place, error.found, error.known) == (str(database), newer, len(SCHEMA))
    assert database.read_bytes() == content
    with closing(sqlite3.connect(database, timeout=0)) as db:
        db.execute("CREATE TABLE later (id)")


@pytest.fixture
def schema(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the schema files, as in a later version that may have more of them."""
    folder = tmp_path / "later" / "schema"
    folder.mkdir(parents=True)
    for file in SCHEMA:
        (folder / file.name).write_bytes(file.read_bytes())
    monkeypatch.setattr(sql.resources, "files", {"yacht.rooms": folder.parent}.__getitem__)
    return folder


async def test_an_older_file(database: Path, schema: Path):
    """A file of an older program gets the schema files it lacks, once and in order."""
    store = Sqlite(database)
    await open_rooms(store, "room")
    await store.close()
    (schema / "100.sql").write_text("ALTER TABLE extra ADD COLUMN b;")
    (schema / "099.sql").write_text(
        """-- a comment; with a semicolon
        CREATE TABLE extra (a TEXT DEFAULT ';');
        CREATE TRIGGER noted AFTER INSERT ON log BEGIN
            INSERT INTO extra (a) VALUES (new.room); DELETE FROM extra WHERE a = '';
        END;
        """
    )
    for _ in range(2):
        store = Sqlite(database)
        await store.append(Append("room", len(await log_in(store, "room")), [ROLL]))
        await store.close()
    assert found_in(database, "PRAGMA user_version") == [len(SCHEMA) + 2]
    assert found_in(database, "SELECT a FROM extra WHERE b IS NULL") == ["room", "room"]


async def test_an_upgrade_that_fails(database: Path, schema: Path):
    """An upgrade is whole or not at all: the older program can go on with the file."""
    store = Sqlite(database)
    await open_rooms(store, "room")
    await store.close()
    (schema / "099.sql").write_text("CREATE TABLE extra (a);\nCREATE TABLE extra (a);\n")
    with pytest.raises(Unavailable):
        Sqlite(database)
    (schema / "099.sql").unlink()
    assert found_in(database, "SELECT count(*) FROM sqlite_master WHERE name = 'extra'") == [0]
    store = Sqlite(database)
    await store.append(Append("room", 1, [ROLL]))
    await store.close()


# Copies


@contextmanager
def careless_umask() -> Generator[None]:
    """New files are for everybody unless their maker says otherwise."""
    before = os.umask(0)
    yield
    os.umask(before)


async def test_backup_while_writing(sqlite: Sqlite, database: Path, tmp_path: Path):
    """A copy made while others write has all that was done before and nothing half."""
    rooms = [f"room {number}" for number in range(4)]
    await open_rooms(sqlite, *rooms)
    shown = Shown(ANA, 1, 1.5, "{}")
    await sqlite.show("sheet", shown)
    copied = asyncio.Event()

    async def play(room: str) -> None:
        while not copied.is_set():
            await sqlite.append(Append(room, len(await log_in(sqlite, room)), [ROLL] * 3))

    players = [asyncio.create_task(play(room)) for room in rooms]
    for copy in (tmp_path / "1.db", tmp_path / "2.db", tmp_path / "3.db"):
        done = [len(await log_in(sqlite, room)) for room in rooms]
        await asyncio.to_thread(backup, database, copy)
        assert found_in(copy, "PRAGMA integrity_check") == ["ok"]
        restored = Sqlite(copy)
        assert await restored.shown("sheet") == shown
        for room, least in zip(rooms, done, strict=True):
            log = await log_in(restored, room)
            assert len(log) >= least
            assert log == [FIRST, *[ROLL] * (len(log) - 1)]
            assert len(log) % 3 == 1
            await restored.append(Append(room, len(log), [ROLL]))
        await restored.close()
    copied.set()
    await asyncio.gather(*players)
    assert found_in(database, "PRAGMA integrity_check") == ["ok"]


async def test_private(database: Path, tmp_path: Path):
    """The file and its copies can be read by their owner alone, for they hold the seeds."""
    copy = tmp_path / "copy.db"
    with careless_umask():
        store = Sqlite(database)
        await open_rooms(store, "room")
        backup(database, copy)
        files = [*tmp_path.glob("yacht.db*"), copy]
        assert len(files) == 4  # with the log written ahead and its index
        assert {file.stat().st_mode & 0o777 for file in files} == {0o600}
        await store.close()


async def test_no_backup(sqlite: Sqlite, database: Path, tmp_path: Path):
    """A copy that can't be made is Unavailable, and leaves nothing that looks like one."""
    (tmp_path / "diary").write_text("Dear diary")
    (tmp_path / "folder").mkdir()
    before = set(tmp_path.iterdir())
    for source, target in (
        (database, tmp_path / "nowhere" / "copy.db"),
        (database, tmp_path / "diary" / "copy.db"),
        (database, tmp_path / "folder"),
        (tmp_path / "diary", tmp_path / "copy.db"),
    ):
        with pytest.raises(Unavailable):
            backup(source, target)
        assert set(tmp_path.iterdir()) == before
    assert list((tmp_path / "folder").iterdir()) == []


async def test_a_backup_is_one_file(sqlite: Sqlite, database: Path, tmp_path: Path):
    """A copy is one file and nothing beside it."""
    folder = tmp_path / "copies"
    folder.mkdir()
    backup(database, folder / "copy.db")
    assert [file.name for file in folder.iterdir()] == ["copy.db"]


# Its secrets


def forms(hidden: bytes) -> list[bytes]:
    """How bytes could be written down."""
    encoded = (b64encode(hidden), urlsafe_b64encode(hidden))
    return [hidden, hidden.hex().encode(), *(text.rstrip(b"=") for text in encoded)]


def cells(database: Path) -> dict[str, bytes]:
    """All that is in the tables of a file, joined by column."""
    found: dict[str, bytes] = {}
    with closing(sqlite3.connect(database)) as db:
        tables = [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type='table'")]
        for table in tables:
            rows = db.execute(f"SELECT * FROM {table}")  # noqa: S608 (its own tables)
            names = [f"{table}.{column[0]}" for column in rows.description]
            for row in rows:
                for name, cell in zip(names, row, strict=True):
                    data = cell if isinstance(cell, bytes) else str(cell).encode("utf-8")
                    found[name] = found.get(name, b"") + b"\n" + data
    return found


async def test_where_secrets_are(quick: Sqlite, database: Path):
    """A seed is in its own column alone until its game is over, a link's key always."""
    host = Host(quick)
    running, over = [await host.open(ANA, "classic", ["Ana", "Ben"]) for _ in range(2)]
    for room_id, turns in ((running, 23), (over, 24)):
        for _ in range(turns):
            room = await host.room(room_id)
            room = await host.act(room_id, ANA, room.seq, Keep(), [b"Ana", b"Ben"])
            await host.act(room_id, ANA, room.seq, Score(room.game.open_boxes[0]))
    assert (await host.room(over)).game.is_over
    await host.again(over, ANA)
    content = cells(database)
    for room_id in (running, over):
        loaded = await quick.load(room_id)
        assert loaded is not None
        hidden, _ = loaded
        places = {c for c, text in content.items() if any(f in text for f in forms(hidden.seed))}
        assert places == {"room.seed"} | ({"log.event"} if room_id == over else set())
        places = {c for c, text in content.items() if any(f in text for f in forms(hidden.link))}
        assert places == {"room.link"}
