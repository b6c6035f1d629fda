"""Tables where friends sit, without a host: entries are written as soon as they are decided."""

from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from msgspec.structs import replace

from tests.rooms.strategies import SEED
from yacht.engine import dice
from yacht.engine.game import Keep, Move, Score
from yacht.engine.reasons import IllegalMove, Reason
from yacht.rooms import lobby
from yacht.rooms.entries import COMPUTER, Entry, Invited
from yacht.rooms.room import Room
from yacht.rooms.store import Secrets
from yacht.rooms.table import Table

ANA, BEN, EVA, DAN = (letter * 32 for letter in "abed")
WATCHER = "0" * 32
NAMES = {ANA: "Ana", BEN: "Ben", EVA: "Eva", DAN: "Dan"}


@dataclass
class Clock:
    """The time, which the test sets."""

    at: float = 1000.0

    def __call__(self) -> float:
        return self.at


def invited(places: int = 4, clock: int = 0, *, hints: bool = False, seed: bytes = SEED) -> Table:
    """A room for friends in which nobody sits yet."""
    first = Entry(ANA, Invited("classic", places, dice.fingerprint(seed), clock, hints))
    return Table(Room.opened(first), Secrets(seed, bytes(32)))


def written(table: Table, entries: Sequence[Entry], at: float = 0.0) -> Table:
    """The table after these entries, written at this time."""
    return table.after([replace(entry, at=at) for entry in entries])


def seated(
    *viewers: str, places: int = 4, clock: int = 0, hints: bool = False, computers: int = 0
) -> Table:
    """A lobby in which these sit, with computers after them."""
    table = invited(places, clock, hints=hints)
    for viewer in viewers:
        added = NAMES[viewer].encode()
        table = written(table, lobby.join(table.room, viewer, NAMES[viewer], added))
    for _ in range(computers):
        computer = lobby.seat_computer(table.room, viewers[0], "Computer", "easy")
        table = written(table, computer)
    return table


def begun(*viewers: str, at: float = 0.0, clock: int = 0, hints: bool = False) -> Table:
    """A game of these friends in which nobody has rolled."""
    table = seated(*viewers, clock=clock, hints=hints)
    return written(table, lobby.begin(table.room, viewers[0]), at)


def moved(table: Table, viewer: str, *moves: Move, at: float = 0.0) -> Table:
    """The table after these moves of one viewer."""
    for move in moves:
        table = written(table, table.act(viewer, table.room.seq, move, ()), at)
    return table


def next_move(table: Table) -> tuple[str, Move]:
    """Who is on turn and the shortest way on: a roll and the first open box."""
    room = table.room
    if room.computer:
        return COMPUTER, table.computers_move()
    move = Score(room.game.open_boxes[0]) if room.game.dice else Keep()
    return room.owners[room.game.seat], move


def to_the_end(table: Table) -> Table:
    """The shortest game, its seed opened."""
    while not table.room.game.is_over:
        viewer, move = next_move(table)
        table = moved(table, viewer, move)
    return written(table, [table.unsealed(table.room.entries[-1].by)])


def reason(act: object, *args: object, **keywords: object) -> Reason:
    """Why this is refused."""
    assert callable(act)
    with pytest.raises(IllegalMove) as refused:
        act(*args, **keywords)
    return refused.value.reason
