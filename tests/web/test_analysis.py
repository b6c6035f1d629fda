"""The analysis: a page that works by links and a form alone, and its JSON twin."""

import asyncio
import json
import threading
from urllib.parse import urlsplit

import pytest

from tests.web.plain import Element, Site, Visitor
from tests.web.schema import problems
from yacht.cli import main
from yacht.engine.position import read_position
from yacht.engine.rules import RULESETS
from yacht.strategy.advice import advise
from yacht.web import analysis

API = "/api/v1/advice"


def shown(page: Element) -> list[list[str]]:
    """The rows of the ranking as they are heard."""
    rows = page.all(".all tbody tr")
    return [[cell.heard for cell in row.children if isinstance(cell, Element)] for row in rows]


def query(visitor: Visitor) -> str:
    """What the address of the page says."""
    return urlsplit(str(visitor.answer.url)).query


def dice(page: Element) -> list[str]:
    return [die["aria-label"] for die in page.all(".die")]


def boxes(page: Element) -> dict[str, str]:
    """What is chosen in each box of the card."""
    return {
        select["name"]: next(one for one in select.all("option") if "selected" in one)["value"]
        for select in page.all("select")
    }


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_whole_ranking_is_shown(ana: Visitor, ruleset: str) -> None:
    """Every choice is a row with its expected total and loss, one decimal each, the best first."""
    page = ana.open(f"/analysis?ruleset={ruleset}&dice=23455&rolls=1&filled=ones:3,choice:20")
    at = read_position("23455", "1", "ones:3,choice:20", ruleset)
    choices = advise(at.card, at.dice, 1, at.ruleset).ranking.choices
    rows = shown(page)
    assert [row[1:] for row in rows] == [
        [f"{choice.expected_total:.1f}", f"{choice.loss:.1f}"] for choice in choices
    ]
    assert rows[0][0] == "Hold 2-3-4-5" == page.one(".best h2").text
    assert {"Roll all five dice", "Hold 5-5", "Score 10 in Fives", "Score 0 in Yacht"} <= {
        row[0] for row in rows
    }
    assert [head["scope"] for head in page.all(".all thead th")] == ["col"] * 3
    assert {row["scope"] for row in page.all(".all tbody th")} == {"row"}


def test_the_address_is_the_state(ana: Visitor) -> None:
    """Dice, rolls left, boxes and rules are as the address says, in the order of the card."""
    page = ana.open("/analysis?ruleset=sum&dice=6-4-2-2-1&rolls=0&filled=yacht,fours=16,ones:3")
    assert dice(page) == ["Die 1: 6", "Die 2: 4", "Die 3: 2", "Die 4: 2", "Die 5: 1"]
    assert page.one("#rolls0")["aria-pressed"] == page.one("#ruleset-sum")["aria-pressed"] == "true"
    assert page.one("#rolls2")["aria-pressed"] == "false"
    filled = {key: points for key, points in boxes(page).items() if points}
    assert filled == {"yacht": "0", "fours": "16", "ones": "3"}
    assert next(iter(boxes(page))) == "yacht"
    assert page.one(".card .total").text == "19"


def test_held_dice_are_marked(ana: Visitor) -> None:
    """The dice to hold are marked where they lie."""
    page = ana.open("/analysis?dice=52435&rolls=1")
    assert ["hold" in die.classes for die in page.all(".die")] == [True, True, True, True, False]


def test_it_is_set_by_pressing(ana: Visitor) -> None:
    """Without script each die steps its face, and each press leads to a short address."""
    page = ana.open("/analysis")
    assert dice(page) == ["Die 1: 1", "Die 2: 2", "Die 3: 2", "Die 4: 4", "Die 5: 6"]
    ana.press(page.one("#die0"))
    assert query(ana) == "dice=22246&rolls=2"
    ana.press(ana.page.one("#die4"))
    assert query(ana) == "dice=22241&rolls=2"
    ana.press(ana.page.one("#rolls1"))
    assert query(ana) == "dice=22241&rolls=1"
    ana.press(ana.page.one("#ruleset-sum"))
    assert query(ana) == "ruleset=sum&dice=22241&rolls=1"
    assert "Score 6 in Twos" in {row[0] for row in shown(ana.page)}


def test_boxes_are_filled_with_their_points(ana: Visitor) -> None:
    """What is chosen on the card survives whatever is pressed; a 0 is left out of the address."""
    page = ana.open("/analysis")
    ana.press(page.one("#die1"), ones="3", yacht="0", choice="22")
    assert query(ana) == "dice=13246&rolls=2&filled=ones:3,choice:22,yacht"
    assert not {"Score 1 in Ones", "Score 16 in Choice"} & {row[0] for row in shown(ana.page)}
    ana.press(ana.page.one("#set noscript button"), ones="", target="120")
    assert query(ana) == "dice=13246&rolls=2&filled=choice:22,yacht&target=120"


def test_boxes_offer_what_they_can_give(ana: Visitor) -> None:
    """A box offers the points that it can give and 0, for which points don't matter."""
    page = ana.open("/analysis?dice=12246&rolls=1")
    offered = {
        select["name"]: [option["value"] for option in select.all("option")][1:]
        for select in page.all("select")
    }
    assert offered["fours"] == ["0", "4", "8", "12", "16", "20"]
    assert offered["big_straight"] == ["0", "30"]
    assert offered["choice"] == ["0", *map(str, range(5, 31))]
    assert [label["for"] for label in page.all(".card label")] == [f"box-{key}" for key in offered]


def test_a_target(ana: Visitor) -> None:
    """With a target the choices are ranked by its chance, told as a percentage."""
    others = "ones,twos,threes,fours,fives,sixes,full_house,four_of_a_kind,choice,little_straight"
    page = ana.open(f"/analysis?dice=66665&rolls=1&filled={others},big_straight&target=50")
    assert shown(page)[0] == ["Hold 6-6-6-6", "16.7%", "0.0%"]
    assert "Chance of 50 or more" in page.one(".worth").text


WRONG = [
    ("dice=12247&rolls=1", "“7” isn’t a face. Faces are 1 to 6."),
    ("dice=1224&rolls=1", "Yacht needs 5 dice, not 4."),
    ("rolls=1", "Yacht needs 5 dice, not 0."),
    ("dice=12246", "The number of rolls left must be from 0 to 2, not “”."),
    ("dice=12246&rolls=3", "The number of rolls left must be from 0 to 2, not “3”."),
    ("dice=12246&rolls=1&filled=fours:17", "Fours can’t give “17”."),
    ("dice=12246&rolls=1&filled=fours,fours", "Fours is named twice."),
    ("dice=12246&rolls=1&filled=<b>", "There is no box “<b>” on the card."),
    ("dice=12246&rolls=1&ruleset=house", "There is no ruleset “house”. Choose classic or sum."),
    (
        "dice=12246&rolls=1&target=x",
        "A target is a number of points, such as 200, not “x”.",
    ),
    (
        "dice=12246&rolls=1&target=200",
        "12 boxes are open. A target can be asked for here once 8 or fewer are.",
    ),
    (
        f"dice=12246&rolls=1&filled={','.join(box.key for box in RULESETS['sum'].categories)}",
        "Every box is filled, so there is nothing to decide.",
    ),
]


@pytest.mark.parametrize(("asked", "sentence"), WRONG)
def test_what_cannot_be_is_told(ana: Visitor, asked: str, sentence: str) -> None:
    """A wrong address gets a sentence and the parts of it that can be, to be set right."""
    page = ana.open(f"/analysis?{asked}")
    assert ana.answer.status_code == 422
    assert page.one(".notice").text == sentence
    assert not page.all(".all")
    told = ana.get(f"{API}?{asked}")
    assert told.status_code == 422
    assert told.json()["error"]["message"] == sentence
    ana.press(page.one("#rolls2"), target="", **dict.fromkeys(boxes(page), ""))
    assert ana.answer.status_code == 200


@pytest.mark.parametrize(
    "asked",
    [
        "dice=%00&rolls=%ff&filled=%f0%9f%8e%b2",
        "dice=12246&rolls=1&filled=" + "ones:" * 500,
        "do=die-9&dice=12246&rolls=1",
        "do=rolls-x&dice=12246&rolls=1",
        "do=&dice=&rolls=&ones=x&target=%0d%0aa",
        "do=die-0&do=die-1&ones=999&ruleset=%27",
    ],
)
def test_nothing_breaks_it(ana: Visitor, asked: str) -> None:
    """Whatever the address holds, the answer is a page with the form on it."""
    page = ana.open(f"/analysis?{asked}")
    assert ana.answer.status_code in {200, 422}
    assert page.one("#set")


def test_json_is_that_of_the_command(ana: Visitor, capsys: pytest.CaptureFixture[str]) -> None:
    """The interface answers what the command prints, with and without a target."""
    filled = "ones=3,twos,threes=9,fours=16,choice=22"
    for target in None, "120":
        options = ["--target", target] if target else []
        call = ["advise", "--dice", "66123", "--rolls-left", "2", "--filled", filled, "--json"]
        assert main([*call, *options]) == 0
        printed = json.loads(capsys.readouterr().out)
        asked = {"dice": "66123", "rolls": "2", "filled": filled, "target": target or ""}
        assert ana.get(API, params=asked).json() == printed


def test_json_is_documented(ana: Visitor) -> None:
    """The OpenAPI document has the parameters, and answers have its shape."""
    document = ana.get("/api/v1/openapi.json").json()
    about = document["paths"][API]["get"]
    assert {(one["name"], one["in"], one["required"]) for one in about["parameters"]} == {
        ("dice", "query", True),
        ("rolls", "query", True),
        ("filled", "query", False),
        ("ruleset", "query", False),
        ("target", "query", False),
    }
    assert set(about["responses"]) == {"200", "422", "429"}
    for asked, status in ("dice=12246&rolls=1", "200"), ("dice=1&rolls=1", "422"):
        answer = ana.get(f"{API}?{asked}")
        schema = about["responses"][status]["content"]["application/json"]["schema"]
        assert list(problems(document, schema, answer.json())) == []


def test_solving_holds_nobody_up(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """While one visitor's question is being solved, the site answers others."""
    solving, go_on = threading.Event(), threading.Event()

    def slow(*_arguments: object) -> object:
        solving.set()
        assert go_on.wait(10)
        return advise(read_position("12246", "1").card, (1, 2, 2, 4, 6), 1)

    monkeypatch.setattr(analysis, "advise", slow)
    asks, other = site.visitor(), site.visitor()

    async def both() -> tuple[int, int]:
        asked = asyncio.create_task(asks.client.get("/analysis?dice=12246&rolls=1"))
        await asyncio.to_thread(solving.wait, 10)
        answer = await other.client.get("/en/rules")
        go_on.set()
        return answer.status_code, (await asked).status_code

    assert site.run(both()) == (200, 200)


def test_it_is_linked_from_home(ana: Visitor) -> None:
    """Home and the other pages to read lead there."""
    for path in "/", "/en/rules", "/record":
        (link,) = [one for one in ana.open(path).all("nav a") if one.text == "Analysis"]
        assert ana.click(link).one("#set")
