"""How long from a click to the changed page, in a browser, beside a bare fetch from that page."""

from statistics import median

from playwright.sync_api import Page, sync_playwright

from bench.process import SERVE, folder, serving
from bench.report import Line, Table, quantile, say
from tests.browser.chromium import launch

_GAMES = 3
_TURNS = 12
_BEFORE = """
localStorage.setItem("yacht", JSON.stringify({ animation: "off" }));
addEventListener("click", (event) => {
  if (!event.target.matches("#roll, #score")) return;
  const game = () => document.getElementById("game");
  const before = game().dataset.seq;
  window.took = new Promise((tell) => {
    const watch = new MutationObserver(() => {
      if (game().dataset.seq === before) return;
      watch.disconnect();
      tell(performance.now() - event.timeStamp);
    });
    watch.observe(document, { subtree: true, childList: true, attributes: true });
  });
}, { capture: true });
"""
_FETCH = """async () => {
  const start = performance.now();
  await (await fetch("/healthz", { cache: "no-store" })).text();
  return performance.now() - start;
}"""
_AGAIN = 450
"""Milliseconds until the page takes a second press of the same control as one of its own."""


def run() -> Table:
    """Whole games in the browser: a roll, a roll that holds two dice, a score, three fetches."""
    acts, fetches = list[float](), list[float]()
    with folder() as data, serving(SERVE, data) as server, sync_playwright() as playwright:
        browser = launch(playwright)
        page = browser.new_page()
        page.add_init_script(_BEFORE)
        for number in range(1, _GAMES + 1):
            page.goto(server.address)
            page.click("text=Start a game")
            page.wait_for_selector("#roll")
            for _ in range(_TURNS):
                acts += _turn(page)
                fetches += [page.evaluate(_FETCH) for _ in range(3)]
            page.wait_for_selector("#result")
            say(f"page: game {number} of {_GAMES}: median {median(acts):.1f} ms")
        version = browser.version
        browser.close()
    return _table(acts, fetches, version)


def _turn(page: Page) -> list[float]:
    """Milliseconds from each click to the page that shows what came of it."""
    took = [_click(page, "#roll")]
    page.click("label#die0")
    page.click("label#die1")
    page.wait_for_timeout(_AGAIN)
    took.append(_click(page, "#roll"))
    page.click(".open label >> nth=0")
    took.append(_click(page, "#score"))
    return took


def _click(page: Page, button: str) -> float:
    page.click(button)
    return page.evaluate("window.took")


def _table(acts: list[float], fetches: list[float], version: str) -> Table:
    middle, slow = median(acts), quantile(acts, 0.95)
    bare, bare_slow = median(fetches), quantile(fetches, 0.95)
    return Table(
        "Page",
        f"{len(acts)} clicks on Roll and Score in Chromium {version}, {_GAMES} whole games on "
        "loopback, animation off: from the click to the moment the page's document has changed. "
        "The bare fetch is `/healthz` from the same page, in between.",
        [
            Line(
                "click to changed page, median",
                f"{middle:.1f} ms",
                f"bare fetch {bare:.1f} ms: {middle / bare:.1f} ×",
            ),
            Line(
                "click to changed page, p95",
                f"{slow:.1f} ms",
                f"bare fetch {bare_slow:.1f} ms: {slow / bare_slow:.1f} ×",
            ),
        ],
    )
