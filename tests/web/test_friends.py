"""Rooms of friends through plain HTML forms, as browsers without script have them."""

import re
from pathlib import Path

import pytest
import segno

from tests.web.plain import Element, Site, Visitor, parse, room_of
from yacht.engine.game import Keep, Score
from yacht.engine.notation import decode_record, verify
from yacht.rooms.host import Host


def invite(visitor: Visitor, **typed: str) -> str:
    """Make a room and stay in its lobby; its id."""
    page = visitor.open("/invite")
    visitor.press(page.one("main form .primary"), **{"name": "Ana", "places": "3", **typed})
    return visitor.room


def join(visitor: Visitor, room: str, name: str, **typed: str) -> Element:
    """Open the link and sit down."""
    page = visitor.open(f"/g/{room}")
    return visitor.press(page.one("#sit"), name=name, **typed)


async def play_to_the_end(host: Host, room_id: str) -> None:
    """Every turn by whose it is, each with one roll."""
    while not (room := await host.room(room_id)).game.is_over:
        player = room.owners[room.game.seat]
        room = await host.act(room_id, player, room.seq, Keep())
        await host.act(room_id, player, room.seq, Score(room.game.open_boxes[0]))


def finished(site: Site, *players: Visitor) -> str:
    """A room of these two in which a game was played to its end."""
    host, guest = players
    room = invite(host)
    join(guest, room, "Ben")
    guest.press(guest.page.one("#start"))
    site.run(play_to_the_end(site.host, room))
    return room


# ---- the invitation ---------------------------------------------------------------------------


def test_a_refused_invitation_keeps_what_was_typed(ana: Visitor) -> None:
    """A name that can't be one gets a sentence over the form as it was, to be sent again."""
    page = ana.open("/invite")
    chosen = {"places": "5", "clock": "86400", "hints": "1", "ruleset": "sum"}
    page = ana.press(page.one("main form .primary"), name="a\u202eb", **chosen)
    assert ana.answer.status_code == 422
    assert "can’t be a name" in page.one(".notice").text
    assert page.one("#name")["value"] == "a\u202eb"
    ana.press(page.one("main form .primary"), name="Ana")
    assert ana.page.one("h1").text == "Waiting for friends: 1 of 5 seats taken"
    assert ana.page.all(".with")[0].text == "Sum · 1 day a turn · with hints"


@pytest.mark.parametrize(
    ("field", "sent", "status"),
    [
        *(("places", text, 400) for text in ("", "x", "-2", "2.0", "٣", "9" * 10)),
        *(("clock", text, 400) for text in ("", "x", "-30", "3e1")),
        *(("places", text, 422) for text in ("0", "1", "9")),
        *(("clock", text, 422) for text in ("1", "3600")),
        ("ruleset", "tripple", 422),
    ],
)
def test_no_room_is_made_of_what_no_form_has(
    site: Site, ana: Visitor, field: str, sent: str, status: int
) -> None:
    """What isn't a number is refused as unreadable, another number or ruleset with a sentence."""
    ana.open("/invite")
    form = {"name": "Ana", "places": "2", "clock": "0", field: sent}
    answer = ana.post("/rooms", data=form)
    assert answer.status_code == status
    assert ('class="notice"' in answer.text) is (status == 422)
    assert site.run(site.host.games_of(ana.viewer)) == []


# ---- the lobby --------------------------------------------------------------------------------


def test_friends_sit_get_up_and_begin(ana: Visitor, ben: Visitor) -> None:
    """Sitting down, adding a computer and taking it away, leaving and beginning are forms each.

    A page asks for itself again as long as nothing is typed in it.
    """
    room = invite(ana)
    page = ben.open(f"/g/{room}")
    assert not page.all("noscript meta")
    page = join(ben, room, "Ben")
    assert page.one("noscript meta")["http-equiv"] == "refresh"
    assert [seat.text for seat in page.all(".seats .who")] == ["Ana", "Ben you", "Empty seat"]
    page = ben.press(page.one("#add"), level="easy")
    assert page.all(".seats .who")[2].text.startswith("Computer Easy computer")
    assert not page.all("#add")
    page = ben.press(page.one("#leave2"))
    page = ben.press(page.one("#leave1"))
    assert [seat.text for seat in page.all(".seats .who")] == ["Ana", "Empty seat", "Empty seat"]
    assert not ana.open(f"/g/{room}").all("#start")
    join(ben, room, "Ben")
    assert ana.press(ana.open(f"/g/{room}").one("#start")).one("#tray h1").text == "Your turn"
    assert ben.open(f"/g/{room}").one("#tray h1").text == "Ana starts"


def test_letters_are_in_the_seal(ana: Visitor, ben: Visitor) -> None:
    """What is typed when sitting down is among the seats' bytes from the first roll on."""
    room = invite(ana)
    join(ben, room, "Ben", salt="Größe")
    ben.press(ben.page.one("#start"))
    ana.open(f"/g/{room}")
    ana.roll()
    added = room_of(ana, room).seat_bytes
    assert added
    assert added[1] == "Größe".encode()


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ({"name": "   ", "salt": "mine"}, "can’t be a name"),
        ({"name": "Ben", "salt": "ä" * 17}, "A seat adds at most 32 bytes to the seal, not 34."),
    ],
)
def test_a_refused_join_keeps_what_was_typed(
    ana: Visitor, ben: Visitor, typed: dict[str, str], told: str
) -> None:
    """The lobby comes again with a sentence, the name and the letters, and nobody has sat down."""
    room = invite(ana)
    page = join(ben, room, **typed)
    assert ben.answer.status_code == 422
    assert told in page.one("#notice").text
    assert (page.one("#name")["value"], page.one("#salt")["value"]) == tuple(typed.values())
    assert room_of(ana, room).names == ("Ana",)
    assert ben.press(page.one("#sit"), name="Ben", salt="short").all("#start")


@pytest.mark.parametrize(
    "form",
    [
        *({"do": "leave", "seq": seq, "seat": "0"} for seq in ("", "x", "-1", "2.0", "٣")),
        *({"do": "leave", "seq": "2", "seat": seat} for seat in ("", "x", "-1")),
        {"do": "leave", "seq": "2"},
        {"do": "computer", "level": "easy"},
        {"do": "skip"},
        {"do": "stand_in", "seq": "1e3"},
        {"do": "win", "seq": "2"},
        {},
    ],
)
def test_what_no_form_sends_changes_nothing(ana: Visitor, form: dict[str, str]) -> None:
    """A number that is missing or isn't one, or an act there isn't, is refused as unreadable."""
    room = invite(ana)
    before = room_of(ana, room)
    answer = ana.post(f"/g/{room}", data=form or {"x": ""})
    assert answer.status_code == 400
    assert "This request isn’t in a form the server understands." in answer.text
    assert room_of(ana, room) == before


def test_a_page_that_is_behind_says_so(ana: Visitor, ben: Visitor) -> None:
    """Who takes a seat away that somebody else sits in by now is shown who sits there."""
    room = invite(ana, places="4")
    join(ben, room, "Ben")
    ben.press(ben.page.one("#add"), level="easy")
    old = ana.open(f"/g/{room}")
    ben.press(ben.page.one("#leave2"))
    ben.press(ben.page.one("#add"), level="exact")
    page = ana.press(old.one("#leave2"))
    assert ana.answer.status_code == 409
    assert page.one("#notice").text.startswith("The game had already gone on.")
    assert "Exact computer" in page.all(".seats .who")[2].text


def test_what_is_not_theirs_or_too_late(site: Site, ana: Visitor, ben: Visitor) -> None:
    """Strangers change no lobby, and who sits down once the game has begun is told so."""
    room = invite(ana)
    for form in ({"do": "begin"}, {"do": "leave", "seq": "2", "seat": "0"}):
        assert ben.post(f"/g/{room}", data=form).status_code == 403
    lobby = ben.open(f"/g/{room}")
    cleo = site.visitor()
    join(cleo, room, "Cleo")
    cleo.press(cleo.page.one("#start"))
    page = ben.press(lobby.one("#sit"), name="Ben")
    assert ben.answer.status_code == 422
    assert page.one("#notice").text == "The game has begun without you. You can watch it."
    assert page.one(".watching").text == "You are watching this game."


# ---- the link ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("host", "alone"),
    [
        ("127.0.0.1:8000", True),
        ("localhost", True),
        ("[::1]:8000", True),
        ("yacht.test", False),
        ("192.0.2.1:8000", False),
        ("localhost.yacht.test:80", False),
    ],
)
def test_a_link_to_this_computer_alone_is_called_so(ana: Visitor, host: str, alone: bool) -> None:  # noqa: FBT001
    """Where friends can't follow the link, the lobby and the page of links say why."""
    room = invite(ana)
    for path in ("", "/share"):
        answer = ana.get(f"/g/{room}{path}", headers={"Host": host})
        assert f"http://{host}/g/{room}" in answer.text
        assert ("This server answers this computer alone" in answer.text) is alone


def modules(code: Element) -> list[list[int]]:
    """The dark and the light modules of a QR code, drawn as strokes from left to right."""
    size = int(code["viewbox"].split()[2])
    drawn = [[0] * size for _ in range(size)]
    x = y = 0.0
    for step, across, down in re.findall(
        r"([Mmh])(-?[\d.]+)(?: (-?[\d.]+))?", code.one("path")["d"]
    ):
        if step == "h":
            drawn[int(y)][int(x) : int(x) + int(across)] = [1] * int(across)
        x = float(across) + (0 if step == "M" else x)
        y = float(down or 0) + (0 if step == "M" else y)
    return drawn


def test_the_code_is_the_link(ana: Visitor) -> None:
    """The QR code has the modules of the link that is shown, within its margin of four."""
    invite(ana)
    link = ana.page.one("#link")["value"]
    assert link == f"http://yacht.test/g/{ana.room}"
    right = segno.make(link, error="m", micro=False).matrix_iter(border=4)
    assert modules(ana.page.one(".code svg")) == [list(row) for row in right]


# ---- the end ----------------------------------------------------------------------------------


def test_nobody_deletes_a_game_of_friends(site: Site, ana: Visitor, ben: Visitor) -> None:
    """Home offers it for no game of friends, and whoever asks all the same is told why not."""
    waiting, over = invite(ana), finished(site, ana, ben)
    page = ana.open("/")
    listed = [link["href"] for link in page.all("ul.games a")]
    assert sorted(listed) == sorted([f"/g/{waiting}", f"/g/{over}"])
    for room in (waiting, over):
        for answer in (ana.get(f"/g/{room}/delete"), ana.post(f"/g/{room}/delete")):
            assert answer.status_code == 422
            assert "This game belongs to all who play in it" in answer.text
            assert not parse(answer.text).all("main form")
        assert ana.get(f"/g/{room}").status_code == 200


@pytest.mark.parametrize(("days", "said"), [(1, "1 day"), (7, "7 days")])
def test_how_long_a_room_is_kept_is_said(tmp_path: Path, days: int, said: str) -> None:
    """Lobby and finished room name the days that the server is set to, and offer the record."""
    with Site(tmp_path, keep_days=days) as site:
        ana, ben = site.visitor(), site.visitor()
        invite(ana)
        assert f"otherwise {said} after its last move" in ana.page.text
        assert "The game’s record can be downloaded and kept." in ana.page.text
        page = ana.open(f"/g/{finished(site, ana, ben)}")
        assert f"This room is kept for {said} after its last move." in page.text
        (link,) = [link for link in page.all("#result a") if link.text == "Download record"]
        record = decode_record(ana.get(link["href"]).text)
    verify(record)
    assert record.names == ("Ana", "Ben")
