"""Rooms of friends through plain HTML forms, as browsers without script have them."""

import re

import pytest
import segno

from tests.web.plain import Element, Visitor


def invite(visitor: Visitor, **typed: str) -> str:
    """Make a room and stay in its lobby; its id."""
    page = visitor.open("/invite")
    visitor.press(page.one("main form .primary"), **{"name": "Ana", "places": "3", **typed})
    return visitor.room


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
