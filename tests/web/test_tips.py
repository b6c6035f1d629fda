"""The tips page: its numbers, its links, the way back to the game, what it refuses to repeat."""

import asyncio
import threading
from fractions import Fraction
from urllib.parse import quote

import pytest

from tests.web.plain import Element, Site, Visitor
from yacht.engine.position import Position
from yacht.engine.rules import RULESETS, Ruleset
from yacht.i18n import ENGLISH
from yacht.strategy.advice import Tip
from yacht.strategy.lessons import Lesson, lessons
from yacht.web import tips
from yacht.web.analysis import address, asked

BOTH = pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)


def rows(exhibit: Element) -> list[list[str]]:
    """The choices that are compared, as they are heard."""
    found = exhibit.all(".choices tbody tr")
    return [[cell.heard for cell in row.children if isinstance(cell, Element)] for row in found]


def exhibits(page: Element, ruleset: Ruleset) -> list[tuple[Element, Lesson]]:
    """The positions on the page, each with the lesson that it shows."""
    told = [(tip, lesson) for tip, shown in lessons(ruleset).items() for lesson in shown]
    found = page.all(".exhibit")
    assert len(found) == len(told)
    for exhibit, (tip, _) in zip(found, told, strict=True):
        assert any(above.attributes.get("id") == tip for above in exhibit.above())
    return list(zip(found, (lesson for _, lesson in told), strict=True))


@BOTH
def test_every_number_is_that_of_the_advice(ana: Visitor, ruleset: Ruleset) -> None:
    """Each row has its choice's expected total and what is lost, one decimal each, the best first.

    The chances by the turn's end are those of the boxes named.
    """
    page = ana.open(f"/en/tips?ruleset={ruleset.key}")
    for exhibit, lesson in exhibits(page, ruleset):
        choices = lesson.advice.ranking.choices
        shown = rows(exhibit)
        assert shown[0][1:] == [f"{choices[0].expected_total:.1f}", "0.0"]
        assert [row[1:] for row in shown] == [
            [f"{one.option.expected_total:.1f}", f"{one.option.loss:.1f}"]
            for one in lesson.compared
        ]
        ends = [item.one("b").text for item in exhibit.all(".values li")]
        assert ends == [f"{prospect.chance:.1%}" for prospect in lesson.prospects]


@BOTH
def test_straights_are_told_as_at_the_table(ana: Visitor, ruleset: Ruleset) -> None:
    """2-3-4-5 has 1 in 3 by two faces, 1-3-4-5 has 1 in 6 by one."""
    page = ana.open(f"/en/tips?ruleset={ruleset.key}")
    both, one = page.all("#straights_exact .exhibit")
    assert rows(both)[0][0].startswith("Hold 2-3-4-5")
    assert rows(both)[0][0].endswith("A straight in one roll: 1 in 3Faces that help: 1, 6")
    assert rows(both)[1][0] == "Hold 5-5A straight in one roll: never"
    assert rows(one)[0][0].endswith("A straight in one roll: 1 in 6Faces that help: 2")


def test_four_of_a_kind_is_told_by_the_rules_that_are_asked_for(ana: Visitor) -> None:
    """In classic the fifth die is faded and four 6s give 24; in sum it counts, and they give 25."""
    classic = ana.open("/en/tips")
    assert [item.one("b").text for item in classic.all(".alike li")] == ["24", "20", "16", "4"]
    assert len(classic.all(".alike .idle")) == 4
    assert "pays four times its face" in classic.one("#four_pays_high").text
    summed = ana.open("/en/tips?ruleset=sum")
    assert [item.one("b").text for item in summed.all(".alike li")] == ["25", "21", "17", "10"]
    assert not summed.all(".alike .idle")
    assert "counts all five dice" in summed.one("#four_pays_high").text


@BOTH
def test_each_position_is_linked_to_its_analysis(ana: Visitor, ruleset: Ruleset) -> None:
    """There lie the same dice with as many rolls left on the same card, and the same is best."""
    page = ana.open(f"/en/tips?ruleset={ruleset.key}")
    for exhibit, lesson in exhibits(page, ruleset):
        assert rows(exhibit)[0][1] == f"{lesson.advice.ranking.expected_total:.1f}"
        there = ana.click(exhibit.one(".see a"))
        assert there.one(".worth b").text == rows(exhibit)[0][1]
        assert rows(exhibit)[0][0].startswith(there.one(".best h2").text)
        faces = [die["aria-label"].partition(": ")[2] for die in there.all(".die")]
        assert faces == list(map(str, lesson.at.dice))
        assert there.one(f"#rolls{lesson.at.rolls_left}")["aria-pressed"] == "true"
        assert there.one(f"#ruleset-{ruleset.key}")["aria-pressed"] == "true"
        chosen = [
            next(option["value"] for option in select.all("option") if "selected" in option)
            for select in there.all("select")
        ]
        written = ["" if points is None else str(points) for points in lesson.at.card.boxes]
        assert chosen == written


@BOTH
def test_an_address_says_the_whole_position(ruleset: Ruleset) -> None:
    """What the analysis reads from it is the position again."""
    for shown in lessons(ruleset).values():
        for lesson in shown:
            query = dict(pair.split("=") for pair in address(lesson.at).split("&"))
            question = asked(query)
            assert question.ruleset == ruleset.key
            assert question.dice == "".join(map(str, lesson.at.dice))
            assert question.rolls == str(lesson.at.rolls_left)


def test_chances_are_said_in_full() -> None:
    """A chance is so many in so many, in lowest terms; what can't be is never."""
    said = [tips.odds(Fraction(n, 36), ENGLISH) for n in (0, 4, 11, 36)]
    assert said == ["never", "1 in 9", "11 in 36", "1 in 1"]


def test_the_moment_names_what_is_open() -> None:
    """All boxes open are not listed; rolls left are counted."""
    whole, late = (
        lessons(RULESETS["sum"])[tip][0].at for tip in (Tip.KEEP_OPEN, Tip.ZERO_CAN_BE_RIGHT)
    )
    assert tips.moment(whole, ENGLISH) == "2 rolls left. All boxes are open."
    assert tips.moment(late, ENGLISH) == "No rolls left. Open: Yacht, Full House, Sixes."
    once = Position(whole.ruleset, whole.card, whole.dice, 1)
    assert tips.moment(once, ENGLISH) == "1 roll left. All boxes are open."


@pytest.mark.parametrize("page", ["tips", "card"])
def test_the_way_back_is_at_both_ends_and_is_kept(ana: Visitor, page: str) -> None:
    """The game is linked twice; other rules, and the rules page beside it, keep it."""
    room = ana.start("Ana", ruleset="sum")
    here = ana.open(f"/en/{page}?back={room}")
    assert [link["href"] for link in here.all(".return")] == [f"/g/{room}"] * 2
    assert here.one(".switch [aria-current]").text == "Sum"
    other = next(link for link in here.all(".switch a") if link.text == "Classic")
    there = ana.click(other)
    assert len(there.all(".return")) == 2
    assert there.one(".switch [aria-current]").text == "Classic"
    beside = next(link for link in there.all(".returning a") if link.text == "Rules")
    assert len(ana.click(beside).all(".return")) == 2


@pytest.mark.parametrize("page", ["rules", "tips", "card"])
@pytest.mark.parametrize(
    ("back", "leads"),
    [
        ("score", "/score"),
        ("score.card1790000000000", "/score#card1790000000000"),
        ("score.x", ""),
        ("score.//elsewhere", ""),
        ("score#card1790000000000", ""),
    ],
)
def test_the_way_back_to_a_card_of_real_dice(
    ana: Visitor, page: str, back: str, leads: str
) -> None:
    """The card that is played, or the one that was looked at; the pages beside it keep it."""
    shown = ana.open(f"/en/{page}?back={quote(back)}")
    assert [link["href"] for link in shown.all(".return")] == [leads] * 2 * bool(leads)
    if leads:
        assert {link.text for link in shown.all(".return")} == {"Back to the card"}
        other = next(link for link in shown.all(".switch a") if link.text == "Sum")
        beside = next(link for link in ana.click(other).all(".returning a") if "en" in link["href"])
        assert [link["href"] for link in ana.click(beside).all(".return")] == [leads] * 2


def test_the_game_says_whether_its_rules_are_followed(ana: Visitor) -> None:
    """Opened from a game the tips follow its rules until others are asked for."""
    room = ana.start("Ana", ruleset="sum")
    assert "Your game is played by these rules." in ana.open(f"/en/tips?back={room}").text
    other = ana.open(f"/en/tips?back={room}&ruleset=classic")
    assert "Your game is played by other rules." in other.text


@pytest.mark.parametrize("friends", [False, True], ids=["game", "lobby"])
def test_it_is_one_tap_away_from_the_game(ana: Visitor, *, friends: bool) -> None:
    """The game and the lobby link both rules and tips, and from there back to themselves."""
    if friends:
        ana.open("/invite")
        ana.press(ana.page.one("main form button"), name="Ana")
        room = str(ana.answer.url).rpartition("/")[2]
    else:
        room = ana.start("Ana")
    for label in "Rules", "Tips":
        link = next(link for link in ana.open(f"/g/{room}").all("a") if link.heard == label)
        page = ana.click(link)
        assert ana.click(page.all(".return")[0]).one("main")["id"] == "game"


@pytest.mark.parametrize("query", ["ruleset=x", "ruleset=Sum", "back=x", 'back="><script>'])
@pytest.mark.parametrize("page", ["tips", "card"])
def test_what_is_not_known_is_left_out(ana: Visitor, page: str, query: str) -> None:
    """An unknown ruleset or room leaves the page as it is without."""
    shown = [ana.get(f"/en/{page}{asked}").text for asked in ("", f"?{query}")]
    plain, other = (html.partition('<form class="languages"')[0] for html in shown)
    assert plain == other


def test_lessons_are_made_once_and_hold_nobody_up(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While they are made, the site answers others; whoever comes later gets them as they are."""
    making, go_on = threading.Event(), threading.Event()
    made = list[str]()

    def slow(ruleset: Ruleset) -> object:
        making.set()
        assert go_on.wait(10)
        made.append(ruleset.key)
        return lessons(ruleset)

    tips._lessons.cache_clear()
    monkeypatch.setattr(tips, "lessons", slow)
    asks, other = site.visitor(), site.visitor()

    async def both() -> tuple[int, int]:
        first = asyncio.create_task(asks.client.get("/en/tips"))
        await asyncio.to_thread(making.wait, 10)
        answer = await other.client.get("/en/rules")
        go_on.set()
        return answer.status_code, (await first).status_code

    assert site.run(both()) == (200, 200)
    for query in ("", "?ruleset=classic", "?ruleset=sum", "?ruleset=sum"):
        assert other.get(f"/en/tips{query}").status_code == 200
    assert made == ["classic", "sum"]
