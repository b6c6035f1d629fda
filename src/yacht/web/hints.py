"""What a hint knows of a game: the best choice now, and everyone's chance to win."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from yacht.rooms.room import Room
from yacht.strategy.advice import Advice, advise


@dataclass(frozen=True, slots=True)
class Hint:
    """Advice for the dice on the table, and the positions it says to hold."""

    advice: Advice
    held: frozenset[int]


async def advice(room: Room) -> Advice:
    """The choices of the seat on turn. Raises IllegalMove once the game is over."""
    game = room.game
    card, rules = game.cards[game.seat], game.ruleset
    return await asyncio.to_thread(advise, card, game.dice, game.rolls_left, rules)


async def hint(room: Room) -> Hint | None:
    """The best choice for the seat on turn; none while there are no dice to decide about."""
    if not room.game.dice:
        return None
    found = await advice(room)
    return Hint(found, room.game.holding(found.ranking.best.keep or ()).positions)


async def chances(room: Room) -> Sequence[float]:
    """Each seat's chance to win, for a game of several in which hints are taken; else nothing."""
    if not room.assisted or len(room.names) == 1 or room.game.is_over:
        return ()
    from yacht.strategy.winning import win_chances  # noqa: PLC0415 (NumPy)

    return await asyncio.to_thread(win_chances, room.game)
