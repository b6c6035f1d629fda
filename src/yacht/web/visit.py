"""Who is asking: the identity in a cookie or a token, the language, and what may be posted."""

import re
import secrets
from hashlib import sha256
from typing import Any, TypeVar

import msgspec
from litestar import Request
from litestar.datastructures import Cookie, FormMultiDict, State
from litestar.exceptions import ClientException, PermissionDeniedException
from litestar.params import FromPath

from yacht.i18n import LANGUAGES, Language, first_known
from yacht.rooms.host import Host
from yacht.rooms.table import ROOM_ID
from yacht.web.faults import BadRequest, TooMany
from yacht.web.limits import Act, Limits

Asked = Request[Any, Any, State]
InPath = FromPath[str]

T = TypeVar("T")

COOKIE = "yacht"
LANGUAGE_COOKIE = "language"
READING = frozenset({"GET", "HEAD", "OPTIONS"})
"""The methods that change nothing."""
_DAYS = 400  # the longest that browsers keep a cookie
_FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
_WANTED = re.compile(r"([A-Za-z][A-Za-z0-9-]*)\s*(?:;\s*[qQ]\s*=\s*([01](?:\.[0-9]{0,3})?))?")
_LONGEST_HOST = 259  # a name of 253 with a port
_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


def new_token() -> str:
    """A random identity: 256 bits."""
    return secrets.token_urlsafe(32)


def viewer_of(token: str | None) -> str:
    """What the rooms know of an identity: its hash; nothing for none."""
    return sha256(token.encode()).hexdigest()[:32] if token else ""


def token_of(request: Asked) -> str | None:
    """The identity that this request shows, from its Authorization header or its cookie."""
    bearer = _bearer(request)
    token = request.cookies.get(COOKIE, "") if bearer is None else bearer
    return token if _TOKEN.fullmatch(token) else None


def key_of(request: Asked) -> str:
    """The key in its Authorization header, as long as an identity. Raises BadRequest."""
    key = _bearer(request)
    if key is None or not _TOKEN.fullmatch(key):
        raise BadRequest("Authorization")
    return key


def _bearer(request: Asked) -> str | None:
    scheme, _, bearer = request.headers.get("authorization", "").partition(" ")
    return bearer if scheme.lower() == "bearer" else None


def since_of(request: Asked) -> int:
    """The last event a stream's reader has, from its Last-Event-ID header or ``since``."""
    since = request.headers.get("last-event-id") or request.query_params.get("since", "")
    return int(since) if re.fullmatch(r"[0-9]{1,16}", since) else 0


def host_of(request: Asked) -> Host:
    """The host of all games."""
    return request.app.state["host"]


def allow(request: Asked, act: Act) -> None:
    """Count an act of this visitor. Raises TooMany if it is one too many."""
    limits: Limits | None = request.app.state.get("limits")
    if limits is None:
        return
    address = request.client.host if request.client else ""
    if wait := limits.wait(act, address, viewer_of(token_of(request))):
        raise TooMany(wait)


def language_of(request: Asked) -> Language:
    """The language to answer in: the address's, else the one chosen, else one the browser names."""
    if (set_to := request.app.state["language"]) is not None:
        return set_to
    _, first, *_ = f"{path_of(request)}/".split("/")
    chosen = request.cookies.get(LANGUAGE_COOKIE, "")
    if language := LANGUAGES.get(first) or LANGUAGES.get(chosen):
        return language
    return first_known(_accepted(request.headers.get("accept-language", "")))


def _accepted(header: str) -> list[str]:
    """The languages of an Accept-Language header, the most wanted first."""
    wanted = [(float(wish or 1), tag) for tag, wish in _WANTED.findall(header)]
    return [tag for wish, tag in sorted(wanted, key=lambda one: -one[0]) if wish]


def keep_days_of(request: Asked) -> int:
    """For how many days rooms of friends, and cards that are shown, are kept unchanged."""
    return request.app.state["keep_days"]


def whole(sent: object, field: str) -> int:
    """A whole number from a form. Raises BadRequest, which names the field."""
    if not isinstance(sent, str) or not re.fullmatch(r"[0-9]{1,9}", sent):
        raise BadRequest(field)
    return int(sent)


def room_of(sent: object) -> str | None:
    """The room id that a form was made with, so that a double click starts one game."""
    return sent if isinstance(sent, str) and ROOM_ID.fullmatch(sent) else None


def base_of(request: Asked) -> str:
    """The path under which the site is served, without a slash at its end."""
    return request.scope["root_path"]


def path_of(request: Asked) -> str:
    """The path that was asked for, below the one under which the site is served."""
    return request.scope["path"].removeprefix(base_of(request))


def address_of(request: Asked) -> str:
    """The site's address as this visitor reached it, without a slash at its end.

    Raises BadRequest for one that is none.
    """
    host = request.headers.get("host", "")
    if len(host) > _LONGEST_HOST:
        raise BadRequest("host")
    return f"{request.scope['scheme']}://{host}{base_of(request)}"


def loopback_of(request: Asked) -> str:
    """What to say beside links that no other computer can open; nothing if others can."""
    if not re.match(r"(127\.0\.0\.1|localhost|\[::1\])(:|$)", request.headers.get("host", "")):
        return ""
    language = language_of(request)
    return language(
        "This server answers this computer alone; yacht serve --host 0.0.0.0 lets others in."
    )


async def form_of(request: Asked) -> FormMultiDict:
    """The form that was posted. Raises BadRequest if its text can't be read."""
    if request.content_type[0] not in _FORMS:
        raise ClientException(status_code=415)
    try:
        form = await request.form()
        for value in form.values():
            if isinstance(value, str):
                value.encode()  # a part's charset may bring what is no text
    except (UnicodeError, LookupError) as error:  # or be wrong, or unknown
        raise BadRequest(str(error)) from None
    return form


async def exactly(request: Asked, decoder: msgspec.json.Decoder[T]) -> T:
    """The body as exactly its type; the framework's own reading takes "1" and 1.0 for 1."""
    if request.content_type[0] != "application/json":
        raise ClientException(status_code=415)
    try:
        return decoder.decode(await request.body())
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadRequest(str(error)) from None


def identity_cookie(request: Asked, token: str) -> Cookie:
    """The cookie that keeps an identity in this browser."""
    return kept(request, COOKIE, token)


def kept(request: Asked, key: str, value: str) -> Cookie:
    """A cookie that stays as long as it can, out of reach of scripts."""
    return Cookie(
        key=key,
        value=value,
        path=base_of(request) or "/",
        max_age=_DAYS * 24 * 3600,
        httponly=True,
        samesite="lax",
        secure=request.scope["scheme"] == "https",
    )


async def refuse_other_origins(request: Asked) -> None:
    """Refuse what a page of another site posts in its visitor's name."""
    if request.method in READING:
        return
    headers = request.headers
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    same = (
        site in {"same-origin", "none"}
        if site is not None
        else origin is None or origin.partition("://")[2] == headers.get("host", "?")
    )
    if not same:
        raise PermissionDeniedException("other origin")
