"""What a game comes to: the result, the open seal, the history."""

from playwright.sync_api import expect

from tests.browser.conftest import DESKTOP, New, Visits


def test_the_end_is_the_end(visits: Visits, sealed: New) -> None:
    """After the last score there is no roll counter, no die to hold and no preview.

    Totals of 91, 51, 51 and 42 rank 1, 2, 2, 4.
    """
    game = sealed((435).to_bytes(32), "Ana", "Ben", "Cleo", "Dan").turns(48)
    page = visits(game)
    for gone in "#roll", "#tray", ".die", ".pencil", "main input:enabled:not([type=hidden])":
        expect(page.locator(gone)).to_have_count(0)
    result = page.locator("#result")
    expect(result.get_by_role("heading")).to_have_text("Winner: Ana, 91 points.")
    assert [" ".join(one.split()) for one in result.get_by_role("listitem").all_inner_texts()] == [
        "1 Ana 91",
        "2 Cleo 51",
        "2 Dan 51",
        "4 Ben 42",
    ]
    expect(page).to_have_title("Winner: Ana, 91 points. · Yacht")
    expect(page.locator("main [aria-current]")).to_have_count(0)


def test_a_tie_names_all_winners(visits: Visits, sealed: New) -> None:
    """Equal highest totals share the win."""
    page = visits(sealed((438).to_bytes(32), "Ana", "Ben", "Cleo", "Dan").turns(48))
    expect(page.get_by_role("heading", level=1)).to_have_text(
        "A tie. Winners: Ben, Cleo, 87 points each."
    )


def test_the_seal_is_opened_at_the_end(visits: Visits, sealed: New) -> None:
    """The fingerprint stands there from the start, the seed from the end; then it verifies."""
    seed = (435).to_bytes(32)
    game = sealed(seed, "Ana").turns(11)
    page = visits(game, size=DESKTOP)
    assert seed.hex() not in page.content()
    page.locator("#seal summary").click()
    expect(page.locator("#seal .print")).to_have_text([game.now.fingerprint])
    game.turns(1)
    expect(page.locator("#seal .print")).to_have_text([game.now.fingerprint, seed.hex()])
    page.get_by_role("button", name="Verify").click()
    expect(page.locator(".verdict")).to_have_text(
        "Every roll is the sealed one, and every score is right."
    )


def test_finished_games_are_in_the_history_alone(visits: Visits, table: New) -> None:
    """Home lists a finished game with its totals under the finished ones, not among the others."""
    going = table("Ana", "Ben").turns(3)
    done = table("Ana", "Cleo", token=going.token).turns(24)
    page = visits(going, path="./")
    regions = page.get_by_role("region")
    resume, finished = regions.filter(has_text="Go on"), regions.filter(has_text="Finished games")
    expect(resume.locator(f"a[href$='{going.room}']")).to_have_count(1)
    expect(resume.locator(f"a[href$='{done.room}']")).to_have_count(0)
    expect(finished.locator(f"a[href$='{going.room}']")).to_have_count(0)
    link = finished.locator(f"a[href$='{done.room}']")
    for seat in done.now.seats:
        expect(link).to_contain_text(f"{seat.name} {seat.total}")
