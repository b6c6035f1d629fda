"""``yacht show`` and ``yacht verify``: games as text."""

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from yacht import words
from yacht.cli.parsing import Commands
from yacht.cli.plain import safe
from yacht.cli.spoken import LANGUAGE, problem
from yacht.cli.stop import Stop
from yacht.dicelog import log_of
from yacht.engine.notation import Record, decode_record, verify
from yacht.rooms.room import Room
from yacht.view import view

_ = LANGUAGE

_LONGEST = 1_000_000
"""Bytes of a record; a game of eight who never undo needs less than ten thousand."""


def add(commands: Commands) -> None:
    """Add both commands to the parser."""
    file = _("the record of a game; - reads it from the input")
    shown = commands.add_parser(
        "show",
        help=_("show a game from its record"),
        description=_("Shows a game from its record: the card, every turn and the result."),
    )
    shown.add_argument("file", metavar=_("FILE"), help=file)
    shown.set_defaults(run=_show)
    verified = commands.add_parser(
        "verify",
        help=_("check the dice and scores of a record"),
        description=_(
            "Checks a record: the seed has the fingerprint shown before the game, every roll "
            "follows from the seed, every move was legal, every score is right. The exit status "
            "is 0 if all of this is true."
        ),
    )
    verified.add_argument("file", metavar=_("FILE"), help=file)
    verified.set_defaults(run=_verify)


def _show(options: argparse.Namespace) -> None:
    from yacht.cli import drawing  # Rich takes longer to load than all the rest
    from yacht.cli.announcing import title
    from yacht.cli.screen import show

    record = read(options.file)
    shown = replace(record, names=tuple(map(safe, record.names)))
    room = Room.of(shown)
    seen, log = view("", room, ""), log_of(room)
    show(title(seen), words.outcome(seen, _) if seen.over else words.turn_of(seen, _))
    if seen.over and len(seen.seats) > 1:
        show(drawing.ranks(seen))
    show("", drawing.card(seen), "")
    if log.turns:
        show(drawing.turns(seen, log), _("In brackets: dice that were held."), "")
    show(_("The fingerprint of the seed:"))
    show(seen.fingerprint, whole=True)
    if seen.seed:
        show(_("The seed:"))
        show(seen.seed, whole=True)


def _verify(options: argparse.Namespace) -> None:
    verify(read(options.file))
    print(_(words.SOUND))


def read(file: str) -> Record:
    """The record in a file, or in the input for “-”. Raises Stop and IllegalMove."""
    try:
        content = _content(file)
    except OSError as error:
        raise Stop(
            _("{file} can’t be read: {problem}.", file=file, problem=problem(error))
        ) from None
    if len(content) > _LONGEST:
        raise Stop(_("{file} is too large to be the record of a game.", file=file))
    return decode_record(content)


def _content(file: str) -> bytes:
    """The bytes of a file, at most one more than a record may have."""
    if file == "-":
        return sys.stdin.buffer.read(_LONGEST + 1)
    with Path(file).open("rb") as opened:
        return opened.read(_LONGEST + 1)
