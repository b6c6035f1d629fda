"""Fingers and keys on a card: presses, long ones, quick ones, held ones."""

import pytest
from playwright.sync_api import expect

from tests.browser.cards import (
    begin,
    cell,
    holds,
    stored,
    throw,
    totals,
    write,
)
from tests.browser.conftest import Visits
from tests.browser.hands import focus_of

STATUS = "#status"


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


def test_two_quick_entries_are_both_kept(visits: Visits) -> None:
    """Tapped one after the other without a look they are both on the card, as is a double tap."""
    page = begin(visits, "Ana", "Ben", how={"touch": True})
    for box, name in ("Ones", "Ana"), ("Twos", "Ben"):
        cell(page, box, name).tap()
        page.locator("#values [data-points='2']").tap()
    assert totals(page) == ["2", "2"]
    cell(page, "Threes", "Ana").tap()
    value = page.get_by_role("button", name="Score 9 in Threes").bounding_box()
    assert value
    for _ in range(2):
        page.touchscreen.tap(value["x"] + 9, value["y"] + 9)
    holds(page, "Threes", "Ana", "9")
    assert [change[1] for change in stored(page)[0]["log"]] == ["ones", "twos", "threes"]


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


def test_a_held_key_does_one_thing(visits: Visits) -> None:
    """U, Enter on a button and a die's number: however long they are held."""
    page = begin(visits, "Ana", "Ben")
    for box in ("Ones", "Twos", "Threes", "Fours"):
        write(page, box, "Ana", 0)

    def hold(key: str) -> None:
        for _ in range(4):
            page.keyboard.down(key)
        page.keyboard.up(key)

    hold("u")
    holds(page, "Fours", "Ana", "open")
    holds(page, "Threes", "Ana", "0")
    page.get_by_role("button", name="Undo").focus()
    hold("Enter")
    hold("Space")
    holds(page, "Twos", "Ana", "open")
    holds(page, "Ones", "Ana", "0")
    page.get_by_role("button", name="Dice and coach").focus()
    hold("Enter")
    hold("4")
    expect(page.locator("#slots [data-slot]")).to_have_count(1)


@pytest.mark.parametrize(("start", "step"), [(10, 1), (2, -0.5)], ids=["far", "out of the box"])
def test_a_drag_is_no_long_press(visits: Visits, start: float, step: float) -> None:
    """However slowly it goes: further than a finger shakes, or out of the box."""
    page = begin(visits, "Ana", how={"touch": True})
    page.clock.install()
    box = cell(page, "Sixes", "Ana").bounding_box()
    assert box
    x, y = box["x"] + start, box["y"] + 10
    page.mouse.move(x, y)
    page.mouse.down()
    for moved in range(1, 13):
        page.mouse.move(x + moved * step, y)
        page.clock.run_for(20)
    page.clock.run_for(1000)
    page.mouse.up()
    holds(page, "Sixes", "Ana", "open")


def test_a_click_after_a_long_press_counts(visits: Visits) -> None:
    """A finger's long press brings no click of its own, so the next one is meant."""
    page = begin(visits, "Ana")
    page.clock.install()
    box = cell(page, "Sixes", "Ana")
    place = box.bounding_box()
    assert place
    at = {"bubbles": True, "clientX": place["x"] + 9, "clientY": place["y"] + 9}
    box.dispatch_event("pointerdown", at)
    page.clock.run_for(700)
    holds(page, "Sixes", "Ana", "18")
    box.dispatch_event("pointerup", at)
    page.clock.run_for(200)
    cell(page, "Fives", "Ana").evaluate("(cell) => cell.click()")
    expect(page.locator("#heading")).to_have_text("Fives, Ana")


def test_the_open_box_is_in_sight(visits: Visits) -> None:
    """On a phone the tray covers no box that it is about, and the page is as before afterwards."""
    page = begin(visits, "Ana", "Ben", how={"touch": True})
    for box in ("Full House", "Choice", "Yacht", "Ones"):
        cell(page, box, "Ben").evaluate("(cell) => cell.scrollIntoView({ block: 'center' })")
        names = page.locator(".card thead").bounding_box()
        cell(page, box, "Ben").tap()
        about, tray = cell(page, box, "Ben").bounding_box(), page.locator("#tray").bounding_box()
        assert about
        assert tray
        assert about["y"] >= 0
        assert about["y"] + about["height"] <= tray["y"]
        page.locator("#values button").first.tap()
        assert page.locator(".card thead").bounding_box() == names


def test_a_die_taken_away_leaves_the_focus_on_the_next(visits: Visits) -> None:
    page = begin(visits, "Ana")
    page.get_by_role("button", name="Dice and coach").click()
    throw(page, "123")
    for left in ("Dice: 1, 3.", "Dice: 1."):
        page.locator("#slots").get_by_role("button").nth(1).press("Enter")
        expect(page.locator(STATUS)).to_have_text(left)
        assert page.evaluate("() => document.activeElement.dataset.slot") is not None
    page.keyboard.press("Enter")
    assert page.evaluate("() => document.activeElement.dataset.face") == "1"


def test_dice_that_cant_be_are_none(visits: Visits) -> None:
    """What a damaged storage says of the dice is passed over; the card is there."""
    page = begin(visits, "Ana")
    write(page, "Fours", "Ana", 12)
    for damaged in ('"dice": "99999", "left": 1', '"left": 7', '"dice": 5, "left": "x"'):
        page.evaluate(
            """(damaged) => {
                const { id } = JSON.parse(localStorage.getItem("yacht-score"));
                localStorage.setItem("yacht-score", `{"id": "${id}", ${damaged}}`);
            }""",
            damaged,
        )
        page.reload()
        assert totals(page) == ["12"]
        page.get_by_role("button", name="Dice and coach").click()
        throw(page, "55123")
        page.get_by_role("button", name="Ask the coach").click()
        expect(page.locator("#slip")).to_be_visible()
