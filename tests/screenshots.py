"""Takes pictures of real games: four for the README, the others for whoever works on the looks.

``python -m tests.screenshots [FOLDER]``; the folder of the others is test-results/screenshots.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

import httpx
from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from tests.browser.cards import cell, set_up
from tests.browser.chromium import launch
from tests.browser.hands import SOLVED, choose, hold
from tests.browser.table import Table, take_turns
from tests.serving import Served
from yacht.settings import Settings
from yacht.view import GameView

_TOP = Path(__file__).parent.parent
_README = _TOP / "docs" / "screenshots"
_IN_README = (
    *("game-phone-light", "game-desktop-dark"),
    *("score-phone-dark", "review-desktop-light"),
)
_SEED = bytes([7]) * 32
_EIGHT = ("Ana", "Ben", "Cleo", "Dan", "Eva", "Filip", "Gita", "Hugo")
_ENTRIES = (
    *(("Fours", "Ana", 12), ("Choice", "Ben", 24), ("Yacht", "Cleo", 50)),
    *(("Big Straight", "Ana", 30), ("Sixes", "Ben", 18), ("Ones", "Cleo", 2)),
    *(("Four of a Kind", "Ana", 20), ("Little Straight", "Ben", 0), ("Fives", "Cleo", 15)),
    ("Full House", "Ana", 27),
)
_SIZES = {
    "phone": (ViewportSize(width=360, height=740), 2),
    "desktop": (ViewportSize(width=1280, height=800), 1),
}
_SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


def main() -> None:
    others = Path(sys.argv[1]) if len(sys.argv) > 1 else _TOP / "test-results" / "screenshots"
    for folder in _README, others:
        folder.mkdir(parents=True, exist_ok=True)
    with (
        TemporaryDirectory() as data,
        Served(Path(data)) as served,
        httpx.Client(base_url=served.address) as site,
        sync_playwright() as playwright,
    ):
        games = _games(site, Settings(data=Path(data)).made_file())
        browser = launch(playwright)
        for device in _SIZES:
            for scheme in _SCHEMES:
                for name, page in _pages(_opened(browser, served, games, device, scheme), games):
                    picture = f"{name}-{device}-{scheme}"
                    folder = _README if picture in _IN_README else others
                    page.screenshot(path=folder / f"{picture}.png", animations="disabled")
        browser.close()
    print(f"The README's pictures are in {_README}, the others in {others}.")


def _games(site: httpx.Client, database: Path) -> dict[str, Table]:
    """Games in their middle, at their end, of eight and with a computer, all one person's.

    And a room of friends before its game, and one in it, while a friend is on turn.
    """
    game = Table.sealed(site, database, _SEED, "Ana", "Ben")
    eight = Table.new(site, *_EIGHT, token=game.token)
    _play(eight, turns=35)
    eight.roll()
    names = ("Ana",), ("Ana", "Ben"), ("Ana", "Ben", "Cleo")
    over = [Table.new(site, *those, token=game.token) for those in names]
    for one in over:
        _play(one, turns=12 * len(one.now.seats))
    _play(game, turns=11)
    game.roll()
    game.roll(*_alike(game.now))
    computer = Table.new(site, "Ana", "Computer", token=game.token, computers=["", "exact"])
    _play(computer, turns=1)
    lobby = Table.invite(site, "Ana", places=4, clock=90)
    lobby.join("Ben")
    friends = Table.friends(site, "Ana", "Ben", "Cleo", clock=90)
    take_turns(friends, 10)
    friends[1].roll()
    return {
        "game": game,
        "over": over[-1],
        "eight": eight,
        "computer": computer,
        "lobby": lobby,
        "friends": friends[0],
    }


def _play(game: Table, turns: int) -> None:
    """Turns as people play them: keep what is alike, write what pays most."""
    for _ in range(turns):
        game.roll()
        while game.now.rolls_left and max(game.now.points.values()) < 20:
            alike = _alike(game.now)
            if len(alike) == len(game.now.dice):
                break
            game.roll(*alike)
        game.score()


def _alike(seen: GameView) -> list[int]:
    """The positions of the face that lies there most often."""
    face, _ = max(Counter(seen.dice).items(), key=lambda found: (found[1], found[0]))
    return [place for place, die in enumerate(seen.dice) if die == face]


def _opened(
    browser: Browser,
    served: Served,
    games: dict[str, Table],
    device: str,
    scheme: Literal["light", "dark"],
) -> Page:
    size, scale = _SIZES[device]
    context = browser.new_context(
        base_url=served.address,
        viewport=size,
        device_scale_factor=scale,
        color_scheme=scheme,
        reduced_motion="reduce",
    )
    token = games["game"].token
    context.add_cookies([{"name": "yacht", "value": token, "url": served.address}])
    return context.new_page()


def _pages(page: Page, games: dict[str, Table]) -> Iterator[tuple[str, Page]]:
    game = games["game"]
    page.goto(game.path)
    alike = _alike(game.now)
    hold(page, *(place for place in alike if place not in game.now.kept))
    yield "game", page
    choose(page, next(iter(game.now.points)))
    yield "chosen", page
    page.get_by_role("button", name="Settings").click()
    yield "settings", page
    for name in "computer", "over", "eight":
        page.goto(games[name].path)
        yield name, page
    page.locator("#hint").click()
    expect(page.locator("#slip")).to_be_visible(timeout=SOLVED)
    yield "hint", page
    page.goto(f"{games['over'].path}/review")
    yield "review", page
    page.goto(".")
    yield "home", page
    page.goto(f"rules?back={game.room}")
    yield "rules", page
    page.goto("tips")
    yield "tips", page
    page.goto("card?players=4")
    yield "card", page
    page.goto("score")
    set_up(page, "Ana", "Ben", "Cleo")
    yield "score-begun", page
    for box, name, points in _ENTRIES:
        cell(page, box, name).click()
        page.locator(f"#values [data-points='{points}']").click()
    cell(page, "Full House", "Ben").click()
    yield "score", page
    page.goto(f"{game.path}/share")
    yield "links", page
    page.goto("g/nowhere")
    yield "nowhere", page
    page.goto("invite")
    yield "invite", page
    _sit_as(page, games["lobby"])
    yield "lobby", page
    _sit_as(page, games["friends"])
    yield "friends", page
    page.context.clear_cookies()
    page.goto(".")
    yield "home-empty", page
    page.goto(game.path)
    expect(page.locator(".watching")).to_be_visible()
    yield "watching", page


def _sit_as(page: Page, table: Table) -> None:
    """Open the page of whoever this table is."""
    origin = page.evaluate("() => location.origin")
    page.context.add_cookies([{"name": "yacht", "value": table.token, "url": origin}])
    page.goto(table.path)


if __name__ == "__main__":
    main()
