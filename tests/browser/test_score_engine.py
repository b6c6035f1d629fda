"""The scorekeeper's modules agree with the engine: points, advice, and what follows from a log."""

import json
import random
from itertools import pairwise
from typing import Any

import pytest

from tests.browser.cards import opened
from tests.browser.conftest import Visits
from yacht.engine.game import Scorecard
from yacht.engine.rules import RULESETS, Ruleset, score
from yacht.strategy.solo import solved

POSITIONS = 500
"""For each ruleset."""

_TABLE = """async (key) => {
    const told = JSON.parse(document.getElementById("told").textContent);
    const { Table } = await import(document.getElementById("coach-module").href);
    const content = await (await fetch(told.rulesets[key].table)).arrayBuffer();
    return new Table(told.rolls, told.rulesets[key].boxes, content);
}"""

BOTH = pytest.mark.parametrize("ruleset", RULESETS.values(), ids=list(RULESETS))


@BOTH
def test_all_points_are_the_engines(visits: Visits, ruleset: Ruleset) -> None:
    """All 252 rolls, shuffled, in all 12 boxes; and every box offers the points it can have."""
    page, chance = opened(visits), random.Random(3)
    rolls = ["".join(map(str, roll)) for roll in ruleset.rolls_sorted()]
    shuffled = ["".join(chance.sample(roll, 5)) for roll in rolls]
    shown: dict[str, Any] = page.evaluate(
        f"""async ({{ key, rolls }}) => {{
            const table = await ({_TABLE})(key);
            const all = (roll) => table.boxes.map((_, place) => table.score(roll, place));
            const points = rolls.map(all);
            return {{ boxes: table.boxes, points, given: table.given }};
        }}""",
        {"key": ruleset.key, "rolls": shuffled},
    )
    boxes = [category.key for category in ruleset.categories]
    assert shown["boxes"] == boxes
    assert shown["points"] == [
        [score([*map(int, roll)], box, ruleset) for box in boxes] for roll in shuffled
    ]
    assert shown["given"] == [sorted(ruleset.given(box)) for box in boxes]


def _position(chance: random.Random, ruleset: Ruleset) -> dict[str, Any]:
    column = [
        chance.choice(sorted(ruleset.given(box.key))) if chance.random() < 0.5 else None
        for box in ruleset.categories
    ]
    column[chance.randrange(12)] = None
    dice = "".join(str(chance.randint(1, 6)) for _ in range(5))
    return {"column": column, "dice": dice, "left": chance.randrange(3)}


@BOTH
def test_the_coach_is_the_solver(visits: Visits, ruleset: Ruleset) -> None:
    """On random cards, dice and rolls left, every choice is there and worth the same to 1e-9."""
    chance = random.Random(7)
    positions = [_position(chance, ruleset) for _ in range(POSITIONS)]
    page = opened(visits)
    told: str = page.evaluate(
        f"""async ({{ key, positions }}) => {{
            const table = await ({_TABLE})(key);
            const rank = ({{ column, dice, left }}) => table.rank(column, dice, left);
            return JSON.stringify(positions.map(rank));
        }}""",
        {"key": ruleset.key, "positions": positions},
    )
    ranked: list[list[dict[str, Any]]] = json.loads(told)
    solver, keys = solved(ruleset), [category.key for category in ruleset.categories]
    for at, choices in zip(positions, ranked, strict=True):
        dice = [*map(int, at["dice"])]
        right = solver.rank(Scorecard(tuple(at["column"])), dice, at["left"])
        known = {one.score or "".join(map(str, one.keep or ())): one.worth for one in right}
        worth: dict[str, float] = {
            one["keep"] if one["place"] is None else keys[one["place"]]: one["worth"]
            for one in choices
        }
        assert len(choices) == len(right)
        assert worth.keys() == known.keys()
        assert max(abs(worth[choice] - known[choice]) for choice in known) < 1e-9
        assert next(iter(worth)) == next(iter(known)), at
        ordered = [*worth.values()]
        assert all(one > other - 1e-8 for one, other in pairwise(ordered))


def _log(chance: random.Random, players: int, ruleset: Ruleset) -> list[tuple[int, str, Any]]:
    return [
        (
            chance.randrange(players),
            (box := chance.choice(ruleset.categories).key),
            chance.choice([None, *ruleset.given(box)]),
        )
        for _ in range(chance.randrange(1, 200))
    ]


@BOTH
def test_a_card_is_the_fold_of_its_log(visits: Visits, ruleset: Ruleset) -> None:
    """After any changes in any order the last one counts in each box, and undo takes back each.

    Turn, totals, what is still possible and ranks follow from the boxes as the rules say.
    """
    page, chance = opened(visits), random.Random(11)
    logs = [_log(chance, chance.randint(1, 8), ruleset) for _ in range(30)]
    evaluated: str = page.evaluate(
        f"""async ({{ key, logs }}) => {{
            const rules = await ({_TABLE})(key);
            const sheet = await import(document.getElementById("sheet-module").href);
            return JSON.stringify(logs.map((log) => {{
                const names = Array.from({{ length: 8 }}, (_, n) => `${{n}}`);
                let card = sheet.fresh(names, key, "0123456789", 5);
                const states = [];
                for (const change of log) {{
                    const next = sheet.entered(card, change, rules, 9);
                    if (next !== card) states.push(JSON.stringify(sheet.fold(card, rules)));
                    card = next;
                }}
                const columns = sheet.fold(card, rules);
                const totals = columns.map(sheet.total);
                const told = [columns, sheet.onTurn(columns), totals, sheet.ranks(totals),
                    columns.map((column) => sheet.possible(column, rules))];
                while (states.length) {{
                    card = sheet.undone(card, rules, 9);
                    if (JSON.stringify(sheet.fold(card, rules)) !== states.pop()) return "undo";
                }}
                return card.log.length ? "left" : told;
            }}));
        }}""",
        {"key": ruleset.key, "logs": logs},
    )
    found: list[Any] = json.loads(evaluated)
    boxes = [category.key for category in ruleset.categories]
    for log, told in zip(logs, found, strict=True):
        last = {(player, box): points for player, box, points in log}
        columns = [[last.get((player, box)) for box in boxes] for player in range(8)]
        filled = [12 - column.count(None) for column in columns]
        sums = [sum(points or 0 for points in column) for column in columns]
        turn = None if min(filled) == 12 else filled.index(min(filled))
        most = [
            sum(
                ruleset.most(box) if points is None else points
                for box, points in zip(boxes, one, strict=True)
            )
            for one in columns
        ]
        ranks = [1 + sum(other > mine for other in sums) for mine in sums]
        assert told == [columns, turn, sums, ranks, most]
