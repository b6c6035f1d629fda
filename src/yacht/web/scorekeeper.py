"""The scorekeeper for real dice: a page that keeps cards by itself, and what it needs to know.

The page holds no rule. It is told the order of the boxes and of the rolls, and loads a table of
what each roll gives in each box and of what each set of open boxes is worth.
"""

from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple

from litestar import Response, get

from yacht.engine.game import MOST_SEATS
from yacht.engine.rules import RULESETS, Ruleset, ruleset_named
from yacht.i18n import Language
from yacht.rooms.names import LONGEST_NAME
from yacht.web import scoretexts
from yacht.web.aside import aside
from yacht.web.rendering import pages_version, render
from yacht.web.visit import Asked, InPath, base_of, language_of

_YEAR = 365 * 24 * 3600


class Table(NamedTuple):
    """A ruleset for the page.

    ``content`` is a byte for each roll and box, roll after roll, and then what each set of open
    boxes is worth, as little-endian doubles: bit b of a set's number is for the b-th box.
    ``usual`` are the boxes' most usual points, ``version`` goes into the table's address.
    """

    content: bytes
    usual: dict[str, int]
    version: str


@get("/score")
async def score(request: Asked) -> Response[str]:
    """The page; once it is loaded, it asks nothing but the tables."""
    return Response(await text(language_of(request), base_of(request)), media_type="text/html")


async def text(language: Language, base: str) -> str:
    """The page in a language, as it is under this path."""
    tables = {key: await aside(_table, ruleset) for key, ruleset in RULESETS.items()}
    any_rules = next(iter(RULESETS.values()))
    told = {
        "rolls": ["".join(map(str, roll)) for roll in any_rules.rolls_sorted()],
        "players": MOST_SEATS,
        "letters": LONGEST_NAME,
        "rulesets": {
            key: {
                "boxes": [box.key for box in ruleset.categories],
                "usual": [tables[key].usual[box.key] for box in ruleset.categories],
                "rolls": ruleset.rolls,
                "table": f"{base}/score/table/{key}?v={tables[key].version}",
            }
            for key, ruleset in RULESETS.items()
        },
    }
    return render(
        "score.html",
        language,
        base,
        told=told,
        texts=scoretexts.texts(language),
        rulesets=RULESETS,
        first=next(iter(RULESETS)),
        players=MOST_SEATS,
        letters=LONGEST_NAME,
        version=pages_version(),
    )


@get("/score/table/{ruleset:str}")
async def table(request: Asked, ruleset: InPath) -> Response[bytes]:
    """A ruleset's table, to be kept under the address that names its version."""
    made = await aside(_table, ruleset_named(ruleset))
    named = request.query_params.get("v") == made.version
    cached = f"public, max-age={_YEAR}, immutable" if named else "no-store"
    return Response(
        made.content,
        media_type="application/octet-stream",
        headers={"Cache-Control": cached},
    )


@lru_cache
def _table(ruleset: Ruleset) -> Table:
    from yacht.strategy.solo import solved  # noqa: PLC0415 (NumPy)

    solver = solved(ruleset)
    points = bytes(box.score(roll) for roll in ruleset.rolls_sorted() for box in ruleset.categories)
    content = points + solver.values.astype("<f8").tobytes()
    return Table(content, solver.usual(), sha256(content).hexdigest()[:12])
