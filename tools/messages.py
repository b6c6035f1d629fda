"""``make messages``: every text of the source into every catalogue; translations stay.

``make messages NEW=de`` begins a catalogue for one more language.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from babel import Locale
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po, write_po
from jinja2 import Environment, nodes

from yacht.i18n import LOCALE

_SOURCE = LOCALE.parent
_KEYWORDS = {"N_": None, "_": None, "language": None, "html": None, "plural": (1, 2)}
"""The functions that take messages: what ``Language`` offers, by the names it goes by."""

_HEADER = """\
# {language} texts of Yacht. No native speaker has read them yet: corrections are welcome.
# docs/translating.md says how this file is kept and checked.
msgid ""
msgstr ""
"Project-Id-Version: Yacht\\n"
"Language: {code}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: {plurals}\\n"

"""


def template() -> Catalog:
    """All messages of the source, each with the files that it is in."""
    catalogue = Catalog(charset="utf-8")
    for file in sorted(_SOURCE.rglob("*.py")):
        found = extract_from_file("python", file, _KEYWORDS, comment_tags=("Translators:",))
        for _, message, comments, _ in found:
            place = (file.relative_to(_SOURCE).as_posix(), 0)
            catalogue.add(message, locations=[place], auto_comments=comments)
    for file in sorted(_SOURCE.rglob("*.html")):
        for message in _in_template(file.read_text()):
            catalogue.add(message, locations=[(file.relative_to(_SOURCE).as_posix(), 0)])
    return catalogue


def _in_template(source: str) -> Iterator[str | tuple[str, str]]:
    """Jinja's own extraction doesn't know ``_.plural`` and ``_.html``."""
    for call in Environment(autoescape=True).parse(source).find_all(nodes.Call):
        called = call.node
        name = getattr(called, "attr", getattr(called, "name", ""))
        texts = [one.value for one in call.args if isinstance(one, nodes.Const)]
        if name in _KEYWORDS and texts and isinstance(texts[0], str):
            yield (texts[0], texts[1]) if _KEYWORDS[name] else texts[0]


def update(file: Path) -> tuple[int, int]:
    """Bring a catalogue up to date: how many messages it has, and how many lack a translation."""
    catalogue = Catalog(locale=file.stem, charset="utf-8")
    if file.exists():
        with file.open("rb") as reading:
            catalogue = read_po(reading, locale=file.stem)
    catalogue.update(template(), no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    language, plurals = Locale.parse(file.stem).english_name, catalogue.plural_forms
    with file.open("wb") as writing:
        header = _HEADER.format(language=language, code=file.stem, plurals=plurals)
        writing.write(header.encode())
        write_po(
            writing,
            catalogue,
            width=100,
            omit_header=True,
            sort_by_file=True,
            include_lineno=False,
        )
    missing = [message for message in catalogue if message.id and not _is_whole(message)]
    return len(catalogue), len(missing)


def _is_whole(message: Message) -> bool:
    strings = message.string if isinstance(message.string, tuple) else (message.string,)
    return all(strings)


def main(new: str = "") -> None:
    """Update all catalogues, and say what each lacks."""
    LOCALE.mkdir(exist_ok=True)
    codes = {file.stem for file in LOCALE.glob("*.po")} | {new}
    for file in (LOCALE / f"{code}.po" for code in sorted(codes) if code):
        messages, missing = update(file)
        print(f"{file.relative_to(Path.cwd())}: {messages} messages, {missing} to translate")


if __name__ == "__main__":
    main(*sys.argv[1:])
