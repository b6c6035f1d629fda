"""Stores as tests want them."""

from typing import TypeVar

from yacht.rooms.sqlite import Sqlite

S = TypeVar("S", bound=Sqlite)


def unsynced(store: S) -> S:
    """The store, which no longer waits for the disk: that takes most of the time."""
    store._writer.db.execute("PRAGMA synchronous = OFF")
    return store
