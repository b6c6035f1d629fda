"""What comes out of the printer: ink on white, on as many sheets as it should be."""

import re

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.conftest import DESKTOP, Visits

PAPERS = {"A4": (210, 297), "Letter": (215.9, 279.4)}
MARGINS = (2 * 15, 2 * 14)
"""What rules.css leaves free, across and down, in mm."""
MM = 96 / 25.4


def sheets(page: Page, paper: str) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", page.pdf(format=paper)))


def on_paper(page: Page, paper: str) -> ViewportSize:
    """Lay the page out as it is on a sheet, and tell how large that is."""
    across, down = (
        int((side - margin) * MM) for side, margin in zip(PAPERS[paper], MARGINS, strict=True)
    )
    size = ViewportSize(width=across, height=down)
    page.emulate_media(media="print")
    page.set_viewport_size(size)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= across  # or it is shrunk
    return size


def shown(page: Page, what: str) -> list[str]:
    return page.evaluate(
        """(what) => [...document.querySelectorAll(what)]
            .filter((one) => one.checkVisibility()).map((one) => one.textContent)""",
        what,
    )


@pytest.mark.parametrize(("players", "ruleset"), [(1, "classic"), (4, "classic"), (8, "sum")])
def test_a_card_fills_one_sheet(visits: Visits, players: int, ruleset: str) -> None:
    """It isn't made smaller to fit, every place has room for a pencil, and nothing else is there.

    That holds on A4 and Letter.
    """
    page = visits(path=f"card?players={players}&ruleset={ruleset}", size=DESKTOP)
    assert [sheets(page, paper) for paper in PAPERS] == [1, 1]
    for paper in PAPERS:
        size = on_paper(page, paper)
        card = page.locator(".pad").bounding_box()
        assert card
        assert size["height"] * 0.8 < card["height"] <= size["height"]
        assert shown(page, "a, button, h1, nav, form") == []
        places = page.evaluate(
            """() => [...document.querySelectorAll(".pad td")].map((one) => {
                const { width, height } = one.getBoundingClientRect();
                return Math.min(width, height);
            })"""
        )
        assert len(places) == 13 * players
        assert min(places) >= 12 * MM


@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_the_button_prints(visits: Visits, *, script: bool) -> None:
    """It opens the browser's print dialog, and isn't there where it couldn't."""
    context = visits.browser(script=script)
    context.add_init_script("window.print = () => document.body.append('printing')")
    page = context.new_page()
    page.goto("card")
    button = page.get_by_role("button", name="Print")
    expect(button).to_have_count(int(script))
    if script:
        button.click()
        expect(page.locator("body")).to_contain_text("printing")


@pytest.mark.parametrize(("path", "most"), [("rules", 3), ("tips", 4)])
def test_pages_to_read_are_ink_on_white(visits: Visits, path: str, most: int) -> None:
    """Even where the screen is dark; on few sheets, and without links to other pages."""
    page = visits(path=path, scheme="dark", size=DESKTOP)
    for paper in PAPERS:
        assert sheets(page, paper) <= most
    for paper in PAPERS:
        on_paper(page, paper)
        colours = page.evaluate(
            """() => {
                const { backgroundColor, color } = getComputedStyle(document.body);
                return [backgroundColor, color];
            }"""
        )
        assert colours == ["rgb(255, 255, 255)", "rgb(20, 34, 60)"]
        assert shown(page, "a:not([aria-current])") == []
