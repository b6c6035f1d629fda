"""Languages: messages through gettext, numbers and dates through Babel, loaded when needed.

English is in the source; every other language is one file in ``locale``, named as gettext names
it: ``sk.po``, ``pt_BR.po``.
"""

from collections.abc import Iterable
from datetime import date, datetime
from functools import cached_property
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

if TYPE_CHECKING:
    from babel import Locale

LOCALE = Path(__file__).parent / "locale"


def N_(message: str) -> str:  # noqa: N802 (gettext's customary mark)
    """Mark a message that is translated where it is shown."""
    return message


class Language:
    """One language a person can choose. Call it with a message to have it translated.

    ``code`` is its tag as pages and browsers write it: ``sk``, ``pt-BR``.
    """

    def __init__(self, code: str) -> None:
        self.code = code

    @property
    def name(self) -> str:
        """What the language calls itself."""
        return self(N_("English"))

    @property
    def direction(self) -> str:
        """Where its lines run, as pages say it: ``ltr`` or ``rtl``."""
        return self._locale.text_direction

    def gettext(self, message: str) -> str:
        """The message in this language, its ``{names}`` as they are for a script to fill in."""
        return self._translations.gettext(message)

    def __call__(self, message: str, /, **values: object) -> str:
        """The message in this language, its ``{names}`` filled in."""
        return self.gettext(message).format(**values)

    def plural(self, one: str, many: str, n: int, /, **values: object) -> str:
        """The form of the message that goes with ``n``, which fills ``{n}``."""
        form = self._translations.ngettext(one, many, n)
        return form.format(n=self.number(n), **values)

    def html(self, message: str, /, **values: object) -> Markup:
        """Like a call, for values that are markup; everything else is escaped."""
        return Markup(escape(self.gettext(message))).format(**values)  # noqa: S704

    def number(self, value: float) -> str:
        """A number as it is written in this language, with at most one decimal."""
        from babel.numbers import format_decimal

        return format_decimal(value, format="#,##0.#", locale=self._locale)

    def decimal(self, value: float, places: int = 1) -> str:
        """A number with exactly so many decimals, for columns of them."""
        from babel.numbers import format_decimal

        return format_decimal(value, format=f"#,##0.{'0' * places}", locale=self._locale)

    def percent(self, share: float) -> str:
        """A share of 1 as a percentage with exactly one decimal."""
        from babel.numbers import format_percent

        form = self._locale.percent_formats[None].pattern.replace("##0", "##0.0")
        return format_percent(share, format=form, locale=self._locale)

    def change(self, value: float) -> str:
        """A difference with its sign and exactly one decimal."""
        from babel.numbers import format_decimal

        if not round(value, 1):
            return self.decimal(0)
        return format_decimal(value, format="+#,##0.0;−#,##0.0", locale=self._locale)

    def date(self, at: float) -> str:
        """The day of a time in Unix seconds, where the server is."""
        from babel.dates import format_date

        return format_date(
            datetime.fromtimestamp(at).astimezone(), format="medium", locale=self._locale
        )

    def days(self) -> list[str]:
        """A day of each month as it is written, with ``{d}`` and ``{y}`` in it."""
        from babel.dates import format_date

        days = (date(2000, month, 22) for month in range(1, 13))
        written = (format_date(day, format="medium", locale=self._locale) for day in days)
        return [day.replace("22", "{d}").replace("2000", "{y}") for day in written]

    def moment(self, at: float) -> str:
        """The day and the minute of a time in Unix seconds, where the server is."""
        from babel.dates import format_datetime

        return format_datetime(
            datetime.fromtimestamp(at).astimezone(), format="medium", locale=self._locale
        )

    @cached_property
    def _translations(self) -> NullTranslations:
        file = LOCALE / f"{self.code.replace('-', '_')}.po"
        if not file.exists():
            return NullTranslations()
        from babel.messages.mofile import write_mo
        from babel.messages.pofile import read_po

        compiled = BytesIO()
        write_mo(compiled, read_po(BytesIO(file.read_bytes())))
        compiled.seek(0)
        return GNUTranslations(compiled)

    @cached_property
    def _locale(self) -> "Locale":
        from babel import Locale, UnknownLocaleError

        try:
            return Locale.parse(self.code, sep="-")
        except UnknownLocaleError:
            return Locale("en")


ENGLISH = Language("en")
_CODES = [file.stem.replace("_", "-") for file in sorted(LOCALE.glob("*.po"))]
LANGUAGES = {"en": ENGLISH} | {code: Language(code) for code in _CODES}
_BY_TAG = {code.lower(): language for code, language in LANGUAGES.items()}


def first_known(tags: Iterable[str]) -> Language:
    """The first of these languages that there is; else English.

    A tag loses its last parts until it is known: “pt-BR” is that, or “pt” (RFC 4647, 3.4).
    """
    for tag in tags:
        known = tag.replace("_", "-").lower()
        while known:
            if known in _BY_TAG:
                return _BY_TAG[known]
            known = known.rpartition("-")[0]
    return ENGLISH
