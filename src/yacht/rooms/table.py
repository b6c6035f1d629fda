"""A room with its secrets, and what an act at it writes down."""

import hmac
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field

from yacht.engine.dice import SEED_BYTES, chance, dice_key, fingerprint, player_key, throw
from yacht.engine.game import Keep, Move
from yacht.engine.reasons import IllegalMove, Reason
from yacht.rooms.room import (
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
        """A move made at ``seq``; with the score that ends the game, the seed is opened."""
        room = self.room
        if room.seq != seq:
            room.check_player(viewer)
            if room.has(viewer, seq, move):
                return ()
            raise Stale(room)
        room.check(viewer, move)
        return [Entry(viewer, event) for event in self._events(move, seat_bytes)]

    def hint(self, viewer: str, *, everyone: bool) -> Sequence[Entry]:
        """A hint for the seat on turn, or for all people at the table."""
        room = self.room
        room.check_owner(viewer)
        if room.game.is_over:
            raise IllegalMove(Reason.GAME_OVER)
        if room.computer and not everyone:
            raise IllegalMove(Reason.COMPUTERS_SEAT)
        seats = room.people if everyone else frozenset({room.game.seat})
        return [Entry(viewer, Hinted(seat)) for seat in sorted(seats - room.assisted)]

    def add_bytes(self, viewer: str, seat_bytes: Sequence[bytes]) -> Sequence[Entry]:
        """What the seats add to the seal, before the first roll."""
        self.room.check_owner(viewer)
        fixed = self.room.seat_bytes is not None
        return () if fixed else [Entry(viewer, self._started(seat_bytes))]

    def take(self, viewer: str, key: str) -> Sequence[Entry]:
        """Go on with the game in another browser, by the key of its link."""
        self.check_link(viewer, key)
        return () if self.room.owner == viewer else [Entry(viewer, Taken(viewer))]

    def again(self, viewer: str) -> tuple[Secrets, Entry]:
        """The secrets and the first entry of a room where the same play again, the next first."""
        room = self.room
        room.check_owner(viewer)
        if not room.game.is_over:
            raise IllegalMove(Reason.NOT_OVER)
        names, computers = ((*seats[1:], *seats[:1]) for seats in (room.names, room.computers))
        return opened(viewer, room.ruleset.key, names, computers)

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

    def link_key(self) -> str:
        """Another key after each use, also when the game comes back to an earlier owner."""
        used = sum(isinstance(entry.event, Taken) for entry in self.room.entries)
        return hmac.digest(self.secrets.link, str(used).encode(), "sha256")[:16].hex()

    def check_link(self, viewer: str, key: str) -> None:
        """Raise LINK_USED unless this key lets the viewer go on with the game, or needn't."""
        right = hmac.compare_digest(self.link_key().encode(), key.encode())
        if self.room.owner != viewer and not right:
            raise IllegalMove(Reason.LINK_USED)

    def _events(self, move: Move, seat_bytes: Sequence[bytes]) -> Sequence[LogEvent]:
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
        if seat_bytes and len(seat_bytes) != seats:
            raise IllegalMove(Reason.WRONG_SEATS, value=len(seat_bytes), seats=seats)
        self._dice_key(seat_bytes)  # refuses too many
        return Started(tuple(seat_bytes) or (b"",) * seats)

    def _dice_key(self, seat_bytes: Sequence[bytes]) -> bytes:
        return self.key or dice_key(self.secrets.seed, seat_bytes)


def opened(
    viewer: str, ruleset: str, names: Sequence[str], computers: Sequence[str]
) -> tuple[Secrets, Entry]:
    """The secrets and the first entry of a new room. Raises IllegalMove."""
    secret = Secrets(secrets.token_bytes(SEED_BYTES), secrets.token_bytes(32))
    cleaned = tuple(map(clean_name, names))
    levels = tuple(computers) if any(computers) else ()
    entry = Entry(viewer, Opened(ruleset, cleaned, fingerprint(secret.seed), viewer, levels))
    Room.opened(entry)  # refuses what can't be played
    if levels and all(levels):
        raise IllegalMove(Reason.NO_PERSON)
    return secret, entry
