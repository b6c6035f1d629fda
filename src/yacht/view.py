"""What one viewer may see of a room: one shape for the page, the JSON and the terminal."""

from typing import Literal

import msgspec

from yacht.engine.game import Game, Rolled, Score, Scorecard, UndoScore
from yacht.engine.rules import Ruleset
from yacht.rooms.entries import CLOCK, SKIPPED, Again, Back, Begun, Joined, Left, StoodIn, Taken
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
    come back, ``helped`` that one did, or that their turn was skipped.
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
    """The last thing that happened, for the status message, and its number in the log.

    ``seat`` is whose it was, null for what is nobody's alone. A turn that its player didn't end is
    ``skipped`` or ``timed_out``, with what was scored.
    """

    what: Literal[
        "opened",
        "joined",
        "left",
        "begun",
        "rolled",
        "scored",
        "skipped",
        "timed_out",
        "undone",
        "taken",
        "stood_in",
        "back",
        "again",
    ]
    seq: int
    seat: int | None = None
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
        may_act=room.begun and game.seat in seats and not (room.computer or game.is_over),
        over=game.is_over,
        seats=[
            SeatView(
                name,
                room.level(seat),
                boxes_of(room.ruleset, card),
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


def boxes_of(ruleset: Ruleset, card: Scorecard) -> dict[str, int | None]:
    return {box.key: points for box, points in zip(ruleset.categories, card.boxes, strict=True)}


def _points(game: Game) -> dict[str, int]:
    if not game.dice:
        return {}
    boxes = zip(game.ruleset.categories, game.cards[game.seat].boxes, strict=True)
    return {category.key: category.score(game.dice) for category, box in boxes if box is None}


_SCORED: dict[str, Literal["skipped", "timed_out"]] = {SKIPPED: "skipped", CLOCK: "timed_out"}


def _last(room: Room) -> LastView:  # noqa: C901, PLR0911 (a line or two an event)
    for place, entry in enumerate(reversed(room.entries)):
        seq = room.seq - place
        match entry.event:
            case Joined():
                return LastView("joined", seq, len(room.names) - 1)
            case Left():
                return LastView("left", seq)
            case Begun():
                return LastView("begun", seq)
            case StoodIn(seat):
                return LastView("stood_in", seq, seat)
            case Back(seat):
                return LastView("back", seq, seat)
            case Rolled():
                return LastView("rolled", seq, room.game.seat)
            case Score(box):
                turn = room.turns[-1]
                return LastView(_SCORED.get(entry.by, "scored"), seq, turn.seat, box, turn.points)
            case UndoScore():
                return LastView("undone", seq, room.game.seat)
            case Again() if room.options:
                return LastView("again", seq, min(room.seats_of(entry.by), default=0))
            case Taken(_, seat):
                return LastView("taken", seq, room.game.seat if seat is None else seat)
            case _:
                pass
    return LastView("opened", room.seq)


def _last_turn(room: Room) -> TurnView | None:
    for place in reversed(range(len(room.turns))):
        if room.turns[place].category is not None:
            return turn_view(place, room.turns[place], len(room.names))
    return None


def turn_view(place: int, turn: Turn, seats: int) -> TurnView:
    """The turn at this place of a game's turns, with so many seats."""
    rolls = [RollView(sorted(roll.kept), list(roll.dice)) for roll in turn.rolls]
    return TurnView(place // seats, turn.seat, rolls, turn.category, turn.points)
