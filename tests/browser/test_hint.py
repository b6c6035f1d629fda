"""A hint: what to hold, why, what else; on request, for all to see that it was taken."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import DESKTOP, Friends, New, Visits
from tests.browser.hands import PRESSES_APART, SOLVED, hold, press, write
from tests.browser.table import take_turns
from yacht.engine.game import Scorecard
from yacht.engine.rules import CLASSIC
from yacht.strategy.solo import solved


def test_a_hint_is_what_the_solver_says(visits: Visits, table: New) -> None:
    """It marks the dice to hold, and lists the best choices with their exact totals."""
    game = table("Ana").turns(3).roll()
    page = visits(game)
    expect(page.locator("#slip")).to_have_count(0)
    page.locator("#hint").click()
    expect(page.locator("#slip")).to_be_visible(timeout=SOLVED)
    now = game.now
    card = Scorecard(tuple(now.seats[0].boxes.values()))
    ranked = solved(CLASSIC).rank(card, now.dice, now.rolls_left)
    rows = page.locator("#slip tbody tr")
    worths = [f"{choice.worth:.1f}" for choice in ranked[:4]]
    losses = [f"{ranked[0].worth - choice.worth:.1f}" for choice in ranked[:4]]
    expect(rows.locator("td:nth-child(2)")).to_have_text(worths)
    expect(rows.locator("td:nth-child(3)")).to_have_text(losses)
    marked = [int(die) for die in page.locator(".die.advised").evaluate_all(_FACES)]
    assert sorted(marked) == list(ranked[0].keep or ())
    expect(page.locator(".with")).to_have_text("Played with hints: Ana")


_FACES = "(dice) => dice.map((die) => die.dataset.face)"


def test_the_best_box_is_marked(visits: Visits, table: New) -> None:
    """Without rolls left the box to score in is ringed, and no die is."""
    game = table("Ana").turns(6).roll().roll().roll()
    page = visits(game, size=DESKTOP)
    page.locator("#hint").click()
    now = game.now
    card = Scorecard(tuple(now.seats[0].boxes.values()))
    best = solved(CLASSIC).rank(card, now.dice, 0)[0].score
    expect(page.locator("label:has(.pencil.advised) input")).to_have_value(best or "")
    expect(page.locator(".die.advised")).to_have_count(0)


def test_a_hint_goes_with_the_next_act(visits: Visits, table: New) -> None:
    """It stays while dice are held, can be put away, and is gone after the roll."""
    page = visits(table("Ana").roll())
    page.keyboard.press("h")
    slip = page.locator("#slip")
    expect(slip).to_be_visible()
    page.keyboard.press("Escape")
    expect(slip).to_have_count(0)
    expect(page.locator(".advised")).to_have_count(0)
    page.wait_for_timeout(PRESSES_APART)
    page.locator("#hint").click()
    page.get_by_role("link", name="Close the hint").click()
    expect(slip).to_have_count(0)
    expect(page.locator("#hint")).to_be_focused()
    page.wait_for_timeout(PRESSES_APART)
    page.keyboard.press("h")
    page.keyboard.press("1")
    expect(slip).to_be_visible()
    press(page, "roll")
    expect(slip).to_have_count(0)


def test_a_hint_is_heard(visits: Visits, table: New) -> None:
    """The status message says what to do and why."""
    page = visits(table("Ana").roll())
    page.locator("#hint").click()
    expect(page.locator("#status")).to_have_text(re.compile(r"^(Hold|Score|Roll) .+\. .+\."))


def test_all_see_that_a_hint_was_taken_and_none_sees_it(visits: Visits, room: Friends) -> None:
    """What it knows, everyone's chance to win too, is for who asked, until they go on."""
    tables = room("Ana", "Ben", hints=True)
    take_turns(tables, 8)
    tables[0].roll()
    page, *others = visits(tables[0]), visits(tables[1]), visits(path=tables[0].path)
    page.locator("#hint").click()
    expect(page.locator("#slip")).to_be_visible(timeout=SOLVED)
    shown = page.locator("#slip .wins").inner_text()
    assert re.findall(r"(Ana|Ben) [0-9.]+%", shown) == ["Ana", "Ben"]
    assert abs(sum(map(float, re.findall(r"([0-9.]+)%", shown))) - 100) <= 0.1
    for other in others:
        expect(other.locator(".under")).to_contain_text("Played with hints: Ana")
        expect(other.locator("#slip")).to_have_count(0)
        assert "%" not in other.locator("#game").inner_text()
    press(page, "roll")
    assert "%" not in page.locator("#game").inner_text()
    tables[0].score()
    take_turns(tables, 15)
    for one in page, *others:
        expect(one.locator(".result")).to_contain_text("with hints")


def test_an_undo_pressed_twice_takes_no_hint(visits: Visits, table: New) -> None:
    """Hint comes to where Undo was: a double click there is still one Undo."""
    game = table("Ana").roll()
    page = visits(game)
    write(page, "choice")
    page.locator("#undo").dblclick()
    expect(page.locator("#game")).to_have_attribute("data-last", "undone")
    hold(page, 0)
    assert not game.now.seats[0].assisted


def test_a_hint_without_script(visits: Visits, table: New) -> None:
    """The page with the hint is sent as a whole; the next act leads on from there."""
    game = table("Ana", "Ben").roll()
    page = visits(game, script=False)
    page.locator("#hint").click()
    expect(page.locator("#slip h2")).to_have_text(re.compile("^(Hold|Score|Roll) "))
    page.locator("#roll").click()
    expect(page.locator("#slip")).to_have_count(0)
    assert game.now.rolls_used == 2
