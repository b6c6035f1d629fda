"""One server and one browser for all tests; every test's visitors have profiles of their own."""

import re
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Literal, TypedDict, Unpack

import httpx
import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Playwright,
    Request,
    ViewportSize,
    WebError,
    expect,
)

from tests.browser.chromium import launch
from tests.browser.table import Opening, Table
from tests.serving import Served, Timely
from yacht.settings import Settings

New = Callable[..., Table]
Friends = Callable[..., list[Table]]

PHONE = ViewportSize(width=360, height=740)
DESKTOP = ViewportSize(width=1280, height=800)

expect.set_options(timeout=5_000)


class How(TypedDict, total=False):
    """What a visitor's browser is like: by default a phone in light that wants no motion.

    Service workers are for tests of them: each fetches all that it keeps, at every visitor's first.
    """

    size: ViewportSize
    scheme: Literal["light", "dark"]
    motion: bool
    script: bool
    touch: bool
    language: str
    worker: bool


class Visits:
    """Opens pages for visitors, and notes whatever a page must never do."""

    def __init__(self, browser: Browser, address: str, **usual: Unpack[How]) -> None:
        self.address = address
        self.faults: list[str] = []
        self._browser = browser
        self._usual = usual
        self._tolerated: list[str] = []
        self._contexts: list[BrowserContext] = []

    def tolerate(self, pattern: str) -> None:
        """A browser logs each refused request as an error: here it is meant."""
        self._tolerated.append(pattern)

    def browser(self, table: Table | None = None, **how: Unpack[How]) -> BrowserContext:
        """A browser of its own; with a table, the one that the game belongs to."""
        how = {**self._usual, **how}
        context = self._browser.new_context(
            base_url=self.address,
            viewport=how.get("size", PHONE),
            color_scheme=how.get("scheme", "light"),
            reduced_motion="no-preference" if how.get("motion") else "reduce",
            java_script_enabled=how.get("script", True),
            has_touch=how.get("touch", False),
            locale=how.get("language", "en"),
        )
        context.set_default_timeout(5_000)
        if not how.get("worker"):
            context.add_init_script("delete Navigator.prototype.serviceWorker")
        if table:
            context.add_cookies([{"name": "yacht", "value": table.token, "url": self.address}])
        context.on("console", self._console)
        context.on("weberror", self._error)
        context.on("request", self._request)
        self._contexts.append(context)
        return context

    def __call__(self, table: Table | None = None, path: str = "", **how: Unpack[How]) -> Page:
        """A page in a browser of its own: the owner's page of a game, unless ``path`` is given."""
        page = self.browser(table, **how).new_page()
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

    def _request(self, asked: Request) -> None:
        if not asked.url.startswith((self.address, "data:")):
            self._fault(f"request: {asked.url}")

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


@pytest.fixture(scope="module")
def timely(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Timely]:
    """A server whose clock the test puts forward."""
    with Timely(tmp_path_factory.mktemp("timely")) as timely:
        yield timely


@contextmanager
def visiting(browser: Browser, served: Served, **usual: Unpack[How]) -> Generator[Visits]:
    """Pages of this server, which did nothing that a page must never do."""
    visits = Visits(browser, served.address, **usual)
    yield visits
    visits.close()
    assert visits.faults == []


@pytest.fixture
def visits(browser: Browser, served: Served) -> Iterator[Visits]:
    with visiting(browser, served) as visits:
        yield visits


@pytest.fixture(scope="session")
def site(served: Served) -> Iterator[httpx.Client]:
    """The server for programs, without any identity."""
    with httpx.Client(base_url=served.address) as site:
        yield site


@pytest.fixture(scope="session")
def table(site: httpx.Client) -> Opening:
    """Start a game: ``table("Ana", "Ben")``, or a room of friends."""
    return Opening(site)


@pytest.fixture(scope="session")
def room(table: Opening) -> Friends:
    """Start a game of friends: ``room("Ana", "Ben", clock=30)``, a table for each."""
    return table.friends


@pytest.fixture(scope="session")
def invited(table: Opening) -> New:
    """Open a room of friends: ``invited("Ana", places=3)``."""
    return table.invite


@pytest.fixture(scope="session")
def sealed(site: httpx.Client, data: Path) -> New:
    """Start a game with a seed: ``sealed(bytes(32), "Ana", "Ben")``."""
    return partial(Table.sealed, site, Settings(data=data).made_file())
