"""The terminal speaks the language of its environment."""

import pytest

from yacht.cli.spoken import language_of


@pytest.mark.parametrize(
    ("environ", "code"),
    [
        ({}, "en"),
        ({"LANG": "C.UTF-8", "LANGUAGE": "sv"}, "en"),
        ({"LC_ALL": "POSIX", "LANG": "sv_SE"}, "en"),
        ({"LANG": "xx"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "sk_SK.UTF-8"}, "sk"),
        ({"LANG": "sk_SK.UTF-8", "LC_MESSAGES": "hr_HR"}, "hr"),
        ({"LANG": "sk_SK.UTF-8", "LC_ALL": "bs_BA@latin"}, "bs"),
        ({"LANG": "sk_SK", "LC_ALL": ""}, "sk"),
        ({"LANG": "de_DE.UTF-8", "LANGUAGE": "de:id:sv"}, "id"),
    ],
)
def test_the_language(environ: dict[str, str], code: str) -> None:
    """LANGUAGE is a list that comes before the locale, unless that is none (GNU gettext)."""
    assert language_of(environ).code == code
