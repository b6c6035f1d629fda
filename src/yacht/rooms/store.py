"""What a store must do, and the form in which entries are written down."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, Self

import msgspec

from yacht.engine import notation
from yacht.engine.game import Rolled, Score, UndoScore
from yacht.engine.reasons import IllegalMove, Reason
from yacht.rooms.entries import Entry, LogEvent, RoomEvent
from yacht.rooms.room import Room


class Conflict(Exception):
    """Another entry has this number already, or the room is gone: load and decide again."""


class Unavailable(Exception):
    """The store can't be read or written now; nothing was half done."""


class NewerSchema(Exception):
    """What is stored at ``place`` was written by a newer version of the program."""

    def __init__(self, place: str, found: int, known: int) -> None:
        super().__init__(place, found, known)
        self.place, self.found, self.known = place, found, known


class WrongEncoding(Exception):
    """The database of this name can't hold every text."""


class FolderInUse(Exception):
    """Another server uses this data folder; two would not hear of each other's moves."""


COMPUTER_SECONDS = 10.0
"""After so long without its step any process wakes the computer of a game by the clock."""

Who = tuple[str, str]
"""A room and a viewer in it."""


@dataclass(frozen=True, slots=True)
class Secrets:
    """What a room hides: the dice's seed until the game is over, and the personal link's key."""

    seed: bytes = field(repr=False)
    link: bytes = field(repr=False)


class Result(msgspec.Struct, frozen=True, omit_defaults=True):
    """A finished game in short, for the list of finished games; ``computers`` as in Opened."""

    ruleset: str
    names: tuple[str, ...]
    totals: tuple[int, ...]
    computers: tuple[str, ...] = ()

    @classmethod
    def of(cls, room: Room) -> Self:
        """The result of a game that is over."""
        totals = tuple(card.total for card in room.game.cards)
        return cls(room.ruleset.key, room.names, totals, room.computers)


@dataclass(frozen=True, slots=True)
class Append:
    """Entries for a room's log, numbered on from ``seq``, and what changes beside them.

    ``members`` are the identities that have the room in their lists from now on, ``standing`` is
    how it stands; None leaves either as it is.
    """

    room: str
    seq: int
    entries: Sequence[Entry]
    members: Collection[str] | None = None
    result: Result | None = None
    standing: "Standing | None" = None

    @classmethod
    def first(cls, room_id: str, entries: Sequence[Entry]) -> Self:
        """What opens a room."""
        room = Room.fold(entries)
        return cls(room_id, 0, entries, room.viewers, standing=Standing.of(room))

    @classmethod
    def of(cls, room_id: str, before: Room, entries: Sequence[Entry], after: Room) -> Self:
        """The entries by which a room became another, and what of the rest they change."""
        ended = after.game.is_over and not before.game.is_over
        standing = Standing.of(after)
        return cls(
            room_id,
            before.seq,
            entries,
            None if after.viewers == before.viewers else after.viewers,
            Result.of(after) if ended else None,
            None if standing == Standing.of(before) else standing,
        )


@dataclass(frozen=True, slots=True)
class Standing:
    """How a room of friends stands: whether its game has begun, and when something is due in it.

    Games on one device have none, and are kept for good.
    """

    begun: bool
    due: float | None = None

    @classmethod
    def of(cls, room: Room) -> Self | None:
        """How it stands; in a game by the clock, a computer's step that nobody makes is due too."""
        if room.options is None:
            return None
        plays = room.options.clock and room.computer
        return cls(room.begun, room.entries[-1].at + COMPUTER_SECONDS if plays else room.due)


@dataclass(frozen=True, slots=True)
class Listed:
    """A game in a player's list; ``at`` is the time of its last entry in Unix seconds."""

    room: str
    at: float
    result: Result | None
    of_friends: bool


@dataclass(frozen=True, slots=True)
class Shown:
    """A scorecard of real dice as its keeper shows it, ``body`` a Sheet as JSON.

    ``number`` is higher for each newer state; ``at`` is when it came, in Unix seconds.
    """

    keeper: str
    number: int
    at: float
    body: str


class Store(Protocol):
    """One numbered log per room, and the sheets that are shown.

    Writes are durable when they return, or have not happened.
    """

    async def create(self, secrets: Secrets, log: Append, after: Append | None = None) -> None:
        """Open a room with its first entries; ``after`` is appended in the same transaction.

        Raises Conflict if ``after`` can't be appended: then nothing is written.
        """
        ...

    async def append(self, log: Append) -> None:
        """Write entries after ``log.seq``. Raises Conflict if that number is taken."""
        ...

    async def load(self, room: str) -> tuple[Secrets, Sequence[Entry]] | None:
        """A room's secrets and its whole log, or None."""
        ...

    async def games_of(self, member: str) -> list[Listed]:
        """Every game that this identity plays in, the last played first."""
        ...

    async def states(self) -> dict[str, int]:
        """How many rooms are waiting for friends, are playing, and are finished."""
        ...

    async def delete(self, room: str, member: str) -> None:
        """Remove a game on one device and its log. Raises Conflict if it isn't there or theirs."""
        ...

    async def due(self, by: float) -> list[str]:
        """The rooms in which something is due until then, in Unix seconds."""
        ...

    async def sweep(self, waiting_since: float, idle_since: float) -> list[str]:
        """Remove what is too old; its ids.

        That is rooms of friends that haven't begun or been played since then, and sheets that
        haven't changed since ``idle_since``.
        """
        ...

    async def show(self, sheet: str, shown: Shown) -> None:
        """Begin to show a sheet. Raises Conflict if the id is taken."""
        ...

    async def renew(self, sheet: str, shown: Shown) -> None:
        """Show a newer state; nothing happens if it isn't newer, or isn't its keeper's."""
        ...

    async def hide(self, sheet: str, keeper: str) -> None:
        """Show the sheet no longer; nothing happens if it isn't shown, or isn't its keeper's."""
        ...

    async def shown(self, sheet: str) -> Shown | None:
        """The newest state of a sheet, or None if it isn't shown."""
        ...

    async def listen(self, heard: Callable[[str, int], None], missed: Callable[[], None]) -> None:
        """Tell what is written by any process, until it is cancelled; or return if there is one.

        ``heard`` gets a room and the number of its last entry, 0 if the room is gone; never
        between what this process reads or writes of the room and its answer. A sheet is heard of
        in the same way. ``missed`` is called
        whenever anything may have been written unheard.
        """
        ...

    async def saw(self, seen: Mapping[Who, float]) -> None:
        """Tell other processes who was seen here and when, in Unix seconds."""
        ...

    async def seen(self, rooms: Collection[str]) -> dict[Who, float]:
        """Whom any process told to have seen in these rooms, and when."""
        ...

    async def forget(self, since: float) -> None:
        """Drop who wasn't seen since then."""
        ...

    async def newest(self, room: str) -> int | None:
        """The number of a room's last entry, 0 if it is gone; None where nobody else writes any."""
        ...

    async def ping(self) -> None:
        """Return if the store answers, else raise Unavailable."""
        ...

    async def close(self) -> None:
        """Finish what is waiting and let go."""
        ...


def read(entries: Sequence[Entry]) -> Room:
    """The room of a log that was stored. Raises IllegalMove(UNREADABLE)."""
    try:
        return Room.fold(entries)
    except (TypeError, LookupError, ValueError) as error:
        raise IllegalMove(Reason.UNREADABLE) from error


_room_event = msgspec.json.Decoder(RoomEvent)


def encode_event(event: LogEvent) -> str:
    """A game's event as its token, a room's event as one line of JSON."""
    if isinstance(event, Rolled | Score | UndoScore):
        return notation.encode(event)
    return msgspec.json.encode(event).decode()


def decode_event(text: str) -> LogEvent:
    """The event that ``encode_event`` wrote."""
    return _room_event.decode(text) if text.startswith("{") else notation.decode(text)
