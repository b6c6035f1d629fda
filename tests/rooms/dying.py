"""A program that is killed while it writes: ``python dying.py FOLDER``.

In a file of its own for each statement of one write, ``1.db``, ``2.db`` and so on, it is killed as
that statement begins; in the last file the write is done.
"""

import asyncio
import os
import signal
import sqlite3
import sys
from itertools import count
from pathlib import Path

from yacht.engine.game import Rolled, Score
from yacht.rooms.entries import Again, Entry, Opened, Started
from yacht.rooms.sqlite import Sqlite
from yacht.rooms.store import Append, Result, Secrets

FIRST = Entry("ana", Opened("classic", ("Ana",), "f" * 64, "ana"))
OLD = [FIRST, Entry("ana", Again("new")), Entry("ana", Score("choice"))]
NEW = [FIRST, Entry("ana", Started((b"",))), Entry("ana", Rolled(frozenset(), (2, 6, 1, 5, 5)))]
RESULT = Result("classic", ("Ana",), (19,))
SECRETS = Secrets(bytes(32), bytes(32))


def kill_at(db: sqlite3.Connection, statement: int) -> None:
    """Have this process killed at the so manieth statement from now on."""
    statements = count(1)

    def trace(_: str) -> None:
        if next(statements) == statement:
            os.kill(os.getpid(), signal.SIGKILL)

    db.set_trace_callback(trace)


async def write(database: Path, statement: int) -> None:
    """One write of every kind of row, in two rooms."""
    store = Sqlite(database)
    await store.create(SECRETS, Append("old", 0, OLD[:1], members=["ana"]))
    kill_at(store._writer.db, statement)
    after = Append("old", 1, OLD[1:], members=["ben"], result=RESULT)
    await store.create(SECRETS, Append("new", 0, NEW, members=["ben"]), after)


def main(folder: Path) -> None:
    for statement in count(1):
        child = os.fork()
        if not child:
            asyncio.run(write(folder / f"{statement}.db", statement))
            os._exit(0)
        if os.waitpid(child, 0)[1] == 0:
            return


if __name__ == "__main__":
    main(Path(sys.argv[1]))
