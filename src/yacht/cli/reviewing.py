"""``yacht review``: what luck gave a game, and what its choices cost."""

import argparse
from dataclasses import replace
from itertools import zip_longest

import msgspec

from yacht import reviewing, words
from yacht.cli.parsing import Commands
from yacht.cli.plain import safe
from yacht.cli.records import read
from yacht.cli.spoken import LANGUAGE
from yacht.rooms.room import Room
from yacht.strategy.review import Review, reviewed
from yacht.view import view

_ = LANGUAGE


def add(commands: Commands) -> None:
    """Add the command to the parser."""
    review = commands.add_parser(
        "review",
        help=_("show what was luck in a game, and what its choices cost"),
        description=_(
            "Compares every choice of a recorded game with the best one: the points that best "
            "play brings on average, what the rolls changed, what the choices cost."
        ),
    )
    review.add_argument(
        "file", metavar=_("FILE"), help=_("the record of a game; - reads it from the input")
    )
    review.add_argument("--json", action="store_true", help=_("print JSON for programs"))
    review.set_defaults(run=_review)


def _review(options: argparse.Namespace) -> None:
    record = read(options.file)
    told = reviewed(record.ruleset, len(record.names), record.events)
    if options.json:
        print(msgspec.json.encode(told).decode())
    else:
        _show(Room.of(replace(record, names=tuple(map(safe, record.names)))), told)


def _show(room: Room, told: Review) -> None:
    from yacht.cli import drawing  # Rich takes longer to load than all the rest
    from yacht.cli.screen import show

    seen = view("", room, "")
    show(words.outcome(seen, _) if seen.over else words.turn_of(seen, _), "")
    show(*reviewing.lines(told, room.names, _), "")
    lost = [{turn.box: _.change(-turn.loss) for turn in seat.turns} for seat in told.seats]
    by_box = [
        [words.box(box.key, _), *(seat.get(box.key, "") for seat in lost)]
        for box in room.ruleset.categories
    ]
    show(_("Cost by box"), drawing.numbers([_("Box"), *room.names], by_box), "")
    luck = [[_.change(turn.luck) for turn in seat.turns] for seat in told.seats]
    by_turn = [[str(n), *turns] for n, turns in enumerate(zip_longest(*luck, fillvalue=""), 1)]
    show(_("Luck by turn"), drawing.numbers([_("Turn"), *room.names], by_turn))
