"""The page of a game loads little, and needs nothing but its first answer."""
# pyright: reportUnknownMemberType=false
# (Playwright leaves the parameters of DevTools open)

import re
from typing import Any

from playwright.sync_api import expect

from tests.browser.conftest import New, Visits


def test_a_game_page_is_light(visits: Visits, table: New) -> None:
    """The first load is at most 60 KB over the wire, all files together."""
    game = table("Ana", "Ben").turns(12).roll()
    page = visits.browser(game).new_page()
    devtools = page.context.new_cdp_session(page)
    devtools.send("Network.enable")
    loaded = dict[str, float]()
    names = dict[str, str]()

    def started(event: dict[str, Any]) -> None:
        names[event["requestId"]] = event["request"]["url"]

    def finished(event: dict[str, Any]) -> None:
        loaded[names[event["requestId"]]] = event["encodedDataLength"]

    devtools.on("Network.requestWillBeSent", started)
    devtools.on("Network.loadingFinished", finished)
    page.goto(game.path)
    page.evaluate("() => document.fonts.ready.then(() => true)")
    assert len(loaded) >= 5, loaded
    assert sum(loaded.values()) <= 60 * 1024, loaded


def test_the_page_is_usable_after_one_round_trip(visits: Visits, table: New) -> None:
    """The answer to the first request alone shows the game and can play it."""
    game = table("Ana").roll()
    page = visits.browser(game).new_page()
    visits.tolerate("net::ERR_FAILED")
    page.route("**/static/**", lambda route: route.abort())
    page.goto(game.path)
    expect(page.get_by_role("checkbox", name=re.compile("^Die 1"))).to_be_enabled()
    page.get_by_role("radio", name="Choice").check()
    page.get_by_role("button", name="Score").click(force=True)
    expect(page.locator("#seat0 .total")).to_contain_text(str(sum(game.log.turns[0].rolls[0].dice)))
