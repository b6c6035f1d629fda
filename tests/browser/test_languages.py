"""Each language on all pages: nothing else is said, all of it has room, a choice keeps the game."""

from collections.abc import Iterator
from itertools import chain, islice

import httpx
import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.checks import WHOLE, small_targets, too_wide, violations
from tests.browser.conftest import PHONE, Friends, Visits, visiting
from tests.browser.hands import PRESSES_APART, SOLVED, hold, press, settled, sight, token_of
from tests.browser.table import Opening
from tests.browser.walks import LONG, States, Walk, alone, scoring, showing
from tests.marks import package_with, unmarked
from tests.serving import Served
from yacht.i18n import LANGUAGES

CODES = sorted(LANGUAGES.keys() - {"en"})
LONGEST = ("sk", "sv")
OTHERS = [code for code in CODES if code not in LONGEST]
SOAK = pytest.mark.soak
NARROW = ViewportSize(width=320, height=740)
PAGES = ("invite", "analysis?dice=11236&rolls=2", "record", "rules", "tips", "card")

# ---- nothing else is said --------------------------------------------------------------------

NAMES = (LONG, "Ana", "Ben", "Cleo", "Dan", "Eva", "Filip", "Gita")


@pytest.fixture(scope="module")
def marked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with a language more: texts in marks, six plural forms, from right to left."""
    package = package_with(tmp_path_factory.mktemp("package"), "ar")
    data = tmp_path_factory.mktemp("data")
    with Served(data, environ={"PYTHONPATH": str(package)}) as served:
        yield served


def _rolling(visits: Visits, table: Opening) -> States:
    return islice(alone(visits, table), 6)


@pytest.mark.parametrize("walk", [scoring, showing, _rolling])
def test_scripts_say_what_the_catalogue_has(browser: Browser, marked: Served, walk: Walk) -> None:
    """Where scripts write on the page, each text is whole and comes from the catalogue.

    What the server writes is looked at in tests/web/test_language.py.
    """
    with (
        httpx.Client(base_url=marked.address) as site,
        visiting(browser, marked, language="ar") as visits,
    ):
        found = [
            f"{state}: {left}"
            for state, page in walk(visits, Opening(site))
            for text in _texts(page)
            if (left := unmarked(text, NAMES))
        ]
    assert not found, "\n".join(found)


def _texts(page: Page) -> list[str]:
    """The title, all text, the labels and what is in fields, for eyes and for screen readers."""
    assert page.locator("html").get_attribute("dir") == "rtl"
    return page.evaluate(
        """() => {
            let text = "";
            const found = [document.title];
            const walker = document.createTreeWalker(
                document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
            for (let node; (node = walker.nextNode()); ) {
                if (node.nodeType === Node.TEXT_NODE) {
                    const around = node.parentElement;
                    const key = around.matches("kbd, code") && !around.textContent.includes("⟦");
                    const apart = around.closest("script, noscript, textarea, .languages");
                    if (!key && !apart) text += node.data;
                } else {
                    for (const name of ["aria-label", "placeholder", "title", "alt"])
                        found.push(node.getAttribute(name) ?? "");
                    if (node.matches("textarea") && node.checkVisibility()) found.push(node.value);
                }
            }
            return [...found, text];
        }"""
    )


# ---- all of it has room ----------------------------------------------------------------------


_CLOSELY = {
    *("rules", "tips", "card", "home", "held", "hint", "result"),
    *("set-up", "a card, with keys", "the coach", "history, with a question"),
}
_SLOW = ("color-contrast", "target-size")


@pytest.mark.parametrize("code", CODES)
def test_everything_fits_and_can_be_used(
    browser: Browser, served: Served, table: Opening, code: str
) -> None:
    """All pages and a whole game: nothing is too wide at 320 px.

    Where there is most to read or to hear, axe is clean; colours are the same in every language,
    and targets are measured more strictly.
    """
    with visiting(browser, served, language=code, size=NARROW) as visits:
        _check(chain(_pages(visits), _game(visits, table)), code)


@pytest.mark.parametrize("code", [*LONGEST, *(pytest.param(c, marks=SOAK) for c in OTHERS)])
def test_the_scorekeeper_fits_and_can_be_used(
    browser: Browser, served: Served, table: Opening, code: str
) -> None:
    """The same with cards of real dice; in the gate where words are longest."""
    with visiting(browser, served, language=code, size=NARROW) as visits:
        _check(scoring(visits, table), code)


def _check(states: States, code: str) -> None:
    found = list[str]()
    for state, page in states:
        assert page.locator("html").get_attribute("lang") == code
        if over := too_wide(page):
            found.append(f"{state}: {over} px too wide")
        if state in _CLOSELY:
            found += [f"{state}: {one}" for one in violations(page, WHOLE, leaving_out=_SLOW)]
            found += [f"{state}: small target: {one}" for one in small_targets(page)]
    assert not found, "\n".join(found)


def _pages(visits: Visits) -> States:
    page = visits()
    for path in PAGES:
        page.goto(path)
        yield path, page


def _game(visits: Visits, table: Opening) -> States:
    """From home to the result, with a hint and an undo; what is alike in between goes faster."""
    page = visits()
    yield "home", page
    page.locator("#new .primary").click()
    form = page.locator("#tray").get_attribute("action") or ""
    game = table.of(form.rpartition("/")[2], token_of(page))
    press(page, "roll")
    hold(page, 0, 3)
    yield "held", page
    page.locator("#hint").click()
    expect(page.locator("#slip")).to_be_visible(timeout=SOLVED)
    yield "hint", page
    page.locator("#slip .close").click()
    page.locator("[name=box]:enabled").first.check()
    yield "chosen", page
    press(page, "score")
    yield "scored", page
    press(page, "undo")
    yield "undone", page
    game.turns(11)
    settled(page, game.now.seq)
    press(page, "roll")
    page.locator("[name=box]:enabled").check()
    press(page, "score")
    expect(page.locator("#result")).to_be_visible()
    yield "result", page
    for path in ("log", "share", "review"):
        page.goto(f"{game.path}/{path}")
        yield path, page


_LINE = """() => {
    const extent = (element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        return range.getBoundingClientRect();
    };
    const name = document.querySelector(".turnline h1");
    const held = [...document.querySelectorAll(".held")].map(extent);
    const last = [...document.querySelectorAll(".card tbody tr")].at(-1);
    const tray = document.querySelector("#tray").getBoundingClientRect();
    return [
        name.scrollWidth - name.clientWidth,
        Math.min(...held.slice(1).map(({ left }, at) => left - held[at].right)),
        Math.max(last.getBoundingClientRect().bottom - tray.top, tray.bottom - innerHeight),
    ];
}"""


@pytest.mark.parametrize("code", LANGUAGES)
def test_words_have_room_on_a_small_phone(visits: Visits, table: Opening, code: str) -> None:
    """Beside the dice and on the card, however long the language's words.

    - Who is on turn is named whole, however long the name;
    - the words at held dice are a space apart;
    - a turn of three needs no scrolling on 360 × 740;
    - home's four ways in are seen at once there.
    """
    page = visits(table(LONG, "Ana", "Ben").roll(), language=code)
    hold(page, 0, 1, 2, 3)
    for size in PHONE, NARROW:
        page.set_viewport_size(size)
        cut, apart, hidden = page.evaluate(_LINE)
        assert cut <= 0, size
        assert apart >= 3, size
        assert hidden <= 1 or size == NARROW
    page.set_viewport_size(PHONE)
    page.goto("")
    expect(page.locator(".ways")).to_be_in_viewport(ratio=1)


# ---- a choice keeps the game -----------------------------------------------------------------


def test_the_menu_keeps_page_and_game(visits: Visits, table: Opening) -> None:
    """Another language, the same dice, holds and rolls left; and it stays chosen."""
    game = table("Ana")
    page = visits(game)
    press(page, "roll")
    hold(page, 1, 4)
    before = sight(page)
    page.get_by_role("button", name="Slovenčina").click()
    expect(page.locator("html")).to_have_attribute("lang", "sk")
    after = sight(page)
    assert page.url.endswith(game.path)
    assert (after.faces, after.held) == (before.faces, before.held)
    assert "Zostávajú 2 hody" in after.line
    page.wait_for_timeout(PRESSES_APART)
    press(page, "roll")
    assert [after.faces[at] for at in (1, 4)] == [sight(page).faces[at] for at in (1, 4)]
    page.goto("")
    expect(page.locator("html")).to_have_attribute("lang", "sk")


def test_each_friend_has_their_own(visits: Visits, room: Friends) -> None:
    """What happens in a room is told to each in their language, live too."""
    tables = room("Ana", "Ben")
    ana, ben = visits(tables[0], language="sv"), visits(tables[1], language="hr")
    expect(ben.locator("#ahead")).to_have_count(0)  # once somebody has rolled it would be late
    press(ana, "roll")
    expect(ana.locator(".turnline")).to_contain_text("2 kast kvar")
    expect(ben.locator(".turnline")).to_contain_text("Još 2 bacanja")
    expect(ben.locator(".turnline")).to_contain_text("Na potezu: Ana")
