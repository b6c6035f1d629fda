"""One server and one browser for all tests; every test's visitors have profiles of their own."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Playwright,
    ViewportSize,
    WebError,
    expect,
)

from tests.browser.chromium import launch
from tests.browser.table import Table
from tests.serving import Served
from yacht.settings import Settings

New = Callable[..., Table]

PHONE = ViewportSize(width=360, height=740)
DESKTOP = ViewportSize(width=1280, height=800)

expect.set_options(timeout=5_000)


class Visits:
    """Opens pages for visitors, and notes whatever a page must never do."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.address = address
        self.faults: list[str] = []
        self._browser = browser
        self._tolerated: list[str] = []
        self._contexts: list[BrowserContext] = []

    def tolerate(self, pattern: str) -> None:
        """A browser logs each refused request as an error: here it is meant."""
        self._tolerated.append(pattern)

    def browser(
        self,
        table: Table | None = None,
        *,
        size: ViewportSize = PHONE,
        scheme: Literal["light", "dark"] = "light",
        motion: bool = False,
        script: bool = True,
        touch: bool = False,
    ) -> BrowserContext:
        """A browser of its own; with a table, the one that the game belongs to."""
        context = self._browser.new_context(
            base_url=self.address,
            viewport=size,
            color_scheme=scheme,
            reduced_motion="no-preference" if motion else "reduce",
            java_script_enabled=script,
            has_touch=touch,
            locale="en",
        )
        context.set_default_timeout(5_000)
        if table:
            context.add_cookies([{"name": "yacht", "value": table.token, "url": self.address}])
        context.on("console", self._console)
        context.on("weberror", self._error)
        context.on("request", lambda request: self._request(request.url))
        self._contexts.append(context)
        return context

    def __call__(
        self,
        table: Table | None = None,
        path: str = "",
        *,
        size: ViewportSize = PHONE,
        scheme: Literal["light", "dark"] = "light",
        motion: bool = False,
        script: bool = True,
        touch: bool = False,
    ) -> Page:
        """A page in a browser of its own: the owner's page of a game, unless ``path`` is given."""
        context = self.browser(
            table, size=size, scheme=scheme, motion=motion, script=script, touch=touch
        )
        page = context.new_page()
        page.goto(path or (table.path if table else ""))
        return page

    def close(self) -> None:
        for context in self._contexts:
            context.close()

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self._fault(f"{message.type}: {message.text}")

    def _error(self, error: WebError) -> None:
        self._fault(f"exception: {error.error}")

    def _request(self, url: str) -> None:
        if urlsplit(url).netloc != urlsplit(self.address).netloc and not url.startswith("data:"):
            self._fault(f"request: {url}")

    def _fault(self, text: str) -> None:
        if not any(re.search(pattern, text) for pattern in self._tolerated):
            self.faults.append(text)


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The server's data folder."""
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="session")
def served(data: Path) -> Iterator[Served]:
    with Served(data) as served:
        yield served


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    browser = launch(playwright)
    yield browser
    browser.close()


@pytest.fixture
def visits(browser: Browser, served: Served) -> Iterator[Visits]:
    visits = Visits(browser, served.address)
    yield visits
    visits.close()
    assert visits.faults == []


@pytest.fixture(scope="session")
def site(served: Served) -> Iterator[httpx.Client]:
    """The server for programs, without any identity."""
    with httpx.Client(base_url=served.address) as site:
        yield site


@pytest.fixture(scope="session")
def table(site: httpx.Client) -> New:
    """Start a game: ``table("Ana", "Ben")``."""
    return partial(Table.new, site)


@pytest.fixture(scope="session")
def sealed(site: httpx.Client, data: Path) -> New:
    """Start a game with a seed: ``sealed(bytes(32), "Ana", "Ben")``."""
    return partial(Table.sealed, site, Settings(data=data).database())
