"""Names that people may give themselves and others."""

import unicodedata

from yacht.engine.reasons import IllegalMove, Reason

LONGEST_NAME = 24
MOST_SIGNS = 4 * LONGEST_NAME  # accents and joiners too
_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # Hangul fillers, the empty Braille cell
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def clean_name(name: str) -> str:
    """A player's name trimmed, 1 to 24 visible characters. Raises IllegalMove(BAD_NAME).

    Accents, joiners, spaces and letters without ink don't count as visible; signs that turn the
    direction of the text around them, and control characters, are refused.
    """
    name = " ".join(unicodedata.normalize("NFC", name).split())
    kinds = [unicodedata.category(sign) for sign in name]
    inked = [kind for sign, kind in zip(name, kinds, strict=True) if sign not in _BLANK]
    visible = sum(kind[0] not in "CMZ" for kind in inked)
    refused = {"Cc", "Cs", "Co", "Cn"}.intersection(kinds) or _TURNING.intersection(name)
    if refused or not 1 <= visible <= LONGEST_NAME or len(name) > MOST_SIGNS:
        raise IllegalMove(Reason.BAD_NAME, value=name, most=LONGEST_NAME)
    return name
