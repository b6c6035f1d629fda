"""Answers that every part of the site gives: a page, a message, a way on."""

from litestar import Response
from litestar.response import Redirect

from yacht.web.languages import place_of
from yacht.web.rendering import render
from yacht.web.visit import Asked, base_of, identity_cookie, language_of


def page(request: Asked, template: str, status: int = 200, **values: object) -> Response[str]:
    """A whole page in the visitor's language."""
    values = {**values, **place_of(request)}
    text = render(template, language_of(request), base_of(request), **values)
    return Response(text, status_code=status, media_type="text/html")


def message(
    request: Asked, heading: str, text: str, status: int = 200, **values: object
) -> Response[str]:
    """A page with one question or one error, and what to do next."""
    language = language_of(request)
    values.setdefault("back", {"href": f"{base_of(request)}/", "label": language("Home")})
    values = {"links": None, "ask": None, **values}
    return page(request, "message.html", status, heading=heading, text=text, **values)


def see(request: Asked, path: str, token: str | None = None) -> Redirect:
    """See another page next; with a token, this browser keeps that identity."""
    cookies = [identity_cookie(request, token)] if token else []
    return Redirect(f"{base_of(request)}{path}", status_code=303, cookies=cookies)
