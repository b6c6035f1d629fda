"""How many moves a second, and how late: beside the bare framework and beside the disk alone."""

import json
import subprocess
import sys
from statistics import median

from bench import disk
from bench.client import Measured
from bench.process import BARE, SERVE, folder, serving
from bench.report import Line, Table, ratio, say

NO_ROOM = "0" * 16

_ROUNDS = 5
_SECONDS = 3.0
_PLAYERS = 50
_RATE, _LATE = 1 / 3, 5


def run() -> Table:
    """Rounds of server, bare framework, disk; each has the machine for itself in its time."""
    with folder() as data, serving(SERVE, data) as server, serving(BARE, data) as framework:
        ours, theirs, rows = list[Measured](), list[Measured](), list[float]()
        for number in range(1, _ROUNDS + 1):
            ours.append(_load(server.port))
            theirs.append(_load(framework.port, NO_ROOM))
            rows.append(disk.rate(data, _PLAYERS, _SECONDS / 2))
            say(
                f"server: round {number} of {_ROUNDS}: {ours[-1].rate:,.0f} moves/s, "
                f"bare {theirs[-1].rate:,.0f}/s, disk {rows[-1]:,.0f} rows/s"
            )
    return _table(ours, theirs, rows)


def _table(ours: list[Measured], theirs: list[Measured], rows: list[float]) -> Table:
    rates, bare_rates = [one.rate for one in ours], [one.rate for one in theirs]
    by_bare = ratio(rates, bare_rates)
    by_disk = ratio(rates, rows)
    late = ratio([one.p99 for one in ours], [one.p99 for one in theirs])
    middle = ratio([one.p50 for one in ours], [one.p50 for one in theirs])

    def mid(measured: list[Measured], name: str) -> float:
        return median(getattr(one, name) for one in measured)

    return Table(
        "Server",
        f"{_PLAYERS} clients play whole games through `/api/v1`, one move after another, each "
        "durable before it is answered; the clients are a process of their own on the same cores. "
        "The bare framework is Litestar on uvicorn with one POST handler that answers a constant: "
        f"bodies of {mid(theirs, 'sent'):.0f} and {mid(theirs, 'got'):,.0f} bytes, the server's "
        f"{mid(ours, 'sent'):.0f} and {mid(ours, 'got'):,.0f}. The disk alone is SQLite, WAL and "
        f"`synchronous=FULL`: {_PLAYERS} writers wait, a thread commits their rows in groups.",
        [
            Line(
                "moves",
                f"{median(rates):,.0f}/s",
                f"bare framework {median(bare_rates):,.0f}/s: {by_bare:.2f} ×",
                "at least 0.33 ×",
                by_bare >= _RATE,
            ),
            Line("", "", f"disk alone {median(rows):,.0f} rows/s: {by_disk:.2f} ×"),
            Line(
                "latency, p50",
                f"{mid(ours, 'p50'):.1f} ms",
                f"bare framework {mid(theirs, 'p50'):.1f} ms: {middle:.1f} ×",
            ),
            Line(
                "latency, p99",
                f"{mid(ours, 'p99'):.1f} ms",
                f"bare framework {mid(theirs, 'p99'):.1f} ms: {late:.1f} ×",
                f"under {_LATE} ×",
                late < _LATE,
            ),
        ],
    )


def _load(port: int, *room: str) -> Measured:
    """What 50 players of another process measure at this port."""
    command = [sys.executable, "-m", "bench.client", str(port), str(_PLAYERS), str(_SECONDS), *room]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return Measured(**json.loads(done.stdout))
