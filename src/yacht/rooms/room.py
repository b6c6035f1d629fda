"""A room as one immutable value: a fold of its log, holding the game and who may act in it."""

from collections.abc import Sequence
from typing import Self

import msgspec
from msgspec.structs import replace

from yacht.engine.game import Event, Game, Move, Rolled, Score, UndoScore
from yacht.engine.notation import Record
from yacht.engine.reasons import IllegalMove, Reason
from yacht.engine.rules import Ruleset, ruleset_named
from yacht.rooms import seating
from yacht.rooms.entries import (
    COMPUTER,
    NOBODY,
    SKIPPED,
    Again,
    Back,
    Begun,
    Entry,
    Hinted,
    Invited,
    Joined,
    Left,
    LogEvent,
    Opened,
    Salted,
    Started,
    StoodIn,
    Taken,
    Unsealed,
    move_of,
)
from yacht.rooms.options import Options, check_levels, check_options
from yacht.rooms.turns import Turn, played

STAND_IN = "steady"
"""The level that plays for somebody who is away."""
MOST_ENTRIES = 2_000
"""From then on what can be done again and again is refused; a game of eight needs some 400."""


class Room(msgspec.Struct, frozen=True):
    """All that is known of a room but its secrets. ``seq`` is the number of its last entry.

    ``options`` is None for a game on one device, and then all seats of people have one owner.
    ``owners``, ``seated``, the number of the entry by which they got their seat, and ``salts``, the
    bytes for the seal, have an item a seat; a computer's owner is "".
    ``stand_ins`` are the seats that are played for, ``helped`` those that ever were, or were
    skipped. ``since`` is when the time for the next act began, ``before`` when that for the
    last one did, which counts again if it is taken back.
    """

    entries: tuple[Entry, ...]
    names: tuple[str, ...]
    fingerprint: str
    game: Game
    owners: tuple[str, ...] = ()
    seated: tuple[int, ...] = ()
    computers: tuple[str, ...] = ()
    options: Options | None = None
    begun: bool = True
    salts: tuple[bytes, ...] = ()
    seat_bytes: tuple[bytes, ...] | None = None
    turns: tuple[Turn, ...] = ()
    seed: bytes | None = None
    again: str | None = None
    assisted: frozenset[int] = frozenset()
    stand_ins: frozenset[int] = frozenset()
    helped: frozenset[int] = frozenset()
    since: float = 0.0
    before: float = 0.0

    @classmethod
    def opened(cls, entry: Entry) -> Self:
        """The room of its first entry. Raises IllegalMove for what can't be played."""
        match entry.event:
            case Opened() as event:
                seats = len(event.names)
                game = Game.new(ruleset_named(event.ruleset), seats)
                check_levels(event.computers, seats)
                levels = event.computers or ("",) * seats
                owners = tuple("" if level else event.owner for level in levels)
                seated = (1,) * seats
                return cls(
                    (entry,), event.names, event.fingerprint, game, owners, seated, event.computers
                )
            case Invited() as event:
                options = Options(event.places, event.clock, event.hints)
                check_options(options)
                game = Game.new(ruleset_named(event.ruleset), 1)
                return cls((entry,), (), event.fingerprint, game, options=options, begun=False)
            case event:
                raise TypeError(event)

    @classmethod
    def fold(cls, entries: Sequence[Entry]) -> Self:
        """The room of its whole log. Raises IllegalMove and TypeError."""
        room = cls.opened(entries[0])
        for seq, entry in enumerate(entries[1:], 2):
            room = replace(room, **room._changes(entry, seq))  # noqa: SLF001 (its own)
        return replace(room, entries=tuple(entries))  # to copy them at each takes too long

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
        """The level that plays the seat on turn, for itself or for somebody away; "" for a person.

        Also "" before the game begins and once it is over.
        """
        if self.game.is_over or not self.begun:
            return ""
        seat = self.game.seat
        return STAND_IN if seat in self.stand_ins else self.level(seat)

    @property
    def people(self) -> frozenset[int]:
        """The seats that no computer plays."""
        return frozenset(seat for seat in range(len(self.names)) if not self.level(seat))

    @property
    def host(self) -> str:
        """Who opened the room, and may free its seats before the game; nobody in a record."""
        return self.entries[0].by

    @property
    def viewers(self) -> frozenset[str]:
        """The identities of all who play here."""
        return frozenset(filter(None, self.owners))

    def seats_of(self, viewer: str) -> frozenset[int]:
        """The seats that belong to the viewer; none of a record's belongs to anybody."""
        return frozenset(seat for seat, owner in enumerate(self.owners) if owner == viewer != "")

    @property
    def due(self) -> float | None:
        """When the time of the person on turn is over, in Unix seconds; None without a clock."""
        if not (self.options and self.options.clock and self.begun) or self.game.is_over:
            return None
        return None if self.computer else self.since + self.options.clock

    @property
    def may_undo(self) -> bool:
        """Whether a person's score came last and nothing was rolled since: it can be taken back."""
        before = self.game.before
        by_person = before is not None and self.turns[-1].by_person
        return by_person and not self.level(self.turns[-1].seat) and self.seq < MOST_ENTRIES

    def after(self, entry: Entry) -> Self:
        """The room with one more entry. Raises IllegalMove if the game refuses it."""
        entries = (*self.entries, entry)
        return replace(self, entries=entries, **self._changes(entry, len(entries)))

    def _changes(self, entry: Entry, seq: int) -> dict[str, object]:  # noqa: C901, PLR0911, PLR0912
        """What an entry with this number changes, a line or two for each event."""
        match entry.event:
            case Opened() | Invited():
                raise TypeError(entry.event)
            case Joined() as joined:
                return seating.taken(self, joined, seq)
            case Left(seat):
                return seating.empty(self, seat)
            case Begun():
                return {"begun": True, "since": entry.at}
            case Salted(seat, added):
                return {"salts": (*self.salts[:seat], added, *self.salts[seat + 1 :])}
            case StoodIn(seat):
                return {"stand_ins": self.stand_ins | {seat}, "helped": self.helped | {seat}}
            case Back(seat):
                return {"stand_ins": self.stand_ins - {seat}, "since": entry.at}
            case Started(seat_bytes):
                return {"seat_bytes": seat_bytes}
            case Taken(owner, seat):
                taken = self.people if seat is None else {seat}
                now = [
                    (owner, seq) if place in taken else known
                    for place, known in enumerate(zip(self.owners, self.seated, strict=True))
                ]
                owners, seated = zip(*now, strict=True)
                return {"owners": owners, "seated": seated}
            case Unsealed(seed):
                return {"seed": seed}
            case Again(again):
                return {"again": again}
            case Hinted(seat):
                return {"assisted": self.assisted | {seat}}
            case Rolled() | Score() | UndoScore() as event:
                return self._played(entry, event)

    def belongs_to(self, viewer: str) -> bool:
        """Whether the viewer plays here; the room of a record is nobody's."""
        return bool(self.seats_of(viewer))

    def check_owner(self, viewer: str) -> None:
        """Raise IllegalMove(NOT_YOURS) unless the viewer plays here."""
        if not self.belongs_to(viewer):
            raise IllegalMove(Reason.NOT_YOURS)

    def check_length(self) -> None:
        """Raise IllegalMove(TOO_LONG) if the log only takes what brings the game to its end."""
        if self.seq >= MOST_ENTRIES:
            raise IllegalMove(Reason.TOO_LONG)

    def check_player(self, viewer: str) -> None:
        """Raise IllegalMove(NOT_YOURS) unless it is a player, or the host for one."""
        if viewer not in NOBODY:
            self.check_owner(viewer)

    def check(self, viewer: str, move: Move) -> None:
        """Raise the IllegalMove that refuses a move for who makes it; the game has its own.

        A computer's turn is its own and so are its scores, but until somebody rolls a person's
        last score can be taken back by the one who wrote it.
        """
        self.check_player(viewer)
        if not self.begun:
            raise IllegalMove(Reason.NOT_BEGUN)
        before = self.game.before
        if isinstance(move, UndoScore):
            self.check_length()
            if before is not None and not (self.may_undo and before.seat in self.seats_of(viewer)):
                raise IllegalMove(Reason.NOTHING_TO_UNDO)
        elif bool(self.computer) != (viewer == COMPUTER):
            raise IllegalMove(Reason.COMPUTERS_SEAT)
        elif viewer not in NOBODY and not (
            self.game.is_over or self.game.seat in self.seats_of(viewer)
        ):
            raise IllegalMove(Reason.NOT_YOUR_TURN, name=self.names[self.game.seat])

    def moved_since(self, seq: int) -> Entry | None:
        """The first entry after number ``seq`` that made the game another one."""
        return next((entry for entry in self.entries[seq:] if move_of(entry.event)), None)

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
            self.computers if any(self.computers) else (),
        )

    def _played(self, entry: Entry, event: Event) -> dict[str, object]:
        """What an event of the game changes, and from when the next act has its time."""
        game = self.game.play(event)
        since, before = entry.at, self.since
        if isinstance(event, UndoScore):
            since = self.before  # to take a score back wins no time
        elif isinstance(event, Rolled) and self.options and self.options.by_turn:
            since, before = self.since, self.before  # a clock of days is a turn's
        helped = self.helped | ({self.game.seat} if entry.by == SKIPPED else set[int]())
        turns = played(self.turns, self.game, event, by_person=entry.by not in NOBODY)
        return {"game": game, "turns": turns, "helped": helped, "since": since, "before": before}
