"""Scorecards that are shown: what is taken, who may send it, and what watchers get."""

import json
import re
from collections.abc import AsyncIterator, Mapping
from secrets import token_urlsafe
from typing import Any

import httpx
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.strategies import HOSTILE_NAMES
from tests.web.plain import Element, Site, Visitor, card, parse
from yacht.engine.rules import CLASSIC
from yacht.i18n import ENGLISH
from yacht.rooms.sheet import Sheet
from yacht.web import live, sheets
from yacht.web.visit import viewer_of

Json = dict[str, Any]

LIVE = "/score/live"
EMPTY: Json = {}
FULL = {box.key: 0 for box in CLASSIC.categories} | {"choice": 20}


def sheet(*boxes: Mapping[str, object], ruleset: str = "classic") -> Json:
    names = ("Ana", "Ben", "Cleo", "Dan")
    players = [{"name": name, "boxes": one} for name, one in zip(names, boxes, strict=False)]
    return {"ruleset": ruleset, "players": players}


def of(*players: Json) -> Json:
    """What is sent of these players."""
    return {"number": 1, "sheet": {"ruleset": "sum", "players": players}}


def program(site: Site) -> tuple[Visitor, str]:
    """One with a key of its own, as the page makes one for each card."""
    visitor, key = site.visitor(), token_urlsafe(32)
    visitor.client.headers["Authorization"] = f"Bearer {key}"
    return visitor, key


def id_of(begun: httpx.Response) -> str:
    """The last part of its link."""
    return begun.json()["link"].rpartition("/")[2]


class Keeper:
    """Somebody with a card at a table, who shows it."""

    def __init__(self, site: Site, *boxes: Mapping[str, object], ruleset: str = "classic") -> None:
        self.program, self.key = program(site)
        self.watcher = site.visitor()
        answer = self.begin(1, *boxes, ruleset=ruleset)
        assert answer.status_code == 201, answer.text
        self.begun: Json = answer.json()
        self.id = id_of(answer)

    def begin(
        self, number: int, *boxes: Mapping[str, object], ruleset: str = "classic"
    ) -> httpx.Response:
        """What is answered to the beginning, which may be sent again."""
        body = {"number": number, "sheet": sheet(*boxes, ruleset=ruleset)}
        return self.program.post(LIVE, json=body)

    def send(self, number: int, *boxes: Mapping[str, object]) -> int:
        """The number of what is shown after this was sent."""
        answer = self.program.send("PUT", LIVE, json={"number": number, "sheet": sheet(*boxes)})
        assert answer.status_code == 200, answer.text
        return answer.json()["number"]

    def page(self) -> Element:
        """What a watcher sees."""
        return self.watcher.open(f"/s/{self.id}")


# ---- what the keeper sends --------------------------------------------------------------------


def test_a_sheet_is_shown_until_it_is_hidden(site: Site) -> None:
    """The link, which can't be guessed, shows what was sent last; then it is gone."""
    keeper = Keeper(site, {"fives": 15}, {})
    assert re.fullmatch(r"[A-Za-z0-9_-]{16}", keeper.id)
    assert (keeper.begun["link"], keeper.begun["number"]) == (f"{site.origin}/s/{keeper.id}", 1)
    assert card(keeper.page())[0]["Fives"] == "15"
    assert keeper.send(5, {"fives": None, "yacht": 0}, {"choice": 30}) == 5
    page = keeper.page()
    assert [(seen["Fives"], seen["Yacht"], seen["Choice"]) for seen in card(page)] == [
        ("", "0", ""),
        ("", "", "30"),
    ]
    answer = keeper.program.send("DELETE", LIVE)
    assert (answer.status_code, answer.content) == (204, b"")
    assert keeper.page().one("h1").text == "Not found"
    assert "no longer" in keeper.page().one("main").text
    assert keeper.watcher.answer.status_code == 404
    for method in "PUT", "DELETE":
        gone = keeper.program.send(method, LIVE, json={"number": 9, "sheet": sheet({})})
        assert (gone.status_code, gone.json()["error"]["reason"]) == (404, "no_such_sheet")


def test_a_lost_answer(site: Site) -> None:
    """A beginning that is sent again is the same sheet, and shows the newest of both states."""
    keeper = Keeper(site, {})
    again = [keeper.begin(number, {"ones": number}).json() for number in (1, 3, 2)]
    assert [told["number"] for told in again] == [1, 3, 3]
    assert {told["link"] for told in again} == {keeper.begun["link"]}
    assert card(keeper.page())[0]["Ones"] == "3"
    assert Keeper(site, {}).id != keeper.id


@pytest.mark.parametrize("number", [1, 4, 5])
def test_an_older_state_never_replaces_a_newer_one(site: Site, number: int) -> None:
    """What comes late or twice is answered with the number that is shown, and changes nothing."""
    keeper = Keeper(site, {})
    keeper.send(5, {"ones": 5})
    before = keeper.page().one("#game")
    assert keeper.send(number, {"ones": 1}) == 5
    after = keeper.page().one("#game")
    assert (after.text, after["data-seq"]) == (before.text, "5")


@pytest.mark.parametrize("key", ["", "x", "A" * 42, "A" * 43, "A" * 44])
def test_nobody_else_writes(site: Site, key: str) -> None:
    """Without the sheet's own key it can be neither changed nor hidden, also by a cookie's."""
    keeper, stranger = Keeper(site, {"ones": 5}), site.visitor()
    stranger.open("/")
    stranger.client.cookies.set("yacht", keeper.key)
    if key:
        stranger.client.headers["Authorization"] = f"Bearer {key}"
    status, reason = (404, "no_such_sheet") if len(key) == 43 else (400, "http_400")
    for method in "PUT", "DELETE":
        answer = stranger.send(method, LIVE, json={"number": 9, "sheet": sheet({})})
        assert (answer.status_code, answer.json()["error"]["reason"]) == (status, reason)
    if status == 400:
        assert stranger.post(LIVE, json={"number": 9, "sheet": sheet({})}).status_code == 400
    assert card(keeper.page())[0]["Ones"] == "5"


WRONG: list[tuple[object, int, str, str]] = [
    ({"number": "1", "sheet": sheet({})}, 400, "http_400", "$.number"),
    ({"number": 1.0, "sheet": sheet({})}, 400, "http_400", "$.number"),
    ({"number": True, "sheet": sheet({})}, 400, "http_400", "$.number"),
    ({"number": 0, "sheet": sheet({})}, 400, "http_400", "$.number"),
    ({"number": 2**53, "sheet": sheet({})}, 400, "http_400", "$.number"),
    ({"sheet": sheet({})}, 400, "http_400", "number"),
    ({"number": 1}, 400, "http_400", "sheet"),
    ({"number": 1, "sheet": sheet({}), "key": "x"}, 400, "http_400", "key"),
    ({"number": 1, "sheet": {**sheet({}), "dice": []}}, 400, "http_400", "$.sheet"),
    (of(), 400, "http_400", "$.sheet.players"),
    ({"number": 1, "sheet": sheet(*[EMPTY] * 4)}, 0, "", ""),
    (of(*[{"name": "A", "boxes": EMPTY}] * 9), 400, "http_400", "$.sheet.players"),
    (of({"boxes": EMPTY}), 400, "http_400", "name"),
    (of({"name": "A", "boxes": {}, "rank": 1}), 400, "http_400", "rank"),
    (of({"name": " ", "boxes": {}}), 422, "bad_name", "can’t be a name"),
    ({"number": 1, "sheet": sheet({"ones": "3"})}, 400, "http_400", "boxes"),
    ({"number": 1, "sheet": sheet({"ones": 3.0})}, 400, "http_400", "boxes"),
    ({"number": 1, "sheet": sheet({"ones": True})}, 400, "http_400", "boxes"),
    ({"number": 1, "sheet": sheet({"ones": [3]})}, 400, "http_400", "boxes"),
    ({"number": 1, "sheet": sheet({"ones": 6})}, 422, "bad_points", "Ones can’t give “6”."),
    ({"number": 1, "sheet": sheet({"yacht": 49})}, 422, "bad_points", "Yacht can’t give “49”."),
    ({"number": 1, "sheet": sheet({"choice": -1})}, 422, "bad_points", "Choice can’t give “-1”."),
    ({"number": 1, "sheet": sheet({"ones": 10**18})}, 422, "bad_points", "Ones"),
    ({"number": 1, "sheet": sheet({"sevens": None})}, 422, "unknown_category", "“sevens”"),
    ({"number": 1, "sheet": sheet({}, ruleset="house")}, 422, "unknown_ruleset", "“house”"),
    ([], 400, "http_400", "object"),
    ("x", 400, "http_400", "object"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "status", "reason", "about"), WRONG)
def test_what_isnt_taken(site: Site, body: object, status: int, reason: str, about: str) -> None:
    """Whatever isn't a possible card is refused, with what is wrong named, and changes nothing."""
    keeper = Keeper(site, {"ones": 5})
    begins = program(site)[0].post(LIVE, json=body)
    if not status:
        assert begins.status_code == 201
        return
    for answer in begins, keeper.program.send("PUT", LIVE, json=body):
        error = answer.json()["error"]
        assert (answer.status_code, error["reason"]) == (status, reason)
        assert about in (error["detail"] or error["message"])
    assert card(keeper.page())[0]["Ones"] == "5"


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b'{"number":1e999}', b"[" * 60_000])
def test_what_is_no_json(site: Site, body: bytes) -> None:
    """Bytes that are no JSON are refused in the one shape, whatever they are."""
    headers = {"Content-Type": "application/json"}
    answer = program(site)[0].post(LIVE, content=body, headers=headers)
    assert (answer.status_code, answer.json()["error"]["reason"]) == (400, "http_400")


def test_other_kinds_and_sizes(site: Site) -> None:
    """A form isn't taken, nor more than 64 KB, nor what another site's page sends."""
    keeper = Keeper(site, {})
    body = {"number": 2, "sheet": sheet({"ones": 1})}
    evil = {"Origin": "http://evil.test", "Sec-Fetch-Site": "cross-site"}
    for method in "POST", "PUT":
        send = keeper.program.send
        assert send(method, LIVE, data={"number": "2"}).status_code == 415
        assert send(method, LIVE, json=body, headers=evil).status_code == 403
        padded = json.dumps(body) + " " * 65_536
        large = send(method, LIVE, content=padded, headers={"Content-Type": "application/json"})
        assert (large.status_code, large.json()["error"]["reason"]) == (413, "http_413")
    assert keeper.program.send("DELETE", LIVE, headers=evil).status_code == 403
    assert keeper.page().one("#game")["data-seq"] == "1"


def test_the_largest_sheet_is_small(site: Site) -> None:
    """Eight of the longest names with full cards are kept in less than 8 KB."""
    name = "🎲" + "\u0301" * 3
    longest = of(*[{"name": name * 24, "boxes": FULL}] * 8)
    answer = program(site)[0].post(LIVE, json=longest)
    assert answer.status_code == 201, answer.text
    shown = site.run(site.host.sheets.shown(id_of(answer)))
    assert len(shown.body.encode()) < 8192


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=9,
)
NEARLY = st.fixed_dictionaries(
    {
        "number": st.integers(1, 9) | JSON,
        "sheet": st.fixed_dictionaries(
            {
                "ruleset": st.sampled_from(["classic", "sum"]) | JSON,
                "players": st.lists(
                    st.fixed_dictionaries(
                        {
                            "name": st.text(max_size=30) | JSON,
                            "boxes": st.dictionaries(
                                st.sampled_from(list(FULL)), st.integers(0, 50) | JSON
                            ),
                        }
                    ),
                    max_size=9,
                ),
            }
        ),
    }
)


@given(body=JSON | NEARLY)
def test_any_json_is_taken_or_refused(site: Site, body: object) -> None:
    """What is taken can be watched; everything else is refused in the one shape."""
    visitor, kind = program(site)[0], {"Content-Type": "application/json"}
    answer = visitor.post(LIVE, content=json.dumps(body), headers=kind)
    if answer.status_code == 201:
        assert visitor.get(f"/s/{id_of(answer)}").status_code == 200
    else:
        assert answer.status_code in {400, 422}
        assert answer.json()["error"]["message"]


@given(
    boxes=st.lists(
        st.dictionaries(st.sampled_from(sorted({*FULL} - {"choice"})), st.sampled_from([None, 0])),
        min_size=1,
        max_size=4,
    )
)
def test_what_was_sent_is_what_is_watched(site: Site, boxes: list[dict[str, int | None]]) -> None:
    """Each box that was filled is on the watcher's card, in any order, and each open one open."""
    seen = card(Keeper(site, *boxes).page())
    assert [list(column.values()).count("0") for column in seen] == [
        list(one.values()).count(0) for one in boxes
    ]


# ---- what watchers see ------------------------------------------------------------------------


def test_the_card_of_a_running_game(site: Site) -> None:
    """Whose turn it is, the totals with their ranks, and when it last changed."""
    keeper = Keeper(site, {"choice": 20, "ones": 3}, {"choice": 25}, {"choice": 20, "twos": 0})
    page = keeper.page()
    assert page.one("h1").text == "Turn: Ben"
    assert [head.text for head in page.all("thead th")] == [
        "Ana 23 in all", "Ben 25 in all", "Cleo 20 in all"
    ]  # fmt: skip
    assert ["aria-current" in head for head in page.all("thead th")] == [False, True, False]
    assert [row.text for row in page.all(".result li")] == ["1 Ben 25", "2 Ana 23", "3 Cleo 20"]
    assert page.one("title").text == "Turn: Ben · Yacht"
    assert page.one("time")["datetime"].startswith("20")
    assert page.one("#game")["data-say"] == (
        "Ana: 23 points, Ben: 25 points, Cleo: 20 points. Turn: Ben."
    )


def test_ties_at_the_end(site: Site) -> None:
    """Equal totals share a rank, and all the tied names are shown (200, 180, 180, 150)."""
    keeper = Keeper(site, FULL, {**FULL, "ones": 5}, {**FULL, "ones": 5}, {**FULL, "choice": 5})
    page = keeper.page()
    assert page.one("h1").text == "A tie. Winners: Ben, Cleo, 25 points each."
    assert [row.one(".rank").text for row in page.all(".result li")] == ["1", "1", "3", "4"]
    assert not page.all("th[aria-current]")
    keeper.send(2, {**FULL, "yacht": 50}, FULL)
    assert keeper.page().one("h1").text == "Winner: Ana, 70 points."
    keeper.send(3, FULL)
    assert keeper.page().one("h1").text == "The game is over: 20 points."


def test_nothing_can_be_changed_where_it_is_watched(site: Site) -> None:
    """The page has no control but that of its language, and nothing of the key, as the stream."""
    keeper = Keeper(site, {"ones": 5}, {})
    page = keeper.page()
    kinds = ("form", "input", "button", "select", "textarea", "[contenteditable]")
    card = page.one("#game")
    assert [found for kind in kinds for found in card.all(kind)] == []
    assert [form["action"] for form in page.all("form")] == ["/language"]
    hidden = site.run(site.host.sheets.shown(keeper.id)).keeper
    told = keeper.watcher.answer.text + str(keeper.watcher.answer.headers)
    told += "".join(map(bytes.decode, site.run(frames(site, keeper.id, 2))))
    assert keeper.key not in told
    assert hidden not in told
    for method in "POST", "PUT", "DELETE":
        assert keeper.watcher.send(method, f"/s/{keeper.id}").status_code == 405


def test_the_columns_follow_the_ruleset(site: Site) -> None:
    """The sum card lists its rows from Yacht down to Ones."""
    rows = [row.text for row in Keeper(site, {}, ruleset="sum").page().all("tbody .label")]
    assert (rows[0], rows[-1]) == ("Yacht", "Ones")


@pytest.mark.parametrize("name", [name for name in HOSTILE_NAMES if name.strip()][:12])
def test_names_are_text(site: Site, name: str) -> None:
    """A hostile name is shown as text or refused."""
    visitor, _ = program(site)
    answer = visitor.post(LIVE, json=of({"name": name, "boxes": {}}))
    if answer.status_code == 201:
        page = visitor.open(f"/s/{id_of(answer)}")
        assert page.one("thead .name").text == " ".join(name.split())
    else:
        assert answer.json()["error"]["reason"] == "bad_name"


def test_the_code_is_an_image_of_the_link(site: Site) -> None:
    """It comes with the link, as an SVG that a page can take in."""
    one, other = Keeper(site, {}), Keeper(site, {})
    drawn = [parse(keeper.begun["code"]).one("svg path")["d"] for keeper in (one, other)]
    assert drawn[0] != drawn[1]
    assert parse(one.begin(2, {}).json()["code"]).one("svg path")["d"] == drawn[0]


def test_nothing_that_needs_its_link_is_listed(site: Site) -> None:
    """Search engines that come upon a shown card or a game leave it out; other pages they keep."""
    keeper = Keeper(site, {})
    for path in f"/s/{keeper.id}", f"/g/{site.game('a', 'Ana', scores=0)}", "/s/nothing":
        assert keeper.watcher.get(path).headers["x-robots-tag"] == "noindex"
    assert "x-robots-tag" not in keeper.watcher.get("/en/rules").headers


# ---- the stream -------------------------------------------------------------------------------


def reader(site: Site, sheet_id: str, seen: int = 0) -> AsyncIterator[bytes]:
    return sheets.events(site.host, sheet_id, seen, ENGLISH, "")


async def frames(site: Site, sheet_id: str, count: int, seen: int = 0) -> list[bytes]:
    stream = reader(site, sheet_id, seen)
    return [await anext(stream) for _ in range(count)]


def test_each_state_comes_with_its_number(site: Site) -> None:
    """A ping, the state that the reader lacks, then each new one; the end is told."""
    keeper = Keeper(site, {})

    async def read() -> list[bytes]:
        stream = reader(site, keeper.id)
        got = [await anext(stream), await anext(stream)]
        waiting = anext(stream)
        new = msgspec.convert(sheet({"ones": 4}), Sheet)
        await site.host.sheets.renew(viewer_of(keeper.key), 2**53 - 1, new)
        got.append(await waiting)
        await site.host.sheets.hide(viewer_of(keeper.key))
        return [*got, await anext(stream)]

    ping, first, second, gone = site.run(read())
    assert (ping, gone) == (live.PING, live.GONE)
    assert first.startswith(b"id: 1\nevent: game\ndata: <main")
    assert second.startswith(b"id: 9007199254740991\nevent: game\n")
    assert b">4<" in second


def test_a_reader_that_is_up_to_date(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """Since its last number nothing is repeated, and pings show that the line is alive."""
    monkeypatch.setattr(live, "PING_SECONDS", 0.01)
    keeper = Keeper(site, {})
    keeper.send(2**52, {})
    assert site.run(frames(site, keeper.id, 3, seen=2**52)) == [live.PING] * 3


def test_a_stream_of_nothing(site: Site) -> None:
    """The stream of a sheet that isn't there says so and ends."""
    assert site.run(frames(site, "nowhere", 2)) == [live.PING, live.GONE]
