"""Every catalogue is whole, fits the source, and says things as its language does."""

import re
import subprocess
from collections.abc import Iterable
from pathlib import Path
from string import Formatter

import pytest
from babel import Locale
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from tools import messages as messages_of
from tools.messages import forms, template
from yacht import words
from yacht.i18n import LANGUAGES, LOCALE, first_known
from yacht.web import scoretexts

CODES = sorted(file.stem for file in LOCALE.glob("*.po"))
"""The languages but English, as gettext names them: pt_BR."""

TEMPLATE = template()


def catalogue(code: str) -> Catalog:
    with (LOCALE / f"{code}.po").open("rb") as file:
        return read_po(file, locale=code)


def messages(code: str) -> Iterable[Message]:
    return (message for message in catalogue(code) if message.id)


def test_six_languages() -> None:
    assert LANGUAGES.keys() >= {"en", "bs", "hr", "sk", "sv", "id"}


@pytest.mark.parametrize("code", CODES)
def test_its_name_is_a_code_of_cldr(code: str) -> None:
    """So that numbers, dates and plural forms are its own, and pages can name it."""
    assert str(Locale.parse(code)) == code


def test_no_text_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A text is found by the name of the function that takes it; one without a name is refused."""
    monkeypatch.setattr(messages_of, "_SOURCE", tmp_path)
    (tmp_path / "page.html").write_text('{{ _("One") }} {{ _.plural("{n} die", "{n} dice", 2) }}')
    (tmp_path / "code.py").write_text('f"{language(\'Two\')}"\nlanguage.html("Three")\nother("x")')
    found = {forms(message.id) for message in template() if message.id}
    assert found == {("One",), ("{n} die", "{n} dice"), ("Two",), ("Three",)}
    (tmp_path / "code.py").write_text('\nlanguage_of(request)(\n  "Four")')
    with pytest.raises(ValueError, match=r"code\.py:2: "):
        template()
    (tmp_path / "code.py").unlink()
    (tmp_path / "page.html").write_text('\n\n{{ chosen()("Five") }}')
    with pytest.raises(ValueError, match=r"page\.html:3: "):
        template()


@pytest.mark.parametrize("code", CODES)
def test_every_message_is_translated(code: str) -> None:
    """It has just the messages of the source, each in all forms that the language has."""
    found = catalogue(code)
    ids = {forms(message.id) for message in messages(code)}
    assert ids == {forms(message.id) for message in TEMPLATE if message.id}, "run make messages"
    for message in messages(code):
        assert not message.fuzzy, message.id
        count = found.num_plurals if message.pluralizable else 1
        assert len(forms(message.string)) == count, message.id
        assert all(form.strip() for form in forms(message.string) if message.id != ", "), message.id


@pytest.mark.parametrize("code", CODES)
def test_placeholders_are_the_same(code: str) -> None:
    """Each form names what the message names, so that nothing is left out or can't be filled in."""

    def names(text: str) -> set[str]:
        braces = {name for _, name, _, _ in Formatter().parse(text) if name is not None}
        return braces | set(re.findall(r"%(?:\(\w+\))?[sr]", text))

    for message in messages(code):
        for form in forms(message.string):
            assert names(form) == names(forms(message.id)[-1]), (message.id, form)


@pytest.mark.parametrize("code", CODES)
def test_gettext_accepts_it(code: str) -> None:
    """GNU gettext's own check finds no error."""
    file = LOCALE / f"{code}.po"
    checked = subprocess.run(
        ["msgfmt", "-c", "-o", "/dev/null", file], capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stderr


@pytest.mark.parametrize("code", CODES)
def test_it_says_whether_a_native_speaker_has_read_it(code: str) -> None:
    first, _, _ = (LOCALE / f"{code}.po").read_text().partition("\n")
    assert re.search("No native speaker has read them yet|Read by a native speaker", first)


BOXES = {
    "bs": "Jedinice Dvojke Trojke Četvorke Petice Šestice Full_House Četiri_iste Mala_skala"
    " Velika_skala Izbor Yacht",
    "hr": "Jedinice Dvojke Trojke Četvorke Petice Šestice Full_House Četiri_iste Mala_skala"
    " Velika_skala Izbor Yacht",
    "sk": "Jednotky Dvojky Trojky Štvorky Päťky Šestky Full_House Štvorica Malá_postupka"
    " Veľká_postupka Voľba Yacht",
    "sv": "Ettor Tvåor Treor Fyror Femmor Sexor Kåk Fyrtal Liten_stege Stor_stege Chans Yacht",
    "id": "Satu Dua Tiga Empat Lima Enam Full_House Four_of_a_Kind Little_Straight Big_Straight"
    " Choice Yacht",
}
"""What players of dice games call the boxes."""


@pytest.mark.parametrize("code", BOXES)
def test_boxes(code: str) -> None:
    named = [words.box(key, LANGUAGES[code]) for key in words.BOXES]
    assert named == [name.replace("_", " ") for name in BOXES[code].split()]


LABELS = {
    "Roll": "Baci, Baci, Hodiť, Kasta, Lempar",
    "Hold": "Zadrži, Zadrži, Podržať, Behåll, Simpan",
    "Score": "Upiši, Upiši, Zapísať, Skriv in, Catat",
    "Undo": "Poništi, Poništi, Vrátiť, Ångra, Batalkan",
    "Hint": "Prijedlog, Prijedlog, Nápoveda, Förslag, Petunjuk",
    "Rules": "Pravila, Pravila, Pravidlá, Regler, Peraturan",
    "Tips": "Savjeti, Savjeti, Tipy, Tips, Tips",
    "Total": "Ukupno, Ukupno, Spolu, Summa, Total",
    "Turn": "Potez, Potez, Ťah, Tur, Giliran",
    "Points": "Bodovi, Bodovi, Body, Poäng, Poin",
    "Player": "Igrač, Igrač, Hráč, Spelare, Pemain",
    "Computer": "Računar, Računalo, Počítač, Datorn, Komputer",
    "Scorecard": "Tabela rezultata, Tablica rezultata, Výsledková tabuľka, Poängprotokoll, "
    "Kartu skor",
    "A tie": "Neriješeno, Neriješeno, Remíza, Oavgjort, Seri",
    "Turn: {name}": "Na potezu: {name}, Na potezu: {name}, Na ťahu: {name}, Tur: {name}, "
    "Giliran: {name}",
}
"""What is a control or a heading."""

WITHIN = {
    "Roll {n}": "bacanje, bacanje, hod, kast, lemparan",
    "All held": "zadržano, zadržano, podržané, behålls, disimpan",
    "Hold or release a die": "pusti, pusti, uvoľniť, släpp, lepas",
    "Better: roll all dice again": "ponovo baci, ponovno baci, hodiť znova, kasta om, lempar ulang",
    "Winner: {name}, {points}.": "pobjednik, pobjednik, víťaz, vinnare, pemenang",
    "Pass the device to {name}": "uređaj, uređaj, podaj zariadenie, lämna över enheten, "
    "serahkan perangkat",
    "Expected total": "očekivani broj bodova, očekivani broj bodova, očakávané skóre, "
    "förväntad poäng, skor harapan",
}
"""What stands among other words."""


@pytest.mark.parametrize("message", LABELS)
def test_labels(message: str) -> None:
    said = [LANGUAGES[code].gettext(message) for code in BOXES]
    assert said == LABELS[message].split(", ")


@pytest.mark.parametrize("message", WITHIN)
def test_terms(message: str) -> None:
    for code, term in zip(BOXES, WITHIN[message].split(", "), strict=True):
        assert term in LANGUAGES[code].gettext(message).lower()


UNWANTED = {
    "bs": r"računal|točn|zbroj|tko\b|\bvi\b|\bvas\b",
    "hr": r"zaokret|kotrlja|valja(?:ti|nje)|zabi(?:ti|je)|jaht|puna kuća|četiri vrste|\bravna"
    r"|dvojice|računar|\b(?:ne)?tačn|\bzbir|\b(?:n?i)?ko\b",
    "sk": r"\bvás\b|\bvám\b|\bste\b",
    "sv": r"\brull|\bvarv|spela om|göra mål|de där|fullt hus|\brak\b|\bni\b|\ber\b",
    "id": r"jalankan|gelundung|\bkamu\b|\bkau\b",
}
"""Words of another game, another language, or another way to speak to people."""


@pytest.mark.parametrize("code", UNWANTED)
def test_words_that_do_not_belong(code: str) -> None:
    for message in messages(code):
        for form in forms(message.string):
            found = re.search(UNWANTED[code], form, re.IGNORECASE)
            assert not found, (form, message.id)


@pytest.mark.parametrize("code", ["bs", "hr"])
def test_other_names_of_the_straights(code: str) -> None:
    """What other cards there call them stands among other names alone."""
    found = [one.id for one in messages(code) if "kent" in " ".join(forms(one.string)).lower()]
    assert sorted(found) == ["Large Straight", "Small Straight"]


COUNTS = (0, 1, 2, 4, 5, 11, 21, 22, 101)
SOUTH = "bodova bod boda boda bodova bodova bod boda bod"
POINTS = {
    "bs": SOUTH,
    "hr": SOUTH,
    "sk": "bodov bod body body bodov bodov bodov bodov bodov",
    "sv": "poäng " * 9,
    "id": "poin " * 9,
    "en": "points point points points points points points points points",
}


@pytest.mark.parametrize("code", POINTS)
def test_points(code: str) -> None:
    """The form that goes with the number, by the language's rule."""
    said = [words.points(n, LANGUAGES[code]) for n in COUNTS]
    assert said == [f"{n} {form}" for n, form in zip(COUNTS, POINTS[code].split(), strict=True)]


ROLLS = {
    "bs": ("Još 0 bacanja", "Još 1 bacanje", "Još 2 bacanja", "Još 3 bacanja"),
    "hr": ("Još 0 bacanja", "Još 1 bacanje", "Još 2 bacanja", "Još 3 bacanja"),
    "sk": ("Zostáva 0 hodov", "Zostáva 1 hod", "Zostávajú 2 hody", "Zostávajú 3 hody"),
    "sv": ("0 kast kvar", "1 kast kvar", "2 kast kvar", "3 kast kvar"),
    "id": (*(f"{n} lemparan tersisa" for n in range(4)),),
    "en": ("0 rolls left", "1 roll left", "2 rolls left", "3 rolls left"),
}


@pytest.mark.parametrize("code", ROLLS)
def test_rolls_left(code: str) -> None:
    assert tuple(words.rolls_left(n, LANGUAGES[code]) for n in range(4)) == ROLLS[code]


@pytest.mark.parametrize(
    ("code", "number", "decimal", "percent"),
    [
        ("en", "1,234.5", "166.96", "12.5%"),
        ("bs", "1.234,5", "166,96", "12,5%"),
        ("hr", "1.234,5", "166,96", "12,5\xa0%"),
        ("sk", "1\xa0234,5", "166,96", "12,5\xa0%"),
        ("sv", "1\xa0234,5", "166,96", "12,5\xa0%"),
        ("id", "1.234,5", "166,96", "12,5%"),
    ],
)
def test_decimals(code: str, number: str, decimal: str, percent: str) -> None:
    """Numbers as they are written there (CLDR), the scorekeeper's too."""
    language = LANGUAGES[code]
    assert language.number(1234.5) == number
    assert language.decimal(166.9551, 2) == decimal
    assert language.percent(0.125) == percent
    assert scoretexts.texts(language)["point"] == number[-2]


DAYS = {
    "en": "Nov {d}, {y}",
    "bs": "{d}. nov {y}.",
    "hr": "{d}. stu {y}.",
    "sk": "{d}. 11. {y}",
    "sv": "{d} nov. {y}",
    "id": "{d} Nov {y}",
}


@pytest.mark.parametrize("code", DAYS)
def test_days(code: str) -> None:
    """A day of November as it is written there (CLDR); browsers don't know all of these months."""
    days = LANGUAGES[code].days()
    assert days[10] == DAYS[code]
    assert len(set(days)) == 12


def test_the_first_known_language() -> None:
    """A region or script doesn't matter; what isn't known is passed over; else it is English."""
    assert first_known(["qaa", "sk-SK", "hr"]).code == "sk"
    assert first_known(["bs-Latn-BA"]).code == "bs"
    assert first_known(["sv_SE"]).code == "sv"
    assert first_known(["ID"]).code == "id"
    assert first_known(["skr", "x"]).code == "en"
    assert first_known([]).code == "en"
