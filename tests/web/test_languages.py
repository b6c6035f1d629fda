"""Which language a page is in: its address's, the one chosen, else one that the browser names."""

import pytest

from tests.web.plain import Site, Visitor

SIX = ("en", "bs", "hr", "id", "sk", "sv")


@pytest.mark.parametrize(
    ("accepted", "code"),
    [
        ("", "en"),
        ("sk", "sk"),
        ("sk-SK,sk;q=0.9,en;q=0.8", "sk"),
        ("de-DE,de;q=0.9,sv;q=0.4,hr;q=0.7", "hr"),
        ("en;q=0.1, id", "id"),
        ("bs;q=0, sv;q=0.001", "sv"),
        ("sv;q=0.5,sk;Q=0.1", "sv"),
        ("BS-Latn-BA", "bs"),
        ("*", "en"),
        ("de, *;q=0.5", "en"),
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
    assert links == {
        **{
            code: f"http://yacht.test/{code}/{path}"
            for code in ("en", "bs", "hr", "id", "sk", "sv")
        },
        "x-default": f"http://yacht.test/{path}",
    }
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
