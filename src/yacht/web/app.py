"""The application: routes, headers, errors, and the path under which it is served."""
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# (Litestar leaves type parameters of its own open)

import re
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from litestar import Litestar, Response, get
from litestar.config.compression import CompressionConfig
from litestar.datastructures import CacheControlHeader, State
from litestar.enums import HttpMethod
from litestar.exceptions import HTTPException, InternalServerException, NotFoundException
from litestar.static_files import create_static_files_router
from litestar.types import ASGIApp, HTTPReceiveMessage, Message, Receive, Scope, Send

from yacht.engine.reasons import IllegalMove
from yacht.i18n import N_, Language
from yacht.rooms.host import Host
from yacht.rooms.store import Unavailable
from yacht.rooms.table import ROOM_ID
from yacht.web import (
    analysis,
    card,
    friends,
    home,
    languages,
    live,
    offline,
    pages,
    records,
    review,
    rules,
    scorekeeper,
    sheets,
    tips,
)
from yacht.web.api import API
from yacht.web.faults import BadRequest, TooMany, as_json, message_of, status_of
from yacht.web.limits import Act, Limits
from yacht.web.pages import PART
from yacht.web.rendering import STATIC, names_version, static_file
from yacht.web.respond import message, page
from yacht.web.visit import (
    READING,
    Asked,
    allow,
    base_of,
    host_of,
    language_of,
    path_of,
    refuse_other_origins,
)

if TYPE_CHECKING:  # a server that counts nothing needn't load what counts
    from yacht.web.metrics import Metrics

MOST_BYTES = 64 * 1024
_NOT_FOUND = 404
_WAYS = {
    403: N_("Watch the game"),  # what isn't theirs can still be watched
    429: N_("Back to the game"),
}
"""What can be done next about a game, by the status that was answered."""
_DAY = 24 * 3600
_YEAR = 365 * _DAY

_HEADERS = (
    (
        b"content-security-policy",
        (
            b"default-src 'self'; base-uri 'none'; form-action 'self'; "
            b"frame-ancestors 'none'; object-src 'none'"
        ),
    ),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"referrer-policy", b"same-origin"),
    (b"x-content-type-options", b"nosniff"),
)
_CACHE = b"cache-control"
_UNLISTED = b"x-robots-tag", b"noindex"
"""For what is known to those alone who have its link."""

PAGES = [
    home.home,
    home.new_game,
    friends.invite,
    friends.new_room,
    pages.game,
    pages.play,
    pages.stream,
    pages.dice_log,
    pages.again,
    pages.share,
    pages.ask_here,
    pages.take,
    pages.ask_delete,
    pages.delete,
    records.download,
    records.ask_record,
    records.open_record,
    review.review,
    review.review_now,
    review.review_record,
    rules.rules,
    tips.tips,
    card.card,
    languages.choose_language,
    analysis.analysis,
    sheets.show,
    sheets.renew,
    sheets.hide,
    sheets.watch,
    sheets.stream,
    offline.manifest,
    offline.worker,
    offline.no_network,
    scorekeeper.score,
    scorekeeper.table,
]


@get("/healthz")
async def healthz(request: Asked) -> dict[str, str]:
    """The version, once the database has answered; 503 if it doesn't."""
    await host_of(request).store.ping()
    return {"status": "ok", "version": version("yacht"), "database": "ok"}


def create_app(  # noqa: PLR0913 (after the star: what a server is set to)
    host: Host,
    base_path: str = "",
    language: Language | None = None,
    *,
    limits: Limits | None = None,
    keep_days: int = 90,
    metrics: "Metrics | None" = None,
) -> ASGIApp:
    """The site of one host, served under ``base_path``; ``keep_days`` is what its pages say.

    With a ``language`` all pages are in that one.
    """
    static = create_static_files_router(
        "/static",
        [STATIC],
        cache_control=CacheControlHeader(max_age=_YEAR, immutable=True, public=True),
        before_request=_there,
    )
    app = Litestar(
        [*PAGES, healthz, API, static, *([metrics.route()] if metrics else [])],
        before_request=_may_be_taken,
        before_send=[_add_headers],
        on_shutdown=[host.store.close],
        exception_handlers=dict.fromkeys(
            (HTTPException, IllegalMove, BadRequest, TooMany, Unavailable, Exception), _answer
        ),
        compression_config=CompressionConfig(
            "gzip", gzip_compress_level=6, exclude=[live.ADDRESSES]
        ),
        request_max_body_size=MOST_BYTES,
        openapi_config=None,  # web/openapi.py says more, and more exactly
        logging_config=None,
        state=State({"host": host, "language": language, "limits": limits, "keep_days": keep_days}),
    )
    return _under(metrics.watching(app) if metrics else app, base_path)


def _under(app: ASGIApp, base_path: str) -> ASGIApp:
    """The app below a path, whether or not the proxy in front takes the path away."""

    async def served(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] == "HEAD" and not _endless(scope["path"]):
            scope = {**scope, "method": HttpMethod.GET}  # the server leaves the body out
        if base_path and scope["type"] == "http":
            path = scope["path"]
            inner = path[len(base_path) :] if f"{path}/".startswith(f"{base_path}/") else path
            scope = {
                **scope,
                "path": base_path + inner,
                "root_path": base_path,
                "raw_path": inner.encode(),
            }
        if scope["type"] == "http" and scope["method"] in READING:
            receive = _without_body(receive)
        await app(scope, receive, send)

    return served


def _without_body(receive: Receive) -> Receive:
    """``receive`` for what needs no body: whatever comes of one is dropped; a stream kept it."""
    told = False

    async def received() -> HTTPReceiveMessage:
        nonlocal told
        if not told:
            told = True
            return {"type": "http.request", "body": b"", "more_body": False}
        while (message := await receive())["type"] != "http.disconnect":
            pass
        return message

    return received


def _endless(path: str) -> bool:
    return re.search(live.ADDRESSES, path) is not None


def _answer(request: Asked, error: Exception) -> Response[Any]:
    """Every error in its one shape, and when to come back where that is known."""
    response = _told(request, error)
    if isinstance(error, TooMany):
        response.headers["Retry-After"] = str(error.wait)
    return response


def _told(request: Asked, error: Exception) -> Response[Any]:
    """JSON for programs, a page with a way on for people."""
    language = language_of(request)
    if request.scope["raw_path"].startswith((b"/api/", b"/score/live")):
        return as_json(error, language)
    status = status_of(error)
    if PART in request.headers:
        return page(request, "_notice.html", status, notice=message_of(error, language))
    heading = language("Not found") if status == _NOT_FOUND else language("That didn’t work")
    room = re.match(rf"/g/({ROOM_ID.pattern})(/|$)", path_of(request))
    ways: dict[str, object] = {}
    if room and status in _WAYS:
        here = f"{base_of(request)}/g/{room[1]}"
        ways["back"] = {"href": here, "label": language(_WAYS[status])}
    return message(request, heading, message_of(error, language), status, **ways)


async def _may_be_taken(request: Asked) -> None:
    """Refuse other origins' acts, too many, and large ones, whether or not anybody reads them."""
    await refuse_other_origins(request)
    if request.method not in READING:
        allow(request, Act.POST)
        try:
            await request.body()
        except InternalServerException as gone:  # whoever sent it hung up before its end
            raise BadRequest(gone.detail) from None


async def _there(request: Asked) -> Response[bytes] | None:
    """Only names that a static file can have reach the file system, which fails on others.

    What is asked for in another version than this server has isn't there: no page mixes two.
    """
    path, query = request.scope["path"], request.scope["query_string"]
    if not re.fullmatch(r"/static/[a-z0-9.-]{1,64}", path):
        raise NotFoundException
    if b"v=" in query and not names_version(path, query):
        raise NotFoundException
    name = path.rpartition("/")[2]
    if not name.endswith(".js") or not (STATIC / name).is_file():
        return None
    return Response(
        static_file(name),
        media_type="text/javascript",
        headers={"Cache-Control": f"public, max-age={_YEAR}, immutable"},
    )


async def _add_headers(sent: Message, scope: Scope) -> None:
    if sent["type"] == "http.response.start":
        headers = [*sent["headers"], *_HEADERS]
        if scope["raw_path"].startswith((b"/g/", b"/s/")):
            headers.append(_UNLISTED)
        if not any(name == _CACHE for name, _ in headers):
            headers.append((_CACHE, b"no-store"))
        elif b"/static/" in scope["raw_path"] and not names_version(
            scope["path"], scope["query_string"]
        ):
            headers = [header for header in headers if header[0] != _CACHE]
            headers.append((_CACHE, b"public, max-age=%d" % _DAY))
        sent["headers"] = headers
