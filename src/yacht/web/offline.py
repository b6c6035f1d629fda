"""What lets the scorekeeper be installed and work without a network."""

import json
import re
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import msgspec
from litestar import Response, get
from litestar.exceptions import NotFoundException

from yacht.engine.rules import CLASSIC, RULESETS
from yacht.web import scorekeeper
from yacht.web.languages import content
from yacht.web.rendering import STATIC, address_of_static, colour, pages_version
from yacht.web.respond import message
from yacht.web.visit import Asked, base_of, language_of

_WORKER = Path(__file__).with_name("worker.js")
_ICONS = (
    ("icon.svg", "any", "any"),
    ("icon-192.png", "192x192", "any"),
    ("icon-512.png", "512x512", "any"),
    ("icon-maskable.png", "512x512", "maskable"),
)
_LEAFLETS = ("rules", "tips")
_RULES = ["", *(f"ruleset={key}&" for key in RULESETS if key != CLASSIC.key)]
_LINKED = ("offline", *(f"{one}?{rules}back=score" for one in _LEAFLETS for rules in _RULES))
"""Where the page leads to, below each language, and needs no network."""

_workers: dict[str, str] = {}
"""The worker of each path under which the site is served, once a browser has asked for it."""


@get("/manifest.webmanifest")
async def manifest(request: Asked) -> Response[bytes]:
    """What a device shows of the scorekeeper once it is installed."""
    if request.query_params.get("v") != pages_version():
        raise NotFoundException
    language, base = language_of(request), base_of(request)
    told = {
        "id": f"{base}/score",
        "start_url": f"{base}/score",
        "scope": f"{base}/",
        "lang": language.code,
        "dir": language.direction,
        "name": language("Yacht, keep score"),
        "short_name": language("Yacht"),
        "description": language("A scorecard for Yacht with real dice."),
        "display": "standalone",
        "background_color": colour("paper"),
        "theme_color": colour("paper"),
        "icons": [
            {
                "src": address_of_static(name, base),
                "sizes": sizes,
                "type": "image/svg+xml" if name.endswith(".svg") else "image/png",
                "purpose": purpose,
            }
            for name, sizes, purpose in _ICONS
        ],
    }
    return Response(
        msgspec.json.encode(told),
        media_type="application/manifest+json",
        headers={"Cache-Control": "no-cache"},
    )


@get("/sw.js")
async def worker(request: Asked) -> Response[str]:
    """The worker that keeps the page and its files, and the list of them."""
    base = base_of(request)
    if base not in _workers:
        _workers[base] = _worker(base, await _files(request))
    return Response(_workers[base], media_type="text/javascript")


@content("/offline")
async def no_network(request: Asked) -> Response[str]:
    """What the worker shows instead of a page that it doesn't keep."""
    language = language_of(request)
    return message(
        request,
        language("No network"),
        language("This page needs a network, and there is none. The scorekeeper works without."),
        back={"href": f"{base_of(request)}/score", "label": language("Keep score")},
    )


def _worker(base: str, files: Sequence[str]) -> str:
    source = _WORKER.read_text(encoding="utf-8")
    told = {"base": base, "page": f"{base}/score", "files": files, "linked": _LINKED}
    content = [(STATIC / name).read_bytes() for name in _fonts()]
    version = sha256(b"".join([source.encode(), json.dumps(told).encode(), *content])).hexdigest()
    return f"self.yacht = {json.dumps({'version': version[:12], **told})};\n{source}"


async def _files(request: Asked) -> Sequence[str]:
    """All that the pages ask for: what they name, their fonts, the icons of the manifest."""
    base = base_of(request)
    page = str((await scorekeeper.shown(request)).content)
    named = re.findall(rf'"({re.escape(base)}/[^"\s]*\?v=\w+)"', page)
    fonts = [f"{base}/static/{name}" for name in _fonts()]
    others = [*(f"{name}.css" for name in _LEAFLETS), *(name for name, *_ in _ICONS)]
    return sorted({*named, *fonts, *(address_of_static(name, base) for name in others)})


def _fonts() -> Sequence[str]:
    return sorted(file.name for file in STATIC.glob("*.woff2"))
