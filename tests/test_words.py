"""What the status message says of a turn that its player didn't end."""

import pytest

from tests.rooms.friends import ANA, BEN, begun, written
from yacht import words
from yacht.engine.game import Keep, Score
from yacht.i18n import ENGLISH
from yacht.rooms import away
from yacht.rooms.table import Table
from yacht.view import view


def said(table: Table) -> str:
    return words.say(view("room", table.room, BEN), ENGLISH)


@pytest.mark.parametrize(
    ("clock", "told"),
    [
        (0, "Ana was skipped"),
        (30, "Ana’s time ran out"),
    ],
)
def test_who_did_not_end_their_turn(clock: int, told: str) -> None:
    """A skip and a clock are told as such, with the points of docs/sealed-dice.md's first roll."""
    table = begun(ANA, BEN, clock=clock)
    ended = away.expire(table, 31.0) if clock else away.skip(table, BEN, table.room.seq)
    assert said(written(table, ended)) == f"{told}: 12 points in Choice. Your turn."


def test_who_did() -> None:
    """A person's own score is told as theirs, also after the clock has run for a while."""
    table = begun(ANA, BEN, clock=30)
    table = written(table, table.act(ANA, table.room.seq, Keep(), ()))
    table = written(table, table.act(ANA, table.room.seq, Score("choice"), ()))
    assert said(table) == "Ana wrote 12 points in Choice. Your turn."
