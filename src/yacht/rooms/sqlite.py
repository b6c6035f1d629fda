"""The store in one SQLite file."""

import contextlib
import os
import sqlite3
from collections.abc import Generator, Iterator, Sequence
from importlib import resources
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec

from yacht.engine.reasons import IllegalMove, Reason
from yacht.rooms.entries import Entry
from yacht.rooms.store import (
    Append,
    Conflict,
    Listed,
    Result,
    Secrets,
    Unavailable,
    decode_event,
    encode_event,
)
from yacht.rooms.writer import Rows, Writer

_BUSY_SECONDS = 10.0


class NewerSchema(Exception):
    """The file was written by a newer version of the program."""

    def __init__(self, path: Path, found: int, known: int) -> None:
        super().__init__(path, found, known)
        self.path, self.found, self.known = path, found, known


class Sqlite:
    """A Store in the file ``path``, made if it isn't there.

    Raises NewerSchema or Unavailable. Reads happen on the caller's thread (WAL readers don't
    wait), writes on the writer's.
    """

    def __init__(self, path: Path) -> None:
        with _mapped_errors(), contextlib.ExitStack() as opened:
            writing = opened.enter_context(contextlib.closing(_connect(path)))
            _migrate(writing, path)
            self._reading = opened.enter_context(contextlib.closing(_connect(path)))
            opened.pop_all()
        self._writer = Writer(writing, _insert)

    async def create(self, secrets: Secrets, log: Append, after: Append | None = None) -> None:
        def work(db: sqlite3.Connection) -> None:
            db.execute(
                "INSERT INTO room (id, seed, link) VALUES (?, ?, ?)",
                (log.room, secrets.seed, secrets.link),
            )
            _append(db, log)
            if after is not None:
                _append(db, after)

        await self._writer.do(work)

    async def append(self, log: Append) -> None:
        plain = log.members is None and log.result is None and log.standing is None
        await self._writer.do(lambda db: _append(db, log), _rows(log) if plain else ())

    async def delete(self, room: str, member: str) -> None:
        await self._writer.do(lambda db: _delete(db, room, member))

    async def load(self, room: str) -> tuple[Secrets, Sequence[Entry]] | None:
        found = self._read("SELECT seed, link FROM room WHERE id = ?", room)
        rows = self._read("SELECT by, event, at FROM log WHERE room = ? ORDER BY seq", room)
        if not found or not rows:
            return None
        try:
            return Secrets(*found[0]), [
                Entry(by, decode_event(event), at) for by, event, at in rows
            ]
        except (msgspec.DecodeError, IllegalMove) as error:
            raise IllegalMove(Reason.UNREADABLE) from error

    async def games_of(self, member: str) -> list[Listed]:
        rows = self._read(
            """SELECT id, (SELECT at FROM log WHERE room = id ORDER BY seq DESC LIMIT 1), result
               FROM member JOIN room ON id = member.room WHERE viewer = ? ORDER BY 2 DESC""",
            member,
        )
        return [
            Listed(room, at, result and msgspec.json.decode(result, type=Result))
            for room, at, result in rows
        ]

    async def due(self, by: float) -> list[str]:
        return [room for (room,) in self._read("SELECT id FROM room WHERE due <= ?", by)]

    async def sweep(self, waiting_since: float, idle_since: float) -> list[str]:
        swept = list[str]()
        await self._writer.do(lambda db: swept.extend(_sweep(db, waiting_since, idle_since)))
        return swept

    async def ping(self) -> None:
        self._read("SELECT 1 FROM room LIMIT 1")

    async def close(self) -> None:
        await self._writer.close()
        self._reading.close()

    def _read(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        with _mapped_errors():
            return self._reading.execute(sql, values).fetchall()


def backup(source: Path, target: Path) -> None:
    """Copy the database, also while a server writes to it. Raises Unavailable."""
    part = target.with_name(f"{target.name}.part")
    with _mapped_errors():
        try:
            with (
                contextlib.closing(_connect(source)) as from_db,
                contextlib.closing(_open(part)) as to_db,
            ):
                from_db.backup(to_db)
            part.replace(target)
        finally:
            with contextlib.suppress(OSError):
                part.unlink()


def _connect(path: Path) -> sqlite3.Connection:
    db = _open(path)
    try:
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
            db.execute(f"PRAGMA {pragma}")
    except sqlite3.Error:
        db.close()
        raise
    return db


def _open(path: Path) -> sqlite3.Connection:
    """The file, made if it isn't there, and then for its owner alone: it holds the seeds."""
    with contextlib.suppress(FileExistsError):  # to open and close it would drop SQLite's locks
        os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))
    return sqlite3.connect(
        path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )


def _migrate(db: sqlite3.Connection, path: Path) -> None:
    """Apply the numbered schema files that this database lacks, in one transaction."""
    folder = resources.files("yacht.rooms") / "schema"
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".sql")), key=str)
    db.execute("BEGIN IMMEDIATE")
    (found,) = db.execute("PRAGMA user_version").fetchone()
    if found > len(files):
        raise NewerSchema(path, found, len(files))
    for file in files[found:]:
        for statement in _statements(file.read_text()):
            db.execute(statement)
    if found < len(files):
        db.execute(f"PRAGMA user_version = {len(files)}")
    db.execute("COMMIT")


def _statements(script: str) -> Iterator[str]:
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def _rows(log: Append) -> Rows:
    return [
        (log.room, seq, entry.at, entry.by, encode_event(entry.event))
        for seq, entry in enumerate(log.entries, log.seq + 1)
    ]


def _insert(db: sqlite3.Connection, rows: Rows) -> None:
    """All rows or none, in one statement: between two, the loop's thread may take its time."""
    values = ", ".join(["(?, ?, ?, ?, ?)"] * len(rows))
    sql = f"INSERT INTO log (room, seq, at, by, event) VALUES {values}"  # noqa: S608 (question marks)
    db.execute(sql, tuple(chain(*rows)))


def _append(db: sqlite3.Connection, log: Append) -> None:
    _insert(db, _rows(log))
    if log.members is not None:
        _run(db, "DELETE FROM member WHERE room = ?", log.room)
        for member in log.members:
            _run(db, "INSERT INTO member (viewer, room) VALUES (?, ?)", member, log.room)
    if log.standing is not None:
        sql = "UPDATE room SET begun = ?, due = ? WHERE id = ?"
        _run(db, sql, log.standing.begun, log.standing.due, log.room)
    if log.result is not None:
        result = msgspec.json.encode(log.result).decode()
        _run(db, "UPDATE room SET result = ? WHERE id = ?", result, log.room)


def _delete(db: sqlite3.Connection, room: str, member: str) -> None:
    sql = """DELETE FROM room WHERE begun IS NULL
             AND id = (SELECT room FROM member WHERE room = ? AND viewer = ?)"""
    if not db.execute(sql, (room, member)).rowcount:
        raise Conflict


def _sweep(db: sqlite3.Connection, waiting_since: float, idle_since: float) -> list[str]:
    last = "(SELECT at FROM log WHERE room = id ORDER BY seq DESC LIMIT 1)"
    sql = f"""DELETE FROM room WHERE begun = 0 AND {last} < ? OR begun = 1 AND {last} < ?
              RETURNING id"""  # noqa: S608 (our own words)
    return [room for (room,) in db.execute(sql, (waiting_since, idle_since))]


def _run(db: sqlite3.Connection, sql: str, *values: object) -> None:
    db.execute(sql, values)


@contextlib.contextmanager
def _mapped_errors() -> Generator[None]:
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise Unavailable(str(error)) from error
