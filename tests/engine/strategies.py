"""Games reached by random legal moves, records of them, and names that try to do harm."""

import random
from dataclasses import dataclass

from hypothesis import strategies as st

from yacht.engine import dice
from yacht.engine.game import Event, Game, Keep, Move, Score
from yacht.engine.notation import Record
from yacht.engine.rules import CLASSIC, SUM, Dice, Ruleset

LEVELS = ("exact", "strong", "steady", "easy")
"""The keys of computers' levels."""

TO_THE_END = 100_000
"""More steps than any walk takes: it stops where its game is over."""

LUCKY = ("11111", "44444", "66666", "12345", "62345", "22333", "66566", "14444", "36336", "21354")
"""Throws that fill the boxes which chance seldom fills."""

HOSTILE_NAMES = (
    "",
    " ",
    " Ana ",
    '"',
    "\\",
    '\\"',
    '" 41',
    '"A" 41424344',
    "#",
    "# Ana",
    "1.1 26155 choice=19",
    "seed: 00",
    "Ana\nseat 3: Eva",
    "Ana\r\n",
    "\t\x00\x0b\x0c\x1b\x1c\x1d\x1e\x1f\x7f",
    "\x85\xa0\u2028\u2029",
    "\ufeffAna",
    "\u202eanA\u202c \u200f\u05d0",
    "🎲👩‍👧‍👦🏴‍☠️",
    "Z̴͉̑a̸lgo",
    "<script>alert(1)</script>",
    "{{ 7 * 7 }}",
    "\\u0041\\ud800",
    "A" * 200,
)


@dataclass(frozen=True)
class Walk:
    """How a game came to be: ``games[n]`` is the game after the first ``n`` events."""

    games: tuple[Game, ...]
    events: tuple[Event, ...]

    @property
    def start(self) -> Game:
        return self.games[0]

    @property
    def game(self) -> Game:
        return self.games[-1]


def walk(start: Game, chance_seed: int, steps: int, key: bytes | None = None) -> Walk:
    """Random legal moves from ``start``, with the dice of ``key`` if there is one."""
    chance = random.Random(chance_seed)
    games: list[Game] = [start]
    events: list[Event] = []
    while len(events) < steps and not games[-1].is_over:
        game = games[-1]
        move = _pick(game, chance)
        keep = isinstance(move, Keep)
        events.append(game.rolled(move, _thrown(game, chance, key)) if keep else move)
        games.append(game.play(events[-1]))
    return Walk(tuple(games), tuple(events))


def _pick(game: Game, chance: random.Random) -> Move:
    """A kind of move first, so that 31 keeps don't outweigh the rest; then one of its kind."""
    kinds: dict[type, list[Move]] = {}
    for move in game.moves():
        kinds.setdefault(type(move), []).append(move)
    weights = {Keep: 3, Score: 3}
    kind = chance.choices(list(kinds), [weights.get(kind, 1) for kind in kinds])[0]
    return chance.choice(kinds[kind])


def _thrown(game: Game, chance: random.Random, key: bytes | None) -> Dice:
    if key is not None:
        return dice.throw(key, game.seat, game.turn, game.rolls_used, game.ruleset)
    if chance.random() < 0.25:
        return tuple(map(int, chance.choice(LUCKY)))
    return tuple(chance.choices(range(1, 7), k=5))


rulesets: st.SearchStrategy[Ruleset] = st.sampled_from((CLASSIC, SUM))
_starts = st.builds(Game.new, rulesets, st.sampled_from((1, 2, 3, 4, 8)))
_chances = st.integers(0, 2**32 - 1)

walks = st.builds(walk, _starts, _chances, st.integers(0, 40) | st.integers(0, 400))
"""Games at any moment, from the first to the end."""

whole_walks = st.builds(walk, _starts, _chances, st.just(TO_THE_END))
"""Finished games."""

names = st.sampled_from(HOSTILE_NAMES) | st.text(
    st.characters(exclude_categories=("Cs",)), max_size=30
)
"""Any text that UTF-8 can carry."""


def _record(
    ruleset: Ruleset,
    seats: list[tuple[str, bytes, str]],
    seed: bytes,
    chance_seed: int,
    steps: int,
) -> Record:
    seat_names = tuple(name for name, _, _ in seats)
    seat_bytes = tuple(added for _, added, _ in seats)
    key = dice.dice_key(seed, seat_bytes)
    played = walk(Game.new(ruleset, len(seats)), chance_seed, steps, key)
    public = seed if played.game.is_over else None
    seal = dice.fingerprint(seed)
    computers = tuple(level for _, _, level in seats)
    computers = computers if any(computers) else ()
    return Record(ruleset, seat_names, seat_bytes, seal, played.events, public, computers)


def _records(most_seats: int, steps: st.SearchStrategy[int]) -> st.SearchStrategy[Record]:
    seat = st.tuples(names, st.binary(max_size=32), st.just("") | st.sampled_from(LEVELS))
    seats = st.lists(seat, min_size=1, max_size=most_seats)
    return st.builds(_record, rulesets, seats, st.binary(min_size=32, max_size=32), _chances, steps)


records = _records(8, st.integers(0, 40) | st.integers(0, 200))
"""Records of games with sealed dice at any moment; the seed is in those that are over."""

whole_records = _records(4, st.just(TO_THE_END))
"""Records of finished games."""
