"""The whole game by keyboard, with the focus always somewhere, and keys that never surprise."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import New, Visits
from tests.browser.hands import (
    PRESSES_APART,
    changed,
    focus_of,
    in_slow_motion,
    posts_of,
    rolling,
    seq_of,
    settled,
    sight,
)


def test_a_whole_game_is_played_by_keyboard(visits: Visits, table: New) -> None:
    """Tab, 1–5, R, Space, arrows, Enter, U and ? play a game to its end.

    After each act something of the game has the focus.
    """
    game = table("Ana")
    page = visits(game)

    def act(key: str) -> None:
        before = seq_of(page)
        page.keyboard.press(key)
        changed(page, before)
        assert focus_of(page) != "body", f"after {key}"

    while focus_of(page) != "roll":
        page.keyboard.press("Tab")

    act("r")
    page.keyboard.press("1")
    page.keyboard.press("4")
    page.keyboard.press("4")
    page.keyboard.press("5")
    assert sight(page).held == [True, False, False, False, True]
    page.wait_for_timeout(PRESSES_APART)
    act(" ")
    assert game.now.kept == [0, 4]
    page.keyboard.press("?")
    expect(page.locator("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_be_hidden()
    assert focus_of(page) == "roll"
    page.wait_for_timeout(PRESSES_APART)
    act("R")
    before = sight(page)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    act("Enter")
    assert game.now.seats[0].boxes["twos"] is not None
    act("u")
    assert sight(page) == before
    assert game.now.seats[0].boxes["twos"] is None

    for turn in range(12):
        if turn:
            act(" " if focus_of(page) == "roll" and turn % 2 else "r")
        key = "ArrowDown" if turn % 3 else "ArrowUp"
        page.keyboard.press(key)
        assert focus_of(page).startswith("box-")
        act("Enter")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert game.now.over


def test_the_focus_stays_on_a_die_that_is_held(visits: Visits, table: New) -> None:
    """Who holds dice with Tab and Space is never thrown out, not even when no rolls are left."""
    game = table("Ana").roll()
    page = visits(game)
    page.locator("#keep2").focus()
    for rolls_used in (2, 3):
        page.keyboard.press(" ")
        before = seq_of(page)
        page.keyboard.press("r")
        changed(page, before)
        assert game.now.rolls_used == rolls_used
        assert focus_of(page) == ("keep2" if rolls_used == 2 else "roll")
        page.wait_for_timeout(PRESSES_APART)


def test_keys_can_be_turned_off(visits: Visits, table: New) -> None:
    """With the setting off no letter or digit acts, also after a reload; Tab and Enter still do."""
    game = table("Ana").roll()
    page = visits(game)
    page.keyboard.press("?")
    page.get_by_label("Use the keys below").uncheck()
    page.get_by_role("button", name="Done", exact=True).click()
    before, sent = sight(page), posts_of(page)
    for _ in range(2):
        page.locator("#keep0").focus()
        for key in "r", "R", "1", "u", "?", "ArrowDown":
            page.keyboard.press(key)
        expect(page.locator("dialog")).to_be_hidden()
        expect(page.locator(".open input:checked")).to_have_count(0)
        assert sight(page) == before
        assert not sent
        page.reload()
    page.locator("#roll").focus()
    page.keyboard.press("Enter")
    settled(page, 4)
    assert len(sent) == 1


def test_keys_do_nothing_while_text_is_typed(visits: Visits, table: New) -> None:
    """In the field for the seal, letters are letters; Enter there is no Undo."""
    game = table("Ana", "Ben")
    page = visits(game)
    sent = posts_of(page)
    page.locator("#seal summary").click()
    field = page.get_by_label("Ana", exact=True)
    field.fill("")
    field.press_sequentially("r 1u?R5")
    field.press("ArrowDown")
    expect(field).to_have_value("r 1u?R5")
    expect(page.locator("dialog")).to_be_hidden()
    assert not sent
    page.locator("#roll").click()
    changed(page, 1)
    added = game.now.seat_bytes
    assert added
    assert bytes.fromhex(added[0]) == b"r 1u?R5"
    assert len(bytes.fromhex(added[1])) >= 15


@pytest.mark.parametrize("modifier", ["Control", "Alt", "Meta"])
def test_keys_do_nothing_with_a_modifier(visits: Visits, table: New, modifier: str) -> None:
    """A browser's own shortcuts stay its own."""
    game = table("Ana").roll()
    page = visits(game)
    sent, before = posts_of(page), sight(page)
    page.evaluate("() => addEventListener('keydown', (event) => event.preventDefault(), true)")
    for key in "r", "1", "u", "ArrowDown":
        page.keyboard.press(f"{modifier}+{key}")
    assert sight(page) == before
    expect(page.locator(".open input:checked")).to_have_count(0)
    assert not sent


@pytest.mark.parametrize("key", [" ", "Enter", "r", "1", "ArrowDown"])
def test_a_key_ends_the_roll_and_does_nothing_else(visits: Visits, table: New, key: str) -> None:
    """A key pressed while the dice roll lets them settle at once; it isn't the next act as well."""
    game = table("Ana")
    page = visits(game, motion=True)
    sent = posts_of(page)
    roll = page.locator("#roll")
    in_slow_motion(page)
    roll.click()
    rolling(page)
    page.wait_for_timeout(PRESSES_APART)  # so late that it isn't taken for the same press
    page.keyboard.press(key)
    settled(page, 3)
    expect(roll).to_have_text("Roll 2 of 3")
    assert sight(page).held == [False] * 5
    expect(page.locator(".open input:checked")).to_have_count(0)
    assert len(sent) == 1
    assert game.now.rolls_used == 1


@pytest.mark.parametrize("state", ["before a roll", "over", "watching"])
def test_arrows_and_space_scroll_when_they_can_do_nothing_else(
    visits: Visits, table: New, state: str
) -> None:
    """Where no box can be chosen and nothing rolled, the keys stay the browser's."""
    game = table("Ana").turns(12 if state == "over" else 2)
    page = visits(None if state == "watching" else game, game.path)
    used = page.evaluate(
        """() => ["ArrowDown", "ArrowUp", " "].map((key) => {
            const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
            return document.body.dispatchEvent(event) ? "" : key;
        }).join("")"""
    )
    assert used == (" " if state == "before a roll" else "")
