"""A card for real dice: entering points in every way, changing them, and what follows."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.cards import (
    begin,
    cell,
    column,
    full,
    holds,
    keep,
    opened,
    stored,
    throw,
    totals,
    write,
)
from tests.browser.conftest import Visits

STATUS = "#status"


def test_points_are_entered_by_value(visits: Visits) -> None:
    """A box offers the points it can have and no others; the turn goes to who has filled fewer."""
    page = begin(visits, "Ana", "Ben")
    expect(page.locator("#heading")).to_have_text("Turn: Ana")
    cell(page, "Fours", "Ana").click()
    values = page.locator("#values button")
    names = [value.get_attribute("aria-label") for value in values.all()]
    assert names == [f"Score {n} in Fours" for n in (0, 4, 8, 12, 16, 20)]
    values.nth(3).click()
    holds(page, "Fours", "Ana", "12")
    expect(page.locator("#heading")).to_have_text("Turn: Ben")
    expect(page.locator(STATUS)).to_have_text("Fours, Ana: 12. Turn: Ben.")
    write(page, "Yacht", "Ben", 0)
    assert cell(page, "Yacht", "Ben").inner_text() == "–"
    assert totals(page) == ["12", "0"]
    assert page.locator("#possible td").all_inner_texts() == [str(297 - 8), str(297 - 50)]
    assert page.locator("#rank td").all_inner_texts() == ["1", "2"]


def test_points_are_worked_out_from_the_dice(visits: Visits) -> None:
    """With five dice every open box of the player shows its points; the one tapped gets them."""
    page = begin(visits, "Ana", "Ben")
    write(page, "Ones", "Ana", 0)
    write(page, "Fives", "Ben", 20)
    page.get_by_role("button", name="Dice and coach").click()
    throw(page, "44241")
    page.get_by_role("button", name="Die 3: 2").click()
    throw(page, "4")
    for box, given in {"Fours": 16, "Four of a Kind": 16, "Choice": 17, "Full House": 0}.items():
        holds(page, box, "Ana", f"open, the dice give {given}")
    holds(page, "Ones", "Ana", "0")
    holds(page, "Choice", "Ben", "open")
    cell(page, "Choice", "Ana").click()
    page.get_by_role("button", name="Score 17 in Choice").click()
    holds(page, "Choice", "Ana", "17")
    holds(page, "Fours", "Ana", "open")
    page.get_by_role("button", name="Dice and coach").click()
    expect(page.locator("#slots [data-slot]:enabled")).to_have_count(0)


def test_nothing_stops_a_table_from_entering_out_of_order(visits: Visits) -> None:
    """Ben enters twice first; then it's the turn of who has filled fewest boxes, in order."""
    page = begin(visits, "Ana", "Ben", "Cleo")
    write(page, "Ones", "Ben", 3)
    expect(page.locator("#heading")).to_have_text("Turn: Ana")
    write(page, "Twos", "Ben", 6)
    write(page, "Twos", "Ana", 4)
    expect(page.locator("#heading")).to_have_text("Turn: Cleo")
    write(page, "Twos", "Cleo", 4)
    expect(page.locator("#heading")).to_have_text("Turn: Ana")


def test_each_change_is_undone_step_by_step(visits: Visits) -> None:
    """Written, changed, cleared, another: undo goes back through all of it, and says if it can."""
    page = begin(visits, "Ana", "Ben")
    undo = page.get_by_role("button", name="Undo")
    expect(undo).to_have_attribute("aria-disabled", "true")
    write(page, "Fours", "Ana", 12)
    write(page, "Fours", "Ana", 16)
    cell(page, "Fours", "Ana").click()
    page.get_by_role("button", name="Clear the box").click()
    holds(page, "Fours", "Ana", "open")
    write(page, "Ones", "Ben", 3)
    for box, name, what in (
        ("Ones", "Ben", "open"),
        ("Fours", "Ana", "16"),
        ("Fours", "Ana", "12"),
        ("Fours", "Ana", "open"),
    ):
        expect(undo).not_to_have_attribute("aria-disabled", "true")
        undo.click()
        holds(page, box, name, what)
    expect(undo).to_have_attribute("aria-disabled", "true")
    expect(page.locator(STATUS)).to_have_text("Fours, Ana: open again. Turn: Ana.")


def test_the_end_has_ranks_ties_and_corrections(visits: Visits) -> None:
    """200, 180, 180, 150 rank 1, 2, 2, 4; a box changed after the end changes who has won."""
    page = opened(visits)
    names = ("Ana", "Ben", "Cleo", "Dan")
    keep(page, full(*map(column, (180, 200, 150, 180)), names=names))
    assert totals(page) == ["180", "200", "150", "180"]
    expect(page.locator("#heading")).to_have_text("Winner: Ben. Points: 200.")
    result = page.locator("#result li")
    assert [one.replace("\n", " ") for one in result.all_inner_texts()] == [
        "1 Ben 200", "2 Ana 180", "2 Dan 180", "4 Cleo 150",
    ]  # fmt: skip
    for name in ("Ana", "Dan"):
        cell(page, "Full House", name).click()
        page.get_by_role("button", name="Score 20 in Full House").click()
    expect(page.locator("#heading")).to_have_text("A tie. Winners: Ana, Ben, Dan. Points: 200.")
    cell(page, "Full House", "Ana").click()
    page.get_by_role("button", name="Clear the box").click()
    expect(page.locator("#heading")).to_have_text("Turn: Ana")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#heading")).to_have_text(re.compile("^A tie"))


def test_play_again_rotates_the_order(visits: Visits) -> None:
    """Ben starts next; pressed twice it's one card, and the finished one is kept."""
    page = opened(visits)
    keep(page, full(*map(column, (180, 200, 150)), names=("Ana", "Ben", "Cleo")))
    page.get_by_role("button", name="Play again").dblclick()
    expect(page.locator("#heading")).to_have_text("Turn: Ben")
    cards = stored(page)
    assert [card["names"] for card in cards] == [["Ben", "Cleo", "Ana"], ["Ana", "Ben", "Cleo"]]
    assert cards[0]["log"] == []
    expect(page.locator("#entry")).to_be_hidden()


def test_the_coach_says_what_to_do(visits: Visits) -> None:
    """With dice and rolls left: the best choice, what it is worth, and what the next ones cost."""
    page = begin(visits, "Ana", "Ben")
    page.get_by_role("button", name="Dice and coach").click()
    ask = page.get_by_role("button", name="Ask the coach")
    throw(page, "6661")
    expect(ask).to_have_attribute("aria-disabled", "true")
    throw(page, "2")
    ask.click()
    expect(page.locator("#slip-title")).to_have_text("Hold 6-6-6")
    expect(page.locator("#slots .advised")).to_have_count(3)
    rows = page.locator("#slip-choices tr")
    best, second = (row.inner_text().split("\t") for row in rows.all()[:2])
    assert float(best[1]) - float(second[1]) == pytest.approx(float(second[2]), abs=0.11)
    assert float(second[2]) > 0
    expect(page.locator(STATUS)).to_have_text(f"Hold 6-6-6. Expected total: {best[1]}.")
    page.get_by_role("button", name="0 rolls left").click()
    expect(page.locator("#slip")).to_be_hidden()
    ask.click()
    expect(page.locator("#slip-title")).to_have_text("Score 18 in Sixes")
    expect(cell(page, "Sixes", "Ana").locator(".advised")).to_have_text("18")


def _columns_in_view(page: Page) -> list[str]:
    """Players whose whole column is seen beside the names of the boxes."""
    return page.evaluate(
        """() => {
            const names = document.querySelector(".card tbody th").getBoundingClientRect();
            if (names.left < 0) return [];
            return [...document.querySelectorAll(".card thead th")].filter((head) => {
                const { left, right } = head.getBoundingClientRect();
                return left >= names.right - 1 && right <= innerWidth + 1;
            }).map((head) => head.querySelector("bdi").textContent);
        }"""
    )


def test_eight_players_fit_a_phone(visits: Visits) -> None:
    """At 360 px the names of the boxes stay, and the column on turn comes into view by itself."""
    names = ("Ana", "Ben", "Cleo", "Dan", "Eva", "Filip", "Gita", "Hugo")
    page = begin(visits, *names)
    assert "Ana" in _columns_in_view(page)
    for place, name in enumerate(names):
        write(page, "Ones", name, 1)
        assert names[(place + 1) % 8] in _columns_in_view(page)
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_dice_stay_until_they_are_written(visits: Visits) -> None:
    """A correction, a clearing, an undo and an entry of somebody else leave them on the table."""
    page = begin(visits, "Ana", "Ben")
    write(page, "Ones", "Ana", 3)
    write(page, "Ones", "Ben", 2)
    page.get_by_role("button", name="Dice and coach").click()
    throw(page, "44")
    page.get_by_role("button", name="1 roll left").click()
    dice = page.locator("#slots [data-slot]")
    write(page, "Ones", "Ana", 4)
    cell(page, "Ones", "Ana").click()
    page.get_by_role("button", name="Clear the box").click()
    page.get_by_role("button", name="Undo").click()
    write(page, "Twos", "Ben", 6)
    page.get_by_role("button", name="Dice and coach").click()
    expect(dice).to_have_count(2)
    expect(page.locator("#lefts [aria-pressed=true]")).to_have_text("1")
    write(page, "Fours", "Ana", 8)
    page.get_by_role("button", name="Dice and coach").click()
    expect(dice).to_have_count(0)
    expect(page.locator("#lefts [aria-pressed=true]")).to_have_text("2")


def test_what_the_dice_give_comes_first(visits: Visits) -> None:
    """Any other points can be entered all the same, also where a box is corrected."""
    page = begin(visits, "Ana")
    write(page, "Fours", "Ana", 12)
    for box, offered in ("Sixes", [0, 6, 12, 18, 24, 30]), ("Fours", [16, 0, 4, 8, 12, 20]):
        cell(page, box, "Ana").click()
        if box == "Sixes":
            throw(page, "44244")
        values = page.locator("#values button")
        names = [value.get_attribute("aria-label") for value in values.all()]
        assert names == [f"Score {n} in {box}" for n in offered]
        expect(values.first).to_have_text(names[0] or "")
        page.keyboard.press("Escape")
    write(page, "Sixes", "Ana", 24)


def test_dice_and_coach_are_for_the_box_that_is_chosen(visits: Visits) -> None:
    """Ben plays before his turn: the pencilled points and the advice are those of his column."""
    page = begin(visits, "Ana", "Ben")
    write(page, "Sixes", "Ben", 24)
    expect(page.locator("#heading")).to_have_text("Turn: Ana")
    cell(page, "Threes", "Ben").click()
    throw(page, "66612")
    holds(page, "Choice", "Ben", "open, the dice give 21")
    holds(page, "Choice", "Ana", "open")
    page.get_by_role("button", name="0 rolls left").click()
    options = page.locator("#slip-choices")
    page.get_by_role("button", name="Ask the coach").click()
    expect(options).not_to_contain_text("Sixes")
    expect(page.locator(".cell .advised")).to_have_count(1)
    expect(page.locator(".cell[data-player='1'] .advised")).to_have_count(1)
    page.get_by_role("button", name="Close the advice").click()
    page.get_by_role("button", name="Close", exact=True).click()
    page.get_by_role("button", name="Dice and coach").click()
    page.get_by_role("button", name="Ask the coach").click()
    expect(options).to_contain_text("Score 18 in Sixes")
    page.get_by_role("button", name="Close the advice").click()
    cell(page, "Choice", "Ben").click()
    page.get_by_role("button", name="Score 21 in Choice").click()
    page.get_by_role("button", name="Dice and coach").click()
    expect(page.locator("#slots [data-slot]")).to_have_count(0)


def test_the_title_says_whose_turn_it_is_and_of_what(visits: Visits) -> None:
    """In the tab, beside others."""
    page = begin(visits, "Ana", "Ben")
    expect(page).to_have_title("Turn: Ana · Yacht")
    page.goto("score#cards")
    expect(page).to_have_title("Keep score · Yacht")


@pytest.mark.parametrize("leaf", ["Rules", "Tips"])
def test_rules_and_tips_lead_back_to_the_card(visits: Visits, leaf: str) -> None:
    """To the dice that lie on the table, or to the card that was only looked at."""
    page = opened(visits)
    running = full(column(150), names=["Dan"], started=1_790_000_000_500)
    running.update(log=running["log"][:5], finished=None)
    keep(page, running, full(column(180), column(200), names=("Ana", "Ben")))
    page.get_by_role("button", name="Dice and coach").click()
    throw(page, "446")
    page.get_by_role("link", name=leaf, exact=True).click()
    page.get_by_role("link", name="Back to the card").first.click()
    page.get_by_role("button", name="Dice and coach").click()
    expect(page.locator("#slots [data-slot]")).to_have_count(3)
    page.get_by_role("link", name="All cards, and a new one").first.click()
    page.locator("#finished-cards a").click()
    expect(page.locator("#heading")).to_have_text("Winner: Ben. Points: 200.")
    page.get_by_role("link", name=leaf, exact=True).click()
    page.get_by_role("link", name="Back to the card").last.click()
    expect(page.locator("#heading")).to_have_text("Winner: Ben. Points: 200.")
