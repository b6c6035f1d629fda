"""The contract of a store, the same for every kind; and the form in which entries are written."""

import asyncio
import secrets
from collections.abc import Callable, Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.engine.strategies import TO_THE_END, walk
from tests.rooms.strategies import entries, events, log_of
from yacht.engine.game import Game, Rolled, Score, UndoScore
from yacht.engine.rules import SUM
from yacht.rooms.entries import Again, Entry, LogEvent, Opened, Started, Taken, Unsealed
from yacht.rooms.store import (
    Append,
    Conflict,
    Listed,
    Result,
    Secrets,
    Shown,
    Standing,
    Store,
    decode_event,
    encode_event,
)

pytestmark = pytest.mark.anyio

each_in_a_room_of_its_own = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
"""All examples share one store; that they don't meet there is part of what is tested."""

ANA, BEN = "a" * 32, "b" * 32
FIRST = Entry(ANA, Opened("classic", ("Ana",), "f" * 64, ANA))
LINES = [
    Entry(ANA, Rolled(frozenset(), (2, 6, 1, 5, 5))),
    Entry(ANA, Rolled(frozenset({3, 4}), (1, 1, 2, 5, 5))),
    Entry(ANA, Score("fives")),
    Entry(ANA, UndoScore()),
]
RESULT = Result("classic", ("Ana", "Ben"), (200, 180))


def new_id() -> str:
    return secrets.token_urlsafe(12)


def new_secrets() -> Secrets:
    return Secrets(secrets.token_bytes(32), secrets.token_bytes(32))


async def opened(store: Store, owner: str = ANA, lines: Sequence[Entry] = (FIRST,)) -> str:
    """The id of a new room with these lines."""
    room = new_id()
    await store.create(new_secrets(), Append(room, 0, lines, members=[owner]))
    return room


async def log_in(store: Store, room: str) -> Sequence[Entry]:
    loaded = await store.load(room)
    assert loaded is not None
    return loaded[1]


async def ids_of(store: Store, owner: str) -> list[str]:
    return [listed.room for listed in await store.games_of(owner)]


@each_in_a_room_of_its_own
@given(lines=st.lists(entries, min_size=1, max_size=12), sizes=st.lists(st.integers(1, 4)))
async def test_a_log_comes_back(store: Store, lines: list[Entry], sizes: list[int]):
    """Entries of every kind come back as they were, in order, however many an append brought."""
    room, hidden = new_id(), new_secrets()
    await store.create(hidden, Append(room, 0, lines[:1], members=[ANA]))
    written = 1
    for size in [*sizes, len(lines)]:
        more = lines[written : written + size]
        if more:
            await store.append(Append(room, written, more))
        written += len(more)
    assert await store.load(room) == (hidden, lines)


async def test_whole_games_come_back(store: Store):
    """The log of a whole game comes back as it was."""
    log = log_of(walk(Game.new(SUM, 8), 3, TO_THE_END), 3, 2)
    assert list(await log_in(store, await opened(store, lines=log))) == list(log)


async def test_a_long_log_comes_back(store: Store):
    """A log of more entries than one statement takes is written and read as a whole."""
    log = [FIRST, *[LINES[0]] * 13_200]
    assert await log_in(store, await opened(store, lines=log)) == log


async def test_no_such_room(store: Store):
    """A room that was never opened is None, and has no log to write in."""
    assert await store.load("nowhere") is None
    with pytest.raises(Conflict):
        await store.append(Append("nowhere", 0, [FIRST]))
    with pytest.raises(Conflict):
        await store.append(Append("nowhere", 1, LINES))
    assert await store.load("nowhere") is None


@pytest.mark.parametrize("lines", [LINES[1:2], LINES[:1], LINES[1:]], ids=["other", "same", "more"])
async def test_a_taken_number(store: Store, lines: list[Entry]):
    """An append at a number that is taken is a Conflict, and nothing of it is written."""
    room = await opened(store)
    await store.append(Append(room, 1, LINES[:1]))
    with pytest.raises(Conflict):
        await store.append(Append(room, 1, lines, members=[BEN], result=RESULT))
    assert await log_in(store, room) == [FIRST, LINES[0]]
    assert await ids_of(store, BEN) == []
    assert [listed.result for listed in await store.games_of(ANA)] == [None]


async def test_a_taken_id(store: Store):
    """A second room of the same id is a Conflict, and the first stays what it was."""
    room, hidden = new_id(), new_secrets()
    await store.create(hidden, Append(room, 0, [FIRST], members=[ANA]))
    with pytest.raises(Conflict):
        await store.create(new_secrets(), Append(room, 0, [FIRST, *LINES], members=[BEN]))
    assert await store.load(room) == (hidden, [FIRST])
    assert (await ids_of(store, ANA), await ids_of(store, BEN)) == ([room], [])


async def test_another_room_with_an_entry_elsewhere(store: Store):
    """A room can be opened together with an entry in another room's log."""
    old, new, hidden = await opened(store), new_id(), new_secrets()
    again = Entry(BEN, Again(new))
    await store.create(hidden, Append(new, 0, [FIRST], members=[BEN]), Append(old, 1, [again]))
    assert await log_in(store, old) == [FIRST, again]
    assert await store.load(new) == (hidden, [FIRST])
    assert (await ids_of(store, ANA), await ids_of(store, BEN)) == ([old], [new])


async def test_no_room_without_its_entry_elsewhere(store: Store):
    """A room isn't opened if the entry that goes with it can't be written, and neither is that."""
    taken, gone, new = await opened(store, lines=[FIRST, *LINES]), await opened(store), new_id()
    await store.delete(gone, ANA)
    for after in (
        Append(taken, 1, [Entry(BEN, Again(new))], members=[BEN]),
        Append(gone, 1, [Entry(BEN, Again(new))], members=[BEN]),
        Append("nowhere", 0, [Entry(BEN, Again(new))], members=[BEN]),
    ):
        with pytest.raises(Conflict):
            await store.create(new_secrets(), Append(new, 0, [FIRST], members=[BEN]), after)
        assert await store.load(new) is None
        assert await store.load(gone) is None
        assert await log_in(store, taken) == [FIRST, *LINES]
        assert (await ids_of(store, ANA), await ids_of(store, BEN)) == ([taken], [])
    await store.create(new_secrets(), Append(new, 0, [FIRST], members=[BEN]))


async def test_the_list_of_games(store: Store):
    """An owner's games are listed with the time of their last entry, the last played first."""
    first, second, third = [await opened(store, lines=[replace(FIRST, at=n)]) for n in (3, 1, 2)]
    other = await opened(store, BEN)
    assert await ids_of(store, ANA) == [first, third, second]
    await store.append(Append(second, 1, [replace(LINES[0], at=4.5)]))
    await store.append(Append(other, 1, LINES[:1]))
    listed = await store.games_of(ANA)
    assert [game.room for game in listed] == [second, first, third]
    assert [game.at for game in listed] == [4.5, 3, 2]
    assert await ids_of(store, BEN) == [other]
    assert await ids_of(store, "c" * 32) == []


async def test_results_in_the_list(store: Store):
    """A game's result is in the list from the append that brings it, and stays there."""
    room = await opened(store)
    assert [game.result for game in await store.games_of(ANA)] == [None]
    await store.append(Append(room, 1, LINES[:1], result=RESULT))
    await store.append(Append(room, 2, LINES[1:2]))
    [game] = await store.games_of(ANA)
    assert game == Listed(room, game.at, RESULT, of_friends=False)


async def test_the_list_tells_friends_games(store: Store):
    """A room of friends is marked as such, waiting, playing and finished; others aren't."""
    friends, alone = new_id(), await opened(store)
    waiting = Append(friends, 0, [FIRST], members=[ANA], standing=Standing(begun=False))
    await store.create(new_secrets(), waiting)
    for log in (
        Append(friends, 1, LINES[:1], standing=Standing(begun=True)),
        Append(friends, 2, LINES[1:2], result=RESULT),
        Append(alone, 1, LINES[:1], result=RESULT),
    ):
        listed = {game.room: game.of_friends for game in await store.games_of(ANA)}
        assert listed == {friends: True, alone: False}
        await store.append(log)


async def test_a_game_that_changes_hands(store: Store):
    """A game is in the list of its last owner alone, with its result."""
    room = await opened(store)
    await store.append(Append(room, 1, LINES[:1], result=RESULT))
    await store.append(Append(room, 2, [Entry(BEN, Taken(BEN))], members=[BEN]))
    assert await ids_of(store, ANA) == []
    assert [(game.room, game.result) for game in await store.games_of(BEN)] == [(room, RESULT)]


async def test_deleted(store: Store):
    """A deleted room is gone with its log and from the list, and others stay as they were."""
    room, other = await opened(store, lines=[FIRST, *LINES]), await opened(store, lines=[FIRST])
    await store.delete(room, ANA)
    assert await store.load(room) is None
    assert await ids_of(store, ANA) == [other]
    assert await log_in(store, other) == [FIRST]
    for missing in (room, "nowhere"):
        with pytest.raises(Conflict):
            await store.delete(missing, ANA)


async def test_only_its_owner_deletes_a_room(store: Store):
    """Deleting a room that has just gone to somebody else is a Conflict, and it stays."""
    room = await opened(store, lines=[FIRST])
    await store.append(Append(room, 1, [Entry(BEN, Taken(BEN))], members=[BEN]))
    with pytest.raises(Conflict):
        await store.delete(room, ANA)
    assert await ids_of(store, BEN) == [room]


async def test_nothing_is_written_in_a_deleted_room(store: Store):
    """An append to a deleted room is a Conflict at any number, and doesn't bring it back."""
    room = await opened(store, lines=[FIRST, *LINES])
    await store.delete(room, ANA)
    for seq in (0, 1, 1 + len(LINES)):
        with pytest.raises(Conflict):
            await store.append(Append(room, seq, LINES, members=[BEN], result=RESULT))
    assert await store.load(room) is None
    assert await ids_of(store, BEN) == []


async def test_one_number_many_writers(store: Store):
    """Of appends of one number in parallel exactly one is written, the others are Conflicts."""
    room = await opened(store)
    lines = [Entry(f"{writer:032}", Score("choice")) for writer in range(30)]
    outcomes = await asyncio.gather(
        *(store.append(Append(room, 1, [line])) for line in lines), return_exceptions=True
    )
    assert outcomes.count(None) == 1
    assert sum(isinstance(outcome, Conflict) for outcome in outcomes) == 29
    assert await log_in(store, room) == [FIRST, lines[outcomes.index(None)]]


async def test_many_rooms_in_parallel(store: Store):
    """Appends to many rooms in parallel are all written, each in its room and order."""

    async def play(owner: str) -> str:
        room = await opened(store, owner)
        for seq in range(1, 8):
            await store.append(Append(room, seq, [Entry(owner, Score(f"box_{'x' * seq}"))]))
        return room

    owners = [f"{number:032}" for number in range(40)]
    rooms = await asyncio.gather(*map(play, owners))
    expected = [Score(f"box_{'x' * seq}") for seq in range(1, 8)]
    for owner, room in zip(owners, rooms, strict=True):
        assert await log_in(store, room) == [FIRST, *(Entry(owner, score) for score in expected)]
        assert await ids_of(store, owner) == [room]


async def test_rooms_are_counted_by_state(store: Store):
    """One on a device plays from the first on, one of friends waits and begins, both end."""

    async def more_by(before: dict[str, int]) -> dict[str, int]:
        return {state: n - before[state] for state, n in (await store.states()).items()}

    before = await store.states()
    room, friends = await opened(store), new_id()
    waiting = Append(friends, 0, [FIRST], members=[ANA], standing=Standing(begun=False))
    await store.create(new_secrets(), waiting)
    assert await more_by(before) == {"waiting": 1, "playing": 1, "finished": 0}
    await store.append(Append(friends, 1, LINES[:1], standing=Standing(begun=True, due=9.0)))
    assert await more_by(before) == {"waiting": 0, "playing": 2, "finished": 0}
    await store.append(Append(friends, 2, LINES[1:], result=RESULT))
    assert await more_by(before) == {"waiting": 0, "playing": 1, "finished": 1}
    await store.delete(room, ANA)
    assert await more_by(before) == {"waiting": 0, "playing": 0, "finished": 1}


FIVES = Shown(ANA, 1, 5.25, '{"ruleset":"sum","players":[]}')


async def test_a_sheet_that_is_shown(store: Store):
    """The newest state of a sheet comes back as it was written, until it is shown no longer."""
    sheet, other = new_id(), new_id()
    assert await store.shown(sheet) is None
    await store.show(sheet, FIVES)
    await store.show(other, FIVES)
    newer = Shown(ANA, 2**53 - 1, 7.5, '{"É🎲": "\\u0000"}')
    await store.renew(sheet, newer)
    assert await store.shown(sheet) == newer
    await store.hide(sheet, ANA)
    assert await store.shown(sheet) is None
    assert await store.shown(other) == FIVES


@pytest.mark.parametrize(
    "late", [Shown(ANA, 1, 9, "late"), Shown(ANA, 0, 9, "late"), Shown(BEN, 2, 9, "not theirs")]
)
async def test_a_state_that_isnt_taken(store: Store, late: Shown):
    """An older state, the same one again and another keeper's change nothing."""
    sheet = new_id()
    await store.show(sheet, FIVES)
    await store.renew(sheet, late)
    assert await store.shown(sheet) == FIVES


async def test_whose_sheet_it_is(store: Store):
    """Only its keeper ends a sheet, its id is nobody else's, and what isn't shown stays so."""
    sheet = new_id()
    await store.renew(sheet, FIVES)
    await store.hide(sheet, ANA)
    assert await store.shown(sheet) is None
    await store.show(sheet, FIVES)
    with pytest.raises(Conflict):
        await store.show(sheet, Shown(BEN, 9, 9, "taken"))
    await store.hide(sheet, BEN)
    assert await store.shown(sheet) == FIVES


async def test_states_in_parallel(store: Store):
    """Of states that come all at once, in any order, the newest stays."""
    sheet = new_id()
    await store.show(sheet, FIVES)
    states = [Shown(ANA, number, number, str(number)) for number in range(2, 40)]
    await asyncio.gather(*(store.renew(sheet, shown) for shown in states[::2] + states[1::2][::-1]))
    assert await store.shown(sheet) == states[-1]


async def test_a_sheet_is_no_room(store: Store):
    """A sheet is in no list of rooms and isn't counted as one."""
    before, sheet = await store.states(), new_id()
    await store.show(sheet, FIVES)
    assert await store.load(sheet) is None
    assert await store.states() == before
    assert sheet not in await store.due(1e9)


async def test_sheets_that_are_swept(store: Store):
    """A sheet goes once its last change is older than what is kept, and its id is told."""
    old, new = new_id(), new_id()
    for sheet in old, new:
        await store.show(sheet, Shown(ANA, 1, 100, FIVES.body))
    await store.renew(new, Shown(ANA, 2, 200, "new"))
    assert await store.sweep(1000, 100) == []
    assert await store.sweep(0, 101) == [old]
    assert await store.shown(old) is None
    assert await store.shown(new) == Shown(ANA, 2, 200, "new")
    assert await store.sweep(0, 201) == [new]


async def test_what_was_written_stays(reopen: Callable[[], Store]):
    """A store that is opened again has what was written before, secrets and list too."""
    store, room, hidden = reopen(), new_id(), new_secrets()
    await store.create(hidden, Append(room, 0, [FIRST], members=[ANA]))
    await store.append(Append(room, 1, LINES, result=RESULT))
    await store.show(room, FIVES)
    listed = await store.games_of(ANA)
    await store.close()
    store = reopen()
    assert await store.shown(room) == FIVES
    assert await store.load(room) == (hidden, [FIRST, *LINES])
    assert await store.games_of(ANA) == listed
    await store.append(Append(room, 1 + len(LINES), LINES[:1]))
    await store.close()


async def test_what_waits_is_finished(reopen: Callable[[], Store]):
    """A store that is closed first writes what is waiting."""
    store = reopen()
    rooms = [await opened(store) for _ in range(20)]
    waiting = [asyncio.create_task(store.append(Append(room, 1, LINES))) for room in rooms]
    await asyncio.sleep(0)  # each has handed its work over
    await store.close()
    await asyncio.gather(*waiting)
    store = reopen()
    for room in rooms:
        assert await log_in(store, room) == [FIRST, *LINES]
    await store.close()


async def test_ping(store: Store):
    """A store that can be read answers."""
    await store.ping()


WRITTEN: list[tuple[LogEvent, str]] = [
    (Rolled(frozenset(), (2, 6, 1, 5, 5)), "26155"),
    (Rolled(frozenset({0, 2}), (2, 6, 5, 3, 1)), "(2)6(5)31"),
    (Score("full_house"), "full_house"),
    (UndoScore(), "undo"),
    (
        Opened("sum", ('"É🎲"', "Ben"), "6f", "9f"),
        r'{"type":"opened","ruleset":"sum","names":["\"É🎲\"","Ben"],"fingerprint":"6f","owner":"9f"}',
    ),
    (Started((b"Ana", b"", b"\xff\x00")), '{"type":"started","seat_bytes":["QW5h","","/wA="]}'),
    (Taken("60303ae2"), '{"type":"taken","owner":"60303ae2"}'),
    (Unsealed(bytes(6)), '{"type":"unsealed","seed":"AAAAAAAA"}'),
    (Again("Zs-9_a"), '{"type":"again","room":"Zs-9_a"}'),
]


@pytest.mark.parametrize(("event", "text"), WRITTEN)
def test_the_written_form(event: LogEvent, text: str):
    """Each kind of event is written as it always was, so that old logs can be read."""
    assert encode_event(event) == text
    assert decode_event(text) == event


@given(events)
def test_every_event_can_be_read(event: LogEvent):
    """What is written of an event is one line that gives the event back."""
    text = encode_event(event)
    assert decode_event(text) == event
    assert "\n" not in text


def test_secrets_stay_secret():
    """The secrets of a room don't show when it is printed."""
    hidden = Secrets(b"seed seed", b"link link")
    assert "seed seed" not in f"{hidden} {hidden!r}"
    assert "link link" not in f"{hidden} {hidden!r}"
