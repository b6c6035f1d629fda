"""Text that any terminal can take: no sign its encoding lacks, none that would steer it."""

import codecs
import io
import os
import sys
import unicodedata
from pathlib import Path

_LONGEST = 60
_REPLACED = "\ufffd"

# One column for one column, so that what is drawn stays in line.
_SUBSTITUTES = str.maketrans(
    "’“”„–−×·●▸█─│┌┐└┘═║╔╗╚╝đĐ",
    '\'"""--x-o>#-|++++=#####dD',
)
_TURNS_TEXT = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


def fit_streams() -> None:
    """Write a plain sign for one that the encoding lacks, and read bytes that aren't text.

    A stream that was closed before the program started is an empty one.
    """
    codecs.register_error("yacht", _instead)
    for name, mode, errors in (
        ("stdin", "r", "replace"),
        ("stdout", "w", "yacht"),
        ("stderr", "w", "yacht"),
    ):
        stream = getattr(sys, name)
        if stream is None:
            empty = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115 (to the end)
            setattr(sys, name, empty)
        elif isinstance(stream, io.TextIOWrapper):  # not one that a program put in its place
            stream.reconfigure(errors=errors)


def safe(text: str) -> str:
    """The text without control signs and without signs that turn the text around them."""
    return "".join(sign if _is_harmless(sign) else _REPLACED for sign in text)


def short(text: str) -> str:
    """The text, cut after 60 signs."""
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _is_harmless(sign: str) -> bool:
    return (
        unicodedata.category(sign) not in {"Cc", "Cs", "Zl", "Zp"}
        and unicodedata.bidirectional(sign) not in _TURNS_TEXT
    )


def _instead(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_ascii, error.object[error.start : error.end])), error.end


def _ascii(sign: str) -> str:
    """A sign in ASCII, in as many columns."""
    plain = unicodedata.normalize("NFKD", sign.translate(_SUBSTITUTES))
    if kept := plain.encode("ascii", "ignore").decode():
        return kept
    if unicodedata.category(sign) in {"Mn", "Me", "Cf"}:
        return ""
    return "??" if unicodedata.east_asian_width(sign) in "WF" else "?"
