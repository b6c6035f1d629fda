"""Walks through every state of every page, in any language, for checks that must hold in all."""

from collections.abc import Callable, Iterator

from playwright.sync_api import Locator, Page, expect

from tests.browser.cards import column, fail, full, keep, opened, set_up, throw
from tests.browser.conftest import Visits
from tests.browser.hands import PRESSES_APART, SOLVED, choose, hold, press, settled
from tests.browser.table import Opening, take_turns
from tests.serving import Timely

States = Iterator[tuple[str, Page]]
"""The name of a state, and a page that is in it."""

Walk = Callable[[Visits, Opening], States]

LONG = "Maximiliane-Charlotte W."


def home(visits: Visits, table: Opening) -> States:
    visits.tolerate("status of 422")
    page = visits()
    yield "empty", page
    page.locator(".more summary").click()
    page.locator("#name1").fill("\u202e")
    page.locator("#new .primary").click()
    expect(page.get_by_role("alert")).to_be_visible()
    yield "a name refused", page

    going = table("Ana", LONG).turns(3)
    for _ in range(20):
        table("Ana", token=going.token)
    table("Ana", "Ben", LONG, token=going.token).turns(36)
    table("Ana", token=going.token).turns(12)
    yield "full, with more to show", visits(going, "./")


def reading(visits: Visits, table: Opening) -> States:
    visits.tolerate("status of (403|404|409|422)")
    game = table("Ana", LONG).turns(24)
    page = visits(game, "rules")
    yield "rules", page
    page.goto(f"rules?back={game.room}&ruleset=sum")
    yield "rules from a game", page
    page.goto(f"tips?back={game.room}&ruleset=sum")
    yield "tips from a game", page
    page.goto("card?ruleset=sum&players=8")
    yield "blank card", page
    page.goto(f"{game.path}/share")
    yield "links", page
    page.goto(f"{game.path}/delete")
    yield "delete", page
    page.goto("record")
    yield "record form", page
    page.locator("#text").fill("not a record")
    page.locator(".opener .primary").click()
    expect(page.locator(".verdict.bad")).to_be_visible()
    yield "record refused", page
    page.goto(game.path)
    page.locator("#seal summary").click()
    page.locator("#seal form button").click()
    expect(page.locator(".verdict.good")).to_be_visible()
    yield "record opened", page
    page.locator("[action$='/record/review'] button").click()
    expect(page.locator(".plot").first).to_be_visible()
    yield "record reviewed", page
    page.goto(f"{table('Ana').path}/review")
    yield "review too early", page
    page.goto("g/nowhere")
    yield "no such game", page
    stranger = visits(path=f"{game.path}/delete")
    yield "not yours", stranger
    stranger.goto(f"{game.path}/share")
    yield "link to watch", stranger
    stranger.goto(f"{game.path}/here/0123")
    yield "link to go on", stranger


def _cell(page: Page, box: str, player: int) -> Locator:
    """A box of the scorekeeper's card."""
    return page.locator(f"[data-box={box}] [data-player='{player}']")


def _write(page: Page, box: str, player: int, points: int) -> None:
    _cell(page, box, player).click()
    page.locator(f"#values [data-points='{points}']").click()
    expect(page.locator("#entry")).to_be_hidden()


def scoring(visits: Visits, _table: Opening) -> States:
    page = opened(visits)
    yield "set-up", page
    set_up(page, "Ana", LONG, "Cleo")
    _write(page, "fours", 0, 0)
    page.locator("#keys summary").click()
    yield "a card, with keys", page
    _cell(page, "choice", 1).click()
    yield "a box with many values", page
    page.keyboard.press("Escape")
    page.locator("#open-dice").click()
    throw(page, "55331")
    page.locator("#coach").click()
    yield "the coach", page
    _cell(page, "fives", 1).click()
    yield "points of dice", page
    fail(page, fails=True)
    page.locator("#values .wide").click()
    expect(page.get_by_role("alert")).to_be_visible()
    yield "a card that can't be kept", page
    fail(page, fails=False)
    _write(page, "ones", 0, 1)
    totals = (180, 200, 150, 180, 120, 130, 140, 160)
    names = ["Ana", LONG, *map(str, range(6))]
    keep(page, full(*map(column, totals), names=names))
    yield "eight at the end", page
    page.locator("#share-text").click()
    yield "as text", page
    page.goto("score#cards")
    page.locator("#finished-cards button").click()
    yield "history, with a question", page


def analysing(visits: Visits, _table: Opening) -> States:
    visits.tolerate("status of 422")
    page = visits(path="analysis")
    yield "to hold", page
    page.goto("analysis?dice=44441&rolls=0&ruleset=sum")
    yield "to score", page
    page.goto("analysis?dice=23455&rolls=2&filled=ones:3,twos:6,sixes,choice:22,yacht&target=120")
    yield "a target", page
    page.goto("analysis?dice=23457&rolls=2&filled=ones:3")
    yield "dice that can't be", page
    page.goto("analysis")
    page.locator("#box-fives").focus()
    yield "a box to be filled", page


def _playing(visits: Visits, table: Opening, *names: str) -> States:
    game = table(*names).turns(4 * len(names))
    page = visits(game)
    yield "before a roll", page
    press(page, "roll")
    hold(page, 1, 3)
    choose(page, next(iter(game.now.points)))
    yield "dice held, box chosen", page
    page.locator("#hint").click()
    expect(page.locator("#slip")).to_be_visible(timeout=SOLVED)
    yield "a hint", page
    game.roll().roll()
    expect(page.locator("#left0")).to_be_visible()
    yield "no rolls left", page
    page.goto(f"{game.path}/log")
    yield "dice log", page
    yield "watched", visits(path=game.path)


def alone(visits: Visits, table: Opening) -> States:
    page = visits(table("Ana"))
    page.locator("#seal summary").click()
    yield "new, seal open", page
    press(page, "roll")
    hold(page, 0, 1, 2, 3, 4)
    yield "all held", page
    yield from _playing(visits, table, "Ana")
    game = table("Ana").turns(12)
    yield "over", visits(game)
    yield "over, watched", visits(path=game.path)
    review = visits(path=f"{game.path}/review")
    review.locator("summary").click()
    yield "review with its numbers", review


def three(visits: Visits, table: Opening) -> States:
    """What is unlike a game alone."""
    for state, page in _playing(visits, table, "Ana", "Ben", LONG):
        if state in {"before a roll", "a hint", "dice log", "watched"}:
            yield state, page
    review = visits(path=f"{table('Ana', 'Ben', LONG).turns(36).path}/review")
    review.locator("summary").last.click()
    yield "review with everyone's chances", review


def eight(visits: Visits, table: Opening) -> States:
    """What is wide where many play; the rest is as where three do."""
    names = "Ana", "Ben", LONG, "Dan", "Eva", "Filip", "Gita", "Hugo"
    for state, page in _playing(visits, table, *names):
        if state == "a hint":
            yield state, page
    yield "review", visits(path=f"{table(*names).turns(96).path}/review")


def computers(visits: Visits, table: Opening) -> States:
    game = table("Ana", "Computer", LONG, computers=["", "strong", "exact"]).roll().score()
    page = visits(game)
    expect(page.locator("#seat1[aria-current]")).to_be_visible()
    yield "computer about to play, or playing", page
    page = visits(table("Ana"), "./")
    page.locator(".more summary").click()
    page.locator("#computer2").select_option("easy")
    yield "home with a computer", page


def inviting(visits: Visits, table: Opening) -> States:
    visits.tolerate("status of 422")
    page = visits(path="invite")
    yield "invitation", page
    page.locator("#name").fill("\u202e")
    page.locator("main .primary").click()
    expect(page.get_by_role("alert")).to_be_visible()
    yield "an invitation refused", page

    ana = table.invite("Ana", places=4, clock=90)
    host = visits(ana)
    yield "lobby, alone", host
    ana.join(LONG)
    ana.sit("computer", name="Computer", level="strong")
    expect(host.locator("#sits2")).to_be_visible()
    yield "lobby", host
    joiner = visits(path=ana.path)
    joiner.locator("#letters summary").click()
    yield "lobby, to sit down", joiner
    joiner.locator("#name").fill("\u202e")
    joiner.locator("#sit").click()
    expect(joiner.locator("#notice")).to_be_visible()
    yield "lobby, a name refused", joiner
    ana.join("Cleo")
    expect(joiner.locator(".watching")).to_be_visible()
    yield "lobby, full", joiner
    ana.sit("begin")
    expect(joiner.locator("#tray")).to_be_visible()
    yield "begun without you", joiner


def friends(visits: Visits, table: Opening) -> States:
    """What is unlike a game on one device."""
    visits.tolerate("status of 422")  # letters for the seal that come after the first roll
    tables = table.friends(LONG, "Ana", "Ben", clock=90, hints=True)
    on, off = visits(tables[0]), visits(tables[1])
    tables[0].roll()
    settled(on, tables[0].now.seq)
    settled(off, tables[0].now.seq)
    yield "your turn, with a clock", on
    yield "a friend's turn, with a clock", off
    tables = table.friends("Ana", LONG)
    take_turns(tables, 24)
    page = visits(tables[1])
    yield "friends, over", page
    page.goto(f"{tables[1].path}/share")
    yield "links of a seat", page
    page.goto(tables[1].again().path)
    yield "the next game", page
    page.goto(tables[1].path)
    yield "over, with a next game", page


def away(visits: Visits, table: Opening, served: Timely) -> States:
    """Somebody on turn is away, as a server sees it whose clock is put forward."""
    tables = table.friends(LONG, "Ana", "Ben")
    page = visits(tables[1])
    served.wait(40)
    expect(page.locator("#missing")).to_be_visible()
    yield "away", page
    served.wait(100)
    expect(page.locator("#skip")).to_be_visible()
    yield "long away", page
    page.locator("#stand-in").click()
    expect(page.locator("#stand-in")).to_have_count(0)
    yield "a computer plays", page


def exceptions(visits: Visits, table: Opening) -> States:
    visits.tolerate("status of 409|net::ERR_FAILED")
    game = table("Ana", "Ben", LONG).turns(5).roll()
    page = visits(game)
    page.keyboard.press("?")
    yield "settings", page
    page.keyboard.press("Escape")
    page.evaluate("() => document.querySelectorAll('[name=seq]').forEach((seq) => (seq.value = 1))")
    hold(page, 2)
    page.locator("#roll").click()
    expect(page.locator("#notice")).to_be_visible()
    yield "notice", page
    page.wait_for_timeout(PRESSES_APART)
    page.route("**/g/*", lambda route: route.abort())
    page.locator("#roll").click()
    expect(page.locator("#away")).to_be_visible()
    yield "connection lost", page
    game.score().turns(30)
    yield "over", visits(game)


def showing(visits: Visits, table: Opening) -> States:
    """A card that is shown live, on its keeper's page and on a watcher's."""
    visits.tolerate("ERR_INTERNET_DISCONNECTED|404")
    page = opened(visits)
    names = ["Ana", LONG, "Ben", "Cleo", "Dan", "Eva", "Filip", "Gita"]
    set_up(page, *names)
    _write(page, "fours", 0, 12)
    page.locator("#show-live").click()
    expect(page.locator("#live-code")).to_be_visible()
    yield "shown live", page
    link = page.locator("#live-link").input_value()
    yield "watched", visits(path=link)
    page.context.set_offline(True)
    _write(page, "ones", 2, 3)
    waiting = page.locator("#live").get_attribute("data-waiting")
    expect(page.locator("#live-state")).to_have_text(waiting or "?")
    yield "waiting for the network", page
    page.context.set_offline(False)
    keep(page, full(column(180), column(200), column(200), names=("Ana", "Ben", LONG)))
    page.locator("#show-live").click()
    expect(page.locator("#live-code")).to_be_visible()
    yield "watched, over", visits(path=page.locator("#live-link").input_value())
    yield "not shown", visits(path="s/nothing")
    page.evaluate("() => (document.querySelector('#update').hidden = false)")
    yield "a new version", page


WALKS: dict[str, Walk] = {
    walk.__name__: walk
    for walk in (
        *(home, reading, scoring, analysing, alone, three, eight, computers),
        *(inviting, friends, exceptions, showing),
    )
}
