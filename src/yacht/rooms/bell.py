"""The bell of one process: who listens to a room, or a sheet, hears that there is news of it."""

import asyncio
from weakref import WeakValueDictionary


class Bell:
    """Rings per room; ``closed`` once the process is about to end."""

    def __init__(self) -> None:
        self._listening = WeakValueDictionary[str, asyncio.Event]()
        self.closed = False

    def listen(self, room: str) -> asyncio.Event:
        """An event that is set at the room's next ring. Listen first, then read the room."""
        event = self._listening.setdefault(room, asyncio.Event())
        if self.closed:
            event.set()
        return event

    def ring(self, room: str) -> None:
        """Wake everyone who listens to this room."""
        if event := self._listening.pop(room, None):
            event.set()

    @property
    def rooms(self) -> list[str]:
        """The rooms to which somebody listens."""
        return list(self._listening)

    def ring_all(self) -> None:
        """Wake everyone."""
        for room in self.rooms:
            self.ring(room)

    def close(self) -> None:
        """Wake everyone for the last time."""
        self.closed = True
        self.ring_all()
