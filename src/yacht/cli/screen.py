"""The terminal as it is now: its width and its colours."""

import os
import shutil
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager

from rich.console import Console, RenderableType
from rich.measure import Measurement

_NARROWEST = 20
_UNLIMITED = 10_000


def show(*things: RenderableType, whole: bool = False) -> None:
    """Print things one below the other; ``whole`` leaves long lines for people to copy."""
    console = _console()
    for thing in things:
        console.print(thing, soft_wrap=whole)


def width() -> int:
    """How many columns there are; people change it while they play."""
    return max(shutil.get_terminal_size().columns, _NARROWEST)


def width_of(thing: RenderableType) -> int:
    """How many columns a thing takes if it gets all it wants."""
    console = _console()
    options = console.options.update(max_width=_UNLIMITED)
    return Measurement.get(console, options, thing).maximum


def ask(prompt: str) -> str:
    """A line that a person types, or the next one of a file. Raises EOFError."""
    print(prompt, end="", flush=True)
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    if not sys.stdin.isatty():  # then what was typed would be missing from the output
        print(line.rstrip("\n"))
    return line


@contextmanager
def progress(label: str, total: int) -> Generator[Callable[[int], object]]:
    """A bar while something is under way; call what you get with how much more is done.

    It is drawn on the error stream, if that is a terminal, and wiped away at the end.
    """
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

    columns = TextColumn("{task.description}"), BarColumn(), TaskProgressColumn()
    hidden = not sys.stderr.isatty()
    with Progress(*columns, console=_console(stderr=True), transient=True, disable=hidden) as bar:
        task = bar.add_task(label, total=total)
        yield lambda more: bar.advance(task, more)


def _console(*, stderr: bool = False) -> Console:
    return Console(
        stderr=stderr,
        width=width(),
        height=shutil.get_terminal_size().lines,
        color_system=None if os.environ.get("NO_COLOR") else "auto",
        markup=False,
        emoji=False,
        highlight=False,
    )
