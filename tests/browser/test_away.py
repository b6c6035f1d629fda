"""When a friend closes the page or lets the clock run out: what the others see and may do."""

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Friends, Visits, visiting
from tests.browser.hands import PRESSES_APART, hide, hold, press, settled
from tests.browser.table import Table, take_turns
from tests.browser.test_live import LISTEN, said_by
from tests.serving import Timely

SHORT, AWAY, LONG_AWAY = 25, 35, 125
"""Seconds: a drop that isn't shown, one that is, and one after which the others may help."""


@pytest.fixture
def late(browser: Browser, timely: Timely) -> Iterator[Visits]:
    """Visits at the server whose clock can be put forward."""
    with visiting(browser, timely) as visits:
        yield visits


@pytest.fixture
def friends(timely: Timely) -> Iterator[Friends]:
    with httpx.Client(base_url=timely.address) as site:
        yield lambda *names, **options: Table.friends(site, *names, **options)


def _listening(visits: Visits, table: Table) -> Page:
    context = visits.browser(table)
    context.add_init_script(LISTEN)
    page = context.new_page()
    page.goto(table.path)
    return page


def _is_away(page: Page, seat: int) -> bool:
    return "away" in page.locator(f"#seat{seat}").inner_text()


def test_only_a_long_drop_is_shown(late: Visits, friends: Friends, timely: Timely) -> None:
    """A closed page is worth no word for 30 s; then its player is away, until they open it again.

    Nobody else is ever shown as away, a player with a hidden tab neither.
    """
    tables = friends("Ana", "Ben", "Cleo")
    ana, ben, cleo = late(tables[0]), _listening(late, tables[1]), late(tables[2])
    expect(cleo.locator("#seat2")).to_be_visible()
    hide(cleo)
    ana.close()
    timely.wait(SHORT)
    ben.wait_for_timeout(200)
    assert not any(_is_away(ben, seat) for seat in range(3))
    expect(ben.locator("#tray h1")).to_have_text("Ana starts")
    timely.wait(AWAY - SHORT)
    expect(ben.locator("#tray h1")).to_have_text("Away: Ana")
    expect(ben.locator("#missing")).to_have_text("Away: Ana")
    assert [_is_away(ben, seat) for seat in range(3)] == [True, False, False]
    expect(ben.locator("#skip")).to_have_count(0)
    back = ana.context.new_page()
    back.goto(tables[0].path)
    expect(ben.locator("#tray h1")).to_have_text("Ana starts")
    expect(ben.locator("#missing")).to_have_count(0)
    assert said_by(ben) == ["Away: Ana"]
    press(back, "roll")
    expect(ben.locator(".turnline")).to_contain_text("2 rolls left")


def test_a_turn_is_skipped(late: Visits, friends: Friends, timely: Timely) -> None:
    """After two minutes the others get a button; one press of it completes the turn for all to see.

    The seat stays whose it is: they come back to it by opening their page. Watchers get no button.
    """
    tables = friends("Ana", "Ben", "Cleo")
    ben, cleo = late(tables[1]), late(tables[2])
    watcher = late(path=tables[0].path)
    ben.locator("#roll").focus()
    timely.wait(LONG_AWAY)
    for page in (ben, cleo):
        expect(page.locator("#skip")).to_have_text("Skip this turn")
        expect(page.locator("#skip")).to_have_accessible_description(re.compile("rolled once"))
        expect(page.locator("#stand-in")).to_have_accessible_description(re.compile("Ana is back"))
        for button in page.locator(".help").all():  # each in one line
            assert button.evaluate("(button) => button.scrollHeight") <= 46
    expect(watcher.locator("#tray h1")).to_have_text("Away: Ana")
    expect(watcher.locator("#skip")).to_have_count(0)
    assert ben.evaluate("() => document.activeElement.localName") == "h1"
    ben.locator("#skip").dblclick()
    expect(ben).to_have_title("Your turn · Yacht")
    for page in (ben, cleo, watcher):
        expect(page.locator(".last")).to_contain_text("Ana")
        expect(page.locator(".last li")).to_have_count(1)
        expect(page.locator("#skip")).to_have_count(0)
    now = tables[1].now
    assert now.seat == 1
    assert [points for points in now.seats[0].boxes.values() if points is not None]
    expect(ben.locator(".under")).to_contain_text("Had help while away: Ana")
    tables[1].roll().score()
    tables[2].roll().score()
    press(late(tables[0]), "roll")
    tables[0].score()
    take_turns(tables, 32)
    record = ben.request.get(f"{tables[1].path}/record").text()
    assert "# Had help while away: Ana" in record.splitlines()


def test_a_computer_plays_until_they_come_back(
    late: Visits, friends: Friends, timely: Timely
) -> None:
    """A computer plays on for whoever is away, marked as one; opening the page ends it."""
    tables = friends("Ana", "Ben")
    ben = late(tables[1])
    timely.wait(LONG_AWAY)
    ben.locator("#stand-in").click()
    expect(ben.locator("#tray h1")).to_have_text("A computer plays for Ana")
    expect(ben.locator("#seat0")).to_contain_text("a computer plays")
    expect(ben).to_have_title("Your turn · Yacht", timeout=20_000)
    tables[1].roll().score()
    expect(ben.locator("#tray h1")).to_have_text("A computer plays for Ana")
    ana = late(tables[0])
    expect(ana).to_have_title("Your turn · Yacht")
    expect(ben.locator("#tray h1")).to_have_text("Turn: Ana")
    assert tables[0].now.seats[0].helped
    if tables[0].now.rolls_left:
        press(ana, "roll")


def test_the_clock_runs_out(late: Visits, friends: Friends, timely: Timely) -> None:
    """The time left is seen to run; when it is over, the turn is completed for all to see.

    Dice that were rolled count. Nobody is offered to skip a turn that ends by itself.
    """
    tables = friends("Ana", "Ben", "Cleo", clock=90)
    ana, ben = late(tables[0]), late(tables[1])
    for page in (ana, ben):
        expect(page.locator("#clock")).to_have_text(re.compile(r"^1:[0-2]\d$"))
    shown = ben.locator("#clock").inner_text()
    expect(ben.locator("#clock")).not_to_have_text(shown)
    press(ana, "roll")
    hold(ana, 0, 1)
    dice = tables[0].now.dice
    timely.wait(80)
    assert tables[1].now.seat == 0
    timely.wait(12)
    expect(ben).to_have_title("Your turn · Yacht")
    settled(ana, tables[0].now.seq)
    expect(ana.locator(".last li")).to_have_count(1)
    expect(ana.locator(".last")).to_contain_text(f"rolled {', '.join(map(str, dice))}")
    assert sum(points is not None for points in tables[0].now.seats[0].boxes.values()) == 1
    ana.wait_for_timeout(PRESSES_APART)
    ben.close()
    timely.wait(85)
    expect(ana.locator("#tray h1")).to_have_text("Away: Ben")
    timely.wait(90)  # by now Cleo has been away for more than two minutes
    expect(ana.locator("#tray h1")).to_have_text("Away: Cleo")
    expect(ana.locator("#skip")).to_have_count(0)


def test_the_deadline_survives_a_restart(browser: Browser, tmp_path: Path) -> None:
    """Whatever time was left before a kill is left after it, and no more."""
    with Timely(tmp_path) as served, httpx.Client(base_url=served.address) as site:
        visits = Visits(browser, served.address)
        visits.tolerate("net::ERR_(CONNECTION|INCOMPLETE|EMPTY)")
        tables = Table.friends(site, "Ana", "Ben", clock=30)
        page = visits(tables[1])
        due = page.locator("#clock").get_attribute("data-due")
        served.kill()
        with Timely(tmp_path, port=served.port) as again:
            page.reload()
            assert page.locator("#clock").get_attribute("data-due") == due
            again.wait(31)
            expect(page).to_have_title("Your turn · Yacht")
            visits.close()
    assert visits.faults == []
