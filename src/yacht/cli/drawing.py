"""Dice, scorecard, turns and ranks, drawn with signs for a terminal of any width."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from rich.box import Box
from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from yacht import advising, words
from yacht.cli.screen import width, width_of
from yacht.cli.spoken import LANGUAGE
from yacht.cli.typed import SHORT_NAMES
from yacht.dicelog import LogView
from yacht.engine.game import Rolled
from yacht.engine.notation import encode
from yacht.engine.rules import RULESETS, Category, Dice, Ruleset
from yacht.strategy.advice import Advice
from yacht.view import GameView, TurnView

_ = LANGUAGE

_DIE = 7
_BETWEEN = " " * max(1, len(_("Held")) + 1 - _DIE)
_PITCH = _DIE + len(_BETWEEN)
_GAP = 3
_PAD = 2
_LETTERS = (24, 16, 12, 8)
"""How many letters of each name a card shows: the most that fit."""

# A hairline below the head and above the foot. It is ASCII to Rich, which would draw a full
# grid in its place: the stream has a sign for the line.
_LINES = Box("    \n    \n ── \n    \n    \n ── \n    \n    \n", ascii=True)

_PIPS = {
    1: ("     ", "  ●  ", "     "),
    2: ("●    ", "     ", "    ●"),
    3: ("●    ", "  ●  ", "    ●"),
    4: ("●   ●", "     ", "●   ●"),
    5: ("●   ●", "  ●  ", "●   ●"),
    6: ("●   ●", "●   ●", "●   ●"),
}


def dice(faces: Sequence[int], held: Collection[int] = ()) -> Text:
    """Dice in a row, held ones with a double edge; as numbers if there is no room to draw."""
    if _dice_width(faces) > width():
        return Text(words.listed(faces, _))
    drawn = [_die(face, position in held) for position, face in enumerate(faces)]
    return Text("\n").join(Text(_BETWEEN).join(row) for row in zip(*drawn, strict=True))


def tray(faces: Sequence[int], held: Collection[int]) -> Text:
    """The dice on the table, below each its position and whether it is held."""
    if _dice_width(faces) > width():
        return Text("\n").join(
            Text(f"{words.die(position, face, _)} {_held(position, held)}".rstrip())
            for position, face in enumerate(faces)
        )
    places = range(len(faces))
    numbers = _BETWEEN.join(f"{position + 1:^{_DIE}}" for position in places)
    cells = (f"{_held(position, held):^{_DIE}}" for position in places)
    labels = "".join(cell.ljust(_PITCH) for cell in cells)[: len(places) * _PITCH - 1]
    return Text("\n").join([dice(faces, held), Text(numbers), Text(labels, style="bold")])


def scene(seen: GameView, held: Collection[int], *, whole: bool = False) -> RenderableType:
    """The card above the dice, or beside them where both fit.

    If the card takes more than one table, only the one of the player on turn, or the ``whole``.
    """
    spread, letters = _layout(seen, short_names=True)
    cards = [
        _card(seen, seats, letters, short_names=True)
        for seats in spread
        if whole or seen.seat in seats
    ]
    if not seen.dice:
        return Group(*cards)
    drawn = tray(seen.dice, held)
    card_width = _card_width(seen, spread[0], letters, short_names=True)
    if len(spread) > 1 or card_width + _GAP + _dice_width(seen.dice) > width():
        return Group(*cards, drawn)
    beside = Table.grid(padding=(0, _GAP))
    beside.add_column()
    beside.add_column(vertical="middle")
    beside.add_row(cards[0], drawn)
    return beside


def card(seen: GameView) -> RenderableType:
    """The scorecard of all players."""
    spread, letters = _layout(seen, short_names=False)
    return Group(*(_card(seen, seats, letters, short_names=False) for seats in spread))


def boxes(faces: Dice, ruleset: Ruleset) -> Table:
    """What every box gives for these dice."""
    table = _columns(_("Box"))
    table.add_column(_("Points"), justify="right")
    for category, ends in _sections(ruleset):
        points = str(category.score(faces))
        table.add_row(words.box(category.key, _), points, end_section=ends)
    return table


def choices(advice: Advice, most: int) -> Table:
    """The best choices with what they are worth and give up."""
    aimed = advice.ranking.expected_total is None
    table = _columns(_("Option"))
    table.add_column(_("Chance") if aimed else _("Expected total"), justify="right")
    table.add_column(_("Cost"), justify="right")
    for choice in advice.ranking.choices[:most]:
        lost = advising.loss(choice.loss, advice, _)
        table.add_row(advising.play(choice, advice, _), advising.worth(choice, _), lost)
    return table


def turns(seen: GameView, log: LogView) -> RenderableType:
    """Every turn: its rolls, held dice in brackets, the box and its points."""
    rows = [
        (
            str(turn.turn + 1),
            seen.seats[turn.seat].name,
            "" if turn.box is None else words.box(turn.box, _),
            "" if turn.points is None else str(turn.points),
            _rolls(turn),
        )
        for turn in log.turns
    ]
    table = _columns(_("Turn"), _("Player"), _("Box"), _("Points"), _("Rolls"))
    table.columns[3].justify = "right"
    return _filled(table, rows)


def _filled(table: Table, rows: Iterable[Sequence[str]]) -> RenderableType:
    """The table with its rows; one line of text a row where the screen is too narrow for it."""
    for row in rows:
        table.add_row(*row)
    return table if width_of(table) <= width() else "\n".join(map("  ".join, rows))


def ranks(seen: GameView) -> Table:
    """The players from the highest total to the lowest."""
    table = Table.grid(padding=(0, 2))
    table.add_column(justify="right")
    table.add_column()
    table.add_column(justify="right")
    for seat in sorted(seen.seats, key=lambda seat: seat.rank):
        style = "bold" if seat.rank == 1 else ""
        table.add_row(str(seat.rank), seat.name, _.number(seat.total), style=style)
    return table


def numbers(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> RenderableType:
    """A table of numbers after a column of names."""
    table = _columns(*titles)
    for column in table.columns[1:]:
        column.justify = "right"
    return _filled(table, rows)


def _die(face: int, held: bool) -> list[Text]:  # noqa: FBT001 (one of two looks)
    corners, flat, side = ("╔╗╚╝", "═", "║") if held else ("┌┐└┘", "─", "│")
    edge = flat * (_DIE - 2)
    rows = [
        f"{corners[0]}{edge}{corners[1]}",
        *(f"{side}{pips}{side}" for pips in _PIPS[face]),
        f"{corners[2]}{edge}{corners[3]}",
    ]
    return [Text(row, style="bold" if held else "") for row in rows]


def _dice_width(faces: Sequence[int]) -> int:
    return len(faces) * _PITCH - len(_BETWEEN)


def _held(position: int, held: Collection[int]) -> str:
    return _("Held") if position in held else ""


def _layout(seen: GameView, *, short_names: bool) -> tuple[list[range], int]:
    """How to spread the seats over few tables, and how many letters of their names then fit."""
    most, spread = len(seen.seats), list[range]()
    for size in range(most, 0, -1):
        spread = [range(first, min(first + size, most)) for first in range(0, most, size)]
        for letters in _LETTERS:
            widths = (
                _card_width(seen, seats, letters, short_names=short_names) for seats in spread
            )
            if max(widths) <= width():
                return spread, letters
    return spread, _LETTERS[-1]


def _card_width(seen: GameView, seats: range, letters: int, *, short_names: bool) -> int:
    """What a card needs; Rich would measure the same, in a tenth of a second."""
    keys = seen.seats[0].boxes
    names = max(cell_len(name) for name in (_("Total"), *(words.box(key, _) for key in keys)))
    columns = (_column_width(seen.seats[seat].name, letters) for seat in seats)
    return names + (_PAD + 2) * short_names + sum(_PAD + column for column in columns)


def _column_width(name: str, letters: int) -> int:
    """Room for a name and the sign before it, and for points in brackets."""
    return max(1 + min(cell_len(name), letters), len("(50)"))


def _card(seen: GameView, seats: range, letters: int, *, short_names: bool) -> Table:
    table = _columns()
    table.show_footer = True
    table.add_column(_("Box"), footer=_("Total"))
    if short_names:
        table.add_column(style="dim")
    for seat in seats:
        column, on_turn = seen.seats[seat], seat == seen.seat and not seen.over
        name = Text(column.name, style="bold" if on_turn else "not bold")
        name.truncate(letters)
        table.add_column(
            Text("▸" if on_turn else " ").append_text(name),
            footer=f"{_.number(column.total)} ",
            justify="right",
            width=_column_width(column.name, letters),
            no_wrap=True,
        )
    for category, ends in _sections(RULESETS[seen.ruleset]):
        key = category.key
        names = [words.box(key, _), *([SHORT_NAMES[key]] if short_names else [])]
        table.add_row(*names, *(_box(seen, seat, key) for seat in seats), end_section=ends)
    return table


def _box(seen: GameView, seat: int, key: str) -> Text:
    """A written score, or in brackets what the dice on the table would give; digits in line."""
    written = seen.seats[seat].boxes[key]
    if written is not None:
        return Text(f"{written} ")
    if seat == seen.seat and key in seen.points:
        return Text(f"({seen.points[key]})", style="dim italic")
    return Text()


def _sections(ruleset: Ruleset) -> Iterator[tuple[Category, bool]]:
    """The boxes in card order; True with the last one of a section."""
    for section in ruleset.sections:
        for category in section:
            yield category, category is section[-1]


def _rolls(turn: TurnView) -> str:
    rolls = (Rolled(frozenset(roll.kept), tuple(roll.dice)) for roll in turn.rolls)
    return " ".join(map(encode, rolls))


def _columns(*titles: str) -> Table:
    """A table with these columns, ruled with hairlines."""
    table = Table(box=_LINES, show_edge=False, pad_edge=False, padding=(0, 0, 0, _PAD - 1))
    for title in titles:
        table.add_column(title)
    return table
