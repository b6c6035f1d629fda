"""What lets the scorekeeper be installed and work without a network."""

import json
import re
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import msgspec
from litestar import Response, get
from litestar.exceptions import NotFoundException

from yacht.web import scorekeeper
from yacht.web.rendering import STATIC, address_of_static, colour, pages_version
from yacht.web.visit import Asked, base_of, language_of

_WORKER = Path(__file__).with_name("worker.js")
_ICONS = (
    ("icon.svg", "any", "any"),
    ("icon-192.png", "192x192", "any"),
    ("icon-512.png", "512x512", "any"),
    ("icon-maskable.png", "512x512", "maskable"),
)


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
    files = await _files(request)
    source = _WORKER.read_text(encoding="utf-8")
    content = [(STATIC / name).read_bytes() for name in _fonts()]
    version = sha256(b"".join([source.encode(), *map(str.encode, files), *content])).hexdigest()
    kept = {"version": version[:12], "base": base, "page": f"{base}/score", "files": files}
    return Response(f"self.yacht = {json.dumps(kept)};\n{source}", media_type="text/javascript")


async def _files(request: Asked) -> Sequence[str]:
    """All that the page asks for: what it names, its style's fonts, its manifest with the icons."""
    base = base_of(request)
    page = str((await scorekeeper.shown(request)).content)
    named = re.findall(rf'"({re.escape(base)}/[^"\s]*\?v=\w+)"', page)
    fonts = [f"{base}/static/{name}" for name in _fonts()]
    icons = [address_of_static(name, base) for name, *_ in _ICONS]
    return sorted({*named, *fonts, *icons})


def _fonts() -> Sequence[str]:
    return sorted(file.name for file in STATIC.glob("*.woff2"))
