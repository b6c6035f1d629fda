"""What holds for any page in any state."""

from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

WHOLE = {
    "type": "tag",
    "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
}
"""All that axe checks against WCAG 2.2 A and AA, and its best practices."""


def violations(page: Page, rules: dict[str, Any]) -> list[str]:
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    return page.evaluate(
        """(runOnly) => axe.run(document, {
            runOnly, resultTypes: ["violations"], preload: false,
        }).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(
                ({ html }) => `${id}: ${html.slice(0, 200)}`)))""",
        rules,
    )


def too_wide(page: Page) -> int:
    """By how many pixels the page scrolls sideways."""
    return page.evaluate(
        "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
