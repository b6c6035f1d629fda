"""Which language a page is in: its address's, the one chosen, else one that the browser names."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.marks import OPEN, package_with
from tests.serving import Served
from tests.web.plain import Site, Visitor, parse, plain_client
from yacht.i18n import LANGUAGES


@pytest.mark.parametrize(
    ("accepted", "code"),
    [
        ("", "en"),
        ("sk", "sk"),
        ("sk-SK,sk;q=0.9,en;q=0.8", "sk"),
        ("qaa-QA,qaa;q=0.9,sv;q=0.4,hr;q=0.7", "hr"),
        ("en;q=0.1, id", "id"),
        ("bs;q=0, sv;q=0.001", "sv"),
        ("sv;q=0.5,sk;Q=0.1", "sv"),
        ("BS-Latn-BA", "bs"),
        ("*", "en"),
        ("qaa, *;q=0.5", "en"),
        ("skr, x-klingon", "en"),
        (";;;q=,\x01,=", "en"),
        ("sk;q=nonsense", "sk"),
    ],
)
def test_the_browser_asks(site: Site, accepted: str, code: str) -> None:
    """The most wanted language that there is (RFC 9110, 12.5.4); English if there is none."""
    page = site.visitor().open("/record", headers={"Accept-Language": accepted})
    assert page.one("html")["lang"] == code


def test_the_choice_stays(site: Site) -> None:
    """Whoever chooses a language comes back to the page, and has all others in it from then on."""
    ana = site.visitor()
    page = ana.open("/analysis?dice=11236&rolls=2")
    ana.press(page.one(".languages [value=sv]"))
    assert ana.answer.url.raw_path == b"/analysis?dice=11236&rolls=2"
    assert ana.page.one("html")["lang"] == "sv"
    assert ana.page.one(".languages [aria-current]").text == "Svenska"
    other = ana.open("/record", headers={"Accept-Language": "sk"})
    assert other.one("html")["lang"] == "sv"


@pytest.mark.parametrize("path", ["rules", "tips", "card"])
def test_an_address_in_each_language(site: Site, path: str) -> None:
    """The plain address leads to the visitor's; each page names all others."""
    ana = site.visitor()
    answer = ana.get(f"/{path}?ruleset=sum", headers={"Accept-Language": "sk"})
    assert answer.status_code == 302
    assert answer.headers["location"] == f"/sk/{path}?ruleset=sum"
    page = ana.open(f"/hr/{path}?ruleset=sum", headers={"Accept-Language": "sk"})
    assert page.one("html")["lang"] == "hr"
    links = {link["hreflang"]: link["href"] for link in page.all("link[hreflang]")}
    assert links.pop("x-default") == f"http://yacht.test/{path}"
    assert links == {code: f"http://yacht.test/{code}/{path}" for code in LANGUAGES}
    ana.press(page.one(".languages [value=bs]"))
    assert ana.answer.url.raw_path == f"/bs/{path}?ruleset=sum".encode()
    assert ana.page.one("html")["lang"] == "bs"


def test_a_language_that_is_not_there(site: Site) -> None:
    answer = site.visitor().get("/xx/rules")
    assert answer.status_code == 404


@pytest.mark.parametrize(
    "back",
    [
        "//evil.example",
        "/\\evil.example",
        "https://evil.example",
        "evil",
        "",
        "/a\nb",
        "/ä",
        "/a b",
    ],
)
def test_a_choice_leads_nowhere_else(site: Site, back: str) -> None:
    """Only a path of this site is gone back to."""
    answer = site.visitor().post("/language", data={"language": "sk", "back": back})
    assert answer.status_code == 400
    assert "set-cookie" not in answer.headers


def test_a_choice_of_nothing(site: Site) -> None:
    for data in ({"language": "xx", "back": "/"}, {"language": "sk"}, {"back": "/"}):
        assert site.visitor().post("/language", data=data).status_code == 400


def test_after_a_refused_form_one_comes_back_to_it(site: Site, ana: Visitor) -> None:
    """What was answered to a post has no address, so the choice leads to the page of the form."""
    answer = ana.post("/games", data={"name": "x" * 99}, headers={"Referer": "http://yacht.test/"})
    assert answer.status_code == 422
    assert 'name="back" value="/"' in answer.text
    answer = ana.post("/rooms", data={"name": ""}, headers={"Referer": "http://yacht.test/invite"})
    assert 'name="back" value="/invite"' in answer.text
    answer = ana.post("/rooms", data={"name": ""}, headers={"Referer": "http://[bad"})
    assert 'name="back" value="/"' in answer.text


def test_programs_are_answered_in_their_language(site: Site) -> None:
    answer = site.visitor().get("/api/v1/games/nothing", headers={"Accept-Language": "sk"})
    assert answer.status_code == 404
    assert "hra" in answer.text


# ---- a language more --------------------------------------------------------------------------


def test_a_language_more_is_a_file(tmp_path: Path) -> None:
    """One of a region and one from right to left are found wherever the others are.

    That is: by what browsers ask for and by their addresses, in the menu, among the alternates, as
    a choice, and in the terminal.
    """
    environ = {"PYTHONPATH": str(package_with(tmp_path / "package", "pt_BR", "ar"))}
    with (
        Served(tmp_path / "data", environ=environ) as served,
        plain_client(base_url=served.address) as client,
    ):
        for accepted, code, direction in (
            ("pt-BR,pt;q=0.9,en;q=0.8", "pt-BR", "ltr"),
            ("pt-br", "pt-BR", "ltr"),
            ("pt-PT,sk;q=0.5", "sk", "ltr"),
            ("ar-EG", "ar", "rtl"),
        ):
            headers = {"Accept-Language": accepted}
            page = parse(client.get("", headers=headers).text)
            assert (page.one("html")["lang"], page.one("html")["dir"]) == (code, direction)
            assert page.one("h1").text.startswith(OPEN) == (code != "sk")
            scorekeeper = parse(client.get("score", headers=headers).text)
            manifest = client.get(scorekeeper.one("[rel=manifest]")["href"], headers=headers).json()
            assert (manifest["lang"], manifest["dir"]) == (code, direction)
        page = parse(client.get("pt-BR/rules").text)
        assert page.one("html")["lang"] == "pt-BR"
        alternates = {link["hreflang"] for link in page.all("link[hreflang]")}
        assert alternates == {"x-default", "pt-BR", "ar", *LANGUAGES}
        assert page.one(".languages [aria-current]")["value"] == "pt-BR"
        chosen = client.post("language", data={"language": "ar", "back": "/pt-BR/tips"})
        assert chosen.headers["location"] == "/ar/tips"
        assert "language=ar" in chosen.headers["set-cookie"]
    for locale, marked in ("pt_BR.UTF-8", True), ("pt_PT.UTF-8", False):
        command = [Path(sys.executable).with_name("yacht"), "--help"]
        spoken = {**os.environ, **environ, "LC_ALL": locale}
        said = subprocess.run(command, env=spoken, capture_output=True, text=True, check=True)
        assert said.stdout.startswith(OPEN) == marked
