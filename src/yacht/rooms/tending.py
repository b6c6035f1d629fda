"""What a process does by the clock: turns that run out, rooms that are too old, who is here."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from yacht.engine.reasons import IllegalMove, Reason
from yacht.rooms.host import Host
from yacht.rooms.store import Unavailable
from yacht.rooms.tasks import stopped

_log = logging.getLogger("yacht")

DUE_SECONDS = 1.0
MEET_SECONDS = 10.0
SWEEP_SECONDS = 3600.0
_FAILED_SECONDS = 60.0
_DAY = 86_400

Sleep = Callable[[float], Awaitable[object]]


class Tending:
    """Looks after a host's rooms until it is closed, also while the store can't be reached.

    Several processes may look after the same rooms: whoever comes first does it.
    """

    def __init__(self, host: Host, keep_days: int, sleep: Sleep = asyncio.sleep) -> None:
        self._host, self._idle, self._sleep = host, keep_days * _DAY, sleep
        self._away = dict[str, frozenset[int]]()
        self._failed = dict[str, float]()
        """When rooms in which something is due, and that failed, are tried again."""
        self._tasks = list[asyncio.Task[None]]()

    def start(self) -> None:
        """Begin at once with everything."""
        store, host = self._host.store, self._host
        for work in (
            self._every(DUE_SECONDS, self.expire),
            self._every(MEET_SECONDS, self.meet),
            self._every(SWEEP_SECONDS, self.sweep),
            store.listen(host.tables.heard, host.tables.missed),
        ):
            self._tasks.append(asyncio.create_task(work))

    async def close(self) -> None:
        """Stop wherever it is."""
        await stopped(self._tasks)

    async def expire(self) -> None:
        """Complete the turns whose time is over; where a computer is due, this wakes it."""
        now = self._host.now()
        due = await self._host.store.due(now)
        self._failed = {room_id: at for room_id, at in self._failed.items() if room_id in due}
        for room_id in due:
            if now >= self._failed.get(room_id, now):
                await self._expire(room_id)
            await asyncio.sleep(0)  # whoever asks for a page isn't kept waiting for all of them

    async def _expire(self, room_id: str) -> None:
        """Also if it can't be read, or the program fails: then the others go on all the same."""
        try:
            await self._host.expire(room_id)
        except Unavailable:
            raise
        except Exception as error:  # noqa: BLE001 (the others must go on)
            if isinstance(error, IllegalMove) and error.reason is Reason.NO_SUCH_ROOM:
                return
            _log.exception("completing the turn in room %s failed", room_id)
            self._failed[room_id] = self._host.now() + _FAILED_SECONDS

    async def sweep(self) -> None:
        """Remove rooms of friends, and sheets, that are too old."""
        await self._host.sweep(_DAY, self._idle)

    async def meet(self) -> None:
        """Hear of who is here in other processes, and ring where somebody comes or goes."""
        host, presence = self._host, self._host.presence
        listening = host.bell.rooms
        rooms = {*listening, *(room_id for room_id, _ in presence.seen)}
        await presence.meet(host.store, rooms)
        away = dict[str, frozenset[int]]()
        for room_id in listening:
            if room := host.tables.known(room_id):
                away[room_id] = presence.away(room_id, room)
                if away[room_id] != self._away.get(room_id, away[room_id]):
                    host.bell.ring(room_id)
        self._away = away

    async def _every(self, seconds: float, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        while True:
            try:
                await work()
            except Unavailable:  # whoever asks for a page is told
                pass
            except Exception:  # noqa: BLE001 (it must go on when it is mended)
                _log.exception("looking after the rooms failed")
            await self._sleep(seconds)
