"""What the site keeps to itself, whom it refuses, and how it says so."""

import base64
import logging
import re
import sqlite3
import threading
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from secrets import token_urlsafe
from typing import Any, NamedTuple
from urllib.parse import quote

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine.strategies import HOSTILE_NAMES
from tests.serving import Served
from tests.web.plain import Broken, Element, Site, Visitor, parse, plain_client
from yacht.engine.dice import dice_key
from yacht.engine.notation import decode_record
from yacht.engine.reasons import IllegalMove
from yacht.rooms.names import clean_name
from yacht.rooms.store import Unavailable
from yacht.web.visit import viewer_of

EVIL = {"Origin": "http://evil.test"}
ANA: Mapping[str, Any] = {"name": "Ana", "boxes": {}}
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def state(visitor: Visitor, room: str) -> dict[str, Any]:
    return visitor.get(f"/api/v1/games/{room}").json()


# ---- headers ----------------------------------------------------------------------------------


def versioned(name: str) -> str:
    """The address of a static file as pages have it."""
    content = Path(str(files("yacht.web") / "static" / name)).read_bytes()
    return f"/static/{name}?v={sha256(content).hexdigest()[:12]}"


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site whose streams end after their first frames."""
    with Site(tmp_path_factory.mktemp("quiet")) as site:
        site.host.bell.close()
        yield site


@pytest.fixture(scope="module")
def answers(quiet: Site) -> Mapping[str, httpx.Response]:
    """An answer of every kind, by what it is."""
    ana, ben = quiet.visitor(), quiet.visitor()
    room, state = ana.start("Ana"), {"number": 1, "sheet": {"ruleset": "sum", "players": [ANA]}}
    mine, other = [{"Authorization": f"Bearer {sign * 43}"} for sign in "AB"]
    show, live = {"json": state, "headers": mine}, "/score/live"
    sheet = ana.post(live, **show).json()["link"].rpartition("/")[2]
    asked: Mapping[str, tuple[str, str, Mapping[str, Any], int]] = {
        "home": ("GET", "/", {}, 200),
        "game": ("GET", f"/g/{room}", {}, 200),
        "part": ("GET", f"/g/{room}", {"headers": {"Yacht-Part": "game"}}, 200),
        "share": ("GET", f"/g/{room}/share", {}, 200),
        "here": ("GET", f"/g/{room}/here/x", {}, 200),
        "delete": ("GET", f"/g/{room}/delete", {}, 200),
        "live": ("GET", f"/g/{room}/live", {}, 200),
        "record": ("GET", f"/g/{room}/record", {}, 200),
        "open": ("GET", "/record", {}, 200),
        "rules": ("GET", "/en/rules", {}, 200),
        "tips": ("GET", "/en/tips", {}, 200),
        "card": ("GET", "/en/card", {}, 200),
        "healthz": ("GET", "/healthz", {}, 200),
        "script": ("GET", versioned("copy.js"), {}, 200),
        "style": ("GET", versioned("yacht.css"), {}, 200),
        "font": ("GET", "/static/besley.woff2", {}, 200),
        "icon": ("GET", versioned("icon.svg"), {}, 200),
        "no file": ("GET", "/static/nothing.js", {}, 404),
        "nothing": ("GET", "/nothing", {}, 404),
        "no game": ("GET", "/g/nothing", {}, 404),
        "wrong method": ("PUT", "/", {}, 405),
        "options": ("OPTIONS", "/", {}, 204),
        "made": ("POST", "/games", {"data": {"name": "Ana"}}, 303),
        "bad name": ("POST", "/games", {"data": {"name": "\x00"}}, 422),
        "not a form": ("POST", "/games", {"json": {}}, 415),
        "bad form": ("POST", f"/g/{room}", {"data": {"do": "x"}}, 400),
        "stale": ("POST", f"/g/{room}", {"data": {"do": "roll", "seq": "0"}}, 409),
        "foreign": ("POST", "/games", {"data": {"name": "Ana"}, "headers": EVIL}, 403),
        "large": ("POST", "/record", {"data": {"text": "x" * 70_000}}, 413),
        "no record": ("POST", "/record", {"data": {"text": "x"}}, 422),
        "json": ("GET", f"/api/v1/games/{room}", {}, 200),
        "json made": ("POST", "/api/v1/games", {"json": {"names": ["Ana"]}}, 201),
        "json stream": ("GET", f"/api/v1/games/{room}/stream", {}, 200),
        "json record": ("GET", f"/api/v1/games/{room}/record", {}, 200),
        "json document": ("GET", "/api/v1/openapi.json", {}, 200),
        "json nothing": ("GET", "/api/v1/nothing", {}, 404),
        "sheet": ("GET", f"/s/{sheet}", {}, 200),
        "sheet stream": ("GET", f"/s/{sheet}/live", {}, 200),
        "sheet shown": ("POST", live, show, 201),
        "sheet bad": ("POST", live, {"json": {}, "headers": mine}, 400),
        "sheet without a key": ("POST", live, {"json": state}, 400),
        "not your sheet": ("PUT", live, {"json": state, "headers": other}, 404),
        "no sheet": ("GET", "/s/nothing", {}, 404),
        "no manifest": ("GET", "/manifest.webmanifest", {}, 404),
        "offline": ("GET", "/en/offline", {}, 200),
        "another version": ("GET", f"{versioned('copy.js')}0", {}, 404),
        "no version": ("GET", "/static/nothing.js?v=0", {}, 404),
        "worker": ("GET", "/sw.js", {}, 200),
        "json bad": ("POST", "/api/v1/games", {"json": {}}, 400),
    }
    found = {
        name: ana.send(method, path, **request)
        for name, (method, path, request, _) in asked.items()
    }
    assert {name: answer.status_code for name, answer in found.items()} == {
        name: status for name, (*_, status) in asked.items()
    }
    found["not yours"] = ben.post(f"/g/{room}/delete")
    found["watched"] = ben.get(f"/g/{room}")
    return found


def test_every_answer_has_the_headers(answers: Mapping[str, httpx.Response]) -> None:
    """Pages, JSON, files, streams, redirects and errors alike forbid sniffing, framing and more."""
    for name, answer in answers.items():
        assert answer.headers["x-content-type-options"] == "nosniff", name
        assert answer.headers["referrer-policy"] == "same-origin", name
        assert answer.headers["cross-origin-opener-policy"] == "same-origin", name
        directives = answer.headers["content-security-policy"].split("; ")
        policy = {name: value for name, _, value in (text.partition(" ") for text in directives)}
        assert policy["default-src"] == "'self'", name
        assert policy["frame-ancestors"] == policy["base-uri"] == policy["object-src"] == "'none'"
        assert policy["form-action"] == "'self'"
        assert not re.search(r"unsafe|\*|:", answer.headers["content-security-policy"])


def test_only_files_are_kept(answers: Mapping[str, httpx.Response]) -> None:
    """A file may be kept for good by an address with its version, else for a day; the rest not."""
    for name, answer in answers.items():
        policy = answer.headers["cache-control"]
        match name:
            case "script" | "style" | "icon":
                assert "immutable" in policy, name
            case "font":
                assert policy == "public, max-age=86400", name
            case _:
                assert policy == "no-store", name


def test_pages_hold_nothing_inline(answers: Mapping[str, httpx.Response]) -> None:
    """No inline script, style or handler is on any page, so the policy can stay strict."""
    pages = [
        a for a in answers.values() if a.headers.get("content-type", "").startswith("text/htm")
    ]
    assert len(pages) > 10
    for answer in pages:
        for element in parse(answer.text).within:
            assert element.tag not in {"style", "iframe", "object", "embed", "base"}
            assert element.tag != "script" or (element["src"] and not element.raw)
            for name, value in element.attributes.items():
                assert name != "style"
                assert not name.startswith("on")
                if name in {"href", "src", "action"} and "hreflang" not in element:
                    assert re.match("/(?!/)|#", value), value


def test_no_page_is_for_other_programs(answers: Mapping[str, httpx.Response]) -> None:
    """The server doesn't say what it is made of."""
    for answer in answers.values():
        assert not {"server", "x-powered-by"} & set(answer.headers)


# ---- the identity -----------------------------------------------------------------------------


def test_a_visit_leaves_no_cookie(answers: Mapping[str, httpx.Response]) -> None:
    """Only home, and starting or taking a game, set the cookie; watching and reading don't."""
    with_cookie = {name for name, answer in answers.items() if "set-cookie" in answer.headers}
    assert with_cookie == {"home", "made", "json made"}


def test_home_keeps_the_identity(ana: Visitor) -> None:
    """Who opens home has an identity, and keeps the same one at each later visit."""
    ana.open("/")
    token = ana.token
    assert re.fullmatch(r"[A-Za-z0-9_-]{43}", token)
    ana.start("Ana")
    assert "set-cookie" in ana.get("/").headers
    assert ana.token == token


@pytest.mark.parametrize(
    ("base", "origin"),
    [("", "http://yacht.test"), ("/yacht", "http://yacht.test"), ("/a/b", "https://yacht.test")],
)
def test_the_cookie_is_out_of_reach(tmp_path: Path, base: str, origin: str) -> None:
    """HttpOnly, SameSite=Lax, for the site's path alone, and Secure behind https."""
    with Site(tmp_path, base=base, origin=origin) as site:
        ana, ben = site.visitor(), site.visitor()
        made = ana.post("/games", data={"name": "Ana"})
        room = made.headers["location"].removeprefix(base + "/g/")
        link = ana.open(f"/g/{room}/share").all("input[readonly]")[1]["value"]
        assert link.startswith(f"{origin}{base}/g/{room}/here/")
        taken = ben.post(link)
        through_json = site.visitor().post("/api/v1/games", json={"names": ["Ana"]})
        for answer in (made, taken, through_json):
            (name, token), *parts = [
                tuple(part.strip().split("=")) if "=" in part else (part.strip(), "")
                for part in answer.headers["set-cookie"].split(";")
            ]
            options = {key.lower(): value for key, value in parts}
            assert name == "yacht"
            assert re.fullmatch(r"[A-Za-z0-9_-]{43}", token)
            assert options.pop("samesite").lower() == "lax"
            assert options.pop("path") == (base or "/")
            assert int(options.pop("max-age")) >= 365 * 24 * 3600
            expected = {"httponly", "secure"} if origin.startswith("https") else {"httponly"}
            assert set(options) == expected


@pytest.mark.parametrize("cookie", ["", "x", "x" * 42, "x" * 44, '"' + "x" * 43 + '"', "é" * 43])
def test_a_cookie_that_we_never_set_is_no_identity(site: Site, cookie: str) -> None:
    """What isn't of the form of a token doesn't own anything; a new token is made."""
    visitor = site.visitor()
    headers = {"Cookie": f"yacht={cookie}".encode()}
    answer = visitor.post("/games", data={"name": "Ana"}, headers=headers)
    assert answer.status_code == 303
    assert visitor.token
    assert visitor.token != cookie


def test_room_ids_cant_be_guessed(site: Site) -> None:
    """96 random bits each, in letters that a link carries unchanged; none comes twice."""
    rooms = [site.game("me", "Ana", scores=0) for _ in range(100)]
    assert len(set(rooms)) == 100
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{16}", room) for room in rooms)
    bits = ["".join(f"{byte:08b}" for byte in base64.urlsafe_b64decode(room)) for room in rooms]
    ones = [sum(int(column) for column in place) for place in zip(*bits, strict=True)]
    assert len(ones) == 96
    assert all(20 < count < 80 for count in ones)


# ---- other origins ----------------------------------------------------------------------------

REFUSED: Sequence[Mapping[str, str]] = [
    EVIL,
    {"Origin": "null"},
    {"Origin": ""},
    {"Origin": "https://yacht.test.evil.test"},
    {"Origin": "http://evil.test/yacht.test"},
    {"Origin": "http://yacht.test@evil.test"},
    {"Origin": "http://yacht.test:81"},
    {"Origin": "http://["},
    {"Origin": "yacht.test"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": ""},
    {"Sec-Fetch-Site": "cross-site", "Origin": "http://yacht.test"},
]


class Owner(NamedTuple):
    """Somebody with a running and a finished game, and the personal link of the first."""

    ana: Visitor
    room: str
    done: str
    link: str


@pytest.fixture(scope="module")
def owner(site: Site) -> Owner:
    ana = site.visitor()
    room = ana.start("Ana")
    done = site.game(ana.viewer, "Ana", scores=12)
    link = ana.open(f"/g/{room}/share").all("input[readonly]")[1]["value"]
    return Owner(ana, room, done, link)


@pytest.mark.parametrize("headers", REFUSED, ids=str)
def test_other_origins_cant_post(site: Site, owner: Owner, headers: Mapping[str, str]) -> None:
    """Every act that another site's page sends is refused with 403 and changes nothing."""
    ana, room, done, link = owner
    before = [state(ana, room), state(ana, done), ana.open("/").text]
    roll = {"do": "roll", "seq": "1"}
    answers = [
        ana.post("/games", data={"name": "Eve"}, headers=headers),
        ana.post(f"/g/{room}", data=roll, headers=headers),
        ana.post(f"/g/{done}/again", headers=headers),
        ana.post(f"/g/{room}/delete", headers=headers),
        site.visitor().post(link, headers=headers),
        ana.post("/record", data={"text": ""}, headers=headers),
        ana.post("/api/v1/games", json={"names": ["Eve"]}, headers=headers),
        ana.post(f"/api/v1/games/{room}/moves", json={**roll, "seq": 1}, headers=headers),
    ]
    assert [answer.status_code for answer in answers] == [403] * len(answers)
    assert all("another site" in answer.text for answer in answers)
    assert [state(ana, room), state(ana, done), ana.open("/").text] == before


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "http://yacht.test"},
        {"Sec-Fetch-Site": "same-origin"},
        {"Sec-Fetch-Site": "none"},
        {"Sec-Fetch-Site": "same-origin", "Origin": "http://yacht.test"},
    ],
    ids=str,
)
def test_our_own_pages_can_post(ana: Visitor, headers: Mapping[str, str]) -> None:
    """The site's own pages, programs without a browser and typed addresses are let through."""
    room = ana.start("Ana")
    answer = ana.post(f"/g/{room}", data={"do": "roll", "seq": "1"}, headers=headers)
    assert answer.status_code == 303


def test_links_from_elsewhere_are_followed(ana: Visitor) -> None:
    """Who follows a link on another site sees the page, with their own identity."""
    room = ana.start("Ana")
    answer = ana.get(f"/g/{room}", headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 200
    assert parse(answer.text).all("#roll")


@pytest.mark.parametrize("host", ["x:abc", "[", "]", "a b", "x:99999999", "é", "", "x" * 5000])
def test_a_strange_host_breaks_nothing(ana: Visitor, host: str) -> None:
    """Whatever a Host header says, no answer is a 5xx."""
    room = ana.start("Ana")
    headers = {"Host": host.encode()}
    for path in ("/", f"/g/{room}/share", "/nothing", "/api/v1/nothing"):
        assert ana.get(path, headers=headers).status_code < 500
    for path in ("/games", f"/g/{room}/again"):
        assert ana.post(path, headers={**headers, **FORM}).status_code < 500


# ---- large bodies -----------------------------------------------------------------------------


@pytest.mark.parametrize("pieces", [False, True])
@pytest.mark.parametrize(
    "path", ["/games", "/g/{room}", "/g/{room}/delete", "/g/{room}/again", "/record"]
)
def test_large_bodies_are_refused(ana: Visitor, path: str, *, pieces: bool) -> None:
    """More than 64 KB gets 413 and a page that says so, whether its length is announced or not."""
    room = ana.start("Ana")
    body = b"name=Ana&text=" + b"x" * 65_536

    async def in_pieces() -> AsyncIterator[bytes]:
        for start in range(0, len(body), 5000):
            yield body[start : start + 5000]

    answer = ana.post(path.format(room=room), content=in_pieces() if pieces else body, headers=FORM)
    assert ("content-length" not in answer.request.headers) == pieces
    assert answer.status_code == 413
    assert (
        parse(answer.text).one("main p").text
        == "The request is too large: at most 64 KB are accepted."
    )
    assert state(ana, room)["seq"] == 1


def test_bodies_up_to_64_kb_are_taken(ana: Visitor) -> None:
    """The bound itself is allowed: such a body is read, and here found to be no record."""
    body = b"text=" + b"x" * (64 * 1024 - 5)
    assert ana.post("/record", content=body, headers=FORM).status_code == 422
    assert ana.post("/record", content=body + b"x", headers=FORM).status_code == 413


# ---- names (behaviour 30) ---------------------------------------------------------------------

NAMES = [
    *HOSTILE_NAMES,
    "<b>Ana</b>",
    "</title><script>x</scr",
    "'\"><img src=x onerror=y",
    "{name} {0} {n!r} {",
    "{points}",
    "{{7*7}}{% raw %}{#",
    "%(name)s %s ${x}",
    "&lt;i&gt;&amp;",
    "אבגד هند",
    "👩‍👧‍👦🎲",
    "a\u0301\u0302",
    "\u200f\u200e",
    "javascript:alert(1)",
    "../../etc/passwd",
    "A" * 24,
    "A" * 25,
    "\ud83c\udfb2".encode("utf-16", "surrogatepass").decode("utf-16"),
]


def accepted(name: str) -> str | None:
    try:
        return clean_name(name)
    except IllegalMove:
        return None


def shape(page: Element) -> list[tuple[str, tuple[str, ...]]]:
    """The elements of a page and the names of their attributes."""
    return [(element.tag, tuple(element.attributes)) for element in page.within]


def everywhere(site: Site, names: Sequence[str]) -> Mapping[str, httpx.Response]:
    """All pages on which players' names can appear; the dice are the same each time."""
    ana = site.visitor()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("yacht.rooms.table.secrets", SameSecrets)
        made = ana.post("/games", data={"name": names})
        assert made.status_code == 303
        room = made.headers["location"].removeprefix("/g/")
        done = site.game(ana.viewer, *names, scores=12 * len(names))
        site.finished(ana.viewer, Eva=1)
        for data in ({"do": "roll", "seq": "1"}, {"do": "score", "box": "ones", "seq": "3"}):
            assert ana.post(f"/g/{room}", data=data).status_code == 303
    text = ana.get(f"/g/{room}/record").text
    whole = ana.get(f"/g/{done}/record").text
    return {
        "home": ana.get("/"),
        "progress": ana.get(f"/?who={quote(clean_name(names[0]))}"),
        "somebody else": ana.get("/?who=Eva"),
        "game": ana.get(f"/g/{room}"),
        "over": ana.get(f"/g/{done}"),
        "watched": site.visitor().get(f"/g/{room}"),
        "refusal": ana.post(f"/g/{room}", data={"do": "undo", "seq": "1"}),
        "share": ana.get(f"/g/{room}/share"),
        "delete": ana.get(f"/g/{room}/delete"),
        "record": ana.post("/record", data={"text": text}),
        "file": ana.post("/record", files={"file": ("a", whole.encode())}),
        "rules": ana.get(f"/en/rules?back={room}"),
        "text": ana.get(f"/g/{room}/record"),
    }


class SameSecrets:
    """Secrets that are none: every game has the same dice."""

    token_urlsafe = staticmethod(token_urlsafe)

    @staticmethod
    def token_bytes(count: int) -> bytes:
        return bytes(range(count))


HARMLESS = ("Player one", "Player two", "Player three", "Player four")
_allowed = [name for name in NAMES if accepted(name)]
FOURS = [(_allowed[n:] + _allowed)[:4] for n in range(0, len(_allowed), 4)]


@pytest.fixture(scope="module")
def harmless(site: Site) -> Mapping[str, tuple[int, Element]]:
    return {
        where: (answer.status_code, parse(answer.text))
        for where, answer in everywhere(site, HARMLESS).items()
    }


@pytest.mark.parametrize("names", FOURS, ids=ascii)
def test_names_are_text(
    site: Site, harmless: Mapping[str, tuple[int, Element]], names: Sequence[str]
) -> None:
    """A name with markup, templates or any letters is shown as it is and adds no element."""
    shown = [clean_name(name) for name in names]
    for where, answer in everywhere(site, names).items():
        status, other = harmless[where]
        assert answer.status_code == status, where
        if where == "text":
            assert decode_record(answer.text).names == tuple(shown)
            continue
        page = parse(answer.text)
        assert shape(page) == shape(other), where
        for one, another in ((page, other), (page.one("title"), other.one("title"))):
            text, wanted = everything(one), everything(another)
            for name, plain in zip(shown, HARMLESS, strict=True):
                assert name in text or plain not in wanted, (where, name)


def everything(page: Element) -> str:
    """The text of a page and what is in its attributes."""
    return page.raw + " ".join(" ".join(element.attributes.values()) for element in page.within)


@pytest.mark.parametrize("name", [name for name in NAMES if not accepted(name)], ids=ascii)
def test_other_names_are_refused(site: Site, ana: Visitor, name: str) -> None:
    """What can't be a name is refused, told as text, and makes no game."""
    wanted = ana.post("/games", data={"name": ["Ana", "B" * 25]})
    answer = ana.post("/games", data={"name": ["Ana", name or "\x00"]})
    if not name.strip():
        return
    assert answer.status_code == 422
    assert shape(parse(answer.text)) == shape(parse(wanted.text))
    assert (
        parse(answer.text).one(".notice").text.endswith("Use 1 to 24 letters, digits or symbols.")
    )
    assert not ana.token


@settings(max_examples=40)
@given(name=st.text(max_size=30))
def test_any_name_is_shown_or_refused(site: Site, name: str) -> None:
    """Whatever is typed as a name, it is a player's name afterwards or there is no game."""
    ana = site.visitor()
    typed = name.encode("utf-8", "surrogatepass")
    answer = ana.post("/games", content=b"name=" + quote(typed).encode(), headers=FORM)
    assert answer.status_code in {303, 422}
    if answer.status_code == 303:
        page = ana.open(answer.headers["location"])
        (shown,) = [cell.raw for cell in page.all("thead .name")]
        assert 1 <= len(shown) <= 96
    else:
        assert not ana.token


# ---- errors -----------------------------------------------------------------------------------

DETAIL = "the-detail-of-a-fault"


@pytest.mark.parametrize(
    ("fault", "status", "message"),
    [
        (
            RuntimeError(DETAIL),
            500,
            "Something broke on the server. Your game is as it was before.",
        ),
        (
            Unavailable(DETAIL),
            503,
            "The games can’t be reached right now. Nothing was lost; try again in a moment.",
        ),
    ],
)
def test_faults_are_told_in_the_one_shape(
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    fault: Exception,
    status: int,
    message: str,
) -> None:
    """A fault of the program or the store is a page with a way on; details are in the log alone."""
    game, api = (f"{path}/{'x' * 16}" for path in ("/g", "/api/v1/games"))
    with Site(tmp_path, store=Broken(fault)) as site:
        ana = site.visitor()
        ana.client.cookies.set("yacht", "x" * 43, domain="yacht.test", path="/")
        asked = [
            *(("GET", path) for path in ("/", game, f"{game}/record", f"{game}/share")),
            *(("GET", path) for path in (f"{game}/delete", f"{game}/here/y", "/healthz")),
            *(("POST", f"{game}/{act}") for act in ("again", "delete", "here/y")),
            ("POST", "/games"),
        ]
        answers = [ana.send(method, path, headers=FORM) for method, path in asked]
        roll = {"do": "roll", "seq": "1"}
        answers.append(ana.post(game, data=roll))
        for answer in answers:
            page = parse(answer.text)
            assert answer.status_code == status
            assert page.one("h1").text == "That didn’t work"
            assert page.one("main p").text == message
            assert page.one("main a")["href"] == "/"
        programs = [
            ana.get(api),
            ana.get(f"{api}/record"),
            ana.get(f"{api}/stream"),
            ana.post("/api/v1/games", json={"names": ["Ana"]}),
            ana.post(f"{api}/moves", json={"do": "roll", "seq": 1}),
        ]
        for answer in programs:
            assert answer.status_code == status
            assert answer.json() == {
                "error": {"reason": f"http_{status}", "message": message, "detail": None},
                "game": None,
            }
        for answer in answers + programs:
            assert DETAIL not in answer.text
            assert "Traceback" not in answer.text
            assert type(fault).__name__ not in answer.text
    records = [record for record in caplog.records if record.name == "yacht"]
    assert len(records) == len(answers) + len(programs)
    assert all(record.levelno == logging.ERROR and record.exc_info for record in records)
    assert DETAIL in caplog.text


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nothing", "There is no such page."),
        ("no file", "There is no such page."),
        ("no game", "There is no such game. It may have been deleted."),
        ("wrong method", "This address can’t be used in that way."),
        ("foreign", "This request came from another site’s page, so it was refused."),
        ("not yours", "This game belongs to another browser; here you can watch it."),
        ("large", "The request is too large: at most 64 KB are accepted."),
        ("not a form", "This kind of content can’t be read here."),
        ("bad form", "This request isn’t in a form the server understands."),
    ],
)
def test_refusals_are_told_in_the_one_shape(
    answers: Mapping[str, httpx.Response], name: str, message: str
) -> None:
    """Each refusal is a page with a sentence about it and what to do next."""
    page = parse(answers[name].text)
    heading = "Not found" if answers[name].status_code == 404 else "That didn’t work"
    assert page.one("title").text.startswith(heading)
    assert page.one("h1").text == heading
    assert page.one("main p").text == message
    way = page.one("main a")
    assert (way["href"] == "/") != (way.text == "Watch the game")
    assert page.all("header nav a")


# ---- addresses that break nothing --------------------------------------------------------------


@settings(max_examples=30)
@given(path=st.text(st.characters(exclude_categories=("Cs",)), max_size=20), query=st.binary())
def test_no_address_breaks_the_server(site: Site, path: str, query: bytes) -> None:
    """Whatever is asked for below the site's folders, the answer is no 5xx."""
    ana = site.visitor()
    for folder in ("/", "/g/", "/static/", "/api/v1/games/", "/en/rules?back=", "/?who="):
        asked = folder + quote(path) + ("&" if "?" in folder else "?") + quote(query)
        assert ana.get(asked).status_code < 500


@pytest.mark.parametrize("name", ["%00", "x" * 300, "..%2f..%2fsettings.py", "a%5cb", "game.js%00"])
def test_static_files_are_the_static_files(ana: Visitor, name: str) -> None:
    """No name leads out of the folder or into an error."""
    assert ana.get(f"/static/{name}").status_code == 404


# ---- the seal ---------------------------------------------------------------------------------


def spellings(secret: bytes) -> list[bytes]:
    """The ways in which bytes can turn up in a text."""
    encoded = base64.b64encode(secret)
    return [
        secret,
        secret.hex().encode(),
        secret.hex().upper().encode(),
        secret.hex(" ").encode(),
        encoded.rstrip(b"="),
        encoded.rstrip(b"=").replace(b"+", b"-").replace(b"/", b"_"),
        repr(secret)[2:-1].encode(),
        str(int.from_bytes(secret)).encode(),
        str(list(secret))[1:-1].encode(),
    ]


class Everything:
    """All that a server gives away, as one heap of bytes, of the game that is played."""

    def __init__(self, served: Served) -> None:
        self.served, self.heap, self.heard = served, bytearray(), dict[str, bytes]()
        self.clients = ExitStack()
        self.ana, self.ben = (
            self.clients.enter_context(plain_client(base_url=served.address, timeout=10))
            for _ in range(2)
        )
        for client in (self.ana, self.ben):
            client.headers["Accept-Encoding"] = "identity"

    def all(self) -> bytes:
        return bytes(self.heap) + b"".join(self.heard.values())

    def note(self, answer: httpx.Response) -> httpx.Response:
        kept = [(name, value) for name, value in answer.headers.raw if name != b"set-cookie"]
        headers = b"\n".join(name + b": " + value for name, value in kept)
        self.heap += answer.url.raw_path + headers + answer.content
        return answer

    def move(self, room: str, **fields: str) -> None:
        """The player's next move; a score goes into the first open box."""
        game = self.note(self.ana.get(f"api/v1/games/{room}")).json()
        box = next(iter(game["points"]), "")
        data = {"seq": str(game["seq"]), "box": box, **fields}
        assert self.note(self.ana.post(f"g/{room}", data=data)).status_code == 303

    def look(self, room: str) -> None:
        """Everything there is to see, as player and as watcher."""
        for client in (self.ana, self.ben):
            for path in ("", f"g/{room}", f"g/{room}/record", f"rules?back={room}", "healthz"):
                self.note(client.get(path))
            for path in (f"api/v1/games/{room}", f"api/v1/games/{room}/record"):
                self.note(client.get(path))
            self.note(client.get(f"g/{room}", headers={"Yacht-Part": "game"}))
            self.note(client.get(f"g/{room}/here/{'0' * 32}"))
            self.note(client.get(f"g/{room}/delete"))
            self.note(client.post(f"g/{room}", data={"seq": "0", "do": "undo"}))
            self.note(client.post(f"api/v1/games/{room}/moves", json={"seq": 0, "do": "undo"}))
            self.note(client.post(f"api/v1/games/{room}/moves", json={"seq": "0"}))
        self.note(self.ben.get(f"g/{room}/share"))
        self.note(self.ben.post(f"g/{room}/here/{'0' * 32}"))

    def listen(self, *paths: str) -> list[threading.Thread]:
        """Read these streams until they show the end of the game."""

        def read(path: str) -> None:
            heard = bytearray()
            with (
                plain_client(timeout=30) as client,
                client.stream("GET", self.served.address + path) as stream,
            ):
                for piece in stream.iter_raw():
                    heard += piece
                    self.heard[path] = bytes(heard)
                    if b'"over":true' in heard or b'id="result"' in heard:
                        break

        threads = [threading.Thread(target=read, args=[path]) for path in paths]
        for thread in threads:
            thread.start()
        return threads


def test_the_seal_holds_until_the_end(tmp_path: Path) -> None:
    """Nothing that leaves the server has the seed before the end, or the other secrets ever."""
    with Served(tmp_path, "--access-log", "1") as served:
        every = Everything(served)
        made = every.ana.post("games", data={"name": "Ana"})
        room = made.headers["location"].removeprefix("/g/")
        token = every.ana.cookies["yacht"]
        with closing(sqlite3.connect(tmp_path / "yacht.db")) as db:
            seed, link = db.execute("SELECT seed, link FROM room").fetchone()
        page = parse(every.ana.get(f"g/{room}/share").text)
        key = page.all("input[readonly]")[1]["value"].rpartition("/")[2]
        listening = every.listen(f"g/{room}/live", f"api/v1/games/{room}/stream")
        for turn in range(12):
            every.move(room, do="roll")
            if turn in {0, 11}:
                every.look(room)
            if turn < 11:
                every.move(room, do="score")
        sealed = every.all()
        dice = dice_key(seed, [b""])
        for secret in [*spellings(seed), *spellings(dice), *spellings(link)]:
            assert secret not in sealed

        every.move(room, do="score")
        every.look(room)
        for thread in listening:
            thread.join(20)
            assert not thread.is_alive()
        for path in (f"g/{room}", f"g/{room}/record", f"api/v1/games/{room}"):
            for client in (every.ana, every.ben):
                assert seed.hex() in client.get(path).text
        every.note(every.ana.get(f"g/{room}/here/{key}"))
        every.clients.close()
        log = served.stop().encode()
    opened = every.all()
    assert len(opened) > 300_000
    assert b'"over":true' in opened
    assert log.count(b"GET") > 60
    assert seed.hex().encode() not in log
    assert key.encode() not in log
    for secret in [
        *(spelling for hidden in (dice, link) for spelling in spellings(hidden)),
        viewer_of(token).encode(),
        token.encode(),
    ]:
        assert secret not in opened.replace(b"/here/" + key.encode(), b"")
        assert secret not in log


def test_scripts_name_the_versions_of_what_they_import(ana: Visitor) -> None:
    """A page's scripts are all of one version, those too that other scripts load."""
    page = ana.open(f"/g/{ana.start('Ana')}")
    scripts = [script["src"] for script in page.all("script") if "game.js" in (script["src"] or "")]
    assert len(scripts) == 1
    imported = re.findall(r'from "\./([^"]+)"', ana.get(scripts[0]).text)
    assert imported
    for name in imported:
        assert name == versioned(name.partition("?")[0]).rpartition("/")[2]
        assert f"/static/{name}" in [link["href"] for link in page.all("link")]  # loaded ahead
        assert "immutable" in ana.get(f"/static/{name}").headers["cache-control"]
