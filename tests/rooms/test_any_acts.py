"""Whatever anybody does in a room of friends, in any order, it stays what its log says."""

from collections.abc import Callable, Sequence

import msgspec
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tests.rooms.friends import ANA, BEN, DAN, EVA, NAMES, WATCHER, invited, written
from tests.rooms.strategies import SEED
from yacht.engine import dice
from yacht.engine.game import Keep, Move, Score, UndoScore
from yacht.engine.notation import verify
from yacht.engine.reasons import IllegalMove
from yacht.rooms import away, lobby
from yacht.rooms.entries import COMPUTER, NOBODY, Entry, Started, move_of
from yacht.rooms.room import Room
from yacht.view import view

PEOPLE = (ANA, BEN, EVA, DAN)
ANYBODY = st.sampled_from((*PEOPLE, WATCHER, ""))
MOVES = st.one_of(
    st.just(Keep()),
    st.builds(Keep, st.frozensets(st.integers(0, 4), max_size=5)),
    st.builds(Score, st.sampled_from(("ones", "twos", "choice", "yacht", "full_house", "none"))),
    st.just(UndoScore()),
)


class Friends(RuleBasedStateMachine):
    """Anybody does anything at any moment; time goes on."""

    @initialize(
        clock=st.sampled_from((0, 0, 30, 86_400)), hints=st.booleans(), places=st.integers(2, 4)
    )
    def open(self, clock: int, hints: bool, places: int) -> None:  # noqa: FBT001 (hypothesis' own)
        """Ana opens a room, as a host does it."""
        self.table = invited(places, clock, hints=hints)
        self.at = 1000.0
        self.keys = dict[tuple[str, int], str]()
        self.do(lambda: lobby.join(self.table.room, ANA, "Ana", b"Ana"))

    def do(self, act: Callable[[], Sequence[Entry]]) -> bool:
        """Write what an act decides; whether it wrote anything."""
        before = self.table
        try:
            entries = act()
            after = written(before, entries, self.at)
        except IllegalMove:
            return False
        if after.room.game.is_over and after.room.seed is None:
            after = written(after, [after.unsealed(after.room.entries[-1].by)], self.at)
        assert after.room.entries[: before.room.seq] == before.room.entries
        assert after.room.seq - before.room.seq in (len(entries), len(entries) + 1)
        self.table = after
        return bool(entries)

    @rule(seconds=st.sampled_from((0, 1, 20, 30, 90_000)))
    def wait(self, seconds: int) -> None:
        self.at += seconds

    @rule(viewer=st.sampled_from(PEOPLE))
    def join(self, viewer: str) -> None:
        self.do(lambda: lobby.join(self.table.room, viewer, NAMES[viewer], viewer[:3].encode()))

    @rule(viewer=ANYBODY)
    def seat_computer(self, viewer: str) -> None:
        room = self.table.room
        wrote = self.do(lambda: lobby.seat_computer(self.table.room, viewer, "Computer", "easy"))
        assert not wrote or room.belongs_to(viewer)

    @rule(viewer=ANYBODY, seat=st.integers(-1, 4))
    def leave(self, viewer: str, seat: int) -> None:
        before = self.table.room
        if self.do(lambda: lobby.leave(self.table.room, viewer, seat)):
            assert before.owners[seat] in (viewer, "")

    @rule(viewer=ANYBODY)
    def begin(self, viewer: str) -> None:
        before = self.table.room
        if self.do(lambda: lobby.begin(self.table.room, viewer)):
            assert before.belongs_to(viewer)
            assert len(before.names) >= 2

    @rule(viewer=st.one_of(ANYBODY, st.just(COMPUTER)), move=MOVES, old=st.integers(-1, 3))
    def move(self, viewer: str, move: Move, old: int) -> None:
        before = self.table.room
        seq = before.seq - old
        if self.do(lambda: self.table.act(viewer, seq, move, ())):
            assert before.moved_since(seq) is None
            game = before.game
            seat = (game.before or game).seat if isinstance(move, UndoScore) else game.seat
            if viewer == COMPUTER:
                assert before.computer
            else:
                assert before.owners[seat] == viewer

    @precondition(lambda self: self.table.room.begun and not self.table.room.game.is_over)
    @rule(steps=st.integers(1, 12))
    def play_on(self, steps: int) -> None:
        """Whoever is on turn rolls, and writes the first open box."""
        for _ in range(steps):
            room = self.table.room
            if room.game.is_over:
                return
            move = Score(room.game.open_boxes[0]) if room.game.dice else Keep()
            viewer = COMPUTER if room.computer else room.owners[room.game.seat]
            assert self.do(
                lambda by=viewer, to=move: self.table.act(by, self.table.room.seq, to, ())
            )

    @rule(viewer=ANYBODY, added=st.binary(max_size=40))
    def add_bytes(self, viewer: str, added: bytes) -> None:
        self.do(lambda: self.table.add_bytes(viewer, [added]))

    @rule(viewer=ANYBODY, everyone=st.booleans())
    def hint(self, viewer: str, everyone: bool) -> None:  # noqa: FBT001 (hypothesis' own)
        before = self.table.room
        if self.do(lambda: self.table.hint(viewer, everyone=everyone)):
            assert before.options is not None
            assert before.options.hints
            assert before.owners[before.game.seat] == viewer
            assert self.table.room.assisted - before.assisted == {before.game.seat}

    @rule(viewer=ANYBODY, skip=st.booleans())
    def help_out(self, viewer: str, skip: bool) -> None:  # noqa: FBT001 (hypothesis' own)
        before = self.table.room
        act = away.skip if skip else away.stand_in
        if self.do(lambda: act(self.table, viewer, self.table.room.seq)):
            assert before.belongs_to(viewer)
            assert before.owners[before.game.seat] != viewer
            assert before.game.seat in self.table.room.helped

    @rule(viewer=ANYBODY)
    def come_back(self, viewer: str) -> None:
        self.do(lambda: away.come_back(self.table, viewer))
        assert not self.table.room.stand_ins & self.table.room.seats_of(viewer) or (
            self.table.room.game.is_over
        )

    @rule()
    def expire(self) -> None:
        due = self.table.room.due
        wrote = self.do(lambda: away.expire(self.table, self.at))
        assert wrote == (due is not None and due <= self.at)

    @rule(viewer=st.sampled_from(PEOPLE))
    def note_key(self, viewer: str) -> None:
        room = self.table.room
        if room.belongs_to(viewer):
            seated = room.seated[min(room.seats_of(viewer))]
            self.keys[viewer, seated] = self.table.link_key(viewer)

    @precondition(lambda self: self.keys)
    @rule(viewer=st.sampled_from((*PEOPLE, WATCHER)), data=st.data())
    def take(self, viewer: str, data: st.DataObject) -> None:
        """A link, also one from long ago, moves the seat that its giver has, if anything."""
        (giver, seated), key = data.draw(st.sampled_from(sorted(self.keys.items())))
        before = self.table.room
        if self.do(lambda: self.table.take(viewer, key)):
            [seat] = [n for n, now in enumerate(before.owners) if now != self.table.room.owners[n]]
            assert (before.owners[seat], before.seated[seat]) == (giver, seated)

    @invariant()
    def it_is_what_its_log_says(self) -> None:
        room = self.table.room
        assert Room.fold(room.entries) == room

    @invariant()
    def everything_has_an_item_a_seat(self) -> None:
        room = self.table.room
        seats = len(room.names)
        assert len(room.game.cards) == seats
        assert {len(of) for of in (room.owners, room.seated, room.computers, room.salts)} == {seats}
        assert room.options is not None
        assert 1 <= seats <= room.options.places
        assert all(bool(room.owners[seat]) != bool(room.level(seat)) for seat in range(seats))
        assert room.people

    @invariant()
    def nothing_is_due_without_somebody_to_wait_for(self) -> None:
        room = self.table.room
        assert room.options is not None
        waits = room.begun and not room.game.is_over and not room.computer
        assert (room.due is not None) == bool(room.options.clock and waits)

    @invariant()
    def a_person_wrote_what_can_be_taken_back(self) -> None:
        room = self.table.room
        if room.may_undo:
            last = [entry for entry in room.entries if move_of(entry.event)][-1]
            assert isinstance(last.event, Score)
            assert last.by not in NOBODY

    @invariant()
    def the_seal_holds_what_seats_added(self) -> None:
        room = self.table.room
        started = [entry.event for entry in room.entries if isinstance(entry.event, Started)]
        assert len(started) == (room.seat_bytes is not None)
        if room.seat_bytes is not None:
            assert room.seat_bytes == room.salts
        if room.game.is_over:
            verify(room.record)

    @invariant()
    def a_view_tells_no_secret(self) -> None:
        room, secrets = self.table.room, self.table.secrets
        hidden = [secrets.link.hex(), *PEOPLE, *(self.table.link_key(who) for who in room.viewers)]
        if not room.game.is_over:
            hidden += [SEED.hex(), dice.dice_key(SEED, room.salts).hex()]
        for viewer in (ANA, WATCHER):
            told = msgspec.json.encode(view("room", room, viewer)).decode()
            assert not [one for one in hidden if one in told]


TestFriends = Friends.TestCase
TestFriends.settings = settings(stateful_step_count=40)
