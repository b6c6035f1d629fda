"""What one viewer may see of a room: one shape for the page, the JSON and the terminal."""

from collections.abc import Sequence
from functools import lru_cache
from math import comb
from typing import Literal

import msgspec

from yacht.engine.game import Game, Rolled, Score, UndoScore
from yacht.rooms.entries import Back, Begun, Joined, Left, StoodIn, Taken
from yacht.rooms.options import FEWEST_FRIENDS
from yacht.rooms.presence import ALL_HERE, Around
from yacht.rooms.room import Room
from yacht.rooms.turns import Turn


class RollView(msgspec.Struct, frozen=True):
    """Dice after a roll; ``kept`` lists the positions, from 0, that stayed."""

    kept: list[int]
    dice: list[int]


class TurnView(msgspec.Struct, frozen=True):
    """A turn: who played it (seats count from 0), its rolls, the box and its points."""

    turn: int
    seat: int
    rolls: list[RollView]
    box: str | None
    points: int | None


class SeatView(msgspec.Struct, frozen=True):
    """A player's column. ``rank`` is 1 for the highest total; equal totals share it.

    ``computer`` is the level of the computer that plays the seat, "" for a person; ``assisted``
    tells that hints were taken, ``yours`` that it is the viewer's. Of friends: ``away`` tells that
    the player hasn't been seen for a while, ``stand_in`` that a computer plays for them until they
    come back, ``helped`` that one did, or that a turn was completed without them.
    """

    name: str
    computer: str
    boxes: dict[str, int | None]
    total: int
    rank: int
    assisted: bool
    yours: bool
    away: bool
    stand_in: bool
    helped: bool


class LastView(msgspec.Struct, frozen=True):
    """The last thing that happened, for the status message, and its number in the log."""

    what: Literal[
        "opened",
        "joined",
        "left",
        "begun",
        "rolled",
        "scored",
        "undone",
        "taken",
        "stood_in",
        "back",
    ]
    seq: int
    seat: int
    box: str | None = None
    points: int | None = None


class FriendsView(msgspec.Struct, frozen=True):
    """What a room of friends has besides.

    ``places`` is how many may play, ``clock`` the seconds of the turn clock or 0, ``due`` when the
    time of the player on turn is over, in Unix seconds. ``may_help``: the viewer may skip that
    player, or have a computer play for them.
    """

    places: int
    clock: int
    hints: bool
    begun: bool
    due: float | None
    may_join: bool
    may_begin: bool
    may_help: bool


class GameView(msgspec.Struct, frozen=True):
    """A game as one viewer sees it.

    ``seq`` goes with the next move. ``dice`` is empty before the first roll of a turn; ``points``
    has what each open box would give for them. ``last_turn`` is the last one that was scored.
    ``seed`` is null until the game is over. ``mine`` says whether this is the viewer's game, or one
    to watch; ``may_act`` whether the viewer may roll and score now, which a computer on turn does
    itself. ``may_undo``: the viewer may take the last score back, on a computer's turn too.
    ``friends`` is null for a game on one device.
    """

    room: str
    seq: int
    ruleset: str
    mine: bool
    may_act: bool
    over: bool
    seats: list[SeatView]
    seat: int
    turn: int
    rolls: int
    rolls_used: int
    rolls_left: int
    dice: list[int]
    kept: list[int]
    points: dict[str, int]
    may_undo: bool
    winners: list[int]
    last: LastView
    last_turn: TurnView | None
    fingerprint: str
    seat_bytes: list[str] | None
    seed: str | None
    again: str | None
    friends: FriendsView | None


class FacesView(msgspec.Struct, frozen=True):
    """How often a seat's thrown dice showed each face, and the count that is usual.

    ``low`` to ``high`` holds each face's count in at least 19 of 20 fair games of this length.
    """

    counts: list[int]
    thrown: int
    low: int
    high: int


class LogView(msgspec.Struct, frozen=True):
    """Every turn so far, the one in progress last, and the faces that each seat threw."""

    turns: list[TurnView]
    faces: list[FacesView]


def view(room_id: str, room: Room, viewer: str, around: Around = ALL_HERE) -> GameView:
    """The room as this viewer may see it."""
    game = room.game
    seats = room.seats_of(viewer)
    mine = bool(seats)
    standings = {standing.seat: standing for standing in game.standings}
    return GameView(
        room=room_id,
        seq=room.seq,
        ruleset=room.ruleset.key,
        mine=mine,
        may_act=room.begun and game.seat in seats and not room.computer
        if room.options
        else mine and not room.computer,
        over=game.is_over,
        seats=[
            SeatView(
                name,
                room.level(seat),
                {c.key: box for c, box in zip(room.ruleset.categories, card.boxes, strict=True)},
                card.total,
                standings[seat].rank,
                seat in room.assisted,
                seat in seats,
                seat in around.away,
                seat in room.stand_ins,
                seat in room.helped,
            )
            for seat, (name, card) in enumerate(zip(room.names, game.cards, strict=True))
        ],
        seat=game.seat,
        turn=game.turn,
        rolls=room.ruleset.rolls,
        rolls_used=game.rolls_used,
        rolls_left=game.rolls_left,
        dice=list(game.dice),
        kept=sorted(game.kept),
        points=_points(game),
        may_undo=_may_undo(room, seats),
        winners=list(game.winners),
        last=_last(room),
        last_turn=_last_turn(room),
        fingerprint=room.fingerprint,
        seat_bytes=None if room.seat_bytes is None else [added.hex() for added in room.seat_bytes],
        seed=None if room.seed is None else room.seed.hex(),
        again=room.again,
        friends=_friends(room, seats, around),
    )


def _may_undo(room: Room, seats: frozenset[int]) -> bool:
    before = room.game.before
    return room.may_undo and before is not None and before.seat in seats


def _friends(room: Room, seats: frozenset[int], around: Around) -> FriendsView | None:
    options = room.options
    if options is None:
        return None
    helps = around.may_help and not options.clock  # which completes turns by itself
    return FriendsView(
        places=options.places,
        clock=options.clock,
        hints=options.hints,
        begun=room.begun,
        due=room.due,
        may_join=not room.begun and not seats and len(room.names) < options.places,
        may_begin=bool(seats) and not room.begun and len(room.names) >= FEWEST_FRIENDS,
        may_help=bool(seats) and helps and room.game.seat not in seats,
    )


def log_of(room: Room) -> LogView:
    """The dice log of a room."""
    seats = range(len(room.names))
    turns = [_turn(place, turn, len(seats)) for place, turn in enumerate(room.turns)]
    return LogView(turns, [_faces(room, seat) for seat in seats])


def _faces(room: Room, seat: int) -> FacesView:
    """How often each face was thrown by a seat; dice that were kept were not thrown."""
    thrown = [
        face
        for turn in room.turns
        if turn.seat == seat
        for roll in turn.rolls
        for position, face in enumerate(roll.dice)
        if position not in roll.kept
    ]
    low, high = _usual(len(thrown))
    counts = [thrown.count(face) for face in range(1, room.ruleset.faces + 1)]
    return FacesView(counts, len(thrown), low, high)


def _points(game: Game) -> dict[str, int]:
    if not game.dice:
        return {}
    boxes = zip(game.ruleset.categories, game.cards[game.seat].boxes, strict=True)
    return {category.key: category.score(game.dice) for category, box in boxes if box is None}


def _last(room: Room) -> LastView:  # noqa: C901, PLR0911 (a line or two an event)
    for place, entry in enumerate(reversed(room.entries)):
        seq = room.seq - place
        match entry.event:
            case Joined():
                return LastView("joined", seq, len(room.names) - 1)
            case Left():
                return LastView("left", seq, 0)
            case Begun():
                return LastView("begun", seq, 0)
            case StoodIn(seat):
                return LastView("stood_in", seq, seat)
            case Back(seat):
                return LastView("back", seq, seat)
            case Rolled():
                return LastView("rolled", seq, room.game.seat)
            case Score(box):
                turn = room.turns[-1]
                return LastView("scored", seq, turn.seat, box, turn.points)
            case UndoScore():
                return LastView("undone", seq, room.game.seat)
            case Taken(_, seat):
                return LastView("taken", seq, room.game.seat if seat is None else seat)
            case _:
                pass
    return LastView("opened", room.seq, 0)


def _last_turn(room: Room) -> TurnView | None:
    for place in reversed(range(len(room.turns))):
        if room.turns[place].category is not None:
            return _turn(place, room.turns[place], len(room.names))
    return None


def _turn(place: int, turn: Turn, seats: int) -> TurnView:
    rolls = [RollView(sorted(roll.kept), list(roll.dice)) for roll in turn.rolls]
    return TurnView(place // seats, turn.seat, rolls, turn.category, turn.points)


@lru_cache
def _usual(thrown: int) -> tuple[int, int]:
    """The counts of one face between which all but 2.5 % on either side of fair games lie."""
    weights = [comb(thrown, hits) * 5 ** (thrown - hits) for hits in range(thrown + 1)]
    return _reach(weights), thrown - _reach(weights[::-1])


def _reach(weights: Sequence[int]) -> int:
    """The first place at which more than one fortieth of the weight is reached."""
    total, reached = sum(weights), 0
    for place, weight in enumerate(weights):
        reached += weight
        if 40 * reached > total:
            return place
    raise AssertionError  # pragma: no cover (the whole is more than a fortieth)
