"""The page of a room of friends before its game."""

from typing import Any

import pytest
import segno

from tests.web.plain import Visitor


def test_the_code_of_a_link_is_made_once(
    ana: Visitor, ben: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However often a lobby is shown, its link is made into a QR code once."""
    links, make = list[str](), segno.make

    def made(link: str, **how: Any) -> segno.QRCode:
        links.append(link)
        return make(link, **how)

    monkeypatch.setattr(segno, "make", made)
    codes = list[set[str]]()
    for visitor in (ana, ben):
        invitation = visitor.open("/invite")
        visitor.press(invitation.one("main button"), name="Ana")
        shown = [visitor.open(f"/g/{visitor.room}").one("figure.code path")["d"] for _ in range(3)]
        codes.append(set(shown))
    assert links == [f"{ana.site.origin}/g/{visitor.room}" for visitor in (ana, ben)]
    assert [len(shown) for shown in codes] == [1, 1]
    assert codes[0] != codes[1]
