"""The tables that one process knows: a room's log is read once, then kept as a value."""

from collections import OrderedDict
from collections.abc import Callable

from yacht.engine.reasons import IllegalMove, Reason
from yacht.rooms.room import Room
from yacht.rooms.store import Store
from yacht.rooms.table import Table

MOST_CACHED = 1000


class Tables:
    """Those of one store. ``seen`` is told of every room that is asked for or changes."""

    def __init__(self, store: Store, seen: Callable[[str, Room], None]) -> None:
        self._store, self._seen = store, seen
        self._known: OrderedDict[str, Table] = OrderedDict()

    async def get(self, room_id: str) -> Table:
        """The known table, or the stored one. Raises IllegalMove(NO_SUCH_ROOM)."""
        table = self._known.get(room_id)
        if table is None:
            return await self.load(room_id)
        self._known.move_to_end(room_id)
        self._seen(room_id, table.room)
        return table

    async def load(self, room_id: str) -> Table:
        """The stored table. Raises IllegalMove, NO_SUCH_ROOM or UNREADABLE."""
        loaded = await self._store.load(room_id)
        if loaded is None:
            self.drop(room_id)
            raise IllegalMove(Reason.NO_SUCH_ROOM)
        secret, entries = loaded
        try:
            room = Room.fold(entries)
        except (IllegalMove, TypeError) as error:
            raise IllegalMove(Reason.UNREADABLE) from error
        return self.keep(room_id, Table(room, secret).after(()))

    def keep(self, room_id: str, table: Table) -> Table:
        """Know this table unless a newer one is known; the newest of both."""
        known = self._known.get(room_id)
        if known is None or known.room.seq <= table.room.seq:
            self._known[room_id] = known = table
        self._known.move_to_end(room_id)
        while len(self._known) > MOST_CACHED:
            self._known.popitem(last=False)
        self._seen(room_id, known.room)
        return known

    def drop(self, room_id: str) -> None:
        """Know it no longer."""
        self._known.pop(room_id, None)
