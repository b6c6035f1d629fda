"""The tables that one process knows: a room's log is read once, then kept as a value."""

from collections import OrderedDict
from collections.abc import Callable, Sequence

from yacht.engine.reasons import IllegalMove, Reason
from yacht.rooms.bell import Bell
from yacht.rooms.entries import Entry
from yacht.rooms.presence import Presence
from yacht.rooms.room import Room
from yacht.rooms.store import Store, read
from yacht.rooms.table import Table, check_id

MOST_CACHED = 1000


class Tables:
    """Those of one store; ``seen`` is told of every room that is asked for or changes.

    Other processes may write to the store too: the bell rings for what they wrote, and who was
    seen there is asked for with the first room of theirs.
    """

    def __init__(
        self, store: Store, bell: Bell, presence: Presence, seen: Callable[[str, Room], None]
    ) -> None:
        self._store, self._bell, self._presence, self._seen = store, bell, presence, seen
        self._known: OrderedDict[str, Table] = OrderedDict()

    async def get(self, room_id: str) -> Table:
        """The known table, or the stored one. Raises IllegalMove(NO_SUCH_ROOM)."""
        table = self._known.get(room_id)
        if table is None:
            return await self.load(room_id)
        self._known.move_to_end(room_id)
        self._seen(room_id, table.room)
        return table

    async def newest(self, room_id: str) -> Table:
        """The table not older than any process has told: the bell may be on its way. Raises as get.

        It costs a question to the store where others write to it too.
        """
        table = await self.get(room_id)
        newest = await self._store.newest(room_id)
        if newest is None or 0 < newest <= table.room.seq:
            return table
        return await self.load(room_id)

    async def decided(
        self, room_id: str, act: Callable[[Table], Sequence[Entry]], table: Table
    ) -> tuple[Table, Sequence[Entry], Table]:
        """The table that an act is for, what it writes, and the table after it.

        What is written at an old one is a Conflict; a refusal, or that there is nothing to write,
        counts at the newest alone.
        """
        while True:
            refused = None
            try:
                if decided := act(table):
                    return table, decided, table.after(decided)
            except IllegalMove as illegal:
                refused = illegal
            newest = await self.newest(room_id)
            if newest.room.seq <= table.room.seq:
                if refused:
                    raise refused
                return table, (), table
            table = newest

    def known(self, room_id: str) -> Room | None:
        """The room as it is known here, without asking the store."""
        table = self._known.get(room_id)
        return table and table.room

    async def has(self, room_id: str) -> bool:
        """Whether there is such a room, which can be read."""
        try:
            await self.get(room_id)
        except IllegalMove:
            return False
        return True

    async def load(self, room_id: str) -> Table:
        """The stored table. Raises IllegalMove, NO_SUCH_ROOM or UNREADABLE."""
        check_id(room_id)
        loaded = await self._store.load(room_id)
        if loaded is None:
            self._known.pop(room_id, None)
            raise IllegalMove(Reason.NO_SUCH_ROOM)
        secret, entries = loaded
        room = read(entries)
        before = self.known(room_id)
        table = self.keep(room_id, Table(room, secret).after(()))
        if before and before.seq < room.seq:
            self._bell.ring(room_id)
        if room.options and not self._presence.knows(room_id, room):
            await self._presence.ask(self._store, [room_id])
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

    def forget(self, room_id: str) -> None:
        """It is gone, or another one than is known: whoever listens looks again."""
        self._known.pop(room_id, None)
        self._bell.ring(room_id)

    def heard(self, room_id: str, seq: int) -> None:
        """The room's log has got that long, in whichever process; or it is gone, if 0."""
        known = self.known(room_id)
        if known is None or seq == 0 or known.seq < seq:  # else those who listen know it
            self.forget(room_id)

    def missed(self) -> None:
        """Other processes may have written anything anywhere."""
        self._known.clear()
        self._bell.ring_all()
