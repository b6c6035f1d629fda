"""``yacht score``: what every box gives for five dice."""

import argparse
import json

from yacht.cli.parsing import Commands, add_ruleset
from yacht.cli.spoken import LANGUAGE
from yacht.cli.stop import Stop, refusal
from yacht.engine.position import read_face
from yacht.engine.reasons import IllegalMove
from yacht.engine.rules import CLASSIC, Dice, Ruleset, ruleset_named

_ = LANGUAGE


def add(commands: Commands) -> None:
    """Add the command to the parser."""
    score = commands.add_parser(
        "score",
        help=_("show what every box gives for five dice"),
        description=_("What each of the twelve boxes gives for these five dice."),
        epilog=_("Example: {example}", example="yacht score 5 5 5 2 1"),
    )
    score.add_argument("dice", nargs="*", metavar=_("DIE"), help=_("a face, 1 to 6; give five"))
    add_ruleset(score, default=CLASSIC.key)
    score.add_argument("--json", action="store_true", help=_("print JSON for programs"))
    score.set_defaults(run=_score)


def _score(options: argparse.Namespace) -> None:
    try:
        ruleset = ruleset_named(options.ruleset)
        dice = ruleset.check([read_face(typed) for typed in options.dice])
    except IllegalMove as illegal:
        raise Stop(refusal(illegal), status=2) from None
    if options.json:
        print(json.dumps(_values(dice, ruleset)))
    else:
        _draw(dice, ruleset)


def _values(dice: Dice, ruleset: Ruleset) -> dict[str, object]:
    scores = {category.key: category.score(dice) for category in ruleset.categories}
    return {"ruleset": ruleset.key, "dice": dice, "scores": scores}


def _draw(dice: Dice, ruleset: Ruleset) -> None:
    from yacht.cli import drawing, screen  # Rich takes longer to load than all the rest

    screen.show(drawing.dice(dice), "", drawing.boxes(dice, ruleset))
