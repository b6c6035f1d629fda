"""One stream of server-sent events per open page: the newest state, whenever there is one."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

from litestar.response import Stream

from yacht.engine.reasons import IllegalMove
from yacht.rooms.host import Host
from yacht.rooms.presence import Around
from yacht.rooms.room import Room
from yacht.rooms.store import Unavailable

PING_SECONDS = 15
PING = b"event: ping\ndata:\n\n"
GONE = b"event: gone\ndata:\n\n"


async def events(
    host: Host,
    room_id: str,
    seen: int,
    render: Callable[[Room], Awaitable[str]],
    viewer: str = "",
) -> AsyncIterator[bytes]:
    """Frames with ``id:`` the room's ``seq``, from the first state after ``seen`` on.

    In a room of friends the viewer is here as long as they read it, and who comes and goes makes
    a new frame too; where a clock runs, the time by which it does goes ahead.

    The reader asks for the next frame once it has taken the last, so a slow one skips states and
    never holds more than the newest. A ping shows that the line is alive. The stream ends when
    the process is about to end, the store can't be read, or the room is gone.
    """
    yield PING
    around: Around | None = None
    while not host.bell.closed:
        rung = host.bell.listen(room_id)
        try:
            room = await (host.enter(room_id, viewer) if viewer else host.room(room_id))
        except IllegalMove:
            yield GONE
            return
        except Unavailable:
            return
        now = host.presence.around(room_id, room) if room.options else None
        if room.seq > seen or now != around:
            seen, around = room.seq, now
            if room.due:
                yield b"event: now\ndata: %.3f\n\n" % host.now()
            yield frame(seen, await render(room))
            continue
        try:
            async with asyncio.timeout(PING_SECONDS):
                await rung.wait()
        except TimeoutError:
            yield PING


def frame(seq: int, text: str) -> bytes:
    """One event named ``game`` with this text as its data."""
    data = "".join(f"data: {line}\n" for line in text.splitlines())
    return f"id: {seq}\nevent: game\n{data}\n".encode()


def stream(frames: AsyncIterator[bytes]) -> Stream:
    """The answer that sends them, past proxies that would gather them first."""
    return Stream(frames, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})
