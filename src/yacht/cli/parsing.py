"""What the commands' arguments have in common."""

import argparse
from typing import Any, Protocol

from yacht import counting
from yacht.cli.spoken import LANGUAGE
from yacht.engine.rules import RULESETS

_ = LANGUAGE


class Commands(Protocol):
    """Where a command adds itself: what is needed of a type that argparse keeps private."""

    def add_parser(self, name: str, **about: Any) -> argparse.ArgumentParser:
        """The parser of a new command."""
        ...


def add_ruleset(command: argparse.ArgumentParser, default: str | None) -> None:
    """Add the choice of a ruleset, with what makes the difference."""
    known = " ".join(f"{key}: {counting.difference(key, _)}" for key in RULESETS)
    command.add_argument(
        "--ruleset",
        default=default,
        metavar=_("RULESET"),
        help=_("which rules. {known}", known=known),
    )
