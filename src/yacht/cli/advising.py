"""``yacht advise``: every choice for dice on a card, and why the best one is."""

import argparse
import os

import msgspec

from yacht import advising
from yacht.cli.parsing import Commands, add_ruleset
from yacht.cli.spoken import LANGUAGE
from yacht.cli.stop import Stop, refusal
from yacht.engine.position import Position, read_position, read_target
from yacht.engine.reasons import IllegalMove
from yacht.engine.rules import CLASSIC
from yacht.strategy.advice import Advice, advise

_ = LANGUAGE

_SHOWN = 10
"""Rows for people; the rest are of little use to them, and JSON has all."""


def add(commands: Commands) -> None:
    """Add the command to the parser."""
    example = "yacht advise --dice 1-2-2-4-6 --rolls-left 2 --filled fours=16,ones"
    command = commands.add_parser(
        "advise",
        help=_("show the best play for dice on a card"),
        description=_("Every choice for these dice with its expected total, the best first."),
        epilog=_("Example: {example}", example=example),
    )
    command.add_argument("--dice", required=True, metavar="1-2-2-4-6", help=_("the dice rolled"))
    command.add_argument(
        "--rolls-left", required=True, metavar="2", help=_("how many rolls are left, 0 to 2")
    )
    command.add_argument(
        "--filled",
        default="",
        metavar="fours=16,ones",
        help=_("the boxes that are filled; points that aren’t given count as 0"),
    )
    add_ruleset(command, default=CLASSIC.key)
    command.add_argument(
        "--target",
        metavar="200",
        help=_(
            "rank by the chance of reaching this total instead; on an empty card this takes a "
            "few seconds"
        ),
    )
    command.add_argument("--json", action="store_true", help=_("print JSON for programs"))
    command.set_defaults(run=_advise)


def _advise(options: argparse.Namespace) -> None:
    try:
        at = read_position(options.dice, options.rolls_left, options.filled, options.ruleset)
        target = None if options.target is None else read_target(options.target)
    except IllegalMove as illegal:
        raise Stop(refusal(illegal), status=2) from None
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # more take longer to start than to solve
    advice = advise(at.card, at.dice, at.rolls_left, at.ruleset, target)
    if options.json:
        print(msgspec.json.encode(advice.ranking).decode())
    else:
        _show(at, advice)


def _show(at: Position, advice: Advice) -> None:
    from yacht.cli import drawing, screen  # Rich takes longer to load than all the rest

    best = advice.ranking.best
    screen.show(
        drawing.dice(at.dice, at.game.holding(best.keep or ()).positions),
        "",
        advising.play(best, advice, _),
        advising.reason(advice, _),
        advising.tip(advice, _),
        drawing.choices(advice, _SHOWN),
    )
