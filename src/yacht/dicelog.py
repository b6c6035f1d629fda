"""The dice log: every turn of a game, and how often each seat threw each face."""

from collections.abc import Sequence
from functools import lru_cache
from math import comb

import msgspec

from yacht.rooms.room import Room
from yacht.view import TurnView, turn_view


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


def log_of(room: Room) -> LogView:
    """The dice log of a room."""
    seats = range(len(room.names))
    turns = [turn_view(place, turn, len(seats)) for place, turn in enumerate(room.turns)]
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
