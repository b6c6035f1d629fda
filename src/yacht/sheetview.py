"""What anyone may see of a scorecard of real dice: of a game's fields those that it has."""

import msgspec

from yacht.rooms.sheet import Sheet
from yacht.view import boxes_of


class SheetSeat(msgspec.Struct, frozen=True):
    """A column; ``boxes`` has points by box, None where it is open."""

    name: str
    boxes: dict[str, int | None]
    total: int
    rank: int


class SheetView(msgspec.Struct, frozen=True):
    """A scorecard of real dice; ``seat`` is whose turn follows from the boxes filled."""

    ruleset: str
    over: bool
    seats: list[SheetSeat]
    seat: int
    winners: list[int]


def sheet_view(sheet: Sheet) -> SheetView:
    """The sheet as anyone may see it."""
    over, standings = sheet.is_over, sheet.game.standings
    ranks = {standing.seat: standing.rank for standing in standings}
    return SheetView(
        ruleset=sheet.ruleset,
        over=over,
        seats=[
            SheetSeat(player.name, boxes_of(sheet.rules, card), card.total, ranks[seat])
            for seat, (player, card) in enumerate(zip(sheet.players, sheet.cards, strict=True))
        ],
        seat=sheet.seat,
        winners=[standing.seat for standing in standings if over and standing.rank == 1],
    )
