"""Several server processes on one PostgreSQL, beside one of them and beside SQLite."""

import json
import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median

from bench.process import SERVE, folder, serving
from bench.report import Line, Table, ratio, say
from tests.postgres import Cluster

_ROUNDS = 3
_SECONDS = 3.0
_PLAYERS = 50


def run() -> Table:
    """Rounds of SQLite, one process and two; each has the machine for itself in its time."""
    rates: dict[str, list[float]] = {"sqlite": [], "one": [], "two": []}
    with folder() as data, Cluster(durable=True) as cluster:
        for number in range(1, _ROUNDS + 1):
            url = cluster.new()
            rates["sqlite"].append(_rate(data / f"{number}", [[]]))
            rates["one"].append(_rate(data, [["--database", url]]))
            rates["two"].append(_rate(data, [["--database", url]] * 2))
            told = ", ".join(f"{name} {rate[-1]:,.0f}/s" for name, rate in rates.items())
            say(f"processes: round {number} of {_ROUNDS}: {told}")
    two, one = ratio(rates["two"], rates["one"]), ratio(rates["one"], rates["sqlite"])
    return Table(
        "Several processes",
        f"{_PLAYERS} clients as above, spread over the processes. The clients, the servers and "
        "PostgreSQL share two cores, so two processes can't be twice one: what is to be seen is "
        "that they are no slower.",
        [
            Line(
                "moves, one process on PostgreSQL",
                f"{median(rates['one']):,.0f}/s",
                f"on SQLite {median(rates['sqlite']):,.0f}/s: {one:.2f} ×",
            ),
            Line(
                "moves, two processes on PostgreSQL",
                f"{median(rates['two']):,.0f}/s",
                f"one process {median(rates['one']):,.0f}/s: {two:.2f} ×",
                "not slower",
                two >= 1,
            ),
        ],
    )


def _rate(data: Path, processes: Sequence[Sequence[str]]) -> float:
    """Moves a second of all processes, each started with these flags."""
    data.mkdir(exist_ok=True)
    with ExitStack() as stack:
        ports = [stack.enter_context(serving((*SERVE, *flags), data)).port for flags in processes]
        players = str(_PLAYERS // len(ports))
        loads = [
            subprocess.Popen(
                [sys.executable, "-m", "bench.client", str(port), players, str(_SECONDS)],
                stdout=subprocess.PIPE,
                text=True,
            )
            for port in ports
        ]
        return sum(json.loads(load.communicate()[0])["rate"] for load in loads)
