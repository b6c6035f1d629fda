"""Nothing moves, nothing is too small, nothing is out of reach."""

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.conftest import DESKTOP, PHONE, Friends, New, Visits
from tests.browser.hands import choose, hold, press, settled, write
from tests.browser.table import take_turns
from tests.browser.walks import LONG

# ---- moving ----------------------------------------------------------------------------------

WATCH = """() => {
    window.shifts = [];
    new PerformanceObserver((list) => list.getEntries().forEach((shift) => shifts.push(
        shift.sources.map(({ node, previousRect: from, currentRect: to }) =>
            `${node?.id || node?.className || node?.localName || node?.textContent}:`
            + ` ${from.x},${from.y} ${from.width}x${from.height}`
            + ` to ${to.x},${to.y} ${to.width}x${to.height}`)
    ))).observe({ type: "layout-shift", buffered: true });
}"""


_DESKTOP = pytest.param(DESKTOP, id="desktop", marks=pytest.mark.soak)


@pytest.mark.parametrize("size", [pytest.param(PHONE, id="phone"), _DESKTOP])
@pytest.mark.parametrize("names", [("Ana",), ("Ana", "Ben", LONG)], ids=["one", "three"])
def test_nothing_moves_when_the_state_changes(
    visits: Visits, table: New, size: ViewportSize, names: tuple[str, ...]
) -> None:
    """From the first paint over whole turns, with hints, holds and undo, the layout shift is 0.

    Shifts that follow a click are counted too.
    """
    game = table(*names)
    page = visits(game, size=size)
    page.evaluate("() => document.fonts.ready.then(() => true)")
    page.evaluate(WATCH)
    for box in "four_of_a_kind", "little_straight":
        press(page, "roll")
        page.locator("#hint").click()
        expect(page.locator("#slip")).to_be_visible()
        hold(page, 0, 4)
        choose(page, box)
        game.roll(4)
        settled(page, game.now.seq)
        hold(page, 1)
        game.roll(1, 4)
        settled(page, game.now.seq)
        write(page, box)
        press(page, "undo")
        write(page, box)
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    shifts: list[str] = page.evaluate("() => shifts.flat()")
    assert not shifts, "\n".join(shifts)


# ---- eight players on a phone ----------------------------------------------------------------


def test_eight_players_fit_on_a_phone(visits: Visits, table: New) -> None:
    """The names of the boxes stay in view, and the column on turn comes into view by itself.

    It isn't hidden under the names of the boxes, and every total is shown whole.
    """
    names = ["Ana", "Ben", LONG, "Dan", "Eva", "Filip", "Gita", "Hugo"]
    game = table(*names).turns(8)
    page = visits(game)
    for seat in range(len(names)):
        _column_is_whole(page, seat)
        press(page, "roll")
        choose(page, "choice" if page.locator("[name=box][value=choice]").count() else "sixes")
        press(page, "score")
    _column_is_whole(page, 0)
    page.reload()
    _column_is_whole(page, 0)
    clipped = page.evaluate(
        """() => [...document.querySelectorAll(".total")].filter(
            (total) => total.scrollWidth > total.clientWidth && total.clientWidth
        ).map((total) => total.textContent)"""
    )
    assert clipped == []


def _column_is_whole(page: Page, seat: int) -> None:
    column = page.locator(f"#seat{seat}")
    expect(column).to_have_attribute("aria-current", "true")
    expect(column).to_be_in_viewport(ratio=1)
    names = page.locator(".card tbody th").all()
    boxes = [name.bounding_box() for name in names]
    here = column.bounding_box()
    assert here
    for box in boxes:
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= here["x"] + 1


def test_the_column_on_turn_is_in_view_without_script(visits: Visits, table: New) -> None:
    """Wherever the card is scrolled, it lies beside the names, over the others, and is tapped."""
    game = table("Ana", "Ben", "Cleo", "Dan", "Eva").turns(8).roll()
    page = visits(game, script=False)
    _column_is_whole(page, 3)
    for row in page.locator(".card tbody th .label").all():
        line = row.evaluate("(label) => parseFloat(getComputedStyle(label).lineHeight)")
        assert (row.bounding_box() or {})["height"] < 1.5 * line
    page.locator("#scroll").evaluate("(scroll) => (scroll.scrollLeft = scroll.scrollWidth)")
    _column_is_whole(page, 3)
    box = next(iter(game.now.points))
    choose(page, box)
    page.locator("#score").click()
    assert game.now.seats[3].boxes[box] is not None
    _column_is_whole(page, 4)


def test_eight_columns_fit_on_a_desktop(visits: Visits, table: New) -> None:
    """All are seen whole, and names that begin alike can be told apart."""
    names = [f"Player {n}" for n in range(1, 8)]
    page = visits(table(*names, LONG).turns(5), size=DESKTOP)
    scroll = page.locator("#scroll")
    assert scroll.evaluate(
        "(scroll) => [scroll.scrollLeft, scroll.scrollWidth - scroll.clientWidth]"
    ) == [0, 0]
    for name in page.locator(".name").all()[:7]:
        cut = (
            "(name) => [name.scrollWidth - name.clientWidth, name.scrollHeight - name.clientHeight]"
        )
        assert max(name.evaluate(cut)) < 8  # half a line; ink may reach out of its line


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_boxes_have_examples_where_there_is_room(visits: Visits, table: New, seats: int) -> None:
    """On a desktop the drawn dice beside a box's name stay with up to four players, uncut."""
    page = visits(table(*"ABCD"[:seats]), size=DESKTOP)
    for row in page.locator(".card tbody th").all():
        expect(row.locator(".example")).to_be_visible()
        assert row.evaluate("(row) => row.scrollWidth <= row.clientWidth")


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("seats", [2, 3, 5, 8])
def test_nothing_touches_in_a_columns_head(
    visits: Visits, room: Friends, size: ViewportSize, seats: int
) -> None:
    """The red bar, the name with its mark, the total and the rule below keep apart."""
    tables = room(*[LONG, "Jörg Ågygy", "Player 3", "Ana", "Ben", "Cleo", "Dan", "Eva"][:seats])
    take_turns(tables, seats)
    page = visits(tables[1], size=size)
    heads = page.evaluate(
        """() => [...document.querySelectorAll(".card thead th")].map((head) => {
            const edges = (of) => {
                const box = of.getBoundingClientRect();
                return [box.top, box.bottom];
            };
            const who = head.querySelector(".who"), total = head.querySelector(".total");
            return [edges(head)[0] + 3, ...edges(who), ...edges(total), edges(head)[1] - 1];
        })"""
    )
    assert len(heads) == seats
    for edges in heads:
        assert edges == sorted(edges)


def test_ones_own_column_says_so(visits: Visits, room: Friends, table: New) -> None:
    """Among friends it is marked on others' turns too; for watchers and on one device none is."""
    tables = room("Ana", LONG, "Cleo", "Dan")
    for seat, one in enumerate(tables):
        page = visits(one)
        expect(page.locator(".mark")).to_have_text(["you"])
        expect(page.locator(f"#seat{seat} .mark")).to_be_visible()
    expect(visits(path=tables[0].path).locator(".mark")).to_have_count(0)
    expect(visits(table("Ana", "Ben")).locator(".mark")).to_have_count(0)


def test_a_column_that_one_looks_at_stays_in_view(visits: Visits, table: New) -> None:
    """Who scrolls to another player's column isn't dragged back by rolls and holds."""
    game = table(*"ABCDEFGH")
    page = visits(game)
    scroll = page.locator("#scroll")
    looked_at = scroll.evaluate(
        """(scroll) => {
            scroll.scrollLeft = 200; // and on to where the columns let it rest
            return new Promise(requestAnimationFrame).then(() => scroll.scrollLeft);
        }"""
    )
    assert looked_at > 100
    press(page, "roll")
    hold(page, 1)
    game.roll(1)
    settled(page, game.now.seq)
    assert scroll.evaluate("(scroll) => scroll.scrollLeft") == looked_at


def test_a_focused_box_is_not_hidden(visits: Visits, table: New) -> None:
    """With the arrow keys on a low window each box comes out from under the tray."""
    page = visits(table("Ana").roll(), size=ViewportSize(width=360, height=480))
    page.locator("#roll").focus()
    for _ in range(12):
        page.keyboard.press("ArrowDown")
        page.evaluate("() => new Promise(requestAnimationFrame)")
        seen = page.evaluate(
            """() => {
                const box = document.activeElement.getBoundingClientRect();
                const at = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
                return at?.closest("td")?.contains(document.activeElement);
            }"""
        )
        assert seen
