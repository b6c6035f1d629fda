"""What people at a table with real dice do on the scorekeeper's page."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import FilePayload, Locator, Page, expect

from tests.browser.conftest import How, Visits
from tests.browser.hands import SOLVED
from yacht.engine.rules import CLASSIC

BOXES = [box.key for box in CLASSIC.categories]
NAMED = [
    key.replace("_", " ").title().replace(" A ", " a ").replace(" Of ", " of ") for key in BOXES
]


def begin(visits: Visits, *names: str, how: How | None = None) -> Page:
    """Start a card with these players, as its page is then."""
    page = opened(visits, how)
    set_up(page, *names)
    return page


def opened(visits: Visits, how: How | None = None) -> Page:
    """The page of a device that has no card, with its tables."""
    page = visits(path="score", **(how or {}))
    expect(page.locator("#set-up")).to_be_visible(timeout=SOLVED)
    return page


def set_up(page: Page, *names: str) -> None:
    fields = page.locator("#names input")
    expect(fields.first).to_be_visible()
    while fields.count() < len(names):
        page.locator("#add").click()
    while fields.count() > len(names):
        page.locator("#names [data-leave]").last.click()
    for place, name in enumerate(names):
        fields.nth(place).fill(name)
    page.locator("#set-up .primary").click()
    expect(page.locator("#game")).to_be_visible(timeout=SOLVED)


def cell(page: Page, box: str, name: str) -> Locator:
    """A box of the card, by the name that its control has before what stands in it."""
    return page.locator(f'.cell[aria-label^="{box}, {name}:"]')


def holds(page: Page, box: str, name: str, what: str) -> None:
    """The control of this box says what stands in it."""
    expect(cell(page, box, name)).to_have_attribute("aria-label", f"{box}, {name}: {what}")


def write(page: Page, box: str, name: str, points: int) -> None:
    """Tap a box, then one of its values."""
    cell(page, box, name).click()
    page.get_by_role("button", name=f"Score {points} in {box}", exact=True).click()
    holds(page, box, name, str(points))


def throw(page: Page, dice: str) -> None:
    """Tap the dice that lie on the table."""
    for face in dice:
        page.locator("#faces").get_by_role("button", name=face, exact=True).click()


def totals(page: Page) -> list[str]:
    expect(page.locator(".card .total").first).to_be_visible()
    return page.locator(".card .total").all_inner_texts()


def stored(page: Page) -> list[dict[str, Any]]:
    """The cards that this device has kept, the newest first."""
    texts: list[str] = page.evaluate(
        """() => Object.keys(localStorage).filter((key) => key.startsWith("yacht-score "))
            .map((key) => localStorage.getItem(key))"""
    )
    return sorted(map(json.loads, texts), key=lambda card: -card["started"])


def keep(page: Page, *cards: dict[str, Any]) -> None:
    """Have these cards on the device, and the first one being played, when it is next opened."""
    page.evaluate(
        """(cards) => {
            for (const card of cards)
                localStorage.setItem(`yacht-score ${card.id}`, JSON.stringify(card));
            const playing = { id: cards[0].id, dice: "", left: 2 };
            localStorage.setItem("yacht-score", JSON.stringify(playing));
        }""",
        list(cards),
    )
    page.goto("score")


def full(
    *columns: Sequence[int], names: Sequence[str], started: int = 1_790_000_000_000
) -> dict[str, Any]:
    """A finished card of the classic rules, a column for each player."""
    log = [
        [player, box, column[place]]
        for place, box in enumerate(BOXES)
        for player, column in enumerate(columns)
    ]
    ended = {"started": started, "finished": started + 1}
    return {"id": f"card{started}", "ruleset": "classic", "names": names, "log": log, **ended}


def column(total: int) -> list[int]:
    """A full column with a total of 100 or more that can be: Choice makes up for the rest."""
    given = [1, 2, 3, 4, 5, 6, 0, 0, 30, 30, 5, 0]
    rest = total - sum(given)
    for place, step, most in ((11, 50, 1), (5, 6, 4), (4, 5, 4), (3, 4, 4), (10, 1, 25)):
        steps = min(most, rest // step)
        given[place] += steps * step
        rest -= steps * step
    assert rest == 0, total
    return given


def saved(page: Page, press: Callable[[], None]) -> list[dict[str, Any]]:
    """The cards in the file that a button saves."""
    with page.expect_download(timeout=SOLVED) as download:
        press()
    return json.loads(Path(download.value.path()).read_text())["cards"]


def take(page: Page, content: str | dict[str, Any]) -> None:
    """Choose a file of the page with this content."""
    text = content if isinstance(content, str) else json.dumps(content)
    page.locator("#file").set_input_files(
        FilePayload(name="x.json", mimeType="application/json", buffer=text.encode())
    )


def fail(page: Page, *, fails: bool) -> None:
    """From now on this tab can keep nothing, as where its storage is full; or it can again."""
    page.evaluate(
        """(fails) => {
            const own = Storage.prototype.own ??= Storage.prototype.setItem;
            const full = () => { throw new DOMException("", "QuotaExceededError"); };
            Storage.prototype.setItem = fails ? full : own;
        }""",
        fails,
    )
