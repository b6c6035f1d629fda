"""A room as one immutable value: a fold of its log, holding the game and who may act in it."""

import unicodedata
from collections.abc import Sequence
from functools import reduce
from typing import Self

import msgspec
from msgspec.structs import replace

from yacht.engine.game import Event, Game, Keep, Move, Rolled, Score, UndoScore
from yacht.engine.notation import LEVELS, Record
from yacht.engine.reasons import IllegalMove, Reason
from yacht.engine.rules import Ruleset, ruleset_named

LONGEST_NAME = 24
COMPUTER = "computer"
"""Who makes a computer's moves; no identity, a hash, is this word."""


class Opened(msgspec.Struct, frozen=True, tag="opened", omit_defaults=True):
    """The first entry: a game on one device, its dice sealed, nothing rolled.

    ``computers`` has the level that plays each seat, "" for a person; or is empty.
    """

    ruleset: str
    names: tuple[str, ...]
    fingerprint: str
    owner: str
    computers: tuple[str, ...] = ()


class Started(msgspec.Struct, frozen=True, tag="started"):
    """What each seat adds to the seal is fixed; written with the first roll at the latest."""

    seat_bytes: tuple[bytes, ...]


class Taken(msgspec.Struct, frozen=True, tag="taken"):
    """The game goes on in another browser, by its personal link."""

    owner: str


class Unsealed(msgspec.Struct, frozen=True, tag="unsealed"):
    """The game is over and its seed public; written with the last score."""

    seed: bytes


class Again(msgspec.Struct, frozen=True, tag="again"):
    """The same players play again in another room."""

    room: str


class Hinted(msgspec.Struct, frozen=True, tag="hinted"):
    """A seat took a hint: from then on the game is assisted, for all to see."""

    seat: int


RoomEvent = Opened | Started | Taken | Unsealed | Again | Hinted
LogEvent = Event | RoomEvent


class Entry(msgspec.Struct, frozen=True):
    """One line of a room's log: who did it and what happened. Its number is its place, from 1."""

    by: str
    event: LogEvent


class Turn(msgspec.Struct, frozen=True):
    """A turn as it was played; ``category`` and ``points`` are None until it is scored."""

    seat: int
    rolls: tuple[Rolled, ...]
    category: str | None = None
    points: int | None = None


class Room(msgspec.Struct, frozen=True):
    """All that is known of a room but its secrets. ``seq`` is the number of its last entry."""

    entries: tuple[Entry, ...]
    names: tuple[str, ...]
    fingerprint: str
    owner: str
    game: Game
    computers: tuple[str, ...] = ()
    seat_bytes: tuple[bytes, ...] | None = None
    turns: tuple[Turn, ...] = ()
    seed: bytes | None = None
    again: str | None = None
    assisted: frozenset[int] = frozenset()

    @classmethod
    def opened(cls, entry: Entry) -> Self:
        """The room of its first entry. Raises IllegalMove for what can't be played."""
        event = entry.event
        if not isinstance(event, Opened):
            raise TypeError(event)
        game = Game.new(ruleset_named(event.ruleset), len(event.names))
        _check_levels(event.computers, len(event.names))
        return cls((entry,), event.names, event.fingerprint, event.owner, game, event.computers)

    @classmethod
    def fold(cls, entries: Sequence[Entry]) -> Self:
        """The room of its whole log."""
        return reduce(cls.after, entries[1:], cls.opened(entries[0]))

    @classmethod
    def of(cls, record: Record) -> Self:
        """A room that nobody owns, from a record. Raises IllegalMove."""
        events: list[LogEvent] = [Started(record.seat_bytes), *record.events]
        if record.seed is not None:
            events.append(Unsealed(record.seed))
        opened = Opened(record.ruleset.key, record.names, record.fingerprint, "", record.computers)
        return cls.fold([Entry("", event) for event in (opened, *events)])

    @property
    def seq(self) -> int:
        """The number of the last entry."""
        return len(self.entries)

    @property
    def ruleset(self) -> Ruleset:
        """The ruleset being played."""
        return self.game.ruleset

    def level(self, seat: int) -> str:
        """The level of the computer that plays this seat; "" for a person."""
        return self.computers[seat] if self.computers else ""

    @property
    def computer(self) -> str:
        """The level of the computer that is on turn; "" for a person, and once the game is over."""
        return "" if self.game.is_over else self.level(self.game.seat)

    @property
    def people(self) -> frozenset[int]:
        """The seats that no computer plays."""
        return frozenset(seat for seat in range(len(self.names)) if not self.level(seat))

    @property
    def may_undo(self) -> bool:
        """Whether the owner may take the last score back: a computer's stays."""
        before = self.game.before
        return before is not None and not self.level(before.seat)

    def after(self, entry: Entry) -> Self:
        """The room with one more entry. Raises IllegalMove if the game refuses it."""
        entries = (*self.entries, entry)
        match entry.event:
            case Opened():
                raise TypeError(entry.event)
            case Started(seat_bytes):
                return replace(self, entries=entries, seat_bytes=seat_bytes)
            case Taken(owner):
                return replace(self, entries=entries, owner=owner)
            case Unsealed(seed):
                return replace(self, entries=entries, seed=seed)
            case Again(room):
                return replace(self, entries=entries, again=room)
            case Hinted(seat):
                return replace(self, entries=entries, assisted=self.assisted | {seat})
            case Rolled() | Score() | UndoScore() as event:
                game = self.game.play(event)
                return replace(self, entries=entries, game=game, turns=self._turns(event, game))

    def belongs_to(self, viewer: str) -> bool:
        """Whether this is the viewer's game; the room of a record is nobody's."""
        return self.owner == viewer != ""

    def check_owner(self, viewer: str) -> None:
        """Raise IllegalMove(NOT_YOURS) unless the game belongs to the viewer."""
        if not self.belongs_to(viewer):
            raise IllegalMove(Reason.NOT_YOURS)

    def check_player(self, viewer: str) -> None:
        """Raise IllegalMove(NOT_YOURS) unless it is the owner, or the host for a computer."""
        if viewer != COMPUTER:
            self.check_owner(viewer)

    def check(self, viewer: str, move: Move) -> None:
        """Raise the IllegalMove that refuses a move for who makes it; the game has its own.

        A computer's turn is its own and so are its scores, but until it rolls a person's last
        score can be taken back.
        """
        self.check_player(viewer)
        if isinstance(move, UndoScore):
            if self.game.before is not None and not self.may_undo:
                raise IllegalMove(Reason.NOTHING_TO_UNDO)
        elif bool(self.computer) != (viewer == COMPUTER):
            raise IllegalMove(Reason.COMPUTERS_SEAT)

    def has(self, viewer: str, seq: int, move: Move) -> bool:
        """Whether this move, made at ``seq`` by this viewer, is already in the log: a resend."""
        for entry in self.entries[seq : seq + 2]:
            if not isinstance(entry.event, Started):
                return entry.by == viewer and _move_of(entry.event) == move
        return False

    @property
    def record(self) -> Record:
        """The game to keep as text."""
        events = (Rolled, Score, UndoScore)
        return Record(
            self.ruleset,
            self.names,
            self.seat_bytes or (b"",) * len(self.names),
            self.fingerprint,
            tuple(entry.event for entry in self.entries if isinstance(entry.event, events)),
            self.seed,
            self.computers,
        )

    def _turns(self, event: Event, game: Game) -> tuple[Turn, ...]:
        """The turns with this event, which led to ``game``."""
        match event:
            case Rolled() if not self.game.dice:
                return (*self.turns, Turn(self.game.seat, (event,)))
            case Rolled():
                last = self.turns[-1]
                return (*self.turns[:-1], replace(last, rolls=(*last.rolls, event)))
            case Score(category):
                last = self.turns[-1]
                points = game.cards[last.seat].boxes[self.ruleset.index(category)]
                return (*self.turns[:-1], replace(last, category=category, points=points))
            case UndoScore():
                return (*self.turns[:-1], replace(self.turns[-1], category=None, points=None))


def clean_name(name: str) -> str:
    """A player's name trimmed, 1 to 24 visible characters. Raises IllegalMove(BAD_NAME).

    Accents, joiners, spaces and letters without ink don't count as visible; signs that turn the
    direction of the text around them, and control characters, are refused.
    """
    name = " ".join(unicodedata.normalize("NFC", name).split())
    kinds = [unicodedata.category(sign) for sign in name]
    inked = [kind for sign, kind in zip(name, kinds, strict=True) if sign not in _BLANK]
    visible = sum(kind[0] not in "CMZ" for kind in inked)
    refused = {"Cc", "Cs", "Co", "Cn"}.intersection(kinds) or _TURNING.intersection(name)
    if refused or not 1 <= visible <= LONGEST_NAME or len(name) > 4 * LONGEST_NAME:
        raise IllegalMove(Reason.BAD_NAME, value=name, most=LONGEST_NAME)
    return name


def _check_levels(computers: Sequence[str], seats: int) -> None:
    if computers and len(computers) != seats:
        raise IllegalMove(Reason.LEVEL_COUNT, value=len(computers), seats=seats)
    for level in filter(None, computers):
        if level not in LEVELS:
            raise IllegalMove(Reason.UNKNOWN_LEVEL, value=level)


_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # Hangul fillers, the empty Braille cell
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def _move_of(event: LogEvent) -> Move | None:
    match event:
        case Rolled(kept):
            return Keep(kept)
        case Score() | UndoScore():
            return event
        case _:
            return None
