"""Languages: messages through gettext, numbers and dates through Babel."""

from datetime import datetime
from gettext import NullTranslations

from babel import Locale, UnknownLocaleError
from babel.dates import format_date
from babel.numbers import format_decimal
from markupsafe import Markup, escape


def N_(message: str) -> str:  # noqa: N802 (gettext's customary mark)
    """Mark a message that is translated where it is shown."""
    return message


class Language:
    """One language a person can choose. Call it with a message to have it translated."""

    def __init__(self, code: str, translations: NullTranslations | None = None) -> None:
        self.code = code
        self._translations = translations or NullTranslations()
        try:
            self._locale = Locale.parse(code, sep="-")
        except UnknownLocaleError:
            self._locale = Locale("en")

    def __call__(self, message: str, /, **values: object) -> str:
        """The message in this language, its ``{names}`` filled in."""
        return self._translations.gettext(message).format(**values)

    def plural(self, one: str, many: str, n: int, /, **values: object) -> str:
        """The form of the message that goes with ``n``, which fills ``{n}``."""
        form = self._translations.ngettext(one, many, n)
        return form.format(n=self.number(n), **values)

    def html(self, message: str, /, **values: object) -> Markup:
        """Like a call, for values that are markup; everything else is escaped."""
        return Markup(escape(self._translations.gettext(message))).format(**values)  # noqa: S704

    def number(self, value: float) -> str:
        """A number as it is written in this language, with at most one decimal."""
        return format_decimal(value, format="#,##0.#", locale=self._locale)

    def date(self, at: float) -> str:
        """The day of a time in Unix seconds, where the server is."""
        return format_date(
            datetime.fromtimestamp(at).astimezone(), format="medium", locale=self._locale
        )


ENGLISH = Language("en")
