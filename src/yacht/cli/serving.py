"""``yacht serve`` and ``yacht backup``."""

import argparse
import sys
from dataclasses import fields
from pathlib import Path

from yacht.cli.parsing import Commands
from yacht.cli.spoken import LANGUAGE, problem
from yacht.cli.stop import Stop
from yacht.settings import MOST_PORT, Settings

_ = LANGUAGE


def add(commands: Commands) -> None:
    """Add both commands to the parser."""
    serve = commands.add_parser("serve", help=_("serve the web pages"))
    for setting in fields(Settings):
        flag = f"--{setting.name.replace('_', '-')}"
        meaning, variable = _(setting.metadata["help"]), f"YACHT_{setting.name.upper()}"
        told = _("{meaning}; or {variable}", meaning=meaning, variable=variable)
        serve.add_argument(flag, help=told)
    serve.set_defaults(run=_serve)
    copy = commands.add_parser(
        "backup", help=_("copy the games to a file, even while the server is running")
    )
    copy.add_argument("file", type=Path)
    copy.add_argument("--data", help=_(Settings.help("data")))
    copy.set_defaults(run=_backup)


def _serve(options: argparse.Namespace) -> None:
    from yacht.web.server import PortInUse, serve  # slow to import: only here

    settings = Settings.read(vars(options))
    for name in Settings.unknown():
        print(_("{name} isn’t a setting of Yacht and has no effect.", name=name), file=sys.stderr)
    try:
        serve(settings, _ready)
    except PortInUse:
        raise Stop(
            _(
                "Port {port} is in use. Stop the other program, or choose another port: "
                "yacht serve --port {other}, or YACHT_PORT={other} make play.",
                port=settings.port,
                other=settings.port + 1 if settings.port < MOST_PORT else settings.port - 1,
            )
        ) from None
    except OSError as error:
        raise Stop(_("The server can’t start: {problem}.", problem=error)) from None


def _ready(address: str) -> None:
    print(_("Yacht is at {address} (Ctrl+C ends it)", address=address), flush=True)


def _backup(options: argparse.Namespace) -> None:
    from yacht.rooms.sqlite import backup  # no other command should wait for it

    settings = Settings.read(vars(options))
    if settings.database and options.data is None:
        raise Stop(
            _(
                "The games are in the database of YACHT_DATABASE: copy it with PostgreSQL’s "
                "pg_dump, or name a data folder with --data."
            )
        )
    target: Path = options.file
    try:
        taken = target.exists()
    except OSError as error:
        raise Stop(
            _("{file} can’t be written: {problem}.", file=target, problem=problem(error))
        ) from None
    if taken:
        raise Stop(_("{file} is there already. Name a new file.", file=target))
    if not settings.file.exists():
        raise Stop(_("There are no games in {folder}.", folder=settings.data))
    backup(settings.file, target)
    print(_("The games are copied to {file}.", file=target))
