"""Computers on the pages: asked for at home, watched at the table, with forms alone."""

import random
from itertools import zip_longest

import pytest

from tests.rooms.playing import owner_of
from tests.web.plain import Element, Site, Visitor, dice, offered, parse, room_of
from yacht.engine.game import Keep, Move, Score, UndoScore
from yacht.engine.reasons import IllegalMove
from yacht.rooms.room import Room
from yacht.rooms.store import Append, Result, Secrets


def names(page: Element) -> list[str]:
    return [name.text for name in page.all("thead .name")]


def typed(page: Element) -> list[tuple[str, str]]:
    """The rows of home's form: each name, and who plays."""
    levels = [
        next((o["value"] for o in select.all("option") if "selected" in o), "")
        for select in page.all("select[name=computer]")
    ]
    fields = page.all("input[name=name]")
    return [(field["value"], level) for field, level in zip(fields, levels, strict=True)]


def step(site: Site, room_id: str) -> Room:
    """The next step of the computer on turn."""
    return site.run(site.host.step(room_id, site.run(site.host.room(room_id)).seq))


def accepted(room: Room) -> set[Move]:
    """The moves that the room and its game let its owner make."""

    def is_accepted(move: Move) -> bool:
        try:
            room.check(owner_of(room), move)
        except IllegalMove:
            return False
        return True

    return set(filter(is_accepted, room.game.moves()))


# ---- home -------------------------------------------------------------------------------------


def test_each_seat_is_a_person_or_a_computer(ana: Visitor) -> None:
    """Each row of the form offers a person first, then the levels with what they come to."""
    page = ana.open("/")
    selects = page.all("select[name=computer]")
    assert len(selects) == len(page.all("input[name=name]")) == 8
    for select in selects:
        assert [option["value"] for option in select.all("option")] == [
            *("", "exact", "strong", "steady", "easy")
        ]
        assert [option.text for option in select.all("option")] == [
            "Person",
            "Exact computer, 167 on average",
            "Strong computer, 155 on average",
            "Steady computer, 140 on average",
            "Easy computer, 120 on average",
        ]
    assert typed(page) == [("", "")] * 8


@pytest.mark.parametrize(
    ("given", "levels", "seated"),
    [
        ("Ana/", "/easy", "Ana/Computer"),
        ("Ana/Bob", "/easy", "Ana/Bob"),
        ("///Bob", "//exact", "Player 1/Computer/Bob"),
        ("//Bob/", "/easy/easy/exact", "Player 1/Computer 1/Bob/Computer 2"),
        ("/Ana", "strong/", "Computer/Ana"),
    ],
)
def test_who_is_seated(ana: Visitor, given: str, levels: str, seated: str) -> None:
    """A computer needs no name; rows with neither name nor computer are no seats."""
    room = ana.start(*given.split("/"), computers=levels.split("/"))
    assert names(ana.page) == seated.split("/")
    rows = zip_longest(given.split("/"), levels.split("/"), fillvalue="")
    kept = [level for place, (name, level) in enumerate(rows) if name or level or not place]
    assert [room_of(ana, room).level(seat) for seat in range(len(kept))] == kept


def test_computers_are_remembered(ana: Visitor) -> None:
    """Home offers the seats of the last game, a person in the first one.

    A name that the computer was given only because it had none is given anew.
    """
    ana.start("Computer", "Ana", "Bob", computers=["easy", "", "exact"])
    page = ana.open("/")
    assert typed(page)[:3] == [("Ana", ""), ("Bob", "exact"), ("", "easy")]
    assert "open" in page.one("details.more")


@pytest.mark.parametrize(
    ("levels", "told"),
    [
        (["easy", "exact"], "Computers don’t play by themselves: at least one player is a person."),
        (["", "good"], "There is no computer “good”. Choose exact, strong, steady or easy."),
    ],
)
def test_refused_computers(ana: Visitor, levels: list[str], told: str) -> None:
    """A game of computers alone, or of an unknown level, is refused beside what was typed."""
    ana.open("/")
    answer = ana.post("/games", data={"name": ["Ana", "Bob"], "computer": levels})
    assert answer.status_code == 422
    page = parse(answer.text)
    assert page.one(".notice").text == told
    known = [
        (name, level * (level != "good"))
        for name, level in zip(("Ana", "Bob"), levels, strict=True)
    ]
    assert typed(page)[:2] == known


def test_a_computer_makes_no_progress(site: Site, ana: Visitor) -> None:
    """What a computer came to is in the list of games, not among what people came to."""
    ana.open("/")
    room = "a" * 8 + ana.viewer[:8]
    ana.start("Ana")
    opened = room_of(ana, ana.room).entries
    result = Result("classic", ("Bob", "Ana"), (180, 140), ("exact", ""))
    log = Append(room, 0, opened, [ana.viewer], result)
    site.run(site.host.store.create(Secrets(bytes(32), bytes(32)), log))
    page = ana.open("/")
    assert page.one(".progress .whose").text == "Ana"
    assert [value.text for value in page.all(".progress dd")] == ["1", "140", "140"]
    assert not page.all(".progress .others a")
    assert [name.text for name in page.all("ul.games .score")] == ["Bob 180", "Ana 140"]
    assert ana.open("/?who=Bob").one(".progress .whose").text == "Ana"


# ---- at the table -----------------------------------------------------------------------------


def test_offered_is_accepted(site: Site, ana: Visitor) -> None:
    """In each state of a game with computers the page offers its owner exactly what is accepted."""
    chance = random.Random(1)
    room_id = ana.start("Ana", "Bob", "Eva", "", computers=["", "strong", "", "easy"])
    while not (room := room_of(ana, room_id)).game.is_over:
        page = ana.open(f"/g/{room_id}")
        assert offered(page) == accepted(room)
        assert dice(page) == room.game.dice
        assert bool(page.all("noscript meta")) == bool(room.computer)
        if room.may_undo and chance.random() < 0.2:
            ana.undo()
        elif room.computer:
            step(site, room_id)
        elif room.game.dice and chance.random() < 0.6:
            ana.score(chance.choice(room.game.open_boxes))
        elif room.game.rolls_left:
            ana.roll()
        assert ana.answer.status_code == 200
    assert ana.open(f"/g/{room_id}").one("#result").all("form button")
    assert room.turns[-1].seat == 3


def test_a_computers_turn_is_seen_step_by_step(site: Site, ana: Visitor, ben: Visitor) -> None:
    """Owner and watchers see its dice, what it held and its box; its throws are in the dice log."""
    room_id = ana.start("Ana", "", computers=["", "exact"])
    ana.roll()
    page = ana.score("choice")
    assert page.one(".turnline h1").text == "Computer is playing"
    assert UndoScore() in offered(page)
    while (room := step(site, room_id)).game.dice:
        for visitor in (ana, ben):
            page = visitor.open(f"/g/{room_id}")
            assert dice(page) == room.game.dice
            assert page.one(".turnline h1").text == "Computer is playing"
            held = [die for die in page.all("#tray .die") if "data-kept" in die]
            assert {int(die["id"][3:]) for die in held} == room.game.kept
            assert "choose a box" not in page.one("#game")["data-say"]
            assert not page.all("form#card input[name=box]")
        assert offered(ana.page) == set()
    page = ana.open(f"/g/{room_id}")
    assert page.one(".last p bdi").text == "Computer"
    assert page.one(".turnline h1").text == "Turn: Ana"  # there is nobody to pass the device to
    assert len(page.all(".last .rolls li")) == len(room.turns[-1].rolls)
    log = ana.open(f"/g/{room_id}/log")
    thrown = [
        sum(int(cell.text) for cell in row.all("td")[:-1]) for row in log.all(".faces tbody tr")
    ]
    assert thrown[1] == sum(5 - len(roll.kept) for roll in room.turns[1].rolls)


def test_a_score_is_taken_back_before_the_computer_rolls(site: Site, ana: Visitor) -> None:
    """Undo works until the computer has rolled; after it a refusal says why not."""
    room_id = ana.start("Ana", "", computers=["", "easy"])
    ana.roll()
    before = ana.page
    ana.score("choice")
    assert dice(ana.undo()) == dice(before)
    ana.score("ones")
    late = ana.page
    step(site, room_id)
    ana.page = late
    page = ana.undo()
    assert ana.answer.status_code == 409
    assert page.one("#notice").text == "The game had already gone on. This is where it is now."
    page = ana.open(f"/g/{room_id}")
    for do in ({"do": "roll"}, {"do": "undo"}, {"do": "score", "box": "twos"}):
        answer = ana.post(f"/g/{room_id}", data={"seq": page.one("#game")["data-seq"], **do})
        assert answer.status_code == 422
        told = parse(answer.text).one("#notice").text
        assert told in {
            "A computer plays here: its turn and its scores are its own.",
            "There is no score to take back: dice were rolled since.",
        }
    assert room_of(ana, room_id).game.rolls_used == 1


def test_letters_go_ahead_of_a_computer(ana: Visitor, ben: Visitor) -> None:
    """Where a computer starts, the owner's page has a form for the letters until they are fixed."""
    room_id = ana.start("", "Ana", computers=["exact", ""])
    ahead = ana.page.one("form#ahead")
    assert len(ahead.all("input[name=salt]")) == 2
    assert not ben.open(f"/g/{room_id}").all("#ahead")
    sent = {"do": ahead.one("input[name=do]")["value"], "salt": ["uvw", "xyz"]}
    assert ben.post(f"/g/{room_id}", data=sent).status_code == 403
    for _ in range(2):
        assert ana.post(f"/g/{room_id}", data=sent).status_code == 303
        assert room_of(ana, room_id).seat_bytes == (b"uvw", b"xyz")
        assert not ana.open(f"/g/{room_id}").all("#ahead")
    late = ana.post(f"/g/{room_id}", data={**sent, "salt": ["rst", ""]})
    assert late.status_code == 422
    assert room_of(ana, room_id).seat_bytes == (b"uvw", b"xyz")
    ana.start("Ana", "", computers=["", "exact"])
    assert not ana.page.all("#ahead")


def test_a_computer_is_told_from_people(ana: Visitor, ben: Visitor) -> None:
    """Beside a computer's name stands what it is, for those who see and those who hear."""
    room_id = ana.start("Ana", "Eva", computers=["", "steady"])
    for visitor in (ana, ben):
        person, computer = visitor.open(f"/g/{room_id}").all("thead th")
        assert not person.all(".machine")
        assert computer.all(".machine")
        assert computer.text == "Eva 0 in all (Steady computer, 140 on average)"


def test_whose_game_stays_whose(ana: Visitor, ben: Visitor) -> None:
    """While a computer is on turn, its game's owner can still delete it or take it elsewhere."""
    room_id = ana.start("", "Ana", computers=["exact", ""])
    links = [link["href"] for link in ana.page.all(".links a")]
    assert any(link.endswith("/delete") for link in links)
    assert not any("delete" in link["href"] for link in ben.open(f"/g/{room_id}").all(".links a"))
    assert len(ana.open(f"/g/{room_id}/share").all("main input")) == 2


def test_the_record_of_a_game_with_a_computer(site: Site, ana: Visitor, ben: Visitor) -> None:
    """A record says which seats were computers; opened, it shows them and is verified."""
    room_id = ana.start("Ana", "", computers=["", "easy"])
    while not (room := room_of(ana, room_id)).game.is_over:
        if room.computer:
            step(site, room_id)
        else:
            move = Score(room.game.open_boxes[0]) if room.game.dice else Keep()
            site.run(site.host.act(room_id, owner_of(room), room.seq, move))
    text = ana.get(f"/g/{room_id}/record").text
    assert "\ncomputer 2: easy\n" in text
    page = parse(ben.post("/record", data={"text": text}).text)
    assert page.all(".verdict.good")
    assert len(page.all(".machine")) == 1
    page = parse(ben.post("/record", data={"text": text.replace("2: easy", "2: brilliant")}).text)
    assert page.one(".verdict.bad").text == (
        "Line 6: “computer 2: brilliant” isn’t allowed here in a record."
    )
