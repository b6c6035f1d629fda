"""The analysis is set by tapping, in place where there is script, by pages where there is none."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visits

START = "analysis?dice=12246&rolls=2"


@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_it_is_set_by_tapping(visits: Visits, *, script: bool) -> None:
    """Two taps step a die twice; rolls and boxes are set; the address says it all, shareably."""
    page = visits(path=START, script=script)
    die = page.locator("#die0")
    die.click()
    die.click()
    expect(page.get_by_role("button", name="Die 1: 3")).to_be_visible()
    page.get_by_role("group", name="Rolls left").get_by_role("button", name="1").click()
    page.get_by_label("Fives", exact=True).select_option("15")
    if not script:
        page.get_by_role("button", name="Show").click()
    expect(page).to_have_url(re.compile(r"analysis\?dice=32246&rolls=1&filled=fives:15$"))
    expect(page.get_by_role("row", name="Score 5 in Fives")).to_have_count(0)
    best = page.locator(".best h2").inner_text()
    shared = visits(path=page.url, script=script)
    expect(shared.locator(".best h2")).to_have_text(best)


def test_focus_stays_and_nothing_moves(visits: Visits) -> None:
    """By keyboard: focus stays on the die that was stepped, and neither card nor answer moves."""
    page = visits(path=START)
    places = "() => ['.best', '.card', '.all'].map((one) => document.querySelector(one).offsetTop)"
    before = page.evaluate(places)
    page.locator("#die2").focus()
    for face in "34561":
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name=f"Die 3: {face}")).to_be_focused()
        assert page.evaluate(places) == before
    expect(page).to_have_url(re.compile(r"dice=12146&rolls=2$"))


def test_enter_in_the_target_shows_its_chance(visits: Visits) -> None:
    """Enter in the field asks for the chance and turns no die."""
    filled = "ones,twos,threes,fours,fives,sixes,full_house,four_of_a_kind,choice,little_straight"
    page = visits(path=f"analysis?dice=66665&rolls=1&filled={filled},big_straight")
    page.get_by_label("A total to reach").fill("50")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("Chance of 50 or more 16.7%")
    expect(page.get_by_role("button", name="Die 1: 6")).to_be_visible()


def test_what_cannot_be_is_told(visits: Visits) -> None:
    """A target far away is refused in place, and taking it back brings the ranking again."""
    visits.tolerate("status of 422")
    page = visits(path=START)
    page.get_by_label("A total to reach").fill("200")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("12 boxes are open.")
    page.get_by_label("A total to reach").fill("")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Every choice")).to_be_visible()
