"""A site in this process, and browsers without script that visit it."""

import asyncio
import re
import ssl
from collections.abc import Callable, Collection, Coroutine, Iterator, Mapping, Sequence
from functools import lru_cache
from html import unescape
from itertools import count
from pathlib import Path
from secrets import token_urlsafe
from types import TracebackType
from typing import Any, Self, TypeVar
from urllib.parse import urljoin, urlsplit

import httpx

from tests.stores import unsynced
from yacht.engine.game import Game, Keep, Move, Score, UndoScore
from yacht.i18n import Language
from yacht.rooms.entries import Entry, Opened
from yacht.rooms.host import Host
from yacht.rooms.room import Room
from yacht.rooms.sqlite import Sqlite
from yacht.rooms.store import Append, Listed, Result, Secrets, Shown, Store, Who
from yacht.web.app import create_app
from yacht.web.limits import Limits
from yacht.web.visit import COOKIE, viewer_of

T = TypeVar("T")


# ---- a page as a tree -------------------------------------------------------------------------

_VOID = {
    "area",
    "base",
    "br",
    "col",
    "embed",
    "hr",
    "img",
    "input",
    "link",
    "meta",
    "source",
    "wbr",
}
_SELECTOR = re.compile(r"([a-z0-9]+)|#([\w-]+)|\.([\w-]+)|\[([\w-]+)(?:=([^\]]*))?\]")
_Simple = tuple[str, str, str, str, str]


@lru_cache
def _simple(selector: str) -> Sequence[Sequence[_Simple]]:
    """What each part of ``ancestor descendant`` asks for: tag, id, class, attribute, value."""
    parts = selector.split()
    for part in parts:
        assert "".join(match[0] for match in _SELECTOR.finditer(part)) == part, part
    return [_SELECTOR.findall(part) for part in parts]


class Element:
    """An element of a page; ``all`` and ``one`` take tags, #ids, .classes and [attributes]."""

    def __init__(self, tag: str, attributes: Mapping[str, str], parent: "Element | None") -> None:
        self.tag, self.attributes, self.parent = tag, attributes, parent
        self.classes = attributes.get("class", "").split()
        self.children: list[Element | str] = []
        self._within: Sequence[Element] | None = None

    def __getitem__(self, attribute: str) -> str:
        return self.attributes[attribute]

    def __contains__(self, attribute: str) -> bool:
        return attribute in self.attributes

    def __repr__(self) -> str:
        return f"<{self.tag} {dict(self.attributes)}> {self.text}"

    @property
    def within(self) -> "Sequence[Element]":
        """The elements in this one, in the order of the page."""
        if self._within is None:
            waiting, found = [self], list[Element]()
            while waiting:
                found.append(element := waiting.pop())
                waiting += [c for c in reversed(element.children) if isinstance(c, Element)]
            self._within = found[1:]
        return self._within

    def all(self, selector: str) -> "list[Element]":
        """The elements in this one that fit ``ancestor descendant``."""
        *ancestors, last = _simple(selector)
        return [
            element
            for element in self.within
            if element.is_what(last) and (not ancestors or element.is_in(ancestors))
        ]

    def one(self, selector: str) -> "Element":
        found = self.all(selector)
        assert len(found) == 1, (selector, found)
        return found[0]

    def fits(self, selector: str) -> bool:
        """Whether this element is what one simple selector describes."""
        return self.is_what(_simple(selector)[0])

    def is_what(self, simple: Sequence[_Simple]) -> bool:
        for tag, name, kind, attribute, value in simple:
            if tag and self.tag != tag:
                return False
            if name and self.attributes.get("id") != name:
                return False
            if kind and kind not in self.classes:
                return False
            if attribute and attribute not in self.attributes:
                return False
            if value and self.attributes[attribute] != value:
                return False
        return True

    def is_in(self, ancestors: Sequence[Sequence[_Simple]]) -> bool:
        """Whether such elements lie around this one, the last one nearest."""
        left = list(ancestors)
        for element in self.above():
            if left and element.is_what(left[-1]):
                left.pop()
        return not left

    def above(self) -> "Iterator[Element]":
        """The elements around this one, the nearest first."""
        element = self.parent
        while element:
            yield element
            element = element.parent

    @property
    def raw(self) -> str:
        """All its text as it is."""
        return "".join(child if isinstance(child, str) else child.raw for child in self.children)

    @property
    def text(self) -> str:
        """All its text, with single spaces."""
        return " ".join(self.raw.split())

    @property
    def heard(self) -> str:
        """What a screen reader says: its label, or its text without what is hidden from readers."""
        if "aria-label" in self:
            return self["aria-label"]
        said = "".join(
            child if isinstance(child, str) else child.heard
            for child in self.children
            if isinstance(child, str) or child.attributes.get("aria-hidden") != "true"
        )
        return " ".join(said.split())


_TOKEN = re.compile(
    r"""<!doctype\ html>
      | <!--.*?-->
      | <(?P<end>/?)(?P<tag>[a-z][a-z0-9]*)(?P<attributes>(?:\s+[a-z0-9:-]+(?:="[^"<]*")?)*)\s*/?>
      | (?P<text>[^<]+)""",
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
_ATTRIBUTE = re.compile(r"""([a-z0-9:-]+)(?:="([^"]*)")?""", re.IGNORECASE)


def parse(html: str) -> Element:
    """The tree of a page or a part of one, which must be well formed to the last sign."""
    root = here = Element("", {}, None)
    place = 0
    while place < len(html):
        token = _TOKEN.match(html, place)
        assert token, html[place : place + 80]
        place = token.end()
        if text := token["text"]:
            here.children.append(unescape(text))
        elif token["tag"] and token["end"]:
            assert here.tag == token["tag"].lower(), f"{token[0]} in {here}"
            assert here.parent
            here = here.parent
        elif token["tag"]:
            pairs = _ATTRIBUTE.findall(token["attributes"])
            attributes = {name.lower(): unescape(value) for name, value in pairs}
            assert len(attributes) == len(pairs), f"an attribute twice in {token[0]}"
            element = Element(token["tag"].lower(), attributes, here)
            here.children.append(element)
            if element.tag not in _VOID and not token[0].endswith("/>"):
                here = element
    assert here is root, f"{here} isn't closed"
    return root


# ---- a site and those who visit it ------------------------------------------------------------


def plain_client(**options: Any) -> httpx.Client:
    """A client for real servers, without the certificates that take long to read."""
    return httpx.Client(trust_env=False, verify=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT), **options)


class Site:
    """One host and its pages, on an event loop of its own. Use it in a ``with``."""

    def __init__(
        self,
        data: Path,
        *,
        base: str = "",
        language: Language | None = None,
        store: Store | None = None,
        limits: Limits | None = None,
        keep_days: int = 90,
        origin: str = "http://yacht.test",
    ) -> None:
        self.host = Host(store or unsynced(Sqlite(data / "yacht.db")))
        # httpx types ASGI its own way
        app: Any = create_app(self.host, base, language, limits=limits, keep_days=keep_days)
        self.app = app
        self.base, self.origin = base, origin
        self._runner = asyncio.Runner()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of something that awaits."""
        return self._runner.run(work)

    def visitor(self, token: str | None = None) -> "Visitor":
        """Somebody with a browser of their own, or a program with a token."""
        return Visitor(self, token)

    def game(self, viewer: str, *names: str, scores: int, ruleset: str = "classic") -> str:
        """The room of a game with so many scores in it, each after one roll, in card order."""
        return self.run(_played(self.host, viewer, names, scores, ruleset))

    def finished(self, viewer: str, **totals: int) -> str:
        """The room of a game that is in its owner's list with these totals."""
        room = token_urlsafe(12)
        opened = Opened("classic", tuple(totals), "0" * 64, viewer)
        result = Result("classic", tuple(totals), tuple(totals.values()))
        log = Append(room, 0, [Entry(viewer, opened, next(_later))], [viewer], result)
        self.run(self.host.store.create(Secrets(bytes(32), bytes(32)), log))
        return room

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.run(self.host.store.close())
        self._runner.close()


class Broken:
    """A store that fails in its way at everything."""

    def __init__(self, fault: Exception) -> None:
        self.fault = fault

    async def create(self, secrets: Secrets, log: Append, after: Append | None = None) -> None:
        raise self.fault

    async def append(self, log: Append) -> None:
        raise self.fault

    async def load(self, room: str) -> tuple[Secrets, Sequence[Entry]] | None:
        raise self.fault

    async def states(self) -> dict[str, int]:
        raise self.fault

    async def games_of(self, member: str) -> list[Listed]:
        raise self.fault

    async def delete(self, room: str, member: str) -> None:
        raise self.fault

    async def due(self, by: float) -> list[str]:
        raise self.fault

    async def sweep(self, waiting_since: float, idle_since: float) -> list[str]:
        raise self.fault

    async def show(self, sheet: str, shown: Shown) -> None:
        raise self.fault

    async def renew(self, sheet: str, shown: Shown) -> None:
        raise self.fault

    async def hide(self, sheet: str, keeper: str) -> None:
        raise self.fault

    async def shown(self, sheet: str) -> Shown | None:
        raise self.fault

    async def listen(self, heard: Callable[[str, int], None], missed: Callable[[], None]) -> None:
        raise self.fault

    async def saw(self, seen: Mapping[Who, float]) -> None:
        raise self.fault

    async def seen(self, rooms: Collection[str]) -> dict[Who, float]:
        raise self.fault

    async def forget(self, since: float) -> None:
        raise self.fault

    async def newest(self, room: str) -> int | None:
        raise self.fault

    async def ping(self) -> None:
        raise self.fault

    async def close(self) -> None:
        pass


_later = count(1)
"""Each game that is only listed was played a second after the one before."""


async def _played(host: Host, viewer: str, names: Sequence[str], scores: int, ruleset: str) -> str:
    room_id = await host.open(viewer, ruleset, names)
    for _ in range(scores):
        room = await host.room(room_id)
        room = await host.act(room_id, viewer, room.seq, Keep())
        await host.act(room_id, viewer, room.seq, Score(room.game.open_boxes[0]))
    return room_id


class Visitor:
    """A browser without script: follows links, fills in forms, keeps cookies, obeys redirects.

    Paths are those below the site's base path.
    """

    def __init__(self, site: Site, token: str | None = None, proxy: Any = None) -> None:
        self.site = site
        transport = httpx.ASGITransport(proxy or site.app, raise_app_exceptions=False)
        self.client = httpx.AsyncClient(
            transport=transport, base_url=site.origin, trust_env=False, follow_redirects=False
        )
        self.client.headers["Accept-Encoding"] = "identity"  # packing takes a while
        if token:
            self.client.headers["Authorization"] = f"Bearer {token}"
        self.answer = httpx.Response(0)
        self.page = Element("", {}, None)

    @property
    def token(self) -> str:
        """The identity that its cookie holds, or nothing."""
        return self.client.cookies.get(COOKIE) or ""

    @property
    def viewer(self) -> str:
        """What the host knows of this visitor."""
        return viewer_of(self.token)

    def send(self, method: str, path: str, **request: Any) -> httpx.Response:
        """One request and its answer, whatever it is; the page stays."""
        url = path if path.startswith("http") else self.site.base + path
        return self.site.run(self.client.request(method, url, **request))

    def get(self, path: str, **request: Any) -> httpx.Response:
        return self.send("GET", path, **request)

    def post(self, path: str, **request: Any) -> httpx.Response:
        return self.send("POST", path, **request)

    def open(self, path: str, **request: Any) -> Element:
        """Go to a page."""
        return self._show(self.send("GET", path, **request))

    def click(self, link: Element) -> Element:
        """Follow a link."""
        return self._show(self.send("GET", self._absolute(link["href"])))

    def press(self, button: Element, **typed: str | Sequence[str]) -> Element:
        """Press a button, after typing, choosing and ticking what its form offers by name."""
        form = _form_of(button, self.page)
        pairs = list(_filled(self.page, form, button, typed))
        where = self._absolute(form.attributes.get("action", ""))
        if form.attributes.get("method") == "get":
            return self._show(self.send("GET", where, params=pairs))
        if form.attributes.get("enctype") == "multipart/form-data":
            parts = [(name, (None, value.encode())) for name, value in pairs]
            return self._show(self.send("POST", where, files=parts))
        data: dict[str, list[str]] = {}
        for name, value in pairs:
            data.setdefault(name, []).append(value)
        request: dict[str, Any] = {"data": data}
        if not data:
            request = {"headers": {"content-type": "application/x-www-form-urlencoded"}}
        return self._show(self.send("POST", where, **request))

    @property
    def path(self) -> str:
        """Where this browser is, below the base path."""
        return urlsplit(str(self.answer.url)).path.removeprefix(self.site.base)

    def _absolute(self, href: str) -> str:
        return urljoin(str(self.answer.url), href)

    def _show(self, answer: httpx.Response) -> Element:
        while answer.is_redirect:
            assert answer.status_code == 303
            answer = self.send("GET", urljoin(str(answer.url), answer.headers["location"]))
        self.answer = answer
        self.page = parse(answer.text)
        return self.page

    # -- what a game needs

    def start(self, *names: str, ruleset: str = "classic", computers: Sequence[str] = ()) -> str:
        """Start a game from home and stay at it; its room."""
        home = self.open("/")
        self.press(
            home.one(".new button"),
            name=[*names, *[""] * (8 - len(names))],
            computer=[*computers, *[""] * (8 - len(computers))],
            ruleset=ruleset,
        )
        return self.room

    @property
    def room(self) -> str:
        """The room of the game that is shown."""
        found = re.fullmatch(r"/g/([^/]+)", self.path)
        assert found, self.path
        return found[1]

    def roll(self, *held: int) -> Element:
        """Press Roll with these positions held, as the form has it."""
        return self.press(self.page.one("#roll"), keep=[str(position) for position in held])

    def score(self, box: str) -> Element:
        """Choose a box and press Score."""
        return self.press(self.page.one("#score"), box=box)

    def undo(self) -> Element:
        """Press Undo."""
        return self.press(self.page.one("#undo"))


def _form_of(control: Element, page: Element) -> Element:
    if "form" in control:
        return page.one(f"form#{control['form']}")
    return next(element for element in control.above() if element.tag == "form")


def _filled(
    page: Element, form: Element, button: Element, typed: Mapping[str, str | Sequence[str]]
) -> Iterator[tuple[str, str]]:
    """The form's data set, as HTML defines it; everything typed must have its control."""
    left = {name: [text] if isinstance(text, str) else list(text) for name, text in typed.items()}
    for control in page.all("[name]"):
        owned = "form" in control or any(element.tag == "form" for element in control.above())
        if not owned or _form_of(control, page) is not form or "disabled" in control:
            continue
        name, kind = control["name"], control.attributes.get("type", "text")
        value = control.raw if control.tag == "textarea" else control.attributes.get("value", "")
        if control.tag == "select":
            options = control.all("option")
            value = next((o for o in options if "selected" in o), options[0])["value"]
            assert not left.get(name) or left[name][0] in {option["value"] for option in options}
        if control.tag == "button":
            sent = control is button
        elif kind in {"checkbox", "radio"}:
            sent = "checked" in control
            if name in left:
                sent = value in left[name]
                left[name] = [text for text in left[name] if text != value]
        else:
            sent = kind != "file"
            if left.get(name):
                value = left[name].pop(0)
        if sent:
            yield name, value
    assert not any(left.values()), f"the form doesn't offer {left}"


# ---- what a game's page shows -----------------------------------------------------------------


def dice(page: Element) -> tuple[int, ...]:
    """The faces on the table, in their places; nothing before the first roll."""
    shown = tuple(int(die["data-face"]) for die in page.all("#tray .die"))
    return shown if any(shown) else ()


def held(page: Element) -> tuple[int, ...]:
    """The positions of the dice that are shown as held."""
    return tuple(
        place
        for place, die in enumerate(page.all("#tray .die"))
        if any("checked" in box for box in die.all("input"))
    )


def card(page: Element) -> list[dict[str, str]]:
    """Each seat's boxes by label: the ink in them, or nothing where they are open."""
    columns: list[dict[str, str]] = [{} for _ in page.all("table.card thead th")]
    for row in page.all("table.card tbody tr"):
        label = row.one("th .label").text
        for column, cell in zip(columns, row.all("td"), strict=True):
            column[label] = cell.heard if cell.fits(".ink") else ""
    return columns


def offered(page: Element) -> set[Move]:
    """The moves that the page's controls can make and that none of them calls impossible."""
    moves = set[Move]()
    if undo := _usable(page, "#undo"):
        assert undo["value"] == "undo"
        moves.add(UndoScore())
    if _usable(page, "#roll"):
        keeps = [int(box["value"]) for box in page.all("#tray input[name=keep]")]
        held_sets = [frozenset[int]()]
        for keep in keeps:
            held_sets += [held | {keep} for held in held_sets]
        moves |= {Keep(held) for held in held_sets if len(held) < 5}
    if _usable(page, "#score"):
        boxes = page.all("form#card input[name=box]")
        moves |= {Score(box["value"]) for box in boxes if "disabled" not in box}
    return moves


def _usable(page: Element, button: str) -> Element | None:
    found = page.all(button)
    return found[0] if found and "aria-disabled" not in found[0] else None


def room_of(visitor: Visitor, room: str) -> Room:
    """A room as the host has it."""
    return visitor.site.run(visitor.site.host.room(room))


def game_of(visitor: Visitor, room: str) -> Game:
    """The game in a room, as the engine has it."""
    return room_of(visitor, room).game
