"""Friends at a host's tables, one act after the other or many at once."""

import asyncio
from collections.abc import Awaitable

from tests.rooms.friends import ANA, BEN, DAN, EVA, NAMES
from yacht.engine.game import Keep, Score
from yacht.engine.reasons import IllegalMove, Reason
from yacht.rooms.host import Host
from yacht.rooms.options import Options
from yacht.rooms.room import Room

PEOPLE = (ANA, BEN, EVA, DAN, "c" * 32)
DAY = 86_400


async def seated(host: Host, *viewers: str, clock: int = 0, places: int = 5) -> str:
    """A lobby in which these sit."""
    name, options = NAMES.get(viewers[0], "First"), Options(places, clock, hints=True)
    room_id = await host.invite(viewers[0], name, "classic", options)
    for viewer in viewers[1:]:
        await host.join(room_id, viewer, NAMES.get(viewer, "Next"), viewer[:4].encode())
    return room_id


async def begun(host: Host, *viewers: str, clock: int = 0, places: int = 5) -> str:
    """A game of these friends in which nobody has rolled."""
    room_id = await seated(host, *viewers, clock=clock, places=places)
    await host.begin(room_id, viewers[0])
    return room_id


async def play(host: Host, room_id: str, moves: int) -> Room:
    """So many moves of whoever is on turn: a roll and the first open box, again and again."""
    room = await host.room(room_id)
    for _ in range(moves):
        if room.game.is_over:
            break
        move = Score(room.game.open_boxes[0]) if room.game.dice else Keep()
        room = await host.act(room_id, room.owners[room.game.seat], room.seq, move)
    return room


async def at_once(*attempts: Awaitable[object]) -> tuple[list[object], list[Reason]]:
    """What all these came to, and why the others were refused."""
    outcomes = await asyncio.gather(*attempts, return_exceptions=True)
    refused = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
    reasons = list[Reason]()
    for error in refused:
        if not isinstance(error, IllegalMove):
            raise error
        reasons.append(error.reason)
    return [outcome for outcome in outcomes if outcome not in refused], reasons


def count(room: Room, kind: type) -> int:
    """How often this happened."""
    return sum(isinstance(entry.event, kind) for entry in room.entries)
