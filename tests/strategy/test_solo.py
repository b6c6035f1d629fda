"""The solver: known values, brute force over all that a game offers, a simulation, and errors."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, pairwise
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategy.brute import Aims, Brute, Named, becomes, contained, offered, outcomes, throws
from yacht.engine.game import Game, Keep, Scorecard
from yacht.engine.reasons import IllegalMove, Reason
from yacht.engine.rules import CLASSIC, SUM, Category, Dice, Ruleset
from yacht.strategy.lattice import Floats
from yacht.strategy.solo import Choice, Solver, solved

NUMBERS = ("ones", "twos", "threes", "fours", "fives", "sixes")
EMPTY = Game.new().cards[0]


def card_with(ruleset: Ruleset, *is_open: str) -> Scorecard:
    """A card with these boxes open and zeros in the others."""
    return Scorecard(tuple(None if box.key in is_open else 0 for box in ruleset.categories))


def names(choices: list[Choice]) -> list[Named]:
    return [(choice.keep, choice.score) for choice in choices]


def worths(choices: list[Choice]) -> dict[Named, float]:
    return dict(zip(names(choices), [choice.worth for choice in choices], strict=True))


# What is known of the two games


def test_empty_card(classic: Solver, by_sum: Solver):
    """The expected totals of the two games are known, to ten decimals."""
    assert classic.value(EMPTY) == pytest.approx(166.9550677046, abs=1e-9)
    assert by_sum.value(EMPTY) == pytest.approx(169.7738890526, abs=1e-9)


def test_full_card(solver: Solver):
    """A full card has nothing to come: its total is certain."""
    card = Scorecard((7,) * 12)
    assert solver.value(card) == 0
    assert np.flatnonzero(solver.distribution(card)).tolist() == [84]
    assert solver.distribution(card).sum() == 1
    assert [solver.chance(card, target) for target in (0, 84, 85, 999)] == [1, 1, 0, 0]


@cache
def lattice_of_five() -> tuple[Mapping[Dice, Mapping[Dice, Fraction]], Mapping[Dice, set[Dice]]]:
    """The chances of the rolls that each keep becomes, and the keeps that each roll contains."""
    keeps = [keep for size in range(6) for keep in combinations_with_replacement(range(1, 7), size)]
    rolls = {keep: becomes(keep, 5, 6) for keep in keeps}
    chances = {
        keep: {roll: Fraction(count, made.total()) for roll, count in made.items()}
        for keep, made in rolls.items()
    }
    return chances, {keep: contained(keep) for keep in keeps if len(keep) == 5}


def in_three_rolls(score: Callable[[Dice], int]) -> Fraction:
    """The most that a single box can be expected to give, exactly."""
    chances, held = lattice_of_five()
    best = {roll: Fraction(score(roll)) for roll in held}
    for _ in range(2):
        worth = {
            keep: sum((chance * best[roll] for roll, chance in rolls.items()), Fraction())
            for keep, rolls in chances.items()
        }
        best = {roll: max(worth[keep] for keep in keeps) for roll, keeps in held.items()}
    return sum((chance * best[roll] for roll, chance in chances[()].items()), Fraction())


@pytest.mark.parametrize(
    ("key", "known"),
    [
        *((key, Fraction(455, 216) * face) for face, key in enumerate(NUMBERS, 1)),
        ("choice", Fraction(70, 3)),
        ("yacht", 50 * Fraction(347897, 7558272)),
    ],
)
def test_one_box_left(solver: Solver, key: str, known: Fraction):
    """What one open box brings is known exactly."""
    box = solver.ruleset.categories[solver.ruleset.index(key)]
    assert in_three_rolls(box.score) == known
    assert solver.value(card_with(solver.ruleset, key)) == pytest.approx(float(known), abs=1e-9)


@pytest.mark.parametrize(
    ("key", "in_classic", "in_sum"),
    [
        ("full_house", 6.965727, 6.965727),
        ("four_of_a_kind", 4.572357, 5.611263),
        ("little_straight", 5.904872, 5.904872),
        ("big_straight", 5.904872, 5.904872),
        ("yacht", 2.301432, 2.301432),
    ],
)
def test_one_combination_left(
    classic: Solver, by_sum: Solver, key: str, in_classic: float, in_sum: float
):
    """What one open combination brings is known to six decimals, and by brute force to all."""
    for solver, known in ((classic, in_classic), (by_sum, in_sum)):
        box = solver.ruleset.categories[solver.ruleset.index(key)]
        value = solver.value(card_with(solver.ruleset, key))
        assert value == pytest.approx(float(in_three_rolls(box.score)), abs=1e-9)
        assert value == pytest.approx(known, abs=5e-7)


@pytest.mark.parametrize(
    ("key", "least", "chance"),
    [
        ("yacht", 50, Fraction(347897, 7558272)),
        ("four_of_a_kind", 4, Fraction(2197897, 7558272)),
    ],
)
def test_best_chance_of_a_combination(solver: Solver, key: str, least: int, chance: Fraction):
    """If only that box counts, the best chance to meet it in three rolls is known exactly."""
    card = card_with(solver.ruleset, key)
    card = card.fill(card.boxes.index(0), 17)
    assert solver.chance(card, 17 + least) == pytest.approx(float(chance), abs=1e-12)


def test_who_needs_a_yacht_plays_for_it(classic: Solver):
    """The best choice for a target is another than that for the average."""
    card = card_with(CLASSIC, "choice", "yacht")
    dice = (1, 1, 1, 6, 6)
    average, aimed = classic.rank(card, dice, 1), classic.rank_chance(card, dice, 1, 51)
    assert aimed[0].keep == (1, 1, 1)
    assert average[0].keep != aimed[0].keep


def test_chance_counted_by_hand(classic: Solver):
    """With two sixes held, three dice of 8 or more reach 20: in 181 of 216 throws."""
    best = classic.rank_chance(card_with(CLASSIC, "choice"), (1, 6, 1, 6, 1), 1, 20)[0]
    assert best == ((6, 6), None, pytest.approx(181 / 216, abs=1e-12))


# Beside brute force


def toy(key: str, dice: int, faces: int, rolls: int, *scores: Callable[[Dice], int]) -> Ruleset:
    boxes = tuple(Category(f"box_{place}", score) for place, score in enumerate(scores))
    return Ruleset(key, boxes, dice, faces, rolls)


def _ones(dice: Dice) -> int:
    return dice.count(1)


def _alike(dice: Dice) -> int:
    return 5 if len(set(dice)) == 1 else 0


def _differ(dice: Dice) -> int:
    return 4 if len(set(dice)) == len(dice) else 0


def _any(_: Dice) -> int:
    return 2


def _made_up(dice: Dice) -> int:
    return sum(face**3 for face in dice) % 7


TOYS = (
    toy("two dice", 2, 3, 2, _ones, sum, _alike),
    toy("one die", 1, 6, 3, sum, _ones),
    toy("one roll", 2, 3, 1, _differ, _alike, _ones),
    toy("one face", 3, 1, 2, sum, _alike),
    toy("one box", 3, 3, 3, _made_up),
    toy("a coin", 3, 2, 3, _alike, _differ, _made_up),
    toy("the coin's boxes reversed", 3, 2, 3, _made_up, _differ, _alike),
    toy("four rolls", 2, 2, 4, _made_up, _alike, _ones),
    toy("equal boxes", 2, 2, 2, _any, _alike, _any),
)


@pytest.fixture(name="brute", scope="module", params=TOYS, ids=lambda toy: toy.key)
def fixture_brute(request: pytest.FixtureRequest) -> Brute:
    return Brute(request.param)


def agrees(brute: Brute, solver: Solver) -> None:
    """Every worth and every chance at every state that can come up is that of brute force."""
    for start in brute.turns:
        card, (total, *chances) = start.cards[0], brute.best(start)
        assert solver.value(card) == pytest.approx(float(total - card.total), abs=1e-12)
        moments = [(game, brute.choices(game)) for game in brute.turn(start)]
        for game, choices in moments:
            equals(solver.rank(card, game.dice, game.rolls_left), choices, 0)
        for target, chance in enumerate(chances):  # the solver knows the last few that it solved
            assert solver.chance(card, target) == pytest.approx(float(chance), abs=1e-12)
            for game, choices in moments:
                ranked = solver.rank_chance(card, game.dice, game.rolls_left, target)
                equals(ranked, choices, 1 + target)


def equals(ranked: list[Choice], choices: Mapping[Named, Aims], aim: int) -> None:
    """The same choices, each once, are worth the same."""
    assert len(ranked) == len(choices)
    assert worths(ranked).keys() == choices.keys()
    assert all(abs(worth - choices[name][aim]) < 1e-12 for name, worth in worths(ranked).items())


def test_as_by_brute_force(brute: Brute):
    """Worths and chances are what trying everything gives, at every state and for every target."""
    agrees(brute, Solver(brute.ruleset))


def first_of(solver: Solver) -> Callable[[Game], Named]:
    """The first choice of a game's ranking."""
    return lambda game: names(solver.rank(game.cards[0], game.dice, game.rolls_left))[0]


def total_of(game: Game) -> int | None:
    return game.cards[0].total if game.is_over else None


def test_distribution_by_brute_force(brute: Brute):
    """The distribution is that of all games in which the first of the ranking is chosen."""
    solver = Solver(brute.ruleset)
    for start in brute.turns:
        for game in brute.turn(start):
            totals = outcomes([game], first_of(solver), total_of)
            distribution = solver.distribution(game.cards[0], game.dice, game.rolls_left)
            chances = [float(totals.get(total, 0)) for total in range(len(distribution))]
            assert sum(chances) == pytest.approx(1)
            assert distribution == pytest.approx(chances, abs=1e-12)


def test_endings_by_brute_force(brute: Brute):
    """A turn ends as it does when after the keep the first of the ranking is chosen."""
    solver = Solver(brute.ruleset)
    first = first_of(solver)

    def scored(game: Game) -> tuple[Dice, str] | None:
        _, box = first(game)
        return (tuple(sorted(game.dice)), box) if box else None

    for start in brute.turns:
        card, rolls = start.cards[0], brute.ruleset.rolls_sorted()
        for game in brute.turn(start):
            for (keep, _), move in offered(game).items():
                if isinstance(move, Keep) and keep is not None:
                    expected = outcomes(throws(game, move), first, scored)
                    endings = solver.endings(card, keep, game.rolls_left).tolist()
                    assert endings == [
                        [
                            pytest.approx(float(expected.get((roll, box), 0)), abs=1e-12)
                            for roll in rolls
                        ]
                        for box in start.open_boxes
                    ]


def by_table(points: Mapping[Dice, int]) -> Callable[[Dice], int]:
    return lambda dice: points[tuple(sorted(dice))]


@st.composite
def rulesets(draw: st.DrawFn) -> Ruleset:
    """Few dice of few faces, and one or two boxes with any points for each roll."""
    dice, faces = draw(st.sampled_from([(1, 1), (1, 4), (2, 2), (2, 3)]))
    listed = combinations_with_replacement(range(1, faces + 1), dice)
    points = st.fixed_dictionaries({roll: st.integers(0, 3) for roll in listed})
    tables = draw(st.lists(points, min_size=1, max_size=2))
    return toy("any", dice, faces, draw(st.integers(1, 3)), *map(by_table, tables))


@given(rulesets())
def test_any_ruleset_by_brute_force(ruleset: Ruleset):
    """Whatever the boxes give, values, ranks and chances are those of brute force."""
    agrees(Brute(ruleset), Solver(ruleset))


# What is true of every card


@st.composite
def cards(draw: st.DrawFn, most_open: int = 12) -> Scorecard:
    """Cards of twelve boxes with 1 to so many open ones."""
    is_open = draw(st.sets(st.integers(0, 11), min_size=1, max_size=most_open))
    points = draw(st.lists(st.sampled_from((0, 4, 15, 30)), min_size=12, max_size=12))
    return Scorecard(tuple(None if place in is_open else points[place] for place in range(12)))


rolls = st.tuples(*[st.integers(1, 6)] * 5)
lefts = st.integers(0, 2)


@given(cards(), st.data())
def test_a_box_less_is_worth_less(solver: Solver, card: Scorecard, data: st.DataObject):
    """A zero in an open box takes away something."""
    is_open = [place for place, points in enumerate(card.boxes) if points is None]
    place = data.draw(st.sampled_from(is_open))
    assert solver.value(card.fill(place, 0)) < solver.value(card)


@given(cards(), rolls)
def test_a_roll_less_is_worth_no_more(solver: Solver, card: Scorecard, dice: Dice):
    """With fewer rolls left no choice is worth more, and the best neither."""
    best = [solver.rank(card, dice, left) for left in (0, 1, 2)]
    for fewer, more in pairwise(map(worths, best)):
        assert all(worth <= more[name] + 1e-9 for name, worth in fewer.items())
    assert best[0][0].worth <= best[1][0].worth + 1e-9 <= best[2][0].worth + 2e-9


@given(cards(), rolls, lefts)
def test_rank_is_what_a_game_offers(solver: Solver, card: Scorecard, dice: Dice, left: int):
    """Every distinct choice of ``moves()`` is ranked once, nothing else is, the best first."""
    ruleset = solver.ruleset
    game = Game(ruleset, (card,), dice, rolls_used=ruleset.rolls - left)
    ranked = solver.rank(card, dice, left)
    assert sorted(names(ranked), key=repr) == sorted(offered(game), key=repr)
    assert all(better.worth >= worse.worth - 1e-9 for better, worse in pairwise(ranked))
    assert solver.rank(card, sorted(dice), left) == ranked
    assert solver.rank(card, sorted(dice, reverse=True), left) == ranked
    assert Solver.rank(solved(ruleset), card, dice, left) == ranked


@given(cards())
def test_before_the_first_roll(solver: Solver, card: Scorecard):
    """Before a turn there is one choice, and it is worth what the card is."""
    expected = card.total + solver.value(card)
    assert solver.rank(card, (), 3) == [((), None, pytest.approx(expected, abs=1e-9))]


def in_order(ranked: list[Choice], order: list[str]) -> list[Choice]:
    """The choices, sorted as they should be if all were worth the same."""
    boxes = [choice for key in order for choice in ranked if choice.score == key]
    keeps = [choice for choice in ranked if choice.keep is not None]
    return boxes + sorted(keeps, key=lambda it: (len(it.keep or ()), it.keep), reverse=True)


@given(cards(), rolls, lefts)
def test_order_among_equals(solver: Solver, card: Scorecard, dice: Dice, left: int):
    """Equals: boxes in card order, then keeps, those of more dice first, then of higher faces."""
    ranked = solver.rank(card, dice, left)
    order = in_order(ranked, [box.key for box in solver.ruleset.categories])
    assert ranked == sorted(order, key=lambda choice: round(choice.worth, 9), reverse=True)


def test_order_where_all_are_equal():
    """Where every choice is worth the same, their order is that of the rule alone."""
    solver = Solver(toy("all the same", 3, 3, 2, _any, _any))
    ranked = solver.rank(Scorecard((None, None)), (3, 1, 3), 1)
    assert [choice.score or choice.keep for choice in ranked] == [
        *("box_0", "box_1"),
        *((3, 3), (1, 3), (3,), (1,), ()),
    ]


def test_order_of_small_chances(classic: Solver):
    """However small the chances, the best is first."""
    keys = (*NUMBERS[2:], "full_house", "big_straight", "choice", "yacht")
    most = sum(CLASSIC.most(key) for key in keys)
    ranked = classic.rank_chance(card_with(CLASSIC, *keys), (6, 6, 1, 6, 6), 2, most)
    assert 0 < ranked[0].worth < 1e-9
    assert ranked[0].keep == (6, 6, 6, 6)
    chances = [choice.worth for choice in ranked]
    assert chances == sorted(chances, reverse=True)


def of_policy(solver: Solver, card: Scorecard, dice: Dice, left: int) -> Named:
    """The choice that the policy's tables hold."""
    mask = sum(1 << place for place, points in enumerate(card.boxes) if points is None)
    lattice = solver.lattice
    roll = lattice.index[tuple(sorted(dice))]
    place = roll - lattice.rolls.start
    keep = solver.policy.keeps[left - 1, mask, place] if left else roll
    if keep < lattice.rolls.start:
        return lattice.keeps[keep], None
    assert keep == roll
    return None, solver.ruleset.categories[int(solver.policy.boxes[mask, place])].key


@given(cards(), rolls, lefts)
def test_policy(solver: Solver, card: Scorecard, dice: Dice, left: int):
    """The policy is the first choice of the ranking."""
    assert of_policy(solver, card, dice, left) == names(solver.rank(card, dice, left))[0]


def test_policy_of_toys(brute: Brute):
    """So it is with other dice, also where many choices are equal."""
    solver = Solver(brute.ruleset)
    for start in brute.turns:
        for game in brute.turn(start):
            if game.dice:
                moment = game.cards[0], game.dice, game.rolls_left
                assert of_policy(solver, *moment) == names(solver.rank(*moment))[0]


def test_policy_of_many_keeps():
    """A lattice may have more keeps than 16 bits can count."""
    solver = Solver(toy("one large die", 1, 33_000, 2, sum))
    for face in (1, 16_500, 16_501, 33_000):
        kept, scored = ((), None), (None, "box_0")
        assert of_policy(solver, Scorecard((None,)), (face,), 1) == (
            kept if face <= 16_500 else scored
        )


# Distribution and chances


def tail(distribution: Floats, target: int) -> float:
    return float(distribution[target:].sum())


@given(cards())
def test_distribution(solver: Solver, card: Scorecard):
    """The chances of all totals add up to 1; their mean is the value; none is less than none."""
    distribution = solver.distribution(card)
    assert distribution.sum() == pytest.approx(1, abs=1e-12)
    assert distribution.min() >= 0
    assert not distribution[: card.total].any()
    mean = float(distribution @ np.arange(len(distribution)))
    assert mean == pytest.approx(card.total + solver.value(card), abs=1e-9)


@given(cards(2), st.integers(0, 60))
def test_chance(solver: Solver, card: Scorecard, more: int):
    """Who plays for a target reaches it at least as often as who plays for the average."""
    distribution, target = solver.distribution(card), card.total + more
    chance = solver.chance(card, target)
    assert tail(distribution, target) - 1e-12 <= chance <= 1
    assert solver.chance(card, target + 1) <= chance + 1e-12
    assert solver.chance(card, card.total) == solver.chance(card, -1) == 1
    boxes = zip(solver.ruleset.categories, card.boxes, strict=True)
    most = sum(solver.ruleset.most(box.key) for box, points in boxes if points is None)
    assert solver.chance(card, card.total + most) > 0
    assert solver.chance(card, card.total + most + 1) == 0


@given(cards(2), rolls, lefts, st.integers(-10, 100))
def test_rank_for_a_target(solver: Solver, card: Scorecard, dice: Dice, left: int, more: int):
    """Ranked for a target are the same choices, by the best chance that each leaves."""
    target = card.total + more
    ranked = solver.rank_chance(card, dice, left, target)
    assert sorted(names(ranked), key=repr) == sorted(names(solver.rank(card, dice, left)), key=repr)
    assert all(better.worth >= worse.worth * (1 - 1e-11) for better, worse in pairwise(ranked))
    whole = solver.rank_chance(card, (), 3, target)
    assert whole == [((), None, pytest.approx(solver.chance(card, target), abs=1e-12))]
    for choice in ranked:
        if choice.score is not None:
            place = solver.ruleset.index(choice.score)
            after = card.fill(place, solver.ruleset.categories[place].score(dice))
            assert choice.worth == pytest.approx(solver.chance(after, target), abs=1e-12)


@given(cards(2), rolls, st.integers(1, 2), st.integers(0, 60))
def test_endings(solver: Solver, card: Scorecard, dice: Dice, left: int, more: int):
    """The ends of a turn, each as good as it is, make what the keep is worth; so for a target."""
    target = card.total + more
    places = [place for place, points in enumerate(card.boxes) if points is None]
    totals, chances = np.zeros((2, len(places), 252))
    for row, place in enumerate(places):
        for points in set(solver.points[place].tolist()):
            after = card.fill(place, points)
            these = solver.points[place] == points
            totals[row, these] = after.total + solver.value(after)
            chances[row, these] = solver.chance(after, target)
    for aim, worth, ranked in (
        (None, totals, solver.rank(card, dice, left)),
        (target, chances, solver.rank_chance(card, dice, left, target)),
    ):
        choice = next(choice for choice in ranked if choice.keep is not None)
        assert choice.keep is not None
        endings = solver.endings(card, choice.keep, left, aim)
        assert endings.sum() == pytest.approx(1, abs=1e-12)
        assert (endings * worth).sum() == pytest.approx(choice.worth, abs=1e-6)


@pytest.mark.soak
def test_chance_of_the_empty_card(solver: Solver):
    """From the empty card too, who aims at a target reaches it more often; each roll counts."""
    chance = solver.chance(EMPTY, 200)
    assert tail(solver.distribution(EMPTY), 200) < chance < 1
    thrown = becomes((), 5, 6)
    best = {roll: solver.rank_chance(EMPTY, roll, 2, 200)[0].worth for roll in thrown}
    mean = sum(count * best[roll] for roll, count in thrown.items()) / thrown.total()
    assert mean == pytest.approx(chance, abs=1e-12)


# Played games


def played(solver: Solver, games: int, seed: int) -> Floats:
    """The totals of games in which the policy makes every choice, with NumPy's dice."""
    chance, lattice, policy = np.random.default_rng(seed), solver.lattice, solver.policy
    size = np.array([len(keep) for keep in lattice.keeps])
    faces = np.array([(*keep, *[0] * (5 - len(keep))) for keep in lattice.keeps])
    powers = 7 ** np.arange(5)
    roll_of = np.zeros(7**5, int)
    roll_of[faces[lattice.rolls] @ powers] = np.arange(252)
    masks, totals = np.full(games, 4095), np.zeros(games)
    for _ in range(12):
        keep = np.zeros(games, int)
        for left in (2, 1, 0):
            thrown = chance.integers(1, 7, (games, 5))
            dice = np.where(np.arange(5) < size[keep, np.newaxis], faces[keep], thrown)
            roll = roll_of[np.sort(dice) @ powers]
            keep = policy.keeps[left - 1, masks, roll] if left else keep
        box = policy.boxes[masks, roll]
        totals += solver.points[box, roll]
        masks ^= 1 << box.astype(int)
    assert not masks.any()
    return totals


def test_as_played(solver: Solver):
    """200,000 games have the exact mean, spread and shape, but for what chance explains."""
    games = 200_000
    totals, distribution = played(solver, games, 3), solver.distribution(EMPTY)
    values = np.arange(len(distribution))
    mean = distribution @ values
    second, fourth = (distribution @ (values - mean) ** power for power in (2, 4))
    assert abs(totals.mean() - mean) < 4 * sqrt(second / games)
    assert abs(totals.var() - second) < 4 * sqrt((fourth - second**2) / games)
    shares = np.bincount(totals.astype(int), minlength=len(distribution)) / games
    assert np.abs((shares - distribution).cumsum()).max() < 2 / sqrt(games)  # Kolmogorov: 0.07 %


# The engine's points, and what is refused


def test_points_come_from_the_engine_alone():
    """A box is asked for the points of each roll when the solver is made, and never again."""
    asked = list[Dice]()

    def score(dice: Dice) -> int:
        asked.append(dice)
        return 7 if dice == (1, 2) else 3

    ruleset = toy("asked", 2, 2, 3, score)
    solver = Solver(ruleset)
    assert sorted(asked) == ruleset.rolls_sorted()
    card = Scorecard((None,))
    assert solver.chance(card, 7) == pytest.approx(1 - 1 / 2**3)
    assert solver.distribution(card) == pytest.approx([0, 0, 0, 1 / 8, 0, 0, 0, 7 / 8])
    assert solver.rank(card, (2, 1), 2)[0] == (None, "box_0", 7)
    assert solver.rank_chance(card, (2, 2), 1, 7)[0] == ((2,), None, 0.5)
    assert len(asked) == 3


def test_most_boxes():
    """Twelve boxes can be solved, thirteen can't."""
    assert Solver(toy("twelve", 1, 2, 1, *[_any] * 12)).value(EMPTY) == 24
    with pytest.raises(ValueError, match=r"^13 boxes: at most 12 can be solved$"):
        Solver(toy("thirteen", 1, 2, 1, *[_any] * 13))


def test_negative_points():
    """Boxes that take points away can't be solved."""
    with pytest.raises(ValueError, match="negative"):
        Solver(toy("negative", 1, 2, 1, sum, lambda dice: 1 - sum(dice)))


@pytest.mark.parametrize("boxes", [0, 1, 11, 13])
def test_wrong_card(classic: Solver, boxes: int):
    """A card of another number of boxes is refused by all that takes a card."""
    card = Scorecard((None,) * boxes)
    for ask in (
        lambda: classic.value(card),
        lambda: classic.distribution(card),
        lambda: classic.chance(card, 100),
        lambda: classic.rank(card, (), 3),
        lambda: classic.rank_chance(card, (), 3, 100),
    ):
        with pytest.raises(ValueError, match=f"^a card of {boxes} boxes in classic$"):
            ask()


def asks(solver: Solver, card: Scorecard, dice: Dice, left: int) -> list[Callable[[], object]]:
    """All that can be asked in a turn; before it, only the choices depend on the rolls left."""
    choices: list[Callable[[], object]] = [
        lambda: solver.rank(card, dice, left),
        lambda: solver.rank_chance(card, dice, left, 100),
    ]
    return [*choices, lambda: solver.distribution(card, dice, left)] if dice else choices


YACHT_LEFT = card_with(CLASSIC, "yacht")


@pytest.mark.parametrize("dice", [(1, 2, 3, 4, 5), ()])
def test_rank_of_a_full_card(classic: Solver, dice: Dice):
    """A full card has no choices."""
    for ask in asks(classic, card_with(CLASSIC), dice, 2 if dice else 3):
        with pytest.raises(IllegalMove) as refused:
            ask()
        assert refused.value.reason is Reason.GAME_OVER


@pytest.mark.parametrize(
    ("dice", "reason"),
    [
        ((1, 2, 3, 4), Reason.WRONG_DICE_COUNT),
        ((1, 2, 3, 4, 5, 6), Reason.WRONG_DICE_COUNT),
        ((1, 2, 3, 4, 7), Reason.FACE_OUT_OF_RANGE),
        ((0, 2, 3, 4, 5), Reason.FACE_OUT_OF_RANGE),
        ((True, 2, 3, 4, 5), Reason.FACE_IS_BOOLEAN),
    ],
)
def test_wrong_dice(classic: Solver, dice: Dice, reason: Reason):
    """Dice that can't be are refused as the engine refuses them."""
    for ask in asks(classic, YACHT_LEFT, dice, 1):
        with pytest.raises(IllegalMove) as refused:
            ask()
        assert refused.value.reason is reason


@pytest.mark.parametrize(
    ("dice", "left"),
    [((1, 2, 3, 4, 5), -1), ((1, 2, 3, 4, 5), 3), ((), -1), ((), 0), ((), 1), ((), 2), ((), 4)],
)
def test_wrong_rolls_left(classic: Solver, dice: Dice, left: int):
    """With dice on the table a roll was used, without none was: other numbers are refused."""
    for ask in asks(classic, YACHT_LEFT, dice, left):
        with pytest.raises(ValueError, match=f"^{left} rolls left with {len(dice)} dice"):
            ask()


def test_solved_once():
    """A ruleset is solved once for the whole process, and each by itself."""
    assert solved(CLASSIC) is solved(CLASSIC)
    assert solved(SUM).ruleset is SUM
    assert solved(CLASSIC).ruleset is CLASSIC
