"""A room with its secrets, and what an act at it writes down."""

import hmac
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field

from yacht.engine.dice import (
    SEED_BYTES,
    chance,
    check_seat_bytes,
    dice_key,
    fingerprint,
    player_key,
    throw,
)
from yacht.engine.game import Keep, Move
from yacht.engine.reasons import IllegalMove, Reason
from yacht.rooms.entries import (
    Begun,
    Entry,
    Hinted,
    Invited,
    Joined,
    LogEvent,
    Opened,
    Salted,
    Started,
    Taken,
    Unsealed,
    move_of,
)
from yacht.rooms.names import clean_name
from yacht.rooms.options import Options
from yacht.rooms.room import Room
from yacht.rooms.store import Secrets


class Stale(IllegalMove):
    """The move was made at another state of the game than ``room``, the one it is in now."""

    def __init__(self, room: Room) -> None:
        super().__init__(Reason.STALE)
        self.room = room


@dataclass(frozen=True, slots=True)
class Table:
    """A room with its secrets, which stay with the host.

    What can be done at it comes as the entries to write, none if it was done already. Raises
    IllegalMove for what is refused.
    """

    room: Room
    secrets: Secrets
    key: bytes | None = field(default=None, repr=False)

    def at(self, seq: int) -> "Table":
        """The table, if this is the state it is in; raises Stale.

        Bytes for the seal that came since are in nobody's way.
        """
        since = self.room.entries[seq:]
        if seq > self.room.seq or not all(isinstance(entry.event, Salted) for entry in since):
            raise Stale(self.room)
        return self

    def after(self, entries: Sequence[Entry]) -> "Table":
        """The table with these entries written."""
        room = self.room
        for entry in entries:
            room = room.after(entry)
        key = self.key
        if key is None and room.seat_bytes is not None:
            key = self._dice_key(room.seat_bytes)
        return Table(room, self.secrets, key)

    def act(
        self, viewer: str, seq: int, move: Move, seat_bytes: Sequence[bytes]
    ) -> Sequence[Entry]:
        """A move made at the state of the game that entry ``seq`` left, nothing for a resend.

        What happened since beside the game, a hint or somebody's return, is in nobody's way.
        """
        room = self.room
        known = 1 <= seq <= room.seq
        moved = room.moved_since(seq) if known else None
        if moved or not known:
            room.check_player(viewer)
            if moved and moved.by == viewer and move_of(moved.event) == move:
                return ()
            raise Stale(room)
        room.check(viewer, move)
        if room.options and seat_bytes:
            raise IllegalMove(Reason.SEAL_APART)
        return [Entry(viewer, event) for event in self.events(move, seat_bytes)]

    def hint(self, viewer: str, *, everyone: bool) -> Sequence[Entry]:
        """A hint for the viewer's seat on turn, or for all people at one device: its review."""
        room = self.room
        room.check_owner(viewer)
        if room.game.is_over:
            raise IllegalMove(Reason.GAME_OVER)
        if room.options and not room.options.hints:
            raise IllegalMove(Reason.NO_HINTS)
        if everyone and room.options:
            raise IllegalMove(Reason.NOT_OVER)
        if not everyone:
            room.check(viewer, Keep())  # whose turn it is
        seats = room.people if everyone else frozenset({room.game.seat})
        return [Entry(viewer, Hinted(seat)) for seat in sorted(seats - room.assisted)]

    def add_bytes(self, viewer: str, seat_bytes: Sequence[bytes]) -> Sequence[Entry]:
        """What the seats add to the seal, before the first roll: all of them, or the viewer's.

        Those that came first count, and others are refused.
        """
        room = self.room
        room.check_owner(viewer)
        if room.options:
            return self._add_own_bytes(viewer, seat_bytes)
        if room.seat_bytes is None:
            return [Entry(viewer, self._started(seat_bytes))]
        if tuple(seat_bytes) not in {(), room.seat_bytes}:
            raise IllegalMove(Reason.SEALED)
        return ()

    def _add_own_bytes(self, viewer: str, seat_bytes: Sequence[bytes]) -> Sequence[Entry]:
        """Bytes for the viewer's seats among friends that have none."""
        room = self.room
        _check_bytes(seat_bytes, 1)
        [added], seats = seat_bytes, sorted(room.seats_of(viewer))
        if not added:
            return ()
        free = [seat for seat in seats if room.seat_bytes is None and not room.salts[seat]]
        if not free and added not in {room.salts[seat] for seat in seats}:
            raise IllegalMove(Reason.SEALED)
        return [Entry(viewer, Salted(seat, added)) for seat in free]

    def take(self, viewer: str, key: str) -> Sequence[Entry]:
        """Go on with the game, or one's seat, in another browser, by the key of its link."""
        seats = self.check_link(viewer, key)
        if not seats or (self.room.belongs_to(viewer) and not self.room.options):
            return ()
        self.room.check_length()
        return [Entry(viewer, Taken(viewer, min(seats) if self.room.options else None))]

    def again(self, viewer: str) -> tuple[Secrets, Sequence[Entry]]:
        """The secrets and the first entries of a room where the same play again, the next first."""
        room = self.room
        room.check_owner(viewer)
        if not room.game.is_over:
            raise IllegalMove(Reason.NOT_OVER)
        names, owners, computers = (
            (*seats[1:], *seats[:1]) for seats in (room.names, room.owners, room.computers)
        )
        if not room.options:
            secret, entry = opened(viewer, room.ruleset.key, names, computers)
            return secret, [entry]
        secret, entry = invited(viewer, room.ruleset.key, room.options)
        joined = [
            Joined(name, owner, computer=level)
            for name, owner, level in zip(names, owners, computers, strict=True)
        ]
        return secret, [entry, *(Entry(viewer, event) for event in (*joined, Begun()))]

    def unsealed(self, viewer: str) -> Entry:
        """The seed, opened once the game is over."""
        return Entry(viewer, Unsealed(self.secrets.seed))

    def computers_move(self) -> Move:
        """What the computer on turn does, which follows from the seed. The first takes a while."""
        room, game = self.room, self.room.game
        if not game.dice:
            return Keep()
        from yacht.strategy.players import LEVELS, choose

        key = player_key(self.secrets.seed, room.seat_bytes or ())
        drawn = chance(key, game.seat, game.turn, game.rolls_used)
        return choose(game, LEVELS[room.computer], drawn)

    def link_key(self, viewer: str) -> str:
        """The key of the viewer's personal link: for the game, or for their seat among friends.

        It is another one after each use, also when the seat comes back to an earlier owner.
        """
        self.room.check_owner(viewer)
        return self._key_of(min(self.room.seats_of(viewer)))

    def check_link(self, viewer: str, key: str) -> frozenset[int]:
        """The seats that this key moves to the viewer, none if they are theirs already.

        Raises LINK_USED.
        """
        room = self.room
        fits = frozenset(
            seat
            for seat in room.people
            if hmac.compare_digest(self._key_of(seat).encode(), key.encode())
        )
        if not fits and not room.belongs_to(viewer):
            raise IllegalMove(Reason.LINK_USED)
        return fits - room.seats_of(viewer)

    def _key_of(self, seat: int) -> str:
        """It is made of how the seat got its owner, as seats move up when others leave."""
        said = str(self.room.seated[seat]).encode()
        return hmac.digest(self.secrets.link, said, "sha256")[:16].hex()

    def events(self, move: Move, seat_bytes: Sequence[bytes]) -> Sequence[LogEvent]:
        """The events of a legal move, in the order they happen."""
        if not isinstance(move, Keep):
            return [move]
        room, game, events = self.room, self.room.game, list[LogEvent]()
        if room.seat_bytes is None:
            started = self._started(seat_bytes)
            seat_bytes = started.seat_bytes
            events.append(started)
        key = self._dice_key(seat_bytes)
        thrown = throw(key, game.seat, game.turn, game.rolls_used, room.ruleset)
        return [*events, game.rolled(move, thrown)]

    def _started(self, seat_bytes: Sequence[bytes]) -> Started:
        """What the seats add to the seal; nothing if nothing was sent. Raises IllegalMove."""
        seats = len(self.room.names)
        seat_bytes = seat_bytes or self.room.salts or (b"",) * seats
        _check_bytes(seat_bytes, seats)
        return Started(tuple(seat_bytes))

    def _dice_key(self, seat_bytes: Sequence[bytes]) -> bytes:
        return self.key or dice_key(self.secrets.seed, seat_bytes)


def _check_bytes(seat_bytes: Sequence[bytes], seats: int) -> None:
    """Raise IllegalMove unless these are what so many seats may add to the seal."""
    if len(seat_bytes) != seats:
        raise IllegalMove(Reason.WRONG_SEATS, value=len(seat_bytes), seats=seats)
    check_seat_bytes(seat_bytes)


def opened(
    viewer: str, ruleset: str, names: Sequence[str], computers: Sequence[str]
) -> tuple[Secrets, Entry]:
    """The secrets and the first entry of a new game on one device. Raises IllegalMove."""
    secret = _new_secrets()
    cleaned = tuple(map(clean_name, names))
    levels = tuple(computers) if any(computers) else ()
    entry = Entry(viewer, Opened(ruleset, cleaned, fingerprint(secret.seed), viewer, levels))
    Room.opened(entry)  # refuses what can't be played
    if levels and all(levels):
        raise IllegalMove(Reason.NO_PERSON)
    return secret, entry


def invited(viewer: str, ruleset: str, options: Options) -> tuple[Secrets, Entry]:
    """The secrets and the first entry of a new room for friends. Raises IllegalMove."""
    secret = _new_secrets()
    event = Invited(ruleset, options.places, fingerprint(secret.seed), options.clock, options.hints)
    entry = Entry(viewer, event)
    Room.opened(entry)  # refuses what can't be played
    return secret, entry


def check_deletable(room: Room, viewer: str) -> None:
    """Raise IllegalMove unless it is the viewer's alone: what friends play is all of theirs."""
    room.check_owner(viewer)
    if room.options:
        raise IllegalMove(Reason.OF_FRIENDS)


ROOM_ID = re.compile("[A-Za-z0-9_-]{16}")
"""What a room's id looks like; no store is asked for another, not all take any text."""


def check_id(room_id: str) -> None:
    """Raise IllegalMove(NO_SUCH_ROOM) for what is no room's id."""
    if not ROOM_ID.fullmatch(room_id):
        raise IllegalMove(Reason.NO_SUCH_ROOM)


def new_room_id() -> str:
    """An id that can't be guessed: 96 bits in 16 signs."""
    return secrets.token_urlsafe(12)


def _new_secrets() -> Secrets:
    return Secrets(secrets.token_bytes(SEED_BYTES), secrets.token_bytes(32))
