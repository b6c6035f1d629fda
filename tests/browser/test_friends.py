"""A game of friends, each in a browser of their own: what they see, and what is theirs to do."""

import re
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from tests.browser.conftest import DESKTOP, PHONE, Friends, New, Visits
from tests.browser.hands import (
    PRESSES_APART,
    choose,
    focus_of,
    hide,
    hide_for_good,
    hold,
    in_slow_motion,
    keep_back,
    press,
    rolling,
    seq_of,
    settled,
    sight,
    write,
)
from tests.browser.table import Table
from tests.browser.test_layout import WATCH
from tests.browser.walks import LONG
from tests.serving import Served
from yacht.web.visit import viewer_of


def test_each_act_is_seen_by_the_others(visits: Visits, room: Friends) -> None:
    """Rolls, holds and the box appear at the others one by one; the last turn can be read again.

    Whoever is on turn has the controls and “Your turn” in the title, and nobody else.
    """
    tables = room("Ana", "Ben", "Cleo")
    pages = [visits(table) for table in tables]
    for turn in range(4):
        on = turn % 3
        page, others = pages[on], [one for one in pages if one != pages[on]]
        expect(page).to_have_title("Your turn · Yacht")
        for one in others:
            expect(one).not_to_have_title(re.compile("Your turn"))
            assert one.locator("#roll").get_attribute("aria-disabled") == "true"
            assert one.locator(".open input:enabled, .die input:enabled").count() == 0
        press(page, "roll")
        hold(page, 0, 3)
        page.wait_for_timeout(PRESSES_APART)
        press(page, "roll")
        now = tables[on].now
        for one in others:
            settled(one, now.seq)
            seen = sight(one)
            assert seen.faces == now.dice
            assert seen.held == [True, False, False, True, False]
            assert seen.line.endswith("1 roll left")
        write(page, "fours" if turn == 3 else "choice")
        points = tables[on].now.seats[on].boxes["fours" if turn == 3 else "choice"]
        for one in others:
            settled(one, tables[on].now.seq)
            last = one.locator(".last")
            expect(last).to_contain_text(f"{'Ana' if on == 0 else ('Ben', 'Cleo')[on - 1]}")
            expect(last).to_contain_text(str(points))
            expect(last.locator("li")).to_have_count(2)
            expect(last).to_contain_text(f"rolled {', '.join(map(str, now.dice))}, held")


def test_a_score_is_taken_back_until_anyone_rolls(visits: Visits, room: Friends) -> None:
    """Undo is for who scored, and goes when the next player has rolled."""
    tables = room("Ana", "Ben")
    ana, ben = (visits(table) for table in tables)
    press(ana, "roll")
    write(ana, "choice")
    expect(ben.locator("h1")).to_have_text("Your turn")
    assert ben.locator("#undo").get_attribute("aria-disabled") == "true"
    press(ana, "undo")
    expect(ben.locator("h1")).to_have_text("Turn: Ana")
    write(ana, "choice")
    expect(ben.locator("h1")).to_have_text("Your turn")
    press(ben, "roll")
    expect(ana.locator("#undo")).to_have_attribute("aria-disabled", "true")


def test_the_focus_stays_when_the_turn_comes(visits: Visits, room: Friends) -> None:
    """The keyboard's place isn't moved by what others do, and one's own turn begins where it is."""
    tables = room("Ana", "Ben")
    page = visits(tables[1])
    page.locator("#roll").focus()
    tables[0].roll().score("choice")
    expect(page).to_have_title("Your turn · Yacht")
    assert focus_of(page) == "roll"
    press(page, "roll")
    page.locator("#keep2").focus()
    tables[1].score("choice")
    settled(page, tables[1].now.seq)
    assert focus_of(page) == "roll"


def test_a_hidden_seat_listens_and_a_hidden_watcher_does_not(visits: Visits, room: Friends) -> None:
    """In a tab behind others a player's title says “Your turn”; a watcher's page rests.

    Once it is looked at again, it shows where the game is.
    """
    tables = room("Ana", "Ben")
    ben, watcher = visits(tables[1]), visits(path=tables[0].path)
    expect(watcher.locator(".watching")).to_be_visible()
    with watcher.expect_event("requestfailed", lambda asked: "/live" in asked.url):
        hide(watcher)
    hide(ben)
    tables[0].roll().score("choice")
    expect(ben).to_have_title("Your turn · Yacht")
    tables[1].roll()
    settled(ben, tables[1].now.seq)
    assert seq_of(watcher) < tables[1].now.seq
    hide(watcher, hidden=False)
    settled(watcher, tables[1].now.seq)


def test_a_game_that_begins_in_a_hidden_tab_is_followed(visits: Visits, invited: New) -> None:
    """The page that is loaded then, behind other tabs, still hears that it is one's turn."""
    ana = invited("Ana", places=2)
    page = visits(ana.join("Ben"), ana.path)
    hide_for_good(page)
    ana.sit("begin")
    expect(page.locator("#tray")).to_be_visible()
    ana.roll().score()
    expect(page).to_have_title("Your turn · Yacht")


def test_no_dice_roll_in_a_hidden_tab(visits: Visits, room: Friends) -> None:
    """A browser may keep them in the air for as long as nobody looks; the turn comes without."""
    ana, ben = room("Ana", "Ben")
    page = visits(ben, motion=True)
    in_slow_motion(page)
    ana.roll()
    rolling(page)
    hide(page)
    settled(page, ana.now.seq)
    ana.roll().score()
    expect(page).to_have_title("Your turn · Yacht")


def test_nothing_that_one_receives_lets_them_act_for_another(visits: Visits, room: Friends) -> None:
    """Pages and streams for Ben have no secret of Ana's, and what he sends for her is refused."""
    visits.tolerate("status of 4(22|03|09)")
    ana, ben = room("Ana", "Ben")
    page = visits(ben)
    shown = list[str]()
    for path in ("", "/log", "/share", "/record"):
        shown.append(
            page.evaluate(
                "(url) => fetch(url).then((answer) => answer.text())", f"/{ben.path}{path}"
            )
        )
    shown.append(
        page.evaluate(
            """async (url) => {
                const reader = (await fetch(url)).body.getReader();
                const text = new TextDecoder();
                let all = "";
                while (!all.includes("</main>")) all += text.decode((await reader.read()).value);
                reader.cancel();
                return all;
            }""",
            f"/{ben.path}/live",
        )
    )
    links = visits(ana, f"{ana.path}/share")
    key = links.get_by_label("for you alone").input_value().rpartition("/")[2]
    assert len(key) == 32
    for text in shown:
        for secret in (ana.token, viewer_of(ana.token), key):
            assert secret not in text
    before = ana.now
    answers = page.evaluate(
        """(moves) => Promise.all(moves.map((move) => fetch(
            location, { method: "POST", body: new URLSearchParams(move) }
        ).then(async (answer) => [answer.status, await answer.text()])))""",
        [
            {"seq": str(before.seq), "do": "roll"},
            {"seq": str(before.seq), "do": "score", "box": "ones"},
            {"seq": str(before.seq), "do": "skip"},
            {"seq": str(before.seq), "do": "stand_in"},
        ],
    )
    assert all(status >= 400 for status, _ in answers)
    assert "It isn’t your turn: Ana is playing." in answers[0][1]
    assert "It isn’t your turn: Ana is playing." in answers[1][1]
    assert "away for two minutes" in answers[2][1]
    assert ana.now == before


def test_the_same_browser_has_its_seat_again(browser: Browser, tmp_path: Path) -> None:
    """After a reload, in a new tab, and after kill -9 and a restart, it is one's turn as before."""
    with Served(tmp_path) as served, httpx.Client(base_url=served.address) as site:
        visits = Visits(browser, served.address)
        visits.tolerate("net::ERR_(CONNECTION|INCOMPLETE|EMPTY)")
        tables = Table.friends(site, "Ana", "Ben")
        page, other = visits(tables[0]), visits(tables[1])
        press(page, "roll")
        before = sight(page)
        page.reload()
        assert sight(page) == before
        context = page.context
        page.evaluate("() => sessionStorage.clear()")
        page.close()
        page = context.new_page()
        page.goto(tables[0].path)
        assert sight(page) == before
        served.kill()
        expect(page.locator("#away")).to_be_visible()
        with Served(tmp_path, port=served.port):
            expect(page.locator("#away")).to_be_hidden(timeout=20_000)
            assert sight(page) == before
            press(page, "roll")
            expect(other.locator(".turnline")).to_contain_text("1 roll left", timeout=20_000)
            visits.close()
    assert visits.faults == []


def test_a_personal_link_moves_a_seat(visits: Visits, room: Friends) -> None:
    """The seat goes on in another browser, the old one watches, and the others' seats stay."""
    visits.tolerate("status of 40[39]")
    tables = room("Ana", "Ben")
    old, ben = visits(tables[0]), visits(tables[1])
    press(old, "roll")
    old.get_by_role("link", name=re.compile("^Links")).click()
    link = old.get_by_label("for you alone").input_value()
    old.go_back()
    new = visits(path=link)
    new.get_by_role("button", name="Go on here").click()
    expect(new).to_have_title("Your turn · Yacht")
    expect(old.locator("#tray")).to_contain_text("You are watching this game.")
    press(new, "roll")
    write(new, "choice")
    expect(ben).to_have_title("Your turn · Yacht")
    press(ben, "roll")
    stranger = visits(path=link)
    expect(stranger.locator("main")).to_contain_text("This link has been used")


def test_a_clock_of_days_goes_on_by_itself(visits: Visits, room: Friends) -> None:
    """The page says how much is left in days, hours and minutes, though nothing comes for hours."""
    tables = room("Ana", "Ben", clock=2 * 86_400)
    page = visits.browser(tables[0]).new_page()
    page.clock.install()
    keep_back(page, "live*")
    page.goto(tables[0].path)
    clock = page.locator("#clock")
    expect(clock).to_have_text("1 day left")
    for hours, left in ((23, "1 day left"), (7, "17 hours left"), (16, "1 hour left")):
        page.clock.fast_forward(hours * 3_600_000)
        expect(clock).to_have_text(left)
    page.clock.fast_forward(3_600_000)
    expect(clock).to_have_text(re.compile(r"^59:[0-5]\d$"))
    press(page, "roll")
    expect(clock).to_have_text(re.compile(r"^59:[0-5]\d$"))


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_nothing_moves_when_turns_come_and_go(
    visits: Visits, room: Friends, size: ViewportSize
) -> None:
    """While a friend plays, one's own turn comes and the clock ticks, the layout shift is 0."""
    tables = room("Ana", LONG, "Cleo", clock=90, hints=True)
    page = visits(tables[1], size=size)
    page.evaluate("() => document.fonts.ready.then(() => true)")
    page.evaluate(WATCH)
    tables[0].roll().roll(0, 1).score("choice")
    expect(page).to_have_title("Your turn · Yacht")
    clock = page.locator("#clock")
    before = clock.inner_text()
    expect(clock).not_to_have_text(before)
    press(page, "roll")
    hold(page, 1)
    choose(page, "ones")
    press(page, "score")
    tables[2].roll()
    settled(page, tables[2].now.seq)
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    shifts: list[str] = page.evaluate("() => shifts.flat()")
    assert not shifts, "\n".join(shifts)
