"""One stream per open page or program: the newest state, whenever there is one.

Pages get server-sent events; programs can have lines of JSON instead.
"""

import asyncio
import math
import random
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing, suppress
from typing import TypeVar

import msgspec
from litestar.response import Stream

from yacht.engine.reasons import IllegalMove
from yacht.rooms.bell import Bell
from yacht.rooms.host import Host
from yacht.rooms.presence import Around
from yacht.rooms.room import Room
from yacht.rooms.store import Unavailable
from yacht.view import GameView

PING_SECONDS = 15
STREAM_SECONDS = 60
"""After so long at most a player among friends is to come back, which shows that they read."""
PING = b"event: ping\ndata:\n\n"
AGAIN = b"event: again\ndata:\n\n"
GONE = b"event: gone\ndata:\n\n"
EVENTS, LINES = "text/event-stream", "application/x-ndjson"
ADDRESSES = r"(?<!/score)/(live|stream)/*$"
"""How the addresses of streams end, which a slash may follow; cards are sent to /score/live."""

T = TypeVar("T")


def _always() -> float:
    return math.inf


async def rings(
    bell: Bell,
    where: str,
    news: Callable[[], Awaitable[T | None]],
    until: Callable[[], float] = _always,
) -> AsyncGenerator[T | None]:
    """What ``news`` has at each ring there, and None whenever ``PING_SECONDS`` were silent.

    The reader asks for the next once it has taken the last, so a slow one skips some and never
    holds more than the newest. This ends when the process is about to end or the store can't be
    read, or at a monotonic time that may change; what ``news`` raises else goes on.
    """
    while not bell.closed:
        rung = bell.listen(where)
        try:
            new = await news()
        except Unavailable:
            return
        if new is not None:
            yield new
            continue
        left = until() - time.monotonic()
        if left <= 0:
            return
        try:
            async with asyncio.timeout(min(left, PING_SECONDS)):
                await rung.wait()
        except TimeoutError:
            yield None


async def states(
    host: Host, room_id: str, seen: int, viewer: str = "", until: float = math.inf
) -> AsyncIterator[Room | None]:
    """The room at each state but ``seen``, as ``rings`` gives it.

    In a room of friends the viewer is here as long as they read this, which ends at ``until`` if
    they play there; and who comes and goes makes a new state too. Raises IllegalMove once the room
    is gone.
    """
    around: Around | None = None
    comes, ends = True, math.inf

    async def news() -> Room | None:
        nonlocal seen, around, comes, ends
        # another process may just have told whoever comes more than is known here
        room = await (host.look if comes else host.enter)(room_id, viewer)
        comes, ends = False, until if room.options and room.belongs_to(viewer) else math.inf
        now = host.presence.around(room_id, room) if room.options else None
        if room.seq == seen and now == around:  # a number not reached yet was another game's
            return None
        seen, around = room.seq, now
        return room

    async with aclosing(rings(host.bell, room_id, news, lambda: ends)) as rooms:
        while True:
            try:
                with host.presence.here(room_id, viewer):  # not while it is sent, maybe to nobody
                    new = await anext(rooms)
            except StopAsyncIteration:
                return
            yield new


def _until() -> float:
    """Those who came together, when a server started, don't come back together."""
    return time.monotonic() + STREAM_SECONDS * random.uniform(0.75, 1)  # noqa: S311 (no secret)


async def events(
    host: Host,
    room_id: str,
    seen: int,
    render: Callable[[Room], Awaitable[str]],
    viewer: str = "",
) -> AsyncIterator[bytes]:
    """Frames with ``id:`` the room's ``seq``, from the first state but ``seen`` on.

    Where a clock runs, the time by which it does goes ahead. A ping shows that the line is alive;
    the last frame says that the room is gone, or that a player is to come back.
    """
    yield PING
    until = _until()
    try:
        async for room in states(host, room_id, seen, viewer, until):
            if room and room.due:
                yield b"event: now\ndata: %.3f\n\n" % host.now()
            yield PING if room is None else frame(room.seq, await render(room))
    except IllegalMove:
        yield GONE
        return
    if time.monotonic() >= until and not host.bell.closed:
        yield AGAIN


def frame(seq: int, text: str) -> bytes:
    """One event named ``game`` with this text as its data."""
    data = "".join(f"data: {line}\n" for line in text.splitlines())
    return f"id: {seq}\nevent: game\n{data}\n".encode()


async def lines(
    host: Host, room_id: str, seen: int, render: Callable[[Room], GameView], viewer: str = ""
) -> AsyncIterator[bytes]:
    """Lines of JSON: the whole view of the first state but ``seen``, then what changes in it.

    A change has the fields of the view that are new, ``seq`` among them. An empty line shows that
    the line is alive. The stream of a room that is gone just ends, as does that of a player who is
    to come back.
    """
    known = dict[str, object]()
    until = _until()
    with suppress(IllegalMove):
        async for room in states(host, room_id, seen, viewer, until):
            now = msgspec.structs.asdict(render(room)) if room else known
            new = {name: now[name] for name in now if name not in known or now[name] != known[name]}
            new |= {"seq": now["seq"]} if new else {}
            yield (msgspec.json.encode(new) if new else b"") + b"\n"
            known = now


def stream(frames: AsyncIterator[bytes], media_type: str = EVENTS) -> Stream:
    """The answer that sends them, past proxies that would gather them first."""
    return Stream(frames, media_type=media_type, headers={"X-Accel-Buffering": "no"})
