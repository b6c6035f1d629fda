"""The store in a PostgreSQL database, which any number of processes share."""

import asyncio
import logging
from collections.abc import (
    AsyncGenerator,
    Callable,
    Collection,
    Generator,
    Iterable,
    Mapping,
    Sequence,
)
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg_pool import AsyncConnectionPool

from yacht.rooms import sql
from yacht.rooms.entries import Entry
from yacht.rooms.hearing import GONE, Hearing
from yacht.rooms.store import (
    Append,
    Conflict,
    Listed,
    NewerSchema,
    Secrets,
    Shown,
    Unavailable,
    Who,
    WrongEncoding,
)

_log = logging.getLogger("yacht")
logging.getLogger("psycopg").setLevel(logging.ERROR)  # each request says itself what went wrong

_PATIENCE = {
    "connect_timeout": 5,
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}
"""A database that has vanished is noticed; an address may say otherwise."""
_MOST_CONNECTIONS = 10
_WAIT_SECONDS = 2.0
_RECONNECT_SECONDS = 1.0
_LOCK = int.from_bytes(b"yacht")
_CHANNEL = "yacht"
_NOTIFY = "SELECT pg_notify(?, ?)"
_SAW = """INSERT INTO presence (room, viewer, at)
          SELECT * FROM unnest(?::text[], ?::text[], ?::float8[]) ORDER BY 1, 2
          ON CONFLICT (room, viewer) DO UPDATE SET at = greatest(presence.at, excluded.at)"""
_SEEN = "SELECT room, viewer, at FROM presence WHERE room = ANY(?)"

_Connection = psycopg.AsyncConnection[sql.Row]


class Postgres:
    """A Store in the database at ``url``, in which its tables are made if they aren't there.

    Raises ValueError for what is no address, NewerSchema, WrongEncoding or Unavailable. The
    pool mends itself once a lost database is back.
    """

    def __init__(self, url: str) -> None:
        try:
            options: dict[str, Any] = {**_PATIENCE, **conninfo_to_dict(url)}
        except psycopg.Error:
            raise ValueError from None  # what libpq says may hold the password
        if not url.startswith(("postgresql://", "postgres://")):
            raise ValueError
        options |= {"autocommit": True, "client_encoding": "UTF8"}
        with _mapped_errors(), psycopg.connect(**options) as db:
            _migrate(db)
        self._options = options
        self._pool = AsyncConnectionPool(
            kwargs=options,
            min_size=1,
            max_size=_MOST_CONNECTIONS,
            timeout=_WAIT_SECONDS,
            reconnect_timeout=_WAIT_SECONDS,  # whoever asks next tries anew
            open=False,  # there is no loop yet
        )
        self._hearing = Hearing()
        self._users, self._unused = 0, asyncio.Event()
        self._closed = False

    async def create(self, secrets: Secrets, log: Append, after: Append | None = None) -> None:
        logs = [log] if after is None else [log, after]
        await self._write(sql.created(secrets, log, after), logs)

    async def append(self, log: Append) -> None:
        await self._write(sql.appended(log), [log])

    async def delete(self, room: str, member: str) -> None:
        with self._hearing.busy(room):
            async with self._connection() as db, db.transaction():
                # Whoever is just writing there ends first, and what they wrote counts.
                await _run(db, "SELECT 1 FROM room WHERE id = ? FOR UPDATE", room)
                if not (await _run(db, sql.DELETE, room, member)).rowcount:
                    raise Conflict
                await _run(db, _NOTIFY, _CHANNEL, f"{room} {GONE}")

    async def load(self, room: str) -> tuple[Secrets, Sequence[Entry]] | None:
        with self._hearing.busy(room):
            hidden = await self.rows(sql.SECRETS, room)
            return sql.loaded(hidden, await self.rows(sql.LOG, room) if hidden else ())

    async def games_of(self, member: str) -> list[Listed]:
        return sql.listed(await self.rows(sql.GAMES, member))

    async def states(self) -> dict[str, int]:
        return sql.states(await self.rows(sql.STATES))

    async def due(self, by: float) -> list[str]:
        return [room for (room,) in await self.rows(sql.DUE, by)]

    async def sweep(self, waiting_since: float, idle_since: float) -> list[str]:
        since = waiting_since, idle_since
        locked = f"SELECT id FROM room WHERE {sql.OLD} FOR UPDATE SKIP LOCKED"  # noqa: S608
        deleted = f"DELETE FROM room WHERE id = ANY(?) AND {sql.OLD} RETURNING id"  # noqa: S608
        async with self._connection() as db, db.transaction():
            old = [room for (room,) in await (await _run(db, locked, *since)).fetchall()]
            swept = [room for (room,) in await (await _run(db, deleted, old, *since)).fetchall()]
            sheets = await (await _run(db, sql.OLD_SHEETS, idle_since)).fetchall()
            swept += [sheet for (sheet,) in sheets]
            for gone in swept:
                await _run(db, _NOTIFY, _CHANNEL, f"{gone} {GONE}")
        return swept

    async def show(self, sheet: str, shown: Shown) -> None:
        await self._write_sheet(sheet, sql.shown(sheet, shown), shown.number)

    async def renew(self, sheet: str, shown: Shown) -> None:
        await self._write_sheet(sheet, sql.renewed(sheet, shown), shown.number)

    async def hide(self, sheet: str, keeper: str) -> None:
        await self._write_sheet(sheet, (sql.HIDE, (sheet, keeper)), GONE)

    async def shown(self, sheet: str) -> Shown | None:
        found = await self.rows(sql.SHOWN, sheet)
        return Shown(*found[0]) if found else None

    async def listen(self, heard: Callable[[str, int], None], missed: Callable[[], None]) -> None:
        self._hearing.heard, self._hearing.missed = heard, missed
        while True:
            with suppress(Unavailable), _mapped_errors():
                await self._listen()
            _log.warning("the connection that listens to the database was lost, or isn't made")
            await asyncio.sleep(_RECONNECT_SECONDS)

    async def _listen(self) -> None:
        """Until the connection is lost."""
        async with await psycopg.AsyncConnection[sql.Row].connect(**self._options) as db:
            await db.execute(f"LISTEN {_CHANNEL}".encode())
            if not self._pool.closed:
                await self._pool.check()  # what was lost together with the last connection
            self._hearing.miss()
            async for notice in db.notifies():
                room, _, seq = notice.payload.rpartition(" ")
                if seq.isdecimal():  # else it isn't ours
                    self._hearing.hear(room, int(seq))

    async def saw(self, seen: Mapping[Who, float]) -> None:
        if seen:
            names, viewers = zip(*seen, strict=True)
            async with self._connection() as db:
                await _run(db, _SAW, list(names), list(viewers), list(seen.values()))

    async def seen(self, rooms: Collection[str]) -> dict[Who, float]:
        found = await self.rows(_SEEN, list(rooms))
        return {(room, viewer): at for room, viewer, at in found}

    async def forget(self, since: float) -> None:
        async with self._connection() as db:
            await _run(db, "DELETE FROM presence WHERE at < ?", since)

    async def newest(self, room: str) -> int | None:
        ((seq,),) = await self.rows(sql.NEWEST, room)
        return seq or GONE

    async def ping(self) -> None:
        await self.rows(sql.PING)

    async def close(self) -> None:
        self._closed = True
        while self._users:
            self._unused.clear()
            await self._unused.wait()
        await self._pool.close()

    async def _write(self, statements: Iterable[sql.Statement], logs: Sequence[Append]) -> None:
        """All of it or nothing, sent at once; the bell rings with the commit."""
        with self._hearing.busy(*(log.room for log in logs)):
            async with self._connection() as db, db.pipeline(), db.transaction():
                for statement, values in statements:
                    await _run(db, statement, *values)
                for log in logs:
                    last = log.seq + len(log.entries)
                    await _run(db, _NOTIFY, _CHANNEL, f"{log.room} {last}")

    async def _write_sheet(self, sheet: str, statement: sql.Statement, number: int) -> None:
        """Nobody keeps what was read of a sheet, so what is heard of one needn't wait."""
        asked, values = statement
        async with self._connection() as db, db.transaction():
            if (await _run(db, asked, *values)).rowcount:
                await _run(db, _NOTIFY, _CHANNEL, f"{sheet} {number}")

    async def rows(self, asked: str, *values: object) -> list[sql.Row]:
        try:
            async with self._connection() as db:
                return await (await _run(db, asked, *values)).fetchall()
        except psycopg.DataError:  # text with a NUL, and there is none in the database
            return []

    @asynccontextmanager
    async def _connection(self) -> AsyncGenerator[_Connection]:
        if self._closed:
            raise Unavailable("the store is closed")
        self._users += 1
        try:
            with _mapped_errors():
                if self._pool.closed:
                    await self._pool.open()
                async with self._pool.connection() as db:
                    yield db
        finally:
            self._users -= 1
            self._unused.set()


async def _run(db: _Connection, asked: str, *values: object) -> psycopg.AsyncCursor[sql.Row]:
    return await db.execute(asked.replace("?", "%s").encode(), values)


def _migrate(db: psycopg.Connection[sql.Row]) -> None:
    """Apply the numbered schema files that this database lacks, in one transaction."""
    scripts = sql.schema("postgres")
    with db.transaction():
        db.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))  # others start at the same time
        found = 0
        if db.execute("SELECT to_regclass('schema_version')").fetchone() != (None,):
            [(found,)] = db.execute("SELECT version FROM schema_version").fetchall()
        if found > len(scripts):
            raise NewerSchema(f"{db.info.dbname} ({db.info.host})", found, len(scripts))
        if found == len(scripts):
            return
        if db.info.parameter_status("server_encoding") != "UTF8":
            raise WrongEncoding(db.info.dbname)
        for script in scripts[found:]:
            db.execute(script.encode())
        db.execute("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)")
        db.execute("DELETE FROM schema_version")
        db.execute("INSERT INTO schema_version (version) VALUES (%s)", (len(scripts),))


@contextmanager
def _mapped_errors() -> Generator[None]:
    try:
        yield
    except psycopg.IntegrityError as error:
        raise Conflict from error
    except psycopg.DataError:  # the program's own fault
        raise
    except (psycopg.Error, OSError) as error:
        raise Unavailable(str(error).strip().partition("\n")[0]) from error
