"""What a benchmark tells: a table of figures, each beside something measured in the same run."""

import sqlite3
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from os import cpu_count
from pathlib import Path
from platform import machine, python_version, system
from statistics import median

RESULTS = Path(__file__).with_name("results.md")
_HEAD = """\
# How fast

Measured {date} on {machine}.
Before it began, the load of other programs was {load:.1f}.

`make bench` measures it all again; `.venv/bin/python -m bench engine server live` and the like
those that are named; `.venv/bin/python -m bench --write` measures it all and writes this file.

Machines differ and are noisy, so what counts are the ratios: both sides are measured in turn, in
one run, and a ratio is the median over the rounds.
"""


@dataclass(frozen=True, slots=True)
class Line:
    """A figure; what it is beside, with the ratio; and what it should be."""

    what: str
    figure: str
    beside: str = ""
    aim: str = ""
    met: bool | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """The lines of one subject, under what was done to get them."""

    title: str
    done: str
    lines: Sequence[Line]

    def __str__(self) -> str:
        rows = [
            ("what", "figure", "beside", "aim"),
            *(
                (line.what, line.figure, line.beside, line.aim + _MET[line.met])
                for line in self.lines
            ),
        ]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        head, *body = [
            "| " + " | ".join(map(str.ljust, row, widths)) + " |"  # columns line up as text too
            for row in rows
        ]
        rule = "| " + " | ".join("-" * width for width in widths) + " |"
        return "\n".join([f"## {self.title}", "", self.done, "", head, rule, *body, ""])


_MET = {None: "", True: " ✓", False: " ✗ missed"}


def say(text: str) -> None:
    """Tell at once what is being done."""
    print(text, file=sys.stderr, flush=True)


def quantile(values: Sequence[float], part: float) -> float:
    """The value that this part of the values doesn't exceed."""
    return sorted(values)[min(int(part * len(values)), len(values) - 1)]


def ratio(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """The median of the ratios, round by round."""
    return median(one / other for one, other in zip(ours, theirs, strict=True))


def write(tables: Sequence[Table], load: float) -> None:
    """Write the results, with what they were measured on and the load average before."""
    head = _HEAD.format(date=f"{datetime.now(UTC):%Y-%m-%d}", machine=_machine(), load=load)
    RESULTS.write_text("\n".join([head, *map(str, tables)]), encoding="utf-8")


def _machine() -> str:
    packages = ", ".join(f"{name} {version(name)}" for name in ("litestar", "uvicorn", "numpy"))
    return (
        f"{_processor()}, {cpu_count()} cores, {system()}, Python {python_version()}, "
        f"SQLite {sqlite3.sqlite_version}, {packages}"
    )


def _processor() -> str:
    try:
        told = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return machine()
    models = [line.partition(":")[2].strip() for line in told.splitlines() if "model name" in line]
    return models[0] if models else machine()
