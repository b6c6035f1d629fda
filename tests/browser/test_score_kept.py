"""Cards stay on the device: through reloads, other tabs and files, and with no storage at all."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import FilePayload, Page, expect

from tests.browser.cards import (
    begin,
    cell,
    column,
    full,
    holds,
    keep,
    opened,
    set_up,
    stored,
    throw,
    totals,
    write,
)
from tests.browser.conftest import Visits
from tests.browser.hands import SOLVED


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


def test_another_tab_is_taken_over(visits: Visits) -> None:
    """Entries of two tabs end up on one card, whichever came first, and a box open here stays."""
    page = begin(visits, "Ana", "Ben")
    other = page.context.new_page()
    other.goto("score")
    cell(page, "Ones", "Ana").click()
    write(other, "Twos", "Ben", 6)
    holds(page, "Twos", "Ben", "6")
    page.get_by_role("button", name="Score 3 in Ones").click()
    holds(other, "Ones", "Ana", "3")
    assert [change[1] for change in stored(page)[0]["log"]] == ["twos", "ones"]


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
    assert len(_saved(page, page.get_by_role("button", name="Save as a file").click)[0]["log"]) == 2


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
    grip, target = page.locator(".grip").nth(0), page.locator("#names li").nth(2)
    grip.hover()
    page.mouse.down()
    target.hover(position={"x": 20, "y": 40}, force=True)
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


def _saved(page: Page, press: Callable[[], None]) -> list[dict[str, Any]]:
    """The cards in the file that a button saves."""
    with page.expect_download(timeout=SOLVED) as download:
        press()
    return json.loads(Path(download.value.path()).read_text())["cards"]


def _take(page: Page, content: str | dict[str, Any]) -> None:
    text = content if isinstance(content, str) else json.dumps(content)
    page.locator("#file").set_input_files(
        FilePayload(name="x.json", mimeType="application/json", buffer=text.encode())
    )


def test_cards_go_to_another_device_as_a_file(visits: Visits) -> None:
    """What one browser saves another one takes; a card with other entries is asked about first."""
    page = begin(visits, "Ana", "Ben")
    write(page, "Fours", "Ana", 12)
    [card] = _saved(page, page.get_by_role("button", name="Save as a file").click)
    assert card["log"] == [[0, "fours", 12]]
    file = {"kind": "yacht-scorecards", "version": 1, "cards": [card]}
    other = opened(visits)
    _take(other, file)
    expect(other.locator("#status")).to_have_text("Cards loaded: 1.")
    other.locator("#going-cards a").click()
    holds(other, "Fours", "Ana", "12")
    write(other, "Ones", "Ben", 2)
    other.goto("score#cards")
    for answer, left in (("No", 2), ("Yes", 1)):
        _take(other, file)
        expect(other.locator("#question")).to_contain_text("already, with other entries")
        other.get_by_role("button", name=answer, exact=True).click()
        expect(other.locator("#status")).to_have_text(f"Cards loaded: {2 - left}.")
        assert len(stored(other)[0]["log"]) == left


def test_a_bad_file_says_what_is_wrong_and_changes_nothing(visits: Visits) -> None:
    """The first thing that is wrong is named, with the card and the entry it is in."""
    page = begin(visits, "Ana")
    write(page, "Fours", "Ana", 12)
    page.goto("score#cards")
    before = stored(page)
    good = full(column(180), names=["Ben"])

    def file(**spoilt: Any) -> dict[str, Any]:
        cards = [good, {**good, "id": "another-one", **spoilt}]
        return {"kind": "yacht-scorecards", "version": 1, "cards": cards}

    log = good["log"]
    for content, told in (
        ("{", "it isn’t a file of scorecards"),
        ("[]", "This isn’t a file of scorecards."),
        ({**file(), "version": 2}, "newer format: 2"),
        (file(ruleset="house"), "Card 2 of the file has unknown rules: house."),
        (file(ruleset="constructor"), "unknown rules: constructor"),
        (file(id=7), "Card 2 of the file isn’t a scorecard."),
        (file(names=[]), "1 to 8 names"),
        (file(names=["7"] * 9), "1 to 8 names"),
        (file(names=["\u202e"]), "a name that can’t be used"),
        (file(log=[[1, "fours", 4]]), "entry 1: there is no player 2"),
        (file(log=[*log, [0, "fourz", 4]]), "entry 13: there is no box fourz"),
        (file(log=[*log, [0, "fours", 5]]), "entry 13: Fours can’t have 5 points"),
        (file(log=[*log, [0, "fours", "4"]]), "entry 13: Fours can’t have 4 points"),
        (file(log=[*log, [0, "fours"]]), "entry 13 isn’t valid"),
        (file(finished=None), "no start or end time"),
    ):
        _take(page, content)
        expect(page.get_by_role("alert")).to_contain_text(told)
        assert stored(page) == before


def test_a_card_is_shared_as_text_and_as_a_picture(visits: Visits) -> None:
    """The text has ranks, totals and every box; the picture is as wide as its players need."""
    page = opened(visits)
    keep(page, full(column(180), column(200), names=("Ana", "Ben")))
    page.get_by_role("button", name="Share as text").click()
    lines = page.locator("#shared").input_value().split("\n")
    assert lines[1:3] == ["1. Ben: 200", "2. Ana: 180"]
    assert "Little Straight: 30 | 30" in lines
    assert len(lines) == 4 + 12
    page.get_by_role("button", name="Close").click()
    with page.expect_download(timeout=SOLVED) as download:
        page.get_by_role("button", name="Share as a picture").click()
    picture = Path(download.value.path()).read_bytes()
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(picture[16:20]) == 2 * (190 + 2 * 110 + 2 * 32)
