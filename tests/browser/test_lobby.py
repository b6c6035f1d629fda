"""From an invitation to a game: friends sit down by a link, each in a browser of their own."""

import re

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.conftest import Friends, New, Visits
from tests.browser.hands import focus_of, hide, keep_back, posts_of, press, sit_down
from tests.browser.test_live import LISTEN, said_by

NARROW = ViewportSize(width=320, height=640)


def _make_room(page: Page, name: str) -> str:
    """Make a room from the home page; its link, as the lobby gives it."""
    page.get_by_role("link", name="Invite friends").click()
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Make the room").click()
    return page.get_by_label("The link for your friends").input_value()


def test_from_the_invitation_to_a_turn_each(visits: Visits) -> None:
    """A link is all that friends need; each sees the others sit down, and the game begins for all.

    Its page says whose turn it is, and the browser proposes the name the next time.
    """
    ana, ben, cleo = visits(), visits(), visits()
    link = _make_room(ana, "Ana")
    assert re.fullmatch(re.escape(visits.address) + r"g/[A-Za-z0-9_-]{16}", link)
    expect(ana.locator("h1")).to_have_text("Waiting for friends: 1 of 4 seats taken")
    expect(ana.locator("#wait")).to_have_text("The game can begin once two seats are taken.")
    expect(ana.locator("#start")).to_have_count(0)
    assert ana.locator(".code").bounding_box()["y"] < 740  # type: ignore[index]
    for page, name, seat in ((ben, "Ben", 1), (cleo, "Cleo", 2)):
        page.goto(link)
        expect(page.locator("h1")).to_have_text("Ana invites you")
        sit_down(page, name)
        for one in (ana, ben, page):
            expect(one.locator(f"#sits{seat}")).to_contain_text(name)
    expect(cleo.locator("#sits2")).to_contain_text("you")
    expect(cleo.locator("h1")).to_have_text("Waiting for friends: 3 of 4 seats taken")
    expect(cleo.locator("#start")).to_have_text("Begin with 3 players")
    expect(ana.locator("#level option").first).to_contain_text("Easy computer")
    ana.locator("#level").select_option("easy")
    ana.locator("#add").click()
    expect(ben.locator("#sits3")).to_contain_text("Easy computer")
    expect(ben.locator("#machine")).to_have_count(0)
    expect(ben.locator("h1")).to_have_text("Ready to begin: 4 of 4 seats taken")
    expect(ben.locator("#start")).to_have_text("Begin the game")
    ben.locator("#start").click()
    for page in (ana, ben, cleo):
        expect(page.locator("#tray")).to_be_visible()
    assert [page.title() for page in (ana, ben, cleo)] == [
        "Your turn · Yacht",
        "Ana starts · Yacht",
        "Ana starts · Yacht",
    ]
    press(ana, "roll")
    expect(ben.locator(".turnline")).to_contain_text("2 rolls left")
    ben.goto("invite")
    assert ben.get_by_label("Your name").input_value() == "Ben"


def test_what_is_typed_and_chosen_stays_when_others_sit_down(visits: Visits, invited: New) -> None:
    """A name half typed, a computer's level chosen and the way to copy the link outlast news."""
    ana = invited("Ana", places=5)
    host, joiner = visits(ana), visits(path=ana.path)
    host.locator("#level").select_option("easy")
    joiner.get_by_label("Your name").fill("Cle")
    joiner.get_by_label("Your name").focus()
    letters = joiner.locator("#salt").input_value()
    assert len(letters) == 20
    ana.join("Ben")
    for page in (host, joiner):
        expect(page.locator("#sits1")).to_contain_text("Ben")
    assert host.locator("#level").input_value() == "easy"
    assert joiner.get_by_label("Your name").input_value() == "Cle"
    assert joiner.locator("#salt").input_value() == letters
    assert focus_of(joiner) == "name"
    host.context.grant_permissions(["clipboard-read", "clipboard-write"])
    host.get_by_role("button", name="Copy").click()
    expect(host.locator("[data-copy]")).to_have_text("Copied")
    assert host.evaluate("() => navigator.clipboard.readText()") == f"{visits.address}{ana.path}"


@pytest.mark.parametrize("path", ["", "/share"])
def test_where_nothing_can_be_copied_the_link_is_selected(
    visits: Visits, invited: New, path: str
) -> None:
    """Browsers have no clipboard on plain http: the button says so, and the text is at hand.

    Nothing is wider than a phone then.
    """
    ana = invited("Ana", places=2)
    page = visits.browser(ana, size=NARROW).new_page()
    page.add_init_script("delete Navigator.prototype.clipboard")
    page.goto(ana.path + path)
    button = page.get_by_role("button", name="Copy").first
    field = page.locator(f"#{button.get_attribute('data-copy')}")
    button.click()
    expect(page.locator("[data-copy]").first).to_have_text("Now copy it")
    expect(field).to_be_focused()
    assert page.evaluate("() => getSelection().toString()") == field.input_value()
    assert page.evaluate("() => document.documentElement.scrollWidth") <= NARROW["width"]


def test_who_comes_and_goes_is_said(visits: Visits, invited: New) -> None:
    """The status message tells who sits down and that a seat is empty again, each once."""
    ana = invited("Ana")
    context = visits.browser(ana)
    context.add_init_script(LISTEN)
    page = context.new_page()
    page.goto(ana.path)
    ben = ana.join("Ben")
    expect(page.locator("#status")).to_contain_text("Ben sits down.")
    ben.sit("leave", seat=1)
    expect(page.locator("#status")).to_contain_text("A seat is empty again.")
    assert said_by(page) == [
        "Ben sits down. Waiting for friends: 2 of 8 seats taken.",
        "A seat is empty again. Waiting for friends: 1 of 8 seats taken.",
    ]


def test_whoever_opened_the_room_frees_a_seat(visits: Visits, invited: New) -> None:
    """Also one of a friend who sat down twice, or went; who was there can sit down again."""
    ana = invited("Ana", places=3)
    ben = visits(path=ana.path)
    sit_down(ben, "Ben")
    host = visits(ana)
    expect(ben.get_by_role("button", name="Remove Ana")).to_have_count(0)
    host.get_by_role("button", name="Remove Ben").click()
    expect(ben.locator("#sit")).to_be_visible()
    expect(host.locator("#wait")).to_be_visible()
    sit_down(ben, "Ben")


def test_the_keyboard_keeps_its_place(visits: Visits, invited: New) -> None:
    """Who sits down or gets up with Enter goes on from the page's heading, not from its top."""
    ana = invited("Ana", places=2)
    page = visits(path=ana.path)
    page.get_by_label("Your name").fill("Ben")
    page.get_by_label("Your name").press("Enter")
    expect(page.locator("#start")).to_be_visible()
    assert focus_of(page) == "h1"
    page.locator("#leave1").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#sit")).to_be_visible()
    assert focus_of(page) == "h1"


def test_two_join_for_the_last_seat(visits: Visits, invited: New) -> None:
    """One sits, and the other is told that all seats are taken, and watches the game begin."""
    visits.tolerate("status of 422")
    ana = invited("Ana", places=2)
    ben, cleo = visits(path=ana.path), visits(path=ana.path)
    sent = keep_back(cleo, ana.path)
    cleo.get_by_label("Your name").fill("Cleo")
    cleo.locator("#sit").click()
    sit_down(ben, "Ben")
    expect(cleo.locator("#sits1")).to_have_text("Ben")
    sent[0].continue_()
    expect(cleo.locator("#notice")).to_have_text("All seats are taken. You can watch the game.")
    expect(cleo.locator("#sit")).to_have_count(0)
    assert [seat.name for seat in ana.now.seats] == ["Ana", "Ben"]


def test_a_hidden_visitor_rests_until_they_sit(visits: Visits, invited: New) -> None:
    """Who has no seat yet needs no stream behind other tabs; what they missed comes when they look.

    Whoever sat down goes on listening.
    """
    ana = invited("Ana", places=3)
    page = visits(path=ana.path)
    expect(page.locator("#sit")).to_be_visible()
    with page.expect_event("requestfailed", lambda asked: "/live" in asked.url):
        hide(page)
    ana.join("Ben")
    hide(page, hidden=False)
    expect(page.locator("#sits1")).to_have_text("Ben")
    sit_down(page, "Cleo")
    hide(page)
    ana.sit("leave", seat=0)
    expect(page.locator("#sits2")).to_have_count(0)


def test_who_comes_too_late_is_told_and_watches(visits: Visits, invited: New) -> None:
    """A page with an empty name when the game begins says so, and shows the game.

    Whoever follows the link later watches at once; a join sent all the same changes nothing.
    """
    visits.tolerate("status of 422")
    ana = invited("Ana")
    ben = ana.join("Ben")
    late = visits(path=ana.path)
    ben.sit("begin")
    told = "The game has begun without you. You can watch it."
    expect(late.locator("#notice")).to_have_text(told)
    expect(late.locator("#tray")).to_contain_text("You are watching this game.")
    late.reload()
    expect(late.locator("#notice")).to_have_count(0)
    answer = late.evaluate(
        """() => fetch(location, {
            method: "POST", body: new URLSearchParams({ do: "join", name: "Cleo" })
        }).then(async (answer) => [answer.status, await answer.text()])"""
    )
    assert answer[0] == 422
    assert told in answer[1]
    assert len(ana.now.seats) == 2


def test_a_first_visit_makes_one_room(visits: Visits) -> None:
    """A browser that comes for the first time has its identity before it sends the form twice."""
    page = visits(path="invite")
    page.get_by_label("Your name").fill("Ana")
    answers = page.evaluate(
        """() => Promise.all([1, 2].map(() => fetch("rooms", {
            method: "POST", body: new URLSearchParams(new FormData(document.forms[0])),
        }).then((answer) => [answer.status, answer.url])))"""
    )
    assert answers[0] == answers[1]
    assert answers[0][0] == 200


@pytest.mark.parametrize("button", ["Make the room", "Sit down", "Begin with 2 players"])
def test_a_double_click_has_one_effect(visits: Visits, invited: New, button: str) -> None:
    """Two clicks at once make one room, take one seat, and begin the game."""
    if button == "Make the room":
        page = visits(path="invite")
        page.get_by_label("Your name").fill("Ana")
        page.get_by_role("button", name=button).dblclick()
        expect(page.locator("#wait")).to_be_visible()
        page.goto(".")
        expect(page.get_by_text("Waiting for friends")).to_have_count(1)
        return
    ana = invited("Ana")
    ben = None if button == "Sit down" else ana.join("Ben")
    page = visits(ben, ana.path)
    sent = posts_of(page)
    if ben is None:
        page.get_by_label("Your name").fill("Ben")
    page.get_by_role("button", name=button).dblclick()
    expect(page.locator("#start" if ben is None else "#tray")).to_be_visible()
    assert sum("do=join" in body or "do=begin" in body for body in sent) == 1
    assert [seat.name for seat in ana.now.seats] == ["Ana", "Ben"]


def test_without_script(visits: Visits) -> None:
    """Two friends make a room, sit down, begin and play a turn each, with forms alone."""
    ana, ben = visits(script=False), visits(script=False)
    link = _make_room(ana, "Ana")
    ben.goto(link)
    ben.get_by_label("Your name").fill("Ben")
    ben.locator("#sit").click()
    expect(ben.locator("#sits1")).to_contain_text("Ben")
    expect(ben.get_by_role("button", name="Copy")).to_be_hidden()
    ben.locator("#start").click()
    for page in (ana, ben):
        page.goto(link)
        page.locator("#roll").click()
        page.locator("label:has([name=box])").last.click()
        page.locator("#score").click()
        expect(page.locator(".last")).to_contain_text("Yacht")
    expect(ben.locator(".turnline")).to_contain_text("Turn: Ana")


def test_the_host_leaves_and_nothing_ends(visits: Visits, room: Friends) -> None:
    """When whoever invited closes the page, the others play on; they come back to their seat."""
    tables = room("Ana", "Ben", "Cleo")
    ana, ben, cleo = (visits(table) for table in tables)
    press(ana, "roll")
    ana.context.close()
    tables[0].score("choice")
    expect(ben.locator("h1")).to_have_text("Your turn")
    press(ben, "roll")
    tables[1].score("ones")
    press(cleo, "roll")
    expect(visits(tables[0]).locator("#seat0")).to_contain_text(str(tables[0].now.seats[0].total))
