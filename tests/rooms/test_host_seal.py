"""Sealed dice at a host's tables: no way round them, hidden until the end, public after it."""

import asyncio
import random
from pathlib import Path

import pytest

from tests.rooms.playing import (
    ANA,
    BEN,
    SALTS,
    act,
    opened,
    opened_with,
    play,
    play_to_the_end,
    refusal,
    stored,
)
from tests.rooms.strategies import SEED
from tests.stores import unsynced
from yacht.engine import dice
from yacht.engine.game import Keep, Move, Score, UndoScore
from yacht.engine.notation import decode_record, encode_record, verify
from yacht.engine.reasons import Reason
from yacht.rooms.entries import Entry, Started, Unsealed
from yacht.rooms.host import Host
from yacht.rooms.sqlite import Sqlite
from yacht.rooms.store import Append
from yacht.rooms.table import Stale
from yacht.view import view

pytestmark = pytest.mark.anyio


# The dice


async def test_the_dice_of_the_seal(host: Host):
    """Rolls are those of docs/sealed-dice.md for seed, seats' bytes, seat, turn and roll."""
    room_id = await opened_with(host, SEED, "Ana", "Ben")
    thrown = [(await act(host, room_id, move, SALTS)).game.dice for move in [Keep()] * 3]
    assert thrown == [(2, 4, 3, 2, 1), (1, 4, 5, 3, 1), (1, 3, 6, 2, 2)]
    await act(host, room_id, Score("choice"))
    thrown = [(await act(host, room_id, move)).game.dice for move in [Keep()] * 3]
    assert thrown == [(2, 4, 4, 3, 5), (3, 6, 4, 4, 6), (1, 4, 5, 2, 6)]
    room_id = await opened_with(host, SEED, "Ana")
    thrown = [(await act(host, room_id, Keep())).game.dice for _ in range(3)]
    assert thrown == [(2, 6, 1, 5, 5), (1, 6, 6, 3, 6), (3, 6, 5, 6, 1)]


async def test_held_dice(host: Host):
    """Held dice stay, the others show the faces of their own places."""
    room_id = await opened_with(host, SEED, "Ana")
    room = await play(host, room_id, Keep(), Keep(frozenset({0, 4})), Keep(frozenset({1})))
    assert [turn.rolls[-1].dice for turn in room.turns] == [(3, 6, 5, 6, 1)]
    assert room.turns[0].rolls[1].dice == (2, 6, 6, 3, 5)


@pytest.mark.parametrize(
    "detour",
    [
        [Score("choice"), UndoScore()],
        [Score("ones"), UndoScore(), Score("twos"), UndoScore()],
        [Score("yacht"), UndoScore()] * 3,
    ],
)
async def test_undo_never_changes_a_roll(host: Host, detour: list[Move]):
    """After a score taken back the same dice lie there, and the rolls that come are the same."""
    plain, winding = [await opened_with(host, SEED, "Ana", "Ben") for _ in range(2)]
    holds = [Keep(), Keep(frozenset({1, 2})), Keep(frozenset({0}))]
    for hold in holds:
        expected = await act(host, plain, hold)
        rolled = await act(host, winding, hold)
        back = await play(host, winding, *detour)
        assert rolled.game.dice == back.game.dice == expected.game.dice
        assert back.game.rolls_used == expected.game.rolls_used
    expected = await play(host, plain, Score("choice"), Keep())
    assert (await play(host, winding, Score("choice"), Keep())).game == expected.game


async def test_no_undo_after_the_next_roll(host: Host):
    """Once the next player has rolled, the score stays."""
    room_id = await opened(host)
    room = await play(host, room_id, Keep(), Score("choice"), Keep())
    refused = await refusal(host.act(room_id, ANA, room.seq, UndoScore()))
    assert refused.reason is Reason.NOTHING_TO_UNDO


async def test_what_seats_add(host: Host):
    """The seats' bytes are fixed with the first roll and public from then on."""
    room_id = await opened(host)
    assert view(room_id, await host.room(room_id), BEN).seat_bytes is None
    room = await act(host, room_id, Keep(), SALTS)
    assert room.entries[1] == Entry(ANA, Started(SALTS))
    await act(host, room_id, Keep(), (b"Eva", b"Dan"))
    await act(host, room_id, Score("choice"), (b"Eva", b"Dan"))
    room = await act(host, room_id, Keep(), (b"too", b"late", b"and", b"x" * 99))
    assert room.seat_bytes == SALTS
    assert view(room_id, room, BEN).seat_bytes == ["416e61", "42656e"]
    assert room.record.seat_bytes == SALTS
    assert [entry for entry in room.entries if isinstance(entry.event, Started)] == [
        Entry(ANA, Started(SALTS))
    ]


async def test_seats_that_add_nothing(host: Host):
    """Without bytes a game is sealed with none for each seat; 32 are the most a seat may add."""
    room_id = await opened(host, "Ana", "Ben", "Eva")
    assert (await act(host, room_id, Keep())).seat_bytes == (b"", b"", b"")
    room_id = await opened(host)
    assert (await act(host, room_id, Keep(), (b"", b"x" * 32))).seat_bytes == (b"", b"x" * 32)


@pytest.mark.parametrize(
    ("salts", "reason"),
    [
        ((b"Ana",), Reason.WRONG_SEATS),
        ((b"Ana", b"Ben", b"Eva"), Reason.WRONG_SEATS),
        ((b"Ana", b"x" * 33), Reason.TOO_MANY_BYTES),
        ((b"x" * 1000, b""), Reason.TOO_MANY_BYTES),
    ],
)
async def test_bytes_that_are_refused(host: Host, salts: tuple[bytes, ...], reason: Reason):
    """Bytes for a wrong number of seats, or too many, are refused and change nothing."""
    room_id = await opened(host)
    before = await stored(host, room_id)
    assert (await refusal(host.act(room_id, ANA, 1, Keep(), salts))).reason is reason
    assert await stored(host, room_id) == before
    assert (await host.act(room_id, ANA, 1, Keep(), SALTS)).seat_bytes == SALTS


def forms(hidden: bytes) -> list[str]:
    return [repr(hidden)[2:-1], hidden.hex(), str(list(hidden))[1:-1]]


async def test_the_seed_stays_hidden(host: Host):
    """Before the end no view, record, refusal or printed value holds the seed or the dice's key."""
    room_id = await opened(host)
    hidden, _ = await stored(host, room_id)
    secret = [hidden.seed, hidden.link, dice.dice_key(hidden.seed, SALTS)]
    room = await act(host, room_id, Keep(), SALTS)
    while not room.game.is_over:
        stale = await refusal(host.act(room_id, ANA, 0, Keep()))
        told: list[object] = [
            *(view(room_id, room, viewer) for viewer in (ANA, BEN, "")),
            *(room, room.record, encode_record(room.record), stale, stale.values),
            *(host.tables._known, vars(host), vars(host.store)),
        ]
        text = "\n".join(f"{one} {one!r}" for one in told)
        assert not [form for one in secret for form in forms(one) if form in text]
        assert (room.seed, room.record.seed) == (None, None)
        move = Score(room.game.open_boxes[0]) if room.game.dice else Keep()
        room = await act(host, room_id, move)
    assert view(room_id, room, BEN).seed == hidden.seed.hex()
    assert room.seed == room.record.seed == hidden.seed


# The end


class Noted(Sqlite):
    """A store that remembers what was appended."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.appended: list[Append] = []

    async def append(self, log: Append) -> None:
        await super().append(log)
        self.appended.append(log)


@pytest.mark.parametrize("ruleset", ["classic", "sum"])
async def test_whole_games(database: Path, ruleset: str):
    """Random games of 1 to 8 seats end with score and seed in one append, and verify."""
    store = unsynced(Noted(database))
    host = Host(store, now=lambda: 7.0)

    async def whole_game(seats: int) -> None:
        chance = random.Random(seats)
        viewer = f"{seats:032}"
        names = [f"Player {seat}" for seat in range(seats)]
        room_id = await host.open(viewer, ruleset, names)
        hidden, room = await stored(host, room_id)
        salts = [chance.randbytes(chance.randrange(33)) for _ in names]
        while not room.game.is_over:
            assert room.seed is None
            kinds = [move for move in room.game.moves() if not isinstance(move, Keep)]
            if room.game.rolls_left:
                held = [n for n in range(4) if room.game.dice and chance.random() < 0.5]
                kinds += [Keep(frozenset(held))] * (1 + len(kinds))
            room = await host.act(room_id, viewer, room.seq, chance.choice(kinds), salts)
        score, unsealed = room.entries[-2:]
        assert isinstance(score.event, Score)
        assert unsealed == Entry(viewer, Unsealed(hidden.seed), at=7.0)
        last = [log for log in store.appended if log.room == room_id][-1]
        assert list(last.entries) == [score, unsealed]
        assert room.fingerprint == dice.fingerprint(hidden.seed)
        assert decode_record(encode_record(room.record)) == room.record
        verify(room.record)
        assert (await stored(host, room_id))[1] == room
        [listed] = await host.games_of(viewer)
        totals = tuple(card.total for card in room.game.cards)
        assert listed.result is not None
        assert listed.result.totals == totals
        assert (listed.result.ruleset, listed.result.names) == (ruleset, tuple(names))
        results = [log.result for log in store.appended if log.room == room_id]
        assert results == [None] * (len(results) - 1) + [listed.result]

    await asyncio.gather(*map(whole_game, range(1, 9)))
    await store.close()


async def test_after_the_end(host: Host):
    """After the end the last score can be sent again and nothing else can be done."""
    room_id = await opened(host, "Ana")
    room = await play_to_the_end(host, room_id)
    last = room.entries[-2].event
    assert isinstance(last, Score)
    assert await host.act(room_id, ANA, room.seq - 2, last) == room
    for move, reason in (
        (Keep(), Reason.GAME_OVER),
        (Score("ones"), Reason.GAME_OVER),
        (UndoScore(), Reason.NOTHING_TO_UNDO),
    ):
        assert isinstance(await refusal(host.act(room_id, ANA, room.seq - 2, move)), Stale)
        assert (await refusal(host.act(room_id, ANA, room.seq, move))).reason is reason
    assert (await stored(host, room_id))[1] == room
