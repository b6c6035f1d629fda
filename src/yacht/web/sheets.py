"""Scorecards of real dice that are shown to others: what their keepers send, and who watches."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from functools import lru_cache
from typing import Annotated

import msgspec
from litestar import Response, delete, get, post, put
from litestar.response import Stream

from yacht import words
from yacht.engine.reasons import IllegalMove
from yacht.i18n import Language
from yacht.rooms.host import Host
from yacht.rooms.sheet import Sheet
from yacht.rooms.showing import sheet_in
from yacht.rooms.store import Shown
from yacht.sheetview import sheet_view
from yacht.web import live
from yacht.web.limits import Act
from yacht.web.qr import qr_code
from yacht.web.rendering import render
from yacht.web.respond import page
from yacht.web.visit import (
    Asked,
    InPath,
    address_of,
    allow,
    base_of,
    exactly,
    host_of,
    key_of,
    language_of,
    since_of,
    viewer_of,
)

_MOST = 2**53 - 1  # the largest whole number that scripts have


class State(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sheet as its keeper has it; ``number`` is higher for each newer state."""

    number: Annotated[int, msgspec.Meta(ge=1, le=_MOST)]
    sheet: Sheet


class Begun(msgspec.Struct):
    """Where a sheet is shown from now on, also as the SVG of a QR code, and the state that it is.

    ``number`` is that of the newest state, as in Newest.
    """

    link: str
    code: str
    number: int


class Newest(msgspec.Struct):
    """The number of the state that is shown."""

    number: int


_state = msgspec.json.Decoder(State)


@post("/score/live")
async def show(request: Asked) -> Begun:
    """Begin to show the sheet of this key, which its keeper makes up; sent again it is the same."""
    keeper, state = viewer_of(key_of(request)), await exactly(request, _state)
    allow(request, Act.SHOWING)
    sheets = host_of(request).sheets
    sheet_id = await sheets.show(keeper, state.number, state.sheet)
    link = f"{address_of(request)}/s/{sheet_id}"
    return Begun(link, qr_code(link), (await sheets.shown(sheet_id)).number)


@put("/score/live")
async def renew(request: Asked) -> Newest:
    """Show a newer state. One that isn't newer, as when it is sent again, changes nothing."""
    keeper, state = viewer_of(key_of(request)), await exactly(request, _state)
    return Newest(await host_of(request).sheets.renew(keeper, state.number, state.sheet))


@delete("/score/live")
async def hide(request: Asked) -> None:
    """Show it no longer, to anyone."""
    await host_of(request).sheets.hide(viewer_of(key_of(request)))


@get("/s/{sheet_id:str}")
async def watch(request: Asked, sheet_id: InPath) -> Response[str]:
    """The sheet for whoever has its link."""
    shown = await host_of(request).sheets.shown(sheet_id)
    return page(request, "sheet.html", 200, **_values(shown, language_of(request)))


@get("/s/{sheet_id:str}/live")
async def stream(request: Asked, sheet_id: InPath) -> Stream:
    language, base = language_of(request), base_of(request)
    host, seen = host_of(request), since_of(request)
    return live.stream(events(host, sheet_id, seen, language, base))


async def events(
    host: Host, sheet_id: str, seen: int, language: Language, base: str
) -> AsyncIterator[bytes]:
    """Frames with ``id:`` the sheet's number, from the first state after ``seen`` on.

    A ping shows that the line is alive; the last frame of a sheet that is gone says so.
    """

    async def news() -> Shown | None:
        nonlocal seen
        shown = await host.sheets.shown(sheet_id)
        if shown.number <= seen:
            return None
        seen = shown.number
        return shown

    yield live.PING
    try:
        async for shown in live.rings(host.bell, sheet_id, news):
            part = shown and _part(shown, language, base)
            yield live.frame(shown.number, part) if shown and part else live.PING
    except IllegalMove:
        yield live.GONE


@lru_cache(256)
def _part(shown: Shown, language: Language, base: str) -> str:
    """What changes on the page of a sheet; all who watch a state in a language see the same."""
    return render("_sheet.html", language, base, **_values(shown, language))


def _values(shown: Shown, language: Language) -> dict[str, object]:
    sheet = sheet_in(shown)
    seen = sheet_view(sheet)
    return {
        "seen": seen,
        "live": False,
        "sections": sheet.rules.sections,
        "number": shown.number,
        "at": shown.at,
        "stamp": datetime.fromtimestamp(shown.at, UTC).isoformat(timespec="seconds"),
        "title": f"{words.sheet(seen, language)} · {language('Yacht')}",
    }
