"""The one thread that writes to SQLite: what waits for it meanwhile is committed as a group."""

import asyncio
import contextlib
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from queue import Empty, SimpleQueue

from yacht.rooms.store import Conflict, Unavailable

MOST_IN_A_GROUP = 512

Work = Callable[[sqlite3.Connection], None]
Rows = Sequence[tuple[object, ...]]
Insert = Callable[[sqlite3.Connection, Rows], None]


@dataclass(frozen=True, slots=True)
class Job:
    """Work that waits for the writer; if it is rows alone, their neighbours' go along."""

    work: Work
    rows: Rows
    done: "asyncio.Future[None]"


class Writer:
    """Writes through ``db``, which is its own until it is closed; ``insert`` writes plain rows."""

    def __init__(self, db: sqlite3.Connection, insert: Insert) -> None:
        self.db, self._insert = db, insert
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._write, name="sqlite-writer", daemon=True)
        self._thread.start()

    async def do(self, work: Work, rows: Rows = ()) -> None:
        """Return once the work is durable. Raises Conflict, Unavailable, or what the work raises.

        With ``rows``, the work is to insert these and nothing else.
        """
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._jobs.put(Job(work, rows, done))
        await done

    async def close(self) -> None:
        """Finish what is waiting."""
        self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)
        self.db.close()

    def _write(self) -> None:
        while (job := self._jobs.get()) is not None:
            group = [job, *self._waiting()]
            outcomes = _commit(self.db, group, self._insert)
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits
                job.done.get_loop().call_soon_threadsafe(_settle, group, outcomes)

    def _waiting(self) -> Iterator[Job]:
        """The jobs that are waiting now; the closing None goes back for the next look."""
        for _ in range(MOST_IN_A_GROUP - 1):
            try:
                job = self._jobs.get_nowait()
            except Empty:
                return
            if job is None:
                self._jobs.put(None)
                return
            yield job


def _commit(db: sqlite3.Connection, group: Sequence[Job], insert: Insert) -> list[Exception | None]:
    """Do the group in one transaction; what each job came to, once durable."""
    outcomes = list[Exception | None]()
    try:
        db.execute("BEGIN IMMEDIATE")
        for plain, neighbours in groupby(group, lambda job: bool(job.rows)):
            jobs = list(neighbours)
            outcomes += _together(db, jobs, insert) if plain else _one_by_one(db, jobs)
        db.execute("COMMIT")
    except Exception as error:  # noqa: BLE001 (those who wait must hear of it, and the thread live)
        if db.in_transaction:
            db.execute("ROLLBACK")
        failure = Unavailable(str(error)) if isinstance(error, sqlite3.Error) else error
        return [failure] * len(group)
    return outcomes


def _together(
    db: sqlite3.Connection, jobs: Sequence[Job], insert: Insert
) -> list[Exception | None]:
    """Write the rows of all at once; if some can't be, see which."""
    try:
        insert(db, [row for job in jobs for row in job.rows])
    except (sqlite3.IntegrityError, UnicodeError):
        return _one_by_one(db, jobs)
    return [None] * len(jobs)


def _one_by_one(db: sqlite3.Connection, jobs: Sequence[Job]) -> list[Exception | None]:
    return [_attempt(db, job.work) for job in jobs]


def _attempt(db: sqlite3.Connection, work: Work) -> Exception | None:
    """Do it in a savepoint; what it came to. An error of the database itself is the group's."""
    db.execute("SAVEPOINT work")
    failure: Exception | None = None
    try:
        work(db)
    except (sqlite3.IntegrityError, Conflict):
        failure = Conflict()
    except sqlite3.Error:
        raise
    except Exception as error:  # noqa: BLE001 (its waiter must hear of it, the others not)
        failure = error
    if failure is not None:
        db.execute("ROLLBACK TO work")
    db.execute("RELEASE work")
    return failure


def _settle(group: Sequence[Job], outcomes: Sequence[Exception | None]) -> None:
    for job, outcome in zip(group, outcomes, strict=True):
        if job.done.done():  # its waiter was cancelled
            continue
        if outcome is None:
            job.done.set_result(None)
        else:
            job.done.set_exception(outcome)
