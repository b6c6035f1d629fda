"""Letters for the seal of friends' rooms: each comes once the fingerprint is out, and is kept."""

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
