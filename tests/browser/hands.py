"""What a person does on the page of a game, and what they then see."""
# pyright: reportUnknownMemberType=false
# (Playwright leaves the parameters of DevTools open)

import re
from dataclasses import dataclass

from playwright.sync_api import CDPSession, Locator, Page, Route, expect

PRESSES_APART = 450
"""Milliseconds after which a second press of the same button is meant, not a double click."""

SOLVED = 15_000
"""Milliseconds within which a busy machine has solved the game: the first hint waits for it."""


@dataclass(frozen=True)
class Sight:
    """What the page shows of the dice."""

    faces: list[int]
    held: list[bool]
    line: str
    button: str
    may_roll: bool


def seq_of(page: Page) -> int:
    return int(page.locator("#game").get_attribute("data-seq") or 0)


def settled(page: Page, seq: int) -> None:
    """The page shows the game as it was after event ``seq``, and the dice lie still."""
    game = page.locator("#game")
    expect(game).to_have_attribute("data-seq", str(seq))
    expect(game).not_to_have_class(re.compile("rolling"))


def changed(page: Page, before: int) -> int:
    """The page shows a newer game than ``before``, and the dice lie still; its number."""
    game = page.locator("#game")
    expect(game).not_to_have_attribute("data-seq", str(before))
    expect(game).not_to_have_class(re.compile("rolling"))
    return seq_of(page)


def press(page: Page, button: str) -> None:
    """Press a button of the tray and wait for what it does."""
    expect(page.locator("#ahead")).to_have_count(0)  # its letters for the seal are an event too
    before = seq_of(page)
    page.locator(f"#{button}").click()
    changed(page, before)


def choose(page: Page, box: str, *, touch: bool = False) -> Locator:
    """Tap an open box: its cell, as a finger does."""
    radio = page.locator(f"[name=box][value={box}]")
    cell = page.locator("label", has=radio)
    cell.tap() if touch else cell.click()
    return radio


def write(page: Page, box: str) -> None:
    """Choose an open box and score the dice in it."""
    choose(page, box)
    press(page, "score")


def token_of(page: Page) -> str:
    """The identity that the browser was given."""
    cookies = {one.get("name"): one.get("value") for one in page.context.cookies()}
    return cookies["yacht"] or ""


def sit_down(page: Page, name: str) -> None:
    """Take the next seat of a room of friends."""
    page.get_by_label("Your name").fill(name)
    page.locator("#sit").click()
    expect(page.locator("#start")).to_be_visible()


def hold(page: Page, *positions: int) -> None:
    """Tap these dice."""
    for position in positions:
        page.locator(f"#die{position}").click()


def sight(page: Page) -> Sight:
    """What can be seen of the dice, read from what is drawn."""
    seen = page.evaluate(
        """() => ({
            faces: [...document.querySelectorAll(".die use")].map(
                (use) => Number(use.getAttribute("href").slice(2))),
            held: [...document.querySelectorAll(".held")].map(
                (label) => getComputedStyle(label).visibility === "visible"),
            line: document.querySelector(".turnline").innerText.replace(/\\s+/g, " "),
            button: document.querySelector("#roll").textContent.trim(),
            may_roll: !document.querySelector("#roll").ariaDisabled,
        })"""
    )
    return Sight(**seen)


_HIDE = """(hidden) => {
    Object.defineProperties(document, {
        hidden: { value: hidden, configurable: true },
        visibilityState: { value: hidden ? "hidden" : "visible", configurable: true },
    });
    document.dispatchEvent(new Event("visibilitychange"));
}"""


def hide(page: Page, *, hidden: bool = True) -> None:
    """Put the page behind other tabs, as far as it can tell; or before them again."""
    page.evaluate(_HIDE, hidden)


def hide_for_good(page: Page) -> None:
    """Put the page behind other tabs, and whatever this tab loads later."""
    page.add_init_script(f"({_HIDE})(true)")
    hide(page)


def posts_of(page: Page) -> list[str]:
    """The bodies of all forms that this page sends from now on."""
    sent: list[str] = []
    page.on(
        "request",
        lambda asked: sent.append(asked.post_data or "") if asked.method == "POST" else None,
    )
    return sent


def keep_back(page: Page, path: str) -> list[Route]:
    """Hold what this page sends to its game, until the test lets it go."""
    kept_back: list[Route] = []

    def keep(route: Route) -> None:
        kept_back.append(route)

    page.route(f"**/{path}", keep)
    return kept_back


def focus_of(page: Page) -> str:
    """The id of the element that has the focus, or its name; ``body`` if nothing has it."""
    return page.evaluate(
        """() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
            const has = document.activeElement ?? document.body;
            done(has.id || has.localName);
        })))"""
    )


def in_slow_motion(page: Page) -> CDPSession:
    """Let the dice roll for half a minute, so that a test is never late for what it looks at.

    Detaching what this gives ends it.
    """
    devtools = page.context.new_cdp_session(page)
    devtools.send("Animation.enable")
    devtools.send("Animation.setPlaybackRate", {"playbackRate": 0.02})
    return devtools


def rolling(page: Page) -> None:
    """The dice are in the air."""
    expect(page.locator("#game")).to_have_class(re.compile("rolling"))
