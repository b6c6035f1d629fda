"""Every text that a person can meet goes through the language: none is written into the pages."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from gettext import NullTranslations
from pathlib import Path
from secrets import token_urlsafe
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from markupsafe import Markup

from tests.marks import OPEN, marked, unmarked
from tests.web.plain import Broken, Element, Site, Visitor, parse
from tools.messages import forms, template
from yacht import i18n, refusals, words
from yacht.engine.reasons import IllegalMove, Reason
from yacht.i18n import ENGLISH, Language
from yacht.rooms.store import Unavailable
from yacht.web.faults import STATUS
from yacht.web.rendering import STATIC

ANA, BEN = "Änä", "Бен"
NAMES = (ANA, BEN)


class _Marks(NullTranslations):
    """A catalogue that has all that ``make messages`` finds, and nothing else."""

    _known = frozenset(one for message in template() for one in forms(message.id))

    def gettext(self, message: str) -> str:
        return marked(message) if message in self._known else message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


class Marked(Language):
    """A language whose every text says where it begins and ends.

    ``bare`` collects what was put into a text without being one; what a person typed may be.
    """

    def __init__(self) -> None:
        super().__init__("en")
        self.bare: set[str] = set()

    @cached_property
    def _translations(self) -> NullTranslations:
        return _Marks()

    def __call__(self, message: str, /, **values: object) -> str:
        return super().__call__(message, **self._noted(values))

    def plural(self, one: str, many: str, n: int, /, **values: object) -> str:
        return super().plural(one, many, n, **self._noted(values))

    def html(self, message: str, /, **values: object) -> Markup:
        return super().html(message, **self._noted(values))

    def date(self, at: float) -> str:
        return marked(super().date(at))

    def days(self) -> list[str]:
        return [*map(marked, super().days())]

    def moment(self, at: float) -> str:
        return marked(super().moment(at))

    def _noted(self, values: Mapping[str, object]) -> Mapping[str, object]:
        for name, value in values.items():
            text = "".join(parse(value).raw) if isinstance(value, Markup) else str(value)
            if name not in {"value", "right", "category"} and unmarked(text, NAMES):
                self.bare.add(f"{name}: {text}")
        return values


# What a page holds beside text: names of controls and files, numbers, dice, hexadecimal digits.
_MACHINE = {
    *("id", "hreflang", "class", "name", "type", "href", "src", "rel", "as", "action", "method"),
    *("enctype", "for", "form", "role", "scope", "lang", "dir", "charset", "http-equiv"),
    *("autocomplete", "accept", "aria-hidden", "aria-current", "aria-labelledby", "aria-disabled"),
    *("aria-describedby", "viewbox", "width", "height", "d", "fill", "stroke", "stroke-width"),
    *("stroke-linecap", "opacity", "offset", "stop-color", "x", "y", "x1", "x2", "y1", "y2", "cx"),
    *("cy", "r", "rx", "points", "maxlength", "rows", "tabindex", "spellcheck", "inputmode"),
    *("enterkeyhint", "disabled", "checked", "datetime", "selected", "hidden", "open", "readonly"),
    *("defer", "crossorigin", "media", "data-seq", "data-last", "data-roll", "data-face"),
    *("data-open", "data-live", "data-acting", "data-phase", "data-around", "data-print"),
    *("data-due", "data-bytes", "data-copy", "data-worker", "data-scope", "data-address"),
    *("data-said", "data-kept", "data-box", "data-move", "data-leave", "autofocus"),
    *("preserveaspectratio", "aria-pressed"),
}


def texts(element: Element) -> Iterator[str]:
    """What a page shows as text: all but keycaps of one sign, hexadecimal digits and records."""
    for child in element.children:
        if isinstance(child, str):
            yield child
        elif child.tag == "button" and "lang" in child:
            yield " "  # a language's name for itself
        elif (child.tag == "kbd" and len(child.text) == 1) or (
            child.tag == "code" and re.fullmatch("[0-9a-f]{64}", child.text)
        ):
            yield " "
        elif child.fits("[type=application/json]"):
            yield from strings(json.loads(child.text)) if child["id"] == "texts" else " "
        elif child.tag == "textarea":
            assert re.fullmatch("\ufffd?", child.text) or "fingerprint: " in child.text, child
        else:
            yield from texts(child)


def strings(told: Any) -> Iterator[str]:
    """The texts that a page gives its script, at any depth; their keys aren't shown."""
    if isinstance(told, str):
        yield told
    else:
        inner: list[Any] = [*(told.values() if isinstance(told, dict) else told)]
        for one in inner:
            yield from strings(one)


def problems(page: Element) -> Iterator[str]:
    """Every text and attribute of a page that isn't marked."""
    if left := unmarked("".join(texts(page)), NAMES):
        yield f"text: {left}"
    for element in page.within:
        for name, value in element.attributes.items():
            if name in _MACHINE or (element.tag == "meta" and name == "content"):
                continue
            if name == "value" and element.tag in {"button", "input", "li", "option"}:
                typed = element.attributes.get("type", "text") == "text" and element.tag == "input"
                address = re.match(r"http://(yacht\.test|localhost)/|$", value)
                if not typed or address or value in NAMES:
                    continue
            if left := unmarked(value, NAMES):
                yield f"{name} of <{element.tag}>: {left}"


# ---- every page and state ---------------------------------------------------------------------


Met = Iterator[tuple[str, httpx.Response]]


@dataclass
class Table:
    """A game, its player and a watcher."""

    ana: Visitor
    ben: Visitor
    room: str

    def now(self, what: str) -> Met:
        """The state of the game, as both see it."""
        yield what, self.ana.get(f"/g/{self.room}")
        yield f"{what}, watched", self.ben.get(f"/g/{self.room}")
        yield f"{what}, rules", self.ben.get(f"/en/rules?back={self.room}")

    def refused(self, **fields: str | Sequence[str]) -> Met:
        """A move that the rules refuse, posted at the right number."""
        seq = self.ana.get(f"/api/v1/games/{self.room}").json()["seq"]
        answer = self.ana.post(f"/g/{self.room}", data={"seq": str(seq), **fields})
        assert answer.status_code == 422, fields
        yield f"refused {fields}", answer

    def asides(self) -> Met:
        """The pages beside the game, and what they refuse."""
        for page in ("share", "delete", "log", "here/x", "review"):
            yield page, self.ana.get(f"/g/{self.room}/{page}")
            yield f"{page}, watched", self.ben.get(f"/g/{self.room}/{page}")
        late = {"seq": "1", "do": "undo"}
        yield "stale", self.ana.post(f"/g/{self.room}", data=late)
        yield "not yours", self.ben.post(f"/g/{self.room}", data=late)
        yield "not over", self.ana.post(f"/g/{self.room}/again")
        yield "wrong link", self.ben.post(f"/g/{self.room}/here/x")
        yield "not yours to delete", self.ben.post(f"/g/{self.room}/delete")


def _running(site: Site, *names: str) -> Met:
    """A turn with all that can be done and refused in it."""
    ana = site.visitor()
    table = Table(ana, site.visitor(), ana.start(*names))
    yield from table.now("opened")
    yield from table.refused(do="score", box="ones")
    yield from table.refused(do="roll", keep="1")
    yield from table.refused(do="undo")
    yield from table.refused(do="roll", salt=["7"] * 3)
    yield from table.refused(do="roll", salt=["7" * 33] * len(names))
    ana.roll()
    yield from table.now("rolled")
    yield from table.refused(do="roll", keep=["0", "1", "2", "3", "4"])
    yield from table.refused(do="roll", keep="7")
    yield from table.refused(do="score")
    yield from table.refused(do="score", box="7")
    ana.roll(0, 2)
    yield from table.now("held")
    ana.roll()
    yield from table.now("no rolls left")
    ana.press(ana.page.one("#hint"))
    yield "hint", ana.answer
    yield from table.now("hinted")
    yield from table.refused(do="roll")
    ana.score("choice")
    yield from table.now("scored")
    ana.undo()
    yield from table.now("undone")
    ana.score("choice")
    yield from table.asides()
    for _ in names:
        ana.roll()
        if len(names) == 1:
            yield from table.refused(do="score", box="choice")
        ana.score("ones")


def _many(site: Site) -> Met:
    """More players than a narrow page has room for, and the record of a running game."""
    ana = site.visitor()
    table = Table(ana, site.visitor(), ana.start(ANA, BEN, ANA, BEN, ANA))
    ana.roll()
    yield from table.now("five players")
    text = ana.get(f"/g/{table.room}/record").text
    yield "running record", ana.post("/record", data={"text": text})


def _computers(site: Site) -> Met:
    """Computers at the table: asked for, refused, on turn before and after their first roll."""
    ana = site.visitor()
    for levels in (["easy", ""], ["house", "easy"]):
        data = {"name": [ANA, BEN], "computer": levels[:1] * 2 if "" in levels else levels}
        yield f"refused {levels}", ana.post("/games", data=data)
    table = Table(ana, site.visitor(), ana.start(ANA, BEN, computers=["", "steady"]))
    ana.roll()
    ana.score("choice")
    yield from table.now("computer on turn")
    yield from table.refused(do="roll")
    for _ in range(3):
        room = site.run(site.host.room(table.room))
        if room.computer:
            site.run(site.host.step(table.room, room.seq))
            yield from table.now("computer rolled")
    yield "home with a computer", ana.get("/")
    for n in (1, 2):
        ana.start(ANA, computers=["", *["easy"] * n])
        yield f"{n} unnamed", ana.answer


def _friends(site: Site) -> Met:
    """An invitation, the lobby as each sees it, and a game of friends begun and over."""
    ana, ben, cleo = (site.visitor() for _ in range(3))
    yield "invitation", ana.get("/invite")
    seats = {"name": ANA, "places": "3", "clock": "86400", "hints": "1", "ruleset": "sum"}
    yield "invitation refused", ana.post("/rooms", data={**seats, "name": "7" * 25})
    ana.open("/invite")
    ana.press(ana.page.one("main form .primary"), **seats)
    room = ana.room
    yield "lobby, alone", ana.get(f"/g/{room}", headers={"Host": "localhost"})
    yield "lobby, to sit down", ben.get(f"/g/{room}")
    yield "lobby, a name refused", ben.post(f"/g/{room}", data={"do": "join", "name": "7" * 25})
    ben.post(f"/g/{room}", data={"do": "join", "name": BEN})
    ana.press(ana.open(f"/g/{room}").one("#add"), level="steady")
    for who, visitor in ("host", ana), ("guest", ben), ("stranger", cleo):
        yield f"lobby, full, {who}", visitor.get(f"/g/{room}")
    ana.press(ana.page.one("#start"))
    for who, visitor in ("host", ana), ("guest", ben), ("stranger", cleo):
        yield f"friends, {who}", visitor.get(f"/g/{room}")
        yield f"friends, share, {who}", visitor.get(f"/g/{room}/share")


def _over(site: Site, *names: str) -> Met:
    """A finished game, the one after it, and its record whole and spoilt."""
    ana = site.visitor()
    ana.start(*names)
    room = site.game(ana.viewer, *names, scores=12 * len(names))
    table = Table(ana, site.visitor(), room)
    yield from table.now("over")
    yield "review", ana.get(f"/g/{room}/review")
    yield from table.refused(do="roll")
    ana.post(f"/g/{room}/again")
    yield from table.now("played again")
    yield "home", ana.get("/")
    record = ana.get(f"/g/{room}/record").text
    spoilt = [
        record,
        re.sub("seed: .*\n", "", record),
        re.sub("seed: .*", f"seed: {'0' * 64}", record),
        re.sub(r"1\.1 (\d{4})\d ones=\d", r"1.1 \g<1>6 choice=6", record),
        *(
            record.replace(old, new, 1)
            for old, new in (
                *(("yacht", "x"), ("ruleset", "x"), ("seat 1", "seat 3"), ("1.1 ", "1.2 ")),
                *(("=", "=99"), ("classic", "x"), ("fingerprint: ", "fingerprint: 00")),
                *((" yacht=", " ?="), (" yacht=", " ones="), ("12.1", "12.1 11111 11111 11111")),
            )
        ),
    ]
    for text in spoilt:
        yield "record", ana.post("/record", data={"text": text})
        yield "record reviewed", ana.post("/record/review", data={"text": text})
    yield "binary record", ana.post("/record", files={"file": ("x", b"\xff")})


def _tie(site: Site) -> Met:
    """A game that two have won, as a record."""
    keys = list(words.BOXES)
    points = (1, 0, 0, 0, 0, 24, 0, 24, 0, 0, 25, 0)
    turns = [
        f"{turn}.{seat} 16666 {key}={given}"
        for turn, (key, given) in enumerate(zip(keys, points, strict=True), 1)
        for seat in (1, 2)
    ]
    head = ["yacht 1", "ruleset: classic", f"fingerprint: {'0' * 64}"]
    names = [f'seat {seat}: "{name}"' for seat, name in enumerate(NAMES, 1)]
    text = "\n".join([*head, *names, "", *turns])
    yield "tie", site.visitor().post("/record", data={"text": text})


def _sheets(site: Site) -> Met:
    """Scorecards of real dice that are watched: begun, over and gone; and what is refused."""
    ana, full = site.visitor(), dict.fromkeys(words.BOXES, 0) | {"choice": 20}
    for what, boxes in ("begun", {"ones": 0}), ("over", full):
        for names in NAMES[:1], NAMES:
            players = [{"name": name, "boxes": boxes} for name in names]
            state = {"number": 1, "sheet": {"ruleset": "sum", "players": players}}
            ana.client.headers["Authorization"] = f"Bearer {token_urlsafe(32)}"
            begun = ana.post("/score/live", json=state).json()
            yield f"sheet {what}", ana.get(begun["link"].removeprefix(site.origin))
    ana.client.headers["Authorization"] = f"Bearer {token_urlsafe(32)}"
    yield "json no sheet", ana.send("DELETE", "/score/live")
    yield "json bad sheet", ana.post("/score/live", json={})
    yield "no sheet", ana.get("/s/nothing")


ANALYSES = (
    *("", "?dice=23455&rolls=1", "?dice=44441&rolls=0&ruleset=sum", "?dice=66661&rolls=0"),
    *("?dice=11236&rolls=0", "?dice=11134&rolls=0&filled=choice:20,four_of_a_kind"),
    *("?dice=11236&rolls=0&filled=ones,twos,threes,choice", "?dice=11122&rolls=2"),
    "?dice=12346&rolls=0&filled=ones,twos,threes,fours,fives,sixes,full_house,four_of_a_kind,choice",
    "?dice=66123&rolls=2&filled=full_house,four_of_a_kind,choice,yacht,ones&target=99",
    *("?dice=7&rolls=2", "?dice=12246&rolls=3", "?dice=12246&rolls=1&filled=ones:7"),
    *("?dice=12246&rolls=1&filled=ones,ones", "?dice=12246&rolls=1&target=1.5"),
    "?dice=12246&rolls=1&target=200",
)
"""Every kind of reason, tip and refusal."""


def _others(site: Site) -> Met:
    """Home, records, rules and errors."""
    ana = site.visitor()
    yield "empty home", ana.get("/")
    for names, ruleset in (["7" * 25], "classic"), ([ANA], "house"), (["7"] * 9, "sum"):
        data = {"name": names, "ruleset": ruleset}
        yield f"refused {ruleset}", ana.post("/games", data=data)
    ana.start("")
    for _ in range(22):
        site.finished(ana.viewer, **{ANA: 100, BEN: 120})
    site.finished(ana.viewer, **{ANA: 130})
    yield "full home", ana.get("/")
    yield "all of home", ana.get(f"/?all=1&who={quote(BEN)}")
    yield "record form", ana.get("/record")
    yield "scorekeeper", ana.get("/score")
    yield "offline", ana.get("/en/offline")
    room = ana.start(ANA, ruleset="sum")
    for page in ("rules", "tips", "card"):
        for query in ("", "?ruleset=sum", f"?back={room}", f"?ruleset=classic&back={room}"):
            yield f"{page}{query}", ana.get(f"/en/{page}{query}")
    for query in ANALYSES:
        yield f"analysis{query}", ana.get(f"/analysis{query}")
    yield "400", ana.post("/games", files={"name": (None, b"\xff")})
    yield "403", ana.post("/games", headers={"Origin": "http://evil.test"})
    yield "404", ana.get("/nothing")
    yield "405", ana.send("PUT", "/")
    yield "413", ana.post("/record", data={"text": "x" * 70_000})
    yield "415", ana.post("/games", json={})
    yield "no game", ana.get("/g/nothing")
    for status in ("400", "403", "404", "405", "413", "415"):
        yield f"json {status}", _json_error(ana, status)


def _json_error(ana: Visitor, status: str) -> httpx.Response:
    games, json_type = "/api/v1/games", {"Content-Type": "application/json"}
    match status:
        case "400":
            return ana.post(games, json={})
        case "403":
            return ana.post(games, headers={"Origin": "http://evil.test"})
        case "404":
            return ana.get("/api/v1/nothing")
        case "405":
            return ana.send("PUT", games)
        case "413":
            return ana.post(games, content=b"x" * 70_000, headers=json_type)
        case _:
            return ana.post(games)


@pytest.fixture(scope="module")
def met(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, httpx.Response]:
    """Everything that a person can meet, by what it is, in the marked language."""
    found: list[tuple[str, httpx.Response]] = []
    language = Marked()
    with Site(tmp_path_factory.mktemp("marked"), language=language) as site:
        for names in ([ANA], [ANA, BEN]):
            found += [*_running(site, *names), *_over(site, *names)]
        found += [*_many(site), *_computers(site), *_friends(site), *_others(site)]
        found += [*_tie(site), *_sheets(site)]
    assert not language.bare
    for fault in (RuntimeError("x"), Unavailable("x")):
        data = tmp_path_factory.mktemp("broken")
        with Site(data, language=Marked(), store=Broken(fault)) as site:
            found += [
                (f"{fault!r}", site.visitor().get(f"/g/{'x' * 16}")),
                (f"json {fault!r}", site.visitor().get(f"/api/v1/games/{'x' * 16}")),
            ]
    return {f"{place} {what}": answer for place, (what, answer) in enumerate(found)}


@pytest.fixture(scope="module")
def pages(met: Mapping[str, httpx.Response]) -> Mapping[str, Element]:
    return {w: parse(a.text) for w, a in met.items() if "html" in a.headers["content-type"]}


def test_no_text_is_written_into_the_pages(pages: Mapping[str, Element]) -> None:
    """On every page and in every state, all texts, labels, titles and hints are the language's."""
    assert len(pages) > 90
    found = {(problem, what) for what, page in pages.items() for problem in problems(page)}
    assert not found, sorted(found)


def test_no_text_is_written_into_json_errors(met: Mapping[str, httpx.Response]) -> None:
    """The sentence of every JSON error is the language's; key and detail are for programs."""
    errors = [a.json()["error"] for what, a in met.items() if "json" in what]
    assert len(errors) == 10
    for error in errors:
        assert unmarked(error["message"], NAMES) == ""
        assert error["message"].startswith(OPEN)


def test_statuses_are_met(met: Mapping[str, httpx.Response]) -> None:
    """All statuses with a message of their own are among what was looked at."""
    statuses = {answer.status_code for answer in met.values()}
    assert {200, 400, 403, 404, 405, 409, 413, 415, 422, 500, 503} <= statuses


def test_refusals_are_met(pages: Mapping[str, Element]) -> None:
    """Pages with a notice and records with a verdict are among what was looked at."""
    for kind, enough in ((".notice", 12), (".verdict", 10)):
        assert len({told.text for page in pages.values() for told in page.all(kind)}) > enough


VALUES: Mapping[str, object] = {
    "value": 7,
    "dice": 5,
    "faces": 6,
    "most": 8,
    "category": "ones",
    "position": 2,
    "rolls": 3,
    "seat": 1,
    "right": "1.1",
    "turn": 2,
    "roll": 3,
    "thrown": 11111,
    "seats": 2,
    "name": "Ana",
}


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_has_a_sentence(reason: Reason) -> None:
    """Whatever is refused is told in the language, with its line and all values filled in."""
    for values in (VALUES, {**VALUES, "line": 4}):
        told = refusals.reason(IllegalMove(reason, **values), Marked())
        assert unmarked(told, NAMES) == ""
        assert told.startswith(OPEN)
        assert "{" not in told
    assert STATUS.get(reason, 422) in {403, 404, 409, 422, 500}


def test_the_script_has_no_words() -> None:
    """The pages' scripts and styles show only what the page gives them."""
    scripts = [file for file in STATIC.glob("*.js") if file.name != "idiomorph.js"]
    script = "\n".join(file.read_text() for file in scripts)
    code = re.sub(r"/\*.*?\*/|(?<![:\"'])//[^\n]*", "", script, flags=re.DOTALL)
    for literal in re.findall(r'"([^"\n]*)"|`([^`]*)`', code):
        text = "".join(literal)
        assert not re.search(r"\b[A-Z][a-z]+ [a-z]{2,} ", text), text
    assert not re.search(r"(textContent|innerText|title|ariaLabel)\s*=\s*[\"'`]\w", code)
    style = "".join(file.read_text() for file in STATIC.glob("*.css"))
    for content in re.findall(r"content:\s*([^;}]*)", style):
        shown = re.sub(r"\\[0-9a-f]+", "", content)  # a sign by its number, such as a space
        assert not re.search(r"[\"'][^\"']*[A-Za-z]", shown), content


# ---- the language itself ----------------------------------------------------------------------


BACKWARDS = """
msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

msgid "Turn: {name}"
msgstr ":nruT {name}"

msgid "{n} point"
msgid_plural "{n} points"
msgstr[0] "{n} tniop"
msgstr[1] "{n} stniop"

msgid "<a {x} {y}"
msgstr "a< {x} {y}"
"""


@pytest.fixture
def backwards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Language:
    """A language whose catalogue has every word spelt backwards."""
    (tmp_path / "xx.po").write_text(BACKWARDS)
    monkeypatch.setattr(i18n, "LOCALE", tmp_path)
    return Language("xx")


def test_messages_are_translated_then_filled(backwards: Language) -> None:
    """A catalogue's text gets the values; values aren't looked into; what it lacks is English."""
    assert backwards("Turn: {name}", name="{x}") == ":nruT {x}"
    assert backwards.plural("{n} point", "{n} points", 1) == "1 tniop"
    assert backwards.plural("{n} point", "{n} points", 2) == "2 stniop"
    assert backwards("Roll") == "Roll"


def test_markup_is_escaped_but_for_values_that_are(backwards: Language) -> None:
    """In ``html`` neither a catalogue nor a plain value can bring markup; markup stays."""
    told = backwards.html("<a {x} {y}", x="<b>", y=Markup("<i>"))
    assert told == "a&lt; &lt;b&gt; <i>"


@pytest.mark.parametrize(
    ("code", "number", "day"),
    [
        ("en", "1,234.5", "Nov 30, 2026"),
        ("sv", "1\xa0234,5", "30 nov. 2026"),
        ("hr", "1.234,5", "30. stu 2026."),
        ("id", "1.234,5", "30 Nov 2026"),
        ("xx", "1,234.5", "Nov 30, 2026"),
    ],
)
def test_numbers_and_days(code: str, number: str, day: str) -> None:
    """Numbers have at most one decimal; days are those where the server is."""
    language = Language(code)
    assert language.number(1234.54) == number
    assert language.number(12) == "12"
    assert language.date(datetime(2026, 11, 30, 23, 59).astimezone().timestamp()) == day
    assert language.code == code


def test_english_needs_no_catalogue() -> None:
    """English is the language of the messages themselves."""
    messages: Sequence[str] = [*refusals.REASONS.values(), *words.BOXES.values()]
    filled = {**VALUES, "box": "Ones", "sentence": "x"}
    for message in messages:
        assert ENGLISH(message, **filled) == message.format(**filled)
