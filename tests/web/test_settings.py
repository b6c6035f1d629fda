"""Settings: flags, variables, defaults, and what is refused."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from yacht.settings import BadSetting, Settings
from yacht.web.app import PAGES

README = Path(__file__).parents[2] / "README.md"

GOOD = [
    ("host", "0.0.0.0", "0.0.0.0"),  # noqa: S104 (an address like another)
    ("host", "localhost", "localhost"),
    ("host", "::1", "::1"),
    ("host", "yacht-1.example", "yacht-1.example"),
    ("port", "0", 0),
    ("port", "8000", 8000),
    ("port", "65535", 65535),
    ("data", "/srv/yacht", Path("/srv/yacht")),
    ("data", "games", Path("games")),
    ("base_path", "", ""),
    ("base_path", "/", ""),
    ("base_path", "/yacht", "/yacht"),
    ("base_path", "/yacht/", "/yacht"),
    ("base_path", "/a/b-c_d.e~f", "/a/b-c_d.e~f"),
    ("access_log", "0", False),
    ("access_log", "1", True),
    ("database", "", ""),
    (
        "database",
        "postgresql://ana:x@db.example:5433/yacht",
        "postgresql://ana:x@db.example:5433/yacht",
    ),
    (
        "database",
        "postgres:///yacht?host=/run/postgresql",
        "postgres:///yacht?host=/run/postgresql",
    ),
    ("keep_days", "1", 1),
    ("keep_days", "365", 365),
    ("computer_pace", "0", 0),
    ("computer_pace", "2", 2),
    ("computer_pace", "12.125", 12.125),
    ("metrics", "1", True),
    *((name, "0", 0) for name in ("rate_limit", "address_limit")),
    *((name, "999999", 999_999) for name in ("rate_limit", "address_limit")),
]
BAD = [
    *(("host", text) for text in ("", " ", "a b", "http://x", "127.0.0.1/", "x\n", "é")),
    *(("port", text) for text in ("", "x", "-1", "65536", "8000.0", " 8000", "1e3", "٣", "0x50")),
    ("data", ""),
    *(
        ("base_path", text)
        for text in ("yacht", "//", "/a//b", "/a b", "/é", "/{x}", "/a?b", "/a\n")
    ),
    *(
        ("computer_pace", text)
        for text in ("", "fast", "-1", "100", "1e1", ".5", "1,5", "٣", "inf")
    ),
    *((name, text) for name in ("access_log", "metrics") for text in ("", "yes", "2", "01")),
    *(
        (name, text)
        for name in ("rate_limit", "address_limit")
        for text in ("", "-1", "1.5", "1000000", "٣", "1e3", "none", "3\n")
    ),
    *(("keep_days", text) for text in ("", "0", "-1", "1.5", "forever", "٣")),
]


HIDDEN_ONES = [
    "yacht.db",
    "mysql://ana:open@db/yacht",
    "postgresql://a b",
    "postgresql:ana:open@db",
]
"""What is no address of a database; it is not shown, for it may hold a password."""


def flag(name: str) -> str:
    return "--" + name.replace("_", "-")


@pytest.mark.parametrize(("name", "text", "value"), GOOD)
def test_flags_and_variables_mean_the_same(name: str, text: str, value: object) -> None:
    """Each setting is read alike from its flag and from its variable."""
    variable = f"YACHT_{name.upper()}"
    assert getattr(Settings.read({name: text}, {}), name) == value
    assert getattr(Settings.read({}, {variable: text}), name) == value
    assert getattr(Settings.read({name: None}, {variable: text}), name) == value


@pytest.mark.parametrize(("name", "text"), BAD)
def test_wrong_values_are_refused_by_name(name: str, text: str) -> None:
    """A value that can't be used is told with the flag or the variable that it came from."""
    for flags, environ, shown in (
        ({name: text}, dict[str, str](), flag(name)),
        (dict[str, str](), {f"YACHT_{name.upper()}": text}, f"YACHT_{name.upper()}"),
    ):
        with pytest.raises(BadSetting) as refused:
            Settings.read(flags, environ)
        assert (refused.value.name, refused.value.value) == (shown, text)
        assert refused.value.message


def test_paths_of_our_own_are_refused() -> None:
    """A base path that begins like one of the site's own addresses can't be told from it."""
    own = {path.split("/")[1] for page in PAGES for path in page.paths} - {""}
    assert own >= {"g", "tips", "sk", "language", "s", "sw.js"}
    for name in {*own, "api", "static", "metrics", "healthz"}:
        for path in (f"/{name}", f"/{name}/", f"/{name}/x"):
            with pytest.raises(BadSetting):
                Settings.read({"base_path": path}, {})
        assert Settings.read({"base_path": f"/x/{name}/"}, {}).base_path == f"/x/{name}"


@pytest.mark.parametrize("text", HIDDEN_ONES)
def test_an_address_with_a_password_is_not_shown(text: str) -> None:
    """An address that can't be used is refused without being repeated; nor is a good one."""
    for flags, environ in (({"database": text}, {}), ({}, {"YACHT_DATABASE": text})):
        with pytest.raises(BadSetting) as refused:
            Settings.read(flags, environ)
        assert text not in f"{refused.value!r}"
        assert "database" in refused.value.name.lower()
        assert refused.value.value == f"{text.partition('//')[0] + '//' if '//' in text else ''}…"
    assert "open" not in f"{Settings(database='postgresql://ana:open@db/yacht')!r}"


def test_a_flag_wins() -> None:
    """A flag is taken even where the variable is wrong."""
    assert Settings.read({"port": "1"}, {"YACHT_PORT": "2"}).port == 1
    assert Settings.read({"port": "1"}, {"YACHT_PORT": "x"}).port == 1


def test_defaults() -> None:
    """Nothing set: this machine alone, port 8000, the user's data folder, no path, no log."""
    settings = Settings.read({}, {})
    assert settings == Settings()
    assert (settings.host, settings.port) == ("127.0.0.1", 8000)
    assert (settings.base_path, settings.access_log, settings.metrics) == ("", False, False)
    assert settings.computer_pace == 1.6
    assert (settings.rate_limit, settings.address_limit) == (300, 2400)
    assert settings.data.is_relative_to(Path.home())
    assert settings.data.name == "yacht"


def test_other_variables_are_left_alone() -> None:
    """What isn't a setting is no setting, and neither are other flags."""
    assert Settings.read({"file": "x"}, {"YACHT_FILE": "x", "PORT": "1"}) == Settings()


def test_the_home_folder_can_be_short() -> None:
    """``~`` in the data folder is the user's home."""
    assert Settings.read({"data": "~/games"}, {}).data == Path.home() / "games"


def test_the_data_folder_is_made_for_its_owner(tmp_path: Path) -> None:
    """A folder that isn't there is made with all above it, and only its owner may look in."""
    settings = Settings(data=tmp_path / "a" / "b")
    assert settings.made_file() == tmp_path / "a" / "b" / "yacht.db"
    assert (tmp_path / "a" / "b").stat().st_mode & 0o777 == 0o700
    assert settings.made_file().parent.is_dir()


def test_a_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    """A path where something else lies is a wrong value of the setting."""
    file = tmp_path / "file"
    file.write_text("")
    for data in (file, file / "below"):
        with pytest.raises(BadSetting) as refused:
            Settings(data=data).made_file()
        assert refused.value.value == str(data)


@pytest.mark.parametrize("setting", [setting.name for setting in fields(Settings)])
def test_every_setting_is_in_the_readme(setting: str) -> None:
    """README's table has a row for each setting, with its variable, its flag and a meaning."""
    rows = re.findall(r"^\|.*\|$", README.read_text(encoding="utf-8"), re.MULTILINE)
    (row,) = [row for row in rows if f"`YACHT_{setting.upper()}`" in row]
    assert f"`{flag(setting)}`" in row
    assert len(row.split("|")[-2]) > 10
    assert Settings.help(setting)


def test_the_readme_has_no_other_settings() -> None:
    """Each variable that the README names is read."""
    named = set(re.findall(r"YACHT_[A-Z_]+", README.read_text(encoding="utf-8")))
    assert named == {f"YACHT_{setting.name.upper()}" for setting in fields(Settings)}
