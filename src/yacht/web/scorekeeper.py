"""The scorekeeper for real dice: a page that keeps cards by itself, and what it needs to know.

The page holds no rule. It is told the order of the boxes and of the rolls, and loads a table of
what each roll gives in each box, what each set of open boxes is worth, and which points are the
most usual ones.
"""

from functools import lru_cache
from hashlib import sha256
from importlib.metadata import version

from litestar import Response, get
from litestar.exceptions import NotFoundException

from yacht.engine.game import MOST_SEATS
from yacht.engine.rules import RULESETS, Ruleset, ruleset_named
from yacht.rooms.names import LONGEST_NAME, MOST_SIGNS
from yacht.web import scoretexts
from yacht.web.aside import aside
from yacht.web.rendering import pages_version
from yacht.web.respond import page
from yacht.web.visit import Asked, InPath, base_of, keep_days_of, language_of

_YEAR = 365 * 24 * 3600


@get("/score")
async def score(request: Asked) -> Response[str]:
    """The page; once it is loaded, it asks nothing but the tables."""
    return await shown(request)


async def shown(request: Asked) -> Response[str]:
    """The page as this visitor sees it."""
    language, base = language_of(request), base_of(request)
    versions = {key: await aside(_version, ruleset) for key, ruleset in RULESETS.items()}
    any_rules = next(iter(RULESETS.values()))
    told = {
        "rolls": ["".join(map(str, roll)) for roll in any_rules.rolls_sorted()],
        "players": MOST_SEATS,
        "letters": LONGEST_NAME,
        "signs": MOST_SIGNS,
        "rulesets": {
            key: {
                "boxes": [box.key for box in ruleset.categories],
                "rolls": ruleset.rolls,
                "table": f"{base}/score/table/{key}?v={versions[key]}",
            }
            for key, ruleset in RULESETS.items()
        },
    }
    return page(
        request,
        "score.html",
        told=told,
        texts=scoretexts.texts(language),
        rulesets=RULESETS,
        first=next(iter(RULESETS)),
        signs=MOST_SIGNS,
        version=pages_version(),
        keep_days=keep_days_of(request),
    )


@get("/score/table/{ruleset:str}")
async def table(request: Asked, ruleset: InPath) -> Response[bytes]:
    """A ruleset's table, to be kept under the address that names its version."""
    rules = ruleset_named(ruleset)
    if request.query_params.get("v") != await aside(_version, rules):
        raise NotFoundException
    return Response(
        await aside(_table, rules),
        media_type="application/octet-stream",
        headers={"Cache-Control": f"public, max-age={_YEAR}, immutable"},
    )


@lru_cache
def _known(ruleset: Ruleset) -> bytes:
    """A byte for each roll and box, roll after roll, then what each set of open boxes is worth.

    The latter are little-endian doubles; bit b of a set's number is for the b-th box.
    """
    from yacht.strategy.solo import solved  # noqa: PLC0415 (NumPy)

    boxes = ruleset.categories
    points = bytes(box.score(roll) for roll in ruleset.rolls_sorted() for box in boxes)
    return points + solved(ruleset).values.astype("<f8").tobytes()


@lru_cache
def _version(ruleset: Ruleset) -> str:
    """What sets this table apart from those of other versions, without the second it takes."""
    return sha256(version("yacht").encode() + _known(ruleset)).hexdigest()[:12]


@lru_cache
def _table(ruleset: Ruleset) -> bytes:
    """All that is known, with a byte for the most usual points of each box at its end."""
    from yacht.strategy.solo import solved  # noqa: PLC0415 (NumPy)

    return _known(ruleset) + bytes(solved(ruleset).usual().values())
