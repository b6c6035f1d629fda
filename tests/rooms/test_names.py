"""Players' names: text of 1 to 24 visible characters, whatever it tries to be."""

import unicodedata
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yacht.engine.reasons import IllegalMove, Reason
from yacht.rooms import names
from yacht.rooms.names import clean_name

FAMILY = "👩\u200d👩\u200d👧\u200d👦"
SCOTLAND = "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"

NAMES = [
    # what is typed, what is kept
    ("Ana", "Ana"),
    ("  Ana  ", "Ana"),
    ("Ana\n", "Ana"),
    ("Ana \t\u3000\u00a0 Maria", "Ana Maria"),
    ("<script>alert(1)</script>", None),  # 25 visible
    ("<b>Ana</b>", "<b>Ana</b>"),
    ("<img src=x onerror=a()>", "<img src=x onerror=a()>"),
    ('"><svg/onload=a()>', '"><svg/onload=a()>'),
    ("&lt;Ana&amp;", "&lt;Ana&amp;"),
    ("{{ 7 * 7 }}", "{{ 7 * 7 }}"),
    ("{% raw %}${7*7}#{7}", "{% raw %}${7*7}#{7}"),
    ("%s %(name)s {0}", "%s %(name)s {0}"),
    ("'; DROP TABLE room;--", "'; DROP TABLE room;--"),
    ("\u202eanA", None),  # overrides and embeddings turn what stands around them
    ("A\u202a", None),
    ("A\u202b\u202c", None),
    ("A\u202dB", None),
    ("\u2066A\u2069", None),
    ("\u2067A", None),
    ("\u2068A", None),
    ("דוד", "דוד"),
    ("דוד\u200f", "דוד\u200f"),  # marks are part of how such names are written
    ("Ana\u200e", "Ana\u200e"),
    ("🎲", "🎲"),
    (FAMILY, FAMILY),
    (FAMILY * 6, FAMILY * 6),  # 24 people
    (FAMILY * 6 + "🎲", None),
    (SCOTLAND, SCOTLAND),
    ("❤\ufe0f" * 24, "❤\ufe0f" * 24),
    ("A" * 24, "A" * 24),
    ("A" * 25, None),
    ("A" * 200, None),
    ("A " * 24, ("A " * 24).strip()),
    ("A " * 25, None),
    ("", None),
    (" ", None),
    ("\t\n\u3000\u00a0\u2003", None),
    ("\u200b\u200d\u2060\ufeff", None),
    ("\u200f", None),
    ("\u0301\u0301", None),
    ("\u3164", None),  # letters and signs without ink
    ("\u115f\u1160", None),
    ("\u2800\u2800", None),
    ("\uffa0", None),
    ("A\u3164", "A\u3164"),
    ("A\x00", None),
    ("A\x07B", None),
    ("A\x1b[31m", None),
    ("A\x7f", None),
    ("A\x9b", None),
    ("A\x85B", "A B"),  # the old controls that are line ends
    ("A\u2028B\u2029C", "A B C"),
    ("A\ud800", None),
    ("A\ue000", None),  # private use
    ("A\uffff", None),  # no character
    ("A\U0003fffe", None),
    ("A\ufdd0", None),
    ("Ana \U0001fae8", "Ana \U0001fae8"),  # newer than this Python's tables
    ("\U000e1234" * 24, "\U000e1234" * 24),
    ("a" + "\u0315" * 15_800 + "\u0300" * 15_800, None),
    (" " * 10_000 + "Ana", "Ana"),
    ("Jose\u0301", "José"),
    ("e\u0301" * 24, "é" * 24),
    ("Å\u212b", "ÅÅ"),
    ("q\u0301" * 24, "q\u0301" * 24),
    ("Z\u0334\u0349\u0311a\u0338lgo", "Z\u0334\u0349\u0311a\u0338lgo"),
    ("Z" + "\u0334\u0349" * 48, None),  # 97 characters, one of them visible
    ("q\u0334\u0349\u0311" * 24, "q\u0334\u0349\u0311" * 24),
    ("q\u0334\u0349\u0311\u0312" * 24, None),
]


@pytest.mark.parametrize(("typed", "kept"), NAMES)
def test_names(typed: str, kept: str | None):
    """A name is trimmed and composed, and kept as text if it has 1 to 24 visible characters."""
    if kept is None:
        with pytest.raises(IllegalMove) as refused:
            clean_name(typed)
        assert refused.value.reason is Reason.BAD_NAME
        assert refused.value.values["most"] == 24
    else:
        assert clean_name(typed) == kept


def test_a_long_row_of_accents_is_refused_unread(monkeypatch: pytest.MonkeyPatch):
    """To compose such a row takes the square of its length: seconds, in which nobody is served."""
    composed = list[int]()

    def normalize(form: Literal["NFC"], name: str) -> str:
        composed.append(len(name))
        return name

    monkeypatch.setattr(names.unicodedata, "normalize", normalize)
    with pytest.raises(IllegalMove):
        clean_name("a" + "\u0315" * 15_800 + "\u0300" * 15_800)
    assert clean_name("Ana") == "Ana"
    assert composed == [3]


@given(st.text(max_size=60) | st.text(st.characters(categories=["Mn", "Lo", "Zs", "Cf"])))
def test_clean_names(typed: str):
    """A cleaned name stays as it is when cleaned again, and is safe to write and to show."""
    try:
        name = clean_name(typed)
    except IllegalMove as refused:
        assert refused.reason is Reason.BAD_NAME  # noqa: PT017 (most texts are refused)
        return
    assert clean_name(name) == name
    assert name == unicodedata.normalize("NFC", name).strip()
    assert not {"Cc", "Cs", "Zl", "Zp"}.intersection(map(unicodedata.category, name))
    assert 1 <= len(name.encode().decode()) <= 96
