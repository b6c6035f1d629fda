"""The scorekeeper's modules agree with the engine: points, advice, and what follows from a log."""

import json
import random
from itertools import pairwise
from typing import Any

import pytest

from tests.browser.cards import opened
from tests.browser.conftest import Visits
from tests.engine.strategies import HOSTILE_NAMES
from yacht.engine.game import Scorecard
from yacht.engine.reasons import IllegalMove
from yacht.engine.rules import RULESETS, Ruleset, score
from yacht.rooms.names import clean_name
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
                    card = sheet.undone(card, card.log.at(-1), rules, 9);
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


NAMES = [
    *HOSTILE_NAMES,
    "a\u0301\u0302",
    "\u0958" * 24,
    "A" * 24,
    "A" * 24 + "\u0301",
    "A" * 25,
    "A" * 23 + " B C",
    "A" + "\u0301" * 95,
    "A" + "\u0301" * 96,
    "🎲" * 24,
    "🎲" * 25,
    "\u200f\u200e",
    "\u2066Ana\u2069",
    "Ana\u200dB",
    "\u3164\u2800",
    "\ufeff",
    "Ana\ufeff",
    "Ana \u3000\x1f B\x85",
    "Ana\x00B",
    "\ud800",
    "Ana\udc00",
    "\ue000",
    "\uffff",
    "\ufdd0Ana",
    "\U0001f9ff\U00038000",
    "e" + "\u0301" * 300 + "B",
    "\U000e0041Ana",
    "e\u0301 \u0301",
]


def _accepted(name: str) -> str:
    """The name as the server has it, or nothing where it refuses it."""
    try:
        return clean_name(name)
    except IllegalMove:
        return ""


def test_names_are_those_of_the_server(visits: Visits) -> None:
    """What the server accepts is the same here; what it refuses becomes a name that it accepts."""
    page = opened(visits)
    found: list[tuple[list[int], str]] = page.evaluate(
        """async (typed) => {
            const told = JSON.parse(document.getElementById("told").textContent);
            const sheet = await import(document.getElementById("sheet-module").href);
            const rules = { classic: { boxes: [], given: [] } };
            return typed.map((points) => {
                const name = sheet.named(String.fromCodePoint(...points), told);
                const card = sheet.fresh([name || "Player 1"], "classic", "0123456789", 5);
                const fault = sheet.fault({ ...card, finished: 5 }, rules, told);
                return [Array.from(name, (sign) => sign.codePointAt(0)), fault?.problem ?? ""];
            });
        }""",
        [[*map(ord, name)] for name in NAMES],
    )
    for typed, (points, fault) in zip(NAMES, found, strict=True):
        name = "".join(map(chr, points))
        assert fault == "", ascii(typed)
        assert name == (_accepted(typed) or name), ascii(typed)
        assert name == "" or name == _accepted(name), ascii(typed)
    assert sum(1 for points, _ in found if points) > 30
