"""The host takes a move, loads, decides, appends and rings: the only place where things happen."""

import asyncio
import time
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from yacht.engine.game import Move
from yacht.engine.reasons import IllegalMove, Reason
from yacht.rooms import away, lobby
from yacht.rooms.bell import Bell
from yacht.rooms.entries import COMPUTER, Again, Entry
from yacht.rooms.options import Options
from yacht.rooms.presence import FORGET_SECONDS, Presence
from yacht.rooms.room import Room
from yacht.rooms.showing import Showing
from yacht.rooms.store import Append, Conflict, Listed, Secrets, Store, Unavailable
from yacht.rooms.table import Stale, Table, check_deletable, check_id, invited, new_room_id, opened
from yacht.rooms.tables import Tables


class Host:
    """Keeps the rooms of one store. A viewer is the hash of an identity, never the identity."""

    def __init__(
        self, store: Store, bell: Bell | None = None, now: Callable[[], float] = time.time
    ) -> None:
        self.store = store
        self.bell = bell or Bell()
        self.now = now
        """The time in Unix seconds, by which entries are written and turns end."""
        self.presence = Presence(now)
        self.computer_on_turn: Callable[[str], None] | None = None
        """Told a room's id whenever it is asked for or changed and a computer is on turn in it."""
        self.tables = Tables(store, self.bell, self.presence, self._wake)
        self.sheets = Showing(store, self.bell, now)

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
        return await self._open(room_id, viewer, secret, [entry])

    async def invite(
        self, viewer: str, name: str, ruleset: str, options: Options, room_id: str | None = None
    ) -> str:
        """A new room for friends, the viewer in its first seat; its id. Raises IllegalMove.

        Nobody has seen its fingerprint yet, so their bytes for the seal come later.
        """
        secret, entry = invited(viewer, ruleset, options)
        joined = lobby.join(Room.opened(entry), viewer, name, b"")
        return await self._open(room_id or new_room_id(), viewer, secret, [entry, *joined])

    async def room(self, room_id: str) -> Room:
        """The room as it is now. Raises IllegalMove(NO_SUCH_ROOM)."""
        return (await self.tables.get(room_id)).room

    async def newest(self, room_id: str) -> Room:
        """``room`` for who asks out of the blue: another process may just have answered them."""
        return (await self.tables.newest(room_id)).room

    async def look(self, room_id: str, viewer: str) -> Room:
        """``enter`` for who asks out of the blue."""
        await self.tables.newest(room_id)
        return await self.enter(room_id, viewer)

    async def enter(self, room_id: str, viewer: str) -> Room:
        """The room, for a page of the viewer's: they are here, and play for themselves again."""
        try:
            return (await self._enter(room_id, viewer)).room
        except Unavailable:  # what can't be written now can be looked at all the same
            return await self.room(room_id)

    async def join(self, room_id: str, viewer: str, name: str, seat_bytes: bytes = b"") -> Room:
        """The room, the viewer in its next empty seat. Raises IllegalMove."""
        return await self._act(
            room_id, viewer, lambda at: lobby.join(at.room, viewer, name, seat_bytes)
        )

    async def seat_computer(
        self, room_id: str, viewer: str, seq: int, name: str, level: str
    ) -> Room:
        """The room, a computer in its next empty seat; Stale if it isn't at ``seq`` any more."""

        def act(at: Table) -> Sequence[Entry]:
            at.room.check_owner(viewer)
            return lobby.seat_computer(at.at(seq).room, viewer, name, level)

        return await self._act(room_id, viewer, act)

    async def leave(self, room_id: str, viewer: str, seq: int, seat: int) -> Room:
        """The room with this seat empty; Stale as for a computer."""

        def act(at: Table) -> Sequence[Entry]:
            at.room.check_owner(viewer)
            return lobby.leave(at.at(seq).room, viewer, seat)

        return await self._act(room_id, viewer, act)

    async def begin(self, room_id: str, viewer: str) -> Room:
        """The room, its game begun. Raises IllegalMove."""
        return await self._act(room_id, viewer, lambda at: lobby.begin(at.room, viewer))

    async def help_out(self, room_id: str, viewer: str, seq: int, *, skip: bool) -> Room:
        """The room, the turn of somebody away completed, or played for by a computer.

        Raises IllegalMove, NOT_AWAY as long as they may come back; and Stale.
        """
        await self._enter(room_id, viewer)
        await self.presence.ask(self.store, [room_id])

        def act(at: Table) -> Sequence[Entry]:
            entries = away.skip(at, viewer, seq) if skip else away.stand_in(at, viewer, seq)
            if not self.presence.is_long_away(room_id, at.room):
                raise IllegalMove(Reason.NOT_AWAY)
            return entries

        return await self._act(room_id, viewer, act)

    async def expire(self, room_id: str) -> Room:
        """The room, the turn completed whose time is over.

        It is read anew: where the store says that something is due, what is known may be old. But
        a computer that is known to be on turn here looks itself, once this has woken it.
        """
        known = self.tables.known(room_id)
        if known and known.computer:
            return await self.room(room_id)
        table, now = await self.tables.load(room_id), self.now()
        if not away.expire(table, now):
            return table.room
        return await self._write(room_id, lambda at: away.expire(at, now), table)

    async def sweep(self, lobby_seconds: float, idle_seconds: float) -> int:
        """Remove rooms of friends, sheets and sights that are too old; how many rooms."""
        now = self.now()
        swept = await self.store.sweep(now - lobby_seconds, now - idle_seconds)
        for room_id in swept:
            self.tables.forget(room_id)
        await self.store.forget(now - FORGET_SECONDS)
        return len(swept)

    async def act(
        self, room_id: str, viewer: str, seq: int, move: Move, seat_bytes: Sequence[bytes] = ()
    ) -> Room:
        """The room after a move made at ``seq``; a resend of a move already made changes nothing.

        ``seat_bytes``, one for each seat, are what the seats of one device add to the seal; they
        count with the first roll alone. Raises IllegalMove, and Stale if the move was made at
        another state.
        """
        return await self._act(room_id, viewer, lambda at: at.act(viewer, seq, move, seat_bytes))

    async def hint(self, room_id: str, viewer: str, *, everyone: bool = False) -> Room:
        """The room, its seat on turn marked as one that was given a hint; or everyone's seat.

        Everyone's is for one device alone. Raises IllegalMove.
        """
        return await self._act(room_id, viewer, lambda at: at.hint(viewer, everyone=everyone))

    async def add_bytes(self, room_id: str, viewer: str, seat_bytes: Sequence[bytes]) -> Room:
        """The room with the seats' bytes, before the first roll; among friends the viewer's own.

        On one device a person's first roll brings them along; where a computer makes it they are
        sent ahead. Raises IllegalMove, also if others came first.
        """
        return await self._act(room_id, viewer, lambda at: at.add_bytes(viewer, seat_bytes))

    async def step(self, room_id: str, seq: int) -> Room:
        """The room after the move at ``seq`` of the computer on turn, which follows from the seed.

        Raises IllegalMove, and Stale if no computer is on turn at this state.
        """
        table = await self.tables.get(room_id)
        if table.room.seq != seq or not table.room.computer:
            raise Stale(table.room)
        move = await asyncio.to_thread(table.computers_move)
        return await self.act(room_id, COMPUTER, seq, move)

    async def again(self, room_id: str, viewer: str) -> str:
        """The id of the room where the same players play again, the next one starting."""
        table = await self.tables.newest(room_id)
        while True:
            again = table.room.again
            if again is not None and await self.tables.has(again):
                return again
            secret, first = table.again(viewer)
            log = Append.first(new_room_id(), self._stamped(first))
            entries = [Entry(viewer, Again(log.room), self.now())]
            try:
                await self.store.create(secret, log, Append(room_id, table.room.seq, entries))
            except Conflict:
                table = await self.tables.load(room_id)
            else:
                table = self.tables.keep(room_id, table.after(entries))
                self.bell.ring(room_id)

    async def link_key(self, room_id: str, viewer: str) -> str:
        """The key of the personal link, for its player alone; it changes once it has been used."""
        return (await self.tables.newest(room_id)).link_key(viewer)

    async def check_link(self, room_id: str, viewer: str, key: str) -> None:
        """Raise LINK_USED unless this key lets the viewer go on with the game, or needn't."""
        (await self.tables.newest(room_id)).check_link(viewer, key)

    async def take(self, room_id: str, viewer: str, key: str) -> Room:
        """Go on with the game here, by the key of its personal link. Raises LINK_USED."""
        return await self._write(room_id, lambda at: at.take(viewer, key))

    async def games_of(self, viewer: str) -> list[Listed]:
        """The games that this viewer plays in, the last played first."""
        return await self.store.games_of(viewer)

    async def delete(self, room_id: str, viewer: str) -> None:
        """Remove a game on one device for good."""
        check_id(room_id)
        try:
            await self.store.delete(room_id, viewer)
        except Conflict:
            check_deletable((await self.tables.load(room_id)).room, viewer)
            raise IllegalMove(Reason.NO_SUCH_ROOM) from None
        self.tables.forget(room_id)

    async def _enter(self, room_id: str, viewer: str) -> Table:
        """The table for whoever asks or acts: a player is here, and plays for themselves again."""
        table = await self.tables.get(room_id)
        if table.room.options and table.room.belongs_to(viewer):
            self.presence.saw(room_id, viewer)
            if away.come_back(table, viewer):
                await self._write(room_id, lambda at: away.come_back(at, viewer), table)
                return await self.tables.get(room_id)
        return table

    async def _act(
        self, room_id: str, viewer: str, act: Callable[[Table], Sequence[Entry]]
    ) -> Room:
        """The room after an act of the viewer's."""
        return await self._write(room_id, act, await self._enter(room_id, viewer))

    async def _write(
        self, room_id: str, act: Callable[[Table], Sequence[Entry]], table: Table | None = None
    ) -> Room:
        """The room after an act, which is decided anew if somebody else wrote before.

        Durable first, then known here, then told to those who listen.
        """
        table = table or await self.tables.get(room_id)
        while True:
            table, decided, after = await self.tables.decided(
                room_id, lambda at: self._stamped(act(at)), table
            )
            if not decided:
                return table.room
            before, entries = table.room, list(decided)
            if after.room.game.is_over and not before.game.is_over:
                entries.append(replace(table.unsealed(entries[-1].by), at=entries[-1].at))
                after = table.after(entries)
            try:
                await self.store.append(Append.of(room_id, before, entries, after.room))
            except Conflict:
                table = await self.tables.load(room_id)
            else:
                self.tables.keep(room_id, after)
                self.bell.ring(room_id)
                return after.room

    async def _open(
        self, room_id: str, viewer: str, secret: Secrets, entries: Sequence[Entry]
    ) -> str:
        try:
            await self.store.create(secret, Append.first(room_id, self._stamped(entries)))
        except Conflict:
            (await self.tables.get(room_id)).room.check_owner(viewer)
        return room_id

    def _stamped(self, entries: Sequence[Entry]) -> list[Entry]:
        """What is written together happens at one time."""
        now = self.now()
        return [replace(entry, at=now) for entry in entries]

    def _wake(self, room_id: str, room: Room) -> None:
        if self.computer_on_turn and room.computer:
            self.computer_on_turn(room_id)
