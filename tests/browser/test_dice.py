"""The throw: long enough to see, over when asked, and nothing known before it is over."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import New, Visits
from tests.browser.hands import (
    choose,
    hold,
    in_slow_motion,
    posts_of,
    press,
    rolling,
    settled,
    sight,
)


def test_nothing_leaks_before_the_dice_settle(visits: Visits, table: New) -> None:
    """From the answer until the dice lie still: no preview, no message, no new word anywhere.

    What then lies there are the server's dice.
    """
    game = table("Ana").roll()
    page = visits(game, motion=True)
    hold(page, 0)
    page.evaluate(
        """() => {
            const game = document.getElementById("game");
            window.looks = [];
            const look = () => {
                const previews = [...document.querySelectorAll(".pencil")];
                if (game.classList.contains("rolling")) looks.push(JSON.stringify([
                    previews.filter((one) => getComputedStyle(one).visibility === "visible").length,
                    document.title,
                    document.getElementById("status").textContent,
                    document.getElementById("tray").innerText,
                    [...document.querySelectorAll("[aria-label]")].map((one) => one.ariaLabel),
                ]));
                requestAnimationFrame(look);
            };
            look();
        }"""
    )
    before = page.evaluate(
        """() => [0, document.title, document.getElementById("status").textContent,
            document.getElementById("tray").innerText,
            [...document.querySelectorAll("[aria-label]")].map((one) => one.ariaLabel)]"""
    )
    press(page, "roll")
    looks = page.evaluate("() => [...new Set(looks)].map((look) => JSON.parse(look))")
    assert looks == [before]
    assert page.evaluate("() => looks.length") > 5
    assert sight(page).faces == game.now.dice
    expect(page.locator("#status")).to_contain_text("Held:")
    expect(page.locator(".pencil").first).to_be_visible()


def test_each_die_settles_on_its_face(visits: Visits, table: New) -> None:
    """A die that comes to rest before the others already shows the server's face, and keeps it."""
    game = table("Ana")
    page = visits(game, motion=True)
    page.evaluate(
        """() => {
            window.resting = [[], [], [], [], []];
            const look = () => {
                if (document.getElementById("game").classList.contains("rolling"))
                    document.querySelectorAll(".face").forEach((face, place) => {
                        const shown = face.firstElementChild.getAttribute("href");
                        if (!face.getAnimations().length) resting[place].push(shown);
                    });
                requestAnimationFrame(look);
            };
            look();
        }"""
    )
    press(page, "roll")
    shown: list[list[str]] = page.evaluate("() => resting.map((faces) => [...new Set(faces)])")
    settled_early = [(place, faces) for place, faces in enumerate(shown) if faces]
    assert len(settled_early) >= 3
    for place, faces in settled_early:
        assert faces == [f"#d{game.now.dice[place]}"]


def test_a_watcher_knows_nothing_earlier_either(visits: Visits, table: New) -> None:
    """Where a roll arrives by the stream, the previews wait for the dice too."""
    game = table("Ana").roll()
    page = visits(path=game.path, motion=True)
    in_slow_motion(page)
    game.roll()
    rolling(page)
    expect(page.locator(".pencil").first).to_be_hidden()
    expect(page.locator("#status")).to_be_empty()
    page.mouse.click(5, 5)
    settled(page, game.now.seq)
    expect(page.locator("#status")).to_contain_text("1 roll left.")


def _flights(page: Page) -> list[dict[str, Any]]:
    """How each die moves, while the dice roll."""
    return page.evaluate(
        """() => document.getAnimations().map((flight) => ({
            time: flight.effect.getTiming().duration,
            path: JSON.stringify(flight.effect.getKeyframes().map((frame) => frame.transform)),
        }))"""
    )


@pytest.mark.parametrize(
    ("animation", "shortest", "longest"), [("Full", 500, 900), ("Quick", 150, 450)]
)
def test_the_dice_tumble_as_long_as_one_likes(
    visits: Visits, table: New, animation: str, shortest: int, longest: int
) -> None:
    """Full takes about 600 ms, Quick half of it; each die takes a path of its own."""
    game = table("Ana")
    page = visits(game, motion=True)
    page.locator("[data-open]").click()
    page.get_by_label(animation, exact=True).check()
    page.get_by_role("button", name="Done", exact=True).click()
    in_slow_motion(page)
    page.locator("#roll").click()
    rolling(page)
    flights = _flights(page)
    assert len(flights) == 5
    assert len({flight["path"] for flight in flights}) == 5
    for flight in flights:
        assert shortest <= flight["time"] <= longest


@pytest.mark.parametrize("why", ["off", "reduced motion"])
def test_the_dice_can_lie_still_at_once(visits: Visits, table: New, why: str) -> None:
    """With the animation off, and where the system asks for reduced motion, nothing tumbles."""
    game = table("Ana")
    page = visits(game, motion=why == "off")
    if why == "off":
        page.locator("[data-open]").click()
        page.get_by_label("Off", exact=True).check()
        page.get_by_role("button", name="Done", exact=True).click()
        page.reload()  # it is remembered
    page.evaluate(
        """() => {
            window.rolled = 0;
            const animate = Element.prototype.animate;
            Element.prototype.animate = function (...all) {
                rolled++;
                return animate.apply(this, all);
            };
        }"""
    )
    press(page, "roll")
    assert page.evaluate("() => rolled") == 0
    assert sight(page).faces == game.now.dice


@pytest.mark.parametrize("where", ["#die2", "#roll", "#score", "label:has([value=fours])", "body"])
def test_a_click_ends_the_roll_and_does_nothing_else(
    visits: Visits, table: New, where: str
) -> None:
    """A click anywhere while the dice roll shows them at once; it holds, chooses, sends nothing."""
    game = table("Ana").roll()
    page = visits(game, motion=True)
    in_slow_motion(page)
    choose(page, "sixes")
    sent = posts_of(page)
    page.locator("#roll").click()
    rolling(page)
    page.locator(where).click(force=True, position={"x": 8, "y": 20})
    settled(page, game.now.seq)
    assert sight(page).held == [False] * 5
    assert sight(page).faces == game.now.dice
    expect(page.locator(".open input:checked")).to_have_count(0)
    assert len(sent) == 1


def test_a_state_that_comes_while_the_dice_roll_waits(visits: Visits, table: New) -> None:
    """What happens elsewhere meanwhile is shown when the dice lie still, the newest state alone."""
    game = table("Ana", "Ben")
    page = visits(game, motion=True)
    in_slow_motion(page)
    page.locator("#roll").click()
    rolling(page)
    game.roll().score("choice")
    expect(page.locator("#seat0 .total")).to_have_text("0 in all")
    page.mouse.click(5, 5)
    settled(page, game.now.seq)
    expect(page.locator("#status")).to_contain_text("points in Choice.")
    expect(page.locator(".turnline")).to_contain_text("Ben")
