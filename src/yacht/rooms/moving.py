"""All rooms and sheets of one store copied to another, and compared."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import islice
from typing import Literal, Protocol

import msgspec

from yacht.engine.reasons import IllegalMove
from yacht.rooms import sql
from yacht.rooms.store import Append, Conflict, Result, Secrets, Standing, Store, read
from yacht.rooms.table import check_id

_AT_ONCE = 50
_Beside = tuple[sql.Text | None, Literal[0, 1] | None, float | None]
"""A room's result, whether its game has begun, and when something is due."""


class Source(Store, Protocol):
    """A store whose tables can be read."""

    async def rows(self, asked: str, *values: object) -> Sequence[sql.Row]:
        """What one of the texts of ``sql`` finds."""
        ...


class Outcome(Enum):
    """What became of a room or a sheet."""

    COPIED = "copied"
    THERE = "there"
    DIFFERENT = "different"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Moved:
    """A room or a sheet, what became of it, and how much of it is equal in both.

    As ``count`` counts: rooms, entries, members and sheets.
    """

    id: str
    outcome: Outcome
    equal: sql.Row = (0, 0, 0, 0)
    is_sheet: bool = False


async def count(store: Source) -> sql.Row:
    """How many rooms, entries, members and sheets a store has."""
    return (await store.rows(sql.COUNTS))[0]


async def move(source: Source, target: Source) -> AsyncGenerator[Moved]:
    """Copy all that isn't there yet, some at a time, and compare each with its copy.

    What is there and differs is left as it is. Raises Unavailable.
    """
    for asked, copy in (sql.ROOMS, _move), (sql.SHEETS, _move_sheet):
        ids = (found for (found,) in await source.rows(asked))
        while batch := list(islice(ids, _AT_ONCE)):
            for moved in await asyncio.gather(*(copy(source, target, one) for one in batch)):
                yield moved


async def _move_sheet(source: Source, target: Source, sheet: str) -> Moved:
    shown = await source.shown(sheet)
    if shown is None:
        return Moved(sheet, Outcome.UNREADABLE, is_sheet=True)
    outcome = Outcome.COPIED
    try:
        await target.show(sheet, shown)
    except Conflict:
        outcome = Outcome.THERE
    if await target.shown(sheet) != shown:
        return Moved(sheet, Outcome.DIFFERENT, is_sheet=True)
    return Moved(sheet, outcome, (0, 0, 0, 1), is_sheet=True)


async def _move(source: Source, target: Source, room: str) -> Moved:
    try:
        check_id(room)
        ours = await _whole(source, room)
        if ours is None:
            return Moved(room, Outcome.UNREADABLE)
        game = read(ours[1].entries)
        outcome = Outcome.COPIED
        try:
            await target.create(*ours)
        except Conflict:
            outcome = Outcome.THERE
        theirs = await _whole(target, room)
        log, copy = ours[1], theirs and theirs[1]
        if theirs != ours or not copy or read(copy.entries) != game:
            return Moved(room, Outcome.DIFFERENT)
    except (IllegalMove, msgspec.DecodeError):
        return Moved(room, Outcome.UNREADABLE)
    return Moved(room, outcome, (1, len(log.entries), len(log.members or ()), 0))


async def _whole(store: Source, room: str) -> tuple[Secrets, Append] | None:
    """All that there is of a room, as it would be created. Raises IllegalMove and DecodeError."""
    loaded, rows = await store.load(room), await store.rows(sql.ROOM, room)
    if loaded is None or not rows:
        return None
    secrets, entries = loaded
    [(result, begun, due)] = msgspec.convert(rows, list[_Beside])
    members = await store.rows(sql.MEMBERS, room)
    return secrets, Append(
        room,
        0,
        entries,
        sorted(viewer for (viewer,) in msgspec.convert(members, list[tuple[sql.Text]])),
        None if result is None else msgspec.json.decode(result, type=Result),
        None if begun is None else Standing(bool(begun), due),
    )
