"""Links as QR codes."""

from functools import lru_cache

import segno
from markupsafe import Markup


@lru_cache(256)
def qr_code(link: str) -> Markup:
    """The link as an SVG within a page: the same at every rendering of a room's lobby."""
    code = segno.make(link, error="m", micro=False).svg_inline(border=4, omitsize=True)
    return Markup(code)  # noqa: S704 (made of our own link, escaped by segno)
