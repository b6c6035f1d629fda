"""``yacht simulate``: the totals of many games that a computer plays alone."""

import argparse
import json
import re
import secrets
from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING

from yacht import counting
from yacht.cli.parsing import Commands, add_ruleset
from yacht.cli.plain import short
from yacht.cli.spoken import LANGUAGE
from yacht.cli.stop import Stop, refusal
from yacht.engine import notation
from yacht.engine.game import Game
from yacht.engine.reasons import IllegalMove, Reason
from yacht.engine.rules import CLASSIC, Ruleset, ruleset_named
from yacht.i18n import N_

if TYPE_CHECKING:
    from rich.table import Table

    from yacht.strategy.players import Level
    from yacht.strategy.summary import Summary

_ = LANGUAGE

_MOST_GAMES = 10_000_000
_SEEDS = range(10**9)
_BAND = 10
"""Totals in a row of the histogram."""
_LONGEST_BAR = 50
_LABELS = len("100–109  100.0%  ")


def add(commands: Commands) -> None:
    """Add the command to the parser."""
    simulate = commands.add_parser(
        "simulate",
        help=_("let a computer play many solo games"),
        description=_("The totals of many solo games that a computer plays."),
        epilog=_("Example: {example}", example="yacht simulate --games 1000000 --level steady"),
    )
    simulate.add_argument(
        "--games",
        default="100000",
        metavar=_("GAMES"),
        help=_("how many, up to 10,000,000 (default: 100,000)"),
    )
    simulate.add_argument(
        "--level",
        default="exact",
        metavar=_("LEVEL"),
        help=_("how well it plays: exact, strong, steady or easy (default: exact)"),
    )
    add_ruleset(simulate, default=CLASSIC.key)
    simulate.add_argument(
        "--seed", metavar=_("SEED"), help=_("a number; the same one plays the same games again")
    )
    simulate.add_argument("--json", action="store_true", help=_("print JSON for programs"))
    simulate.set_defaults(run=_simulate)


def _simulate(options: argparse.Namespace) -> None:
    try:
        ruleset = ruleset_named(options.ruleset)
    except IllegalMove as illegal:
        raise Stop(refusal(illegal), status=2) from None
    games = _whole(
        options.games,
        range(1, _MOST_GAMES + 1),
        N_("The number of games must be from 1 to 10,000,000, not “{value}”."),
    )
    seed = secrets.randbelow(_SEEDS.stop)
    if options.seed is not None:
        seed = _whole(
            options.seed, _SEEDS, N_("A seed is a number of at most 9 digits, not “{value}”.")
        )
    played = _play(_level(options.level), games, seed, ruleset)
    if options.json:
        told = {"level": options.level, "ruleset": ruleset.key, "seed": seed, **asdict(played)}
        print(json.dumps(told))
    else:
        _show(played, options.level, seed, ruleset)


def _whole(typed: str, possible: range, refused: str) -> int:
    """The number that was typed, or a Stop with the sentence that refuses it."""
    if re.fullmatch("[0-9]{1,18}", typed) and int(typed) in possible:
        return int(typed)
    raise Stop(_(refused, value=short(typed)), status=2)


def _level(key: str) -> "Level":
    if key not in notation.LEVELS:
        raise Stop(refusal(IllegalMove(Reason.UNKNOWN_LEVEL, value=key)), status=2)
    from yacht.strategy.players import LEVELS  # loads NumPy

    return LEVELS[key]


def _play(level: "Level", games: int, seed: int, ruleset: Ruleset) -> "Summary":
    from yacht.cli.screen import progress  # Rich takes longer to load than all the rest
    from yacht.strategy.simulate import simulate
    from yacht.strategy.summary import summed_up

    turns = games * len(ruleset.categories)
    with progress(_("Playing"), turns) as told:
        return summed_up(simulate(level, games, seed, ruleset, told))


def _show(played: "Summary", level: str, seed: int, ruleset: Ruleset) -> None:
    from yacht.cli.screen import show
    from yacht.strategy.solo import solved

    best = solved(ruleset).value(Game.new(ruleset).cards[0])
    show(
        _.plural(
            "{n} solo game, {ruleset}, level {level}.",
            "{n} solo games, {ruleset}, level {level}.",
            played.games,
            ruleset=counting.name(ruleset.key, _),
            level=level,
        ),
        "",
        _figures(played, best),
        "",
        _histogram(played),
        "",
        _("Seed {seed} plays the same games again.", seed=seed),
    )


def _figures(played: "Summary", best: float) -> "Table":
    """The mean beside that of best play, and the totals that parts of the games stay within."""
    from rich.table import Table

    error = played.standard_error
    rows = [
        (_("Mean"), _.decimal(played.mean, 2)),
        (_("Standard error"), "–" if error is None else _.decimal(error, 2)),
        (_("Standard deviation"), _.decimal(played.standard_deviation, 2)),
        (_("Exact mean of best play"), _.decimal(best, 2)),
        (_("Lowest total"), _.number(min(played.counts))),
        *(
            (_("{n} in 100 end with at most", n=round(100 * part)), _.number(total))
            for part, total in played.quantiles.items()
        ),
        (_("Highest total"), _.number(max(played.counts))),
    ]
    table = Table.grid(padding=(0, 2))
    table.add_column()
    table.add_column(justify="right")
    for row in rows:
        table.add_row(*row)
    return table


def _histogram(played: "Summary") -> "Table":
    """A row for every ten totals: how many games in a hundred, and a bar."""
    from rich.table import Table

    from yacht.cli.screen import width

    bands = Counter[int]()
    for total, count in played.counts.items():
        bands[total // _BAND] += count
    highest = max(bands.values())
    table = Table.grid(padding=(0, 2))
    table.add_column(justify="right", no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(no_wrap=True)
    room = min(_LONGEST_BAR, max(width() - _LABELS, 1))
    for band in range(min(bands), max(bands) + 1):
        first, count = band * _BAND, bands[band]
        bar = "█" * round(room * count / highest) or "·" * (count > 0)
        table.add_row(f"{first}–{first + _BAND - 1}", _.percent(count / played.games), bar)
    return table
