"""Templates to text: what every page knows, and the addresses of static files."""

import re
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

from yacht import advising, counting, words
from yacht.engine.rules import RULESETS
from yacht.i18n import LANGUAGES, Language
from yacht.view import GameView

STATIC = Path(__file__).parent / "static"

EXAMPLES = {
    "ones": (1, 1, 1, 4, 6),
    "twos": (2, 2, 2, 3, 5),
    "threes": (3, 3, 3, 3, 6),
    "fours": (4, 4, 1, 3, 6),
    "fives": (5, 5, 5, 2, 1),
    "sixes": (6, 6, 6, 2, 4),
    "full_house": (5, 5, 5, 2, 2),
    "four_of_a_kind": (4, 4, 4, 4, 1),
    "little_straight": (1, 2, 3, 4, 5),
    "big_straight": (2, 3, 4, 5, 6),
    "choice": (6, 6, 5, 4, 4),
    "yacht": (3, 3, 3, 3, 3),
}
"""Dice that show what each box is for; their points are the engine's."""


def render(template: str, language: Language, base: str, **values: object) -> str:
    """A page as text."""

    def static(name: str) -> str:
        return address_of_static(name, base)

    return _environment.get_template(template).render(
        _=language, base=base, static=static, **_SHARED, **values
    )


@lru_cache
def static_file(name: str) -> bytes:
    """A static file as it is sent: a script names the versions of those that it imports."""

    def versioned(found: re.Match[bytes]) -> bytes:
        return b'from "./%b?v=%b"' % (found[1], _version(found[1].decode()).encode())

    content = (STATIC / name).read_bytes()
    return (
        re.sub(rb'from "\./([a-z-]+\.js)"', versioned, content) if name.endswith(".js") else content
    )


def address_of_static(name: str, base: str) -> str:
    """The address of a static file, which says which version of it this is."""
    return f"{base}/static/{name}?v={_version(name)}"


def game_values(seen: GameView, language: Language, here: str) -> dict[str, object]:
    """What the templates of a game need besides."""
    title = words.turn_of(seen, language)
    if seen.over:
        title = words.plays_again(seen, language) or words.outcome(seen, language)
    if seen.friends and not seen.friends.begun:
        title = words.lobby(seen, language)
    return {
        "seen": seen,
        "here": here,
        "title": f"{title} · {language('Yacht')}",
        "dice": RULESETS[seen.ruleset].dice,
        "sections": RULESETS[seen.ruleset].sections,
    }


def names_version(path: str, query: bytes) -> bool:
    """Whether the address of a static file that is here says which version of it this is."""
    name = path.rpartition("/")[2]
    return (STATIC / name).is_file() and query == f"v={_version(name)}".encode()


@lru_cache
def pages_version() -> str:
    """What sets the texts of this version's pages apart from those of others."""
    package = Path(__file__).parent.parent
    files = [file for kind in ("*.html", "*.po") for file in sorted(package.rglob(kind))]
    return sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:12]


@lru_cache
def colour(name: str) -> str:
    """A colour of the style in light, which has each as a property."""
    style = (STATIC / "yacht.css").read_text(encoding="utf-8")
    found = re.search(rf"--{name}: (#[0-9a-f]+);", style)
    if found is None:
        raise ValueError(name)
    return found[1]


@lru_cache
def _version(name: str) -> str:
    return sha256(static_file(name)).hexdigest()[:12]


_environment = Environment(
    loader=PackageLoader("yacht.web"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_SHARED = {
    "advising": advising,
    "counting": counting,
    "words": words,
    "examples": EXAMPLES,
    "languages": LANGUAGES.values(),
}
