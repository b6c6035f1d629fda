"""Streams: how late friends see a move, and what an open page costs the server."""

import subprocess
import sys
from pathlib import Path

import msgspec

from bench.client import Measured
from bench.process import SERVE, Server, folder, megabytes, serving
from bench.report import Line, Table, say
from bench.watchers import Watched

_STREAMS = 200, 1000
_EACH, _RATE, _SECONDS = 5, 50, 6.0
_PLAYERS, _WATCHERS = 50, 3
_MOST_MEGABYTES, _MOST_LATE = 250, 250


def run() -> Table:
    """A few and many open pages at an even rate of moves, then as many moves as can be made."""
    lines = list[Line]()
    with folder() as data:
        for streams in _STREAMS:
            say(f"live: {streams} streams")
            with serving(SERVE, data / str(streams)) as server:
                before, after, watched = _watched(server, streams // _EACH, _EACH, _RATE)
            most = streams == max(_STREAMS)
            lines += [
                Line(f"{streams:,} streams: late, p50", f"{watched.p50:.1f} ms"),
                Line(
                    f"{streams:,} streams: late, p99",
                    f"{watched.p99:.1f} ms",
                    f"{watched.moves:.0f} moves/s, {watched.frames:.0f} frames/s",
                    f"under {_MOST_LATE} ms" if most else "",
                    watched.p99 < _MOST_LATE if most else None,
                ),
                Line(
                    f"{streams:,} streams: memory",
                    f"{after:.0f} MB",
                    f"without {before:.0f} MB: {1000 * (after - before) / streams:.0f} kB each",
                    f"under {_MOST_MEGABYTES} MB" if most else "",
                    after < _MOST_MEGABYTES if most else None,
                ),
            ]
        say("live: moves")
        alone, seen = (_rate(data / f"each{each}", each) for each in (0, _WATCHERS))
    lines.append(
        Line(
            f"moves, {_WATCHERS} pages open on each room",
            f"{seen:,.0f}/s",
            f"none open {alone:,.0f}/s: {seen / alone:.2f} ×",
        )
    )
    return Table(
        "Live",
        f"One process with so many page streams open, those of {_EACH} friends in each room, while "
        f"{_RATE} moves a second are made in the rooms in turn. Each friend's page is their own. "
        "Late is the time from the sending of a move to the frame with the new page in a friend's "
        f"hands, the commit included. Then {_PLAYERS} games on one device are played as fast as "
        f"they can be, with and without {_WATCHERS} pages open to watch each. The clients are a "
        "process of their own on the same cores.",
        lines,
    )


def _rate(data: Path, each: int) -> float:
    """Moves a second when all rooms have so many open pages."""
    with serving(SERVE, data) as server:
        return msgspec.json.decode(_load(server, _PLAYERS, each, 0)[0], type=Measured).rate


def _watched(server: Server, rooms: int, each: int, rate: float) -> tuple[float, float, Watched]:
    """Megabytes of the server before and after, and what the watchers saw."""
    before = megabytes(server)
    printed, after = _load(server, rooms, each, rate)
    return before, after, msgspec.json.decode(printed, type=Watched)


def _load(server: Server, rooms: int, each: int, rate: float) -> tuple[str, float]:
    """What the watchers' process prints, and the server's megabytes then."""
    arguments = map(str, (server.port, rooms, each, _SECONDS, rate))
    with subprocess.Popen(
        [sys.executable, "-m", "bench.watchers", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stdout.readline() == "open\n"
        process.stdin.write("\n")
        process.stdin.flush()
        return process.stdout.readline(), megabytes(server)
