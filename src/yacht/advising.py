"""Advice in sentences: what to do, why, and what it teaches."""

from yacht import counting, words
from yacht.engine.rules import RULESETS, score
from yacht.i18n import N_, Language
from yacht.strategy.advice import Advice, Held, Option, Play, Scored, Tip

_NAMED = 3  # boxes, as many as a sentence can hold
_RUN = 3  # faces
_LEAST, _SURE = 0.0005, 0.9995  # chances that are told; the others are 0 % and 100 %
_EQUAL = 1e-9

_TIPS = {
    Tip.KEEP_OPEN: N_("Early on, hold dice that keep several boxes open."),
    Tip.STRAIGHTS_EXACT: N_("Straights are exact: hold four of the five and roll the odd die."),
    Tip.CHOICE_IS_INSURANCE: N_("Choice is insurance, for dice that nothing else takes."),
    Tip.ZERO_CAN_BE_RIGHT: N_("A zero can be right: give up the box that costs you least."),
    Tip.LOOK_AT_EVERY_BOX: N_("Look at every open box before you score."),
}


def tip(advice: Advice, language: Language) -> str:
    """What the best choice is an example of, or nothing."""
    if advice.tip is None:
        return ""
    if advice.tip is Tip.FOUR_PAYS_HIGH:
        return language(counting.RULESETS[advice.ruleset].tip)
    return language(_TIPS[advice.tip])


def play(choice: Play, advice: Advice, language: Language) -> str:
    """What to do: “Hold 2-2”, “Score 16 in Fours”."""
    if choice.score is not None:
        given = score(advice.dice, choice.score, RULESETS[advice.ruleset])
        return words.choose(choice.score, given, language)
    if choice.keep:
        return language("Hold {dice}", dice=words.held(choice.keep))
    return language("Roll all five dice")


def worth(choice: Option, language: Language) -> str:
    """An expected total with one decimal, or a chance as a percentage."""
    if choice.expected_total is None:
        return language.percent(choice.chance or 0)
    return language.decimal(choice.expected_total)


def loss(lost: float, advice: Advice, language: Language) -> str:
    """What is given up against the best, as the choices of this advice are valued."""
    if advice.ranking.expected_total is None:
        return language.percent(lost)
    return language.decimal(lost)


def reason(advice: Advice, language: Language) -> str:
    """Why the best choice is best, in one or two sentences that name boxes of this card."""
    match advice.why:
        case Held():
            first = _hopes(advice.why, advice, language)
        case Scored():
            first = _zero(advice.why, advice, language)
    return " ".join(filter(None, [first, _runner_up(advice, language)]))


def _hopes(held: Held, advice: Advice, language: Language) -> str:
    """What the turn may end with: the held face's box, then the combinations likeliest met."""
    boxes = RULESETS[advice.ruleset]
    faces = {
        prospect: boxes.categories[boxes.index(prospect.box)].face for prospect in held.prospects
    }
    keep = set(advice.ranking.best.keep or ())
    numbers = sorted(filter(faces.get, held.prospects), key=lambda one: -one.points)
    met = sorted(
        (one for one in held.prospects if not faces[one] and _LEAST < one.chance < _SURE),
        key=lambda one: -one.chance,
    )
    numbers = [one for one in numbers if faces[one] in keep] or numbers
    if met:
        numbers = numbers[:1] if 0 < len(keep) < _RUN else []  # a run is held for a straight
    hopes = [
        *(
            language(
                "{box} {n} on average",
                box=words.box(one.box, language),
                n=language.decimal(one.points),
            )
            for one in numbers
        ),
        *(
            language(
                "{box} {chance}",
                box=words.box(one.box, language),
                chance=language.percent(one.chance),
            )
            for one in met
        ),
    ]
    if not hopes:
        return ""
    return language("By the turn’s end: {hopes}.", hopes=words.listed(hopes[:_NAMED], language))


def _zero(scored: Scored, advice: Advice, language: Language) -> str:
    """What giving up a box would cost, unless that is one of the two best choices anyway."""
    zero = scored.zero
    if zero is None or zero.box in {choice.score for choice in advice.ranking.choices[:2]}:
        return ""
    return language(
        "The cheapest box to give up is {box}: {loss} less.",
        box=words.box(zero.box, language),
        loss=loss(zero.loss, advice, language),
    )


def _runner_up(advice: Advice, language: Language) -> str:
    """The second choice, what it costs, and what it would close."""
    if not advice.ranking.choices[1:]:
        return ""
    other = advice.ranking.choices[1]
    choice = play(other, advice, language)
    if other.loss < _EQUAL:
        return language("Just as good: {choice}.", choice=choice)
    less = loss(other.loss, advice, language)
    if less == loss(0, advice, language):
        return language("Nearly as good: {choice}.", choice=choice)
    if isinstance(advice.why, Held) and other.keep is not None and advice.why.opens:
        closed = [words.box(box, language) for box in advice.why.opens[:_NAMED]]
        return language(
            "Next best: {choice}, {loss} less, but that rules out {boxes}.",
            choice=choice,
            loss=less,
            boxes=words.listed(closed, language),
        )
    return language("Next best: {choice}, {loss} less.", choice=choice, loss=less)
