"""Friends: from one player's click to the other's screen, in two browsers on this machine."""

import httpx
from playwright.sync_api import Page, sync_playwright

from bench.process import SERVE, folder, serving
from bench.report import Line, Table, quantile, say
from tests.browser.chromium import launch
from yacht.web.visit import COOKIE

_TURNS = 10
_MOST = 150
_BEFORE = """
localStorage.setItem("yacht", JSON.stringify({ animation: "off" }));
const now = () => performance.timeOrigin + performance.now();
addEventListener("click", () => (window.clicked = now()), { capture: true });
window.shown = {};
new MutationObserver(() => {
  const seq = document.getElementById("game")?.dataset.seq;
  if (seq && !window.shown[seq]) requestAnimationFrame(() => (window.shown[seq] ??= now()));
}).observe(document, { subtree: true, childList: true, attributes: true });
"""

_CHANGED = "(seq) => document.getElementById('game').dataset.seq !== seq"


def run() -> Table:
    """A game of two: each rolls and scores in turn, and the other sees it."""
    late = list[float]()
    with folder() as data, serving(SERVE, data) as server, sync_playwright() as playwright:
        room, tokens = _room(server.address)
        browser = launch(playwright)
        pages = list[Page]()
        for token in tokens:
            context = browser.new_context(base_url=server.address, reduced_motion="reduce")
            context.add_cookies([{"name": COOKIE, "value": token, "url": server.address}])
            context.add_init_script(_BEFORE)
            pages.append(context.new_page())
            pages[-1].goto(f"g/{room}")
        for turn in range(2 * _TURNS):
            here, there = pages[turn % 2], pages[1 - turn % 2]
            late.append(_act(here, there, "#roll"))
            here.locator(".open label").first.click()
            late.append(_act(here, there, "#score"))
        browser.close()
    say(f"friends: {len(late)} acts")
    p50, p95 = quantile(late, 0.5), quantile(late, 0.95)
    return Table(
        "Friends",
        "Two browsers with a page each of one game, in turn: from the click of who rolls or scores "
        "to the frame in which the other's page shows it. The browsers and the server share the "
        f"cores; {len(late)} acts, each durable before anybody is told.",
        [
            Line("click to the other's screen, p50", f"{p50:.0f} ms"),
            Line(
                "click to the other's screen, p95",
                f"{p95:.0f} ms",
                "",
                f"under {_MOST} ms",
                p95 < _MOST,
            ),
        ],
    )


def _act(here: Page, there: Page, button: str) -> float:
    """Milliseconds from the click here to the next state there."""
    before = here.locator("#game").get_attribute("data-seq")
    here.wait_for_timeout(450)  # a second press at once would be the same one
    here.locator(button).click()
    for page in (here, there):
        page.wait_for_function(_CHANGED, arg=before)
    seq = there.locator("#game").get_attribute("data-seq")
    there.wait_for_function("(seq) => window.shown[seq]", arg=seq)
    return there.evaluate("(seq) => window.shown[seq]", seq) - here.evaluate("() => window.clicked")


def _room(address: str) -> tuple[str, list[str]]:
    """A room of two whose game has begun, and both tokens."""
    with httpx.Client(base_url=f"{address}api/v1/") as site:
        ana = site.post("rooms", json={"name": "Ana", "places": 2}).json()
        site.cookies.clear()
        seats = f"games/{ana['game']['room']}/seats"
        ben = site.post(seats, json={"do": "join", "name": "Ben"}).json()
        site.cookies.clear()
        mine = {"Authorization": f"Bearer {ana['token']}"}
        site.post(seats, json={"do": "begin"}, headers=mine).raise_for_status()
    return ana["game"]["room"], [ana["token"], ben["token"]]
