"""The rules of play: who may do what, when, and what a game is afterwards."""

from collections.abc import Iterable
from itertools import chain, combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine.strategies import Walk, walk, walks, whole_walks
from yacht.engine.game import (
    Event,
    Game,
    Keep,
    Move,
    Rolled,
    Score,
    Scorecard,
    Standing,
    UndoScore,
    replay,
)
from yacht.engine.reasons import IllegalMove, Reason
from yacht.engine.rules import CLASSIC, SUM, Category, Dice, Ruleset

KEYS = frozenset(
    (
        *("ones", "twos", "threes", "fours", "fives", "sixes"),
        *("full_house", "four_of_a_kind", "little_straight", "big_straight", "choice", "yacht"),
    )
)
ALL_KEEPS = tuple(
    Keep(frozenset(kept)) for size in range(6) for kept in combinations(range(5), size)
)
ROLL_ALL, KEEP_ALL = ALL_KEEPS[0], ALL_KEEPS[-1]
NO_KEEPS = tuple(Keep(frozenset(kept)) for kept in ({5}, {-1}, {0, 5}, {99}))
NO_SCORES = (Score("sevens"), Score(""), Score("undo"), Score("Ones"))
UNIVERSE: tuple[Move, ...] = (
    *ALL_KEEPS,
    *map(Score, sorted(KEYS)),
    UndoScore(),
    *NO_KEEPS,
    *NO_SCORES,
)
DICE = (3, 3, 5, 1, 6)
BOTH = pytest.mark.parametrize("ruleset", [CLASSIC, SUM], ids=lambda ruleset: ruleset.key)


def roll(dice: Dice = DICE, *kept: int) -> Rolled:
    return Rolled(frozenset(kept), dice)


def refusal(game: Game, event: Event) -> IllegalMove:
    with pytest.raises(IllegalMove) as refused:
        game.play(event)
    return refused.value


def by_rules(seats: int, events: Iterable[Event]) -> set[Move]:
    """The moves that the rules allow after these events, told from the events alone."""
    scored: list[str] = []  # seats take turns, so every seats-th is the same player's
    rolls = 0
    rolls_before_score: int | None = None
    for event in events:
        if isinstance(event, Rolled):
            rolls += 1
            rolls_before_score = None
        elif isinstance(event, Score):
            scored.append(event.category)
            rolls_before_score, rolls = rolls, 0
        else:
            assert rolls_before_score is not None
            scored.pop()
            rolls, rolls_before_score = rolls_before_score, None
    if len(scored) == 12 * seats:
        return set()
    own = scored[len(scored) % seats :: seats]
    moves: set[Move] = set()
    if rolls == 0:
        moves.add(ROLL_ALL)
    elif rolls < 3:
        moves.update(keep for keep in ALL_KEEPS if keep != KEEP_ALL)
    if rolls:
        moves.update(Score(key) for key in KEYS.difference(own))
    if rolls_before_score is not None:
        moves.add(UndoScore())
    return moves


def event_of(game: Game, move: Move, thrown: Dice = (2, 6, 4, 4, 1)) -> Event:
    """What a move becomes, made without the engine."""
    if not isinstance(move, Keep):
        return move
    table = game.dice or thrown
    dice = tuple(
        table[position] if position in move.positions else face
        for position, face in enumerate(thrown)
    )
    return Rolled(move.positions, dice)


def reason_against(game: Game, move: Move) -> Reason | None:
    """Why the game refuses a move; the same in advance, when thrown, and when played."""
    reasons: list[Reason | None] = []
    for attempt in (
        lambda: game.check(move),
        lambda: game.rolled(move, DICE) if isinstance(move, Keep) else game.play(move),
        lambda: game.play(event_of(game, move)),
    ):
        try:
            attempt()
        except IllegalMove as illegal:
            reasons.append(illegal.reason)
        else:
            reasons.append(None)
    assert len(set(reasons)) == 1
    return reasons[0]


@given(walks)
def test_offered_are_the_moves_of_the_rules(played: Walk):
    """At every moment the moves offered are those of the rules, each once."""
    for count, game in enumerate(played.games):
        moves = list(game.moves())
        assert len(moves) == len(set(moves))
        assert set(moves) == by_rules(len(game.cards), played.events[:count])


@given(walks)
def test_offered_and_accepted_are_the_same(played: Walk):
    """Of all moves there are, exactly those that are offered are accepted."""
    for game in played.games[-10:]:
        offered = set(game.moves())
        for move in UNIVERSE:
            assert (reason_against(game, move) is None) == (move in offered)
        assert offered <= set(UNIVERSE)


@pytest.mark.soak
@settings(max_examples=300)
@given(whole_walks)
def test_offered_and_accepted_are_the_same_in_whole_games(played: Walk):
    """From the start of a game to its end, exactly the moves that are offered are accepted."""
    for game in played.games[::5]:
        offered = set(game.moves())
        for move in UNIVERSE:
            assert (reason_against(game, move) is None) == (move in offered)


@given(walks)
def test_rolls_that_did_not_happen(played: Walk):
    """No roll with a changed held die, another number of dice or an unknown face is accepted."""
    game = played.game
    for move in set(game.moves()) & set(ALL_KEEPS):
        event = event_of(game, move)
        assert isinstance(event, Rolled)
        kept, dice = event.kept, event.dice
        for position in range(5):
            face = dice[position] % 6 + 1
            other = Rolled(kept, (*dice[:position], face, *dice[position + 1 :]))
            if position in kept:
                refused = refusal(game, other)
                assert refused.reason is Reason.KEPT_DIE_CHANGED
                assert refused.values == {"position": position + 1}
            else:
                assert game.play(other).dice == other.dice
            for bad, reason in BAD_FACES:
                wrong: tuple[object, ...] = (*dice[:position], bad, *dice[position + 1 :])
                refused = refusal(game, Rolled(kept, wrong))  # pyright: ignore[reportArgumentType]
                assert refused.reason is reason
                assert refused.values == {"value": bad, "faces": 6}
        for wrong_count in (dice[:4], (*dice, 1), (), dice * 2):
            refused = refusal(game, Rolled(kept, wrong_count))
            assert refused.reason is Reason.WRONG_DICE_COUNT
            assert refused.values == {"value": len(wrong_count), "dice": 5}


BAD_FACES: list[tuple[object, Reason]] = [
    (0, Reason.FACE_OUT_OF_RANGE),
    (7, Reason.FACE_OUT_OF_RANGE),
    (-1, Reason.FACE_OUT_OF_RANGE),
    (True, Reason.FACE_IS_BOOLEAN),
    (1.5, Reason.FACE_IS_FRACTION),
    ("6", Reason.FACE_IS_TEXT),
    (None, Reason.FACE_NOT_A_NUMBER),
]


@given(walks)
def test_a_refusal_changes_nothing(played: Walk):
    """After any number of refused moves a game is equal to one that never met them."""
    game = played.game
    offered = set(game.moves())
    for move in UNIVERSE:
        if move not in offered:
            refusal(game, event_of(game, move))
            with pytest.raises(IllegalMove):
                game.check(move)
    for keep in (keep for keep in ALL_KEEPS if keep in offered):
        refusal(game, Rolled(keep.positions, (1, 2, 3)))
    twin = replay(played.start, played.events)
    assert game == twin
    assert hash(game) == hash(twin)
    assert list(game.moves()) == list(twin.moves())


@given(walks)
def test_replay(played: Walk):
    """A game is what its events make of its start."""
    assert replay(played.start, played.events) == played.game
    assert replay(played.start, iter(played.events)) == played.game
    assert replay(played.game, ()) == played.game


def test_replay_stops_at_the_first_refused_event():
    """A replay raises what the first event that is refused raises."""
    with pytest.raises(IllegalMove) as refused:
        replay(Game.new(), [roll(), Score("ones"), Score("twos"), Score("sevens")])
    assert refused.value.reason is Reason.NOT_ROLLED


@given(whole_walks)
def test_rotation(played: Walk):
    """Each seat fills exactly 12 boxes, one a turn, the seats in strict rotation."""
    standing: list[Score] = []
    for before, event, after in zip(played.games, played.events, played.games[1:], strict=False):
        assert before.seat == len(standing) % len(before.cards)
        assert before.turn == len(standing) // len(before.cards)
        if isinstance(event, Score):
            changed = [seat for seat, card in enumerate(after.cards) if card != before.cards[seat]]
            assert changed == [before.seat]
            standing.append(event)
        elif isinstance(event, UndoScore):
            standing.pop()
        else:
            assert after.cards == before.cards
            assert after.seat == before.seat
    seats = len(played.game.cards)
    assert played.game.is_over
    assert played.game.turn == 12
    assert len(standing) == 12 * seats
    for seat, card in enumerate(played.game.cards):
        assert sorted(score.category for score in standing[seat::seats]) == sorted(KEYS)
        assert card.filled == 12
        assert None not in card.boxes


@given(whole_walks)
def test_a_box_gets_its_own_points(played: Walk):
    """A score puts what its box gives for the dice on the table there, and totals are sums."""
    for before, event, after in zip(played.games, played.events, played.games[1:], strict=False):
        if isinstance(event, Score):
            place = before.ruleset.index(event.category)
            boxes = list(before.cards[before.seat].boxes)
            assert boxes[place] is None
            boxes[place] = before.ruleset.categories[place].score(before.dice)
            assert after.cards[before.seat].boxes == tuple(boxes)
        for card in after.cards:
            assert card.total == sum(points or 0 for points in card.boxes)


@given(walks)
def test_a_turn_takes_at_most_three_rolls(played: Walk):
    """Rolls used and left always make three, and no dice are on the table before the first."""
    for game in played.games:
        assert (game.rolls_used == 0) == (game.dice == ())
        assert game.rolls_left == (0 if game.is_over else 3 - game.rolls_used)
        assert 0 <= game.rolls_used <= 3


@given(walks)
def test_undo_restores_exactly(played: Walk):
    """An undo right after a score gives back the game before it, with its dice and rolls."""
    for before, event, after in zip(played.games, played.events, played.games[1:], strict=False):
        if isinstance(event, Score) and not after.is_over:
            restored = after.play(UndoScore())
            assert restored == before
            assert restored.before is None
            assert (restored.dice, restored.kept, restored.rolls_used, restored.seat) == (
                before.dice,
                before.kept,
                before.rolls_used,
                before.seat,
            )


@given(walks)
def test_undo_is_offered_only_right_after_a_score(played: Walk):
    """An undo is impossible at the start, after a roll, twice, and after the game's last score."""
    last = played.events[-1] if played.events else None
    possible = isinstance(last, Score) and not played.game.is_over
    assert (UndoScore() in set(played.game.moves())) == possible
    if not possible:
        assert refusal(played.game, UndoScore()).reason is Reason.NOTHING_TO_UNDO


@given(whole_walks)
def test_after_the_end(played: Walk):
    """A game that is over offers nothing and refuses everything."""
    assert list(played.game.moves()) == []
    assert played.game.rolls_left == 0
    assert played.game.seat == 0
    assert played.game.dice == ()
    assert played.game.open_boxes == ()
    for move in UNIVERSE:
        refused = refusal(played.game, event_of(played.game, move))
        undo = isinstance(move, UndoScore)
        assert refused.reason is (Reason.NOTHING_TO_UNDO if undo else Reason.GAME_OVER)


ROLLED = Game.new().play(roll())
THIRD_ROLL = replay(Game.new(), [roll(), roll(), roll()])
SCORED = ROLLED.play(Score("choice"))
SECOND_TURN = SCORED.play(roll())

REFUSED: list[tuple[str, Game, Event, Reason, dict[str, object]]] = [
    # what, a game, an event, the reason, its values
    ("a score before the first roll", Game.new(), Score("ones"), Reason.NOT_ROLLED, {}),
    ("a score before the turn's roll", SCORED, Score("ones"), Reason.NOT_ROLLED, {}),
    ("a hold before the first roll", Game.new(), roll(DICE, 0), Reason.NOTHING_TO_KEEP, {}),
    ("a hold before the turn's roll", SCORED, roll(DICE, 4), Reason.NOTHING_TO_KEEP, {}),
    ("all held before the roll", SCORED, roll(DICE, *range(5)), Reason.NOTHING_TO_KEEP, {}),
    ("a fourth roll", THIRD_ROLL, roll(), Reason.NO_ROLLS_LEFT, {"rolls": 3}),
    (
        "a fourth roll of one",
        THIRD_ROLL,
        roll(DICE, 1, 2, 3, 4),
        Reason.NO_ROLLS_LEFT,
        {"rolls": 3},
    ),
    ("all five held", ROLLED, roll(DICE, *range(5)), Reason.ALL_KEPT, {}),
    ("a sixth die", ROLLED, roll(DICE, 5), Reason.NO_SUCH_DIE, {"value": 5, "dice": 5}),
    ("a die below the first", ROLLED, roll(DICE, -1), Reason.NO_SUCH_DIE, {"value": -1, "dice": 5}),
    ("a filled box", SECOND_TURN, Score("choice"), Reason.BOX_FILLED, {"category": "choice"}),
    ("no such box", ROLLED, Score("sixs"), Reason.UNKNOWN_CATEGORY, {"category": "sixs"}),
    ("an undo at the start", Game.new(), UndoScore(), Reason.NOTHING_TO_UNDO, {}),
    ("an undo after a roll", SECOND_TURN, UndoScore(), Reason.NOTHING_TO_UNDO, {}),
    (
        "a second undo",
        SCORED.play(UndoScore()),
        UndoScore(),
        Reason.NOTHING_TO_UNDO,
        {},
    ),
]


@pytest.mark.parametrize(
    ("game", "event", "reason", "values"),
    [row[1:] for row in REFUSED],
    ids=[row[0] for row in REFUSED],
)
def test_refused(game: Game, event: Event, reason: Reason, values: dict[str, object]):
    """What the rules forbid is refused with its own reason and the values it is about."""
    refused = refusal(game, event)
    assert refused.reason is reason
    assert refused.values == values


@pytest.mark.parametrize("position", [True, 1.0, "1", None])
def test_positions_are_numbers(position: object):
    """A position that is no plain number is no die, even where it equals one."""
    kept: frozenset[int] = frozenset({position})  # pyright: ignore[reportAssignmentType]
    refused = refusal(ROLLED, Rolled(kept, DICE))
    assert refused.reason is Reason.NO_SUCH_DIE
    assert refused.values == {"value": position, "dice": 5}


def test_a_filled_zero_is_filled():
    """A box that got 0 is filled as any other, and the undo makes it empty again, not 0."""
    game = ROLLED.play(Score("yacht"))
    place = CLASSIC.index("yacht")
    assert game.cards[0].boxes[place] == 0
    assert game.cards[0].filled == 1
    assert refusal(game.play(roll()), Score("yacht")).reason is Reason.BOX_FILLED
    assert game.play(UndoScore()).cards[0].boxes[place] is None


def test_another_players_box_is_no_obstacle():
    """A box that one player has filled stays open for the next."""
    game = replay(Game.new(CLASSIC, 2), [roll(), Score("choice"), roll()])
    assert game.seat == 1
    assert game.play(Score("choice")).cards[1].total == 18


def test_number_of_moves():
    """Moves are 1 before the first roll, 31 + 12 after it and the second, 12 after the third."""
    game = Game.new()
    counts = [len(list(game.moves()))]
    for _ in range(3):
        game = game.play(roll())
        counts.append(len(list(game.moves())))
    assert counts == [1, 43, 43, 12]
    assert len(list(game.play(Score("ones")).moves())) == 2


def test_holds_may_change():
    """A die held at one roll may be rolled at the next, and all five may be rolled again."""
    game = replay(Game.new(), [roll((2, 2, 1, 4, 6)), roll((2, 2, 4, 4, 6), 0, 1)])
    assert game.kept == {0, 1}
    assert game.play(roll((1, 4, 4, 4, 4), 2, 3)).dice == (1, 4, 4, 4, 4)
    assert game.play(roll((1, 1, 1, 1, 1))).kept == frozenset()


def test_rolled():
    """The event of a keep has the held dice in their places and the thrown faces elsewhere."""
    keep = Keep(frozenset({0, 3}))
    assert ROLLED.rolled(keep, (6, 5, 4, 3, 2)) == Rolled(keep.positions, (3, 5, 4, 1, 2))
    assert Game.new().rolled(Keep(), (6, 5, 4, 3, 2)) == Rolled(frozenset(), (6, 5, 4, 3, 2))


@BOTH
def test_open_boxes(ruleset: Ruleset):
    """The open boxes are those of the seat whose turn it is, in the order of its card."""
    keys = [category.key for category in ruleset.categories]
    game = Game.new(ruleset, 2)
    assert list(game.open_boxes) == keys
    game = replay(game, [roll(), Score("ones"), roll(), Score("twos")])
    assert list(game.open_boxes) == [key for key in keys if key != "ones"]
    game = replay(game, [roll(), Score("twos")])
    assert list(game.open_boxes) == [key for key in keys if key != "twos"]


@pytest.mark.parametrize("seats", range(1, 9))
def test_seats(seats: int):
    """One to eight seats play, each with an empty card."""
    game = Game.new(SUM, seats)
    assert game.cards == (Scorecard((None,) * 12),) * seats
    assert (game.seat, game.turn, game.rolls_left, game.is_over) == (0, 0, 3, False)
    assert game.winners == ()


@pytest.mark.parametrize("seats", [0, -1, 9, 100])
def test_seat_count(seats: int):
    """Nobody, or more than eight, can't play."""
    with pytest.raises(IllegalMove) as refused:
        Game.new(CLASSIC, seats)
    assert refused.value.reason is Reason.SEAT_COUNT
    assert refused.value.values == {"value": seats, "most": 8}


def finished(*totals: int) -> Game:
    """A game that is over with these totals."""
    return Game(CLASSIC, tuple(Scorecard((total, *(0,) * 11)) for total in totals))


@pytest.mark.parametrize(
    ("totals", "ranks", "winners"),
    [
        ((200, 180, 180, 150), (1, 2, 2, 4), (0,)),
        ((180, 150, 200, 180), (2, 4, 1, 2), (2,)),
        ((200, 200, 150), (1, 1, 3), (0, 1)),
        ((150, 200, 200), (3, 1, 1), (1, 2)),
        ((100,) * 8, (1,) * 8, tuple(range(8))),
        ((5,), (1,), (0,)),
        ((1, 2, 3), (3, 2, 1), (2,)),
    ],
)
def test_ranks(totals: tuple[int, ...], ranks: tuple[int, ...], winners: tuple[int, ...]):
    """Equal totals share a rank, the next rank counts them all, and the highest share the win."""
    game = finished(*totals)
    assert game.is_over
    by_seat = {standing.seat: standing for standing in game.standings}
    assert by_seat == {
        seat: Standing(rank, seat, total)
        for seat, (rank, total) in enumerate(zip(ranks, totals, strict=True))
    }
    assert game.winners == winners


@given(st.lists(st.integers(0, 5), min_size=1, max_size=8))
def test_standings(totals: list[int]):
    """Standings run from the highest total down, equal ones in seat order."""
    standings = finished(*totals).standings
    order = sorted(enumerate(totals), key=lambda seat: (-seat[1], seat[0]))
    assert [(standing.seat, standing.total) for standing in standings] == order
    falling = sorted(totals, reverse=True)
    assert [standing.rank for standing in standings] == [
        falling.index(total) + 1 for total in falling
    ]


@given(walks)
def test_nobody_has_won_before_the_end(played: Walk):
    """There are winners exactly when the game is over, and standings at any time."""
    for game in played.games:
        assert (game.winners != ()) == game.is_over
        assert len(game.standings) == len(game.cards)


def test_cards():
    """A card's total is the sum of its filled boxes, zeros count as filled."""
    card = Scorecard((None, 0, 15, None))
    assert card.total == 15
    assert card.filled == 2
    assert card.fill(0, 7) == Scorecard((7, 0, 15, None))
    assert card.fill(3, 0) == Scorecard((None, 0, 15, 0))


def test_equal_games():
    """Games that came to be in other ways are equal if nothing in them differs."""
    direct = replay(Game.new(), [roll(), Score("ones"), roll()])
    undone = replay(Game.new(), [roll(), Score("twos"), UndoScore(), Score("ones"), roll()])
    assert direct == undone
    assert hash(direct) == hash(undone)
    assert direct != replay(Game.new(SUM), [roll(), Score("ones"), roll()])
    assert replay(Game.new(), [roll(), roll()]) != ROLLED


TOY = Ruleset(
    "toy",
    (
        Category("sum", sum),
        Category("pair", lambda dice: 10 if dice[0] == dice[1] else 0),
        Category("threes", lambda dice: 3 * dice.count(3), 3),
    ),
    dice=2,
    faces=3,
    rolls=2,
)
TOY_ROLLS = tuple(product(range(1, 4), repeat=2))


def turns(game: Game) -> Iterable[Game]:
    """Every game that one more turn of a game can lead to, every roll and choice once."""
    for move in game.moves():
        if isinstance(move, Score):
            yield game.play(move)
        elif isinstance(move, Keep):
            for event in {game.rolled(move, thrown) for thrown in TOY_ROLLS}:
                yield from turns(game.play(event))


def test_toy_turns():
    """Two dice with three faces and two rolls: 9 rolls, each kept or rolled in 1 + 15 ways."""
    first = list(turns(Game.new(TOY)))
    assert len(first) == 9 * (1 + 9 + 3 + 3) * 3
    assert all(len(list(game.moves())) == 2 for game in first)
    second = list(turns(first[0]))
    assert len(second) == 9 * 16 * 2
    third = list(turns(second[0]))
    assert len(third) == 9 * 16
    assert all(game.is_over and not list(game.moves()) for game in third)


def test_toy_totals():
    """The toy game's totals run from 2, two ones in Sum, to 22, a pair of threes each turn."""
    games = {Game.new(TOY)}
    for _ in range(3):
        after = chain.from_iterable(map(turns, games))
        games = {Game(TOY, game.cards) for game in after}  # how a card was filled doesn't matter
    totals = {game.cards[0].total for game in games}
    assert (min(totals), max(totals)) == (2, 22)
    assert [TOY.most(key) for key in ("sum", "pair", "threes")] == [6, 10, 6]
    assert all(game.winners == (0,) for game in games)


@given(st.integers(1, 8), st.integers(0, 1000))
def test_toy_walks(seats: int, chance_seed: int):
    """A toy game of any number of seats ends after three scores a seat."""
    game = Game.new(TOY, seats)
    thrown = 0
    while not game.is_over:
        assert game.turn < 3
        keeps = [move for move in game.moves() if isinstance(move, Keep)]
        if keeps and (not game.dice or (chance_seed + thrown) % 2):
            thrown += 1
            dice = TOY_ROLLS[(chance_seed + 5 * thrown) % 9]
            game = game.play(game.rolled(keeps[-1], dice))
        else:
            game = game.play(Score(game.open_boxes[thrown % len(game.open_boxes)]))
    assert all(card.filled == 3 for card in game.cards)
    assert refusal(game, UndoScore()).reason is Reason.NOTHING_TO_UNDO


def test_toy_refusals():
    """The toy game refuses by its own numbers: a third roll, a third die, a fourth face."""
    game = Game.new(TOY).play(Rolled(frozenset(), (1, 3)))
    assert refusal(game, Rolled(frozenset({2}), (1, 3))).values == {"value": 2, "dice": 2}
    assert refusal(game, Rolled(frozenset(), (1, 4))).values == {"value": 4, "faces": 3}
    assert refusal(game, Rolled(frozenset({0, 1}), (1, 3))).reason is Reason.ALL_KEPT
    game = game.play(Rolled(frozenset({1}), (2, 3)))
    assert refusal(game, Rolled(frozenset(), (1, 1))).values == {"rolls": 2}
    assert refusal(game, Score("ones")).reason is Reason.UNKNOWN_CATEGORY


@pytest.mark.parametrize("seats", [1, 4])
@BOTH
def test_a_whole_game_move_by_move(ruleset: Ruleset, seats: int):
    """In one whole game of each kind, exactly what the rules allow is accepted at each moment."""
    played = walk(Game.new(ruleset, seats), chance_seed=7, steps=100_000)
    assert played.game.is_over
    assert any(isinstance(event, UndoScore) for event in played.events)
    for count, game in enumerate(played.games):
        allowed = by_rules(seats, played.events[:count])
        assert {move for move in UNIVERSE if reason_against(game, move) is None} == allowed


@pytest.mark.parametrize(
    ("kept", "faces", "positions"),
    [
        ((), (), ()),
        ((), (2, 2), (1, 3)),
        ((), (2,), (1,)),
        ((3,), (2,), (3,)),
        ((3, 4), (2, 2, 6), (1, 3, 4)),
        ((), (6, 6, 6), (0, 4)),
        ((), (5, 1), (2,)),
    ],
)
def test_holding(kept: tuple[int, ...], faces: tuple[int, ...], positions: tuple[int, ...]):
    """Dice are held by their faces: those that were kept before others, then from the left."""
    game = replay(Game.new(), [Rolled(frozenset(), (6, 2, 1, 2, 6))])
    if kept:
        game = game.play(Rolled(frozenset(kept), game.dice))
    assert game.holding(faces) == Keep(frozenset(positions))
