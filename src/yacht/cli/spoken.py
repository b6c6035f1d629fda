"""The language of the terminal: the first one that its environment names and that there is."""

import argparse
import errno
import os
import re
from collections.abc import Mapping

from yacht.i18n import N_, Language, first_known

_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")

ARGPARSE = (
    N_("usage: "),
    N_("positional arguments"),
    N_("options"),
    N_("show this help message and exit"),
    N_("argument %(argument_name)s: %(message)s"),
    N_("unrecognized arguments: %s"),
    N_("the following arguments are required: %s"),
    N_("not allowed with argument %s"),
    N_("ignored explicit argument %r"),
    N_("expected one argument"),
    N_("expected at least one argument"),
    N_("ambiguous option: %(option)s could match %(matches)s"),
    N_("invalid %(type)s value: %(value)r"),
    N_("invalid choice: %(value)r (choose from %(choices)s)"),
    N_("%(prog)s: error: %(message)s\n"),
)
"""What argparse itself says of our commands, for the catalogues."""


def language_of(environ: Mapping[str, str]) -> Language:
    """The language that a terminal's environment asks for, as programs with gettext do."""
    locale = next((environ[name] for name in _VARIABLES if environ.get(name)), "C")
    if re.match(r"(C|POSIX)\b", locale):
        return first_known(())
    wanted = [*environ.get("LANGUAGE", "").split(":"), locale]
    return first_known(re.split("[_.@]", name)[0] for name in wanted)


LANGUAGE = language_of(os.environ)


def translate_argparse() -> None:
    """Let argparse's own words be in that language too; they are filled in by %."""
    argparse._ = LANGUAGE.gettext  # pyright: ignore[reportPrivateUsage, reportAttributeAccessIssue]


_SYSTEM = {
    errno.ENOENT: N_("there is no such file or folder"),
    errno.EISDIR: N_("it is a folder"),
    errno.ENOTDIR: N_("a part of its path is no folder"),
    errno.EACCES: N_("its permissions forbid it"),
    errno.EPERM: N_("its permissions forbid it"),
    errno.EROFS: N_("its disk can only be read"),
    errno.ENOSPC: N_("the disk is full"),
}


def problem(error: OSError) -> str:
    """Why the system refused: in the terminal's language if it is a usual reason."""
    if error.errno in _SYSTEM:
        return LANGUAGE(_SYSTEM[error.errno])
    return error.strerror or str(error)
