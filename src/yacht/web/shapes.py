"""The shapes of what /api/v1 takes and gives, beside the views of a game."""

from typing import Annotated

import msgspec

from yacht.engine.dice import MOST_SEAT_BYTES
from yacht.engine.game import MOST_SEATS, Keep, Move, Score, UndoScore
from yacht.engine.rules import CLASSIC
from yacht.rooms.options import FEWEST_FRIENDS
from yacht.rooms.table import ROOM_ID
from yacht.strategy.advice import Ranking
from yacht.view import GameView

Position = Annotated[int, msgspec.Meta(ge=0, le=CLASSIC.dice - 1)]
Seq = Annotated[int, msgspec.Meta(ge=0, description="the game's seq that the move is made at")]
HexBytes = Annotated[str, msgspec.Meta(pattern=rf"^([0-9a-f]{{2}}){{0,{MOST_SEAT_BYTES}}}(?!\n)$")]


RoomId = Annotated[str, msgspec.Meta(pattern=rf"^{ROOM_ID.pattern}(?!\n)$")]


class NewGame(msgspec.Struct, forbid_unknown_fields=True):
    """A game on one device: a name for each of 1 to 8 seats.

    ``computers`` has for each seat the level of the computer that plays it, exact, strong, steady
    or easy, or "" for a person; an empty list means people alone. Sent again with the same token
    and ``room``, an id of your own making, it is the same game.
    """

    names: Annotated[list[str], msgspec.Meta(min_length=1, max_length=MOST_SEATS)]
    ruleset: str = CLASSIC.key
    computers: Annotated[list[str], msgspec.Meta(max_length=MOST_SEATS)] = []
    room: RoomId | None = None


class NewRoom(msgspec.Struct, forbid_unknown_fields=True):
    """A room for friends, whose first seat is taken by whoever opens it.

    ``places`` may play. ``clock`` gives 30, 60 or 90 seconds for a decision, or 1, 2, 3, 5 or 7
    days, in seconds, for a turn; 0 is none. ``room`` is as for a game on one device.
    """

    name: str
    places: Annotated[int, msgspec.Meta(ge=FEWEST_FRIENDS, le=MOST_SEATS)] = MOST_SEATS
    ruleset: str = CLASSIC.key
    clock: int = 0
    hints: bool = False
    room: RoomId | None = None


class SitDown(msgspec.Struct, tag_field="do", tag="join", forbid_unknown_fields=True):
    """Take the next empty seat; whoever has one, by their token, stays where they are.

    Without a token each request is somebody else. One of your own making will do: 43 random signs
    of A to Z, a to z, 0 to 9, - and _.
    """

    name: str
    seat_bytes: HexBytes = ""


class SeatComputer(msgspec.Struct, tag_field="do", tag="computer", forbid_unknown_fields=True):
    """Give the next empty seat to a computer: exact, strong, steady or easy."""

    seq: Seq
    name: str
    level: str


class StandUp(msgspec.Struct, tag_field="do", tag="leave", forbid_unknown_fields=True):
    """Free one's own seat, or a computer's, from 0; whoever opened the room frees any."""

    seq: Seq
    seat: Annotated[int, msgspec.Meta(ge=0)]


class Take(msgspec.Struct, tag_field="do", tag="take", forbid_unknown_fields=True):
    """Take over the game on one device, or a seat among friends, by the key of its personal link.

    Whoever had it can watch from then on.
    """

    key: str


class Begin(msgspec.Struct, tag_field="do", tag="begin", forbid_unknown_fields=True):
    """Begin the game; two seats must be taken."""


class Seal(msgspec.Struct, tag_field="do", tag="seal", forbid_unknown_fields=True):
    """Add bytes to the seal before the first roll: on one device for each seat, else one's own.

    The fingerprint is out by then. Those that came first count, and others are refused.
    """

    seat_bytes: Annotated[list[HexBytes], msgspec.Meta(min_length=1, max_length=MOST_SEATS)]


class HelpOut(msgspec.Struct, tag_field="do", tag="help", forbid_unknown_fields=True):
    """Complete the turn of somebody who is away, or let a computer play until they are back."""

    seq: Seq
    skip: bool


class RollDice(msgspec.Struct, tag_field="do", tag="roll", forbid_unknown_fields=True):
    """Roll every die but those at the kept positions, from 0.

    On one device each seat may add up to 32 bytes to the seal, in hex, with the first roll; later
    ones don't count. Among friends ``{"do": "seal"}`` takes them, and a roll with any is refused.
    """

    seq: Seq
    keep: Annotated[list[Position], msgspec.Meta(max_length=CLASSIC.dice)] = []
    seat_bytes: list[HexBytes] = []

    def move(self) -> Move:
        return Keep(frozenset(self.keep))


class WriteScore(msgspec.Struct, tag_field="do", tag="score", forbid_unknown_fields=True):
    """Score the dice in a box."""

    seq: Seq
    box: str

    def move(self) -> Move:
        return Score(self.box)


class TakeBack(msgspec.Struct, tag_field="do", tag="undo", forbid_unknown_fields=True):
    """Take the last score back."""

    seq: Seq

    def move(self) -> Move:
        return UndoScore()


class Hint(msgspec.Struct):
    """The game, which is assisted from now on, and every choice for the dice on the table."""

    game: GameView
    ranking: Ranking


class Created(msgspec.Struct):
    """A new game, and the token that plays it: send it as ``Authorization: Bearer``."""

    token: str
    game: GameView


RoomAct = SitDown | SeatComputer | StandUp | Take | Begin | Seal | HelpOut
MoveAct = RollDice | WriteScore | TakeBack
