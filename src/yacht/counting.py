"""What boxes count and what sets rulesets apart, in sentences. All that depends on one is here."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from yacht.engine.rules import RULESETS as RULES
from yacht.engine.rules import Category, Ruleset, score
from yacht.i18n import N_, Language


class Counts(NamedTuple):
    """What a box counts: as a sentence, and in the few words that a card has room for.

    ``{n}`` are the most points that the box can give.
    """

    sentence: str
    reminder: str


@dataclass(frozen=True, slots=True)
class Told:
    """What is said of a ruleset: its name, what each combination counts, and the rest.

    ``difference`` has an example, whose points are ``{n}``. ``tip`` is why Four of a Kind is worth
    its number, ``fifth_die`` what to do with four alike and a roll left.
    """

    name: str
    difference: str
    boxes: Mapping[str, Counts]
    tip: str
    fifth_die: str


_COMMON = {
    "full_house": Counts(
        N_("Three of one face and two of another, all five added up."),
        N_("Three alike and two others alike: add all five"),
    ),
    "little_straight": Counts(
        N_("One to five, each of them, in any order."), N_("1-2-3-4-5 in any order: {n}")
    ),
    "big_straight": Counts(
        N_("Two to six, each of them, in any order."), N_("2-3-4-5-6 in any order: {n}")
    ),
    "choice": Counts(N_("Any dice at all, added up."), N_("Any dice: add all five")),
    "yacht": Counts(N_("Five alike, whichever face."), N_("Five alike: {n}")),
}

RULESETS = {
    "classic": Told(
        name=N_("Classic"),
        difference=N_("Four of a Kind counts four times the face: 4-4-4-4-1 gives {n}."),
        boxes=_COMMON
        | {
            "four_of_a_kind": Counts(
                N_("Four alike, or five: four times their face. The fifth die never counts."),
                N_("Four alike: four times their face"),
            )
        },
        tip=N_("Four of a Kind pays four times its face, so high faces matter."),
        fifth_die=N_(
            "Four alike, and a roll left. Write them or roll the fifth die again: it makes no "
            "difference, because that die never counts."
        ),
    ),
    "sum": Told(
        name=N_("Sum"),
        difference=N_("Four of a Kind counts all five dice: 4-4-4-4-1 gives {n}."),
        boxes=_COMMON
        | {
            "four_of_a_kind": Counts(
                N_("Four alike, or five: all five dice added up."), N_("Four alike: add all five")
            )
        },
        tip=N_("Four of a Kind counts all five dice, so high ones matter."),
        fifth_die=N_(
            "Four alike, and a roll left. The fifth die counts, so the low one is worth rolling "
            "again."
        ),
    ),
}


def name(ruleset: str, language: Language) -> str:
    return language(RULESETS[ruleset].name)


def difference(ruleset: str, language: Language) -> str:
    """What sets a ruleset apart, in a sentence with an example."""
    given = score((4, 4, 4, 4, 1), "four_of_a_kind", RULES[ruleset])
    return language(RULESETS[ruleset].difference, n=given)


def counts(category: Category, ruleset: Ruleset, language: Language) -> Counts:
    """What a box counts, in this language."""
    if category.face:
        every = language("Every {n} counts {n}.", n=category.face)
        return Counts(every, every)
    told, most = RULESETS[ruleset.key].boxes[category.key], ruleset.most(category.key)
    return Counts(*(language(text, n=most) for text in told))
