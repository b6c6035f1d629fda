"""Stores as tests want them."""

import resource
from collections.abc import Generator
from contextlib import contextmanager
from typing import TypeVar

from yacht.rooms.sqlite import Sqlite

S = TypeVar("S", bound=Sqlite)


def unsynced(store: S) -> S:
    """The store, which no longer waits for the disk: that takes most of the time."""
    store._writer.db.execute("PRAGMA synchronous = OFF")
    return store


@contextmanager
def no_writes() -> Generator[None]:
    """No file takes anything from this process until the block ends."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
