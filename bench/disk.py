"""The disk's own rate of durable rows: writers that wait, one thread that commits in groups."""

import asyncio
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread

_TABLE = """CREATE TABLE log (room TEXT, seq INTEGER, at REAL, by TEXT, event TEXT,
            PRIMARY KEY (room, seq)) WITHOUT ROWID"""
_INSERT = "INSERT INTO log VALUES (?, ?, ?, ?, ?)"

_Row = tuple[str, int, float, str, str]
_Job = tuple[_Row, "asyncio.Future[None]"]


def rate(folder: Path, writers: int, seconds: float) -> float:
    """Rows a second, like those of a game's log, in a database of this folder."""
    return asyncio.run(_rate(folder / f"{time.time_ns()}.db", writers, seconds))


async def _rate(path: Path, writers: int, seconds: float) -> float:
    jobs = SimpleQueue[_Job | None]()
    thread = Thread(target=_commit_groups, args=(path, jobs))
    thread.start()
    start = time.perf_counter()
    rows = await asyncio.gather(
        *(_writer(f"{writer:016}", jobs, start + seconds) for writer in range(writers))
    )
    spent = time.perf_counter() - start
    jobs.put(None)
    thread.join()
    return sum(rows) / spent


async def _writer(room: str, jobs: SimpleQueue[_Job | None], end: float) -> int:
    """Write a row, wait until it is durable, write the next."""
    loop, seq = asyncio.get_running_loop(), 0
    while time.perf_counter() < end:
        seq += 1
        done = loop.create_future()
        jobs.put(((room, seq, time.time(), "0" * 32, "(1)2(3)45"), done))
        await done
    return seq


def _commit_groups(path: Path, jobs: SimpleQueue[_Job | None]) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for setup in ("PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", _TABLE):
            db.execute(setup)
        while (job := jobs.get()) is not None:
            group = [job]
            while True:
                try:
                    more = jobs.get_nowait()
                except Empty:
                    break
                assert more is not None
                group.append(more)
            db.execute("BEGIN")
            db.executemany(_INSERT, [row for row, _ in group])
            db.execute("COMMIT")
            job[1].get_loop().call_soon_threadsafe(_tell, [done for _, done in group])


def _tell(group: list["asyncio.Future[None]"]) -> None:
    for done in group:
        done.set_result(None)
