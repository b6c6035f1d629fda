"""The lines of a room's log: everything that can happen in it besides the game itself."""

import msgspec

from yacht.engine.game import Event, Keep, Move, Rolled, Score, UndoScore

COMPUTER, CLOCK, SKIPPED = "computer", "clock", "skipped"
"""Who moves where no person does: no identity, a hash, is one of these words."""
NOBODY = frozenset({COMPUTER, CLOCK, SKIPPED})


class Opened(msgspec.Struct, frozen=True, tag="opened", omit_defaults=True):
    """The first entry: a game on one device, its dice sealed, nothing rolled.

    ``computers`` has the level that plays each seat, "" for a person; or is empty.
    """

    ruleset: str
    names: tuple[str, ...]
    fingerprint: str
    owner: str
    computers: tuple[str, ...] = ()


class Invited(msgspec.Struct, frozen=True, tag="invited", omit_defaults=True):
    """The first entry of a room for friends: its dice sealed, its seats empty.

    ``clock`` is one of CLOCKS; ``hints`` tells whether they may be taken.
    """

    ruleset: str
    places: int
    fingerprint: str
    clock: int = 0
    hints: bool = False


class Joined(msgspec.Struct, frozen=True, tag="joined", omit_defaults=True):
    """The next empty seat is taken: by its owner, with bytes for the seal, or by a computer."""

    name: str
    owner: str = ""
    seat_bytes: bytes = b""
    computer: str = ""


class Left(msgspec.Struct, frozen=True, tag="left"):
    """A seat is empty again, before the game begins; those after it move up."""

    seat: int


class Begun(msgspec.Struct, frozen=True, tag="begun"):
    """Nobody sits down any more; the first may roll."""


class Salted(msgspec.Struct, frozen=True, tag="salted"):
    """A seat adds bytes to the seal: whoever sat down before its fingerprint was out."""

    seat: int
    seat_bytes: bytes


class StoodIn(msgspec.Struct, frozen=True, tag="stood_in"):
    """A computer plays for somebody who is away, until they come back."""

    seat: int


class Back(msgspec.Struct, frozen=True, tag="back"):
    """They are back, and their seat is theirs again."""

    seat: int


class Started(msgspec.Struct, frozen=True, tag="started"):
    """What each seat adds to the seal is fixed; written with the first roll at the latest."""

    seat_bytes: tuple[bytes, ...]


class Taken(msgspec.Struct, frozen=True, tag="taken", omit_defaults=True):
    """The game, or a seat of friends' game, goes on in another browser, by its personal link."""

    owner: str
    seat: int | None = None


class Unsealed(msgspec.Struct, frozen=True, tag="unsealed"):
    """The game is over and its seed public; written with the last score."""

    seed: bytes


class Again(msgspec.Struct, frozen=True, tag="again"):
    """The same players play again in another room."""

    room: str


class Hinted(msgspec.Struct, frozen=True, tag="hinted"):
    """A seat took a hint: from then on the game is assisted, for all to see."""

    seat: int


RoomEvent = (
    Opened
    | Invited
    | Joined
    | Left
    | Begun
    | Salted
    | StoodIn
    | Back
    | Started
    | Taken
    | Unsealed
    | Again
    | Hinted
)
LogEvent = Event | RoomEvent


class Entry(msgspec.Struct, frozen=True):
    """One line of a room's log: who did it, what happened, and when, in Unix seconds.

    Its number is its place, from 1.
    """

    by: str
    event: LogEvent
    at: float = 0.0


def move_of(event: LogEvent) -> Move | None:
    """The move that became this event; None if it was none."""
    match event:
        case Rolled(kept):
            return Keep(kept)
        case Score() | UndoScore():
            return event
        case _:
            return None
