"""The scorekeeper without a network, after one visit; and newer versions of it."""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Response, expect

import yacht
from tests.browser.cards import cell, holds, set_up, throw, totals, write
from tests.browser.conftest import Visits, visiting
from tests.serving import Served

INSTALLED = "() => navigator.serviceWorker.ready.then(({ active }) => active.state)"
OFFERED = "A new version is ready."


class Version(Served):
    """A server of a copy of the program, whose files can be made those of a newer version."""

    def __init__(self, folder: Path, *flags: str, port: int = 0) -> None:
        self._folder = folder
        package = folder / "yacht"
        if not package.exists():
            shutil.copytree(Path(yacht.__file__).parent, package)
        start = "from yacht.cli import main; raise SystemExit(main())"
        self.program = (sys.executable, "-c", start)
        environ = {"PYTHONPATH": str(folder)}
        super().__init__(folder / "data", *flags, port=port, environ=environ)

    def change(self, file: str, old: str, new: str) -> None:
        """What the next server of this folder has different."""
        path = self._folder / "yacht" / "web" / file
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new, 1))


@pytest.fixture(params=["", "/games/yacht"], ids=["root", "sub-path"])
def version(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Version]:
    flags = ("--base-path", request.param) if request.param else ()
    with Version(tmp_path, *flags) as version:
        yield version


@pytest.fixture
def visits(browser: Browser, version: Version) -> Iterator[Visits]:
    with visiting(browser, version) as visits:
        visits.tolerate("ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_REFUSED|ERR_FAILED")
        yield visits


def visited(visits: Visits, *names: str) -> Page:
    """A card begun at the first visit, once the worker has all that it keeps."""
    page = visits(path="score")
    set_up(page, *names)
    assert page.evaluate(INSTALLED) in {"activating", "activated"}
    return page


def check_it_works(page: Page) -> None:
    """Entering, values of dice and the coach, in both rulesets."""
    write(page, "Fours", "Ben", 8)
    page.get_by_role("button", name="Dice and coach").click()
    throw(page, "23455")
    page.locator("#lefts").get_by_role("button").first.click()
    page.get_by_role("button", name="Ask the coach").click()
    expect(page.locator("#slip-title")).to_have_text("Hold 2-3-4-5")
    page.get_by_role("button", name="Close the advice").click()
    page.get_by_role("button", name="Close", exact=True).click()
    page.get_by_role("link", name="All cards, and a new one").first.click()
    page.get_by_role("radio", name="Sum").check()
    page.get_by_role("button", name="Start the card").click()
    cell(page, "Four of a Kind", "Ana").click()
    throw(page, "44441")
    page.get_by_role("button", name="Score 17 in Four of a Kind").click()
    holds(page, "Four of a Kind", "Ana", "17")


def test_all_works_after_one_visit(visits: Visits, version: Version) -> None:
    """With the network off, and with the server gone, the page is there as it was left."""
    page = visited(visits, "Ana", "Ben")
    write(page, "Sixes", "Ana", 24)
    page.context.set_offline(True)
    page.reload()
    assert totals(page) == ["24", "0"]
    check_it_works(page)
    page.context.set_offline(False)
    version.kill()
    again = page.context.new_page()
    page.close()
    again.goto("score")
    holds(again, "Four of a Kind", "Ana", "17")
    assert again.evaluate("() => document.fonts.load('16px Besley').then((f) => f.length)")
    images = again.evaluate(
        """(hrefs) => Promise.all(hrefs.map((href) => fetch(href).then(({ ok }) => ok)))""",
        _icons(again),
    )
    assert images == [True] * 4


def _icons(page: Page) -> list[str]:
    """The icons that the manifest names, which is kept too."""
    manifest: dict[str, Any] = page.evaluate(
        """() => fetch(document.querySelector("link[rel=manifest]").href)
            .then((answer) => answer.json())"""
    )
    return [icon["src"] for icon in manifest["icons"]]


def test_nothing_else_is_kept(visits: Visits, version: Version) -> None:
    """Games, programs and other pages always come from the server; without it they aren't there."""
    page = visited(visits, "Ana")
    page.reload()
    answers = list[Response]()
    page.on("response", answers.append)
    for path in (".", "rules", "api/v1/openapi.json", "score/table/sum?v=0", "healthz"):
        page.goto(path)
    assert len(answers) >= 5
    own = [answer for answer in answers if "/static/" not in answer.url]
    assert not [answer.url for answer in own if answer.from_service_worker]
    [name] = page.evaluate("() => caches.keys()")
    base = version.address.partition(str(version.port))[2]
    assert name.startswith(f"yacht {base} ")
    kept: list[str] = page.evaluate(
        """(name) => caches.open(name).then((cache) => cache.keys())
            .then((keys) => keys.map(({ url }) => url.slice(location.origin.length)))""",
        name,
    )
    plain = {f"{base}score", f"{base}static/besley.woff2", f"{base}static/besley-ext.woff2"}
    assert plain == {path for path in kept if "?v=" not in path}
    allowed = (f"{base}static/", f"{base}score/table/", f"{base}manifest.webmanifest?")
    assert all(path.startswith(allowed) for path in kept if "?v=" in path)


def test_a_new_version_is_offered_and_never_forced(visits: Visits, version: Version) -> None:
    """Until somebody says so the old one goes on, through reloads and without a network too."""
    page = visited(visits, "Ana", "Ben")
    page.evaluate("() => caches.open('yacht /elsewhere/ 1')")
    page.evaluate("() => caches.open('other')")
    write(page, "Sixes", "Ana", 24)
    other = page.context.new_page()
    other.goto("score")
    version.stop()
    version.change("static/score.css", ".scoring {", ".scoring { --newer: 1;")
    version.change("templates/score.html", "Tap a box to fill it.", "Newer words.")
    flags = version.process.args[6:]  # pyright: ignore
    with Version(version._folder, *flags, port=version.port):
        page.reload()
        expect(page.get_by_text(OFFERED)).to_be_visible()
        assert not newer(page)
        write(page, "Fours", "Ben", 8)
        page.get_by_role("button", name="Later").click()
        expect(page.get_by_text(OFFERED)).to_be_hidden()
        page.context.set_offline(True)
        page.reload()
        assert not newer(page)
        page.context.set_offline(False)
        page.reload()
        expect(page.get_by_text(OFFERED)).to_be_visible()
        with page.expect_navigation():
            page.get_by_role("button", name="Use it now").click()
        expect(page.locator("#hint")).to_have_text("Newer words.")
        assert newer(page)
        assert totals(page) == ["24", "8"]
        expect(page.get_by_text(OFFERED)).to_be_hidden()
        expect(other.get_by_text(OFFERED)).to_be_visible()
        assert not newer(other)
        names: list[str] = page.evaluate("() => caches.keys()")
        assert len(names) == 3
        assert {"other", "yacht /elsewhere/ 1"} < set(names)
        page.context.set_offline(True)
        page.reload()
        assert newer(page)
        assert totals(page) == ["24", "8"]


def newer(page: Page) -> bool:
    """Whether the page has the style of the newer version, and its words."""
    style: str = page.evaluate(
        "() => getComputedStyle(document.body).getPropertyValue('--newer')"
    )
    words = page.locator("#hint").inner_text() == "Newer words."
    assert bool(style) == words
    return words
