"""The page plays whole games where scripts don't run."""

from playwright.sync_api import expect

from tests.browser.conftest import New, Visits
from tests.browser.hands import choose, hold, sight


def test_a_whole_game_is_played_without_script(visits: Visits, table: New) -> None:
    """From home to the result with forms alone: rolls, holds, a score taken back, a refusal."""
    visits.tolerate("status of 422")
    page = visits(script=False)
    page.get_by_label("Your name").fill("Ana")
    page.get_by_role("button", name="Start a game").click()
    roll, score, undo = (page.locator(f"#{name}") for name in ("roll", "score", "undo"))

    score.click(force=True)
    expect(page.locator("#notice")).to_have_text("Choose an open box first, then score.")
    line = page.locator(".turnline")
    roll.click()
    expect(line).to_have_text("Turn: Ana 2 rolls left")
    expect(page.locator("#notice")).to_have_count(0)
    hold(page, 1, 3)
    held = [sight(page).faces[position] for position in (1, 3)]
    roll.click()
    expect(line).to_have_text("Turn: Ana 1 roll left")
    assert sight(page).held == [False, True, False, True, False]
    assert [sight(page).faces[position] for position in (1, 3)] == held
    hold(page, 0, 2, 4)
    roll.click()
    expect(page.locator("#notice")).to_have_text(
        "All five dice are held. Release one to roll, or choose a box."
    )
    expect(line).to_have_text("Turn: Ana 1 roll left")
    roll.click()
    expect(line).to_have_text("Turn: Ana 0 rolls left")
    before = sight(page)
    roll.click(force=True)
    expect(page.locator("#notice")).to_have_text("No rolls are left. Choose a box for these dice.")
    assert sight(page) == before

    choose(page, "choice")
    score.click()
    total = page.locator("#seat0 .total")
    expect(total).to_have_text(f"{sum(before.faces)} in all")
    undo.click()
    expect(total).to_have_text("0 in all")
    assert sight(page) == before
    choose(page, "choice")
    score.click()

    for _ in range(11):
        roll.click()
        page.locator("label:has([name=box])").first.click()
        score.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("The game is over")
    expect(page.locator("#tray")).to_have_count(0)


def test_a_watcher_without_script_sees_the_game_go_on(visits: Visits, table: New) -> None:
    """Without scripts a watcher's page asks again by itself, and shows no way to act."""
    game = table("Ana").roll()
    page = visits(path=game.path, script=False)
    expect(page.locator("noscript meta[http-equiv=refresh]")).to_have_count(1)
    expect(page.locator("#tray").get_by_role("button")).to_have_count(0)
    expect(page.locator("main input:enabled:not([type=hidden])")).to_have_count(0)
    game.roll()
    with page.expect_navigation(timeout=10_000):
        pass
    expect(page.locator(".turnline")).to_contain_text("1 roll left")


def test_enter_on_a_die_rolls(visits: Visits, table: New) -> None:
    """Without scripts, Enter on a die sends the dice's form as Roll, never as Undo."""
    game = table("Ana").roll()
    page = visits(game, script=False)
    page.locator("#keep1").check()
    page.locator("#keep1").press("Enter")
    expect(page.locator(".turnline")).to_contain_text("1 roll left")
    assert game.now.kept == [1]
