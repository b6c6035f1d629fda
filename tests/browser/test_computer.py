"""A computer at the table: watched step by step, left time for Undo, with and without script."""

import re
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Visits, visiting
from tests.browser.hands import changed, choose, focus_of, press, seq_of, write
from tests.browser.table import Table
from tests.serving import Served

PACE = 0.4


@pytest.fixture(scope="module")
def brisk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server whose computers don't take as long as people need to follow them."""
    with Served(tmp_path_factory.mktemp("brisk"), "--computer-pace", str(PACE)) as served:
        yield served


@pytest.fixture
def visits(browser: Browser, brisk: Served) -> Iterator[Visits]:
    with visiting(browser, brisk) as visits:
        yield visits


def start(page: Page, level: str) -> None:
    """From home into a game against a computer, with the form."""
    page.get_by_label("Your name").fill("Ana")
    page.get_by_text("Add players").click()
    page.get_by_label("Who plays as player 2").select_option(level)
    page.get_by_role("button", name="Start a game").click()
    page.wait_for_url(re.compile("/g/"))


def test_its_turn_is_played_step_by_step(visits: Visits) -> None:
    """Each step is shown and said; nothing moves; the controls wait and keep the focus."""
    page = visits()
    start(page, "strong")
    line, roll, score, undo = (
        page.locator(one) for one in (".turnline h1", "#roll", "#score", "#undo")
    )
    expect(line).to_have_text("Ana starts")
    press(page, "roll")
    choose(page, "choice")
    page.evaluate(
        """() => {
            window.shifts = 0;
            new PerformanceObserver((list) => list.getEntries().forEach((entry) => {
                if (!entry.hadRecentInput) window.shifts += entry.value;
            })).observe({ type: "layout-shift" });
            window.said = [];
            new MutationObserver(() => {
                const text = document.getElementById("status").textContent;
                if (text) window.said.push(text);
            }).observe(document.getElementById("status"), { childList: true });
        }"""
    )
    score.focus()
    page.keyboard.press("Enter")
    scored = monotonic()
    expect(line).to_have_text("Computer is playing")
    for button in (roll, score):
        expect(button).to_have_attribute("aria-disabled", "true")
    assert undo.get_attribute("aria-disabled") is None
    assert focus_of(page) == "score"
    expect(page.locator(".die input:enabled")).to_have_count(0)

    its_dice = re.compile(r"0\.1\.[1-3]")
    expect(page.locator("#game")).to_have_attribute("data-roll", its_dice, timeout=8_000)
    assert monotonic() - scored >= 4
    expect(undo).to_have_attribute("aria-disabled", "true")
    expect(line).to_have_text("Turn: Ana", timeout=8_000)
    assert focus_of(page) == "score"
    steps = page.locator(".last .rolls li").count()
    said = page.evaluate("() => window.said")
    assert sum("Computer rolled" in text for text in said) == steps
    assert sum("Computer wrote" in text for text in said) == 1
    assert page.evaluate("() => window.shifts") == 0
    press(page, "roll")


def test_undo_while_it_waits(visits: Visits) -> None:
    """A score is taken back before the computer has rolled, which then waits again."""
    page = visits()
    start(page, "exact")
    press(page, "roll")
    write(page, "yacht")
    press(page, "undo")
    expect(page.locator(".turnline h1")).to_have_text("Turn: Ana")
    write(page, "choice")
    expect(page.locator("#game")).to_have_attribute("data-roll", "1.0.0", timeout=10_000)
    assert page.locator("td.ink").count() == 2


def test_a_watcher_sees_the_same(visits: Visits, brisk: Served) -> None:
    """Whoever watches sees the computer's dice as they come, beside its owner."""
    with httpx.Client(base_url=brisk.address) as site:
        game = Table.new(site, "Computer", "Ana", computers=["easy", ""])
        page = visits(path=game.path)
        expect(page.locator(".turnline h1")).to_have_text("Turn: Ana", timeout=8_000)
        assert page.locator("td.ink").count() == 1


def test_letters_go_ahead(browser: Browser, tmp_path: Path) -> None:
    """Where a computer starts, the page adds random letters for each seat before it has rolled."""
    with (
        Served(tmp_path, "--computer-pace", "60") as served,
        visiting(browser, served) as visits,
        httpx.Client(base_url=served.address) as site,
    ):
        page = visits()
        page.get_by_label("Your name").fill("Bot")
        page.locator("#computer1").select_option("easy")
        page.get_by_text("Add players").click()
        page.locator("#name2").fill("Ana")
        page.get_by_role("button", name="Start a game").click()
        expect(page.locator("#game")).to_have_attribute("data-seq", "2")
        now = Table(site, page.url.rpartition("/")[2], "").now
    added = now.seat_bytes
    assert added
    assert not now.rolls_used
    assert {len(bytes.fromhex(one)) for one in added} == {20}
    assert len(set(added)) == 2


def test_without_script(visits: Visits) -> None:
    """Without scripts the page asks again by itself until the computer has played."""
    page = visits(script=False)
    start(page, "easy")
    page.locator("#roll").click()
    choose(page, "choice")
    page.locator("#score").click()
    expect(page.locator(".turnline h1")).to_have_text("Computer is playing")
    expect(page.locator("noscript meta[http-equiv=refresh]")).to_have_count(1)
    expect(page.locator(".turnline h1")).to_have_text("Turn: Ana", timeout=15_000)
    expect(page.locator("noscript meta")).to_have_count(0)
    expect(page.locator(".last bdi")).to_have_text("Computer")


def test_a_reload_in_its_turn(visits: Visits) -> None:
    """Reloaded in the middle of a computer's turn, the page shows where it is and goes on."""
    page = visits()
    start(page, "steady")
    press(page, "roll")
    write(page, "choice")
    changed(page, seq_of(page))
    page.reload()
    expect(page.locator(".turnline h1")).to_have_text("Turn: Ana", timeout=8_000)
    assert page.locator("td.ink").count() == 2
