"""A card that is shown live: who watches sees each entry, whenever there is a network."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Request, Route, expect

from tests.browser.cards import begin, column, full, keep, opened, set_up, take, write
from tests.browser.conftest import Visits
from yacht.settings import Settings

SHOWN, WAITING = "Shown live.", "Waiting for the network. The newest state is sent automatically."
SENT = "**/score/live"
KEY = """() => JSON.parse(localStorage.getItem(
    Object.keys(localStorage).find((key) => key.startsWith("yacht-live ")))).key"""


def show(page: Page) -> str:
    """Show the card, and where it can be watched."""
    page.get_by_role("button", name="Show live").click()
    expect(page.locator("#live-state")).to_have_text(SHOWN)
    return page.get_by_label("Link for watching").input_value()


def has(watcher: Page, *totals: str) -> None:
    expect(watcher.locator(".card .total")).to_have_text([f"{total} in all" for total in totals])


@pytest.fixture
def visits(visits: Visits) -> Visits:
    visits.tolerate("ERR_INTERNET_DISCONNECTED|ERR_FAILED|status of (40[0-9]|413|422|500)")
    return visits


def test_who_watches_sees_each_entry(visits: Visits) -> None:
    """Entries, corrections and the end come by themselves, and each is told once; then it goes."""
    page = begin(visits, "Ana", "Ben")
    write(page, "Fours", "Ana", 12)
    link = show(page)
    expect(page.get_by_role("img", name="The link as a QR code")).to_be_visible()
    watcher = visits(path=link)
    has(watcher, "12", "0")
    expect(watcher.get_by_role("heading", name="Turn: Ben")).to_be_visible()
    watcher.evaluate("() => document.querySelector('.card').same = true")
    write(page, "Sixes", "Ben", 24)
    has(watcher, "12", "24")
    expect(watcher.get_by_role("status")).to_have_text("Ana: 12 points, Ben: 24 points. Turn: Ana.")
    assert watcher.title() == "Turn: Ana · Yacht"
    assert watcher.evaluate("() => document.querySelector('.card').same")
    page.get_by_role("button", name="Undo").click()
    has(watcher, "12", "0")
    page.get_by_role("button", name="Stop showing").click()
    expect(page.get_by_role("button", name="Show live")).to_be_focused()
    expect(watcher.get_by_role("heading", name="Not found")).to_be_visible()
    again = show(page)
    assert again != link
    watcher.goto(again)
    has(watcher, "12", "0")


def test_lost_and_back(visits: Visits) -> None:
    """Without a network it says so and entering goes on; back again, all of it is seen at once."""
    page = begin(visits, "Ana", "Ben")
    watcher = visits(path=show(page))
    page.context.set_offline(True)
    write(page, "Fours", "Ana", 12)
    write(page, "Sixes", "Ben", 24)
    expect(page.locator("#live-state")).to_have_text(WAITING)
    has(watcher, "0", "0")
    page.context.set_offline(False)
    has(watcher, "12", "24")
    expect(page.locator("#live-state")).to_have_text(SHOWN)


def test_a_killed_tab(visits: Visits) -> None:
    """What couldn't be sent before the tab was killed is sent when the page is opened again."""
    page = begin(visits, "Ana", "Ben")
    watcher = visits(path=show(page))
    page.route(SENT, lambda route: route.abort())
    write(page, "Fours", "Ana", 12)
    expect(page.locator("#live-state")).to_have_text(WAITING)
    page.close(run_before_unload=False)
    has(watcher, "0", "0")
    after = page.context.new_page()
    after.goto("score")
    has(watcher, "12", "0")
    expect(after.locator("#live-state")).to_have_text(SHOWN)


def test_shown_without_a_network(visits: Visits) -> None:
    """It can be asked for at any time; the link is there once there is a network."""
    page = begin(visits, "Ana")
    page.context.set_offline(True)
    page.get_by_role("button", name="Show live").click()
    expect(page.locator("#live-state")).to_have_text(WAITING)
    expect(page.get_by_label("Link for watching")).to_be_hidden()
    page.context.set_offline(False)
    expect(page.locator("#live-state")).to_have_text(SHOWN)
    watcher = visits(path=page.get_by_label("Link for watching").input_value())
    has(watcher, "0")


def test_quick_entries_are_few_requests(visits: Visits) -> None:
    """Entries within a moment go as one, the newest; an older one never comes last."""
    page = begin(visits, "Ana", "Ben")
    watcher = visits(path=show(page))
    sent = list[int]()

    def note(asked: Request) -> None:
        if asked.method == "PUT":
            sent.append(json.loads(asked.post_data or "")["number"])

    page.on("request", note)
    page.evaluate(
        """() => {
            for (const [player, box] of [["0", "0"], ["1", "1"], ["0", "2"], ["1", "3"]]) {
                document.querySelector(`[data-player="${player}"][data-place="${box}"]`).click();
                document.querySelector("#values [data-points]:last-child").click();
            }
        }"""
    )
    has(watcher, "20", "30")
    assert len(sent) <= 2
    assert sent == sorted(sent)


def test_who_watches_goes_on_to_the_next_game(visits: Visits) -> None:
    """Playing again is shown under the same link, and a deleted card no longer."""
    page = opened(visits)
    last = full(column(180), column(200), names=("Ana", "Ben"))
    keep(page, last)
    watcher = visits(path=show(page))
    expect(watcher.get_by_role("heading", name="Winner: Ben, 200 points.")).to_be_visible()
    page.get_by_role("button", name="Play again").click()
    has(watcher, "0", "0")
    expect(watcher.locator(".card thead .name")).to_have_text(["Ben", "Ana"])
    page.get_by_role("link", name="All cards, and a new one").first.click()
    page.locator("#going-cards button").click()
    page.get_by_role("button", name="Yes", exact=True).click()
    expect(watcher.get_by_role("heading", name="Not found")).to_be_visible()


def test_the_key_is_in_no_file(visits: Visits) -> None:
    """What is saved as a file has nothing by which others could write."""
    page = begin(visits, "Ana")
    show(page)
    key: str = page.evaluate(KEY)
    assert len(key) == 43
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as a file").click()
    assert key not in download.value.path().read_text()
    assert key not in page.content()


def test_another_card_is_another_sheet(visits: Visits) -> None:
    """Only the card that is shown can be watched; a new one beside it isn't."""
    page = begin(visits, "Ana", "Ben")
    watcher = visits(path=show(page))
    page.get_by_role("link", name="All cards, and a new one").first.click()
    set_up(page, "Cleo", "Dan")
    expect(page.get_by_role("button", name="Show live")).to_be_visible()
    write(page, "Fours", "Cleo", 12)
    page.go_back()
    page.locator("#going-cards a").last.click()
    expect(page.locator("#live-state")).to_have_text(SHOWN)
    has(watcher, "0", "0")
    write(page, "Ones", "Ana", 3)
    has(watcher, "3", "0")


def error(status: int) -> dict[str, Any]:
    told = {"reason": f"http_{status}", "message": "No.", "detail": None}
    return {"status": status, "json": {"error": told}}


NOT_TAKEN: list[dict[str, Any]] = [
    {"status": 200, "body": "<h1>Log in first</h1>"},
    {"status": 200, "json": {"number": 1}},
    {"status": 403, "body": "<h1>Log in first</h1>"},
    error(404),
]


@pytest.mark.parametrize("answer", NOT_TAKEN, ids=str)
def test_what_answers_neednt_be_the_server(visits: Visits, answer: dict[str, Any]) -> None:
    """Whatever a network says in the server's place, the showing goes on and all arrives later."""
    page = begin(visits, "Ana")
    watcher = visits(path=show(page))
    page.route(SENT, lambda route: route.fulfill(**answer))
    write(page, "Fours", "Ana", 12)
    expect(page.locator("#live-state")).to_have_text(WAITING)
    page.unroute(SENT)
    has(watcher, "12")
    expect(page.locator("#live-state")).to_have_text(SHOWN)


@pytest.mark.parametrize("status", [400, 422])
def test_a_state_that_isnt_taken(visits: Visits, status: int) -> None:
    """What the server says against it is told, and isn't asked again; the next state is sent."""
    page, asked = begin(visits, "Ana"), list[str]()
    watcher = visits(path=show(page))
    told = {"error": {"reason": "bad_points", "message": "Fours can’t give “12”.", "detail": None}}

    def refuse(route: Route) -> None:
        asked.append(route.request.method)
        route.fulfill(status=status, json=told)

    page.route(SENT, refuse)
    write(page, "Fours", "Ana", 12)
    expect(page.locator("#live-state")).to_have_text(
        "The server doesn’t take this card as it is. Fours can’t give “12”."
    )
    expect(page.get_by_label("Link for watching")).to_be_visible()
    page.unroute(SENT)
    write(page, "Sixes", "Ana", 24)
    has(watcher, "36")
    expect(page.locator("#live-state")).to_have_text(SHOWN)
    assert asked == ["PUT"]


def test_its_link_is_gone(visits: Visits) -> None:
    """If the server has it no longer, that is told, and it can be shown anew."""
    page = begin(visits, "Ana")
    link = show(page)
    headers = {"Authorization": f"Bearer {page.evaluate(KEY)}"}
    assert page.request.delete("score/live", headers=headers).status == 204
    write(page, "Fours", "Ana", 12)
    expect(page.locator("#live-state")).to_contain_text("The link to this card is gone")
    again = show(page)
    assert again != link
    has(visits(path=again), "12")


@pytest.mark.parametrize("ends", [False, True], ids=["goes on", "ends"])
def test_a_lost_answer_leaves_nothing_behind(visits: Visits, data: Path, ends: bool) -> None:  # noqa: FBT001
    """A beginning whose answer is lost is one sheet in the end, or none if it was ended."""
    before, page = sheets(data), begin(visits, "Ana")

    def lose(route: Route) -> None:
        assert route.fetch().status == 201
        route.abort()

    page.route(SENT, lose, times=1)
    with page.expect_event("requestfailed"):
        page.get_by_role("button", name="Show live").click()
    expect(page.locator("#live-state")).to_have_text(WAITING)
    assert len(sheets(data) - before) == 1
    if ends:
        with page.expect_response(lambda answer: answer.request.method == "DELETE"):
            page.get_by_role("button", name="Stop showing").click()
        assert sheets(data) == before
    else:
        expect(page.locator("#live-state")).to_have_text(SHOWN)
        link = page.get_by_label("Link for watching").input_value()
        assert sheets(data) - before == {link.rpartition("/")[2]}


def sheets(data: Path) -> set[str]:
    """The ids of those that the server shows."""
    with closing(sqlite3.connect(Settings(data=data).file)) as db:
        return {found for (found,) in db.execute("SELECT id FROM sheet")}


def test_cards_that_change_at_the_same_time(visits: Visits) -> None:
    """Each is sent, though one changes within the moment in which the other waits for more."""
    page = opened(visits)
    page.evaluate(
        """async () => {
            const { live } = await import(document.getElementById("live-sheet-module").href);
            window.kept = {};
            window.shows = live({
                address: document.getElementById("live").dataset.address,
                load: (card) => kept[card] ?? null,
                save: (card, shown) => (kept[card] = shown),
                sheetOf: () => ({ ruleset: "sum", players: [{ name: "Ana", boxes: {} }] }),
                tell: () => {},
            });
            for (const card of ["a", "b"]) shows.begin(card);
        }"""
    )
    arrived = "() => kept.a.link && kept.b.link && !kept.a.due && !kept.b.due"
    page.wait_for_function(arrived)
    page.evaluate("""() => ["a", "b"].forEach(shows.changed)""")
    assert not page.evaluate(arrived)
    page.wait_for_function(arrived)


def test_what_is_shown_is_what_the_device_has(visits: Visits) -> None:
    """A card replaced by one of a file is sent; an entry that changes nothing isn't."""
    page = opened(visits)
    last = full(column(180), names=["Ana"])
    keep(page, last)
    watcher = visits(path=show(page))
    has(watcher, "180")

    def number() -> int:
        told = page.evaluate("(key) => localStorage.getItem(key)", f"yacht-live {last['id']}")
        return json.loads(told)["number"]

    before = number()
    write(page, "Ones", "Ana", last["log"][0][2])
    assert number() == before
    page.goto("score#cards")
    card = {**last, "log": full(column(200), names=["Ana"])["log"]}
    take(page, {"kind": "yacht-scorecards", "version": 1, "cards": [card]})
    page.get_by_role("button", name="Yes", exact=True).click()
    has(watcher, "200")
