"""The end of a game of friends: the seal is checked by each page, and another game begins."""

import re

from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.browser.conftest import Friends, New, Visits
from tests.browser.hands import sit_down, token_of
from tests.browser.table import Table, take_turns


def _near_the_end(visits: Visits, invited: New) -> tuple[list[Table], Page, Page]:
    """Ben sat down by his page, letters and all; one box is open on each card."""
    ana = invited("Ana", places=2)
    ben = visits(path=ana.path)
    sit_down(ben, "Ben")
    tables = [ana, ana.of(token_of(ben))]
    host = visits(ana)
    host.locator("#start").click()
    expect(ben.locator("#tray")).to_be_visible()
    expect(host.locator("#tray")).to_be_visible()
    take_turns(tables, 22)
    return tables, host, ben


def _posts_held(browser: BrowserContext, table: Table) -> list[Route]:
    """What this browser's pages post to the room, until the test lets it go."""
    held = list[Route]()

    def hold(route: Route) -> None:
        if route.request.method == "POST":
            held.append(route)
        else:
            route.continue_()

    browser.route(f"**/{table.path}", hold)
    return held


def _post_of(page: Page, table: Table, held: list[Route]) -> Route:
    """What a page posts by itself once it is opened."""
    before = len(held)
    page.goto(table.path)
    while len(held) == before:
        page.wait_for_timeout(5)
    return held[-1]


def test_each_page_checks_its_letters(visits: Visits, invited: New) -> None:
    """When the seal is open the page says that its letters are in it, also after a reload."""
    tables, host, ben = _near_the_end(visits, invited)
    take_turns(tables, 2)
    for page in (host, ben):
        expect(page.locator("#result")).to_be_visible()
        page.locator("#seal summary").click()
        expect(page.locator("#kept")).to_contain_text("Checked by this page")
    ben.reload()
    ben.locator("#seal summary").click()
    expect(ben.locator("#kept")).to_contain_text("Checked by this page")


def test_a_page_whose_letters_are_missing_says_so(visits: Visits, invited: New) -> None:
    """Letters that aren't in the seal, or another seal than at the start, are told of at once."""
    tables, _, ben = _near_the_end(visits, invited)
    take_turns(tables, 2)
    expect(ben.locator("#result")).to_be_visible()
    for wrong in ({"letters": "others"}, {"print": "0" * 64}):
        kept = ben.evaluate(
            """({ letters, print }) => {
                const key = Object.keys(localStorage).find((key) => key.startsWith("yacht-seal"));
                const kept = localStorage.getItem(key);
                localStorage.clear();
                const [before, room, sent] = key.split(" ");
                const other = [before, room, letters ?? sent].join(" ");
                localStorage.setItem(other, print ? JSON.stringify(print) : kept);
                return [key, kept];
            }""",
            wrong,
        )
        ben.reload()
        expect(ben.locator("#kept")).to_be_visible()
        expect(ben.locator("#kept")).to_contain_text("Careful")
        ben.evaluate("(kept) => { localStorage.clear(); localStorage.setItem(...kept) }", kept)


def test_two_tabs_send_their_letters_at_once(visits: Visits, invited: New) -> None:
    """One player's tabs make letters of their own; whichever come first, both tabs find them."""
    visits.tolerate("status of 422")  # the second one's
    ana = invited("Ana", places=2)
    ben = ana.join("Ben")
    browser = visits.browser(ana)
    held = _posts_held(browser, ana)
    tabs = [browser.new_page() for _ in range(2)]
    routes = [_post_of(tab, ana, held) for tab in tabs]
    first, second = [route.request.post_data for route in routes]
    assert first != second
    for tab, route in zip(tabs, routes, strict=True):
        with tab.expect_response(lambda answer: answer.request.method == "POST"):
            route.continue_()
    ana.sit("begin")
    take_turns([ana, ben], 24)
    for tab in tabs:
        expect(tab.locator("#result")).to_be_visible()
        tab.locator("#seal summary").click()
        expect(tab.locator("#kept")).to_contain_text("Checked by this page")


def test_letters_that_come_too_late(visits: Visits, invited: New) -> None:
    """A page whose letters came after the first roll doesn't miss them in the seal."""
    visits.tolerate("status of 422")
    ana = invited("Ana", places=2)
    ben = ana.join("Ben")
    browser = visits.browser(ana)
    held, page = _posts_held(browser, ana), browser.new_page()
    page.route("**/live?*", lambda _: None)  # it hears nothing of the beginning
    route = _post_of(page, ana, held)
    ana.sit("begin")
    take_turns([ana, ben], 1)
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        route.continue_()
    page.unroute("**/live?*")
    page.reload()
    take_turns([ana, ben], 23)
    expect(page.locator("#result")).to_be_visible()
    page.locator("#seal summary").click()
    expect(page.locator("#seal .print")).to_have_count(2)
    expect(page.locator("#kept")).to_be_hidden()


def test_pressed_twice_it_is_one_rematch(visits: Visits, room: Friends) -> None:
    """Two who press at once come to one room. Whoever reads the result stays, and is told.

    The next player starts, names and options are as they were, each page's letters are in the new
    seal, and the old game's pages lead to the next one.
    """
    tables = room("Ana", "Ben", "Cleo", clock=90, hints=True)
    take_turns(tables, 36)
    ana, ben, cleo = (visits(table) for table in tables)
    cleo.locator("#result a", has_text="Review").focus()
    watcher = visits(path=tables[0].path)
    again = ana.get_by_role("button", name="Play again")
    expect(again).to_be_visible()
    again.click(no_wait_after=True)
    tables[1].again()
    expect(ana.locator("#tray")).to_be_visible()
    for page in (ben, cleo):
        expect(page.locator("#result")).to_contain_text(re.compile("(Ana|Ben) plays again"))
        expect(page.locator("#status")).to_have_text(re.compile("^(Ana|Ben) plays again. "))
        expect(page).to_have_title(re.compile("^(Ana|Ben) plays again · Yacht"))
    assert cleo.evaluate("() => document.activeElement.textContent") == "Review"
    cleo.goto(f"{tables[0].path}/review")
    cleo.get_by_role("link", name="To the next game").click()
    ben.get_by_role("button", name="To the next game").click()
    for page in (ana, ben, cleo):
        expect(page.locator("#tray")).to_be_visible()
    assert ana.url == ben.url == cleo.url != f"{visits.address}{tables[0].path}"
    following = [one.of(one.token, ana.url[-16:]) for one in tables]
    now = following[0].now
    names = [seat.name for seat in now.seats]
    assert names == ["Ben", "Cleo", "Ana"]
    assert now.friends
    assert (now.friends.clock, now.friends.hints, now.friends.begun) == (90, True, True)
    expect(ben).to_have_title("Your turn · Yacht")
    for page in (ana, ben, cleo):
        expect(page.locator("#ahead")).to_have_count(0)
    by_name = {seat.name: following[place] for place, seat in enumerate(tables[0].now.seats)}
    in_turn = [by_name[name] for name in names]
    take_turns(in_turn, 36)
    for page in (ana, ben, cleo):
        expect(page.locator("#result")).to_be_visible()
        page.locator("#seal summary").click()
        expect(page.locator("#kept")).to_contain_text("Checked by this page")
    expect(watcher.get_by_role("link", name="Watch the next game")).to_be_visible()
    ana.goto(tables[0].path)
    ana.get_by_role("button", name="To the next game").click()
    expect(ana.locator("#result")).to_be_visible()
    assert ana.url == ben.url
