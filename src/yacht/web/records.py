"""Records of games as text: one to download, any to open and verify."""

from litestar import Response, get, post
from litestar.datastructures import FormMultiDict, UploadFile

from yacht.engine.notation import Record, decode_record, encode_record, verify
from yacht.engine.reasons import IllegalMove, Reason
from yacht.i18n import Language
from yacht.rooms.room import Room
from yacht.view import view
from yacht.web.faults import message_of
from yacht.web.rendering import game_values
from yacht.web.respond import page
from yacht.web.visit import Asked, InPath, TheHost, form_of, language_of


@get("/g/{room_id:str}/record")
async def download(host: TheHost, room_id: InPath) -> Response[str]:
    text = encode_record((await host.room(room_id)).record)
    name = f"yacht-{room_id}.txt"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type="text/plain", headers=headers)


@get("/record")
async def ask_record(request: Asked) -> Response[str]:
    return page(request, "record.html", seen=None, verdict=None, sound=False, text="")


@post("/record", status_code=200)
async def open_record(request: Asked) -> Response[str]:
    language = language_of(request)
    form = await form_of(request)
    text, record, sound = "", None, False
    try:
        text = await _text_of(form)
        record = decode_record(text)
        verify(record)
        sound, verdict = True, language("Every throw is the sealed one, and every score is right.")
    except IllegalMove as illegal:
        verdict = message_of(illegal, language)
    status = 200 if record else 422
    values = _record_values(record, language) if record else {"seen": None}
    return page(request, "record.html", status, verdict=verdict, sound=sound, text=text, **values)


async def _text_of(sent: FormMultiDict) -> str:
    """The text of a record: a file if one was chosen, else what was pasted."""
    file = sent.get("file")
    if isinstance(file, UploadFile) and (content := await file.read()):
        try:
            return content.decode()
        except UnicodeDecodeError:
            raise IllegalMove(Reason.NOT_A_RECORD) from None
    text = sent.get("text", "")
    return text if isinstance(text, str) else ""


def _record_values(record: Record, language: Language) -> dict[str, object]:
    return game_values(view("", Room.of(record), ""), language, "")
