"""The store in one SQLite file."""

import contextlib
import os
import sqlite3
from collections.abc import (
    Callable,
    Collection,
    Generator,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from pathlib import Path

from yacht.rooms import sql
from yacht.rooms.entries import Entry
from yacht.rooms.store import (
    Append,
    Conflict,
    Listed,
    NewerSchema,
    Secrets,
    Shown,
    Unavailable,
    Who,
)
from yacht.rooms.writer import Rows, Writer

_BUSY_SECONDS = 10.0


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
            self._reading.text_factory = _text
            opened.pop_all()
        self._writer = Writer(writing, _insert)

    async def create(self, secrets: Secrets, log: Append, after: Append | None = None) -> None:
        await self._writer.do(lambda db: _run(db, sql.created(secrets, log, after)))

    async def append(self, log: Append) -> None:
        plain = log.members is None and log.result is None and log.standing is None
        await self._writer.do(
            lambda db: _run(db, sql.appended(log)), sql.rows(log) if plain else ()
        )

    async def delete(self, room: str, member: str) -> None:
        await self._writer.do(lambda db: _delete(db, room, member))

    async def load(self, room: str) -> tuple[Secrets, Sequence[Entry]] | None:
        return sql.loaded(self._read(sql.SECRETS, room), self._read(sql.LOG, room))

    async def games_of(self, member: str) -> list[Listed]:
        return sql.listed(self._read(sql.GAMES, member))

    async def states(self) -> dict[str, int]:
        return sql.states(self._read(sql.STATES))

    async def due(self, by: float) -> list[str]:
        return [room for (room,) in self._read(sql.DUE, by)]

    async def sweep(self, waiting_since: float, idle_since: float) -> list[str]:
        old = f"DELETE FROM room WHERE {sql.OLD} RETURNING id"  # noqa: S608 (our own words)
        swept = list[str]()

        def work(db: sqlite3.Connection) -> None:
            for asked, since in (old, (waiting_since, idle_since)), (sql.OLD_SHEETS, (idle_since,)):
                swept.extend(gone for (gone,) in db.execute(asked, since))

        await self._writer.do(work)
        return swept

    async def show(self, sheet: str, shown: Shown) -> None:
        await self._writer.do(lambda db: _run(db, [sql.shown(sheet, shown)]))

    async def renew(self, sheet: str, shown: Shown) -> None:
        await self._writer.do(lambda db: _run(db, [sql.renewed(sheet, shown)]))

    async def hide(self, sheet: str, keeper: str) -> None:
        await self._writer.do(lambda db: _run(db, [(sql.HIDE, (sheet, keeper))]))

    async def shown(self, sheet: str) -> Shown | None:
        found = self._read(sql.SHOWN, sheet)
        return Shown(*found[0]) if found else None

    async def listen(self, heard: Callable[[str, int], None], missed: Callable[[], None]) -> None:
        """Nobody else writes to the file."""

    async def saw(self, seen: Mapping[Who, float]) -> None:
        """Nobody else wants to know."""

    async def seen(self, rooms: Collection[str]) -> dict[Who, float]:  # noqa: ARG002
        """Nobody else sees anyone."""
        return {}

    async def forget(self, since: float) -> None:
        """Nothing is kept."""

    async def newest(self, room: str) -> int | None:  # noqa: ARG002 (nobody else writes)
        return None

    async def ping(self) -> None:
        self._read(sql.PING)

    async def close(self) -> None:
        await self._writer.close()
        self._reading.close()

    async def rows(self, asked: str, *values: object) -> list[sql.Row]:
        return self._read(asked, *values)

    def _read(self, asked: str, *values: object) -> list[sql.Row]:
        with _mapped_errors():
            return self._reading.execute(asked, values).fetchall()


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


def _text(stored: bytes) -> str:
    """What is damaged is no error of the database: who reads it sees that it isn't what it was."""
    return stored.decode(errors="surrogateescape")


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
    scripts = sql.schema()
    db.execute("BEGIN IMMEDIATE")
    (found,) = db.execute("PRAGMA user_version").fetchone()
    if found > len(scripts):
        raise NewerSchema(str(path), found, len(scripts))
    for script in scripts[found:]:
        for statement in _statements(script):
            db.execute(statement)
    if found < len(scripts):
        db.execute(f"PRAGMA user_version = {len(scripts)}")
    db.execute("COMMIT")


def _statements(script: str) -> Iterator[str]:
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def _insert(db: sqlite3.Connection, rows: Rows) -> None:
    """All at once: between two statements, the loop's thread may take its time."""
    db.execute(*sql.inserted(rows))


def _run(db: sqlite3.Connection, statements: Iterable[sql.Statement]) -> None:
    for statement in statements:
        db.execute(*statement)


def _delete(db: sqlite3.Connection, room: str, member: str) -> None:
    if not db.execute(sql.DELETE, (room, member)).rowcount:
        raise Conflict


@contextlib.contextmanager
def _mapped_errors() -> Generator[None]:
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise Unavailable(str(error)) from error
