"""Every state of every page can be read, reached and hit, by whoever uses it however."""

from collections.abc import Sequence
from typing import Literal

import httpx
import pytest
from playwright.sync_api import Browser, ViewportSize

from tests.browser.checks import WHOLE, small_targets, too_wide, violations
from tests.browser.conftest import DESKTOP, PHONE, Visits, visiting
from tests.browser.table import Opening
from tests.browser.walks import WALKS, States, away
from tests.serving import Timely

_Look = tuple[ViewportSize, Literal["light", "dark"]]
_ONE: Sequence[_Look] = ((PHONE, "light"),)
_ALL: Sequence[_Look] = *_ONE, (PHONE, "dark"), (DESKTOP, "light"), (DESKTOP, "dark")
_NARROW = ViewportSize(width=320, height=568)
_ZOOMED = ViewportSize(width=640, height=400)
_LOOKS = {
    "type": "rule",
    "values": ["color-contrast", "link-in-text-block", "scrollable-region-focusable"],
}


_WIDE = ("three", "eight")
_TEXTS = """() => {
    const small = new Set();
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text; (text = texts.nextNode()); ) {
        const holder = text.parentElement;
        if (!text.data.trim() || holder.closest("script, noscript, .unseen")) continue;
        if (!holder.checkVisibility()) continue;
        const size = parseFloat(getComputedStyle(holder).fontSize);
        if (size < 15) small.add(`${text.data.trim().slice(0, 40)}: ${size} px`);
    }
    for (const field of document.querySelectorAll("input, textarea, button, select")) {
        const size = parseFloat(getComputedStyle(field).fontSize);
        if (size < 15 && !field.matches("[type=radio], [type=checkbox], [type=hidden]"))
            small.add(`${field.outerHTML.slice(0, 60)}: ${size} px`);
    }
    return [...small];
}"""


@pytest.mark.parametrize("walk", [walk for walk in WALKS if walk not in _WIDE])
def test_every_state_can_be_used_by_everybody(visits: Visits, table: Opening, walk: str) -> None:
    """Every state of the pages of a walk can be read, reached and hit.

    Games of three and eight, whose states are those of one with more columns, are in the soak.

    - axe finds nothing against WCAG 2.2 A and AA and the best practices, on a phone in light; in
      the soak, nothing that depends on colours and sizes in the three other looks either;
    - nothing scrolls sideways at 320 px, nor at 200 % zoom of a small laptop;
    - every target is at least 44 px square on a phone;
    - no text is smaller than 15 px, on a phone; in the soak on a desktop too.
    """
    _check(WALKS[walk](visits, table), _ONE)


@pytest.mark.soak
@pytest.mark.parametrize("walk", WALKS)
def test_every_state_in_every_look(visits: Visits, table: Opening, walk: str) -> None:
    """The same in light and dark, each on a phone and a desktop."""
    _check(WALKS[walk](visits, table), _ALL)


def test_friends_who_are_away_can_be_helped_by_everybody(browser: Browser, timely: Timely) -> None:
    """The same holds where somebody on turn is away, at a server whose clock is put forward."""
    with httpx.Client(base_url=timely.address) as site, visiting(browser, timely) as visits:
        _check(away(visits, Opening(site), timely), _ONE)


def _check(states: States, looks: Sequence[_Look]) -> None:
    found = list[str]()
    for state, page in states:
        for size in _NARROW, _ZOOMED:
            page.set_viewport_size(size)
            if over := too_wide(page):
                found.append(f"{state}: {over} px too wide for {size['width']} px")
        for size, scheme in looks:
            page.set_viewport_size(size)
            page.emulate_media(color_scheme=scheme)
            where = f"{state}, {size['width']} px, {scheme}"
            found += [f"{where}: small text: {one}" for one in page.evaluate(_TEXTS)]
            rules = WHOLE if (size, scheme) == (PHONE, "light") else _LOOKS
            found += [f"{where}: {one}" for one in violations(page, rules)]
        page.set_viewport_size(PHONE)
        found += [f"{state}: small target: {one}" for one in small_targets(page)]
    assert not found, "\n".join(found)
