"""The host takes a move, loads, decides, appends and rings: the only place where things happen."""

import asyncio
import hmac
import secrets
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from yacht.engine.dice import SEED_BYTES, chance, dice_key, fingerprint, player_key, throw
from yacht.engine.game import Keep, Move
from yacht.engine.reasons import IllegalMove, Reason
from yacht.rooms.bell import Bell
from yacht.rooms.room import (
    COMPUTER,
    Again,
    Entry,
    Hinted,
    LogEvent,
    Opened,
    Room,
    Started,
    Taken,
    Unsealed,
    clean_name,
)
from yacht.rooms.store import Append, Conflict, Listed, Result, Secrets, Store

MOST_CACHED = 1000


class Stale(IllegalMove):
    """The move was made at another state of the game than ``room``, the one it is in now."""

    def __init__(self, room: Room) -> None:
        super().__init__(Reason.STALE)
        self.room = room


@dataclass(frozen=True, slots=True)
class _Table:
    """A room with its secrets, which stay with the host."""

    room: Room
    secrets: Secrets
    key: bytes | None = field(default=None, repr=False)

    def after(self, entries: Sequence[Entry]) -> "_Table":
        room = self.room
        for entry in entries:
            room = room.after(entry)
        return _Table(room, self.secrets, self.key)

    def dice_key(self, seat_bytes: Sequence[bytes]) -> bytes:
        return self.key or dice_key(self.secrets.seed, seat_bytes)


class Host:
    """Keeps the rooms of one store. A viewer is the hash of an identity, never the identity."""

    def __init__(self, store: Store, bell: Bell | None = None) -> None:
        self.store = store
        self.bell = bell or Bell()
        self.computer_on_turn: Callable[[str], None] | None = None
        """Told a room's id whenever it is asked for or changed and a computer is on turn in it."""
        self._tables: OrderedDict[str, _Table] = OrderedDict()

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
        secret, log = _new_room(viewer, ruleset, names, computers, room_id or new_room_id())
        try:
            await self.store.create(secret, log)
        except Conflict:
            (await self._table(log.room)).room.check_owner(viewer)
        return log.room

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
        while True:
            room = table.room
            if room.seq != seq:
                room.check_player(viewer)
                if room.has(viewer, seq, move):
                    return room
                raise Stale(room)
            room.check(viewer, move)
            events = _decide(table, move, seat_bytes)
            entries = [Entry(viewer, event) for event in events]
            after = table.after(entries)
            if after.room.game.is_over:
                entries.append(Entry(viewer, Unsealed(table.secrets.seed)))
                after = table.after(entries)
            try:
                await self._append(room_id, table, after, entries)
            except Conflict:
                table = await self._load(room_id)
            else:
                return after.room

    async def hint(self, room_id: str, viewer: str, *, everyone: bool = False) -> Room:
        """The room, its seat on turn marked as one that was given a hint; or everyone's seat.

        Raises IllegalMove.
        """
        table = await self._table(room_id)
        while True:
            room = table.room
            room.check_owner(viewer)
            if room.game.is_over:
                raise IllegalMove(Reason.GAME_OVER)
            if room.computer and not everyone:
                raise IllegalMove(Reason.COMPUTERS_SEAT)
            seats = room.people if everyone else frozenset({room.game.seat})
            entries = [Entry(viewer, Hinted(seat)) for seat in sorted(seats - room.assisted)]
            if not entries:
                return room
            after = table.after(entries)
            try:
                await self._append(room_id, table, after, entries)
            except Conflict:
                table = await self._load(room_id)
            else:
                return after.room

    async def add_bytes(self, room_id: str, viewer: str, seat_bytes: Sequence[bytes]) -> Room:
        """The room, the seats' bytes fixed before the first roll, if they aren't yet.

        A person's first roll brings them along; where a computer makes it they are sent ahead.
        Raises IllegalMove.
        """
        table = await self._table(room_id)
        while True:
            room = table.room
            room.check_owner(viewer)
            if room.seat_bytes is not None:
                return room
            entries = [Entry(viewer, _started(table, seat_bytes))]
            after = table.after(entries)
            try:
                await self._append(room_id, table, after, entries)
            except Conflict:
                table = await self._load(room_id)
            else:
                return after.room

    async def step(self, room_id: str, seq: int) -> Room:
        """The room after the move at ``seq`` of the computer on turn, which follows from the seed.

        Raises IllegalMove, and Stale if no computer is on turn at this state.
        """
        table = await self._table(room_id)
        if table.room.seq != seq or not table.room.computer:
            raise Stale(table.room)
        move = await asyncio.to_thread(_choice, table) if table.room.game.dice else Keep()
        return await self.act(room_id, COMPUTER, seq, move)

    async def again(self, room_id: str, viewer: str) -> str:
        """The id of the room where the same players play again, the next one starting."""
        table = await self._table(room_id)
        while True:
            room = table.room
            if room.again is not None and await self._is_there(room.again):
                return room.again
            room.check_owner(viewer)
            if not room.game.is_over:
                raise IllegalMove(Reason.NOT_OVER)
            names, computers = ((*seats[1:], *seats[:1]) for seats in (room.names, room.computers))
            secret, log = _new_room(viewer, room.ruleset.key, names, computers, new_room_id())
            entries = [Entry(viewer, Again(log.room))]
            try:
                await self.store.create(secret, log, Append(room_id, room.seq, entries))
            except Conflict:
                table = await self._load(room_id)
            else:
                table = self._keep(room_id, table.after(entries))
                self.bell.ring(room_id)

    async def link_key(self, room_id: str, viewer: str) -> str:
        """The key of the personal link, for the owner alone; it changes once it has been used."""
        table = await self._table(room_id)
        table.room.check_owner(viewer)
        return _link_key(table)

    async def check_link(self, room_id: str, viewer: str, key: str) -> None:
        """Raise LINK_USED unless this key lets the viewer go on with the game, or needn't."""
        _check_link(await self._table(room_id), viewer, key)

    async def take(self, room_id: str, viewer: str, key: str) -> Room:
        """Go on with the game here, by the key of its personal link. Raises LINK_USED."""
        table = await self._table(room_id)
        while table.room.owner != viewer:
            _check_link(table, viewer, key)
            entries = [Entry(viewer, Taken(viewer))]
            after = table.after(entries)
            try:
                await self._append(room_id, table, after, entries, owner=viewer)
            except Conflict:
                table = await self._load(room_id)
            else:
                table = after
        return table.room

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

    async def _append(
        self,
        room_id: str,
        table: _Table,
        after: _Table,
        entries: Sequence[Entry],
        owner: str | None = None,
    ) -> None:
        """Durable first, then known here, then told to those who listen."""
        ended = after.room.game.is_over and not table.room.game.is_over
        result = _result(after.room) if ended else None
        await self.store.append(Append(room_id, table.room.seq, entries, owner, result))
        self._keep(room_id, after)
        self.bell.ring(room_id)

    async def _is_there(self, room_id: str) -> bool:
        try:
            await self._table(room_id)
        except IllegalMove:
            return False
        return True

    async def _table(self, room_id: str) -> _Table:
        """The cached table, or the stored one."""
        table = self._tables.get(room_id)
        if table is None:
            return await self._load(room_id)
        self._tables.move_to_end(room_id)
        self._wake(room_id, table.room)
        return table

    async def _load(self, room_id: str) -> _Table:
        loaded = await self.store.load(room_id)
        if loaded is None:
            self._tables.pop(room_id, None)
            raise IllegalMove(Reason.NO_SUCH_ROOM)
        secret, entries = loaded
        try:
            room = Room.fold(entries)
        except (IllegalMove, TypeError) as error:
            raise IllegalMove(Reason.UNREADABLE) from error
        return self._keep(room_id, _Table(room, secret))

    def _keep(self, room_id: str, table: _Table) -> _Table:
        """Cache a table unless a newer one is there; the newest of both."""
        known = self._tables.get(room_id)
        if known is None or known.room.seq <= table.room.seq:
            if table.key is None and table.room.seat_bytes is not None:
                key = table.dice_key(table.room.seat_bytes)
                table = _Table(table.room, table.secrets, key)
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


def _new_room(
    viewer: str, ruleset: str, names: Sequence[str], computers: Sequence[str], room_id: str
) -> tuple[Secrets, Append]:
    secret = Secrets(secrets.token_bytes(SEED_BYTES), secrets.token_bytes(32))
    cleaned = tuple(map(clean_name, names))
    levels = tuple(computers) if any(computers) else ()
    entry = Entry(viewer, Opened(ruleset, cleaned, fingerprint(secret.seed), viewer, levels))
    Room.opened(entry)  # refuses what can't be played
    if levels and all(levels):
        raise IllegalMove(Reason.NO_PERSON)
    return secret, Append(room_id, 0, [entry], owner=viewer)


def _decide(table: _Table, move: Move, seat_bytes: Sequence[bytes]) -> list[LogEvent]:
    """The events of a legal move, in the order they happen."""
    if not isinstance(move, Keep):
        return [move]
    room, game, events = table.room, table.room.game, list[LogEvent]()
    if room.seat_bytes is None:
        started = _started(table, seat_bytes)
        seat_bytes = started.seat_bytes
        events.append(started)
    key = table.dice_key(seat_bytes)
    thrown = throw(key, game.seat, game.turn, game.rolls_used, room.ruleset)
    return [*events, game.rolled(move, thrown)]


def _started(table: _Table, seat_bytes: Sequence[bytes]) -> Started:
    """What the seats add to the seal; nothing if nothing was sent. Raises IllegalMove."""
    seats = len(table.room.names)
    if seat_bytes and len(seat_bytes) != seats:
        raise IllegalMove(Reason.WRONG_SEATS, value=len(seat_bytes), seats=seats)
    table.dice_key(seat_bytes)  # refuses too many
    return Started(tuple(seat_bytes) or (b"",) * seats)


def _choice(table: _Table) -> Move:
    """What the computer on turn does with the dice on the table. The first one takes a while."""
    from yacht.strategy.players import LEVELS, choose

    room, game = table.room, table.room.game
    key = player_key(table.secrets.seed, room.seat_bytes or ())
    drawn = chance(key, game.seat, game.turn, game.rolls_used)
    return choose(game, LEVELS[room.computer], drawn)


def _result(room: Room) -> Result:
    totals = tuple(card.total for card in room.game.cards)
    return Result(room.ruleset.key, room.names, totals, room.computers)


def _link_key(table: _Table) -> str:
    """Another key after each use, also when the game comes back to an earlier owner."""
    used = sum(isinstance(entry.event, Taken) for entry in table.room.entries)
    return hmac.digest(table.secrets.link, str(used).encode(), "sha256")[:16].hex()


def _check_link(table: _Table, viewer: str, key: str) -> None:
    right = hmac.compare_digest(_link_key(table).encode(), key.encode())
    if table.room.owner != viewer and not right:
        raise IllegalMove(Reason.LINK_USED)
