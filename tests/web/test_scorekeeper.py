"""The scorekeeper's page and its tables: all that its script knows comes from the engine."""

import json
import re
import struct
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest

from tests.web.plain import Site, Visitor
from yacht.engine.rules import RULESETS, Ruleset, score
from yacht.strategy.solo import solved

BOTH = pytest.mark.parametrize("ruleset", RULESETS.values(), ids=list(RULESETS))


@pytest.fixture(scope="module")
def told(site: Site) -> dict[str, Any]:
    """What the page tells its script."""
    return json.loads(site.visitor().open("/score").one("#told").text)


@BOTH
def test_the_table_is_the_engines(ana: Visitor, told: dict[str, Any], ruleset: Ruleset) -> None:
    """A byte for every roll and box in the order the page tells, then the solver's 4,096 values.

    And for each box the points that a long press writes: some that it can have, and no 0.
    """
    rules = told["rulesets"][ruleset.key]
    content = ana.get(rules["table"]).content
    rolls, boxes = told["rolls"], rules["boxes"]
    assert len(set(rolls)) == 252
    assert set(boxes) == {category.key for category in ruleset.categories}
    given = [score([*map(int, roll)], box, ruleset) for roll in rolls for box in boxes]
    assert list(content[: len(given)]) == given
    values = [value for (value,) in struct.iter_unpack("<d", content[len(given) : -len(boxes)])]
    assert values == solved(ruleset).values.tolist()
    expected = {"classic": 166.9550677046, "sum": 169.7738890526}[ruleset.key]
    assert values[-1] == pytest.approx(expected)
    usual = dict(zip(boxes, content[-len(boxes) :], strict=True))
    assert all(points and points in ruleset.given(box) for box, points in usual.items())
    assert (usual["yacht"], usual["big_straight"], usual["sixes"]) == (50, 30, 18)


def test_a_table_is_kept_under_the_address_of_its_version(
    ana: Visitor, told: dict[str, Any]
) -> None:
    """For a year; by another version's address, or none, there isn't any."""
    address: str = told["rulesets"]["sum"]["table"]
    answer = ana.get(address)
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["content-type"] == "application/octet-stream"
    for other in (address.partition("?")[0], f"{address}0"):
        again = ana.get(other)
        assert (again.status_code, again.headers["cache-control"]) == (404, "no-store")
    assert ana.get("/score/table/house").status_code == 422


def test_the_page_says_what_it_needs(ana: Visitor) -> None:
    """Without script the page says so; with it, nothing on it is loaded from elsewhere."""
    page = ana.open("/score")
    assert "JavaScript" in page.one("noscript").text
    told = json.loads(page.one("#told").text)
    named = [ruleset["table"] for ruleset in told["rulesets"].values()]
    named += [
        element[name]
        for element in page.within
        for name in ("href", "src", "action", "data-worker", "data-address")
        if name in element
    ]
    for style in page.all("[rel=stylesheet]"):
        named += re.findall(r'url\("?([^")]+)', ana.get(style["href"]).text)
    assert len(named) > 40
    site = str(ana.answer.url)
    hosts = {urlsplit(urljoin(site, address)).netloc for address in named}
    assert hosts == {urlsplit(site).netloc}
    policy = ana.get("/score").headers["content-security-policy"]
    assert {source for part in policy.split(";") for source in part.split()[1:]} == {
        "'self'", "'none'",
    }  # fmt: skip
