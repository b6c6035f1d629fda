"""Players at a host's tables, and what others find in its store."""

import sqlite3
from collections.abc import Awaitable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from yacht.engine import dice
from yacht.engine.game import Event, Game, Keep, Move, Score, UndoScore
from yacht.engine.reasons import IllegalMove
from yacht.rooms.entries import Entry, Opened
from yacht.rooms.host import Host
from yacht.rooms.room import Room
from yacht.rooms.store import Append, Secrets
from yacht.rooms.table import new_room_id
from yacht.strategy.players import LEVELS, choose

ANA, BEN, EVA = "a" * 32, "b" * 32, "e" * 32
SALTS = (b"Ana", b"Ben")


async def opened(host: Host, *names: str, ruleset: str = "classic") -> str:
    return await host.open(ANA, ruleset, names or ("Ana", "Ben"))


def owner_of(room: Room) -> str:
    """Who plays a game on one device."""
    [owner] = room.viewers
    return owner


async def stored(host: Host, room_id: str) -> tuple[Secrets, Room]:
    """What the store has of a room."""
    loaded = await host.store.load(room_id)
    assert loaded is not None
    return loaded[0], Room.fold(loaded[1])


async def act(host: Host, room_id: str, move: Move, seat_bytes: Sequence[bytes] = ()) -> Room:
    """The owner's next move."""
    room = await host.room(room_id)
    return await host.act(room_id, owner_of(room), room.seq, move, seat_bytes)


async def play(host: Host, room_id: str, *moves: Move) -> Room:
    for move in moves:
        await act(host, room_id, move)
    return await host.room(room_id)


async def play_to_the_end(host: Host, room_id: str) -> Room:
    """The shortest game: a roll and the first open box, again and again."""
    room = await host.room(room_id)
    while not room.game.is_over:
        room = await act(
            host, room_id, Score(room.game.open_boxes[0]) if room.game.dice else Keep()
        )
    return room


async def refusal(attempt: Awaitable[object]) -> IllegalMove:
    with pytest.raises(IllegalMove) as refused:
        await attempt
    return refused.value


async def opened_with(host: Host, seed: bytes, *names: str, computers: tuple[str, ...] = ()) -> str:
    """A room with a seed that the test knows."""
    room_id = new_room_id()
    opening = Opened("classic", names, dice.fingerprint(seed), ANA, computers)
    hidden = Secrets(seed, bytes(32))
    await host.store.create(hidden, Append(room_id, 0, [Entry(ANA, opening)], members=[ANA]))
    return room_id


def derived(room: Room, seed: bytes) -> list[Event]:
    """The events of the whole game, each computer's one derived from the seed again."""
    salts = room.seat_bytes or ()
    thrown, chosen = dice.dice_key(seed, salts), dice.player_key(seed, salts)
    game, found = Game.new(room.ruleset, len(room.names)), list[Event]()
    for event in room.record.events:
        level = room.level(game.seat)
        if level and not isinstance(event, UndoScore):
            move = Keep()
            if game.dice:
                number = dice.chance(chosen, game.seat, game.turn, game.rolls_used)
                move = choose(game, LEVELS[level], number)
            faces = dice.throw(thrown, game.seat, game.turn, game.rolls_used, game.ruleset)
            event = game.rolled(move, faces) if isinstance(move, Keep) else move  # noqa: PLW2901
        found.append(event)
        game = game.play(event)
    return found


def found_in(database: Path, sql: str) -> list[Any]:
    """The first column of what another program reads in a SQLite store's file."""
    with closing(sqlite3.connect(database)) as db:
        return [row[0] for row in db.execute(sql)]
