"""What is heard of other processes, in order with what this one reads and writes itself."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable, Generator
from contextlib import contextmanager

GONE = 0
"""The number that tells of a room that its log has gone."""


def _nobody(*_: object) -> None: ...


class Hearing:
    """Passes on what is heard of a room; of one that is busy just after its answer is known.

    Else a room could be read, then change and be heard of, and then be taken for what was read.
    """

    def __init__(self) -> None:
        self.heard: Callable[[str, int], None] = _nobody
        self.missed: Callable[[], None] = _nobody
        self._busy = Counter[str]()
        self._held = defaultdict[str, list[int]](list)

    @contextmanager
    def busy(self, *rooms: str) -> Generator[None]:
        """While these rooms are read or written."""
        self._busy.update(rooms)
        try:
            yield
        finally:
            self._busy.subtract(rooms)
            for room in rooms:
                if not self._busy[room]:
                    del self._busy[room]
                    for seq in self._held.pop(room, ()):
                        asyncio.get_running_loop().call_soon(self.heard, room, seq)

    def hear(self, room: str, seq: int) -> None:
        """Its log has grown to this number."""
        if room in self._busy:
            self._held[room].append(seq)
        else:
            self.heard(room, seq)

    def miss(self) -> None:
        """Anything may have happened."""
        for room in self._busy:
            self._held[room].append(GONE)
        self.missed()
