"""Cards stay on the device: through reloads, and with no storage at all."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, Playwright, expect

from tests.browser.cards import (
    NAMED,
    begin,
    cell,
    column,
    full,
    holds,
    keep,
    opened,
    saved,
    set_up,
    stored,
    throw,
    totals,
    write,
)
from tests.browser.chromium import kill, launch_from
from tests.browser.conftest import Visits
from tests.browser.hands import SOLVED
from tests.serving import Served


def test_a_card_survives_reloads_and_killed_tabs(visits: Visits) -> None:
    """Whatever was tapped is there again, the dice on the table too; a killed tab says nothing."""
    page = begin(visits, "Ana", "Ben")
    write(page, "Fours", "Ana", 12)
    page.get_by_role("button", name="Dice and coach").click()
    throw(page, "555")
    page.reload()
    holds(page, "Fours", "Ana", "12")
    page.get_by_role("button", name="Dice and coach").click()
    expect(page.locator("#slots [data-slot]:enabled")).to_have_count(3)
    page.evaluate("() => addEventListener('pagehide', (e) => e.stopImmediatePropagation(), true)")
    write(page, "Ones", "Ben", 2)
    context = page.context
    page.close(run_before_unload=False)
    after = context.new_page()
    after.goto("score")
    assert totals(after) == ["12", "2"]


_COPIED = """() => new Promise((go) => {
    const asked = indexedDB.open("yacht");
    asked.onsuccess = () => {
        const number = asked.result.transaction("kept").objectStore("kept").get("yacht-number");
        number.onsuccess = () => {
            asked.result.close();
            go(number.result === localStorage.getItem("yacht-number"));
        };
    };
})"""


def test_a_card_survives_a_killed_browser(
    playwright: Playwright, served: Served, tmp_path: Path
) -> None:
    """A browser killed with all its processes has every entry, and none that was taken back.

    It is killed sooner than it brings localStorage to the disk.
    """

    def visit() -> Page:
        context = launch_from(playwright, tmp_path, base_url=served.address, locale="en")
        page = context.pages[0]
        page.goto("score")
        return page

    def kill_with(page: Page) -> None:
        page.wait_for_function(_COPIED)  # milliseconds, of the seconds that localStorage takes
        kill(tmp_path)

    page = visit()
    set_up(page, "Ana", "Ben")
    write(page, "Fours", "Ana", 12)
    write(page, "Fives", "Ben", 15)
    kill_with(page)
    page = visit()
    assert totals(page) == ["12", "15"]
    write(page, "Sixes", "Ana", 24)
    page.get_by_role("button", name="Undo the last entry").click()
    holds(page, "Sixes", "Ana", "open")
    kill_with(page)
    page = visit()
    assert totals(page) == ["12", "15"]
    page.context.close()


@pytest.mark.parametrize("why", ["full", "forbidden"])
def test_play_goes_on_without_storage(visits: Visits, why: str) -> None:
    """A browser that keeps nothing says so; the card can still be filled and saved as a file."""
    context = visits.browser()
    context.add_init_script(
        "Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError'); };"
        if why == "full"
        else "Object.defineProperty(window, 'localStorage', { get() { throw new Error(); } });"
    )
    page = context.new_page()
    page.goto("score")
    set_up(page, "Ana", "Ben")
    write(page, "Fours", "Ana", 12)
    expect(page.get_by_role("alert")).to_contain_text("This browser doesn’t keep the card")
    write(page, "Fours", "Ben", 8)
    assert totals(page) == ["12", "8"]
    assert len(saved(page, page.get_by_role("button", name="Save as a file").click)[0]["log"]) == 2


def test_names_are_set_and_reordered(visits: Visits) -> None:
    """By buttons, by dragging and by the last card; empty names get a number, markup is text."""
    page = opened(visits)
    fields = page.locator("#names input")
    fields.nth(0).fill("Ana")
    fields.nth(1).fill("<b>Ben</b>")
    page.get_by_role("button", name="Add a player").click()
    assert fields.nth(2).evaluate("(field) => field === document.activeElement")
    page.get_by_role("button", name="Move Player 3 up").click()
    expect(page.locator("#status")).to_have_text("Player 2: Player 2.")
    page.locator(".grip").nth(0).hover()
    page.mouse.down()
    target = page.locator("#names li").nth(2).bounding_box()
    assert target
    page.mouse.move(target["x"] + 20, target["y"] + 40, steps=9)
    page.mouse.up()
    assert [field.input_value() for field in fields.all()] == ["", "<b>Ben</b>", "Ana"]
    page.get_by_role("radio", name="Sum").check()
    page.get_by_role("button", name="Start scoring").click()
    assert page.locator(".card bdi").all_inner_texts() == ["Player 1", "<b>Ben</b>", "Ana"]
    assert page.locator(".card tbody .label").first.inner_text() == "Yacht"
    page.goto("score#cards")
    assert [field.input_value() for field in fields.all()] == ["Player 1", "<b>Ben</b>", "Ana"]


def test_finished_cards_are_looked_at_and_deleted(visits: Visits) -> None:
    """The history shows a card without changing it; it goes only after a question."""
    page = opened(visits)
    running = full(column(150), names=["Dan"], started=1_790_000_000_500)
    running.update(log=running["log"][:5], finished=None)
    keep(page, running, full(column(180), column(200), names=("Ana", "Ben")))
    expect(page.locator("#heading")).to_have_text("Turn: Dan")
    page.get_by_role("link", name="All cards, and a new one").first.click()
    page.locator("#finished-cards a").click()
    expect(page.locator("#heading")).to_have_text("Winner: Ben. Points: 200.")
    cell(page, "Ones", "Ana").click(force=True)
    expect(page.locator("#entry")).to_be_hidden()
    expect(page.get_by_role("button", name="Undo")).to_be_hidden()
    page.go_back()
    delete = page.locator("#finished-cards button")
    delete.click()
    expect(page.locator("#question")).to_contain_text("Delete the card of Ana, Ben")
    page.get_by_role("button", name="No", exact=True).click()
    assert len(stored(page)) == 2
    delete.click()
    page.get_by_role("button", name="Yes", exact=True).click()
    expect(page.locator("#finished")).to_be_hidden()
    assert [card["names"] for card in stored(page)] == [["Dan"]]
    page.locator("#going-cards a").click()
    expect(page.locator("#heading")).to_have_text("Turn: Dan")


_FULL = "Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError'); };"


def test_a_message_is_in_nobodys_way(visits: Visits) -> None:
    """With a full storage every box can be filled; closed, the message isn't given again."""
    context = visits.browser()
    context.add_init_script(_FULL)
    page = context.new_page()
    page.goto("score")
    set_up(page, "Ana", "Ben")
    message = page.get_by_role("alert")
    for box in NAMED:
        write(page, box, "Ana", 5 if box == "Choice" else 0)
        expect(message).to_be_visible()
    page.evaluate("() => scrollTo(0, 0)")
    end: float = page.locator("#notice").evaluate("(one) => one.getBoundingClientRect().bottom")
    top: float = page.locator(".card").evaluate("(card) => card.getBoundingClientRect().top")
    assert end <= top
    page.get_by_role("button", name="Close the message").click()
    for box in NAMED:
        write(page, box, "Ben", 5 if box == "Choice" else 0)
        expect(message).to_be_hidden()


def test_a_card_in_memory_is_not_left_silently(visits: Visits) -> None:
    """The browser asks before a page is left that has a card which couldn't be kept."""
    context = visits.browser()
    context.add_init_script(_FULL)
    page = context.new_page()
    page.goto("score")
    set_up(page, "Ana")
    with page.expect_event("dialog") as asked:
        page.close(run_before_unload=True)
    assert asked.value.type == "beforeunload"
    asked.value.dismiss()
    write(page, "Fours", "Ana", 12)
    kept = begin(visits, "Ana")
    write(kept, "Fours", "Ana", 12)
    with kept.expect_event("close"):
        kept.close(run_before_unload=True)


def test_the_device_is_asked_to_keep_the_cards(visits: Visits) -> None:
    """Not to clear them when it needs room; once there is a card, not before."""
    context = visits.browser()
    context.add_init_script(
        """if (globalThis.StorageManager)
            StorageManager.prototype.persist = async () => (window.asked = (window.asked ?? 0) + 1);
        """
    )
    page = context.new_page()
    page.goto("score")
    expect(page.locator("#set-up")).to_be_visible(timeout=SOLVED)
    assert page.evaluate("() => window.asked") is None
    set_up(page, "Ana")
    assert page.evaluate("() => window.asked") == 1


def test_names_outlive_a_killed_tab(visits: Visits) -> None:
    """What is typed and chosen for a card is there again, and its rules are those of the next."""
    page = opened(visits)
    fields = page.locator("#names input")
    fields.nth(0).fill("Ana")
    fields.nth(1).fill("Ben")
    page.get_by_role("button", name="Add a player").click()
    fields.nth(2).fill("Cleo")
    page.get_by_role("button", name="Move Cleo up").click()
    page.get_by_role("button", name="Remove Ana").click()
    page.get_by_role("radio", name="Sum").check()
    context = page.context
    page.close(run_before_unload=False)
    after = context.new_page()
    after.goto("score")
    fields = after.locator("#names input")
    expect(fields.first).to_be_visible()
    assert [field.input_value() for field in fields.all()] == ["Cleo", "Ben"]
    expect(after.get_by_role("radio", name="Sum")).to_be_checked()
    after.get_by_role("button", name="Start scoring").click()
    after.goto("score#cards")
    after.reload()
    expect(after.get_by_role("radio", name="Sum")).to_be_checked()


def test_going_on_keeps_the_dice(visits: Visits) -> None:
    """The same card has its dice on the table still; another one has none."""
    page = begin(visits, "Ana", "Ben")
    page.get_by_role("button", name="Dice and coach").click()
    throw(page, "446")
    page.goto("score#cards")
    page.locator("#going-cards a").click()
    page.get_by_role("button", name="Dice and coach").click()
    expect(page.locator("#slots [data-slot]")).to_have_count(3)
    page.goto("score#cards")
    set_up(page, "Cleo", "Dan")
    page.get_by_role("button", name="Dice and coach").click()
    expect(page.locator("#slots [data-slot]")).to_have_count(0)


def test_a_script_that_does_not_come_is_asked_for_again(visits: Visits) -> None:
    """Until it is there the page says what it waits for."""
    visits.tolerate("ERR_FAILED|Failed to fetch")
    page = visits.browser().new_page()
    page.route("**/static/coach.js*", lambda route: route.abort())
    page.goto("score")
    expect(page.get_by_role("alert")).to_contain_text("A part of this page is missing.")
    expect(page.locator("#set-up")).to_be_hidden()
    page.unroute("**/static/coach.js*")
    set_up(page, "Ana")
    expect(page.get_by_role("alert")).to_be_hidden()
