"""The terminal speaks the language of its environment."""

import argparse
import ast
import inspect

import pytest

from yacht.cli.spoken import ARGPARSE, language_of


@pytest.mark.parametrize(
    ("environ", "code"),
    [
        ({}, "en"),
        ({"LANG": "C.UTF-8", "LANGUAGE": "sv"}, "en"),
        ({"LC_ALL": "POSIX", "LANG": "sv_SE"}, "en"),
        ({"LANG": "xx"}, "en"),
        ({"LANG": "qaa_QA.UTF-8"}, "en"),
        ({"LANG": "sk_SK.UTF-8"}, "sk"),
        ({"LANG": "sk_SK.UTF-8", "LC_MESSAGES": "hr_HR"}, "hr"),
        ({"LANG": "sk_SK.UTF-8", "LC_ALL": "bs_BA@latin"}, "bs"),
        ({"LANG": "sk_SK", "LC_ALL": ""}, "sk"),
        ({"LANG": "qaa_QA.UTF-8", "LANGUAGE": "qaa:id:sv"}, "id"),
    ],
)
def test_the_language(environ: dict[str, str], code: str) -> None:
    """LANGUAGE is a list that comes before the locale, unless that is none (GNU gettext)."""
    assert language_of(environ).code == code


UNMET = {
    # what no command of ours has: choices among values, types that refuse, arguments by number
    *("invalid %(type)s value: %(value)r", "not allowed with argument %s"),
    *("one of the arguments %s is required", "expected at most one argument"),
    *("expected at least one argument", "expected %s argument", "expected %s arguments"),
    *("can't open '%(filename)s': %(error)s", 'argument "-" with mode %r'),
    *("unknown parser %(parser_name)r (choices: %(choices)s)", "subcommands"),
    *("show program's version number and exit", " (default: %(default)s)"),
    *("argument '%(argument_name)s' is deprecated", "command '%(parser_name)s' is deprecated"),
    *("option '%(option)s' is deprecated", "%(prog)s: warning: %(message)s\n"),
    # what a parser that is made wrongly is told
    *("conflicting option string: %s", "conflicting option strings: %s"),
    *("conflicting subparser: %s", "conflicting subparser alias: %s"),
    *(".__call__() not defined", "'required' is an invalid argument for positionals"),
    *("mutually exclusive arguments must be optional", "%r is not callable"),
    *("cannot merge actions - two groups are named %r", "dest= is required for options like %r"),
    "invalid option string %(option)r: must start with a character %(prefix_chars)r",
    *("invalid conflict_resolution value: %r", "cannot have multiple subparser arguments"),
    "unexpected option string: %s",
}
"""What argparse says, but not of our commands."""


def test_what_argparse_says_is_in_the_catalogues() -> None:
    """All that this Python's argparse says, but what nobody meets."""
    said = {
        text.value
        for call in ast.walk(ast.parse(inspect.getsource(argparse)))
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") in {"_", "ngettext"}
        for text in call.args
        if isinstance(text, ast.Constant)
    }
    assert len(said) > 30
    assert said - UNMET <= {*ARGPARSE}
    assert {*ARGPARSE} - said <= {"%(heading)s:"}
