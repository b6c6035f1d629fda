"""One device, several tabs: what one does is seen by the others, and nothing is lost."""

from playwright.sync_api import expect

from tests.browser.cards import (
    begin,
    cell,
    fail,
    holds,
    opened,
    set_up,
    stored,
    throw,
    write,
)
from tests.browser.conftest import Visits


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


def test_what_could_not_be_kept_comes_on_top(visits: Visits) -> None:
    """A tab that can keep nothing for a while loses no entry, neither its own nor another's."""
    page = begin(visits, "Ana", "Ben")
    other = page.context.new_page()
    other.goto("score")
    fail(page, fails=True)
    write(page, "Ones", "Ana", 3)
    expect(page.get_by_role("alert")).to_contain_text("This browser doesn’t keep the card")
    write(other, "Twos", "Ben", 6)
    holds(page, "Twos", "Ben", "6")
    holds(page, "Ones", "Ana", "3")
    holds(other, "Ones", "Ana", "open")
    fail(page, fails=False)
    write(page, "Threes", "Ana", 9)
    expect(page.get_by_role("alert")).to_be_hidden()
    holds(other, "Ones", "Ana", "3")
    assert [change[1] for change in stored(page)[0]["log"]] == ["twos", "ones", "threes"]


def test_undo_takes_back_what_it_says(visits: Visits) -> None:
    """The entry that this tab shows as the last one, though another has come after it."""
    page = begin(visits, "Ana", "Ben")
    other = page.context.new_page()
    other.goto("score")
    write(page, "Ones", "Ana", 3)
    holds(other, "Ones", "Ana", "3")
    page.evaluate("() => addEventListener('storage', (e) => e.stopImmediatePropagation(), true)")
    fail(page, fails=True)
    page.get_by_role("button", name="Undo").click()
    write(other, "Twos", "Ben", 6)
    fail(page, fails=False)
    write(page, "Fours", "Ana", 8)
    assert [change[1] for change in stored(page)[0]["log"]] == ["twos", "fours"]


def test_names_that_are_typed_stay(visits: Visits) -> None:
    """Another tab's card comes into the list, and is neither opened nor taken for a model."""
    page = opened(visits)
    page.locator("#names input").first.fill("Dan")
    other = page.context.new_page()
    other.goto("score")
    set_up(other, "Ana", "Ben")
    write(other, "Fours", "Ana", 12)
    expect(page.locator("#going-cards li")).to_contain_text(["Ana 12 Ben 0"])
    expect(page.locator("#names input").first).to_have_value("Dan")
    expect(page.locator("#start")).to_be_visible()


def test_another_card_is_played_there(visits: Visits) -> None:
    """The card here stays in view, nothing more is entered in it, until it is gone on with."""
    page = begin(visits, "Ana", "Ben")
    cell(page, "Ones", "Ana").click()
    other = page.context.new_page()
    other.goto("score#cards")
    set_up(other, "Cleo", "Dan")
    expect(page.locator("#entry")).to_be_hidden()
    expect(page.locator(".card bdi")).to_have_text(["Ana", "Ben"])
    cell(page, "Ones", "Ana").click(force=True)
    expect(page.locator("#entry")).to_be_hidden()
    page.get_by_role("button", name="Change this card").click()
    write(page, "Ones", "Ana", 3)
    expect(other.get_by_role("button", name="Change this card")).to_be_visible()
    assert [len(card["log"]) for card in stored(page)] == [0, 1]


def test_dice_rolls_left_and_what_is_live_are_taken_over(visits: Visits) -> None:
    """The tabs of one card show the same dice on the table, and the same link for watching."""
    page = begin(visits, "Ana", "Ben")
    other = page.context.new_page()
    other.goto("score")
    for tab in page, other:
        tab.get_by_role("button", name="Dice and coach").click()
    throw(page, "446")
    page.get_by_role("button", name="1 roll left").click()
    expect(other.locator("#slots [data-slot]")).to_have_count(3)
    expect(other.locator("#lefts [aria-pressed=true]")).to_have_text("1")
    page.get_by_role("button", name="Show live").click()
    link = page.get_by_label("Link for watching")
    expect(link).not_to_have_value("")
    expect(other.locator("#live-state")).to_have_text("Shown live.")
    expect(other.get_by_label("Link for watching")).to_have_value(link.input_value())
    page.get_by_role("button", name="Stop showing").click()
    expect(other.get_by_role("button", name="Show live")).to_be_visible()
