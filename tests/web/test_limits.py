"""Limits: how much one address and one identity may send, and how they are told to wait."""

import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.serving import Served
from tests.web.plain import Site, Visitor, parse, plain_client
from yacht.engine.notation import encode_record
from yacht.settings import Settings
from yacht.web.limits import Act, Bucket, Limits

SECOND = 10**9
MINUTE = 60 * SECOND
ADDRESS = "192.0.2.1"


class Clock:
    """A time that goes on when it is told to."""

    def __init__(self) -> None:
        self.now = 10**15

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def taken(limits: Limits, act: Act = Act.POST, address: str = ADDRESS, identity: str = "") -> int:
    """How many acts in a row aren't told to wait, up to 1,000."""
    return next((n for n in range(1000) if limits.wait(act, address, identity)), 1000)


# ---- the rule ---------------------------------------------------------------------------------


@given(st.integers(1, 200), st.lists(st.integers(0, 20 * SECOND), min_size=1, max_size=40))
def test_a_bucket_lets_through_what_it_says(a_minute: int, pauses: list[int]) -> None:
    """In any span no more acts happen than a minute's, and those that come back in the span."""
    bucket, now, acted = Bucket(a_minute), 0, list[int]()
    for pause in pauses:
        now += pause
        for _ in range(1 + a_minute // 20):
            if not bucket.wait("x", now):
                bucket.take("x", now)
                acted.append(now)
    assert acted[0] == pauses[0]
    for first, start in enumerate(acted):
        for last in range(first, len(acted)):
            span = acted[last] - start
            assert last - first + 1 <= a_minute + span / (MINUTE // a_minute) + 1e-6


@given(st.integers(1, 1000), st.integers(0, 3 * MINUTE))
def test_waiting_is_enough_and_no_longer_than_needed(a_minute: int, later: int) -> None:
    """After the seconds that it is told a key may act, and a second earlier it mayn't."""
    clock = Clock()
    limits = Limits(0, a_minute, clock)
    for _ in range(a_minute):
        assert limits.wait(Act.POST, ADDRESS, "") == 0
    clock.now += later
    wait = limits.wait(Act.POST, ADDRESS, "")
    if later >= MINUTE // a_minute:
        assert wait == 0
        return
    start = clock.now
    clock.now = start + (wait - 1) * SECOND
    assert limits.wait(Act.POST, ADDRESS, "")
    clock.now = start + wait * SECOND
    assert limits.wait(Act.POST, ADDRESS, "") == 0


def test_all_comes_back_in_a_minute(clock: Clock) -> None:
    """A minute after its last act a key has all its acts again, and never more."""
    limits = Limits(0, 12, clock)
    assert taken(limits) == 12
    clock.now += MINUTE
    assert taken(limits) == 12
    clock.now += 60 * MINUTE
    assert taken(limits) == 12


def test_an_identity_and_an_address_have_each_their_limit(clock: Clock) -> None:
    """One player is stopped where the others behind the same address are not, until all are."""
    limits = Limits(3, 8, clock)
    assert taken(limits, identity="ana") == 3
    assert taken(limits, identity="ana", address="192.0.2.9") == 0
    assert taken(limits, identity="ben") == 3
    assert taken(limits, identity="cem") == 2
    assert taken(limits) == 0
    assert taken(limits, identity="cem", address="192.0.2.9") == 1


def test_what_is_refused_costs_nothing(clock: Clock) -> None:
    """An identity that goes on too fast uses up nothing of its address, nor of its own time."""
    limits = Limits(1, 10, clock)
    assert taken(limits, identity="ana") == 1
    for _ in range(50):
        assert limits.wait(Act.POST, ADDRESS, "ana") == 60
    assert taken(limits) == 9


def test_new_games_and_long_questions_are_fewer(clock: Clock) -> None:
    """An address has a fortieth of its posts for new games, a tenth for what takes long.

    And a tenth of the new games may be cards that are shown from now on.
    """
    limits = Limits(0, 400, clock)
    assert taken(limits, Act.SHOWING) == 1
    assert taken(limits, Act.OPENING) == 10
    assert taken(limits, Act.QUESTION) == 40
    assert taken(limits, Act.POST) == 400
    assert taken(Limits(0, 1, clock), Act.OPENING) == 1


def test_nought_is_no_limit(clock: Clock) -> None:
    """Either limit can be switched off, and both."""
    assert taken(Limits(0, 0, clock), identity="ana") == 1000
    assert taken(Limits(0, 5, clock), identity="ana") == 5
    assert taken(Limits(5, 0, clock), identity="ana") == 5
    assert taken(Limits(5, 0, clock)) == taken(Limits(5, 0, clock), Act.OPENING) == 1000


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("2001:db8::1", "2001:db8:0:0:ffff::2", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
        ("fe80::1%eth0", "fe80::2%eth1", True),
        ("unknown", "unknown", True),
        ("x" * 10_000, "x" * 9_999, True),
        ("a:b", "a:c", False),
    ],
)
def test_an_address_is_what_one_visitor_has(clock: Clock, one: str, other: str, same: bool) -> None:  # noqa: FBT001
    """A visitor has all of an IPv6 network, so the network counts; IPv4 counts as itself."""
    limits = Limits(0, 2, clock)
    assert taken(limits, address=one) == 2
    assert taken(limits, address=other) == (0 if same else 2)


def test_many_addresses_need_little_memory(clock: Clock) -> None:
    """However many addresses and identities come, the last ones alone are known."""
    bucket = Bucket(60, most_keys=100)
    for n in range(10_000):
        bucket.take(f"key {n}", clock.now)
        bucket.take("always here", clock.now)
    assert len(bucket._whole_at) == 100
    assert bucket.wait("always here", clock.now) == (10_000 + 1 - 60) * SECOND
    limits = Limits(300, 2400, clock)
    for n in range(30_000):
        limits.wait(Act.POST, "y" * 50 + str(n), f"{n:032x}")
    for kept in (limits._by_identity, limits._by_address[Act.POST]):
        assert kept
        assert len(kept._whole_at) == 10_000
        assert sum(map(sys.getsizeof, kept._whole_at)) < 2_000_000


# ---- at the site ------------------------------------------------------------------------------


@pytest.fixture
def strict(tmp_path: Path, clock: Clock) -> Iterator[Site]:
    """A site that takes 4 posts a minute of an identity and 40 from an address: 4 questions too."""
    with Site(tmp_path, limits=Limits(4, 40, clock)) as site:
        yield site


def told_to_wait(answer: httpx.Response, seconds: int) -> httpx.Response:
    assert answer.status_code == 429, answer.text
    assert answer.headers["retry-after"] == str(seconds)
    assert answer.headers["x-content-type-options"] == "nosniff"
    return answer


SENTENCE = "Too many requests came from here at once. Nothing was lost; try again in a moment."


def test_posts_are_told_to_wait_in_the_one_shape(strict: Site, clock: Clock) -> None:
    """One post too many is a page, a part of it for the script or JSON; then the game goes on."""
    ana = strict.visitor()
    room = ana.start("Ana")
    move = {"do": "roll", "seq": "1"}
    for _ in range(3):
        assert ana.post(f"/g/{room}", data=move).status_code in {303, 409}
    before = ana.get(f"/api/v1/games/{room}").json()

    page = parse(told_to_wait(ana.post(f"/g/{room}", data=move), 15).text)
    assert page.one("main p").text == SENTENCE
    assert (page.one("main a")["href"], page.one("main a").text) == (
        f"/g/{room}",
        "Back to the game",
    )
    part = ana.post(f"/g/{room}", data=move, headers={"Yacht-Part": "game"})
    assert parse(told_to_wait(part, 15).text).one("#notice").text == SENTENCE
    json = ana.post(f"/api/v1/games/{room}/moves", json={"do": "roll", "seq": 3})
    assert told_to_wait(json, 15).json() == {
        "error": {"reason": "http_429", "message": SENTENCE, "detail": None},
        "game": None,
    }
    told_to_wait(ana.send("DELETE", f"/api/v1/games/{room}"), 15)
    assert ana.get(f"/api/v1/games/{room}").json() == before

    clock.now += 15 * SECOND
    answer = ana.post(f"/api/v1/games/{room}/moves", json={"do": "roll", "seq": 3})
    assert answer.status_code == 200


def test_shown_cards_are_limited(strict: Site, clock: Clock) -> None:
    """A card is begun more seldom than a game is opened, and then sent as often as a post."""
    keeper, players = strict.visitor(), [{"name": "Ana", "boxes": {"ones": 3}}]
    state, path = {"number": 1, "sheet": {"ruleset": "sum", "players": players}}, "/score/live"
    keeper.client.headers["Authorization"] = f"Bearer {'A' * 43}"
    begun = keeper.post(path, json=state).json()
    other = strict.visitor().post(path, json=state, headers={"Authorization": f"Bearer {'B' * 43}"})
    assert told_to_wait(other, 60).json()["error"]["message"] == SENTENCE
    for number in range(2, 5):
        state["number"] = number
        assert keeper.send("PUT", path, json=state).json() == {"number": number}
    state["number"] = 5
    told_to_wait(keeper.send("PUT", path, json=state), 15)
    shown = begun["link"].removeprefix(strict.origin)
    assert keeper.open(shown).one("#game")["data-seq"] == "4"
    clock.now += 15 * SECOND
    assert keeper.send("PUT", path, json=state).json() == {"number": 5}


def test_looking_is_never_too_much(strict: Site) -> None:
    """Pages, states and files can be asked for as often as anybody likes."""
    ana = strict.visitor()
    room = ana.start("Ana")
    for _ in range(11):  # four each time: more than the posts of an address
        for path in ("/", f"/g/{room}", f"/api/v1/games/{room}", "/analysis?dice=12246&rolls=2"):
            assert ana.get(path).status_code == 200


OPENINGS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "page": ("/games", {"data": {"name": "Ana"}}),
    "room": ("/rooms", {"data": {"name": "Ana", "places": "2", "clock": "0"}}),
    "again": ("/g/{done}/again", {}),
    "api": ("/api/v1/games", {"json": {"names": ["Ana"]}}),
    "room by the api": ("/api/v1/rooms", {"json": {"name": "Ana"}}),
    "again by the api": ("/api/v1/games/{done}/again", {}),
}


@pytest.mark.parametrize("kind", OPENINGS)
def test_new_games_are_limited(strict: Site, kind: str) -> None:
    """However a game is started: the next one waits, and nothing is kept of it."""
    path, request = OPENINGS[kind]
    ana = strict.visitor()
    ana.open("/")
    path = path.format(done=strict.game(ana.viewer, "Ana", scores=12))
    ana.post("/games", data={"name": "Ana"})
    kept = strict.run(strict.host.games_of(ana.viewer))
    told_to_wait(ana.post(path, **request), 60)
    assert strict.run(strict.host.games_of(ana.viewer)) == kept


@pytest.mark.parametrize("kind", ["api", "room by the api"])
def test_what_cannot_be_read_opens_nothing(strict: Site, kind: str) -> None:
    """A body of another form is no new game, so it doesn't keep the next one waiting."""
    path, request = OPENINGS[kind]
    ana = strict.visitor()
    assert ana.post(path, json=[]).status_code == 400
    assert ana.post(path, **request).status_code == 201
    told_to_wait(ana.post(path, **request), 60)


QUESTIONS: Mapping[str, tuple[str, str]] = {
    "analysis": ("GET", "/analysis?dice=12246&rolls=0&filled={filled}&target=10"),
    "advice": ("GET", "/api/v1/advice?dice=12246&rolls=0&filled={filled}&target=10"),
    "review": ("GET", "/g/{done}/review"),
    "review of a record": ("POST", "/record/review"),
    "record": ("POST", "/record"),
    "record with its review": ("GET", "/g/{done}/record"),
    "review as JSON": ("GET", "/api/v1/games/{done}/review"),
}
FILLED = "ones,twos,threes,fours,fives,sixes,full_house,four_of_a_kind,little_straight,big_straight"


def ask(visitor: Visitor, kind: str, done: str) -> httpx.Response:
    method, path = QUESTIONS[kind]
    record = encode_record(visitor.site.run(visitor.site.host.room(done)).record)
    body = {"data": {"text": record}} if method == "POST" else {}
    return visitor.send(method, path.format(done=done, filled=FILLED), **body)


@pytest.mark.parametrize("kind", QUESTIONS)
def test_what_takes_long_is_limited(strict: Site, clock: Clock, kind: str) -> None:
    """What is worked out in a thread aside can be asked for so often, by anybody at an address."""
    done = strict.game("somebody", "Ana", scores=12)
    for _ in range(4):
        assert ask(strict.visitor(), kind, done).status_code == 200
    told_to_wait(ask(strict.visitor(), kind, done), 15)
    clock.now += 15 * SECOND
    assert ask(strict.visitor(), kind, done).status_code == 200


# ---- a server ---------------------------------------------------------------------------------


def test_behind_a_proxy_each_visitor_has_an_address(tmp_path: Path) -> None:
    """What a proxy on this machine tells as X-Forwarded-For is the address that counts.

    What a visitor writes into the header before the proxy adds to it doesn't.
    """
    limits = {"YACHT_ADDRESS_LIMIT": "2"}
    with (
        Served(tmp_path, environ=limits) as served,
        plain_client(base_url=served.address) as client,
    ):
        seen = Counter[tuple[str, int]]()
        for forwarded in ("192.0.2.1", "192.0.2.2", "192.0.2.1", "192.0.2.1", "7, 192.0.2.1"):
            answer = client.post("record", headers={"X-Forwarded-For": forwarded})
            seen[forwarded, answer.status_code] += 1
    assert seen == {
        ("192.0.2.1", 415): 2,
        ("192.0.2.1", 429): 1,
        ("192.0.2.2", 415): 1,
        ("7, 192.0.2.1", 429): 1,
    }


def test_the_defaults_leave_people_alone(clock: Clock) -> None:
    """Eight people at one address who each press as fast as the page lets them never wait."""
    settings = Settings.read({}, {})
    limits = Limits(settings.rate_limit, settings.address_limit, clock)
    press = 400_000_000  # the page ignores a second press within this time
    for _ in range(10 * MINUTE // press):
        for seat in range(8):
            assert limits.wait(Act.POST, ADDRESS, f"seat {seat}") == 0
        clock.now += press
