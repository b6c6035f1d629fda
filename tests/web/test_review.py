"""The review: its page, its place in the downloaded record, and what keeps it until the end."""

import asyncio
from itertools import pairwise
from threading import Event

import httpx
import msgspec
import pytest

from tests.web.plain import Element, Site, Visitor, parse
from yacht.engine.notation import decode_record, encode_record, verify
from yacht.engine.rules import RULESETS
from yacht.rooms.options import Options
from yacht.strategy.review import Review

HOSTILE = "<b>Ana</b> #{{7}}"


def finished(site: Site, who: Visitor, *names: str, ruleset: str = "classic") -> str:
    """A finished game in which every roll was written in the first open box."""
    who.start(*names, ruleset=ruleset)
    return site.game(who.viewer, *names, scores=12 * len(names), ruleset=ruleset)


def reviewed(who: Visitor, room: str) -> Review:
    answer = who.get(f"/api/v1/games/{room}/review")
    assert answer.status_code == 200
    return msgspec.json.decode(answer.content, type=Review)


def number(text: str) -> float:
    return float(text.replace("−", "-"))


# ---- the page ---------------------------------------------------------------------------------


@pytest.mark.parametrize("names", [("Ana",), ("Ana", "Ben", HOSTILE)], ids=["one", "three"])
@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_sum_is_right_on_paper(
    site: Site, ana: Visitor, ben: Visitor, names: tuple[str, ...], ruleset: str
) -> None:
    """Anyone sees each player's sum: the numbers shown add up to the total of the card."""
    room = finished(site, ana, *names, ruleset=ruleset)
    page = ben.open(f"/g/{room}/review")
    assert ben.answer.status_code == 200
    accounts = page.all(".account")
    assert [account.one("h2").text for account in accounts] == list(names)
    told = reviewed(ben, room)
    for account, seat in zip(accounts, told.seats, strict=True):
        start, luck, choices, total = (number(dd.text) for dd in account.all("dd"))
        assert start + luck + choices == pytest.approx(total, abs=1e-9)
        assert total == seat.total == pytest.approx(seat.start + seat.luck - seat.loss)
        assert start == pytest.approx(seat.start, abs=0.06)
        assert choices == pytest.approx(-seat.loss, abs=0.06)
        assert luck == pytest.approx(seat.luck, abs=0.16)


def test_the_curve_and_the_table_behind_it(site: Site, ana: Visitor) -> None:
    """Each player has a line, drawn unlike any other, and all its numbers are in a table."""
    names = tuple("ABCDEFGH")
    room = finished(site, ana, *names)
    page, told = ana.open(f"/g/{room}/review"), reviewed(ana, room)
    plot = page.all(".plot")[0]
    lines = plot.all("polyline")
    assert len({line["class"] for line in lines}) == len(names)
    for line, seat in zip(lines, told.seats, strict=True):
        points = [tuple(map(float, point.split(","))) for point in line["points"].split()]
        assert len(points) == len(seat.steps) + 1
        assert points[0][0] == 0
        assert points[-1][0] == 100
        assert [x for x, _ in points] == sorted(x for x, _ in points)
        assert all(0 <= y <= 100 for _, y in points)
    assert [end.text for end in plot.all(".end text")] == [
        f"{seat.total} {name}" for seat, name in zip(told.seats, names, strict=True)
    ]
    heights = sorted(float(end["y"].rstrip("%")) for end in plot.all(".end text"))
    assert all(low + 7.9 < high for low, high in pairwise(heights))
    assert 0 < heights[0] < heights[-1] < 100
    rows = page.all("details")[0].all("tbody tr")
    assert len(rows) == 12 * len(names)
    last = [seat.turns[-1].expected_total for seat in told.seats]
    shown = [number(row.all("td")[-1].text) for row in rows[-8:]]
    assert shown == [round(total, 1) for total in last]


def test_the_chances_to_win(site: Site, ana: Visitor) -> None:
    """They begin equal and end with the winners' shares; alone there are none."""
    room = finished(site, ana, "Ana", "Ben", "Cleo")
    page, told = ana.open(f"/g/{room}/review"), reviewed(ana, room)
    assert told.chances[0] == pytest.approx([1 / 3] * 3)
    totals = [seat.total for seat in told.seats]
    winners = [total == max(totals) for total in totals]
    assert told.chances[-1] == pytest.approx([won / sum(winners) for won in winners])
    assert all(sum(chances) == pytest.approx(1) for chances in told.chances)
    assert len(told.chances) == 1 + sum(len(seat.steps) for seat in told.seats)
    rows = page.all("details")[1].all("tbody tr")
    assert len(rows) == 12
    shown = [[float(td.text.rstrip("%")) / 100 for td in row.all("td")] for row in rows]
    assert shown[-1] == pytest.approx(list(told.chances[-1]), abs=0.0006)
    per_turn = len(told.chances) // 12
    assert shown[0] == pytest.approx(list(told.chances[per_turn]), abs=0.0006)
    alone = ana.open(f"/g/{finished(site, ana, 'Ana')}/review")
    assert len(alone.all(".plot")) == 1


def test_a_higher_total_is_drawn_higher(site: Site, ana: Visitor) -> None:
    """Up is more: the points of a line fall and rise as the expected totals do."""
    room = finished(site, ana, "Ana")
    page = ana.open(f"/g/{room}/review")
    (seat,) = reviewed(ana, room).seats
    totals = [seat.start, *(step.expected_total for step in seat.steps)]
    points = page.one(".plot polyline")["points"].split()
    heights = [-float(point.split(",")[1]) for point in points]
    low, high = min(heights), max(heights)
    scaled = [(h - low) / (high - low) for h in heights]
    spread = max(totals) - min(totals)
    assert scaled == pytest.approx([(t - min(totals)) / spread for t in totals], abs=0.01)
    ruled = [number(text.text) for text in page.all(".plot .scale")]
    assert min(ruled) <= min(totals)
    assert max(ruled) >= max(totals)


def test_the_costliest_choices(site: Site, ana: Visitor) -> None:
    """The three choices that cost most, with their dice, what was done and what was better."""
    room = finished(site, ana, "Ana")
    page = ana.open(f"/g/{room}/review")
    (seat,) = reviewed(ana, room).seats
    shown = page.all(".dear li")
    assert len(shown) == len(seat.costliest) == 3
    for item, place in zip(shown, seat.costliest, strict=True):
        step = seat.steps[place]
        assert number(item.one("b").text) == -round(step.loss, 1)
        assert f"Turn {step.turn + 1}, " in item.one(".when").text
        dice = item.all("p")[1]
        faces = [use["href"] for use in dice.all("use")]
        assert faces == [f"#d{face}" for face in step.dice]
        assert dice.heard == ", ".join(map(str, step.dice))
        did, better = item.all(".choice")
        assert did.text.startswith(f"Wrote {step.chosen.points} point")
        if step.best.keep:
            held = ", ".join(map(str, step.best.keep))
            assert better.heard == f"Better: hold {held}"
            assert [u["href"] for u in better.all("use")] == [f"#d{f}" for f in step.best.keep]


def test_losses_by_box_luck_by_turn_and_faces(site: Site, ana: Visitor) -> None:
    """Every box has what it lost and every turn its luck; the faces stand below."""
    room = finished(site, ana, "Ana", "Ben")
    page, told = ana.open(f"/g/{room}/review"), reviewed(ana, room)
    *_, lost, luck = page.all(".tally")
    for row, n in zip(luck.all("tbody tr"), range(12), strict=True):
        values = [number(cell.text) for cell in row.all("td")]
        assert values == [round(seat.turns[n].luck, 1) for seat in told.seats]
    assert lost.one("tbody").all("th")[0].text == "Ones"
    for row, n in zip(lost.all("tbody tr"), range(12), strict=True):  # filled in card order
        values = [number(cell.text) for cell in row.all("td")]
        assert values == [-round(seat.turns[n].loss, 1) for seat in told.seats]
    log = ana.get(f"/api/v1/games/{room}/log").json()
    counts = [[int(cell.text) for cell in row.all("td")[:6]] for row in page.all(".faces tbody tr")]
    assert counts == [faces["counts"] for faces in log["faces"]]


def test_the_review_of_a_running_game_is_a_hint(ana: Visitor, ben: Visitor) -> None:
    """Its owner gets it when they take it as one; others get nothing but a way back."""
    room = ana.start("Ana", "Ben")
    for box in "choice", "choice", "ones":
        ana.roll()
        ana.score(box)
    assert ana.open(f"/g/{room}/review").one("h1").text == "The review comes after the game"
    assert not ana.page.all(".account")
    assert not ana.get(f"/api/v1/games/{room}").json()["seats"][1]["assisted"]
    ana.press(ana.page.one("main form button"))
    assert [account.one("h2").text for account in ana.page.all(".account")] == ["Ana", "Ben"]
    assert "Played with hints: Ana, Ben" in ben.open(f"/g/{room}").text
    for account in ana.open(f"/g/{room}/review").all(".account"):
        start, luck, choices, end = (number(dd.text) for dd in account.all("dd"))
        assert start + luck + choices == pytest.approx(end, abs=1e-9)
    assert len(ana.page.all(".plot")) == 2


def test_friends_have_no_review_before_the_end(site: Site, ana: Visitor) -> None:
    """Nobody reviews a running game of friends, and to ask for it marks nobody."""
    ana.open("/")
    invite = site.host.invite(ana.viewer, "Ana", "classic", Options(2, hints=True))
    room = site.run(invite)
    site.run(site.host.join(room, "b" * 32, "Ben"))
    site.run(site.host.begin(room, ana.viewer))
    page = ana.open(f"/g/{room}/review")
    assert page.one("h1").text == "The review comes after the game"
    assert not page.all("main form")
    assert ana.post(f"/g/{room}/review").status_code == 409
    assert not site.run(site.host.room(room)).assisted


def test_a_running_game_has_no_review_for_others(ana: Visitor, ben: Visitor) -> None:
    """It would be advice, so nobody else gets it, nor any program, nor whoever has the record."""
    room = ana.start("Ana")
    ana.roll()
    ana.score("choice")
    page = ben.open(f"/g/{room}/review")
    assert ben.answer.status_code == 409
    assert page.one("h1").text == "The review comes after the game"
    assert not page.all(".account")
    assert ben.click(page.one(".acts a")).all("#game")
    refused = ben.get(f"/api/v1/games/{room}/review")
    assert (refused.status_code, refused.json()["error"]["reason"]) == (409, "not_over")
    text = ana.get(f"/g/{room}/record").text
    assert "#" not in text
    assert ben.post("/record/review", data={"text": text}).status_code == 409


def test_the_result_leads_to_the_review(site: Site, ana: Visitor) -> None:
    """From the result of a game to its review, and back again."""
    room = finished(site, ana, "Ana")
    ana.open(f"/g/{room}")
    (link,) = [link for link in ana.page.all("#result a") if link.text == "Review"]
    page = ana.click(link)
    assert ana.path == f"/g/{room}/review"
    assert ana.click(page.one(".acts a")).all("#result")


def test_no_such_game(ana: Visitor) -> None:
    """A game that isn't there has no review."""
    assert ana.get("/g/nothing/review").status_code == 404
    assert ana.get("/api/v1/games/nothing/review").status_code == 404


# ---- records ----------------------------------------------------------------------------------


def test_the_download_ends_with_the_review(site: Site, ana: Visitor, ben: Visitor) -> None:
    """Comments with sums and choices: readers see the same record, and its dice verify."""
    names = ("Ana", "# Žofia 🎲", "1.1 26155")
    room = finished(site, ana, *names)
    plain = ben.get(f"/api/v1/games/{room}/record").text
    text = ben.get(f"/g/{room}/record").text
    assert text.startswith(plain)
    assert "#" not in "".join(line for line in plain.splitlines() if '"' not in line)
    comments = text.removeprefix(plain).splitlines()
    assert comments[0] == ""
    assert all(line.startswith("# ") for line in comments[1:])
    for name, seat in zip(names, reviewed(ben, room).seats, strict=True):
        (line,) = [line for line in comments if line.startswith(f"# {name}: ")]
        assert line.endswith(f" by choices = {seat.total}")
    assert sum("Better: " in line for line in comments) == 9
    record = decode_record(text)
    assert encode_record(record) == plain
    verify(record)


def test_a_record_is_reviewed(site: Site, ana: Visitor, ben: Visitor) -> None:
    """An opened record of a finished game has a button that leads to the same review."""
    room = finished(site, ana, "Ana", HOSTILE)
    ben.open("/record")
    ben.press(ben.page.one("form.opener button"), text=ana.get(f"/g/{room}/record").text)
    (button,) = [button for button in ben.page.all("button") if button.text == "Review"]
    page = ben.press(button)
    assert ben.answer.status_code == 200
    assert [_shown(page)] == [_shown(ana.open(f"/g/{room}/review"))]
    assert ben.click(page.one(".acts a")).all("form.opener")


def _shown(page: Element) -> list[str]:
    return [section.text for section in page.all("section")]


@pytest.mark.parametrize("fields", [{}, {"text": ""}, {"text": "yacht 1\nx"}])
def test_what_is_no_record(ana: Visitor, fields: dict[str, str]) -> None:
    """What isn't a record is refused, on a page of its own."""
    headers = {"content-type": "application/x-www-form-urlencoded"}
    answer = ana.post("/record/review", data=fields, headers=headers)
    assert answer.status_code == 422
    assert parse(answer.text).one("h1")


# ---- the loop ---------------------------------------------------------------------------------


def test_a_review_holds_up_nobody(
    site: Site, ana: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While a review is made, the server answers others."""
    room = finished(site, ana, "Ana")
    begun, others = Event(), Event()

    def slowly(*_game: object, **_how: object) -> Review:
        begun.set()
        assert others.wait(20), "the loop was held"
        return Review("classic", over=True, seats=[], chances=[])

    monkeypatch.setattr("yacht.web.review.reviewed", slowly)

    async def meanwhile() -> httpx.Response:
        asked = asyncio.create_task(ana.client.get(f"/api/v1/games/{room}/review"))
        assert await asyncio.to_thread(begun.wait, 20)
        await ana.client.get(f"/g/{room}")
        others.set()
        return await asked

    assert site.run(meanwhile()).json()["seats"] == []
