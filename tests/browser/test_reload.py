"""No reload, no closed tab and no killed server loses a game or leaves a page frozen."""

import re
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import New, Visits
from tests.browser.hands import (
    PRESSES_APART,
    choose,
    hold,
    in_slow_motion,
    press,
    rolling,
    sight,
    write,
)
from tests.browser.table import Table
from tests.serving import Served


@pytest.mark.parametrize("way", ["reload", "back", "new tab"])
def test_every_state_survives(visits: Visits, table: New, way: str) -> None:
    """Reload, away and back, and a new tab for a killed one show the same dice and rolls left.

    In the same tab, holds that weren't sent are there too. No box is chosen then: a choice is
    never older than what one sees.
    """
    game = table("Ana", "Ben")
    page = visits(game)

    def survives(held: list[bool]) -> None:
        nonlocal page
        before = sight(page)
        assert before.held == held
        if way == "reload":
            page.reload()
        elif way == "back":
            page.get_by_role("link", name="Rules", exact=True).click()
            page.wait_for_url("**/rules*")
            page.go_back()
        else:
            context = page.context
            page.close()
            page = context.new_page()
            page.goto(game.path)
        after = sight(page)
        if way == "new tab":
            kept = game.now.kept if game.now.rolls_left else []
            assert after.held == [position in kept for position in range(5)]
            hold(page, *(place for place in range(5) if held[place] != after.held[place]))
            after = sight(page)
        assert after == before
        expect(page.locator(".open input:checked")).to_have_count(0)

    none = [False] * 5
    survives(none)
    press(page, "roll")
    survives(none)
    hold(page, 0, 3)
    survives([True, False, False, True, False])
    press(page, "roll")
    survives([True, False, False, True, False])
    hold(page, 0, 4)
    choose(page, "threes")
    survives([False, False, False, True, True])
    press(page, "roll")
    assert game.now.kept == [3, 4]
    choose(page, "choice")
    survives(none)
    write(page, "choice")
    survives(none)
    press(page, "undo")
    survives(none)
    write(page, "choice")
    press(page, "roll")
    assert game.now.seat == 1


def test_turning_the_phone_changes_nothing(visits: Visits, table: New) -> None:
    """Held dice and the chosen box stay when the window gets another shape."""
    page = visits(table("Ana").roll())
    hold(page, 1)
    choice = choose(page, "choice")
    before = sight(page)
    page.set_viewport_size({"width": 740, "height": 360})
    assert sight(page) == before
    expect(choice).to_be_checked()
    press(page, "roll")


def test_the_end_survives_a_reload(visits: Visits, table: New) -> None:
    """A finished game shows its result again, and Play again still works."""
    game = table("Ana", "Ben").turns(24)
    page = visits(game)
    result = page.locator("#result").inner_text()
    page.reload()
    assert page.locator("#result").inner_text() == result
    page.get_by_role("button", name="Play again").click()
    expect(page.locator(".turnline")).to_contain_text("3 rolls left")
    assert not page.url.endswith(game.path)


def test_a_reload_while_the_dice_roll_leaves_nothing_frozen(visits: Visits, table: New) -> None:
    """A page reloaded in mid-roll shows the rolled dice, lying still, and can go on."""
    game = table("Ana")
    page = visits(game, motion=True)
    slow = in_slow_motion(page)
    page.locator("#roll").click()
    rolling(page)
    page.reload()
    slow.detach()
    assert sight(page).faces == game.now.dice
    assert page.evaluate("() => document.getAnimations().length") == 0
    expect(page.locator("#game")).not_to_have_class(re.compile("rolling"))
    hold(page, 2)
    press(page, "roll")
    assert game.now.kept == [2]


def test_another_game_in_the_same_tab_has_its_own_holds(visits: Visits, table: New) -> None:
    """Holds that weren't sent belong to their game, and to the roll that they were made for."""
    game = table("Ana").roll()
    other = table("Ana", token=game.token).roll()
    page = visits(game)
    hold(page, 1)
    page.goto(other.path)
    assert sight(page).held == [False] * 5
    page.goto(game.path)
    assert sight(page).held == [False, True, False, False, False]


def test_a_killed_server_comes_back(browser: Browser, tmp_path: Path) -> None:
    """After kill -9 and a restart the page goes on by itself; a roll sent meanwhile happens once.

    The page says that the connection is lost, and stops saying so.
    """
    with Served(tmp_path) as served, httpx.Client(base_url=served.address) as site:
        visits = Visits(browser, served.address)
        visits.tolerate("net::ERR_(CONNECTION|INCOMPLETE|EMPTY)")
        game = Table.new(site, "Ana").roll()
        page, watcher = visits(game), visits(path=game.path)
        hold(page, 0, 4)
        served.kill()
        page.locator("#roll").click()
        away = page.locator("#away")
        expect(away).to_be_visible()
        expect(away).to_have_text(re.compile("Connection lost. What you pressed is kept"))
        expect(watcher.locator("#away")).to_have_text(re.compile("The game is safe"))

        with Served(tmp_path, port=served.port):
            for one in (page, watcher):
                expect(one.locator(".turnline")).to_contain_text("1 roll left", timeout=20_000)
                expect(one.locator("#away")).to_be_hidden(timeout=20_000)
            assert game.now.rolls_used == 2
            assert game.now.kept == [0, 4]
            page.wait_for_timeout(PRESSES_APART)
            press(page, "roll")
            expect(watcher.locator(".turnline")).to_contain_text("0 rolls left", timeout=20_000)
            visits.close()
    assert visits.faults == []
