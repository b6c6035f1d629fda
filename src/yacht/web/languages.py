"""Where a page is in each language, and the choice of one."""

import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

from litestar import get, post
from litestar.handlers import HTTPRouteHandler
from litestar.response import Redirect

from yacht.i18n import LANGUAGES
from yacht.web.faults import BadRequest
from yacht.web.visit import (
    LANGUAGE_COOKIE,
    Asked,
    address_of,
    base_of,
    form_of,
    kept,
    language_of,
    path_of,
)

_IN_A_LANGUAGE = re.compile(f"/(?:{'|'.join(LANGUAGES)})(/.+)")
_REFERER = re.compile(r"https?://[^/]+(/[^?#]*)")


def content(path: str) -> Callable[[Any], HTTPRouteHandler]:
    """A page that has an address in each language; its plain address leads to one of them."""
    paths = [path, *(f"/{code}{path}" for code in LANGUAGES)]
    return get(paths, before_request=_into_a_language)


async def _into_a_language(request: Asked) -> Redirect | None:
    path = path_of(request)
    if _IN_A_LANGUAGE.fullmatch(path):
        return None
    return Redirect(
        f"{base_of(request)}/{language_of(request).code}{path}{_query(request)}", status_code=302
    )


@post("/language")
async def choose_language(request: Asked) -> Redirect:
    """See the page ``back`` in another language, and all others from now on."""
    form = await form_of(request)
    code, back = form.get("language"), form.get("back")
    if code not in LANGUAGES:
        raise BadRequest("language")
    if not isinstance(back, str) or not re.fullmatch(r"/(?![/\\])[!-~]*", back):
        raise BadRequest("back")
    if translated := _IN_A_LANGUAGE.match(back):
        back = f"/{code}{translated[1]}"
    cookies = [kept(request, LANGUAGE_COOKIE, code)]
    return Redirect(f"{base_of(request)}{back}", status_code=303, cookies=cookies)


def place_of(request: Asked) -> Mapping[str, object]:
    """What the templates know of where they are: this page, and the same in other languages.

    ``this_page`` is where a change of language comes back to: what was answered to a post has no
    address of its own, so there it is the page of the form.
    """
    path = path_of(request)
    at = f"{quote(path)}{_query(request)}"
    if request.method != "GET":
        came = _REFERER.match(request.headers.get("referer", ""))
        at = came[1].removeprefix(base_of(request)) if came else "/"
    alternates = list[tuple[str, str]]()
    if translated := _IN_A_LANGUAGE.fullmatch(path):
        site, plain = address_of(request), translated[1]
        alternates = [(code, f"{site}/{code}{plain}") for code in LANGUAGES]
        alternates.append(("x-default", f"{site}{plain}"))
    return {"this_page": at, "alternates": alternates}


def _query(request: Asked) -> str:
    query = request.scope["query_string"].decode("latin-1")
    return f"?{query}" if query else ""
