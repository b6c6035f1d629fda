"""The analysis page: what to do with any dice on any card. Its address says what it shows."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Annotated
from urllib.parse import urlencode

import msgspec
from litestar import Response, get
from litestar.response import Redirect

from yacht.engine.position import (
    Position,
    read_card,
    read_dice,
    read_position,
    read_rolls,
    read_target,
)
from yacht.engine.reasons import IllegalMove, Reason
from yacht.engine.rules import CLASSIC, RULESETS, Dice, Ruleset
from yacht.strategy.advice import Advice, advise
from yacht.web.aside import aside
from yacht.web.faults import message_of, status_of
from yacht.web.limits import Act
from yacht.web.respond import page, see
from yacht.web.visit import Asked, allow, language_of

_MOST_OPEN = 8
"""With more boxes open, the chance of a target takes longer than an answer may."""

_DICE, _ROLLS = (1, 2, 2, 4, 6), 2


class Question(msgspec.Struct, frozen=True):
    """What can be asked, as it stands in an address."""

    dice: Annotated[str, msgspec.Meta(description="five faces, such as 12246")]
    rolls: Annotated[str, msgspec.Meta(description="how many rolls are left, 0 to 2")]
    filled: Annotated[
        str,
        msgspec.Meta(
            description="filled boxes, such as fours:16,ones; without points they count 0"
        ),
    ] = ""
    ruleset: Annotated[str, msgspec.Meta(description="classic or sum")] = CLASSIC.key
    target: Annotated[
        str,
        msgspec.Meta(description="rank by the chance of this total; with up to 8 boxes open"),
    ] = ""


@get("/analysis")
async def analysis(request: Asked) -> Response[str] | Redirect:
    """The ranking of every choice. The page's form comes here too, and is shown its address."""
    query = request.query_params
    if "do" in query:
        return see(request, f"/analysis?{_address(query)}")
    known = any(name in query for name in Question.__struct_fields__)
    question = asked(query) if known else Question("".join(map(str, _DICE)), str(_ROLLS))
    advice, notice, status = None, "", 200
    try:
        advice = await answer(request, question)
    except IllegalMove as illegal:
        notice, status = message_of(illegal, language_of(request)), status_of(illegal)
    ruleset = RULESETS.get(question.ruleset, CLASSIC)
    drawn = _drawn(question, ruleset)
    keep = advice.ranking.best.keep if advice else None
    return page(
        request,
        "analysis.html",
        status,
        notice=notice,
        advice=advice,
        ruleset=ruleset,
        rulesets=RULESETS,
        at=drawn,
        held=drawn.game.holding(keep or ()).positions,
        given=_given(ruleset),
        target=question.target,
    )


def asked(query: Mapping[str, str]) -> Question:
    """The question in an address; other names in it are passed over."""
    known = {name: query[name] for name in Question.__struct_fields__ if name in query}
    return Question(**{"dice": "", "rolls": "", **known})


def address(at: Position) -> str:
    """The address of this page for a position, below the site's own."""
    filled = [
        f"{box.key}:{points}" if points else box.key
        for box, points in zip(at.ruleset.categories, at.card.boxes, strict=True)
        if points is not None
    ]
    return _written(at.ruleset, at.dice, str(at.rolls_left), filled)


async def answer(request: Asked, question: Question) -> Advice:
    """The advice, from a thread: it may take a second. Raises IllegalMove, TooMany."""
    at = read_position(question.dice, question.rolls, question.filled, question.ruleset)
    target = read_target(question.target) if question.target else None
    still_open = at.card.boxes.count(None)
    if target is not None and still_open > _MOST_OPEN:
        raise IllegalMove(Reason.TARGET_TOO_FAR, value=still_open, most=_MOST_OPEN)
    if target is not None:  # without one it takes no longer than a page
        allow(request, Act.QUESTION)
    return await aside(advise, at.card, at.dice, at.rolls_left, at.ruleset, target)


def _drawn(question: Question, ruleset: Ruleset) -> Position:
    """What the page shows to be changed: of a question that can't be, the parts that can."""
    dice, rolls_left, card = _DICE, _ROLLS, read_card("", ruleset)
    with suppress(IllegalMove):
        dice = read_dice(question.dice, ruleset)
    with suppress(IllegalMove):
        rolls_left = read_rolls(question.rolls, ruleset)
    with suppress(IllegalMove):
        card = read_card(question.filled, ruleset)
    return Position(ruleset, card, dice, rolls_left)


def _address(form: Mapping[str, str]) -> str:
    """The question that the form asks, once the pressed button has done what it does.

    ``do`` is ``die-N`` to turn the die at this position to its next face, ``rolls-N``, the key of
    a ruleset, or anything else to show the form as it is.
    """
    question = asked(form)
    ruleset = RULESETS.get(question.ruleset, CLASSIC)
    drawn = _drawn(question, ruleset)
    dice, rolls_left = drawn.dice, drawn.rolls_left
    what, _, number = form["do"].partition("-")
    if what == "die" and number in map(str, range(ruleset.dice)):
        place = int(number)
        dice = (*dice[:place], dice[place] % ruleset.faces + 1, *dice[place + 1 :])
    filled = [
        key if points == "0" else f"{key}:{points}"
        for key, points in ((box.key, form.get(box.key, "")) for box in ruleset.categories)
        if points
    ]
    return _written(
        RULESETS.get(what, ruleset),
        dice,
        number if what == "rolls" else str(rolls_left),
        filled,
        question.target,
    )


def _written(
    ruleset: Ruleset, dice: Dice, rolls_left: str, filled: Sequence[str], target: str = ""
) -> str:
    """A question as the part of an address, as short as it can be."""
    pairs = {
        "ruleset": "" if ruleset is CLASSIC else ruleset.key,
        "dice": "".join(map(str, dice)),
        "rolls": rolls_left,
        "filled": ",".join(filled),
        "target": target,
    }
    return urlencode({name: text for name, text in pairs.items() if text}, safe=":,")


@lru_cache
def _given(ruleset: Ruleset) -> dict[str, list[int]]:
    """The points that can stand in each box, 0 for those that are left out."""
    return {box.key: sorted({0} | ruleset.given(box.key)) for box in ruleset.categories}
