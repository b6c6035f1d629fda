"""A language whose texts say where they begin and end: what isn't one of them is found."""

import shutil
import unicodedata
from collections.abc import Collection
from io import BytesIO
from pathlib import Path

from babel.messages.pofile import read_po, write_po

from tools.messages import forms, update
from yacht.i18n import LOCALE

OPEN, CLOSE = "⟦", "⟧"


def marked(text: str) -> str:
    return f"{OPEN}{text}{CLOSE}"


def unmarked(text: str, names: Collection[str]) -> str:
    """The letters and commas outside all marks in a text that aren't of a player's name."""
    depth, outside = 0, ""
    for sign in text:
        depth += (sign == OPEN) - (sign == CLOSE)
        assert depth >= 0, f"a mark closes that wasn't opened: {text[:80]}"
        outside += "" if depth else sign
    assert depth == 0, f"a mark opens that isn't closed: {text[:80]}"
    for name in names:
        outside = outside.replace(name, "")
    return "".join(sign for sign in outside if unicodedata.category(sign)[0] == "L" or sign == ",")


def package_with(folder: Path, *codes: str) -> Path:
    """A folder with a copy of the package that has these languages too, their texts marked.

    Programs with it as their PYTHONPATH have them. No line of the copy differs.
    """
    copy = folder / "yacht"
    shutil.copytree(LOCALE.parent, copy)
    for code in codes:
        file = copy / LOCALE.name / f"{code}.po"
        update(file)
        catalogue = read_po(BytesIO(file.read_bytes()), locale=code)
        for message in catalogue:
            one, *many = map(marked, forms(message.id))
            message.string = (one, *many * (catalogue.num_plurals - 1)) if many else one
        with file.open("wb") as writing:
            write_po(writing, catalogue)
    return folder
