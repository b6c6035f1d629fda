"""The tables that one process knows: a room's log is read once, then kept as a value."""

from collections import OrderedDict
from collections.abc import Awaitable, Callable

from yacht.engine.reasons import IllegalMove, Reason
from yacht.rooms.room import Room
from yacht.rooms.store import Store
from yacht.rooms.table import Table

MOST_CACHED = 1000


class Tables:
    """Those of one store.

    ``seen`` is told of every room that is asked for or changes; ``loaded`` of each that was read,
    with what was known of it before.
    """

    def __init__(
        self,
        store: Store,
        seen: Callable[[str, Room], None],
        loaded: Callable[[str, Room, Room | None], Awaitable[None]],
    ) -> None:
        self._store, self._seen, self._loaded = store, seen, loaded
        self._known: OrderedDict[str, Table] = OrderedDict()

    async def get(self, room_id: str) -> Table:
        """The known table, or the stored one. Raises IllegalMove(NO_SUCH_ROOM)."""
        table = self._known.get(room_id)
        if table is None:
            return await self.load(room_id)
        self._known.move_to_end(room_id)
        self._seen(room_id, table.room)
        return table

    def known(self, room_id: str) -> Room | None:
        """The room as it is known here, without asking the store."""
        table = self._known.get(room_id)
        return table and table.room

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
        before = self.known(room_id)
        table = self.keep(room_id, Table(room, secret).after(()))
        await self._loaded(room_id, room, before)
        return table

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

    def clear(self) -> None:
        """Know none any longer."""
        self._known.clear()

    def drop(self, room_id: str) -> None:
        """Know it no longer."""
        self._known.pop(room_id, None)
