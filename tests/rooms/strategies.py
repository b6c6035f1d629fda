"""Events of every kind, and logs of rooms at any moment of a game."""

import random
from typing import get_args

from hypothesis import strategies as st

from tests.engine.strategies import HOSTILE_NAMES, LEVELS, Walk, names, walks
from yacht.engine import dice
from yacht.engine.game import Event, Rolled, Score, UndoScore
from yacht.rooms.entries import (
    Again,
    Back,
    Begun,
    Entry,
    Hinted,
    Invited,
    Joined,
    Left,
    LogEvent,
    Opened,
    RoomEvent,
    Salted,
    Started,
    StoodIn,
    Taken,
    Unsealed,
)
from yacht.rooms.options import CLOCKS

SEED = bytes(range(32))

hashes = st.text("0123456789abcdef", min_size=32, max_size=32)
"""What the rooms know of an identity."""

_faces = st.tuples(*[st.integers(1, 6)] * 5)
_KINDS: dict[type, st.SearchStrategy[LogEvent]] = {
    Rolled: st.builds(Rolled, st.frozensets(st.integers(0, 4), max_size=4), _faces),
    Score: st.builds(Score, st.sampled_from(("ones", "full_house", "yacht"))),
    UndoScore: st.just(UndoScore()),
    Opened: st.builds(
        Opened,
        st.sampled_from(("classic", "sum")),
        st.lists(names, min_size=1, max_size=8).map(tuple),
        st.binary(min_size=32, max_size=32).map(dice.fingerprint),
        hashes,
        st.lists(st.sampled_from(("", *LEVELS)), max_size=8).map(tuple),
    ),
    Started: st.builds(Started, st.lists(st.binary(max_size=32), max_size=8).map(tuple)),
    Invited: st.builds(
        Invited,
        st.sampled_from(("classic", "sum")),
        st.integers(2, 8),
        st.binary(min_size=32, max_size=32).map(dice.fingerprint),
        st.sampled_from(CLOCKS),
        st.booleans(),
    ),
    Joined: st.builds(
        Joined, names, hashes, st.binary(max_size=32), st.sampled_from(("", *LEVELS))
    ),
    Left: st.builds(Left, st.integers(0, 7)),
    Begun: st.just(Begun()),
    Salted: st.builds(Salted, st.integers(0, 7), st.binary(max_size=32)),
    StoodIn: st.builds(StoodIn, st.integers(0, 7)),
    Back: st.builds(Back, st.integers(0, 7)),
    Taken: st.builds(Taken, hashes, st.none() | st.integers(0, 7)),
    Unsealed: st.builds(Unsealed, st.binary(min_size=32, max_size=32)),
    Hinted: st.builds(Hinted, st.integers(0, 7)),
    Again: st.builds(Again, st.text("abcXYZ019_-", min_size=16, max_size=16)),
}

events = st.one_of(*(_KINDS[kind] for kind in (*get_args(Event), *get_args(RoomEvent))))
"""Every kind of event there is; one without a strategy is a KeyError here."""

entries = st.builds(Entry, hashes, events, st.floats(0, 4e9))
"""Lines that a store must keep, whether or not they make a game."""


def log_of(played: Walk, chance_seed: int = 0, takes: int = 0) -> tuple[Entry, ...]:
    """The log of a room in which this was played, taken to another browser so many times."""
    chance = random.Random(chance_seed)
    ruleset, seats = played.start.ruleset, len(played.start.cards)
    salts = tuple(chance.randbytes(chance.randrange(33)) for _ in range(seats))
    levels = ("", *(("", *LEVELS)[(chance_seed + seat) % 5] for seat in range(1, seats)))
    levels = levels if chance_seed % 2 else ()
    seal = dice.fingerprint(SEED)
    opened = Opened(ruleset.key, HOSTILE_NAMES[-seats:], seal, "owner 0", levels)
    log: list[LogEvent] = [*([Started(salts)] if played.events else []), *played.events]
    if played.game.is_over:
        log += [Unsealed(SEED), Again("room")]
    for number in range(1, takes + 1):
        places = [place for place in range(len(log) + 1) if place != 1]  # not inside the first roll
        log.insert(chance.choice(places), Taken(f"owner {number}"))
    owner, made = opened.owner, [Entry(opened.owner, opened)]
    for event in log:
        owner = event.owner if isinstance(event, Taken) else owner
        made.append(Entry(owner, event))
    return tuple(made)


logs = st.builds(log_of, walks, st.integers(0, 2**32 - 1), st.integers(0, 3))
"""Whole logs of rooms at any moment."""
