"""The OpenAPI 3.1 document of /api/v1: routes from their handlers, shapes from msgspec.

Litestar's own generator leaves out the bounds of a list's items and the shape of an answer that
can be of two kinds, and it answers unknown addresses beside the document with a page of its own.
"""
# pyright: reportUnknownMemberType=false
# (Litestar leaves type parameters of its own open)

import re
from collections.abc import Sequence
from importlib.metadata import version
from inspect import getdoc
from typing import Any, NamedTuple

import msgspec
from litestar.handlers import HTTPRouteHandler

from yacht.web.faults import Failed
from yacht.web.visit import COOKIE

_FAILURES = {
    400: "The request isn't of the documented form.",
    403: "The game belongs to another identity, or another site's page sent the request.",
    404: "There is no such game.",
    409: "The game has gone on: it is in `game`.",
    413: "The body is larger than 64 KB.",
    415: "The Content-Type isn't application/json.",
    422: "The rules refuse it.",
    429: "Too much came from this address or identity: `Retry-After` says in how many seconds"
    " it can be sent again.",
    503: "The store can't be reached; nothing was done.",
}
_TOO_MANY = 429
_RETRY_AFTER = {"Retry-After": {"required": True, "schema": {"type": "integer", "minimum": 1}}}


class About(NamedTuple):
    """What the document says of a handler besides its path, its status and its docstring.

    ``gives`` is None for no content. ``takes`` is the type of its body, ``asks`` a struct of what
    its query may hold, ``or_else`` another media type that ``Accept`` can ask for.
    """

    gives: Any
    fails: Sequence[int]
    takes: Any = None
    media_type: str = "application/json"
    asks: Any = None
    or_else: str = ""


def document(prefix: str, handlers: Sequence[HTTPRouteHandler], base: str) -> dict[str, Any]:
    """The document of these handlers, each with its About as ``about``, under ``base``."""
    abouts: list[About] = [handler.opt["about"] for handler in handlers]
    kinds = [Failed, *(kind for one in abouts for kind in (one.takes, one.gives) if kind)]
    shapes, components = msgspec.json.schema_components(
        kinds, ref_template="#/components/schemas/{name}"
    )
    shape = dict(zip(kinds, shapes, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for handler, one in zip(handlers, abouts, strict=True):
        path = prefix + re.sub(r":\w+}", "}", min(handler.paths))
        (method,) = handler.http_methods
        paths.setdefault(path, {})[method.lower()] = {
            "operationId": handler.handler_name,
            "description": getdoc(handler.fn),
            "parameters": [
                {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
                for name in re.findall(r"{(\w+)}", path)
            ]
            + _query(one.asks),
            **({"requestBody": _body(shape[one.takes])} if one.takes else {}),
            "responses": {
                str(handler.status_code): {
                    "description": "As asked.",
                    **(_given(one, shape[one.gives]) if one.gives else {}),
                },
                **{
                    str(status): {
                        "description": _FAILURES[status],
                        **({"headers": _RETRY_AFTER} if status == _TOO_MANY else {}),
                        **_content(shape[Failed]),
                    }
                    for status in _fails(method, one)
                },
            },
        }
    return {
        "openapi": "3.1.0",
        "info": {"title": "Yacht", "version": version("yacht")},
        "servers": [{"url": base or "/"}],
        "security": [{}, {"token": []}, {"cookie": []}],
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": COOKIE},
            },
        },
    }


def _fails(method: str, one: About) -> Sequence[int]:
    """Besides what it has itself, whatever changes something can be one too many."""
    return sorted(one.fails if method == "GET" else {*one.fails, _TOO_MANY})


def _query(asks: Any) -> list[dict[str, Any]]:
    if asks is None:
        return []
    shape = msgspec.json.schema(asks)["$defs"][asks.__name__]
    return [
        {
            "name": name,
            "in": "query",
            "description": schema.pop("description"),
            "required": name in shape["required"],
            "schema": schema,
        }
        for name, schema in shape["properties"].items()
    ]


def _given(one: About, shape: dict[str, Any]) -> dict[str, Any]:
    return _content(shape, one.media_type, one.or_else)


def _body(shape: dict[str, Any]) -> dict[str, Any]:
    return {"required": True, **_content(shape)}


def _content(shape: dict[str, Any], *media_types: str) -> dict[str, Any]:
    kinds = filter(None, media_types or ("application/json",))
    return {"content": {kind: {"schema": shape} for kind in kinds}}
