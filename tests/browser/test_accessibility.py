"""Every state of every page is clean for axe, in light and dark, on a phone and a desktop."""

from typing import Any, Literal

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

from tests.browser.conftest import DESKTOP, PHONE, New, Visits
from tests.browser.walks import WALKS

_WHOLE = {
    "type": "tag",
    "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
}
_COLOURS = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}


def _violations(page: Page, rules: dict[str, Any]) -> list[str]:
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    return page.evaluate(
        """(runOnly) => axe.run(document, { runOnly, resultTypes: ["violations"] }).then(
            ({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(
                ({ html }) => `${id}: ${html.slice(0, 200)}`)))""",
        rules,
    )


@pytest.mark.parametrize("walk", WALKS)
def test_axe_finds_nothing(visits: Visits, table: New, walk: str) -> None:
    """WCAG 2.2 A and AA and the best practices hold; dark adds what depends on colours."""
    found = list[str]()
    schemes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    for state, page in WALKS[walk](visits, table):
        for size in PHONE, DESKTOP:
            page.set_viewport_size(size)
            for scheme in schemes:
                page.emulate_media(color_scheme=scheme)
                rules = _WHOLE if scheme == "light" else _COLOURS
                where = f"{state}, {size['width']} px, {scheme}"
                found += [f"{where}: {one}" for one in _violations(page, rules)]
        page.set_viewport_size(PHONE)
    assert not found, "\n".join(found)
