"""What the page shows can be told apart, by those who see it and by those who hear it."""

import re
from math import comb

import pytest
from playwright.sync_api import Locator, ViewportSize, expect

from tests.browser.conftest import DESKTOP, PHONE, New, Visits
from tests.browser.hands import hold, press, sight, write
from yacht.dicelog import LogView

# ---- the card --------------------------------------------------------------------------------


def test_each_open_box_shows_what_it_would_give(visits: Visits, table: New) -> None:
    """Every open box has its value for the dice on the table, zeros too; others have none."""
    game = table("Ana", "Ben").turns(4).roll()
    page = visits(game)
    now = game.now
    shown = {
        box.locator("input").get_attribute("value"): box.locator(".pencil").inner_text()
        for box in page.locator("td.open:has(input)").all()
    }
    assert shown == {box: str(points) for box, points in now.points.items()}
    assert "0" in shown.values()
    assert len(shown) == 10
    expect(page.locator("td.open:not(:has(input))")).to_have_text([""] * 10)


def _look(cell: Locator) -> tuple[str, ...]:
    return tuple(
        cell.evaluate(
            """(cell) => {
                const style = getComputedStyle(cell);
                return [style.fontStyle, style.fontWeight, style.color];
            }"""
        )
    )


def test_preview_score_zero_and_empty_look_different(visits: Visits, table: New) -> None:
    """A preview is pencil, a written score ink, a written zero a dash that is read as 0."""
    game = table("Ana").roll()
    while 0 not in game.now.points.values():
        game.score().roll()
    zero = next(box for box, points in game.now.points.items() if not points)
    game.score(zero).roll().score("choice").roll()
    page = visits(game)
    card = page.locator(".card tbody")
    preview, ink = card.locator("td.open .pencil").first, card.locator("td.ink").last
    assert _look(preview)[0] == "italic"
    assert _look(ink)[0] == "normal"
    assert int(_look(ink)[1]) > int(_look(preview)[1])
    assert _look(ink)[2] != _look(preview)[2]
    dash = card.locator("td.ink:has(.zero)")
    expect(dash.locator(".zero")).to_have_text("–")
    expect(page.locator("main")).to_match_aria_snapshot(
        f"""
        - row /{_title(zero)}.*/:
          - rowheader "{_title(zero)}"
          - cell "0"
        """
    )


def _title(box: str) -> str:
    return box.replace("_", " ").title().replace(" Of A ", " of a ")


def test_the_card_reads_as_a_table(visits: Visits, table: New) -> None:
    """Players head the columns, boxes the rows; an open box says what choosing it does."""
    game = table("Ana", "Ben").turns(2).roll()
    now = game.now
    page = visits(game)
    snapshot = page.locator(".card").aria_snapshot()
    for seat in now.seats:
        assert f'columnheader "{seat.name} {seat.total} in all"' in snapshot
    for box in now.seats[0].boxes:
        assert f'- rowheader "{_title(box)}"' in snapshot
    for box, points in now.points.items():
        assert f'radio "Score {points} in {_title(box)}"' in snapshot
    assert snapshot.count("radio") == len(now.points)
    expect(page.locator("th[aria-current=true]")).to_contain_text("Ana")


# ---- the tray --------------------------------------------------------------------------------


def test_a_die_is_a_control_with_a_name_and_a_state(visits: Visits, table: New) -> None:
    """Each die is called "Die 3: 5" and is checked while it is held; its pips are not read."""
    game = table("Ana").roll()
    page = visits(game)
    hold(page, 2)
    dice = page.get_by_role("group", name="Dice")
    lines = [
        f'- checkbox "Die {place}: {face}"{" [checked]" if place == 3 else ""}'
        for place, face in enumerate(game.now.dice, 1)
    ]
    heard = [line.strip().replace("'", "") for line in dice.aria_snapshot().splitlines()]
    assert heard[-5:] == lines
    expect(dice.locator("svg:not([aria-hidden=true])")).to_have_count(0)


def test_held_is_shown_by_word_and_place(visits: Visits, table: New) -> None:
    """A held die has the word over it and lies lower; its colour is as before."""
    page = visits(table("Ana").roll())
    face, label = page.locator("#die1 .face"), page.locator("#die1 .held")
    before, picture = face.bounding_box(), _look(face)
    expect(label).to_be_hidden()
    hold(page, 1)
    expect(label).to_be_visible()
    expect(label).to_have_text("Held")
    after = face.bounding_box()
    assert before
    assert after
    assert after["y"] > before["y"] + 8
    assert after["x"] == before["x"]
    assert _look(face) == picture


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_rolls_are_counted_beside_the_dice(visits: Visits, table: New, size: ViewportSize) -> None:
    """Which roll comes next and how many are left stand with the dice, always in view."""
    game = table("Ana")
    page = visits(game, size=size)
    for used, button in enumerate(["Roll 1 of 3", "Roll 2 of 3", "Roll 3 of 3", "No rolls left"]):
        left = 3 - used
        roll, line = page.locator("#roll"), page.locator(".turnline")
        expect(roll).to_have_text(button)
        expect(line).to_contain_text(f"{left} roll{'' if left == 1 else 's'} left")
        expect(roll).to_be_in_viewport(ratio=1)
        expect(line).to_be_in_viewport(ratio=1)
        expect(page.locator(".dice")).to_be_in_viewport(ratio=1)
        if left:
            game.roll()


def test_the_title_says_whose_turn_it_is(visits: Visits, table: New) -> None:
    """Also in the tab's title, and with whom to pass the device to."""
    game = table("Ana", "Ben").roll().score()
    page = visits(game)
    expect(page).to_have_title("Pass the device to Ben · Yacht")
    press(page, "roll")
    expect(page).to_have_title("Turn: Ben · Yacht")


# ---- the log ---------------------------------------------------------------------------------


def test_the_log_has_every_throw(visits: Visits, table: New) -> None:
    """Each turn's rolls, held dice, box and points are listed as they were."""
    game = table("Ana", "Ben").roll().roll(0, 4).roll(0).score("choice").turns(2).roll()
    page = visits(game, size=DESKTOP)
    turns = game.log.turns
    last = page.locator(".last")
    expect(last).to_contain_text(game.now.seats[turns[-2].seat].name)
    expect(last).to_contain_text(str(turns[-2].points))
    page.get_by_role("link", name="Dice log").click()
    rows = page.locator("table.log").first.locator("tbody tr").all()
    assert len(rows) == len(turns) == 4
    for row, turn in zip(rows, turns, strict=True):
        cells = row.locator("td").all_inner_texts()
        assert cells[0] == str(turn.turn + 1)
        assert cells[1] == game.now.seats[turn.seat].name
        thrown = ["".join(map(str, roll.dice)) for roll in turn.rolls]
        assert cells[2].split() == thrown
        assert cells[3] == ("" if turn.box is None else _title(turn.box))
        assert cells[4] == ("" if turn.points is None else str(turn.points))
        held = [
            "".join(tokens.locator(".kept").all_inner_texts())
            for tokens in row.locator(".tokens").all()
        ]
        kept = ["".join(str(roll.dice[place]) for place in roll.kept) for roll in turn.rolls]
        assert held == kept
    page.get_by_role("link", name="Back to the game").click()
    expect(page.locator("#roll")).to_be_visible()


def _thrown(log: LogView, seat: int) -> list[int]:
    return [
        face
        for turn in log.turns
        if turn.seat == seat
        for roll in turn.rolls
        for place, face in enumerate(roll.dice)
        if place not in roll.kept
    ]


def test_faces_are_counted_beside_what_is_expected(visits: Visits, table: New) -> None:
    """Per player: how often each face was thrown, the mean, and an interval that is honest.

    A fair die's count lies within it in at least 95 % of games, and no count is coloured.
    """
    game = table("Ana", "Ben").roll().roll(0, 4).roll(0).score("choice").turns(20)
    page = visits(game, f"{game.path}/log", size=DESKTOP)
    log = game.log
    rows = page.locator("table.faces tbody tr").all()
    looks = set[tuple[str, ...]]()
    for seat, row in enumerate(rows):
        thrown = _thrown(log, seat)
        *counts, expected = row.locator("td").all_inner_texts()
        assert [int(count) for count in counts] == [thrown.count(face) for face in range(1, 7)]
        found = re.fullmatch(r"([\d.]+) \((\d+) to (\d+)\)", expected)
        assert found
        assert float(found[1]) == pytest.approx(len(thrown) / 6, abs=0.05)
        low, high, many = int(found[2]), int(found[3]), len(thrown)
        inside = sum(comb(many, hits) * 5 ** (many - hits) for hits in range(low, high + 1))
        assert 0.95 <= inside / 6**many < 0.995
        looks.update(_look(cell) for cell in row.locator("td").all()[:6])
    assert len(rows) == 2
    assert len(looks) == 1


# ---- names -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["<img src=x onerror=1>", "{{7*7}}", "'\"&amp;<b>", "🎲 Zoë", "عمر", "W" * 24]
)
def test_a_name_is_text(visits: Visits, table: New, name: str) -> None:
    """Markup, template syntax, quotes, emoji and other scripts are shown as they were typed."""
    page = visits()
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Start a game").click()
    expect(page.locator("#seat0 bdi")).to_have_text(name)
    press(page, "roll")
    write(page, "choice")
    expect(page.locator(".last bdi")).to_have_text(name)
    expect(page.locator("main img, main b:not(.wrote b)")).to_have_count(0)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 360
    assert sight(page).line.startswith(f"Turn: {name}")


@pytest.mark.parametrize("name", ["a\u202eb", "x" * 200, "\u200d"])
def test_a_name_that_cannot_be_shown_is_refused(visits: Visits, name: str) -> None:
    """Direction marks, 200 letters and nothing visible are refused with a sentence."""
    visits.tolerate("status of 422")
    page = visits()
    field = page.get_by_label("Your name")
    field.evaluate("(field) => field.removeAttribute('maxlength')")
    field.fill(name)
    page.get_by_role("button", name="Start a game").click()
    expect(page.get_by_role("alert")).to_contain_text("can’t be a name")
    expect(page.get_by_label("Your name")).to_have_value(name)
