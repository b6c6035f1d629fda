"""Computers at the table: their steps follow from the seed, come in their time, and once."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from itertools import pairwise
from typing import Any

import pytest

from tests.rooms.playing import ANA, BEN, SALTS, act, derived, opened_with, refusal, stored
from yacht.engine.game import Game, Keep, Rolled, Score, UndoScore
from yacht.engine.notation import verify
from yacht.engine.reasons import IllegalMove, Reason
from yacht.rooms import computers as module
from yacht.rooms.computers import Computers
from yacht.rooms.entries import COMPUTER
from yacht.rooms.host import Host
from yacht.rooms.room import Room
from yacht.rooms.sqlite import Sqlite
from yacht.rooms.store import Append, Unavailable
from yacht.rooms.table import Stale

pytestmark = pytest.mark.anyio

SEED = bytes(range(32))


@pytest.fixture
async def computers(host: Host) -> AsyncIterator[Computers]:
    """Computers that don't let anybody wait."""
    computers = Computers(host, pace=0, undo=0)
    yield computers
    await computers.close()


async def against(host: Host, *levels: str, names: Sequence[str] = ()) -> str:
    """A room with a seed that the tests know, and these levels."""
    names = names or [f"Player {seat}" for seat in range(len(levels))]
    return await opened_with(host, SEED, *names, computers=levels)


async def until(host: Host, room_id: str, fits: Callable[[Room], bool]) -> Room:
    """The room once it fits, without looking again before it has changed."""
    async with asyncio.timeout(20):
        while True:
            changed = host.bell.listen(room_id)
            room = await host.room(room_id)
            if fits(room):
                return room
            await changed.wait()


async def idle(computers: Computers) -> None:
    """No computer has anything left to do."""
    while computers._playing:
        await asyncio.wait(computers._playing.values())


def persons_turn(room: Room) -> bool:
    return not room.computer


async def test_a_whole_game(host: Host, computers: Computers):
    """Computers of all levels play among people, each step an event like anyone's, by the seed."""
    room_id = await against(host, "", "exact", "easy", "", "strong", "steady")
    while not (room := await until(host, room_id, persons_turn)).game.is_over:
        move = Score(room.game.open_boxes[0]) if room.game.dice else Keep()
        await host.act(room_id, ANA, room.seq, move)
    assert (await stored(host, room_id))[1] == room
    verify(room.record)
    assert list(room.record.events) == derived(room, SEED)
    game = Game.new(room.ruleset, 6)
    for entry in room.entries[1:]:
        if isinstance(entry.event, Rolled | Score):
            assert entry.by == (COMPUTER if room.level(game.seat) else ANA)
            game = game.play(entry.event)
    assert not computers._playing
    exact = [turn for turn in room.turns if turn.seat == 1]
    assert room.game.cards[1].total > 100
    assert max(len(turn.rolls) for turn in exact) == 3


async def test_a_computer_starts(host: Host, computers: Computers):
    """Where a computer has the first seat it makes the first roll, and no seat adds bytes."""
    room_id = await against(host, "steady", "")
    room = await until(host, room_id, persons_turn)
    assert (room.game.seat, room.seat_bytes) == (1, (b"", b""))
    assert list(room.record.events) == derived(room, SEED)


async def test_bytes_sent_ahead(host: Host):
    """Before a computer rolls first the owner can fix the seats' bytes, once; the dice follow."""
    room_id = await against(host, "steady", "")
    for attempt, reason in (
        (host.add_bytes(room_id, BEN, SALTS), Reason.NOT_YOURS),
        (host.add_bytes(room_id, ANA, SALTS[:1]), Reason.WRONG_SEATS),
        (host.add_bytes(room_id, ANA, (b"", bytes(33))), Reason.TOO_MANY_BYTES),
    ):
        assert (await refusal(attempt)).reason is reason
    ahead = await asyncio.gather(*(host.add_bytes(room_id, ANA, SALTS) for _ in range(5)))
    room = (await stored(host, room_id))[1]
    assert set(ahead) == {room}
    assert (room.seat_bytes, room.seq) == (SALTS, 2)
    assert (await refusal(host.add_bytes(room_id, ANA, (b"x", b"y")))).reason is Reason.SEALED
    while room.computer:
        room = await host.step(room_id, room.seq)
    assert room.seat_bytes == SALTS
    assert list(room.record.events) == derived(room, SEED)
    room = await act(host, room_id, Keep(), (b"x", b"y"))
    assert room.seat_bytes == SALTS


async def test_steps(host: Host):
    """A step is made at the number it was asked for, once, and only where a computer is on turn."""
    room_id = await against(host, "", "easy")
    for seq in (0, 1, 2):
        assert isinstance(await refusal(host.step(room_id, seq)), Stale)
    await act(host, room_id, Keep())
    room = await act(host, room_id, Score("choice"))
    steps = [host.step(room_id, room.seq) for _ in range(5)]
    outcomes = await asyncio.gather(*steps, return_exceptions=True)
    after = (await stored(host, room_id))[1]
    assert after.seq == room.seq + 1
    assert all(outcome == after or isinstance(outcome, Stale) for outcome in outcomes)
    assert isinstance(await refusal(host.step(room_id, room.seq)), Stale)
    assert (await refusal(host.step("nowhere", 1))).reason is Reason.NO_SUCH_ROOM


@pytest.mark.parametrize("move", [Keep(), Score("ones"), UndoScore()])
async def test_a_person_in_a_computers_turn(host: Host, move: Keep | Score | UndoScore):
    """A person can't make a computer's move, nor take back what it scored; nothing changes."""
    room_id = await against(host, "", "easy")
    await act(host, room_id, Keep())
    room = await act(host, room_id, Score("choice"))
    while room.computer:
        room = await host.step(room_id, room.seq)
        if room.computer or isinstance(move, UndoScore):
            refused = await refusal(host.act(room_id, ANA, room.seq, move))
            undo = isinstance(move, UndoScore)
            assert refused.reason is (Reason.NOTHING_TO_UNDO if undo else Reason.COMPUTERS_SEAT)
            if room.computer:
                hint = await refusal(host.hint(room_id, ANA))
                assert hint.reason is Reason.COMPUTERS_SEAT
            refused = await refusal(host.act(room_id, BEN, room.seq, move))
            assert refused.reason is Reason.NOT_YOURS
            assert await host.room(room_id) == room


async def test_undo_before_the_computer_rolls(host: Host):
    """While the computer waits a score can be taken back; then it waits for the next one."""
    computers = Computers(host, pace=0, undo=3600)
    room_id = await against(host, "", "easy")
    await act(host, room_id, Keep())
    scored = await act(host, room_id, Score("choice"))
    assert room_id in computers._playing
    undone = await act(host, room_id, UndoScore())
    assert (undone.computer, undone.game.dice) == (
        "",
        scored.game.before and scored.game.before.dice,
    )
    await idle(computers)
    scored = await act(host, room_id, Score("ones"))
    assert room_id in computers._playing
    assert await host.room(room_id) == scored
    await computers.close()


async def test_its_pace(host: Host, monkeypatch: pytest.MonkeyPatch):
    """A computer waits for Undo after a person's score, and for its pace before each other step."""
    waited: list[float | None] = []
    timeout = asyncio.timeout

    def noted(delay: float | None) -> asyncio.Timeout:
        waited.append(delay)
        return timeout(0)

    monkeypatch.setattr(module.asyncio, "timeout", noted)
    computers = Computers(host, pace=2)
    room_id = await against(host, "", "easy", "exact")
    await act(host, room_id, Keep())
    await act(host, room_id, Score("choice"))
    await idle(computers)
    room = await host.room(room_id)
    steps = sum(entry.by == COMPUTER for entry in room.entries)
    assert waited == [4, *[2] * (steps - 1)]
    slow = Computers(host, pace=9)
    waited.clear()
    await act(host, room_id, Keep())
    await act(host, room_id, Score("ones"))
    await idle(slow)
    assert waited[0] == 9


async def test_two_that_play_the_same_game(quick: Sqlite):
    """Two processes' computers at one game make each step once."""
    hosts = [Host(quick), Host(quick)]
    both = [Computers(host, pace=0, undo=0) for host in hosts]
    room_id = await against(hosts[0], "", "easy", "strong")
    for number in range(12):
        room = (await hosts[number % 2].tables.load(room_id)).room
        room = await hosts[number % 2].act(room_id, ANA, room.seq, Keep())
        await hosts[number % 2].act(room_id, ANA, room.seq, Score(room.game.open_boxes[0]))
        await hosts[1 - number % 2].tables.load(room_id)
        for computers in both:
            await idle(computers)
    room = (await stored(hosts[0], room_id))[1]
    assert room.game.is_over
    assert list(room.record.events) == derived(room, SEED)
    for computers in both:
        await computers.close()


async def test_a_turn_that_was_cut_short(quick: Sqlite):
    """Wherever a computer's turn stops, it goes on the same way once another host looks."""
    host = Host(quick)
    room_id = await against(host, "", "strong")
    await act(host, room_id, Keep())
    room = await act(host, room_id, Score("choice"))
    for _ in range(4):
        if not room.computer:
            break
        room = await host.step(room_id, room.seq)
        host = Host(quick)
    later = Host(quick)
    computers = Computers(later, pace=0, undo=0)
    room = await until(later, room_id, persons_turn)
    assert list(room.record.events) == derived(room, SEED)
    await computers.close()


async def test_rematch(host: Host, computers: Computers):
    """Playing again, each computer keeps its level and its name; who starts rotates."""
    room_id = await against(host, "", "easy", "exact", names=["Ana", "Bob", "Cleo"])
    while not (room := await until(host, room_id, persons_turn)).game.is_over:
        move = Score(room.game.open_boxes[0]) if room.game.dice else Keep()
        await host.act(room_id, ANA, room.seq, move)
    games = {game.room: game.result for game in await host.games_of(ANA)}
    result = games[room_id]
    assert result is not None
    assert result.computers == ("", "easy", "exact")
    again = await host.room(await host.again(room_id, ANA))
    assert (again.names, again.computers) == (("Bob", "Cleo", "Ana"), ("easy", "exact", ""))


async def test_a_room_that_goes(host: Host):
    """Who deletes a game while a computer plays ends its playing."""
    computers = Computers(host, pace=3600)
    room_id = await against(host, "easy", "")
    await host.room(room_id)
    assert room_id in computers._playing
    await host.delete(room_id, ANA)
    await idle(computers)
    assert (await refusal(host.room(room_id))).reason is Reason.NO_SUCH_ROOM


async def test_a_store_that_fails_for_a_while(host: Host, monkeypatch: pytest.MonkeyPatch):
    """A step that can't be written is made later."""
    monkeypatch.setattr(module, "_RETRY_SECONDS", 0)
    append, failures = host.store.append, [Unavailable("full")] * 3

    async def failing(log: Append) -> None:
        if failures:
            raise failures.pop()
        await append(log)

    monkeypatch.setattr(host.store, "append", failing)
    computers = Computers(host, pace=0, undo=0)
    room_id = await against(host, "easy", "")
    room = await until(host, room_id, persons_turn)
    assert not failures
    assert list(room.record.events) == derived(room, SEED)
    await computers.close()


async def test_the_end_of_the_process(host: Host):
    """Closed, or with its bell closed, the computers make no further step."""
    for end in ("close", "bell"):
        computers = Computers(host, pace=3600)
        room_id = await against(host, "easy", "")
        room = await host.room(room_id)
        if end == "bell":
            host.bell.close()
            await idle(computers)
        await computers.close()
        assert await host.room(room_id) == room
        assert host.computer_on_turn is None


async def test_no_more_than_is_needed(host: Host, computers: Computers):
    """Games of people and finished games wake no computer."""
    room_id = await opened_with(host, SEED, "Ana", "Ben")
    woken: list[Any] = []
    sit_down = host.computer_on_turn
    host.computer_on_turn = woken.append
    await act(host, room_id, Keep())
    await act(host, room_id, Score("ones"))
    assert not woken
    assert sit_down
    assert not computers._playing


async def test_refused_moves_are_no_steps(host: Host):
    """Nobody can make a move in the computers' name at a person's turn."""
    room_id = await against(host, "", "easy")
    with pytest.raises(IllegalMove):
        await host.act(room_id, COMPUTER, 1, Keep())
    entries = (await host.room(room_id)).entries
    assert all(one != other for one, other in pairwise(entries))
    assert len(entries) == 1
