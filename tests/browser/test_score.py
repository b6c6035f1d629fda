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
from tests.browser.hands import focus_of

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


def test_a_long_press_writes_the_usual_points(visits: Visits) -> None:
    """Held for half a second an open box gets them; let go earlier it opens; a full one opens."""
    page = begin(visits, "Ana", how={"touch": True})
    page.clock.install()
    box = cell(page, "Sixes", "Ana")

    def press(milliseconds: int) -> None:
        box.hover()
        page.mouse.down()
        page.clock.run_for(milliseconds)
        page.mouse.up()

    press(300)
    expect(page.locator("#usual")).to_contain_text("Most common: 18.")
    page.keyboard.press("Escape")
    holds(page, "Sixes", "Ana", "open")
    press(700)
    holds(page, "Sixes", "Ana", "18")
    expect(page.locator("#entry")).to_be_hidden()
    press(700)
    expect(page.locator("#entry")).to_be_visible()
    assert len(stored(page)[0]["log"]) == 1


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


def test_two_quick_entries_are_both_kept(visits: Visits) -> None:
    """Written within one tick they are both on the card; a double click is one entry."""
    page = begin(visits, "Ana", "Ben")
    page.evaluate(
        """() => {
            for (const label of ["Ones, Ana: open", "Twos, Ben: open"]) {
                document.querySelector(`[aria-label="${label}"]`).click();
                document.querySelector("#values [data-points='2']").click();
            }
        }"""
    )
    assert totals(page) == ["2", "2"]
    cell(page, "Threes", "Ana").click()
    page.get_by_role("button", name="Score 9 in Threes").dblclick()
    holds(page, "Threes", "Ana", "9")
    assert [change[1] for change in stored(page)[0]["log"]] == ["ones", "twos", "threes"]


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


def test_a_whole_card_by_keyboard(visits: Visits) -> None:
    """Arrows walk the card, Enter opens, digits are dice, Shift and Enter writes, U takes back."""
    page = begin(visits, "Ana", "Ben")

    def told() -> str:
        return page.evaluate("() => document.activeElement.ariaLabel")

    while told() != "Ones, Ana: open":
        page.keyboard.press("Tab")
    for key, where in (
        ("ArrowDown", "Twos, Ana: open"),
        ("ArrowRight", "Twos, Ben: open"),
        ("ArrowRight", "Twos, Ben: open"),
        ("ArrowUp", "Ones, Ben: open"),
        ("Enter", "Ones, Ben: open"),
        ("Escape", "Ones, Ben: open"),
        ("Shift+Enter", "Ones, Ben: 1"),
        ("u", "Ones, Ben: open"),
        ("Enter", "Ones, Ben: open"),
    ):
        page.keyboard.press(key)
        assert told() == where
    for face in "11164":
        page.keyboard.press(face)
    page.keyboard.press("Backspace")
    page.keyboard.press("1")
    score = page.get_by_role("button", name="Score 4 in Ones")
    expect(score).to_be_visible()
    while page.evaluate("() => document.activeElement.dataset.points") != "4":
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    holds(page, "Ones", "Ben", "4")
    assert told() == "Ones, Ben: 4"
    page.get_by_text("Keys", exact=True).click()
    page.get_by_label("Use the keys below").uncheck()
    page.keyboard.press("u")
    holds(page, "Ones", "Ben", "4")
    assert focus_of(page) == "use-keys"
    page.reload()
    expect(page.get_by_label("Use the keys below")).not_to_be_checked()


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
