"""The SQL that all stores share, a question mark for each value, and what its rows mean."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib import resources
from itertools import chain
from typing import Annotated, Any

import msgspec

from yacht.engine.reasons import IllegalMove, Reason
from yacht.rooms.entries import Entry
from yacht.rooms.store import (
    Append,
    Listed,
    Result,
    Secrets,
    Shown,
    decode_event,
    encode_event,
)

Row = tuple[Any, ...]
Text = Annotated[str, msgspec.Meta(pattern=r"\A[^\0\ud800-\udfff]*\Z")]
"""What all stores take: they could hold what was damaged otherwise."""
Statement = tuple[str, Sequence[object]]
"""SQL and its values."""

_MOST_AT_ONCE = 1_000
"""Rows: a statement of PostgreSQL takes 65,535 values."""
_LAST = "(SELECT at FROM log WHERE room = id ORDER BY seq DESC LIMIT 1)"

NEWEST = "SELECT max(seq) FROM log WHERE room = ?"
PING = "SELECT 1 FROM room LIMIT 1"
SECRETS = "SELECT seed, link FROM room WHERE id = ?"
LOG = "SELECT seq, by, event, at FROM log WHERE room = ? ORDER BY seq"
GAMES = f"""SELECT id, {_LAST}, result, begun IS NOT NULL FROM member JOIN room ON id = member.room
            WHERE viewer = ? ORDER BY 2 DESC"""  # noqa: S608 (our own words)
ROOM = "SELECT result, begun, due FROM room WHERE id = ?"
ROOMS = "SELECT id FROM room ORDER BY id"
MEMBERS = "SELECT viewer FROM member WHERE room = ?"
COUNTS = """SELECT (SELECT count(*) FROM room), (SELECT count(*) FROM log),
            (SELECT count(*) FROM member), (SELECT count(*) FROM sheet)"""
STATES = """SELECT CASE WHEN result IS NOT NULL THEN 'finished'
                        WHEN begun = 0 THEN 'waiting' ELSE 'playing' END, count(*)
            FROM room GROUP BY 1"""
DUE = "SELECT id FROM room WHERE due <= ?"
OLD = f"(begun = 0 AND {_LAST} < ? OR begun = 1 AND coalesce(due, {_LAST}) < ?)"
"""Rooms of friends that wait since before the first time, or are idle since before the second.

A running clock keeps its room: only what should have happened long ago shows that nobody can.
"""
DELETE = """DELETE FROM room WHERE begun IS NULL
            AND id = (SELECT room FROM member WHERE room = ? AND viewer = ?)"""

SHEETS = "SELECT id FROM sheet ORDER BY id"
SHOWN = "SELECT keeper, number, at, body FROM sheet WHERE id = ?"
SHOW = "INSERT INTO sheet (id, keeper, number, at, body) VALUES (?, ?, ?, ?, ?)"
RENEW = """UPDATE sheet SET number = ?, at = ?, body = ?
           WHERE id = ? AND keeper = ? AND number < ?"""
HIDE = "DELETE FROM sheet WHERE id = ? AND keeper = ?"
OLD_SHEETS = "DELETE FROM sheet WHERE at < ? RETURNING id"


def rows(log: Append) -> Sequence[Row]:
    """The entries as rows of the log."""
    return [
        (log.room, seq, entry.at, entry.by, encode_event(entry.event))
        for seq, entry in enumerate(log.entries, log.seq + 1)
    ]


def inserted(rows: Sequence[Row]) -> Statement:
    """All rows or none, in one statement."""
    values = ", ".join(["(?, ?, ?, ?, ?)"] * len(rows))
    sql = f"INSERT INTO log (room, seq, at, by, event) VALUES {values}"  # noqa: S608 (question marks)
    return sql, tuple(chain(*rows))


def appended(log: Append) -> Iterator[Statement]:
    """What writes the entries and what changes beside them."""
    room = log.room
    entries = rows(log)
    for first in range(0, len(entries), _MOST_AT_ONCE):
        yield inserted(entries[first : first + _MOST_AT_ONCE])
    if log.members is not None:
        yield "DELETE FROM member WHERE room = ?", (room,)
        for member in log.members:
            yield "INSERT INTO member (viewer, room) VALUES (?, ?)", (member, room)
    if log.standing is not None:
        standing = int(log.standing.begun), log.standing.due
        yield "UPDATE room SET begun = ?, due = ? WHERE id = ?", (*standing, room)
    if log.result is not None:
        result = msgspec.json.encode(log.result).decode()
        yield "UPDATE room SET result = ? WHERE id = ?", (result, room)


def created(secrets: Secrets, log: Append, after: Append | None) -> Iterator[Statement]:
    """What opens a room, and then writes elsewhere."""
    hidden = (log.room, secrets.seed, secrets.link)
    yield "INSERT INTO room (id, seed, link) VALUES (?, ?, ?)", hidden
    yield from appended(log)
    if after is not None:
        yield from appended(after)


def loaded(room: Sequence[Row], log: Sequence[Row]) -> tuple[Secrets, Sequence[Entry]] | None:
    """What SECRETS and LOG found. Raises IllegalMove(UNREADABLE)."""
    if not room or not log:
        return None
    if [seq for seq, *_ in log] != list(range(1, len(log) + 1)):
        raise IllegalMove(Reason.UNREADABLE)
    try:
        [(seed, link)] = msgspec.convert(room, list[tuple[bytes, bytes]])
        lines = msgspec.convert(log, list[tuple[int, Text, Text, float]])
        return Secrets(seed, link), [
            Entry(by, decode_event(event), at) for _, by, event, at in lines
        ]
    except (msgspec.DecodeError, IllegalMove) as error:
        raise IllegalMove(Reason.UNREADABLE) from error


def shown(sheet: str, new: Shown) -> Statement:
    """What begins to show a sheet."""
    return SHOW, (sheet, new.keeper, new.number, new.at, new.body)


def renewed(sheet: str, new: Shown) -> Statement:
    """What shows a newer state of a sheet."""
    return RENEW, (new.number, new.at, new.body, sheet, new.keeper, new.number)


def listed(games: Sequence[Row]) -> list[Listed]:
    """What GAMES found."""
    return [
        Listed(room, at if isinstance(at, float) else 0.0, _result(result), bool(of_friends))
        for room, at, result, of_friends in games
    ]


def _result(text: str | None) -> Result | None:
    """None too for what can't be read: the game itself may be as it was."""
    if text is not None:
        with suppress(msgspec.DecodeError, UnicodeError):
            return msgspec.json.decode(text, type=Result)
    return None


def states(found: Sequence[Row]) -> dict[str, int]:
    """What STATES found; a state of no room is there too."""
    return {"waiting": 0, "playing": 0, "finished": 0, **dict(found)}


def schema(*folder: str) -> Sequence[str]:
    """The scripts of the numbered schema files below ``schema/``, the first one first."""
    files = resources.files("yacht.rooms").joinpath("schema", *folder).iterdir()
    return [file.read_text() for file in sorted(files, key=str) if file.name.endswith(".sql")]
