"""Names that people may give themselves and others."""

import unicodedata

from yacht.engine.reasons import IllegalMove, Reason

LONGEST_NAME = 24
MOST_SIGNS = 4 * LONGEST_NAME  # accents and joiners too
_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # Hangul fillers, the empty Braille cell
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_PLANES = range(0, 0x110000, 0x10000)
_NO_CHARACTERS = frozenset(
    map(
        chr,
        [*range(0xFDD0, 0xFDF0), *(plane + end for plane in _PLANES for end in (0xFFFE, 0xFFFF))],
    )
)


def clean_name(name: str) -> str:
    """A player's name trimmed, 1 to 24 visible characters. Raises IllegalMove(BAD_NAME).

    Accents, joiners, spaces and letters without ink don't count as visible; signs that turn the
    direction of the text around them, control characters and what is no character are refused.
    """
    name = " ".join(name.split())
    if len(name) <= MOST_SIGNS:  # to normalize a long row of accents takes seconds
        name = unicodedata.normalize("NFC", name)
    visible = sum(map(_is_visible, name))
    refused = any(map(_is_refused, name))
    if refused or not 1 <= visible <= LONGEST_NAME or len(name) > MOST_SIGNS:
        raise IllegalMove(Reason.BAD_NAME, value=name[:MOST_SIGNS], most=LONGEST_NAME)
    return name


def _is_visible(sign: str) -> bool:
    kind = unicodedata.category(sign)
    return kind == "Cn" or (kind[0] not in "CMZ" and sign not in _BLANK)


def _is_refused(sign: str) -> bool:
    return (
        unicodedata.category(sign) in {"Cc", "Cs", "Co"}
        or sign in _TURNING
        or sign in _NO_CHARACTERS
    )
