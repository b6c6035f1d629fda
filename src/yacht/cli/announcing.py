"""What is said before a game, after it, and to those who ask what they can type."""

import shlex
from pathlib import Path

from rich.table import Table

from yacht import counting, words
from yacht.cli import drawing
from yacht.cli.screen import show
from yacht.cli.spoken import LANGUAGE
from yacht.view import GameView

_ = LANGUAGE


def title(seen: GameView) -> str:
    """Which rules are played."""
    name, difference = counting.name(seen.ruleset, _), counting.difference(seen.ruleset, _)
    return _("Yacht, {ruleset}. {difference}", ruleset=name, difference=difference)


def greet(seen: GameView, waiting: str | None) -> None:
    """Which game this is, and the seal of its dice; ``waiting`` is the room that wasn't over."""
    show(title(seen))
    if seen.room == waiting:
        names = words.listed((seat.name for seat in seen.seats), _)
        show(
            _(
                "The last game goes on: {names}, turn {n} of {turns}. "
                "“yacht play --new” starts another one.",
                names=names,
                n=seen.turn + 1,
                turns=len(seen.seats[0].boxes),
            )
        )
    elif waiting:
        show(_("A game isn’t over yet: after this one “yacht play” goes on with it."))
    show(_("The dice are sealed before the game, and opened after it. Their seed’s fingerprint:"))
    show(seen.fingerprint, whole=True)
    show(_("Enter rolls the dice. ? tells what else you can type."))


def help_lines() -> Table:
    """What can be typed, and what it does."""
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold", no_wrap=True)
    table.add_column()
    for typed, meaning in (
        (_("Enter, r"), _("roll the dice that aren’t held")),
        ("1 3, h 1 3", _("hold dice 1 and 3, or release them if they are held")),
        ("k 4 4", _("hold two dice that show 4 and no others; just k releases all")),
        (
            _("fours, s 4, fh"),
            _("score in Fours or Full House; short names stand beside the boxes"),
        ),
        ("u", _("take the last score back, until dice are rolled")),
        ("c", _("show the card and the dice")),
        ("q", _("leave; the game is saved after every move")),
    ):
        table.add_row(typed, meaning)
    return table


def leave(command: str) -> None:
    """How to go on with a game that was left."""
    show(_("The game is saved. To go on with it:"))
    show(command, whole=True)


def result(seen: GameView) -> None:
    """The end of a game: ranks, card and the opened seal."""
    show("", words.say(seen, _))
    if len(seen.seats) > 1:
        show(drawing.ranks(seen))
    show("", drawing.card(seen), "")
    show(_("The seal is open. The seed, whose SHA-256 is the fingerprint shown at the start:"))
    show(seen.seed or "", whole=True)


def kept(record: Path) -> None:
    """What can be done with the record of a game."""
    show(_("To see the game again, and to check its dice:"))
    for command in ("show", "verify"):
        show(f"yacht {command} {shlex.quote(str(record))}", whole=True)
