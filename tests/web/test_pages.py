"""Games and their pages through plain HTML forms, as a browser without script plays them."""

import asyncio
import random
import re
from collections.abc import Mapping, Sequence

import httpx
import pytest

from tests.web.plain import Element, Site, Visitor, card, dice, game_of, held, offered, parse
from yacht import words
from yacht.engine.dice import dice_key, throw
from yacht.engine.game import Game, Keep, UndoScore
from yacht.engine.notation import decode_record, verify
from yacht.engine.rules import CLASSIC, RULESETS, SUM, score
from yacht.i18n import ENGLISH

LABELS = {key: ENGLISH(label) for key, label in words.BOXES.items()}


def notice(page: Element) -> str:
    return page.one(".notice").text


def rolls_left(page: Element) -> str:
    return page.one("#tray .turnline span").text


def seq(page: Element) -> int:
    return int(page.one("#game")["data-seq"])


def keeps(game: Game) -> list[Keep]:
    return [move for move in game.moves() if isinstance(move, Keep)]


# ---- a whole game -----------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", RULESETS)
def test_whole_game(ana: Visitor, ruleset: str) -> None:
    """A game is played to its end by forms alone; each page offers exactly the legal moves."""
    chance = random.Random(ruleset)
    room = ana.start("Ana", "Ben", ruleset=ruleset)
    undone = 0
    while not (game := game_of(ana, room)).is_over:
        assert offered(ana.page) == set(game.moves())
        assert dice(ana.page) == game.dice
        assert held(ana.page) == (tuple(sorted(game.kept)) if game.rolls_left else ())
        assert card(ana.page) == [
            {
                LABELS[category.key]: "" if box is None else str(box)
                for category, box in zip(game.ruleset.categories, player.boxes, strict=True)
            }
            for player in game.cards
        ]
        before = seq(ana.page)
        if UndoScore() in game.moves() and undone < 3:
            undone += 1
            ana.undo()
        elif game.rolls_left and (not game.dice or chance.random() < 0.4):
            ana.roll(*chance.choice(keeps(game)).positions)
        else:
            ana.score(chance.choice(game.open_boxes))
        assert ana.answer.status_code == 200
        assert seq(ana.page) > before
    assert offered(ana.page) == set()
    assert [person.text for person in ana.page.all("#result li")] == [
        f"{standing.rank} {('Ana', 'Ben')[standing.seat]} {standing.total}"
        for standing in game.standings
    ]


def test_the_card_is_in_the_order_of_its_ruleset(ana: Visitor) -> None:
    """A classic card runs from Ones to Yacht, a sum card from Yacht to Ones."""
    for ruleset in (CLASSIC, SUM):
        ana.start("Ana", ruleset=ruleset.key)
        (column,) = card(ana.page)
        assert list(column) == [LABELS[category.key] for category in ruleset.categories]


def test_eight_players_take_turns(ana: Visitor) -> None:
    """Eight seats share one device; the page says to whom it is to be passed, in order."""
    names = [f"Player{n}" for n in range(8)]
    ana.start(*names)
    assert ana.page.one("#tray .turnline h1").text == "Player0 starts"
    for place, name in enumerate([*names, names[0]]):
        if place:
            assert ana.page.one("#tray .turnline h1").text == f"Pass the device to {name}"
        assert ana.page.one("table.card th[aria-current=true] .name").text == name
        ana.roll()
        assert ana.page.one("#tray .turnline h1").text == f"Turn: {name}"
        ana.score(game_of(ana, ana.room).open_boxes[0])


# ---- what a state offers (behaviours 2, 4, 7, 8, 15) ------------------------------------------


def test_previews(ana: Visitor) -> None:
    """Each open box shows what it gives for the dice, zeros too; a written score is no preview."""
    ana.start("Ana", "Ben", ruleset="sum")
    assert all(pencil.text == "" for pencil in ana.page.all(".pencil"))
    assert all("disabled" in box for box in ana.page.all("form#card input[name=box]"))
    ana.roll()
    shown = dice(ana.page)
    cells = ana.page.all("form#card td.open.now")
    assert len(cells) == 12
    for cell in cells:
        key = cell.one("input")["value"]
        given = score(shown, key, SUM)
        assert cell.one(".pencil").text == str(given)
        assert cell.heard == f"Score {given} in {LABELS[key]}"
    ana.score("choice")
    ana.roll()
    assert not ana.page.all("td.ink .pencil")
    assert not ana.page.all("td.ink input")
    assert [cell.text for cell in ana.page.all("td.ink")] == [str(sum(shown))]


def test_a_written_zero_is_not_an_empty_box(site: Site, ana: Visitor) -> None:
    """A zero is drawn as a stroke and read as 0; an open box without dice is empty."""
    ana.start("Ana")
    ana.roll()
    while score(dice(ana.page), "yacht"):
        ana.start("Ana")
        ana.roll()
    ana.score("yacht")
    (zero,) = ana.page.all("td.ink")
    assert zero.one("[aria-hidden=true]").text == "–"
    assert zero.heard == "0"
    assert all(cell.text == "" for cell in ana.page.all("td.open"))


def test_other_columns_have_no_controls(ana: Visitor) -> None:
    """Only the column of the seat on turn has boxes to choose."""
    ana.start("Ana", "Ben", "Cleo")
    for turn in range(4):
        ana.roll()
        for row in ana.page.all("table.card tbody tr"):
            controls = [bool(cell.all("input")) for cell in row.all("td")]
            assert not any(box for seat, box in enumerate(controls) if seat != turn % 3)
        ana.score(game_of(ana, ana.room).open_boxes[0])


def test_undo(ana: Visitor) -> None:
    """Undo empties the box again, with dice, holds and rolls left as they were before."""
    ana.start("Ana", "Ben")
    ana.roll()
    ana.roll(1, 3)
    before = ana.page
    ana.score("choice")
    assert ana.page.one("#tray .turnline h1").text == "Pass the device to Ben"
    ana.undo()
    after = ana.page
    assert dice(after) == dice(before)
    assert held(after) == held(before) == (1, 3)
    assert rolls_left(after) == rolls_left(before) == "1 roll left"
    assert card(after) == card(before)
    assert offered(after) == offered(before)
    ana.score("yacht")
    assert card(ana.page)[0]["Choice"] == ""


def test_undo_never_crosses_a_roll(ana: Visitor) -> None:
    """Once dice were rolled the score before stands; the control says so and so does a refusal."""
    ana.start("Ana")
    assert UndoScore() not in offered(ana.page)
    ana.roll()
    ana.score("choice")
    assert UndoScore() in offered(ana.page)
    ana.roll()
    assert UndoScore() not in offered(ana.page)
    before = card(ana.page)
    late = ana.post(f"/g/{ana.room}", data={"do": "undo", "seq": str(seq(ana.page))})
    assert late.status_code == 422
    assert notice(parse(late.text)) == "There is no score to take back: dice were rolled since."
    assert card(ana.open(f"/g/{ana.room}")) == before


def test_a_hint(ana: Visitor, ben: Visitor) -> None:
    """It is for the owner alone, and marks the seat; before the first roll there is none."""
    ana.start("Ana", "Ben")
    room = ana.room
    assert not ana.page.all("#hint")
    ana.roll()
    ben.open(f"/g/{room}")
    assert not ben.page.all("#hint")
    assert ben.post(f"/g/{room}", data={"do": "hint"}).status_code == 403
    assert not ana.open(f"/g/{room}?hint=1").all("#slip")
    ana.press(ana.page.one("#hint"))
    assert ana.page.one("#slip h2").text
    assert not ben.open(f"/g/{room}?hint=1").all("#slip")
    seats = ben.get(f"/api/v1/games/{room}").json()["seats"]
    assert [seat["assisted"] for seat in seats] == [True, False]
    ana.score("choice")
    assert not ana.page.all("#slip")


def test_all_held_is_no_roll(ana: Visitor) -> None:
    """Rolling with all five dice held is refused with a reason and uses nothing up."""
    ana.start("Ana")
    ana.roll()
    before = ana.page
    ana.roll(0, 1, 2, 3, 4)
    assert ana.answer.status_code == 422
    assert "All five dice are held" in notice(ana.page)
    assert seq(ana.page) == seq(before)
    assert dice(ana.page) == dice(before)
    assert rolls_left(ana.page) == "2 rolls left"


def test_held_dice_stay_where_they_are(ana: Visitor) -> None:
    """A held die keeps its face and its place, and is shown as held with the roll it belongs to."""
    ana.start("Ana")
    ana.roll()
    first = dice(ana.page)
    ana.roll(0, 4)
    assert held(ana.page) == (0, 4)
    assert (dice(ana.page)[0], dice(ana.page)[4]) == (first[0], first[4])
    ana.roll(2)
    assert rolls_left(ana.page) == "0 rolls left"
    assert not ana.page.all("#tray input[name=keep]")


def test_the_end(site: Site, ana: Visitor) -> None:
    """After the end there is a result, and no roll counter, no hold, no preview, no box."""
    ana.start("Ana")
    room = site.game(ana.viewer, "Ana", "Ben", scores=24)
    ana.open(f"/g/{room}")
    assert not ana.page.all("#tray")
    assert not ana.page.all(".pencil")
    assert not ana.page.all("#game input[type=checkbox]")
    assert not ana.page.all("#game input[type=radio]")
    assert [button.text for button in ana.page.all("#game .acts button")] == ["Play again"]
    assert "left" not in ana.page.one("#result").text
    log = ana.open(f"/g/{room}/log").all("table.log")[0]
    assert len(log.all("tbody tr")) == 24


def test_ranks_are_shared(site: Site, ana: Visitor) -> None:
    """Equal totals have one rank, the next rank counts them all, and all tied names are told."""
    record = "\n".join(
        [
            "yacht 1",
            "ruleset: classic",
            f"fingerprint: {'0' * 64}",
            *(f'seat {n}: "{name}"' for n, name in enumerate(("Ana", "Ben", "Cleo"), 1)),
            "",
        ]
    )
    boxes = [category.key for category in CLASSIC.categories]
    for turn, key in enumerate(boxes, 1):
        for seat, faces in enumerate(("66665", "66665", "66664"), 1):
            given = score(tuple(map(int, faces)), key)
            record += f"\n{turn}.{seat} {faces} {key}={given}"
    ana.open("/record")
    ana.press(ana.page.one("form[enctype] button"), text=record)
    ranks = [th.text for th in ana.page.all("table.card thead th")]
    assert ranks[0].split()[1] == ranks[1].split()[1] > ranks[2].split()[1]
    assert "A tie. Winners: Ana, Ben" in ana.page.text


# ---- refusals ---------------------------------------------------------------------------------


REFUSED: Mapping[str, tuple[Mapping[str, str | Sequence[str]], int]] = {
    "no such move": ({"do": "cheat"}, 400),
    "no move": ({}, 400),
    "two moves": ({"do": ["cheat", "roll"]}, 400),
    "six dice": ({"do": "roll", "keep": ["0", "1", "2", "3", "4", "5"]}, 422),
    "a sixth die": ({"do": "roll", "keep": "5"}, 422),
    "a die below the first": ({"do": "roll", "keep": "-1"}, 422),
    "half a die": ({"do": "roll", "keep": "1.5"}, 422),
    "a die in Arabic digits": ({"do": "roll", "keep": "\u0661"}, 422),
    "all dice": ({"do": "roll", "keep": ["0", "1", "2", "3", "4"]}, 422),
    "an unknown box": ({"do": "score", "box": "jackpot"}, 422),
    "no box": ({"do": "score"}, 422),
    "a box by its label": ({"do": "score", "box": "Ones"}, 422),
    "undo after a roll": ({"do": "undo"}, 422),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused_moves_change_nothing(ana: Visitor, case: str) -> None:
    """What the rules or the form refuse gets a 4xx and leaves the game as it was."""
    fields, status = REFUSED[case]
    room = ana.start("Ana")
    ana.roll()
    before = ana.get(f"/g/{room}/record").text
    answer = ana.post(f"/g/{room}", data={"seq": str(seq(ana.page)), **fields})
    assert answer.status_code == status
    assert ana.get(f"/g/{room}/record").text == before


@pytest.mark.parametrize("number", ["", "x", "-1", "1.0", "1e0", " 1", "\u0661", "9" * 400, None])
def test_strict_numbers(ana: Visitor, number: str | None) -> None:
    """A form's seq is plain digits or the form isn't read."""
    room = ana.start("Ana")
    fields = {"do": "roll"} | ({} if number is None else {"seq": number})
    assert ana.post(f"/g/{room}", data=fields).status_code == 400
    assert ana.get(f"/api/v1/games/{room}").json()["seq"] == 1


def test_dice_and_points_come_from_the_server(ana: Visitor) -> None:
    """Dice and points that a client sends are not so much as looked at."""
    room = ana.start("Ana")
    fields = {"do": "roll", "seq": "1", "dice": "66666", "face": "6", "points": "50"}
    assert ana.post(f"/g/{room}", data=fields).status_code == 303
    ana.post(f"/g/{room}", data={"do": "score", "seq": "3", "box": "ones", "points": "50"})
    ana.open(f"/g/{room}")
    rolled = ana.get(f"/api/v1/games/{room}/log").json()["turns"][0]["rolls"][0]["dice"]
    assert card(ana.page)[0]["Ones"] == str(rolled.count(1))


def test_a_late_move_sees_where_the_game_is(ana: Visitor) -> None:
    """A move at a number that is past gets 409 and the page as it is now, ready to play on."""
    ana.start("Ana")
    ana.roll()
    old = ana.page
    ana.roll(0)
    now = ana.page
    answer = ana.post(ana.path, data={"seq": str(seq(old)), "do": "score", "box": "choice"})
    assert answer.status_code == 409
    page = parse(answer.text)
    assert notice(page) == "The game had already gone on. This is where it is now."
    assert (seq(page), dice(page), offered(page)) == (seq(now), dice(now), offered(now))


def test_a_resend_happens_once(ana: Visitor) -> None:
    """The same form sent again gets the state that its first sending made."""
    ana.start("Ana")
    roll = {"seq": "1", "do": "roll"}
    assert ana.post(ana.path, data=roll).status_code == 303
    ana.open(ana.path)
    once = ana.page
    assert ana.post(ana.path, data=roll).status_code == 303
    assert seq(ana.open(ana.path)) == seq(once)
    written = {"seq": str(seq(once)), "do": "score", "box": "choice"}
    assert [ana.post(ana.path, data=written).status_code for _ in range(3)] == [303, 303, 303]
    assert len([box for box in card(ana.open(ana.path))[0].values() if box]) == 1


def test_parallel_posts_are_one_roll(site: Site, ana: Visitor) -> None:
    """Twenty sendings of one roll at once are one roll, and all are told so."""
    ana.start("Ana")

    async def at_once() -> list[httpx.Response]:
        roll = {"seq": "1", "do": "roll"}
        return await asyncio.gather(*(ana.client.post(ana.path, data=roll) for _ in range(20)))

    assert [answer.status_code for answer in site.run(at_once())] == [303] * 20
    assert rolls_left(ana.open(ana.path)) == "2 rolls left"


def test_parallel_different_moves_are_one_move(site: Site, ana: Visitor) -> None:
    """Of different moves at one number one is made; the others get 409 and see which."""
    ana.start("Ana")
    ana.roll()
    number = str(seq(ana.page))

    async def at_once() -> list[httpx.Response]:
        boxes = ("ones", "choice", "yacht", "fives")
        return await asyncio.gather(
            *(
                ana.client.post(ana.path, data={"seq": number, "do": "score", "box": box})
                for box in boxes
            )
        )

    answers = site.run(at_once())
    assert sorted(answer.status_code for answer in answers) == [303, 409, 409, 409]
    late = [parse(answer.text) for answer in answers if answer.status_code == 409]
    assert all(card(page) == card(ana.open(ana.path)) for page in late)


def test_the_script_gets_the_part_that_changes(ana: Visitor) -> None:
    """With Yacht-Part an answer is the game's element alone, also when a move is refused."""
    ana.start("Ana")
    part = {"Yacht-Part": "game"}
    sent = ({"seq": "1", "do": "roll"}, {"seq": "1", "do": "undo"}, {"seq": "3", "do": "undo"})
    answers = [ana.post(ana.path, data=data, headers=part) for data in sent]
    assert [answer.status_code for answer in answers] == [200, 409, 422]
    for answer in [*answers, ana.get(ana.path, headers=part)]:
        page = parse(answer.text.strip())
        assert [child.tag for child in page.children if isinstance(child, Element)] == ["main"]
        assert page.one("main")["id"] == "game"


def test_the_script_gets_refusals_as_notices(ana: Visitor, ben: Visitor) -> None:
    """With Yacht-Part any other refusal is its sentence alone, to be shown over the game."""
    room = ana.start("Ana")
    part = {"Yacht-Part": "game"}
    for answer in (
        ana.post("/g/nothing", data={"seq": "1", "do": "roll"}, headers=part),
        ana.post(f"/g/{room}", data={"do": "jump"}, headers=part),
        ana.post(f"/g/{room}", data={"do": "x" * 70_000}, headers=part),
        ana.post(f"/g/{room}", data={"do": "roll"}, headers={**part, "Origin": "http://evil.test"}),
        ana.get("/nothing", headers=part),
    ):
        assert 400 <= answer.status_code < 500
        page = parse(answer.text.strip())
        (told,) = [child for child in page.children if isinstance(child, Element)]
        assert told["id"] == "notice"
        assert told.text.endswith(".")


# ---- the seal -------------------------------------------------------------------------------


def test_players_add_to_the_seal(site: Site, ana: Visitor) -> None:
    """Letters typed before the first roll change the dice as the seal says, and are then fixed."""
    room = ana.start("Ana", "Ben")
    fields = ana.page.all("input[name=salt]")
    assert [field.attributes.get("form") for field in fields] == ["tray", "tray"]
    ana.press(ana.page.one("#roll"), salt=["Ana", "Žofia"])
    assert not ana.page.all("input[name=salt]")
    assert ana.get(f"/api/v1/games/{room}").json()["seat_bytes"] == [
        b"Ana".hex(),
        "Žofia".encode().hex(),
    ]
    loaded = site.run(site.host.store.load(room))
    assert loaded
    key = dice_key(loaded[0].seed, [b"Ana", "Žofia".encode()])
    assert dice(ana.page) == throw(key, 0, 0, 0)


def test_too_many_letters_are_refused(ana: Visitor) -> None:
    """A seat adds at most 32 bytes; more is refused with a reason before anything is rolled."""
    ana.start("Ana")
    ana.press(ana.page.one("#roll"), salt="ž" * 17)
    assert ana.answer.status_code == 422
    assert "at most 32 bytes" in notice(ana.page)
    assert dice(ana.page) == ()


def test_typed_letters_survive_a_refusal(ana: Visitor) -> None:
    """Whoever typed too much sees it again, to shorten it."""
    ana.start("Ana", "Ben")
    ana.press(ana.page.one("#roll"), salt=["Ana", "ž" * 17])
    assert [field["value"] for field in ana.page.all("input[name=salt]")] == ["Ana", "ž" * 17]


def test_the_fingerprint_is_shown_from_the_start(ana: Visitor, ben: Visitor) -> None:
    """Player and watcher see the same fingerprint, before the first roll and at the end."""
    room = ana.start("Ana")
    printed = ana.page.one("#seal .print").text
    assert re.fullmatch(r"[0-9a-f]{64}", printed)
    assert ben.open(f"/g/{room}").one("#seal .print").text == printed


def test_a_finished_game_verifies_itself(site: Site, ana: Visitor) -> None:
    """The seed is shown after the end, and one press checks every throw against it."""
    ana.start("Ana")
    room = site.game(ana.viewer, "Ana", scores=12)
    page = ana.open(f"/g/{room}")
    assert len(page.all("#seal .print")) == 2
    ana.press(page.one("#seal form button"))
    assert ana.answer.status_code == 200
    assert ana.page.one(".verdict.good").text == (
        "Every roll is the sealed one, and every score is right."
    )


# ---- who may (behaviours 19, 21, 26) ----------------------------------------------------------


def test_watchers_see_all_and_can_do_nothing(ana: Visitor, ben: Visitor) -> None:
    """Who has the link sees dice, previews and scores, has no control, and is refused a move."""
    room = ana.start("Ana", "Cleo")
    ana.roll()
    page = ben.open(f"/g/{room}")
    assert dice(page) == dice(ana.page)
    assert [p.text.removeprefix("would give ") for p in page.all(".pencil")] == [
        p.text for p in ana.page.all(".pencil")
    ]
    assert not page.all("#game button[name=do]")
    assert all("disabled" in control for control in page.all("#game input[type=checkbox]"))
    assert not page.all("#game input[type=radio]")
    assert not [link for link in page.all("a") if link["href"].endswith("/delete")]
    assert page.one(".watching").text == "You are watching this game."
    number = seq(page)
    for data in ({"do": "roll"}, {"do": "score", "box": "choice"}, {"do": "undo"}):
        answer = ben.post(f"/g/{room}", data={"seq": str(number), **data})
        assert answer.status_code == 403
        assert notice(parse(answer.text)).startswith("This game belongs to another browser")
    for act in ("again", "delete", f"here/{'0' * 32}"):
        assert ben.post(f"/g/{room}/{act}").status_code == 403
    assert ben.get(f"/g/{room}/delete").status_code == 403
    assert seq(ana.open(f"/g/{room}")) == number


def test_a_watcher_without_script_sees_each_act(ana: Visitor, ben: Visitor) -> None:
    """A watcher's page asks for itself again while the game runs; a player's never does."""
    room = ana.start("Ana")
    assert ben.open(f"/g/{room}").one("noscript meta")["http-equiv"] == "refresh"
    assert not ana.page.all("noscript meta")


def test_the_personal_link_moves_the_game(ana: Visitor, ben: Visitor) -> None:
    """It asks first, moves the game once, and then works no more; the old browser watches."""
    room = ana.start("Ana")
    ana.roll()
    ana.open(f"/g/{room}/share")
    links = [field["value"] for field in ana.page.all("input[readonly]")]
    assert links[0] == f"http://yacht.test/g/{room}"
    assert len(links) == 2
    ben.open(links[1])
    assert ana.open(f"/g/{room}").all("#roll")
    ben.press(ben.page.one("main form button"))
    assert ben.path == f"/g/{room}"
    ben.roll(0)
    assert ben.answer.status_code == 200
    assert not ana.open(f"/g/{room}").all("#roll")
    again = ana.post(links[1])
    assert again.status_code == 403
    assert not ana.open(f"/g/{room}").all("#roll")


def test_a_used_link_says_so(site: Site, ana: Visitor, ben: Visitor) -> None:
    """Whoever opens a link that was used is told, without a button, and can watch."""
    room = ana.start("Ana")
    link = ana.open(f"/g/{room}/share").all("input[readonly]")[1]["value"]
    assert ben.post(link).status_code == 303
    for late in (ana, site.visitor()):
        page = late.open(link)
        assert late.answer.status_code == 403
        assert page.one("main p").text.startswith("This link has been used")
        assert not page.all("main form")
        late.click(page.one("main a"))
        assert late.room == room
    assert "goes on in another browser" in ana.open(f"/g/{room}").one("#game")["data-say"]
    assert "goes on here" in ben.open(f"/g/{room}").one("#game")["data-say"]


def test_a_used_link_is_harmless_to_its_user(ana: Visitor, ben: Visitor) -> None:
    """Pressing Go on here twice, or by whoever has the game already, changes nothing more."""
    room = ana.start("Ana")
    link = ana.open(f"/g/{room}/share").all("input[readonly]")[1]["value"]
    assert ana.post(link).status_code == 303
    assert [ben.post(link).status_code for _ in range(2)] == [303, 303]
    assert ben.open(f"/g/{room}").all("#roll")
    assert [row["href"] for row in ana.open("/").all("ul.games a")] == []
    assert ben.open("/").all(f"a[href=/g/{room}]")


def test_watchers_get_no_personal_link(ana: Visitor, ben: Visitor) -> None:
    """The share page shows a watcher the link to watch and nothing that moves the game."""
    room = ana.start("Ana")
    page = ben.open(f"/g/{room}/share")
    assert [field["value"] for field in page.all("input[readonly]")] == [
        f"http://yacht.test/g/{room}"
    ]
    assert "/here/" not in ben.answer.text


# ---- the end and after (behaviours 6, 24) -----------------------------------------------------


def test_delete_asks_first(ana: Visitor, ben: Visitor) -> None:
    """Deleting is a question on a page of its own; only its answer removes the game, for all."""
    room = ana.start("Ana", "Cleo")
    (link,) = [a for a in ana.page.all("a") if a["href"].endswith("/delete")]
    assert not any(element.fits("form") for element in link.above())
    ana.click(link)
    assert "Ana, Cleo" in ana.page.one("main").text
    assert ana.get(f"/g/{room}").status_code == 200
    back = ana.page.one("main a")
    assert back["href"] == f"/g/{room}"
    ana.press(ana.page.one("main form button"))
    assert ana.path == "/"
    assert not ana.page.all("ul.games")
    for path in ("", "/record", "/share", "/delete"):
        assert ben.get(f"/g/{room}{path}").status_code == 404
    assert ana.post(f"/g/{room}/delete").status_code == 404


def test_nothing_near_undo_leaves_the_game(ana: Visitor) -> None:
    """The tray has Undo, Roll and Score, and no way to a new game or out of this one."""
    ana.start("Ana")
    ana.roll()
    ana.score("choice")
    assert [button["value"] for button in ana.page.all("#tray button")] == [
        "undo",
        "roll",
        "score",
    ]
    assert not ana.page.all("#tray a")


def test_play_again_rotates_and_happens_once(site: Site, ana: Visitor, ben: Visitor) -> None:
    """The second player starts the next game; pressed twice, or by a watcher, it is the same."""
    ana.start("Ana")
    room = site.game(ana.viewer, "Ana", "Ben", "Cleo", scores=36, ruleset="sum")
    watched = ben.open(f"/g/{room}")
    assert not watched.all("#result button")
    assert ben.post(f"/g/{room}/again").status_code == 403
    over = ana.open(f"/g/{room}")
    ana.press(over.one("#result button"))
    names = [name.text for name in ana.page.all("table.card thead .name")]
    assert names == ["Ben", "Cleo", "Ana"]
    assert ana.get(f"/api/v1/games/{ana.room}").json()["ruleset"] == "sum"
    fresh = ana.room
    assert fresh != room
    ana.open(f"/g/{room}")
    ana.press(ana.page.one("#result button"))
    assert ana.room == fresh
    ben.open(f"/g/{room}")
    (link,) = [a for a in ben.page.all("#result a") if a["href"] == f"/g/{fresh}"]
    ben.click(link)
    assert not ben.page.all("#roll")


def test_play_again_waits_for_the_end(ana: Visitor) -> None:
    """A game that runs can't be played again: 409, with a way back."""
    room = ana.start("Ana")
    assert ana.post(f"/g/{room}/again").status_code == 409


def test_parallel_rematches_are_one(site: Site, ana: Visitor) -> None:
    """Pressed in several windows at once, Play again opens one game."""
    ana.start("Ana")
    room = site.game(ana.viewer, "Ana", scores=12)

    async def at_once() -> list[httpx.Response]:
        return await asyncio.gather(*(ana.client.post(f"/g/{room}/again") for _ in range(8)))

    assert len({answer.headers["location"] for answer in site.run(at_once())}) == 1


def test_the_last_score_stands(site: Site, ana: Visitor) -> None:
    """The score that ends the game can't be taken back, by no form."""
    ana.start("Ana")
    room = site.game(ana.viewer, "Ana", scores=12)
    number = str(seq(ana.open(f"/g/{room}")))
    assert ana.post(f"/g/{room}", data={"seq": number, "do": "undo"}).status_code == 422
    assert ana.post(f"/g/{room}", data={"seq": number, "do": "roll"}).status_code == 422


# ---- home -------------------------------------------------------------------------------------


def listed(page: Element, section: str) -> list[str]:
    """The addresses in one of home's lists."""
    return [
        row.all("a")[0]["href"]
        for part in page.all("section")
        if part.attributes.get("aria-labelledby") == section
        for row in part.all("ul.games li")
    ]


def test_home_is_empty_for_a_newcomer(ana: Visitor) -> None:
    """Who has played nothing sees a form and no lists."""
    page = ana.open("/")
    assert not page.all("ul.games")
    assert not page.all(".progress")
    assert [field["value"] for field in page.all("input[name=name]")] == [""] * 8


def test_running_and_finished_games_are_apart(site: Site, ana: Visitor, ben: Visitor) -> None:
    """Home lists one's running games to go on with, and finished ones apart, newest first."""
    first = ana.start("Ana")
    second = ana.start("Ana", "Ben")
    done = site.game(ana.viewer, "Ana", scores=12)
    page = ana.open("/")
    assert listed(page, "resume-title") == [f"/g/{second}", f"/g/{first}"]
    assert listed(page, "finished-title") == [f"/g/{done}"]
    assert "Turn 1 of 12" in page.text
    assert not ben.open("/").all("ul.games")


def test_home_says_where_friends_wait(ana: Visitor, ben: Visitor) -> None:
    """A room where it is one's own turn says so; one where others play, or on one device, not."""
    ana.open("/")
    ben.open("/")
    made = ana.post("/rooms", data={"name": "Ana", "places": "2", "clock": "0"})
    room = made.headers["location"]
    ben.post(room, data={"do": "join", "name": "Ben"})
    assert "Your turn" not in ana.open("/").text
    ana.post(room, data={"do": "begin"})
    ben.start("Ben")
    assert "Your turn · Turn 1 of 12" in ana.open("/").text
    assert "Your turn" not in ben.open("/").text


def test_each_listed_game_can_be_deleted(site: Site, ana: Visitor) -> None:
    """Every line of home's lists has its own way to the question whether to delete."""
    open_game = ana.start("Ana")
    done = site.game(ana.viewer, "Ana", scores=12)
    page = ana.open("/")
    for room in (open_game, done):
        link = page.one(f"a[href=/g/{room}/delete]")
        assert link.heard.startswith("Delete the game of")
    ana.click(page.one(f"a[href=/g/{done}/delete]"))
    ana.press(ana.page.one("main form button"))
    assert listed(ana.page, "finished-title") == []


def test_progress(site: Site, ana: Visitor) -> None:
    """Over one's finished games: how many, the average, the best, and a curve from old to new."""
    ana.start("Ana")
    for total in (100, 150, 201):
        site.finished(ana.viewer, Ana=total, Ben=90)
    site.finished(ana.viewer, Ben=110)
    page = ana.open("/")
    assert page.one(".progress .whose").text == "Ben"
    assert ana.open("/?who=Nobody").one(".progress .whose").text == "Ben"
    page = ana.click(page.one(".progress .others a"))
    assert page.one(".progress .whose").text == "Ana"
    assert [value.text for value in page.all(".progress dd")] == ["3", "150.3", "201"]
    curve = page.one(".progress svg.curve")
    assert curve["aria-label"] == "Your last totals: 100, 150, 201"
    heights = [float(point.split(",")[1]) for point in curve.one("polyline")["points"].split()]
    assert heights == sorted(heights, reverse=True)
    assert len(heights) == 3


def test_one_finished_game_makes_no_curve(site: Site, ana: Visitor) -> None:
    """A curve needs two games; numbers are there from the first."""
    ana.start("Ana")
    site.finished(ana.viewer, Ana=7)
    page = ana.open("/")
    assert [value.text for value in page.all(".progress dd")] == ["1", "7", "7"]
    assert not page.all(".curve")


def test_the_curve_shows_the_last_thirty(site: Site, ana: Visitor) -> None:
    """Old games count in the average; the curve, and what is read out for it, have the last 30."""
    ana.start("Ana")
    for total in range(100, 135):
        site.finished(ana.viewer, Ana=total)
    curve = ana.open("/").one("svg.curve")
    assert len(curve.one("polyline")["points"].split()) == 30
    assert curve["aria-label"].removeprefix("Your last totals: ").split(", ") == [
        str(total) for total in range(105, 135)
    ]


@pytest.mark.parametrize("finished", [0, 1, 25])
@pytest.mark.parametrize("running", [0, 1, 25])
def test_every_game_can_be_reached(site: Site, ana: Visitor, finished: int, running: int) -> None:
    """However many games there are, home or the page that its link leads to lists each."""
    token = "t" * 38 + f"{finished:02}{running:02}_"
    ana.client.cookies.set("yacht", token, domain="yacht.test", path="/")
    rooms = [site.finished(ana.viewer, Ana=n) for n in range(finished)]
    rooms += [site.game(ana.viewer, "Ana", scores=0) for _ in range(running)]
    page = ana.open("/")
    for more in [a for a in page.all("main a") if a["href"].endswith("?all=1")]:
        page = ana.click(more)
    assert sorted(listed(page, "resume-title") + listed(page, "finished-title")) == sorted(
        f"/g/{room}" for room in rooms
    )


def test_names_are_remembered(ana: Visitor) -> None:
    """Home offers the names of the game played last."""
    ana.start("Ana", "Ben")
    ana.start("Cleo", "Dora", "Eva")
    page = ana.open("/")
    assert [field["value"] for field in page.all("input[name=name]")] == [
        *("Cleo", "Dora", "Eva"),
        *[""] * 5,
    ]
    assert "open" in page.one("details.more")


def test_a_nameless_player_has_a_name(ana: Visitor) -> None:
    """Without a name one plays as Player 1; gaps between names are no seats."""
    ana.start("")
    assert [name.text for name in ana.page.all("thead .name")] == ["Player 1"]
    ana.start("", "", "Ben")
    assert [name.text for name in ana.page.all("thead .name")] == ["Player 1", "Ben"]


def test_a_refused_name_keeps_what_was_typed(ana: Visitor) -> None:
    """A name that can't be is named in a message, beside everything that was typed."""
    home = ana.open("/")
    typed = ["Ana", "x" * 25, "Cleo", *[""] * 5]
    page = ana.press(home.one(".new button"), name=typed, ruleset="sum")
    assert ana.answer.status_code == 422
    assert "x" * 25 in notice(page)
    assert [field["value"] for field in page.all("input[name=name]")] == typed
    assert [radio["value"] for radio in page.all("input[name=ruleset]") if "checked" in radio] == [
        "sum"
    ]
    assert not ana.open("/").all("ul.games")


@pytest.mark.parametrize("ruleset", ["", "Classic", "poker"])
def test_an_unknown_ruleset_is_refused(ana: Visitor, ruleset: str) -> None:
    """Only the rulesets that the form offers can be played."""
    answer = ana.post("/games", data={"name": "Ana", "ruleset": ruleset})
    assert answer.status_code == 422
    assert not ana.token


def test_pressed_twice_a_game_starts_once(ana: Visitor, ben: Visitor) -> None:
    """The form of home starts one game, however often it is sent; another's it can't touch."""
    home = ana.open("/")
    button = home.one(".new button")
    ana.press(button, name=["Ana", *[""] * 7])
    room = ana.room
    ana.roll()
    ana.page = home
    ana.press(button, name=["Ana", *[""] * 7])
    assert ana.room == room
    assert dice(ana.page)
    assert listed(ana.open("/"), "resume-title") == [f"/g/{room}"]
    taken = ben.post("/games", data={"name": "Ben", "room": room})
    assert taken.status_code in {403, 422}
    assert [name.text for name in ana.open(f"/g/{room}").all("thead .name")] == ["Ana"]
    for strange in ("x", "x" * 17, "../../../../../etc", ""):
        answer = ben.post("/games", data={"name": "Ben", "room": strange})
        assert re.fullmatch(r"/g/[A-Za-z0-9_-]{16}", answer.headers["location"])


def test_nine_players_are_refused(ana: Visitor) -> None:
    """A game has at most eight players."""
    answer = ana.post("/games", data={"name": [f"P{n}" for n in range(9)]})
    assert answer.status_code == 422
    assert "1 to 8 players, not 9" in notice(parse(answer.text))


# ---- records ----------------------------------------------------------------------------------


def test_the_record_can_be_downloaded(site: Site, ana: Visitor, ben: Visitor) -> None:
    """Anyone with the link gets the record as a text file that can be read back and verified."""
    ana.start("Ana")
    room = site.game(ana.viewer, "Ana", "Žofia 🎲", scores=24)
    answer = ben.get(f"/g/{room}/record")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.headers["content-disposition"] == f'attachment; filename="yacht-{room}.txt"'
    record = decode_record(answer.text)
    assert record.names == ("Ana", "Žofia 🎲")
    verify(record)


def upload(visitor: Visitor, content: bytes, name: str = "game.txt") -> httpx.Response:
    return visitor.post("/record", files={"file": (name, content), "text": (None, "")})


@pytest.fixture(scope="module")
def record(site: Site) -> str:
    """The record of a finished game."""
    ana = site.visitor()
    ana.start("Ana")
    room = site.game(ana.viewer, "Ana", "Ben", scores=24)
    return ana.get(f"/g/{room}/record").text


def test_a_record_is_opened_and_verified(ben: Visitor, record: str) -> None:
    """A record from a file or pasted shows the card, the log and that every throw is sealed."""
    assert upload(ben, record.encode()).status_code == 200
    windows = upload(ben, b"\xef\xbb\xbf" + record.replace("\n", "\r\n").encode())
    for page in (
        parse(upload(ben, record.encode()).text),
        parse(windows.text),
        parse(ben.post("/record", data={"text": record}).text),
    ):
        assert page.one(".verdict.good")
        assert card(page) == [
            {
                LABELS[c.key]: str(box)
                for c, box in zip(CLASSIC.categories, player.boxes, strict=True)
            }
            for player in decode_record(record).game.cards
        ]
        assert len(page.all("table.log")[0].all("tbody tr")) == 24
        assert not page.all("table.card input")


def test_what_was_pasted_stays(ben: Visitor, record: str) -> None:
    """The page that shows a record has its text in the field, to look at or to change."""
    ben.open("/record")
    ben.press(ben.page.one("form[enctype] button"), text=record)
    assert ben.page.one("textarea#text").raw == record


def test_a_wrong_throw_is_named(ben: Visitor, record: str) -> None:
    """A throw that isn't the seed's is told by turn, seat and roll, with what was thrown."""
    lines = record.splitlines()
    place = next(n for n, line in enumerate(lines) if line.startswith("1.1 "))
    right = lines[place].split()[1]
    wrong = right[:-1] + str(int(right[-1]) % 6 + 1)
    points = score(tuple(map(int, wrong)), "ones")
    lines[place] = f"1.1 {wrong} ones={points}"
    answer = ben.post("/record", data={"text": "\n".join(lines)})
    page = parse(answer.text)
    assert page.one(".verdict.bad").text == (
        f"Turn 1 of seat 1, roll 1: the record has {wrong}, the seed gives {right}."
    )
    assert page.all("table.card")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("yacht 1", "yacht 2", "This isn’t a record"),
        ("ruleset: classic", "ruleset: house", "Line 2: There is no ruleset “house”"),
        ("1.2 ", "1.3 ", "Expected turn 1.2 here, not “1.3”"),
        ("ones=", "ones=9", "should be"),
        ("seed: ", "sead: ", "isn’t allowed here"),
        ("seat 1: ", "seat 3: ", "The record has no “seat 1”"),
    ],
)
def test_a_broken_record_says_what_is_wrong(
    ben: Visitor, record: str, old: str, new: str, message: str
) -> None:
    """What can't be read is refused with the line and the reason, and the text stays to correct."""
    answer = ben.post("/record", data={"text": record.replace(old, new, 1)})
    assert answer.status_code == 422
    page = parse(answer.text)
    assert message in page.one(".verdict.bad").text
    assert page.one("textarea#text").text
    assert not page.all("table.card")


def test_a_record_without_its_seed_is_still_sealed(ana: Visitor, ben: Visitor) -> None:
    """The record of a running game shows the game and says that its dice are still sealed."""
    room = ana.start("Ana", "Cleo")
    ana.roll()
    text = ben.get(f"/g/{room}/record").text
    page = parse(ben.post("/record", data={"text": text}).text)
    assert "still sealed" in page.one(".verdict.bad").text
    assert page.all("table.card")
    assert not page.all("table.card input")
    assert page.all("table.card .pencil")
    assert "Turn: Ana" in page.text


@pytest.mark.parametrize(
    "content", [b"\x89PNG\r\n\x1a\n\x00\x00", b"\xff\xfe\x00y", b"\x00" * 1000, b"#", b"a \n "]
)
def test_a_file_that_is_no_record_is_refused(ben: Visitor, content: bytes) -> None:
    """Pictures, other encodings and other texts are told apart from records, not crashed on."""
    answer = upload(ben, content)
    assert answer.status_code == 422
    assert "This isn’t a record" in parse(answer.text).one(".verdict.bad").text


@pytest.mark.parametrize("content", [b"", b" \n "])
def test_nothing_is_no_record(ben: Visitor, content: bytes) -> None:
    """Without a file or a text the page asks for one."""
    answer = upload(ben, content)
    assert answer.status_code == 422
    assert parse(answer.text).one(".verdict.bad").text == "Choose a file, or paste a record."


def test_a_huge_record_is_refused(ben: Visitor, record: str) -> None:
    """More than 64 KB isn't taken."""
    answer = upload(ben, record.encode() + b"# " * 40_000)
    assert answer.status_code == 413
    assert "64 KB" in parse(answer.text).one("main").text


# ---- all pages --------------------------------------------------------------------------------


def test_every_link_leads_somewhere(site: Site, ana: Visitor) -> None:
    """From home, every link, picture, style and script is of this site and answers."""
    ana.start("Ana", "Ben")
    ana.roll()
    ana.score("choice")
    site.game(ana.viewer, "Ana", scores=12)
    seen, waiting = set[str](), ["/"]
    while waiting:
        path = waiting.pop()
        answer = ana.get(path)
        assert answer.status_code == 200, path
        if not answer.headers["content-type"].startswith("text/html"):
            continue
        for element in parse(answer.text).all("[href]") + parse(answer.text).all("[src]"):
            if "hreflang" in element:
                continue
            address = element.attributes.get("href") or element["src"]
            assert address.startswith(("/", "#")), (path, address)
            assert not address.startswith("//")
            address = address.partition("#")[0]
            if address and address not in seen and element.tag != "use":
                seen.add(address)
                waiting.append(address)
    assert len(seen) > 15


def test_ids_are_unique_and_labels_lead_to_controls(site: Site, ana: Visitor) -> None:
    """No id is there twice, and every for, form, aria-labelledby and #use leads to one."""
    room = ana.start("Ana", "Ben")
    done = site.game(ana.viewer, "Ana", "Ben", scores=24)
    ana.roll()
    paths = (f"/g/{room}", f"/g/{done}", "/", "/record", "/en/rules", f"/g/{room}/share")
    for path in (*paths, f"/g/{room}/delete"):
        page = ana.open(path)
        ids = [element["id"] for element in page.all("[id]")]
        assert len(ids) == len(set(ids)), path
        for attribute in ("for", "form", "aria-labelledby", "aria-describedby"):
            for element in page.all(f"[{attribute}]"):
                assert element[attribute] in ids, (path, element)
        for use in page.all("use"):
            assert use["href"].removeprefix("#") in ids, (path, use)


def test_every_control_has_a_name(site: Site, ana: Visitor) -> None:
    """Each button, link and field says what it is, by its text, its label or an aria-label."""
    room = ana.start("Ana", "Ben")
    done = site.game(ana.viewer, "Ana", "Ben", scores=24)
    ana.roll()
    for path in (f"/g/{room}", f"/g/{done}", "/", "/record", "/en/rules", f"/g/{room}/share"):
        page = ana.open(path)
        labelled = {label["for"] for label in page.all("label[for]")}
        for control in page.all("button") + page.all("a[href]") + page.all("input"):
            around = [element.heard for element in control.above() if element.tag == "label"]
            hidden = control.attributes.get("type") == "hidden"
            named = control.heard or any(around) or control.attributes.get("id") in labelled
            assert hidden or named, (path, control)


def test_a_first_load_is_light(site: Site, ana: Visitor) -> None:
    """A game page with all that it loads is at most 60 KB on the line, and no more than once."""
    ana.start("Ana", "Ben")
    ana.roll()
    packed = {"Accept-Encoding": "gzip"}
    parts = [
        element.attributes.get("href") or element["src"]
        for element in ana.page.all("head link") + ana.page.all("script")
    ]
    assert len(parts) >= 5
    weights = {
        path: int(answer.headers["content-length"])
        for path in [ana.path, *parts]
        if (answer := ana.get(path, headers=packed)).status_code == 200
    }
    assert len(weights) == len(parts) + 1
    assert sum(weights.values()) <= 60 * 1024, weights
    texts = [path for path in parts if ".js?" in path or ".css?" in path]
    for path in (ana.path, f"/api/v1/games/{ana.room}", *texts):
        assert ana.get(path, headers=packed).headers["content-encoding"] == "gzip", path
