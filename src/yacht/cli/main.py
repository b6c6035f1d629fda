"""Which commands there are, and how each ends: at most one sentence, and an exit status."""

import argparse
import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from yacht.cli.plain import fit_streams, safe
from yacht.cli.spoken import LANGUAGE, problem, translate_argparse

_ = LANGUAGE
_MODULES = {
    "play": "playing",
    "score": "scoring",
    "advise": "advising",
    "simulate": "simulating",
    "show": "records",
    "verify": "records",
    "review": "reviewing",
    "serve": "serving",
    "backup": "serving",
    "move": "moving",
}
"""The module of each command, in the order of the help. A command loads its own alone."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command. Exit status: 0, 1 if it failed, 2 if it was called wrongly."""
    gc.set_threshold(50_000)  # what a command loads isn't garbage: not to look for any saves 20 ms
    fit_streams()
    translate_argparse()
    try:
        options = _parser(arguments or sys.argv[1:]).parse_args(arguments)
        options.run(options)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        _let_go_of_output()
        if not isinstance(error, BrokenPipeError):  # whoever read our output has gone
            sentence = _("The output can’t be written: {problem}.", problem=problem(error))
            print(sentence, file=sys.stderr)
        return 1
    except Exception as error:  # noqa: BLE001 (those that aren't told are raised again)
        from yacht.cli.faults import told  # knows the stores: only when something went wrong

        sentence, status = told(error)
        print(safe(sentence), file=sys.stderr)
        return status
    return 0


class _Version(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_arguments: Any) -> None:
        from importlib.metadata import version  # as slow as all the rest of a short command

        print(version("yacht"))
        parser.exit()


def _parser(arguments: Sequence[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "yacht",
        description=_("Yacht, the classic five-dice game."),
        epilog=_("“yacht COMMAND --help” tells more about a command."),
    )
    parser.add_argument("--version", action=_Version, nargs=0, help=_("print the version"))
    commands = parser.add_subparsers(required=True, metavar=_("COMMAND"))
    own = [_MODULES[named] for named in arguments[:1] if named in _MODULES]
    for module in own or dict.fromkeys(_MODULES.values()):
        import_module(f"yacht.cli.{module}").add(commands)
    return parser


def _let_go_of_output() -> None:
    """Let Python's last flush succeed, or it would complain once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
