"""``yacht move``."""

import argparse
import asyncio
from collections import Counter

from yacht.cli.parsing import Commands
from yacht.cli.spoken import LANGUAGE
from yacht.cli.stop import Stop
from yacht.i18n import N_
from yacht.rooms.moving import Moved, Outcome, Source, count, move
from yacht.settings import Settings

_ = LANGUAGE

_WRONG = {
    Outcome.DIFFERENT: N_("The game {room} is there, but not as it is here."),
    Outcome.UNREADABLE: N_("The game {room} can’t be read."),
}
_WRONG_SHEETS = {
    Outcome.DIFFERENT: N_("The scorecard {sheet} is there, but not as it is here."),
    Outcome.UNREADABLE: N_("The scorecard {sheet} can’t be read."),
}


def add(commands: Commands) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser("move", help=_("copy the games to a PostgreSQL database"))
    parser.add_argument("--to", required=True, metavar="postgresql://…", help=_("the database"))
    parser.add_argument("--data", help=_(Settings.help("data")))
    parser.set_defaults(run=_move)


def _move(options: argparse.Namespace) -> None:
    from yacht.rooms.sqlite import Sqlite
    from yacht.web.server import alone_in, open_postgres

    settings = Settings.read({"data": options.data})
    if not settings.file.exists():
        raise Stop(_("There are no games in {folder}.", folder=settings.data))
    with alone_in(settings.data):
        target = open_postgres("--to", options.to)
        asyncio.run(_moved(Sqlite(settings.file), target))


async def _moved(source: Source, target: Source) -> None:
    try:
        await _tell(source, target)
    finally:
        await source.close()
        await target.close()


async def _tell(source: Source, target: Source) -> None:
    """Move all, and say what became of it. Raises Stop unless all is there."""
    from yacht.cli.screen import progress

    copied, there, wrong = Counter[bool](), Counter[bool](), list[Moved]()
    left = Counter(dict(enumerate(await count(source))))
    with progress(_("Games"), left[0] + left[3]) as more:
        async for moved in move(source, target):
            more(1)
            left.subtract(dict(enumerate(moved.equal)))
            copied[moved.is_sheet] += moved.outcome is Outcome.COPIED
            there[moved.is_sheet] += moved.outcome is Outcome.THERE
            if moved.outcome in _WRONG:
                wrong.append(moved)
    for moved in wrong:
        if moved.is_sheet:
            print(_(_WRONG_SHEETS[moved.outcome], sheet=moved.id))
        else:
            print(_(_WRONG[moved.outcome], room=moved.id))
    print(_.plural("{n} game is copied.", "{n} games are copied.", copied[False]))
    if copied[True]:
        print(_.plural("{n} scorecard is copied.", "{n} scorecards are copied.", copied[True]))
    if there[False]:
        print(
            _.plural("{n} game was there already.", "{n} games were there already.", there[False])
        )
    if there[True]:
        print(
            _.plural(
                "{n} scorecard was there already.",
                "{n} scorecards were there already.",
                there[True],
            )
        )
    if wrong or any(left.values()):
        raise Stop(_("Not everything is in the database. Nothing was changed here."))
    print(_("Every entry was compared: all games and scorecards are in the database."))
