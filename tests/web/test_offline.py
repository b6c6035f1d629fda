"""What lets the scorekeeper be installed: its manifest, and the worker with its list of files."""

import json
import re
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.plain import Site, Visitor
from yacht.engine.rules import CLASSIC, RULESETS
from yacht.i18n import LANGUAGES
from yacht.web.rendering import STATIC


@pytest.fixture(params=["", "/play/yacht"], ids=["root", "sub-path"])
def ana(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Visitor]:
    with Site(tmp_path, base=request.param) as site:
        yield site.visitor()


def kept_by(ana: Visitor) -> dict[str, Any]:
    """What the worker is told at its beginning."""
    first, _, _ = ana.get("/sw.js").text.partition(";\n")
    return json.loads(first.removeprefix("self.yacht = "))


def test_the_manifest_is_this_sites(ana: Visitor) -> None:
    """It starts at the page, stays in the site, and has the colours of the style."""
    base = ana.site.base
    [link] = ana.open("/score").all("[rel=manifest]")
    answer = ana.get(link["href"].removeprefix(base))
    assert answer.headers["content-type"] == "application/manifest+json"
    assert answer.headers["cache-control"] == "no-cache"
    assert ana.get("/manifest.webmanifest?v=0").status_code == 404
    told = answer.json()
    assert (told["start_url"], told["scope"]) == (f"{base}/score", f"{base}/")
    assert told["display"] == "standalone"
    assert told["lang"] == ana.page.one("html")["lang"]
    style = (STATIC / "yacht.css").read_text()
    assert f"--paper: {told['theme_color']};" in style
    assert told["background_color"] == told["theme_color"]
    sizes = {(icon["sizes"], icon["purpose"]) for icon in told["icons"]}
    assert {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")} < sizes
    for icon in told["icons"]:
        image = ana.get(icon["src"].removeprefix(base))
        assert image.headers["content-type"].startswith(icon["type"])
        assert "immutable" in image.headers["cache-control"]
        if icon["type"] == "image/png":
            size = "x".join(map(str, struct.unpack(">II", image.content[16:24])))
            assert size == icon["sizes"]


def test_the_worker_keeps_all_that_the_page_names(ana: Visitor) -> None:
    """Every file, table and font, each there; it is never kept itself, and needs no other scope."""
    base = ana.site.base
    answer = ana.get("/sw.js")
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["cache-control"] == "no-store"
    kept = kept_by(ana)
    assert (kept["base"], kept["page"]) == (base, f"{base}/score")
    page = ana.open("/score")
    assert page.one("#update")["data-worker"] == f"{base}/sw.js"
    assert page.one("#update")["data-scope"] == f"{base}/"
    named = {
        element[name]
        for element in page.within
        for name in ("href", "src")
        if name in element and "/static/" in element[name]
    }
    told = json.loads(page.one("#told").text)
    named |= {ruleset["table"] for ruleset in told["rulesets"].values()}
    assert named <= {*kept["files"]}
    fonts = re.findall(r'url\("([^"]+)"\)', (STATIC / "yacht.css").read_text())
    assert {f"{base}/static/{font}" for font in fonts} <= {*kept["files"]}
    for file in kept["files"]:
        assert ana.get(file.removeprefix(base)).status_code == 200, file


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_worker_keeps_what_the_page_leads_to(ana: Visitor, language: str) -> None:
    """Rules and tips of every ruleset, and what to say without a network, with all their files."""
    kept, base = kept_by(ana), ana.site.base
    for ruleset in RULESETS:
        rules = "" if ruleset == CLASSIC.key else f"ruleset={ruleset}&"
        leaflets = {f"{leaflet}?{rules}back=score" for leaflet in ("rules", "tips")}
        assert {"offline", *leaflets} <= {*kept["linked"]}
    for linked in kept["linked"]:
        page = ana.open(f"/{language}/{linked}")
        assert page.one("html")["lang"] == language
        assert [link for link in page.all("main a") if link["href"] == f"{base}/score"]
        named = {*re.findall(r'"([^"\s]+\?v=\w+)"', ana.answer.text)}
        assert named
        assert named <= {*kept["files"]}


def test_another_version_has_another_worker(ana: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is kept changes the worker, by which browsers notice; else it stays the same."""
    before = ana.get("/sw.js").text
    assert ana.get("/sw.js").text == before
    monkeypatch.setattr("yacht.web.scorekeeper.pages_version", lambda: "0123456789ab")
    monkeypatch.setattr("yacht.web.offline._workers", {})  # as in another process
    after = ana.get("/sw.js").text
    assert after != before
    assert kept_by(ana)["version"] not in before
    assert "manifest.webmanifest?v=0123456789ab" in after
