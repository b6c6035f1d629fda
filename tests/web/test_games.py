"""A player's games for programs: they are listed, go to another identity, and are removed."""

from typing import Any

import httpx
import pytest

from tests.web.plain import Site, Visitor
from yacht.rooms.table import new_room_id
from yacht.web.visit import new_token

API = "/api/v1"


@pytest.fixture(params=["games", "rooms"])
def game(request: pytest.FixtureRequest, ana: Visitor) -> tuple[str, str]:
    """A game that Ana's program has opened, on one device or for friends: its kind and its room."""
    body: dict[str, Any] = {"names": ["Ana"]} if request.param == "games" else {"name": "Ana"}
    answer = ana.post(f"{API}/{request.param}", json=body)
    return request.param, answer.json()["game"]["room"]


def take(player: Visitor, room: str, key: str) -> httpx.Response:
    return player.post(f"{API}/games/{room}/seats", json={"do": "take", "key": key})


def test_a_game_goes_to_another_identity(game: tuple[str, str], ana: Visitor, site: Site) -> None:
    """The personal link's key works once, for whoever has it; a page may use the link as well."""
    _, room = game
    told = ana.get(f"{API}/games/{room}/link").json()
    assert told["address"] == f"{site.origin}/g/{room}/here/{told['key']}"
    other = site.visitor()
    assert other.get(f"{API}/games/{room}/link").status_code == 403
    assert take(other, room, "0" * 32).json()["error"]["reason"] == "link_used"
    taken = take(other, room, told["key"]).json()
    assert taken["game"]["mine"]
    ben = site.visitor(taken["token"])
    assert ben.get(f"{API}/games/{room}").json()["mine"]
    assert not ana.get(f"{API}/games/{room}").json()["mine"]
    assert take(ana, room, told["key"]).status_code == 403
    back = ben.get(f"{API}/games/{room}/link").json()
    page = ana.open(back["address"].removeprefix(site.origin))
    ana.press(page.one("main button"))
    assert ana.get(f"{API}/games/{room}").json()["mine"]
    assert [one["room"] for one in ana.get(f"{API}/games").json()] == [room]
    assert ben.get(f"{API}/games").json() == []


def test_ones_games(site: Site) -> None:
    """One's games come with their results, the last played first; nobody's are none."""
    assert site.visitor().get(f"{API}/games").json() == []
    ana = site.visitor()
    running = ana.start("Ana", "Ben")
    done = site.finished(ana.viewer, Ana=200, Ben=150)
    first, second = ana.get(f"{API}/games").json()
    assert (first["room"], first["result"]) == (running, None)
    assert second["room"] == done
    assert second["result"] == {
        "ruleset": "classic",
        "names": ["Ana", "Ben"],
        "totals": [200, 150],
    }


@pytest.mark.parametrize(
    ("path", "body"), [("games", {"names": ["Ana"]}), ("rooms", {"name": "Ana"})]
)
def test_sent_again_it_is_one_game(site: Site, path: str, body: dict[str, Any]) -> None:
    """With a token and an id that a program made itself, an answer that was lost costs nothing."""
    token, room = new_token(), new_room_id()
    ana, ben = site.visitor(token), site.visitor(new_token())
    for _ in range(2):
        answer = ana.post(f"{API}/{path}", json={**body, "room": room}).json()
        assert (answer["token"], answer["game"]["room"]) == (token, room)
    assert [game["room"] for game in ana.get(f"{API}/games").json()] == [room]
    assert ben.post(f"{API}/{path}", json={**body, "room": room}).status_code == 403
    for wrong in ("", "x" * 15, "x" * 16 + "\n", "ž" * 16):
        assert ana.post(f"{API}/{path}", json={**body, "room": wrong}).status_code == 400


def test_a_seat_taken_twice_is_one(site: Site) -> None:
    """Whoever has made a token sits down once, however often that is sent."""
    ana, ben = site.visitor(new_token()), site.visitor(new_token())
    room = ana.post(f"{API}/rooms", json={"name": "Ana"}).json()["game"]["room"]
    for _ in range(2):
        answer = ben.post(f"{API}/games/{room}/seats", json={"do": "join", "name": "Ben"})
        assert [seat["name"] for seat in answer.json()["game"]["seats"]] == ["Ana", "Ben"]


def test_a_link_used_twice_by_one_browser(ana: Visitor, ben: Visitor) -> None:
    """A browser that opens a personal link has an identity before it sends the key."""
    room = ana.start("Ana")
    link = ana.get(f"{API}/games/{room}/link").json()["address"].removeprefix(ana.site.origin)
    page = ben.open(link)
    assert ben.token
    headers = {"content-type": "application/x-www-form-urlencoded"}
    for _ in range(2):
        assert ben.post(page.one("main form")["action"], headers=headers).status_code == 303
    assert ben.get(f"{API}/games/{room}").json()["mine"]


def test_a_game_is_removed(game: tuple[str, str], ana: Visitor, ben: Visitor) -> None:
    """Its player removes a game on one device, and nobody a room of friends."""
    kind, room = game
    ben.open("/")
    assert ben.send("DELETE", f"{API}/games/{room}").status_code == 403
    from_elsewhere = {"Origin": "http://other.test"}
    refused = ana.send("DELETE", f"{API}/games/{room}", headers=from_elsewhere)
    assert refused.status_code == 403
    assert ana.get(f"{API}/games/{room}").status_code == 200
    answer = ana.send("DELETE", f"{API}/games/{room}")
    if kind == "rooms":
        assert (answer.status_code, answer.json()["error"]["reason"]) == (422, "of_friends")
        return
    assert (answer.status_code, answer.content) == (204, b"")
    assert ana.get(f"{API}/games/{room}").status_code == 404
    assert ana.send("DELETE", f"{API}/games/{room}").status_code == 404
