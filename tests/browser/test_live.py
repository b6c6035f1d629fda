"""Every open page shows the game as it goes on, and says each event once."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import DESKTOP, Friends, New, Visits
from tests.browser.hands import (
    PRESSES_APART,
    choose,
    hide,
    hold,
    keep_back,
    posts_of,
    press,
    settled,
    sight,
    write,
)
from tests.browser.table import Table
from yacht.web.live import AGAIN, EVENTS, PING, PING_SECONDS, frame

LISTEN = """
window.said = [];
addEventListener("DOMContentLoaded", () => {
    const status = document.getElementById("status");
    const game = () => document.getElementById("game");
    new MutationObserver(() => said.push(
        (game().classList.contains("rolling") ? "while rolling: " : "") + status.textContent
    )).observe(status, { childList: true, characterData: true, subtree: true });
});
"""
"""Notes what a screen reader is told: every text of the status message."""


def listening(visits: Visits, game: Table, *, motion: bool = False) -> Page:
    context = visits.browser(game, motion=motion)
    context.add_init_script(LISTEN)
    page = context.new_page()
    page.goto(game.path)
    return page


def said_by(page: Page) -> list[str]:
    return [text for text in page.evaluate("() => said") if text]


def test_a_turn_is_told_once_and_in_full(visits: Visits, table: New) -> None:
    """The status message has one text an event, after the dice lie still, with all that counts.

    Those are the roll, the dice, the held ones, the rolls left, the box, and who is next.
    """
    game = table("Ana", "Ben")
    page = listening(visits, game, motion=True)
    expected: list[str] = []

    press(page, "roll")
    expected.append(f"Ana rolled {_listed(game.now.dice)}. 2 rolls left.")
    hold(page, 1, 4)
    press(page, "roll")
    now = game.now
    held = f"Held: {now.dice[1]}, {now.dice[4]}."
    expected.append(f"Ana rolled {_listed(now.dice)}. {held} 1 roll left.")
    hold(page, 1, 4)
    press(page, "roll")
    expected.append(f"Ana rolled {_listed(game.now.dice)}. No rolls left: choose a box.")
    total = sum(game.now.dice)
    write(page, "choice")
    wrote = f"Ana wrote {total} points in Choice. Pass the device to Ben."
    expected.append(wrote)
    press(page, "undo")
    expected.append("Ana took the score back. No rolls left: choose a box.")
    choose(page, "choice")
    page.wait_for_timeout(PRESSES_APART)
    press(page, "score")
    expected.append(wrote)
    expect(page.locator("#status")).to_have_text(wrote)
    assert said_by(page) == expected


def _listed(dice: list[int]) -> str:
    return ", ".join(map(str, dice))


def test_the_same_words_twice_are_said_twice(visits: Visits, table: New) -> None:
    """When two events have the same message, the status is emptied and filled again."""
    game = table("Ana")
    page = listening(visits, game)

    def same_words(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(
            response=answer, body=re.sub('data-say="[^"]*"', 'data-say="Ah."', answer.text())
        )

    page.route(f"**/{game.path}", same_words)
    page.route(f"**/{game.path}/live*", lambda route: route.abort())
    visits.tolerate("net::ERR_FAILED")
    page.reload()
    for _ in range(2):
        press(page, "roll")
        expect(page.locator("#status")).to_have_text("Ah.")
        page.wait_for_timeout(PRESSES_APART)
    assert page.evaluate("() => said") == ["Ah.", "", "Ah."]


def test_two_tabs_show_the_same(visits: Visits, table: New) -> None:
    """What is done in one tab is at once in the other, which can go on from there."""
    game = table("Ana", "Ben")
    first = visits(game)
    second = first.context.new_page()
    second.goto(game.path)
    for here, there in ((first, second), (second, first)):
        press(here, "roll")
        settled(there, game.now.seq)
        assert sight(there) == sight(here)
        write(here, "choice")
        settled(there, game.now.seq)
        assert sight(there) == sight(here)
        assert there.locator("#card").inner_text() == here.locator("#card").inner_text()
        assert there.title() == here.title()


def test_a_watcher_sees_each_act_and_can_do_nothing(visits: Visits, table: New) -> None:
    """Rolls, holds, scores and undos arrive one by one; there is no control, no key and no token.

    A form sent by hand is refused and changes nothing.
    """
    visits.tolerate("status of 403")
    game = table("Ana", "Ben")
    page = visits(path=game.path)
    sent = posts_of(page)
    tray, status = page.locator("#tray"), page.locator("#status")
    expect(tray).to_contain_text("You are watching this game.")

    game.roll()
    expect(status).to_have_text(f"Ana rolled {_listed(game.now.dice)}. 2 rolls left.")
    expect(page.locator(".turnline")).to_have_text("Turn: Ana 2 rolls left")
    game.roll(0, 3)
    settled(page, game.now.seq)
    shown = [die.locator(".held").is_visible() for die in page.locator(".die").all()]
    assert shown == [True, False, False, True, False]
    values = page.locator("td.open.now .pencil").all_inner_texts()
    assert [int(re.findall(r"\d+", value)[0]) for value in values] == list(game.now.points.values())
    game.score("choice")
    expect(status).to_contain_text("points in Choice. Turn: Ben.")
    game.undo()
    expect(status).to_contain_text("Ana took the score back.")

    before = game.now
    expect(page.locator("main").get_by_role("button")).to_have_count(1)  # the settings
    expect(page.locator("main input:enabled:not([type=hidden])")).to_have_count(0)
    for cell in page.locator(".card tbody td, .die").all():
        cell.click(force=True)
    for key in "r", " ", "1", "u", "ArrowDown", "Enter":
        page.keyboard.press(key)
    assert not sent
    answers = page.evaluate(
        """(moves) => Promise.all(moves.map((move) => fetch(
            location, { method: "POST", body: new URLSearchParams(move) }
        ).then((answer) => answer.status)))""",
        [
            {"seq": str(before.seq), "do": "roll"},
            {"seq": str(before.seq), "do": "score", "box": "ones"},
            {"seq": str(before.seq), "do": "undo"},
        ],
    )
    assert answers == [403, 403, 403]
    assert game.now == before
    assert game.token not in page.content()


_ONCE_A_MINUTE = """
const set = setInterval;
setInterval = (act, wait) => set(act, Math.max(wait, 60_000));
"""
"""What browsers do to the intervals of a tab that has been hidden for five minutes."""


@pytest.mark.parametrize("hidden", [False, True], ids=["seen", "long hidden"])
def test_a_silent_line_is_noticed(visits: Visits, room: Friends, hidden: bool) -> None:  # noqa: FBT001
    """A page connects anew when nothing came for 40 s, but not while a second ping may be late."""
    table = room("Ana", "Ben")[0]
    page = visits.browser(table).new_page()
    page.clock.install(time=0)
    if hidden:
        page.add_init_script(_ONCE_A_MINUTE)
    asked = keep_back(page, "live*")
    with page.expect_request("**/live*"):
        page.goto(table.path)
    if hidden:
        hide(page)
    page.clock.pause_at(11)  # seconds; from here on time passes as the test says
    with page.expect_request("**/live*"):  # that line ends after a ping, and the next is silent
        asked[0].fulfill(content_type=EVENTS, body=f"retry: 0\n{PING.decode()}")
    two_pings = 2_000 * PING_SECONDS + 2_000
    page.clock.run_for(two_pings)
    assert len(asked) == 2
    with page.expect_request("**/live*"):
        page.clock.run_for(40_000 - two_pings)


def test_what_was_opened_stays_open(visits: Visits, table: New) -> None:
    """The seal, once opened, stays open while the game goes on."""
    page = visits(table("Ana").roll(), size=DESKTOP)
    page.locator("#seal summary").click()
    press(page, "roll")
    write(page, "choice")
    expect(page.locator(".last")).to_contain_text("Choice")
    expect(page.locator("#seal")).to_have_attribute("open", "")


def test_a_deleted_game_says_so(visits: Visits, table: New) -> None:
    """When a game is deleted, the pages that show it say that it is gone."""
    visits.tolerate("status of 404")
    game = table("Ana").roll()
    page, watcher = visits(game), visits(path=game.path)
    page.get_by_role("link", name="Delete this game").click()
    page.get_by_role("button", name="Delete the game").click()
    expect(page.get_by_role("button", name="Start a game")).to_be_visible()
    expect(watcher.get_by_role("heading", level=1)).to_have_text("Not found")
    expect(watcher.locator("main")).to_contain_text("There is no such game.")


def test_the_game_goes_on_in_another_browser(visits: Visits, table: New) -> None:
    """By its personal link the game moves on; where it was, it can then be watched live."""
    game = table("Ana", "Ben").turns(3).roll()
    page = visits(game)
    page.get_by_role("link", name=re.compile("^Links")).click()
    link = page.get_by_label("for you alone").input_value()
    page.go_back()
    other = visits(path=link)
    other.get_by_role("button", name="Go on here").click()
    expect(other.locator("#roll")).to_be_visible()
    press(other, "roll")
    expect(page.locator("#tray")).to_contain_text("You are watching this game.")
    expect(page.locator(".turnline")).to_contain_text("1 roll left")
    expect(page.locator("#roll")).to_have_count(0)


_NOTED = """
window.changed = [];
const new_to = (one) => one.target.getAttribute?.(one.attributeName) !== one.oldValue;
addEventListener("load", () => new MutationObserver((all) => changed.push(...all
    .filter((one) => one.type !== "attributes" || new_to(one))
    .map((one) => `${one.type} of ${one.target.nodeName}`)
)).observe(document, {
    attributeOldValue: true, characterData: true, childList: true, subtree: true
}));
"""
"""Notes whatever changes in the page."""

_PART = """
() => fetch(location, { headers: { "Yacht-Part": "game" } }).then((answer) => answer.text())
"""


def test_coming_back_to_a_stream_shows_nothing(visits: Visits, room: Friends) -> None:
    """A page that is asked to come back to its stream does so at once, and nothing changes."""
    ana, _ = room("Ana", "Ben")
    context = visits.browser(ana)
    context.add_init_script(_NOTED)
    page = context.new_page()
    asked = keep_back(page, "live*")
    with page.expect_request("**/live*"):
        page.goto(ana.path)
    page.wait_for_function("window.changed")
    page.locator("#roll").focus()
    page.evaluate("() => changed.length = 0")
    with page.expect_request("**/live*"):
        asked[0].fulfill(content_type=EVENTS, body=(PING + AGAIN).decode())
    with page.expect_request("**/live*"):  # as the server has it: first the state again
        state = frame(ana.now.seq, page.evaluate(_PART))
        asked[1].fulfill(content_type=EVENTS, body=(PING + state + AGAIN).decode())
    assert page.evaluate("() => changed") == []
    asked[2].continue_()
    ana.roll()
    settled(page, ana.now.seq)
