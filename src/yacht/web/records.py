"""Records of games as text: one to download, any to open and verify."""

from typing import NamedTuple

from litestar import Response, get, post
from litestar.datastructures import UploadFile

from yacht import words
from yacht.dicelog import LogView, log_of
from yacht.engine.notation import decode_record, encode_record, verify
from yacht.engine.reasons import IllegalMove
from yacht.reviewing import lines
from yacht.rooms.room import Room
from yacht.view import GameView, view
from yacht.web.aside import aside
from yacht.web.faults import message_of
from yacht.web.limits import Act
from yacht.web.rendering import game_values
from yacht.web.respond import page
from yacht.web.review import review_of
from yacht.web.visit import Asked, InPath, allow, form_of, host_of, language_of


@get("/g/{room_id:str}/record")
async def download(request: Asked, room_id: InPath) -> Response[str]:
    room = await host_of(request).newest(room_id)
    text = encode_record(room.record)
    if room.game.is_over:
        language = language_of(request)
        told = list(lines(await review_of(request, room, chances=False), room.names, language))
        if room.assisted:
            assisted = words.listed((room.names[seat] for seat in sorted(room.assisted)), language)
            told.append(language("Played with hints: {names}", names=assisted))
        if room.helped:
            helped = words.listed((room.names[seat] for seat in sorted(room.helped)), language)
            told.append(language("Had help while away: {names}", names=helped))
        text += "\n" + "".join(f"# {line}\n" for line in told)
    name = f"yacht-{room_id}.txt"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type="text/plain", headers=headers)


@get("/record")
async def ask_record(request: Asked) -> Response[str]:
    return _ask(request, "")


def _ask(request: Asked, verdict: str, status: int = 200) -> Response[str]:
    return page(request, "record.html", status, seen=None, verdict=verdict, sound=False, text="")


@post("/record", status_code=200)
async def open_record(request: Asked) -> Response[str]:
    language = language_of(request)
    form = await form_of(request)
    file = form.get("file")
    content = await file.read() if isinstance(file, UploadFile) else b""
    text = content or str(form.get("text", ""))
    if not text.strip():
        return _ask(request, language("Choose a file, or paste a record."), 422)
    allow(request, Act.QUESTION)
    opened = await aside(_open, text)
    verdict = message_of(opened.flaw, language) if opened.flaw else language(words.SOUND)
    values = {"seen": None} if opened.seen is None else game_values(opened.seen, language, "")
    return page(
        request,
        "record.html",
        200 if opened.seen else 422,
        verdict=verdict,
        sound=opened.flaw is None,
        text=text.decode(errors="replace") if isinstance(text, bytes) else text,
        log=opened.log,
        **values,
    )


class _Opened(NamedTuple):
    """A record that was sent: its game, if it makes one, and the first thing that is wrong."""

    seen: GameView | None
    log: LogView | None
    flaw: IllegalMove | None


def _open(text: str | bytes) -> _Opened:
    seen = log = None
    try:
        record = decode_record(text)
        room = Room.of(record)
        seen, log = view("", room, ""), log_of(room)
        verify(record)
    except IllegalMove as illegal:
        return _Opened(seen, log, illegal)
    return _Opened(seen, log, None)
