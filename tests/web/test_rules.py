"""The rules page: its figures, the way back to the game, and what it refuses to repeat."""

import asyncio
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import httpx
import pytest

import yacht
from yacht.engine.game import Game, Keep, Rolled
from yacht.engine.rules import CLASSIC, RULESETS
from yacht.rooms.host import Host
from yacht.rooms.sqlite import Sqlite
from yacht.web import rules
from yacht.web.app import create_app

BOTH = pytest.mark.parametrize("ruleset", sorted(RULESETS))
HOSTILE = (
    "short",
    "sixteen_letters!",
    "AAAAAAAAAAAAAAAAA",
    "../../../etc/pas",
    '"><script>alert(1)</script>',
    "//evil.example/x",
    "AAAAAAAAAAAAAAA\n",
)

# From rules.md: what the examples give and the most of each box, in the order of a classic card.
GIVES = {
    "ones": (3, 5),
    "twos": (6, 10),
    "threes": (12, 15),
    "fours": (8, 20),
    "fives": (15, 25),
    "sixes": (18, 30),
    "full_house": (19, 28),
    "four_of_a_kind": (16, 24),
    "little_straight": (30, 30),
    "big_straight": (30, 30),
    "choice": (25, 30),
    "yacht": (50, 50),
}
FIVE_THREES = (0, 0, 15, 0, 0, 0, 0, 12, 0, 0, 15, 50)
IN_SUM = {"four_of_a_kind": (17, 30)}
FIVE_THREES_IN_SUM = (*FIVE_THREES[:7], 15, *FIVE_THREES[8:])
MISSES = {
    "3, 3, 3, 3, 3",
    "1, 4, 4, 4, 4",
    "2, 2, 4, 4, 6",
    "1, 2, 3, 4, 6",
    "1, 3, 4, 5, 6",
    "1, 1, 2, 3, 4",
    "1, 2, 3, 3, 4",
    "3, 4, 4, 6, 6",
    "1, 2, 3, 4, 5",
    "2, 3, 4, 5, 6",
}


@dataclass
class Site:
    """A site without a socket, and the host behind it."""

    host: Host
    base: str = ""

    def get(self, query: dict[str, str] | None = None) -> str:
        """The page at these values, without its own address; it must be there."""
        page = asyncio.run(self._get(query or {}))
        return re.sub('name="back" value="[^"]*"', "", page)

    def open(self, ruleset: str) -> str:
        """A new game's room."""
        return asyncio.run(self.host.open("someone", ruleset, ["Ana"]))

    async def _get(self, query: dict[str, str]) -> str:
        app: Any = create_app(self.host, self.base)  # Litestar and httpx type ASGI each their way
        there = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=there, base_url="http://test") as client:
            answer = await client.get(f"{self.base}/en/rules", params=query)
        assert answer.status_code == 200
        return answer.text


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    store = Sqlite(tmp_path / "yacht.db")
    yield Site(Host(store))
    asyncio.run(store.close())


class Words(HTMLParser):
    """The text of a page as it is heard: without what is hidden from assistive technology."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self._hidden: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._hidden or ("aria-hidden", "true") in attrs or tag == "head":
            self._hidden.extend([tag] if tag not in {"meta", "link"} else [])

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Nothing is inside."""

    def handle_endtag(self, tag: str) -> None:
        if self._hidden:
            assert self._hidden.pop() == tag

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.words.append(data)


def heard(html: str) -> str:
    return " ".join(" ".join(Words(html).words).split())


def part(page: str, name: str) -> str:
    """One section's markup."""
    found = re.search(rf'<section id="{name}".*?</section>', page, re.DOTALL)
    assert found
    return found[0]


def boxes(page: str) -> dict[str, str]:
    """What is heard of each box, in the order of the page."""
    found = re.findall(r'<li id="box-(\w+)">(.*?)</li>', page, re.DOTALL)
    return {key: heard(html) for key, html in found}


def values(html: str) -> list[tuple[str, int]]:
    """The boxes and points of the lists that name both."""
    found = re.findall(r"<li[^>]*><span>([^<]+)</span> <b>(\d+)</b>", html)
    return [(box, int(points)) for box, points in found]


@BOTH
def test_each_box_shows_what_its_example_gives_and_the_most_it_can(
    site: Site, ruleset: str
) -> None:
    """Every box has its example's points and its most, by the rules that are asked for."""
    expected = GIVES | (IN_SUM if ruleset == "sum" else {})
    found = boxes(site.get({"ruleset": ruleset}))
    assert found.keys() == expected.keys()
    for key, (points, most) in expected.items():
        assert f": {points} point" in found[key]
        assert f"at most {most} " in f"{found[key]} "


def test_sum_lists_its_boxes_from_yacht_down_to_ones(site: Site) -> None:
    """A sum card is a classic card upside down, and the page follows the card."""
    assert list(boxes(site.get())) == list(GIVES)
    assert list(boxes(site.get({"ruleset": "sum"}))) == list(GIVES)[::-1]


def test_dice_that_add_nothing_are_faded(site: Site) -> None:
    """The fifth die of Four of a Kind is faded in classic and counts in sum."""
    for ruleset, faded in (("classic", 1), ("sum", 0)):
        page = site.get({"ruleset": ruleset})
        found = re.search(r'<li id="box-four_of_a_kind">.*?</li>', page, re.DOTALL)
        assert found
        assert found[0].count("idle") == faded


@BOTH
def test_near_misses_give_nothing(site: Site, ruleset: str) -> None:
    """Everything that only looks like a Full House or a straight is listed with 0."""
    html = part(site.get({"ruleset": ruleset}), "misses")
    near = re.findall(r'"unseen">([\d, ]+)</span></span><span class="why">.*?<b>(\d+)</b>', html)
    assert {dice for dice, _ in near} == MISSES
    assert {points for _, points in near} == {"0"}


@pytest.mark.parametrize(
    ("ruleset", "points"),
    [("classic", FIVE_THREES), ("sum", FIVE_THREES_IN_SUM[::-1])],
)
def test_five_threes_get_what_each_box_says(
    site: Site, ruleset: str, points: tuple[int, ...]
) -> None:
    """Five 3s are shown with the value of every box, not the best one."""
    html = part(site.get({"ruleset": ruleset}), "misses")
    assert tuple(given for _, given in values(html)) == points


@pytest.mark.parametrize(("ruleset", "four"), [("classic", 16), ("sum", 17)])
def test_the_turn_ends_with_its_points(site: Site, ruleset: str, four: int) -> None:
    """1-4-4-4-4 gives 16 or 17 in Four of a Kind, 16 in Fours, 17 in Choice."""
    html = part(site.get({"ruleset": ruleset}), "told")
    assert values(html) == [("Four of a Kind", four), ("Fours", 16), ("Choice", 17)]
    assert "1, 2, 2, 4, 6. Held: 2, 2." in heard(html)
    assert "2, 2, 4, 4, 6. Held: 4, 4." in heard(html)


def test_the_turn_that_is_told_can_be_played() -> None:
    """The engine accepts the holds and rolls of the example, to its last dice."""
    first = sum(rules._TURN[0][0], ())
    game = Game.new(CLASSIC, 1).play(Rolled(frozenset(), first))
    assert first == (1, 2, 2, 4, 6)
    for (_, held, _), _, new in rules._TURN:
        kept: set[int] = set()
        for face in held:
            kept.add(next(n for n, f in enumerate(game.dice) if f == face and n not in kept))
        rolled = iter(new)
        dice = tuple(f if n in kept else next(rolled) for n, f in enumerate(game.dice))
        game.check(Keep(frozenset(kept)))
        game = game.play(Rolled(frozenset(kept), dice))
    assert sorted(game.dice) == [1, 4, 4, 4, 4]
    assert not game.rolls_left


@BOTH
def test_the_rulesets_are_compared(site: Site, ruleset: str) -> None:
    """16 and 17, 24 and 30, and the highest totals stand side by side, whichever is asked for."""
    said = heard(part(site.get({"ruleset": ruleset}), "rulesets"))
    for line in (
        "Classic Sum",
        "4, 4, 4, 4, 1 16 17",
        "6, 6, 6, 6, 6 24 30",
        "Highest total 297 303",
        "average 167 170",
    ):
        assert line in said


def test_totals_have_bounds(site: Site) -> None:
    """No total is under 5 or over the sum of all that the boxes can give."""
    assert "From 5 to 297" in heard(site.get())
    assert "From 5 to 303" in heard(site.get({"ruleset": "sum"}))


def test_the_page_says_what_else_the_rules_say(site: Site) -> None:
    """Ties, bonuses, zeros, other names and the history are told."""
    said = heard(site.get())
    for words in (
        "best with two to five",
        "this is our own: equal highest totals share the win",
        "no jokers",
        "While your Choice is open no roll forces you to a 0",
        "Holding all five is no roll",
        "Small Straight",
        "Large Straight",
        "Player’s Choice",
        "1938",
    ):
        assert words in said


@BOTH
def test_the_trademark_is_named_once(site: Site, ruleset: str) -> None:
    """The other game's name is on this page once, and in no other file of the product."""
    page = site.get({"ruleset": ruleset})
    assert page.count("an ancestor of Yahtzee®") == 1
    assert len(re.findall("yahtzee", page, re.IGNORECASE)) == 1
    files = [path for path in Path(yacht.__file__).parent.rglob("*") if path.is_file()]
    translated = {".po", ".pot", ".mo", ".pyc"}
    named = [
        path.name
        for path in files
        if path.suffix not in translated and b"yahtzee" in path.read_bytes().lower()
    ]
    assert named == ["rules.html"]


@pytest.mark.parametrize("base", ["", "/games/yacht"])
def test_the_way_back_is_at_both_ends_and_is_kept(site: Site, base: str) -> None:
    """The game that the rules were opened from is linked twice, and the switch keeps it."""
    room = site.open("classic")
    site.base = base
    page = site.get({"back": room})
    assert page.count(f'href="{base}/g/{room}"') == 2
    for ruleset in RULESETS:
        assert f'href="{base}/en/rules?ruleset={ruleset}&amp;back={room}#boxes"' in page
    assert "Your game is played by these rules." in page


def test_the_rules_of_the_game_come_first(site: Site) -> None:
    """Opened from a game, the examples follow its rules until others are asked for."""
    room = site.open("sum")
    assert "From 5 to 303" in site.get({"back": room})
    other = site.get({"back": room, "ruleset": "classic"})
    assert "From 5 to 297" in other
    assert "Your game is played by other rules." in other


@pytest.mark.parametrize("back", [*HOSTILE, "AAAAAAAAAAAAAAAA"])
def test_no_way_back_to_what_is_no_game(site: Site, back: str) -> None:
    """A value that is no room's id, or the id of no room, leaves the page as it is without."""
    assert site.get({"back": back}) == site.get()


@pytest.mark.parametrize("ruleset", [*HOSTILE, "", "Sum", "SUM", "classic "])
def test_an_unknown_ruleset_is_classic(site: Site, ruleset: str) -> None:
    """A ruleset that isn't there leaves the page as it is without."""
    assert site.get({"ruleset": ruleset}) == site.get()


def test_nothing_is_inline(site: Site) -> None:
    """The page has no style or script of its own in it, which the CSP would refuse."""
    page = site.get({"back": site.open("classic")})
    assert not re.search(r"<script|<style|\sstyle=|\son\w+=", page)
