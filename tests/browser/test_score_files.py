"""Cards that leave the device: as files, as text and as pictures."""

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import expect

from tests.browser.cards import (
    begin,
    column,
    full,
    holds,
    keep,
    opened,
    saved,
    set_up,
    stored,
    take,
    write,
)
from tests.browser.conftest import Visits
from tests.browser.hands import SOLVED


def test_cards_go_to_another_device_as_a_file(visits: Visits) -> None:
    """What one browser saves another one takes; a card with other entries is asked about first."""
    page = begin(visits, "Ana", "Ben")
    write(page, "Fours", "Ana", 12)
    [card] = saved(page, page.get_by_role("button", name="Save as a file").click)
    assert card["log"] == [[0, "fours", 12]]
    file = {"kind": "yacht-scorecards", "version": 1, "cards": [card]}
    other = opened(visits)
    take(other, file)
    expect(other.locator("#notice-text")).to_have_text("Cards loaded: 1.")
    other.locator("#going-cards a").click()
    holds(other, "Fours", "Ana", "12")
    write(other, "Ones", "Ben", 2)
    other.goto("score#cards")
    for answer, left in (("No", 2), ("Yes", 1)):
        take(other, file)
        expect(other.locator("#question")).to_contain_text("differs from the one in the file")
        other.get_by_role("button", name=answer, exact=True).click()
        expect(other.locator("#notice-text")).to_have_text(f"Cards loaded: {2 - left}.")
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
        ({**file(), "version": "2"}, "This isn’t a file of scorecards."),
        ({**file(), "version": 0}, "This isn’t a file of scorecards."),
        ({**file(), "version": None}, "This isn’t a file of scorecards."),
        (json.dumps(file()) + " " * 5_000_000, "This isn’t a file of scorecards."),
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
        (file(started=1e300), "no start or end time"),
    ):
        take(page, content)
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
    assert lines[4] == "Ana | Ben"
    assert len(lines) == 5 + 12
    page.get_by_role("button", name="Close").click()
    with page.expect_download(timeout=SOLVED) as download:
        page.get_by_role("button", name="Share as a picture").click()
    picture = Path(download.value.path()).read_bytes()
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(picture[16:20]) == 2 * (190 + 2 * 110 + 2 * 32)


def test_a_card_that_differs_in_anything_is_asked_about(visits: Visits) -> None:
    """Other names under the same entries are another card; the same one isn't asked about."""
    page = opened(visits)
    card = full(column(180), names=["Ana"])
    keep(page, card)
    page.goto("score#cards")
    file = {"kind": "yacht-scorecards", "version": 1}
    take(page, {**file, "cards": [card]})
    expect(page.locator("#notice-text")).to_have_text("Cards loaded: 1.")
    take(page, {**file, "cards": [{**card, "names": ["Eva"]}]})
    page.get_by_role("button", name="No", exact=True).click()
    expect(page.locator("#notice-text")).to_have_text("Cards loaded: 0.")
    assert stored(page) == [card]


def test_a_card_that_cannot_be_shared_is_shown_or_saved(visits: Visits) -> None:
    """Where the device refuses; where a person breaks off, nothing more is done."""
    context = visits.browser()
    context.add_init_script(
        """navigator.canShare = () => true;
        navigator.share = () => Promise.reject(new DOMException("", window.why));"""
    )
    page = context.new_page()
    page.goto("score")
    set_up(page, "Ana")
    page.evaluate("() => (window.why = 'NotAllowedError')")
    page.get_by_role("button", name="Share as text").click()
    expect(page.locator("#shared")).to_be_visible()
    page.get_by_role("button", name="Close").click()
    with page.expect_download(timeout=SOLVED):
        page.get_by_role("button", name="Share as a picture").click()
    page.evaluate("() => (window.why = 'AbortError')")
    page.get_by_role("button", name="Share as text").click()
    expect(page.locator("#shared")).to_be_hidden()
    page.evaluate("() => (HTMLCanvasElement.prototype.toBlob = (done) => done(null))")
    page.get_by_role("button", name="Share as a picture").click()
    expect(page.get_by_role("alert")).to_have_text("This browser can’t make the picture.")


def test_text_is_copied_by_hand_where_the_page_may_not(visits: Visits) -> None:
    """On plain http there is no clipboard: the text is selected, and the button says so."""
    context = visits.browser()
    context.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined });")
    page = context.new_page()
    page.goto("score")
    set_up(page, "Ana")
    page.get_by_role("button", name="Share as text").click()
    page.get_by_role("button", name="Copy", exact=True).click()
    expect(page.get_by_role("button", name="Now copy it")).to_be_visible()
    selected: str = page.evaluate("() => String(getSelection())")
    assert selected == page.locator("#shared").input_value()
