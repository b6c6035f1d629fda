"""Letters for the seal of friends' rooms: each comes once the fingerprint is out, and is kept."""

import httpx
import pytest

from tests.web.plain import Visitor, room_of

API = "/api/v1"


def test_who_invites_adds_letters_in_the_lobby(ana: Visitor) -> None:
    """The invitation takes no letters; the room's page has a form that sends them, once."""
    page = ana.open("/invite")
    assert not page.all("[name=salt]")
    ana.press(page.one("main button"), name="Ana")
    room = room_of(ana, ana.room)
    assert room.salts == (b"",)
    ahead = ana.page.one("form#ahead")
    assert [field["name"] for field in ahead.all("input")] == ["do", "salt"]
    sent = {"do": ahead.one("[name=do]")["value"], "salt": "uvw"}
    ana.post(f"/g/{ana.room}", data=sent)
    assert not ana.open(f"/g/{ana.room}").all("form#ahead")
    assert room_of(ana, ana.room).salts == (b"uvw",)


@pytest.mark.parametrize("path", ["/rooms", f"{API}/rooms"])
def test_letters_before_the_fingerprint(ana: Visitor, path: str) -> None:
    """Whatever is sent with an invitation, it gets no letters into the seal."""
    typed = {"name": "Ana", "places": "2", "clock": "0", "salt": "uvw"}
    ana.open("/")
    if path == "/rooms":
        answer = ana.post(path, data=typed)
        assert room_of(ana, answer.headers["location"].rpartition("/")[2]).salts == (b"",)
    else:
        answer = ana.post(path, json={"name": "Ana", "seat_bytes": "aa"})
        assert answer.status_code == 400


def seal(player: Visitor, room: str, *added: str) -> httpx.Response:
    """Bytes for the seal, through the interface."""
    return player.post(f"{API}/games/{room}/seats", json={"do": "seal", "seat_bytes": added})


def roll(player: Visitor, room: str, **fields: object) -> httpx.Response:
    """The next roll."""
    seq = player.get(f"{API}/games/{room}").json()["seq"]
    return player.post(f"{API}/games/{room}/moves", json={"do": "roll", "seq": seq, **fields})


def test_programs_add_their_own_bytes(ana: Visitor, ben: Visitor) -> None:
    """Each of the friends adds bytes before the first roll; none is dropped without a word."""
    room = ana.post(f"{API}/rooms", json={"name": "Ana"}).json()["game"]["room"]
    ben.open("/")
    ben.post(f"{API}/games/{room}/seats", json={"do": "join", "name": "Ben", "seat_bytes": "0b"})
    for _ in range(2):
        assert seal(ana, room, "0a").status_code == 200
    for player, added, reason in (
        (ana, ["0c"], "sealed"),
        (ben, ["0c"], "sealed"),
        (ana, ["0a", "0b"], "wrong_seats"),
    ):
        answer = seal(player, room, *added)
        assert (answer.status_code, answer.json()["error"]["reason"]) == (422, reason)
    ana.post(f"{API}/games/{room}/seats", json={"do": "begin"})
    answer = roll(ana, room, seat_bytes=["0c", "0d"])
    assert (answer.status_code, answer.json()["error"]["reason"]) == (422, "seal_apart")
    assert roll(ana, room).json()["seat_bytes"] == ["0a", "0b"]
    assert seal(ana, room, "0a").status_code == 200
    assert seal(ana, room, "0c").json()["error"]["reason"] == "sealed"
    assert roll(ana, room, seat_bytes=["0c", "0d"]).json()["error"]["reason"] == "seal_apart"


def test_programs_seal_ahead_of_a_computer(ana: Visitor, ben: Visitor) -> None:
    """Where a computer starts on one device, the seats' bytes are sent before it has rolled."""
    game = {"names": ["Bot", "Ana"], "computers": ["easy", ""]}
    room = ana.post(f"{API}/games", json=game).json()["game"]["room"]
    assert seal(ben, room, "0a", "0b").status_code == 403
    assert seal(ana, room, "0a").json()["error"]["reason"] == "wrong_seats"
    for _ in range(2):
        assert seal(ana, room, "", "0b").json()["game"]["seat_bytes"] == ["", "0b"]
    assert seal(ana, room, "0a", "0b").json()["error"]["reason"] == "sealed"
