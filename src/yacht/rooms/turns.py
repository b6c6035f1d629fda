"""The turns of a game as they were played."""

import msgspec
from msgspec.structs import replace

from yacht.engine.game import Event, Game, Rolled, Score, UndoScore


class Turn(msgspec.Struct, frozen=True):
    """A turn as it was played; ``category`` and ``points`` are None until it is scored.

    ``by_person`` tells that no computer, clock or skip scored it.
    """

    seat: int
    rolls: tuple[Rolled, ...]
    category: str | None = None
    points: int | None = None
    by_person: bool = True


def played(
    turns: tuple[Turn, ...], game: Game, event: Event, *, by_person: bool
) -> tuple[Turn, ...]:
    """The turns with one more event of ``game``, which is as it was before."""
    match event:
        case Rolled() if not game.dice:
            return (*turns, Turn(game.seat, (event,)))
        case Rolled():
            return (*turns[:-1], replace(turns[-1], rolls=(*turns[-1].rolls, event)))
        case Score(category):
            points = game.ruleset.categories[game.ruleset.index(category)].score(game.dice)
            scored = replace(turns[-1], category=category, points=points, by_person=by_person)
            return (*turns[:-1], scored)
        case UndoScore():
            return (*turns[:-1], replace(turns[-1], category=None, points=None))
