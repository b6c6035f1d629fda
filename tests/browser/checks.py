"""What holds for any page in any state."""

from collections.abc import Collection
from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

WHOLE = {
    "type": "tag",
    "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
}
"""All that axe checks against WCAG 2.2 A and AA, and its best practices."""


def violations(
    page: Page, rules: dict[str, Any], *, leaving_out: Collection[str] = ()
) -> list[str]:
    """What axe finds by these rules."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    return page.evaluate(
        """([runOnly, leftOut]) => axe.run(document, {
            runOnly, resultTypes: ["violations"], preload: false,
            rules: Object.fromEntries(leftOut.map((rule) => [rule, { enabled: false }])),
        }).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(
                ({ html }) => `${id}: ${html.slice(0, 200)}`)))""",
        [rules, list(leaving_out)],
    )


def too_wide(page: Page) -> int:
    """By how many pixels the page scrolls sideways."""
    return page.evaluate(
        "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )


_TARGETS = """() => {
    const kinds = "a[href], button, summary, select, textarea, input:not([type=hidden])";
    const small = [];
    for (const one of document.querySelectorAll(kinds)) {
        if (!one.checkVisibility({ visibilityProperty: true })) continue;
        const hit = [one, one.closest("label")].filter(Boolean);
        const rects = hit.map((part) => part.getBoundingClientRect());
        const width = Math.max(...rects.map((rect) => rect.width));
        const height = Math.max(...rects.map((rect) => rect.height));
        const inline = one.matches("a") && getComputedStyle(one).display === "inline"
            && one.parentElement.textContent.trim() !== one.textContent.trim();
        if (!inline && (width < 44 || height < 44))
            small.push(`${one.outerHTML.slice(0, 120)} is ${width} x ${height}`);
    }
    return small;
}"""


def small_targets(page: Page) -> list[str]:
    """What can be hit but isn't 44 px square, links in a sentence aside."""
    return page.evaluate(_TARGETS)
