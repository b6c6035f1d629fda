"""The settings, each a flag of ``yacht serve`` and a ``YACHT_`` variable."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path

from yacht.i18n import LANGUAGES, N_


class BadSetting(ValueError):
    """A setting has a value that can't be used. ``message`` is to be translated."""

    def __init__(self, name: str, value: str, message: str) -> None:
        super().__init__(name, value, message)
        self.name, self.value, self.message = name, value, message


def _host(value: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9.:_-]+", value):
        raise ValueError(N_("give an address such as 127.0.0.1 or 0.0.0.0"))
    return value


MOST_PORT = 2**16 - 1


def _port(value: str) -> int:
    if not re.fullmatch(r"[0-9]{1,5}", value) or int(value) > MOST_PORT:
        raise ValueError(N_("give a number from 0 to 65535; 0 takes a free one"))
    return int(value)


def _data(value: str) -> Path:
    if not value:
        raise ValueError(N_("give a folder"))
    return Path(value).expanduser()


_OWN_PATHS = {
    *("analysis", "api", "card", "g", "games", "healthz", "invite", "language", "metrics"),
    *("manifest.webmanifest", "offline", "record", "rooms", "rules", "s", "score", "static"),
    *("sw.js", "tips"),
    *LANGUAGES,
}


def _base_path(value: str) -> str:
    if not re.fullmatch(r"(/[A-Za-z0-9._~-]+)*/?", value):
        raise ValueError(N_("give a path such as /yacht, or nothing"))
    if value.split("/")[1:2] and value.split("/")[1] in _OWN_PATHS:
        raise ValueError(N_("the site itself has pages under this path: give another"))
    return value.rstrip("/")


def _switch(value: str) -> bool:
    if value not in {"0", "1"}:
        raise ValueError(N_("give 0 or 1"))
    return value == "1"


def _a_minute(value: str) -> int:
    if not re.fullmatch(r"[0-9]{1,6}", value):
        raise ValueError(N_("give a whole number, such as 300; 0 means no limit"))
    return int(value)


def _users_folder() -> Path:
    from platformdirs import user_data_path  # noqa: PLC0415 (most commands keep no games)

    return user_data_path("yacht", appauthor=False)


def _seconds(value: str) -> float:
    if not re.fullmatch(r"[0-9]{1,2}(\.[0-9]{1,3})?", value):
        raise ValueError(N_("give seconds, such as 2 or 0.5"))
    return float(value)


def _days(value: str) -> int:
    if not re.fullmatch(r"[1-9][0-9]{0,4}", value):
        raise ValueError(N_("give a number of days, such as 90"))
    return int(value)


HIDDEN = "postgresql://…"
"""Shown for an address that may hold a password."""


def _hidden(value: str) -> str:
    """What can be shown of a value that may hold a password: how it begins, if as an address."""
    scheme = re.match(r"[a-z]{1,12}://", value)
    return f"{scheme[0] if scheme else ''}…"


def _database(value: str) -> str:
    if value and not re.fullmatch(r"postgres(ql)?://[!-~]*", value):
        raise ValueError(N_("give an address such as postgresql://yacht@localhost/yacht"))
    return value


@dataclass(frozen=True, slots=True)
class Settings:
    """How a server runs. ``metadata`` has each setting's parser and its meaning."""

    host: str = field(
        default="127.0.0.1",
        metadata={"parse": _host, "help": N_("the address to listen on; 0.0.0.0 lets others in")},
    )
    port: int = field(default=8000, metadata={"parse": _port, "help": N_("the port to listen on")})
    data: Path = field(
        default_factory=_users_folder,
        metadata={"parse": _data, "help": N_("the folder that keeps the games")},
    )
    base_path: str = field(
        default="",
        metadata={"parse": _base_path, "help": N_("the path under which a proxy serves the site")},
    )
    access_log: bool = field(
        default=False, metadata={"parse": _switch, "help": N_("1 writes a line for each request")}
    )
    database: str = field(
        default="",
        repr=False,  # it may hold a password
        metadata={
            "parse": _database,
            "help": N_("a PostgreSQL database for the games instead, for several servers"),
            "secret": True,
        },
    )
    keep_days: int = field(
        default=90,
        metadata={
            "parse": _days,
            "help": N_("the days after which unused rooms of friends and cards shown are removed"),
        },
    )
    computer_pace: float = field(
        default=1.6,
        metadata={"parse": _seconds, "help": N_("the seconds between two steps of a computer")},
    )
    rate_limit: int = field(
        default=300,
        metadata={
            "parse": _a_minute,
            "help": N_("the posts a minute of one player; 0 means no limit"),
        },
    )
    address_limit: int = field(
        default=2400,
        metadata={
            "parse": _a_minute,
            "help": N_("the posts a minute from one address; 0 means no limit"),
        },
    )
    metrics: bool = field(
        default=False,
        metadata={"parse": _switch, "help": N_("1 shows counts for Prometheus at /metrics")},
    )

    @classmethod
    def read(
        cls, flags: Mapping[str, str | None], environ: Mapping[str, str] = os.environ
    ) -> "Settings":
        """The settings of flags and, where one isn't given, of variables. Raises BadSetting."""
        values: dict[str, object] = {}
        for setting in fields(cls):
            name = f"YACHT_{setting.name.upper()}"
            text = flags.get(setting.name)
            if text is not None:
                name = f"--{setting.name.replace('_', '-')}"
            elif (text := environ.get(name)) is None:
                continue
            try:
                values[setting.name] = setting.metadata["parse"](text)
            except ValueError as error:
                shown = _hidden(text) if setting.metadata.get("secret") else text
                raise BadSetting(name, shown, str(error)) from None
        return cls(**values)  # pyright: ignore[reportArgumentType]

    @classmethod
    def unknown(cls, environ: Mapping[str, str] = os.environ) -> list[str]:
        """The variables that are named like settings and are none."""
        known = {f"YACHT_{setting.name.upper()}" for setting in fields(cls)}
        return sorted(name for name in environ if name.startswith("YACHT_") and name not in known)

    @classmethod
    def help(cls, name: str) -> str:
        """What a setting means, to be translated."""
        return next(setting.metadata["help"] for setting in fields(cls) if setting.name == name)

    @property
    def file(self) -> Path:
        """The file of the games."""
        return self.data / "yacht.db"

    def made_file(self) -> Path:
        """The file of the games; its folder is made, for its owner alone, if it isn't there.

        Raises BadSetting if it can't be made.
        """
        try:
            self.data.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError:
            raise BadSetting(
                "--data (YACHT_DATA)", str(self.data), N_("this folder can’t be made")
            ) from None
        return self.file
