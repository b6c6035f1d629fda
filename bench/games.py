"""Random legal play: what the benchmarks' constants, tokens and filled stores are made of."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from yacht.engine.dice import dice_key, fingerprint, throw
from yacht.engine.game import Event, Game, Keep, Score, replay
from yacht.engine.rules import RULESETS
from yacht.rooms.entries import Entry, LogEvent, Opened, Started, Unsealed

_NAMES = ("Ana", "Ben", "Cleo", "Dov")


@dataclass(frozen=True, slots=True)
class Played:
    """A game that was played, to its end or not, by the dice of this seed."""

    seed: bytes
    added: tuple[bytes, ...]
    new: Game
    events: Sequence[Event]

    @property
    def names(self) -> tuple[str, ...]:
        return _NAMES[: len(self.new.cards)]

    @property
    def game(self) -> Game:
        return replay(self.new, self.events)

    def log(self, owner: str) -> list[Entry]:
        """The log of a room in which this owner played it."""
        opened = Opened(self.new.ruleset.key, self.names, fingerprint(self.seed), owner)
        told: list[LogEvent] = [opened, Started(self.added), *self.events]
        if self.game.is_over:
            told.append(Unsealed(self.seed))
        return [Entry(owner, event) for event in told]


def play(chance: Random, seats: int = 1, most: int = 1000) -> Played:
    """Play a game of any ruleset to its end, or so many events of it."""
    seed, added = chance.randbytes(32), tuple(chance.randbytes(15) for _ in range(seats))
    new = Game.new(chance.choice(list(RULESETS.values())), seats)
    events = _events(chance, new, dice_key(seed, added))
    return Played(seed, added, new, [event for _, event in zip(range(most), events, strict=False)])


def _events(chance: Random, game: Game, key: bytes) -> Iterator[Event]:
    """One to three rolls a turn with any dice held, then any open box."""
    while not game.is_over:
        event: Event
        if game.rolls_left > chance.randrange(3):
            held = chance.sample(range(5), chance.randrange(5)) if game.dice else ()
            thrown = throw(key, game.seat, game.turn, game.rolls_used, game.ruleset)
            event = game.rolled(Keep(frozenset(held)), thrown)
        else:
            event = Score(chance.choice(game.open_boxes))
        yield event
        game = game.play(event)
