"""The scorekeeper without a network, after one visit; and newer versions of it."""

import shutil
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Response, expect

import yacht
from tests.browser.cards import cell, holds, set_up, throw, write
from tests.browser.conftest import Visits, visiting
from tests.browser.table import Opening
from tests.serving import Served

INSTALLED = "() => navigator.serviceWorker.ready.then(({ active }) => active.state)"
SWEDISH = """
msgid ""
msgstr ""
"Language: sv\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

msgid "Ones"
msgstr "Ettor"
"""
"""A catalogue of one word."""
UPDATED = """async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    const { installing } = await registration.update();
    while (installing.state === "installing")
        await new Promise((go) => installing.addEventListener("statechange", go));
    return installing.state;
}"""
"""What becomes of the worker that the server has now."""
OFFERED = "A new version is ready."


class Version(Served):
    """A server of a copy of the program, whose files can be made those of a newer version."""

    def __init__(self, folder: Path, port: int = 0) -> None:
        self._folder = folder
        package = folder / "yacht"
        if not package.exists():
            shutil.copytree(Path(yacht.__file__).parent, package)
        locale = package / "locale"
        locale.mkdir(exist_ok=True)
        (locale / "sv.po").write_text(SWEDISH)
        start = "from yacht.cli import main; raise SystemExit(main())"
        self.program = (sys.executable, "-c", start)
        environ = {"PYTHONPATH": str(folder)}
        super().__init__(folder / "data", "--base-path", SUB, port=port, environ=environ)

    def newer(self) -> "Version":
        """The next version, where this one was."""
        return Version(self._folder, self.port)

    def change(self, file: str, old: str, new: str) -> None:
        """What the next server of this folder has different."""
        path = self._folder / "yacht" / file
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new, 1))


SUB = "/play/yacht"


@contextmanager
def visiting_offline(browser: Browser, server: Served) -> Generator[Visits]:
    with visiting(browser, server) as visits:
        visits.tolerate("ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_REFUSED|ERR_FAILED")
        yield visits


def visited(visits: Visits, *names: str) -> Page:
    """A card begun at the first visit, once the worker has all that it keeps."""
    page = visits(path="score")
    set_up(page, *names)
    assert page.evaluate(INSTALLED) in {"activating", "activated"}
    return page


def answers_of(page: Page) -> list[Response]:
    """All that the page gets from now on."""
    answers = list[Response]()

    def got(answer: Response) -> None:
        answers.append(answer)

    page.on("response", got)
    return answers


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


@pytest.mark.parametrize("base", ["", SUB], ids=["root", "sub-path"])
def test_all_works_after_one_visit(browser: Browser, tmp_path: Path, base: str) -> None:
    """With the network off, and with the server gone, the page is there as it was left."""
    with (
        Served(tmp_path, "--base-path", base) as server,
        visiting_offline(browser, server) as visits,
    ):
        _after_one_visit(visits, server)


def _after_one_visit(visits: Visits, server: Served) -> None:
    page = visited(visits, "Ana", "Ben")
    write(page, "Sixes", "Ana", 24)
    page.context.set_offline(True)
    answers = answers_of(page)
    page.reload()
    expect(page.locator(".card .total")).to_have_text(["24", "0"])
    check_it_works(page)
    assert len(answers) > 12
    assert not [answer.url for answer in answers if not answer.from_service_worker]
    page.context.set_offline(False)
    server.kill()
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


def test_nothing_else_is_kept(visits: Visits, table: Opening) -> None:
    """Games, programs, streams and other pages are never answered by the worker."""
    page = visited(visits, "Ana")
    page.reload()
    expect(page.locator("#game")).to_be_visible()
    answers = answers_of(page)
    for path in (".", "rules", table("Ana").path):
        page.goto(path)
    for path in ("api/v1/openapi.json", "healthz"):
        page.evaluate("(path) => fetch(`/${path}`).then((answer) => answer.text())", path)
    own = [answer for answer in answers if "/static/" not in answer.url]
    assert len(own) >= 5
    assert not [answer.url for answer in own if answer.from_service_worker]
    [name] = page.evaluate("() => caches.keys()")
    assert name.startswith("yacht / ")
    kept: list[str] = page.evaluate(
        """(name) => caches.open(name).then((cache) => cache.keys())
            .then((keys) => keys.map(({ url }) => url.slice(location.origin.length)))""",
        name,
    )
    plain = {"/score", "/static/besley.woff2", "/static/besley-ext.woff2"}
    assert plain == {path for path in kept if "?v=" not in path}
    allowed = ("/static/", "/score/table/", "/manifest.webmanifest?")
    assert all(path.startswith(allowed) for path in kept if "?v=" in path)


def test_a_new_version_is_offered_and_never_forced(browser: Browser, tmp_path: Path) -> None:
    """Until somebody says so the old one goes on, through reloads and without a network too.

    What is kept is in the language that was chosen last.
    """
    with Version(tmp_path) as version, visiting_offline(browser, version) as visits:
        _offered(visits, version)


def _offered(visits: Visits, version: Version) -> None:
    page = visited(visits, "Ana", "Ben")
    page.evaluate("() => caches.open('yacht /elsewhere/ 1')")
    page.evaluate("() => caches.open('other')")
    write(page, "Sixes", "Ana", 24)
    other = page.context.new_page()
    other.goto("score")
    version.stop()
    version.change("web/offline.py", "{*named,", '{f"{base}/static/sheet.js?v=0", *named,')
    with version.newer() as mixed:
        page.reload()
        assert page.evaluate(UPDATED) == "redundant", "another server's file was taken"
        expect(page.get_by_text(OFFERED)).to_be_hidden()
        mixed.stop()
    version.change("web/offline.py", '{f"{base}/static/sheet.js?v=0", *named,', "{*named,")
    version.change("web/static/score.css", ".scoring {", ".scoring { --newer: 1;")
    version.change("web/templates/score.html", "Tap a box to fill it.", "Newer words.")
    with version.newer():
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
        expect(page.locator(".card .total")).to_have_text(["24", "8"])
        expect(page.get_by_text(OFFERED)).to_be_hidden()
        expect(other.get_by_text(OFFERED)).to_be_visible()
        assert not newer(other)
        names: list[str] = page.evaluate("() => caches.keys()")
        assert len(names) == 3
        assert {"other", "yacht /elsewhere/ 1"} < set(names)
        page.context.set_offline(True)
        page.reload()
        assert newer(page)
        expect(page.locator(".card .total")).to_have_text(["24", "8"])
        _in_another_language(page)


def _in_another_language(page: Page) -> None:
    """The page that is kept changes with the language, once there is a network."""
    page.locator(".languages [value=sv]").click()
    expect(page.get_by_role("alert")).to_contain_text("once there is a connection")
    page.context.set_offline(False)
    page.locator(".languages [value=sv]").click()
    expect(page.locator("html")).to_have_attribute("lang", "sv")
    page.context.set_offline(True)
    page.reload()
    expect(page.locator("[data-box=ones] .label")).to_have_text("Ettor")
    expect(page.locator(".card .total")).to_have_text(["24", "8"])


def newer(page: Page) -> bool:
    """Whether the page has the style of the newer version, and its words."""
    style: str = page.evaluate("() => getComputedStyle(document.body).getPropertyValue('--newer')")
    words = page.locator("#hint").inner_text() == "Newer words."
    assert bool(style) == words
    return words
