"""A sitting: people at one terminal with a game before them, from the greeting to the goodbye."""

import asyncio
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

from yacht import words
from yacht.cli import drawing
from yacht.cli.announcing import help_lines
from yacht.cli.screen import ask, show
from yacht.cli.spoken import LANGUAGE
from yacht.cli.stop import refusal
from yacht.cli.typed import Ask, Hold, Unclear, read
from yacht.engine.game import Move
from yacht.engine.reasons import IllegalMove, Reason
from yacht.engine.rules import CLASSIC
from yacht.rooms.host import Host
from yacht.rooms.room import Room
from yacht.rooms.sqlite import Sqlite
from yacht.rooms.table import Stale
from yacht.view import GameView, view

_ = LANGUAGE

VIEWER = "terminal"
"""Who owns the games played here; no browser's identity, a hash, is this word."""


@contextmanager
def hosting(database: Path) -> Generator[tuple[asyncio.Runner, Host]]:
    """A host for the games in this file, and what runs it."""
    with asyncio.Runner() as runner:
        host = Host(Sqlite(database))
        try:
            yield runner, host
        finally:
            runner.run(host.store.close())


async def unfinished(host: Host) -> str | None:
    """The room of the last game played here that isn't over."""
    games = await host.games_of(VIEWER)
    return next((game.room for game in games if game.result is None), None)


async def opened(
    host: Host, ruleset: str | None, names: Sequence[str], levels: Sequence[str]
) -> str:
    """The room of a new game against computers of these levels, if any. Raises IllegalMove.

    Without names the people of the last one play, and without levels its computers, too.
    """
    seats = [(name, "") for name in names]
    if not names and (games := await host.games_of(VIEWER)):
        last = await host.room(games[0].room)
        seats = [(name, last.level(seat)) for seat, name in enumerate(last.names)]
    if "" in levels:  # for the host that is a person
        raise IllegalMove(Reason.UNKNOWN_LEVEL, value="")
    if levels:
        seats = [(name, level) for name, level in seats if not level]
    seats = seats or [(_("Player {n}", n=1), "")]
    seats += [
        (words.computer(place, len(levels), _), level) for place, level in enumerate(levels, 1)
    ]
    computers = [level for _name, level in seats]
    names = [name for name, _level in seats]
    return await host.open(VIEWER, ruleset or CLASSIC.key, names, computers=computers)


class Sitting:
    """The game as these people have it before them, with the dice they mean to hold."""

    def __init__(self, runner: asyncio.Runner, host: Host, room_id: str) -> None:
        self._runner, self._host, self._room_id = runner, host, room_id
        self._take(runner.run(host.room(room_id)))

    @property
    def room(self) -> Room:
        """The room as it is after the last move."""
        return self._room

    @property
    def seen(self) -> GameView:
        """The game as it is after the last move, for showing it."""
        return view(self._room_id, self._room, VIEWER)

    def play(self) -> bool:
        """Take what is typed until the game is over; False if people leave it before."""
        self._show_all()
        while not self._room.game.is_over:
            try:
                line = self._ask()
                if not line.strip() and self._room.computer:
                    self._watch()
                    continue
                typed = read(line, self._room.game, self._held)
                if typed is Ask.QUIT:
                    return False
                self._do(typed)
            except Unclear as unclear:
                show(unclear.sentence)
            except Stale as stale:  # the same game is played in another terminal too
                show(refusal(stale))
                self._take(stale.room)
                self._show_all()
            except IllegalMove as illegal:
                show(refusal(illegal))
            except (EOFError, KeyboardInterrupt):
                show("")
                return False
        return True

    def _ask(self) -> str:
        """What a person types; nothing where only a computer can act, or nobody is there to ask."""
        if not self._room.computer:
            return ask(self._prompt())
        if not (self._room.may_undo and sys.stdin.isatty()):
            return ""
        name = self.seen.seats[self.seen.seat].name
        return ask(_("Enter lets {name} play, undo takes the score back: ", name=name))

    def _take(self, room: Room) -> None:
        """The dice that were held at the last roll go on being held, as on the page."""
        self._room = room
        self._held = room.game.kept if room.game.rolls_left else frozenset[int]()

    def _do(self, typed: Move | Hold | Ask) -> None:
        match typed:
            case Ask.HELP:
                show(help_lines())
            case Ask():
                show(drawing.scene(self.seen, self._held, whole=True))
            case Hold(positions):
                self._held = positions
                show(drawing.tray(self.seen.dice, positions))
            case move:
                self._act(move)

    def _act(self, move: Move) -> None:
        room = self._runner.run(self._host.act(self._room_id, VIEWER, self._room.seq, move))
        self._take(room)
        seen = self.seen
        if seen.dice:
            self._show_all()
        elif not seen.over:
            show(words.say(seen, _))

    def _watch(self) -> None:
        """The next step of the computer on turn, and the whole scene once its turn is over."""
        self._take(self._runner.run(self._host.step(self._room_id, self._room.seq)))
        seen = self.seen
        if seen.over:  # the result says it
            return
        show("", words.say(seen, _))
        if seen.dice:
            show(drawing.tray(seen.dice, self._room.game.kept))
        elif not self._room.computer:
            show(drawing.scene(seen, self._held))

    def _show_all(self) -> None:
        seen = self.seen
        show("", words.say(seen, _), drawing.scene(seen, self._held))

    def _prompt(self) -> str:
        seen = self.seen
        name, left = seen.seats[seen.seat].name, seen.rolls_left
        if not left:
            return _("{name}, no rolls left > ", name=name)
        return _("{name}, {rolls} > ", name=name, rolls=words.rolls_left(left, _))
