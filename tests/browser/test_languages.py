"""Whole games in each language: nothing is left in English, too wide, or changed by the choice."""

import re
from collections.abc import Iterator
from string import Formatter

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.checks import WHOLE, too_wide, violations
from tests.browser.conftest import Friends, Visits
from tests.browser.hands import PRESSES_APART, hold, press, sight
from tests.browser.table import Opening
from tools.messages import template
from yacht.i18n import LANGUAGES, Language

CODES = sorted(LANGUAGES.keys() - {"en"})
NARROW = ViewportSize(width=320, height=568)
PAGES = ("", "invite", "score", "analysis?dice=11236&rolls=2", "record", "rules", "tips", "card")


class English:
    """Finds what should be in another language: a whole text that is an English message."""

    def __init__(self, language: Language) -> None:
        self._known = set[str]()
        ids = [one for message in template() for one in _forms(message.id)]
        own = {language.gettext(text) for text in ids}
        foreign = [
            text
            for text in ids
            if text not in own and len(re.findall("[A-Za-z]", _fixed(text))) > 5
        ]
        self._plain = {text for text in foreign if "{" not in text}
        self._filled = [_pattern(text) for text in foreign if "{" in text]

    def within(self, page: Page) -> Iterator[str]:
        """Every such text of a page that wasn't looked at before."""
        new = _texts(page) - self._known
        self._known |= new
        for text in new:
            if text in self._plain or any(filled.fullmatch(text) for filled in self._filled):
                yield text


def _forms(message: object) -> list[str]:
    return [message] if isinstance(message, str) else list(message)  # type: ignore[call-overload]


def _fixed(text: str) -> str:
    return " ".join(fixed for fixed, *_ in Formatter().parse(text))


def _pattern(text: str) -> re.Pattern[str]:
    parts = (
        re.escape(fixed) + (".+" if name else "") for fixed, name, *_ in Formatter().parse(text)
    )
    return re.compile("".join(parts))


def _texts(page: Page) -> set[str]:
    """Every text of a page, also those that only a screen reader says."""
    found: list[str] = page.evaluate(
        """() => {
            const texts = [document.title], walker = document.createTreeWalker(
                document.documentElement, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
            for (let node; (node = walker.nextNode()); ) {
                if (node.nodeType === Node.TEXT_NODE) {
                    if (!node.parentElement.closest("script, .languages")) texts.push(node.data);
                } else for (const name of ["aria-label", "placeholder", "title"])
                    texts.push(node.getAttribute(name) ?? "");
            }
            return texts.map((text) => text.replace(/\\s+/g, " ").trim()).filter(Boolean);
        }"""
    )
    return set(found)


@pytest.mark.parametrize("code", CODES)
def test_a_whole_game(visits: Visits, code: str) -> None:
    """From home to the result, with a hint and an undo, on the narrowest phone."""
    page, english = visits(language=code, size=NARROW), English(LANGUAGES[code])
    found = list[str]()

    def look(where: str, *, closely: bool = False) -> None:
        assert page.locator("html").get_attribute("lang") == code
        found.extend(f"{where}: {text}" for text in english.within(page))
        if over := too_wide(page):
            found.append(f"{where}: {over} px too wide")
        if closely:
            found.extend(f"{where}: {one}" for one in violations(page, WHOLE))

    for path in PAGES:
        page.goto(path)
        look(path)
    page.goto("")
    look("home", closely=True)
    page.locator("section.new form button.primary").click()
    for turn in range(12):
        press(page, "roll")
        if turn == 1:
            hold(page, 0, 3)
            page.locator("#hint").click()
            expect(page.locator("#slip")).to_be_visible()
            look("hint", closely=True)
            page.locator("#slip .close").click()
        look(f"turn {turn}, rolled", closely=turn == 0)
        page.locator("[name=box]:enabled").first.check()
        look(f"turn {turn}, chosen")
        press(page, "score")
        look(f"turn {turn}, scored")
        if turn == 2:
            press(page, "undo")
            look("undone")
            page.locator("[name=box]:enabled").first.check()
            press(page, "score")
        page.wait_for_timeout(PRESSES_APART if turn == 0 else 0)
    expect(page.locator("#result")).to_be_visible()
    look("result", closely=True)
    room = page.url
    for path in ("log", "share", "review"):
        page.goto(f"{room}/{path}")
        look(path)
    assert not found, "\n".join(found)


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
    press(ana, "roll")
    expect(ana.locator(".turnline")).to_contain_text("2 kast kvar")
    expect(ben.locator(".turnline")).to_contain_text("Još 2 bacanja")
    expect(ben.locator(".turnline")).to_contain_text("Na potezu: Ana")
