"""The scorekeeper without a network, after one visit; and newer versions of it."""

import re
import signal
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Response, expect

from tests.browser.cards import cell, holds, set_up, throw, write
from tests.browser.conftest import Visits, visiting
from tests.browser.table import Opening
from tests.serving import Served
from tests.versions import Version, change, copy_in

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


SUB = "/play/yacht"


@contextmanager
def visiting_offline(browser: Browser, server: Served) -> Generator[Visits]:
    with visiting(browser, server, worker=True) as visits:
        visits.tolerate("ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_REFUSED|ERR_FAILED")
        yield visits


@pytest.fixture
def visits(browser: Browser, served: Served) -> Iterator[Visits]:
    with visiting_offline(browser, served) as visits:
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
    page.get_by_role("button", name="Start scoring").click()
    cell(page, "Four of a Kind", "Ana").click()
    throw(page, "44441")
    page.get_by_role("button", name="Score 17 in Four of a Kind").click()
    holds(page, "Four of a Kind", "Ana", "17")


@pytest.mark.parametrize("base", [pytest.param("", marks=pytest.mark.soak, id="root"), SUB])
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


def test_where_the_page_leads_without_a_network(visits: Visits) -> None:
    """Rules and tips by the card's rules are there; others say what is missing, and lead back."""
    page = visited(visits, "Ana")
    page.get_by_role("link", name="All cards, and a new one").first.click()
    page.get_by_role("radio", name="Sum").check()
    set_up(page, "Ana")
    page.context.set_offline(True)
    page.get_by_role("link", name="Rules").click()
    _is_the_leaflet(page, "The rules of Yacht")
    page.get_by_role("link", name="Tips").click()
    _is_the_leaflet(page, "Six tips for Yacht")
    page.get_by_role("link", name="Classic").first.click()
    _is_the_leaflet(page, "Six tips for Yacht", ruleset="Classic")
    page.get_by_role("link", name="Back to the card").first.click()
    page.get_by_role("link", name="Home").click()
    expect(page.get_by_role("heading", name="No network")).to_be_visible()
    page.get_by_role("link", name="Analysis").click()
    expect(page.get_by_role("heading", name="No network")).to_be_visible()
    page.get_by_role("button", name="Svenska").click()
    expect(page).to_have_url(re.compile("/language$"))
    expect(page.get_by_role("heading", name="No network")).to_be_visible()
    page.go_back()
    page.context.set_offline(False)
    page.reload()
    expect(page.get_by_role("link", name="Analysis")).to_be_visible()
    expect(page.get_by_role("heading", name="No network")).to_be_hidden()
    page.context.set_offline(True)
    page.reload()
    page.get_by_role("link", name="Keep score").click()
    expect(page.locator("#game")).to_be_visible()


def _is_the_leaflet(page: Page, title: str, ruleset: str = "Sum") -> None:
    expect(page.get_by_role("heading", name=title)).to_be_visible()
    expect(page.locator("[aria-current]").get_by_text(ruleset, exact=True)).to_be_visible()
    assert page.evaluate("() => document.fonts.check('16px Besley')")


def test_a_network_that_never_answers(browser: Browser, tmp_path: Path) -> None:
    """It is as if there were none: what is kept is there after a moment."""
    with Served(tmp_path) as server, visiting_offline(browser, server) as visits:
        page = visited(visits, "Ana")
        other = page.context.new_page()
        server.process.send_signal(signal.SIGSTOP)
        other.evaluate("(rules) => void window.open(rules, '_self')", f"{server.address}en/rules")
        page.reload()
        expect(page.locator("#game")).to_be_visible()
        expect(other.get_by_role("heading", name="The rules of Yacht")).to_be_visible()


def test_it_leads_to_pages_of_the_language_chosen_last(visits: Visits) -> None:
    """Once the page was seen in another language, so are those it leads to, and what says why."""
    page = visited(visits, "Ana")
    page.locator(".languages [value=sv]").click()
    expect(page.locator("html")).to_have_attribute("lang", "sv")
    page.wait_for_function("() => caches.match('/sv/tips?ruleset=sum&back=score')")
    page.context.set_offline(True)
    for path in ("sv/rules", "sv/tips", "analysis"):
        page.goto(path)
        expect(page.locator("html")).to_have_attribute("lang", "sv")


def test_a_shown_card_without_a_network(visits: Visits) -> None:
    """Its link is there to be given on, and the link's code too."""
    page = visited(visits, "Ana")
    page.get_by_role("button", name="Show live").click()
    code = page.get_by_role("img", name="The link as a QR code").locator("path")
    expect(code).to_be_visible()
    link = page.get_by_label("Link for watching").input_value()
    page.context.set_offline(True)
    page.reload()
    expect(code).to_be_visible()
    assert page.get_by_label("Link for watching").input_value() == link


WORKER = """
    const installing = new EventTarget();
    const update = async () => {};
    const registration = Object.assign(new EventTarget(), { installing, update, active: {} });
    navigator.serviceWorker.register = async () => registration;
    window.arrived = () => {
        registration.waiting = {};
        installing.dispatchEvent(new Event("statechange"));
    };
"""
"""A browser where a newer version was being installed before the page came, and then arrives."""


def test_a_version_that_arrives_after_the_page(visits: Visits) -> None:
    """It is offered at once, though its installation had begun before."""
    page = visits.browser().new_page()
    page.add_init_script(WORKER)
    page.goto("score")
    expect(page.locator("#set-up")).to_be_visible()
    expect(page.get_by_text(OFFERED)).to_be_hidden()
    page.evaluate("() => arrived()")
    expect(page.get_by_text(OFFERED)).to_be_visible()


def test_nothing_is_offered_that_would_cost_a_card(visits: Visits) -> None:
    """While a card is in the page alone, a newer version isn't offered, nor used if it was."""
    page = visits.browser().new_page()
    page.add_init_script(WORKER)
    page.goto("score")
    page.evaluate("() => arrived()")
    use = page.get_by_role("button", name="Use it now")
    expect(use).to_be_visible()
    begun = page.locator("#set-up").bounding_box()
    offer = page.locator("#update").bounding_box()
    assert begun
    assert offer
    assert offer["y"] + offer["height"] <= begun["y"]  # it lies over nothing
    page.evaluate(
        """() => (Storage.prototype.setItem = () => {
            throw new DOMException("full", "QuotaExceededError");
        })"""
    )
    set_up(page, "Ana")
    write(page, "Fours", "Ana", 12)
    use.click()
    expect(page.get_by_text(OFFERED)).to_be_hidden()
    page.evaluate("() => arrived()")
    expect(page.get_by_text(OFFERED)).to_be_hidden()
    expect(page.locator(".card .total")).to_have_text(["12"])


def test_a_browser_that_keeps_nothing(visits: Visits) -> None:
    """Where no worker may be, the page works as long as there is a network."""
    page = visits.browser().new_page()
    page.add_init_script(
        """navigator.serviceWorker.register = () =>
            Promise.reject(new DOMException("no", "SecurityError"))"""
    )
    page.goto("score")
    set_up(page, "Ana")
    write(page, "Fours", "Ana", 12)


def test_nothing_else_is_kept(visits: Visits, table: Opening) -> None:
    """Programs and streams are never answered by the worker; other pages are the network's."""
    page, game = visited(visits, "Ana"), table("Ana")
    page.reload()
    expect(page.locator("#game")).to_be_visible()
    answers = answers_of(page)
    for path, seen in ((".", "four"), ("rules", "The rules"), ("tips", "Six"), (game.path, "Ana")):
        page.goto(path)
        expect(page.locator("main")).to_contain_text(seen)
    with page.expect_response(lambda answer: "/live?" in answer.url):
        page.goto(game.path)
    for path in ("api/v1/openapi.json", "healthz"):
        page.evaluate("(path) => fetch(`/${path}`).then((answer) => answer.text())", path)
    own = [answer for answer in answers if not answer.request.is_navigation_request()]
    own = [answer for answer in own if "/static/" not in answer.url]
    assert len(own) >= 3
    assert not [answer.url for answer in own if answer.from_service_worker]
    with page.expect_download() as download:
        page.evaluate("(path) => location.assign(path)", f"/{game.path}/record")
    assert download.value.path().read_text().startswith("yacht 1")
    [name] = page.evaluate("() => caches.keys()")
    assert name.startswith("yacht / ")
    kept: list[str] = page.evaluate(
        """(name) => caches.open(name).then((cache) => cache.keys())
            .then((keys) => keys.map(({ url }) => url.slice(location.origin.length)))""",
        name,
    )
    plain = {"/score", "/static/besley.woff2", "/static/besley-ext.woff2"}
    linked = {f"/en/{one}?back=score" for one in ("rules", "tips")}
    linked |= {f"/en/{one}?ruleset=sum&back=score" for one in ("rules", "tips")}
    assert plain | linked | {"/en/offline"} == {path for path in kept if "?v=" not in path}
    allowed = ("/static/", "/score/table/", "/manifest.webmanifest?")
    assert all(path.startswith(allowed) for path in kept if "?v=" in path)


def test_a_new_version_is_offered_and_never_forced(browser: Browser, tmp_path: Path) -> None:
    """Until somebody says so the old one goes on, through reloads and without a network too.

    What is kept is in the language that was chosen last.
    """
    (copy_in(tmp_path) / "locale" / "sv.po").write_text(SWEDISH)
    with served(tmp_path) as version, visiting_offline(browser, version) as visits:
        _offered(visits, version, tmp_path)


def served(folder: Path, port: int = 0) -> Version:
    return Version(folder, "--base-path", SUB, port=port)


def _offered(visits: Visits, version: Version, folder: Path) -> None:
    page = visited(visits, "Ana", "Ben")
    page.evaluate("() => caches.open('yacht /elsewhere/ 1')")
    page.evaluate("() => caches.open('other')")
    write(page, "Sixes", "Ana", 24)
    other = page.context.new_page()
    other.goto("score")
    version.stop()
    change(folder, "web/offline.py", "{*named,", '{f"{base}/static/sheet.js?v=0", *named,')
    with served(folder, version.port) as mixed:
        page.reload()
        assert page.evaluate(UPDATED) == "redundant", "another server's file was taken"
        expect(page.get_by_text(OFFERED)).to_be_hidden()
        mixed.stop()
    change(folder, "web/offline.py", '{f"{base}/static/sheet.js?v=0", *named,', "{*named,")
    change(folder, "web/static/score.css", ".scoring {", ".scoring { --newer: 1;")
    change(folder, "web/templates/score.html", "Tap a box to fill it.", "Newer words.")
    with served(folder, version.port):
        page.reload()
        expect(page.get_by_text(OFFERED)).to_be_visible()
        assert not newer(page)
        write(page, "Fours", "Ben", 8)
        page.get_by_role("button", name="Later").click()
        expect(page.get_by_text(OFFERED)).to_be_hidden()
        _newer_for_another_language(page)
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


def _newer_for_another_language(page: Page) -> None:
    """A language that is asked for is there, though the newer version alone has it now."""
    page.locator(".languages [value=sv]").click()
    expect(page.locator("html")).to_have_attribute("lang", "sv")
    expect(page.locator("[data-box=ones] .label")).to_have_text("Ettor")
    assert newer(page)
    expect(page.locator(".card .total")).to_have_text(["24", "8"])
    page.locator(".languages [value=en]").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.locator(".card .total")).to_have_text(["24", "8"])
    assert not newer(page)


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
