"""Rooms of friends through plain HTML forms, as browsers without script have them."""

import re
from pathlib import Path

import pytest
import segno

from tests.web.plain import Element, Site, Visitor
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
            assert "<form" not in answer.text
        assert ana.get(f"/g/{room}").status_code == 200


@pytest.mark.parametrize(("days", "said"), [(1, "1 day"), (7, "7 days")])
def test_how_long_a_room_is_kept_is_said(tmp_path: Path, days: int, said: str) -> None:
    """Lobby and finished room name the days that the server is set to, and offer the record."""
    with Site(tmp_path, keep_days=days) as site:
        ana, ben = site.visitor(), site.visitor()
        invite(ana)
        assert f"one that has begun {said} after its last move" in ana.page.text
        assert "Its record can be downloaded and kept." in ana.page.text
        page = ana.open(f"/g/{finished(site, ana, ben)}")
        assert f"This room is kept for {said} after its last move." in page.text
        (link,) = [link for link in page.all("#result a") if link.text == "Download record"]
        record = decode_record(ana.get(link["href"]).text)
    verify(record)
    assert record.names == ("Ana", "Ben")
