"""The host takes a move, loads, decides, appends and rings: the only place where things happen."""

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Callable, Sequence

from yacht.engine.game import Move
from yacht.engine.reasons import IllegalMove, Reason
from yacht.rooms.bell import Bell
from yacht.rooms.room import COMPUTER, Again, Entry, Room
from yacht.rooms.store import Append, Conflict, Listed, Result, Store
from yacht.rooms.table import Stale, Table, opened

MOST_CACHED = 1000


class Host:
    """Keeps the rooms of one store. A viewer is the hash of an identity, never the identity."""

    def __init__(self, store: Store, bell: Bell | None = None) -> None:
        self.store = store
        self.bell = bell or Bell()
        self.computer_on_turn: Callable[[str], None] | None = None
        """Told a room's id whenever it is asked for or changed and a computer is on turn in it."""
        self._tables: OrderedDict[str, Table] = OrderedDict()

    async def open(
        self,
        viewer: str,
        ruleset: str,
        names: Sequence[str],
        room_id: str | None = None,
        computers: Sequence[str] = (),
    ) -> str:
        """A new game on one device; its room's id. Raises IllegalMove.

        ``computers`` has the level that plays each seat, "" for a person; none: all are people.
        Asking twice for the same ``room_id``, one of ``new_room_id``, a viewer gets one game.
        """
        room_id = room_id or new_room_id()
        secret, entry = opened(viewer, ruleset, names, computers)
        try:
            await self.store.create(secret, Append(room_id, 0, [entry], owner=viewer))
        except Conflict:
            (await self._table(room_id)).room.check_owner(viewer)
        return room_id

    async def room(self, room_id: str) -> Room:
        """The room as it is now. Raises IllegalMove(NO_SUCH_ROOM)."""
        return (await self._table(room_id)).room

    async def act(
        self, room_id: str, viewer: str, seq: int, move: Move, seat_bytes: Sequence[bytes] = ()
    ) -> Room:
        """The room after a move made at ``seq``; a resend of a move already made changes nothing.

        ``seat_bytes``, one for each seat, are what the seats add to the seal; they count with the
        first roll alone. Raises IllegalMove, and Stale if the move was made at another state.
        """
        table = await self._table(room_id)
        table.room.check_player(viewer)
        if table.room.seq < seq:
            table = await self._load(room_id)
        return await self._write(table, room_id, lambda at: at.act(viewer, seq, move, seat_bytes))

    async def hint(self, room_id: str, viewer: str, *, everyone: bool = False) -> Room:
        """The room, its seat on turn marked as one that was given a hint; or everyone's seat.

        Raises IllegalMove.
        """
        table = await self._table(room_id)
        return await self._write(table, room_id, lambda at: at.hint(viewer, everyone=everyone))

    async def add_bytes(self, room_id: str, viewer: str, seat_bytes: Sequence[bytes]) -> Room:
        """The room, the seats' bytes fixed before the first roll, if they aren't yet.

        A person's first roll brings them along; where a computer makes it they are sent ahead.
        Raises IllegalMove.
        """
        table = await self._table(room_id)
        return await self._write(table, room_id, lambda at: at.add_bytes(viewer, seat_bytes))

    async def step(self, room_id: str, seq: int) -> Room:
        """The room after the move at ``seq`` of the computer on turn, which follows from the seed.

        Raises IllegalMove, and Stale if no computer is on turn at this state.
        """
        table = await self._table(room_id)
        if table.room.seq != seq or not table.room.computer:
            raise Stale(table.room)
        move = await asyncio.to_thread(table.computers_move)
        return await self.act(room_id, COMPUTER, seq, move)

    async def again(self, room_id: str, viewer: str) -> str:
        """The id of the room where the same players play again, the next one starting."""
        table = await self._table(room_id)
        while True:
            again = table.room.again
            if again is not None and await self._is_there(again):
                return again
            secret, entry = table.again(viewer)
            log = Append(new_room_id(), 0, [entry], owner=viewer)
            entries = [Entry(viewer, Again(log.room))]
            try:
                await self.store.create(secret, log, Append(room_id, table.room.seq, entries))
            except Conflict:
                table = await self._load(room_id)
            else:
                table = self._keep(room_id, table.after(entries))
                self.bell.ring(room_id)

    async def link_key(self, room_id: str, viewer: str) -> str:
        """The key of the personal link, for the owner alone; it changes once it has been used."""
        table = await self._table(room_id)
        table.room.check_owner(viewer)
        return table.link_key()

    async def check_link(self, room_id: str, viewer: str, key: str) -> None:
        """Raise LINK_USED unless this key lets the viewer go on with the game, or needn't."""
        (await self._table(room_id)).check_link(viewer, key)

    async def take(self, room_id: str, viewer: str, key: str) -> Room:
        """Go on with the game here, by the key of its personal link. Raises LINK_USED."""
        table = await self._table(room_id)
        return await self._write(table, room_id, lambda at: at.take(viewer, key))

    async def games_of(self, viewer: str) -> list[Listed]:
        """The games that belong to this viewer, the last played first."""
        return await self.store.games_of(viewer)

    async def delete(self, room_id: str, viewer: str) -> None:
        """Remove a game for good."""
        try:
            await self.store.delete(room_id, viewer)
        except Conflict:
            (await self._load(room_id)).room.check_owner(viewer)
            raise IllegalMove(Reason.NO_SUCH_ROOM) from None
        self._tables.pop(room_id, None)
        self.bell.ring(room_id)

    async def _write(
        self, table: Table, room_id: str, act: Callable[[Table], Sequence[Entry]]
    ) -> Room:
        """The room after an act, which is decided anew if somebody else wrote before.

        Durable first, then known here, then told to those who listen.
        """
        while entries := act(table):
            before, after = table.room, table.after(entries)
            result, owner = None, after.room.owner if after.room.owner != before.owner else None
            if after.room.game.is_over and not before.game.is_over:
                entries = [*entries, table.unsealed(entries[-1].by)]
                after, result = table.after(entries), _result(after.room)
            try:
                await self.store.append(Append(room_id, before.seq, entries, owner, result))
            except Conflict:
                table = await self._load(room_id)
            else:
                self._keep(room_id, after)
                self.bell.ring(room_id)
                return after.room
        return table.room

    async def _is_there(self, room_id: str) -> bool:
        try:
            await self._table(room_id)
        except IllegalMove:
            return False
        return True

    async def _table(self, room_id: str) -> Table:
        """The cached table, or the stored one."""
        table = self._tables.get(room_id)
        if table is None:
            return await self._load(room_id)
        self._tables.move_to_end(room_id)
        self._wake(room_id, table.room)
        return table

    async def _load(self, room_id: str) -> Table:
        loaded = await self.store.load(room_id)
        if loaded is None:
            self._tables.pop(room_id, None)
            raise IllegalMove(Reason.NO_SUCH_ROOM)
        secret, entries = loaded
        try:
            room = Room.fold(entries)
        except (IllegalMove, TypeError) as error:
            raise IllegalMove(Reason.UNREADABLE) from error
        return self._keep(room_id, Table(room, secret).after(()))

    def _keep(self, room_id: str, table: Table) -> Table:
        """Cache a table unless a newer one is there; the newest of both."""
        known = self._tables.get(room_id)
        if known is None or known.room.seq <= table.room.seq:
            self._tables[room_id] = known = table
        self._tables.move_to_end(room_id)
        while len(self._tables) > MOST_CACHED:
            self._tables.popitem(last=False)
        self._wake(room_id, known.room)
        return known

    def _wake(self, room_id: str, room: Room) -> None:
        if self.computer_on_turn and room.computer:
            self.computer_on_turn(room_id)


def new_room_id() -> str:
    """An id that can't be guessed: 96 bits in 16 signs."""
    return secrets.token_urlsafe(12)


def _result(room: Room) -> Result:
    totals = tuple(card.total for card in room.game.cards)
    return Result(room.ruleset.key, room.names, totals, room.computers)
