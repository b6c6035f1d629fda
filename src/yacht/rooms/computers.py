"""The computers at one process's tables: each step of theirs in its time, like anyone's move."""

import asyncio
import contextlib
import logging

from yacht.engine.reasons import IllegalMove
from yacht.rooms.host import Host
from yacht.rooms.room import Room
from yacht.rooms.store import Unavailable
from yacht.rooms.table import Stale
from yacht.rooms.tasks import stopped

_log = logging.getLogger("yacht")

UNDO_SECONDS = 4.0
"""How long a computer leaves a person to take their score back."""
_RETRY_SECONDS = 5.0


class Computers:
    """Plays the seats of computers, one step every ``pace`` seconds, until it is closed.

    It hears of a room whenever somebody asks for it or changes it, so a turn that a kill cut short
    goes on as soon as anybody looks. A step is made at the number of the state it was chosen for:
    if something else happened there, it doesn't.
    """

    def __init__(self, host: Host, pace: float, undo: float = UNDO_SECONDS) -> None:
        self._host, self._pace, self._undo = host, pace, undo
        self._playing: dict[str, asyncio.Task[None]] = {}
        host.computer_on_turn = self._sit_down

    async def close(self) -> None:
        """Stop wherever they are."""
        self._host.computer_on_turn = None
        await stopped(list(self._playing.values()))

    def _sit_down(self, room_id: str) -> None:
        if room_id not in self._playing:
            self._playing[room_id] = asyncio.create_task(self._play(room_id))

    async def _play(self, room_id: str) -> None:
        """Step by step, until a person is on turn or the room is gone."""
        try:
            while True:
                try:
                    changed = self._host.bell.listen(room_id)
                    room = await self._host.room(room_id)
                    if not room.computer or self._host.bell.closed:
                        return
                    await self._step(room_id, room, changed)
                except Unavailable:
                    await asyncio.sleep(_RETRY_SECONDS)
                except IllegalMove:
                    return
                except Exception:  # noqa: BLE001 (the game must go on when it is mended)
                    _log.exception("a computer's step failed")
                    await asyncio.sleep(_RETRY_SECONDS)
        finally:
            del self._playing[room_id]

    async def _step(self, room_id: str, room: Room, changed: asyncio.Event) -> None:
        """The next step when its time has come, unless the room changes before."""
        pause = max(self._undo, self._pace) if room.may_undo else self._pace
        try:
            async with asyncio.timeout(pause):
                await changed.wait()
        except TimeoutError:
            with contextlib.suppress(Stale):
                await self._host.step(room_id, room.seq)
