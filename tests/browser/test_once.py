"""Whatever is pressed twice, held down, sent again or sent at once happens once."""

import time

import pytest
from playwright.sync_api import Route, ViewportSize, expect

from tests.browser.conftest import DESKTOP, PHONE, New, Visits
from tests.browser.hands import (
    PRESSES_APART,
    changed,
    hold,
    keep_back,
    posts_of,
    press,
    seq_of,
    settled,
    sight,
)


def test_a_double_click_rolls_once(visits: Visits, table: New) -> None:
    """Two clicks on Roll at once are one roll."""
    game = table("Ana")
    page = visits(game)
    sent = posts_of(page)
    page.locator("#roll").dblclick()
    changed(page, 1)
    assert len(sent) == 1
    assert game.now.rolls_used == 1


def test_a_second_press_right_after_the_answer_is_the_same_press(
    visits: Visits, table: New
) -> None:
    """A double click whose first click was already answered is still one roll."""
    game = table("Ana")
    page = visits(game)
    sent = posts_of(page)
    page.evaluate(
        """() => new Promise((done) => {
            const press = () => document.getElementById("roll").click();
            new MutationObserver((_, observer) => {
                observer.disconnect();
                setTimeout(() => done(press()), 50);
            }).observe(document.getElementById("game"), { attributeFilter: ["data-seq"] });
            press();
        })"""
    )
    page.reload()
    assert len(sent) == 1
    assert game.now.rolls_used == 1


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_double_click_scores_once(visits: Visits, table: New, size: ViewportSize) -> None:
    """Two clicks on Score at once write one box, and start nothing even at the game's end."""
    game = table("Ana").turns(10).roll()
    page = visits(game, size=size)
    sent = posts_of(page)
    for open_boxes in (2, 1):
        page.locator("label:has([name=box])").first.click()
        before = seq_of(page)
        page.locator("#score").dblclick()
        changed(page, before)
        assert list(game.now.seats[0].boxes.values()).count(None) == open_boxes - 1
        if open_boxes == 2:
            press(page, "roll")
    expect(page.locator("#result")).to_be_visible()
    assert page.url.endswith(game.path)
    assert len(sent) == 3
    assert game.now.again is None


def test_enter_and_space_at_once_roll_once(visits: Visits, table: New) -> None:
    """Enter and Space on the focused Roll are one roll."""
    game = table("Ana")
    page = visits(game)
    sent = posts_of(page)
    page.locator("#roll").focus()
    for act, key in (("down", "Enter"), ("down", " "), ("up", " "), ("up", "Enter")):
        getattr(page.keyboard, act)(key)
    changed(page, 1)
    page.reload()
    assert len(sent) == 1
    assert game.now.rolls_used == 1


def test_a_key_held_down_rolls_once(visits: Visits, table: New) -> None:
    """Enter that repeats because it is held down acts once, however long it is held."""
    game = table("Ana", "Ben").roll()
    page = visits(game)
    sent = posts_of(page)
    page.locator("#roll").focus()
    page.keyboard.down("ArrowDown")
    page.keyboard.up("ArrowDown")
    for _ in range(6):  # the first writes the box, the others fall on what has the focus then
        page.keyboard.down("Enter")
        page.wait_for_timeout(PRESSES_APART / 3)
    page.keyboard.up("Enter")
    page.reload()
    assert len(sent) == 1
    assert game.now.seat == 1
    assert game.now.rolls_used == 0


def test_touch_and_mouse_at_once_roll_once(visits: Visits, table: New) -> None:
    """A tap that the browser also tells as a click is one roll."""
    game = table("Ana")
    page = visits(game, touch=True)
    sent = posts_of(page)
    page.locator("#roll").tap()
    page.locator("#roll").click(force=True)
    changed(page, 1)
    page.reload()
    assert len(sent) == 1
    assert game.now.rolls_used == 1


def test_two_tabs_at_the_same_state_act_once(visits: Visits, table: New) -> None:
    """Of two different rolls sent at one state, one happens; the other tab is told and shows it."""
    visits.tolerate("status of 409")
    game = table("Ana").roll()
    first = visits(game)
    second = first.context.new_page()
    second.goto(game.path)
    kept_back = keep_back(second, game.path)
    hold(second, 1, 2)
    second.locator("#roll").click()
    hold(first, 0)
    press(first, "roll")
    kept_back[0].continue_()
    notice = second.locator("#notice")
    expect(notice).to_have_text("The game had already gone on. This is where it is now.")
    expect(second.locator("#status")).to_contain_text("The game had already gone on.")
    settled(second, game.now.seq)
    assert game.now.rolls_used == 2
    assert game.now.kept == [0]
    assert sight(first) == sight(second)


def test_the_same_roll_from_two_tabs_happens_once(visits: Visits, table: New) -> None:
    """The same roll sent by two tabs at one state is one roll, and neither is told off."""
    game = table("Ana").roll()
    first = visits(game)
    second = first.context.new_page()
    second.goto(game.path)
    kept_back = keep_back(second, game.path)
    second.locator("#roll").click()
    press(first, "roll")
    kept_back[0].continue_()
    settled(second, game.now.seq)
    expect(second.locator("#notice")).to_have_count(0)
    assert game.now.rolls_used == 2


def test_posts_in_parallel_have_one_effect(visits: Visits, table: New) -> None:
    """Eight forms posted at once for one state: one is played, the others get the state or 409."""
    visits.tolerate("status of 409")
    game = table("Ana").roll()
    page = visits(game)
    answers = page.evaluate(
        """() => Promise.all([0, 1, 2, 3, 0, 1, 2, 3].map((keep) => {
            const seq = document.getElementById("game").dataset.seq;
            const body = new URLSearchParams({ seq, do: "roll", keep });
            return fetch(location, { method: "POST", body }).then((answer) => answer.status);
        }))"""
    )
    assert sorted(answers) == [200, 200, 409, 409, 409, 409, 409, 409]
    assert game.now.rolls_used == 2


def test_an_act_too_many_waits_as_long_as_it_is_told(visits: Visits, table: New) -> None:
    """A roll that gets 429 is sent again by itself after the seconds of Retry-After."""
    visits.tolerate("status of 429")
    game = table("Ana").roll()
    page = visits(game)
    sent: list[float] = []

    def refuse_the_first(route: Route) -> None:
        sent.append(time.monotonic())
        if len(sent) > 1:
            route.continue_()
        else:
            route.fulfill(status=429, headers={"Retry-After": "1"})

    page.route(f"**/{game.path}", refuse_the_first)
    with page.expect_event(
        "response", lambda answer: answer.request.method == "POST" and answer.status == 200
    ):
        page.locator("#roll").click()
    settled(page, game.now.seq)
    assert len(sent) == 2
    assert sent[1] - sent[0] > 0.9
    assert game.now.rolls_used == 2


def test_an_answer_that_breaks_off_is_asked_for_again(visits: Visits, table: New) -> None:
    """When a roll's answer begins and never ends, the page asks again and shows that roll."""
    game = table("Ana").roll()
    page = visits(game)
    page.evaluate(
        """() => {
            const { text } = Response.prototype;
            Response.prototype.text = function () {
                Response.prototype.text = text;
                return Promise.reject(new DOMException("signal timed out", "TimeoutError"));
            };
        }"""
    )
    sent = posts_of(page)
    press(page, "roll")
    settled(page, game.now.seq)
    assert len(sent) == 2
    assert game.now.rolls_used == 2


def test_a_lost_reply_is_sent_again_and_happens_once(visits: Visits, table: New) -> None:
    """When the answer to a roll gets lost, the page asks again by itself and shows that roll."""
    visits.tolerate("net::ERR_FAILED")
    game = table("Ana").roll()
    page = visits(game)
    lost: list[Route] = []

    def lose_the_first(route: Route) -> None:
        if lost:
            route.continue_()
        else:
            lost.append(route)
            route.fetch()
            route.abort()

    page.route(f"**/{game.path}", lose_the_first)
    with page.expect_event("requestfinished", lambda asked: asked.method == "POST"):
        page.locator("#roll").click()
    settled(page, game.now.seq)
    expect(page.locator("#roll")).to_have_text("Roll 3 of 3")
    assert lost
    assert game.now.rolls_used == 2
