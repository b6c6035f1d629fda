"""What a hint knows of a game: the best choice now, and everyone's chance to win."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from yacht.rooms.room import Room
from yacht.strategy.advice import Advice, advise


@dataclass(frozen=True, slots=True)
class Hint:
    """Advice for the dice on the table, the positions it says to hold, each seat's chance to win.

    Who plays alone has no chances.
    """

    advice: Advice
    held: frozenset[int]
    chances: Sequence[float]


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
    held = room.game.holding(found.ranking.best.keep or ()).positions
    return Hint(found, held, await _chances(room))


async def _chances(room: Room) -> Sequence[float]:
    if len(room.names) == 1:
        return ()
    from yacht.strategy.winning import win_chances  # noqa: PLC0415 (NumPy)

    return await asyncio.to_thread(win_chances, room.game)
