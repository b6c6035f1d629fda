"""``yacht play``: people who share a terminal play a game."""

import argparse
import shlex
from pathlib import Path

from yacht.cli.parsing import Commands, add_ruleset
from yacht.cli.spoken import LANGUAGE, problem
from yacht.cli.stop import Stop, refusal
from yacht.engine.notation import Record, encode_record
from yacht.engine.reasons import IllegalMove
from yacht.settings import Settings

_ = LANGUAGE


def add(commands: Commands) -> None:
    """Add the command to the parser."""
    play = commands.add_parser(
        "play",
        help=_("play in this terminal"),
        description=_(
            "Play in this terminal, solo or passing it round. Every move is saved at once; "
            "“yacht play” with nothing after it goes on with the last game that isn’t over."
        ),
        epilog=_("Example: {example}", example="yacht play Ana Ben --ruleset sum"),
    )
    play.add_argument(
        "names", nargs="*", metavar=_("NAME"), help=_("who plays, 1 to 8, the first one starts")
    )
    play.add_argument(
        "--computer",
        action="append",
        default=[],
        metavar=_("LEVEL"),
        help=_("play against a computer: exact, strong, steady or easy; again for one more"),
    )
    add_ruleset(play, default=None)
    play.add_argument(
        "--new", action="store_true", help=_("start a new game, with the players of the last one")
    )
    play.add_argument("--data", help=_(Settings.help("data")))
    play.set_defaults(run=_play)


def _play(options: argparse.Namespace) -> None:
    from yacht.cli import announcing, sitting  # the store and Rich are slow to load: only here

    settings = Settings.read({"data": options.data})
    with sitting.hosting(settings.made_file()) as (runner, host):
        waiting = runner.run(sitting.unfinished(host))
        asked = options.new or options.names or options.ruleset or options.computer
        if waiting and not asked:
            room_id = waiting
        else:
            try:
                opening = sitting.opened(host, options.ruleset, options.names, options.computer)
                room_id = runner.run(opening)
            except IllegalMove as illegal:
                raise Stop(refusal(illegal), status=2) from None
        game = sitting.Sitting(runner, host, room_id)
        announcing.greet(game.seen, waiting)
        if game.play():
            announcing.result(game.seen)
            file = settings.data / "records" / f"yacht-{room_id}.txt"
            announcing.kept(_keep(game.room.record, file))
        else:
            announcing.leave(_again(options))


def _again(options: argparse.Namespace) -> str:
    """The command that goes on with the game."""
    return "yacht play" + (f" --data {shlex.quote(options.data)}" if options.data else "")


def _keep(record: Record, file: Path) -> Path:
    """Write a record for people to keep; the store has the game as well."""
    try:
        file.parent.mkdir(exist_ok=True)
        file.write_text(encode_record(record), encoding="utf-8", newline="\n")
    except OSError as error:
        raise Stop(
            _(
                "The record can’t be written to {file}: {problem}.",
                file=file,
                problem=problem(error),
            )
        ) from None
    return file
