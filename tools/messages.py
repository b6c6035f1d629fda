"""``make messages``: every text of the source into every catalogue; translations stay.

``make messages NEW=de`` begins a catalogue for one more language.
"""

import ast
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

from babel import Locale
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po
from jinja2 import Environment, nodes

from yacht.i18n import LOCALE

_SOURCE = LOCALE.parent
_TAKES = {"N_": 1, "_": 1, "language": 1, "html": 1, "plural": 2}
"""How many messages each function takes: what ``Language`` offers, by the names it goes by."""

_COMMENT = """\
# {language} texts of Yacht. No native speaker has read them yet: corrections are welcome.
# docs/translating.md says how this file is kept and checked.
"""

_HEADER = """\
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
    """All messages of the source, each with the files that it is in.

    Raises ValueError where a text may be a message, but isn't given to a function by its name.
    """
    catalogue = Catalog(charset="utf-8")
    for kind, calls in (("py", _in_python), ("html", _in_template)):
        for file in sorted(_SOURCE.rglob(f"*.{kind}")):
            place = (file.relative_to(_SOURCE).as_posix(), 0)
            for line, name, arguments in calls(file.read_text()):
                texts = tuple(text for text in arguments if isinstance(text, str))
                if texts and not name:
                    raise ValueError(f"{file}:{line}: a text for a function without a name")
                if name in _TAKES and len(texts) >= _TAKES[name]:
                    message = texts[0] if _TAKES[name] == 1 else texts[:2]
                    catalogue.add(message, locations=[place])
    return catalogue


_Calls = Iterator[tuple[int, str, list[object]]]
"""The line, what is called, if it has a name, and with which constants. (Babel's own readers know
neither calls in f-strings nor ``_.plural`` in a template.)"""


def _in_python(source: str) -> _Calls:
    for call in ast.walk(ast.parse(source)):
        if isinstance(call, ast.Call):
            name = getattr(call.func, "attr", getattr(call.func, "id", ""))
            yield (
                call.lineno,
                name,
                [one.value for one in call.args if isinstance(one, ast.Constant)],
            )


def _in_template(source: str) -> _Calls:
    for call in Environment(autoescape=True).parse(source).find_all(nodes.Call):
        name = getattr(call.node, "attr", getattr(call.node, "name", ""))
        yield call.lineno, name, [one.value for one in call.args if isinstance(one, nodes.Const)]


def update(file: Path) -> tuple[int, int]:
    """Bring a catalogue up to date: how many messages it has, and how many lack a translation.

    The comment at its top stays as it is.
    """
    catalogue = Catalog(locale=file.stem, charset="utf-8")
    comment = _COMMENT.format(language=Locale.parse(file.stem).english_name)
    if file.exists():
        source = file.read_bytes()
        catalogue = read_po(BytesIO(source), locale=file.stem)
        comment = source.decode().partition('msgid ""')[0]
    catalogue.update(template(), no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    with file.open("wb") as writing:
        header = _HEADER.format(code=file.stem, plurals=catalogue.plural_forms)
        writing.write(f"{comment}{header}".encode())
        write_po(
            writing,
            catalogue,
            width=100,
            omit_header=True,
            sort_by_file=True,
            include_lineno=False,
        )
    missing = [one for one in catalogue if one.id and not all(forms(one.string))]
    return len(catalogue), len(missing)


def forms(text: Any) -> tuple[str, ...]:
    """The forms of a message or of its translation, one or several."""
    return (text or "",) if text is None or isinstance(text, str) else tuple(text)


def main(new: str = "") -> None:
    """Update all catalogues, and say what each lacks."""
    LOCALE.mkdir(exist_ok=True)
    codes = {file.stem for file in LOCALE.glob("*.po")} | {new.replace("-", "_")}
    for file in (LOCALE / f"{code}.po" for code in sorted(codes) if code):
        messages, missing = update(file)
        print(f"{file.relative_to(Path.cwd())}: {messages} messages, {missing} to translate")


if __name__ == "__main__":
    main(*sys.argv[1:])
