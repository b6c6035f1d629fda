"""The blank scorecard: a column a player, rows as the ruleset has them, what each box counts."""

import pytest

from tests.web.plain import Element, Visitor

NUMBERS = ["Ones", "Twos", "Threes", "Fours", "Fives", "Sixes"]
CLASSIC = [
    *NUMBERS,
    *("Full House", "Four of a Kind", "Little Straight", "Big Straight", "Choice", "Yacht"),
]
# The boxes as the rules have them, said on the card in a few words.
COUNTS = {
    "Ones": "Every 1 counts 1.",
    "Sixes": "Every 6 counts 6.",
    "Full House": "Three alike and two others alike: add all five",
    "Little Straight": "1-2-3-4-5 in any order: 30",
    "Big Straight": "2-3-4-5-6 in any order: 30",
    "Choice": "Any dice: add all five",
    "Yacht": "Five alike: 50",
}
FOUR = {"classic": "Four alike: four times their face", "sum": "Four alike: add all five"}


def rows(page: Element) -> dict[str, str]:
    """What stands beside the name of each box, from the top down."""
    found = page.all(".pad tbody th")
    return {row.one("b").text: row.one("span").text for row in found}


@pytest.mark.parametrize(("ruleset", "order"), [("classic", CLASSIC), ("sum", CLASSIC[::-1])])
def test_it_has_the_rows_of_its_ruleset(ana: Visitor, ruleset: str, order: list[str]) -> None:
    """The card names its ruleset, lists the boxes in its order and says what each one counts."""
    page = ana.open(f"/en/card?ruleset={ruleset}")
    assert list(rows(page)) == order
    assert rows(page).items() >= COUNTS.items()
    assert rows(page)["Four of a Kind"] == FOUR[ruleset]
    gives = {"classic": "Classic Four of a Kind counts four times the face: 4-4-4-4-1 gives 16."}
    gives["sum"] = "Sum Four of a Kind counts all five dice: 4-4-4-4-1 gives 17."
    assert page.one(".which").text == gives[ruleset]
    numbers = [row.one("b").text in NUMBERS for row in page.all(".pad tbody")[0].all("th")]
    assert len(set(numbers)) == 1


@pytest.mark.parametrize("players", range(1, 9))
def test_it_has_a_column_a_player(ana: Visitor, players: int) -> None:
    """Each player has a place for a name, one in each of twelve boxes and one for the total."""
    page = ana.open(f"/en/card?players={players}")
    lines = page.all(".pad tr")
    assert len(lines) == 1 + 12 + 1
    assert [len(line.all("td")) for line in lines] == [0] + [players] * 13
    names = [head.text for head in lines[0].all("th")]
    assert names == ["Name", *(f"Player {n}" for n in range(1, players + 1))]
    assert [head["scope"] for head in page.all(".pad tbody th")] == ["row"] * 12
    assert lines[-1].one("th").text == "Total"
    assert not any(cell.text for cell in page.all(".pad td"))


def test_players_and_rules_are_chosen_by_pressing(ana: Visitor) -> None:
    """Without script each press leads to another card, and neither choice undoes the other."""
    room = ana.start("Ana")
    page = ana.open(f"/en/card?back={room}")
    assert page.one("[aria-pressed=true]").text == "4"
    ana.click(next(link for link in page.all(".switch a") if link.text == "Sum"))
    seven = next(button for button in ana.page.all("form button") if button.text == "7")
    page = ana.press(seven)
    assert page.one("[aria-pressed=true]").text == "7"
    assert page.one(".switch [aria-current]").text == "Sum"
    assert len(page.all(".return")) == 2
    assert list(rows(page)) == CLASSIC[::-1]


@pytest.mark.parametrize("players", ["0", "9", "-1", "x", "", "04", "1e0", "²"])
def test_a_number_of_players_that_cannot_be_is_left_out(ana: Visitor, players: str) -> None:
    """The page is as it is without."""
    shown = [ana.get("/en/card", params=query).text for query in ({}, {"players": players})]
    plain, other = (html.partition('<form class="languages"')[0] for html in shown)
    assert plain == other


def test_it_is_linked_from_the_rules(ana: Visitor) -> None:
    """The rules lead to the card of the ruleset they follow, and keep the game."""
    room = ana.start("Ana")
    page = ana.open(f"/en/rules?ruleset=sum&back={room}")
    [link] = [one for one in page.all("main a") if one.text == "Print a blank scorecard"]
    card = ana.click(link)
    assert card.one(".switch [aria-current]").text == "Sum"
    assert len(card.all(".return")) == 2
