"""Nothing is scored by accident, nothing happens twice, and the last score can be taken back."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import DESKTOP, New, Visits
from tests.browser.hands import (
    changed,
    choose,
    hold,
    posts_of,
    press,
    seq_of,
    settled,
    sight,
    write,
)

# ---- choosing and scoring --------------------------------------------------------------------


def test_choosing_a_box_writes_nothing_and_score_does(visits: Visits, table: New) -> None:
    """A tap on a box shows what it would give; only Score writes it."""
    game = table("Ana").roll()
    page = visits(game)
    before = game.now
    choose(page, "choice")
    score = page.locator("#score")
    expect(score).to_have_text(f"Score {before.points['choice']} in Choice")
    expect(page.locator("[name=box][value=choice]")).to_be_checked()
    assert game.now == before

    press(page, "score")
    assert game.now.seats[0].boxes["choice"] == before.points["choice"]
    expect(score).to_have_text("Choose a box")


def test_a_roll_drops_the_choice(visits: Visits, table: New) -> None:
    """After a roll no box is chosen, and Score does nothing."""
    game = table("Ana").roll()
    page = visits(game)
    choose(page, "ones")
    press(page, "roll")
    expect(page.locator(".open input:checked")).to_have_count(0)
    expect(page.locator("#score")).to_have_attribute("aria-disabled", "true")
    before = game.now
    page.locator("#score").click(force=True)
    page.reload()
    assert game.now == before


def test_a_change_of_turn_drops_the_choice(visits: Visits, table: New) -> None:
    """What was chosen in Ana's turn isn't chosen in Ben's."""
    game = table("Ana", "Ben").roll()
    page = visits(game)
    choose(page, "choice")
    game.score("ones").roll()
    settled(page, game.now.seq)
    expect(page.locator("[name=box][value=choice]")).not_to_be_checked()
    expect(page.locator(".open input:checked")).to_have_count(0)
    expect(page.locator("#score")).to_have_text("Choose a box")


@pytest.mark.parametrize("touch", [False, True], ids=["mouse", "touch"])
def test_a_second_tap_drops_the_choice(visits: Visits, table: New, *, touch: bool) -> None:
    """A tap chooses a box, another tap on it lets it go, a third chooses it again."""
    game = table("Ana").roll()
    page = visits(game, touch=touch)
    for chosen in (True, False, True):
        box = choose(page, "fours", touch=touch)
        expect(box).to_be_checked(checked=chosen)
        said = f"Score {game.now.points['fours']} in Fours" if chosen else "Choose a box"
        expect(page.locator("#score")).to_have_text(said)


def test_one_tap_scores_when_it_is_asked_for(visits: Visits, table: New) -> None:
    """With the setting on, a tap on a box writes it; the arrow keys still only choose."""
    game = table("Ana", "Ben").roll()
    page = visits(game)
    page.locator("[data-open]").click()
    page.get_by_label("One tap on a box scores it").check()
    page.get_by_role("button", name="Done", exact=True).click()
    page.locator("#roll").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(page.locator("[name=box][value=twos]")).to_be_checked()
    assert game.now.seats[0].boxes["twos"] is None

    before = game.now
    choose(page, "choice")
    settled(page, before.seq + 1)
    assert game.now.seats[0].boxes["choice"] == before.points["choice"]


def test_a_click_in_another_column_does_nothing(visits: Visits, table: New) -> None:
    """Ben's boxes are his: a click on any of them chooses and writes nothing in Ana's turn."""
    game = table("Ana", "Ben").turns(3).roll()
    page = visits(game, size=DESKTOP)
    before, sent = game.now, posts_of(page)
    others = page.locator(".card tbody td:not(.now)")
    expect(others).to_have_count(12)
    for cell in others.all():
        cell.click()
    expect(page.locator(".open input:checked")).to_have_count(0)
    assert not sent
    assert game.now == before


# ---- undo ------------------------------------------------------------------------------------


def test_undo_brings_back_the_turn_as_it_was(visits: Visits, table: New) -> None:
    """After Undo the box is empty, not 0; dice, holds and rolls left are as before the score."""
    game = table("Ana", "Ben").roll().roll(0, 2)
    page = visits(game)
    hold(page, 3)
    before, seats = sight(page), game.now.seats
    undo = page.locator("#undo")
    expect(undo).to_have_count(0)
    write(page, "sixes")
    expect(undo).not_to_have_attribute("aria-disabled", "true")

    press(page, "undo")
    assert sight(page) == before
    assert before.held == [True, False, True, True, False]
    assert game.now.seats == seats
    expect(page.locator("[name=box][value=sixes]")).not_to_be_checked()
    expect(undo).to_have_count(0)


def test_undo_never_crosses_a_roll(visits: Visits, table: New) -> None:
    """Before the first roll Undo shows that it is impossible; with dice there, it is gone."""
    game = table("Ana", "Ben")
    page = visits(game)
    undo, sent = page.locator("#undo"), posts_of(page)
    expect(undo).to_have_attribute("aria-disabled", "true")
    undo.click(force=True)
    assert not sent
    settled(page, game.turns(1).roll().now.seq)
    before = game.now
    expect(undo).to_have_count(0)
    page.keyboard.press("u")
    page.reload()
    assert not sent
    assert game.now == before


def test_the_score_that_ends_the_game_stays(visits: Visits, table: New) -> None:
    """After the last score there is no Undo, and a key for it does nothing."""
    game = table("Ana").turns(11).roll()
    page = visits(game)
    page.locator("label:has([name=box])").click()
    press(page, "score")
    expect(page.locator("#undo")).to_have_count(0)
    before, sent = game.now, posts_of(page)
    page.keyboard.press("u")
    page.reload()
    assert before.over
    assert not sent


def test_a_game_is_never_lost_without_asking(visits: Visits, table: New) -> None:
    """Nothing in the tray starts another game, and Delete asks first; Home keeps the game."""
    game = table("Ana", "Ben").turns(5).roll()
    page = visits(game)
    assert page.locator("#tray").get_by_role("button").all_inner_texts() == [
        "",
        "Roll 2 of 3",
        "Choose a box",
    ]
    before = sight(page)
    page.get_by_role("link", name="Home").click()
    page.get_by_role("link", name="Ana, Ben").first.click()
    expect(page.locator("#roll")).to_be_visible()
    assert sight(page) == before
    page.get_by_role("link", name="Delete this game").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Delete this game?")
    page.get_by_role("link", name="Keep it").click()
    expect(page.locator("#roll")).to_be_visible()
    assert sight(page) == before


# ---- holds -----------------------------------------------------------------------------------


def test_all_five_held_is_no_roll(visits: Visits, table: New) -> None:
    """With five dice held Roll is disabled and says why, and pressing it uses nothing up."""
    game = table("Ana").roll()
    page = visits(game)
    before, sent, roll = game.now, posts_of(page), page.locator("#roll")
    hold(page, 0, 1, 2, 3, 4)
    expect(roll).to_have_text("All held")
    expect(roll).to_have_attribute("aria-disabled", "true")
    roll.click(force=True)
    page.keyboard.press("r")
    assert not sent
    assert game.now == before
    hold(page, 2)
    expect(roll).to_have_text("Roll 2 of 3")
    press(page, "roll")
    assert game.now.kept == [0, 1, 3, 4]


def test_holds_count_at_the_last_moment(visits: Visits, table: New) -> None:
    """A die tapped in the same instant as Roll is held in that roll."""
    game = table("Ana").roll()
    page = visits(game)
    before = seq_of(page)
    page.evaluate(
        """() => ["die4", "die1", "die4", "die2", "roll"].forEach(
            (id) => document.getElementById(id).click())"""
    )
    changed(page, before)
    assert game.now.kept == [1, 2]


def test_a_held_die_keeps_its_face_and_place(visits: Visits, table: New) -> None:
    """Over two rolls, a held die shows the same face in the same column, also while others roll."""
    game = table("Ana").roll()
    page = visits(game, motion=True)
    faces, places = sight(page).faces, _places(page)
    hold(page, 1, 4)
    page.evaluate(
        """() => {
            window.seen = new Set();
            const look = () => {
                seen.add(["1", "4"].map((n) => {
                    const die = document.getElementById(`die${n}`);
                    return die.querySelector("use").getAttribute("href")
                        + "@" + die.querySelector(".face").getBoundingClientRect().x;
                }).join(" "));
                requestAnimationFrame(look);
            };
            look();
        }"""
    )
    for _ in range(2):
        press(page, "roll")
    assert [sight(page).faces[n] for n in (1, 4)] == [faces[n] for n in (1, 4)]
    assert _places(page) == places
    assert len(page.evaluate("() => [...seen]")) == 1
    assert game.now.kept == [1, 4]


def _places(page: Page) -> list[float]:
    return page.evaluate(
        "() => [...document.querySelectorAll('.face')].map((die) => die.getBoundingClientRect().x)"
    )
