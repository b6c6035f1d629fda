"""What anyone may see of a scorecard of real dice, in the fields that a game's card needs."""

import msgspec

from yacht.rooms.sheet import Sheet
from yacht.view import SeatView, boxes_of


class SheetView(msgspec.Struct, frozen=True):
    """A scorecard of real dice, in the fields of a game that its card needs.

    ``seat`` is whose turn follows from the boxes filled; nobody acts on it here.
    """

    ruleset: str
    over: bool
    seats: list[SeatView]
    seat: int
    winners: list[int]
    may_act: bool = False
    dice: tuple[int, ...] = ()
    friends: None = None


def sheet_view(sheet: Sheet) -> SheetView:
    """The sheet as anyone may see it."""
    over, standings = sheet.is_over, sheet.game.standings
    ranks = {standing.seat: standing.rank for standing in standings}
    return SheetView(
        ruleset=sheet.ruleset,
        over=over,
        seats=[
            SeatView(
                name=player.name,
                computer="",
                boxes=boxes_of(sheet.rules, card),
                total=card.total,
                rank=ranks[seat],
                assisted=False,
                yours=False,
                away=False,
                stand_in=False,
                helped=False,
            )
            for seat, (player, card) in enumerate(zip(sheet.players, sheet.cards, strict=True))
        ],
        seat=sheet.seat,
        winners=[standing.seat for standing in standings if over and standing.rank == 1],
    )
