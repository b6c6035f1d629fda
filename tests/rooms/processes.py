"""Processes that share a PostgreSQL, each with a host and a connection of its own."""

import asyncio
from collections.abc import Callable

from yacht.rooms.host import Host
from yacht.rooms.postgres import Postgres
from yacht.rooms.store import Store
from yacht.rooms.tasks import stopped


class Process:
    """A host that listens as in a server; ``heard`` has what it was told, a room and a number."""

    def __init__(self, store: Store, now: Callable[[], float]) -> None:
        self.host = Host(store, now=now)
        self.heard = asyncio.Queue[tuple[str, int]]()
        self.ready = asyncio.Event()
        self.listening = asyncio.create_task(store.listen(self._heard, self._missed))

    def _heard(self, room_id: str, seq: int) -> None:
        self.host.tables.heard(room_id, seq)
        self.heard.put_nowait((room_id, seq))

    def _missed(self) -> None:
        self.host.tables.missed()
        self.ready.set()

    async def end(self) -> None:
        await stopped([self.listening])
        await self.host.store.close()


class Counting(Postgres):
    """A store that counts how often anything was read from it."""

    reads = 0

    async def rows(self, asked: str, *values: object) -> list[tuple[object, ...]]:
        self.reads += 1
        return await super().rows(asked, *values)
