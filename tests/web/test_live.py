"""Streams of server-sent events: what a reader gets and when, and how a stream ends."""

import asyncio
import gc
import json
import signal
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import httpx
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rooms.friends import ANA, Clock
from tests.serving import Served
from tests.web.plain import Site, Visitor, dice, parse, plain_client
from yacht.engine.game import Keep, Score, UndoScore
from yacht.rooms.bell import Bell
from yacht.rooms.host import Host
from yacht.rooms.options import Options
from yacht.rooms.room import Room
from yacht.rooms.sqlite import Sqlite
from yacht.rooms.store import Unavailable
from yacht.view import GameView, view
from yacht.web import live

ME = "me"


async def at(room: Room) -> str:
    """A state in short."""
    return f"at {room.seq}"


@dataclass
class Table:
    """A game of a host with a bell of its own, and the streams of it."""

    host: Host
    room_id: str

    def frames(self, seen: int = 0) -> AsyncIterator[bytes]:
        return live.events(self.host, self.room_id, seen, at)

    def lines(self, seen: int = 0) -> AsyncIterator[bytes]:
        return live.lines(self.host, self.room_id, seen, self.view)

    def view(self, room: Room) -> GameView:
        return view(self.room_id, room, ME)

    async def roll(self) -> None:
        room = await self.host.room(self.room_id)
        await self.host.act(self.room_id, ME, room.seq, Keep())

    async def score(self) -> None:
        room = await self.host.room(self.room_id)
        await self.host.act(self.room_id, ME, room.seq, Score(room.game.open_boxes[0]))


@pytest.fixture
def table(site: Site) -> Table:
    host = Host(site.host.store, Bell())
    return Table(host, site.run(host.open(ME, "classic", ["Ana"])))


@pytest.fixture
def quick_ping(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "PING_SECONDS", 0.01)


def state(seq: int) -> bytes:
    return f"id: {seq}\nevent: game\ndata: at {seq}\n\n".encode()


# ---- the generator ----------------------------------------------------------------------------


def test_a_new_reader_gets_the_state_at_once(site: Site, table: Table) -> None:
    """A ping opens the stream, and the state follows with its seq as id."""

    async def read() -> list[bytes]:
        await table.roll()
        frames = table.frames()
        return [await anext(frames), await anext(frames)]

    assert site.run(read()) == [live.PING, state(3)]


def test_a_reader_that_is_up_to_date_gets_what_comes(
    site: Site, table: Table, quick_ping: None
) -> None:
    """Since its last event's id nothing is repeated; the next change comes with its number."""

    async def read() -> list[bytes]:
        frames = table.frames(seen=1)
        got = [await anext(frames), await anext(frames)]
        await table.roll()
        return [*got, await anext(frames)]

    assert site.run(read()) == [live.PING, live.PING, state(3)]


def test_a_slow_reader_gets_the_newest_state_alone(
    site: Site, table: Table, quick_ping: None
) -> None:
    """After many changes while it was busy, one frame brings the last; none is kept for later."""

    async def read() -> list[bytes]:
        frames = table.frames()
        await anext(frames)
        await anext(frames)
        for _ in range(5):
            await table.roll()
            await table.score()
        return [await anext(frames), await anext(frames)]

    assert site.run(read()) == [state(12), live.PING]


def test_a_waiting_reader_is_woken(site: Site, table: Table) -> None:
    """A reader that waits gets the change as soon as it is made, and every reader gets it."""

    async def read() -> list[bytes]:
        streams = [table.frames(seen=1) for _ in range(3)]
        for frames in streams:
            await anext(frames)
        waiting = [asyncio.ensure_future(anext(frames)) for frames in streams]
        await asyncio.sleep(0)
        await table.roll()
        return await asyncio.wait_for(asyncio.gather(*waiting), 5)

    assert site.run(read()) == [state(3)] * 3


def test_a_change_between_reading_and_waiting_is_not_missed(
    site: Site, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A move made just after the room was read wakes the reader, though it doesn't wait yet."""
    read_room = table.host.enter

    async def read_then_move(room_id: str, viewer: str) -> Room:
        monkeypatch.setattr(table.host, "enter", read_room)
        room = await read_room(room_id, viewer)
        await table.roll()
        return room

    async def read() -> bytes:
        frames = table.frames(seen=1)
        await anext(frames)
        monkeypatch.setattr(table.host, "enter", read_then_move)
        return await asyncio.wait_for(anext(frames), 5)

    assert site.run(read()) == state(3)


def test_silence_is_broken_by_pings(site: Site, table: Table, quick_ping: None) -> None:
    """While nothing happens a ping shows again and again that the line is alive."""

    async def read() -> list[bytes]:
        frames = table.frames(seen=1)
        return [await anext(frames) for _ in range(4)]

    assert site.run(read()) == [live.PING] * 4


def test_closing_the_bell_ends_streams(site: Site, table: Table) -> None:
    """Streams that wait end when the process is about to end, and later ones at once."""

    async def read() -> list[list[bytes]]:
        waiting = table.frames(seen=1)
        await anext(waiting)
        rest = asyncio.ensure_future(_all(waiting))
        await asyncio.sleep(0)
        table.host.bell.close()
        return [await asyncio.wait_for(rest, 5), await _all(table.frames())]

    assert site.run(read()) == [[], [live.PING]]


def test_a_deleted_game_is_told_gone(site: Site, table: Table) -> None:
    """A reader hears that the game is gone, and the stream ends."""

    async def read() -> list[bytes]:
        frames = table.frames(seen=1)
        await anext(frames)
        rest = asyncio.ensure_future(_all(frames))
        await asyncio.sleep(0)
        await table.host.delete(table.room_id, ME)
        return await asyncio.wait_for(rest, 5)

    assert site.run(read()) == [live.GONE]


def test_a_store_that_fails_ends_streams(
    site: Site, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the room can't be read the stream ends without a word, and its page comes back later."""

    async def fail(_room: str, _viewer: str) -> Room:
        raise Unavailable

    async def read() -> list[bytes]:
        monkeypatch.setattr(table.host, "enter", fail)
        return await _all(table.frames())

    assert site.run(read()) == [live.PING]


def test_a_reader_that_goes_leaves_nothing(site: Site, table: Table) -> None:
    """The bell forgets whoever stopped listening."""

    async def read() -> int:
        frames = live.events(table.host, table.room_id, 1, at)
        waiting = asyncio.ensure_future(_all(frames))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert len(table.host.bell._listening) == 1
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        del waiting, frames
        await asyncio.sleep(0)
        gc.collect()
        return len(table.host.bell._listening)

    assert site.run(read()) == 0


@pytest.mark.parametrize("after_a_minute", [False, True])
def test_a_player_is_asked_to_come_back(
    site: Site, quick_ping: None, monkeypatch: pytest.MonkeyPatch, *, after_a_minute: bool
) -> None:
    """After a minute a player's stream among friends ends, for that they come back shows them.

    A watcher's doesn't, nor one of a game on one device; and who comes back gets the state.
    """
    host = Host(site.host.store, Bell())
    if after_a_minute:
        monkeypatch.setattr(live, "STREAM_SECONDS", 0)

    async def read() -> None:
        friends = await host.invite(ME, "Ana", "classic", Options(2))
        alone = await host.open(ME, "classic", ["Ana"])
        for room_id, viewer in ((friends, ME), (friends, ""), (alone, ME)):
            seq = (await host.room(room_id)).seq
            frames = live.events(host, room_id, 0, at, viewer)
            lines = live.lines(host, room_id, 0, lambda room: view("", room, ME), viewer)
            assert [await anext(frames), await anext(frames)] == [live.PING, state(seq)]
            assert len(await anext(lines)) > 1
            if after_a_minute and room_id == friends and viewer:
                assert [await _all(frames), await _all(lines)] == [[live.AGAIN], []]
            else:
                assert [await anext(frames), await anext(lines)] == [live.PING, b"\n"]

    site.run(read())


def test_the_grace_runs_from_when_a_page_is_closed(tmp_path: Path) -> None:
    """Who closes a page that was quiet is away 30 s after that, not after its last sign."""

    async def read() -> None:
        clock, store = Clock(), Sqlite(tmp_path / "yacht.db")
        host = Host(store, now=clock)
        room_id = await host.invite(ANA, "Ana", "classic", Options(2))
        frames = live.events(host, room_id, 0, at, ANA)
        assert [await anext(frames), await anext(frames)] == [live.PING, state(2)]
        waiting = asyncio.ensure_future(anext(frames))
        for _ in range(5):
            await asyncio.sleep(0)
        clock.at += 14
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        room = await host.room(room_id)
        clock.at += 30
        assert not host.presence.away(room_id, room)
        clock.at += 0.1
        assert host.presence.away(room_id, room) == {0}
        await store.close()

    asyncio.run(read())


async def _all(frames: AsyncIterator[bytes]) -> list[bytes]:
    return [frame async for frame in frames]


_line = st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp")), min_size=1)


@given(st.lists(_line, min_size=1))
def test_a_frame_carries_any_lines(lines: list[str]) -> None:
    """What a reader of the format puts together is the text that was sent."""
    text = live.frame(7, "\n".join(lines)).decode()
    assert text.endswith("\n\n")
    assert list(events(iter(text.split("\n")))) == [Event("7", "game", "\n".join(lines))]


# ---- lines of JSON ----------------------------------------------------------------------------


def test_lines_begin_whole_and_go_on_with_changes(site: Site, table: Table) -> None:
    """The first line is the whole view; each later one has what is new in it and nothing else."""

    async def read() -> None:
        lines = table.lines()
        known = json.loads(await anext(lines))
        for act in [*[table.roll, table.roll, table.score] * 12]:
            before = known
            await act()
            line = await anext(lines)
            assert line.endswith(b"}\n")
            assert line.count(b"\n") == 1
            change = json.loads(line)
            known = before | change
            whole = msgspec.to_builtins(table.view(await table.host.room(table.room_id)))
            assert known == whole
            assert set(change) == {name for name in whole if whole[name] != before[name]}
            assert "seq" in change
        assert known["over"]
        assert known["seed"]

    site.run(read())


def test_a_slow_reader_of_lines_gets_one_change_for_many(
    site: Site, table: Table, quick_ping: None
) -> None:
    """What changed since the last line that was taken comes in one line, then there is silence."""

    async def read() -> tuple[dict[str, object], bytes, int]:
        lines = table.lines()
        await anext(lines)
        for _ in range(3):
            await table.roll()
            await table.score()
        return json.loads(await anext(lines)), await anext(lines), await _seq(table)

    change, rest, seq = site.run(read())
    assert change["seq"] == seq
    assert {"seats", "turn", "last", "last_turn"} <= set(change)
    assert not {"room", "ruleset", "rolls", "mine"} & set(change)
    assert rest == b"\n"


def test_a_reader_of_lines_comes_back(site: Site, table: Table, quick_ping: None) -> None:
    """With the seq of what it has, it gets empty lines until there is news, which comes whole."""

    async def read() -> list[bytes]:
        lines = table.lines(seen=1)
        got = [await anext(lines), await anext(lines)]
        await table.roll()
        return [*got, await anext(lines)]

    *silence, news = site.run(read())
    assert silence == [b"\n"] * 2
    assert set(json.loads(news)) == set(GameView.__struct_fields__)


def test_lines_end_as_events_do(site: Site, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines end when the game is deleted, the store fails, or the process is about to end."""
    read_room = table.host.enter

    async def fail(_room: str, _viewer: str) -> Room:
        raise Unavailable

    async def delete() -> None:
        await table.host.delete(table.room_id, ME)

    async def break_down() -> None:
        monkeypatch.setattr(table.host, "enter", fail)
        table.host.bell.ring(table.room_id)

    async def close() -> None:
        table.host.bell.close()

    async def read() -> None:
        for end in (break_down, delete, close):
            monkeypatch.setattr(table.host, "enter", read_room)
            if end is close:
                table.room_id = await table.host.open(ME, "classic", ["Ana"])
            lines = table.lines()
            await anext(lines)
            rest = asyncio.ensure_future(_all(lines))
            await asyncio.sleep(0)
            await end()
            assert await asyncio.wait_for(rest, 5) == []

    site.run(read())


async def _seq(table: Table) -> int:
    return (await table.host.room(table.room_id)).seq


# ---- reading a real one -----------------------------------------------------------------------


@dataclass
class Event:
    """One event, as the standard says to put it together from its lines."""

    id: str = ""
    name: str = "message"
    data: str = ""


def events(lines: Iterator[str]) -> Iterator[Event]:
    found, data = Event(), list[str]()
    for line in lines:
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        match name:
            case "id":
                found.id = value
            case "event":
                found.name = value
            case "data":
                data.append(value)
            case _ if not line:
                if data:
                    found.data = "\n".join(data)
                    yield found
                found, data = Event(), []
            case _:
                pass


class Reader:
    """An open stream. Use it in a ``with``; ``next`` waits for an event that is no ping."""

    def __init__(self, address: str, last: str = "", token: str = "") -> None:
        headers = {"Accept-Encoding": "gzip, deflate, br"}
        headers |= {"Last-Event-ID": last} if last else {}
        headers |= {"Authorization": f"Bearer {token}"} if token else {}
        self._stack = ExitStack()
        client = self._stack.enter_context(plain_client(timeout=10))
        self.answer = self._stack.enter_context(client.stream("GET", address, headers=headers))
        self._events = events(self.answer.iter_lines())

    def __iter__(self) -> Iterator[Event]:
        return self._events

    def __next__(self) -> Event:
        return next(event for event in self._events if event.name != "ping")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._stack.close()


class Player:
    """A program that plays at a real server."""

    def __init__(self, served: Served) -> None:
        self.http = plain_client(base_url=served.address)
        made = self.http.post("api/v1/games", json={"names": ["Ana", "Ben"]}).json()
        self.token: str = made["token"]
        self.room: str = made["game"]["room"]
        self.page = f"{served.address}g/{self.room}"
        self.api = f"{served.address}api/v1/games/{self.room}"
        self.seq = 1

    def move(self, **fields: object) -> None:
        answer = self.http.post(f"{self.api}/moves", json={"seq": self.seq, **fields})
        assert answer.status_code == 200
        self.seq = answer.json()["seq"]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.http.close()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("served")) as served:
        yield served


def test_a_page_hears_of_moves_made_elsewhere(served: Served) -> None:
    """A move over one connection reaches the streams of others, each as its reader may see it."""
    with (
        Player(served) as player,
        Reader(f"{player.page}/live", token=player.token) as mine,
        Reader(f"{player.page}/live") as watching,
        Reader(f"{player.api}/stream", token=player.token) as program,
    ):
        assert [next(reader).id for reader in (mine, watching, program)] == ["1"] * 3
        player.move(do="roll")
        mine_next, watching_next, program_next = next(mine), next(watching), next(program)
        assert {mine_next.id, watching_next.id, program_next.id} == {"3"}
        here, there = parse(mine_next.data), parse(watching_next.data)
        assert dice(here) == dice(there)
        assert here.all("#roll")
        assert not there.all("#roll")
        state = httpx.Response(200, text=program_next.data).json()
        assert state == player.http.get(player.api).json()
        assert state["may_act"]


def test_a_program_gets_lines_if_it_asks_for_them(served: Served) -> None:
    """Lines of JSON come over a real line one by one, neither compressed nor kept."""
    accept = {"Accept": "application/x-ndjson", "Accept-Encoding": "gzip"}
    with (
        Player(served) as player,
        plain_client(timeout=10) as client,
        client.stream("GET", f"{player.api}/stream", headers=accept) as answer,
    ):
        assert answer.headers["content-type"].partition(";")[0] == "application/x-ndjson"
        assert "content-encoding" not in answer.headers
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-accel-buffering"] == "no"
        lines = answer.iter_lines()
        known = json.loads(next(lines))
        assert known == client.get(player.api).json()
        player.move(do="roll")
        known |= json.loads(next(lines))
        assert known == client.get(player.api).json()
        assert not known["mine"]


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("*/*", "text/event-stream"),
        ("", "text/event-stream"),
        ("text/html", "text/event-stream"),
        ("text/event-stream, application/x-ndjson;q=0.9", "text/event-stream"),
        ("application/x-ndjson, text/event-stream;q=0.9", "application/x-ndjson"),
        ("application/json, application/x-ndjson", "application/x-ndjson"),
    ],
)
def test_accept_chooses_the_kind_of_stream(served: Served, accept: str, kind: str) -> None:
    """Events are what comes unless lines of JSON are asked for before them."""
    with (
        Player(served) as player,
        plain_client(timeout=10) as client,
        client.stream("GET", f"{player.api}/stream", headers={"Accept": accept}) as answer,
    ):
        assert answer.headers["content-type"].partition(";")[0] == kind


@pytest.mark.parametrize("kind", ["page", "api"])
def test_streams_are_neither_compressed_nor_kept(served: Served, kind: str) -> None:
    """Events arrive one by one: no compression, no cache, no proxy that gathers them."""
    with Player(served) as player:
        address = f"{player.page}/live" if kind == "page" else f"{player.api}/stream"
        with Reader(address) as reader:
            assert next(iter(reader)).name == "ping"
            headers = reader.answer.headers
    assert headers["content-type"].partition(";")[0] == "text/event-stream"
    assert "content-encoding" not in headers
    assert headers["cache-control"] == "no-store"
    assert headers["x-accel-buffering"] == "no"
    assert headers["x-content-type-options"] == "nosniff"
    assert "set-cookie" not in headers


@pytest.mark.parametrize("kind", ["page", "api"])
def test_a_reader_that_missed_moves_gets_the_newest(served: Served, kind: str) -> None:
    """With Last-Event-ID or ``since`` a reader gets the state unless it is the one they have."""
    with Player(served) as player:
        player.move(do="roll")
        address = f"{player.page}/live" if kind == "page" else f"{player.api}/stream"
        for last, since in (("1", "3"), ("", "2"), ("x", ""), ("", "-5"), ("0", "9"), ("9", "3")):
            with Reader(f"{address}?since={since}", last=last) as reader:
                assert next(reader).id == "3"
        with Reader(f"{address}?since=1", last="3") as reader:
            assert next(iter(reader)).name == "ping"
            player.move(do="roll", keep=[0])
            assert next(reader).id == "4"


def test_friends_hear_who_is_here(ana: Visitor, site: Site) -> None:
    """Among friends the first state always comes, and who goes makes one with the same number.

    The document says so.
    """
    now = [1000.0]
    host = Host(site.host.store, Bell(), now=lambda: now[0])

    async def read() -> list[str]:
        room_id = await host.invite(ME, "Ana", "classic", Options(2))
        room = await host.join(room_id, "ben", "Ben")

        async def away(room: Room) -> str:
            return f"at {room.seq}, away: {sorted(host.presence.away(room_id, room))}"

        frames = live.events(host, room_id, room.seq, away, ME)
        got = [await anext(frames) for _ in range(2)]
        now[0] += 31
        host.bell.ring(room_id)
        got.append(await anext(frames))
        return [frame.decode() for frame in got[1:]]

    assert site.run(read()) == [
        "id: 3\nevent: game\ndata: at 3, away: []\n\n",
        "id: 3\nevent: game\ndata: at 3, away: [1]\n\n",
    ]
    document = ana.get("/api/v1/openapi.json").json()["paths"]
    told = document["/api/v1/games/{room_id}/stream"]["get"]["description"]
    assert "the first state comes all the same" in " ".join(told.split())


def test_deleting_ends_the_streams(served: Served) -> None:
    """Who watches a game that is deleted is told ``gone`` and the stream ends."""
    with Player(served) as player, Reader(f"{player.page}/live") as reader:
        assert next(reader).id == "1"
        player.http.post(f"{player.page}/delete")
        assert [event.name for event in reader] == ["gone"]


def test_another_game_under_the_same_id(served: Served) -> None:
    """Where a page opened twice begins a game after its first was deleted, that game is shown."""
    room = "x" * 16
    page = f"{served.address}g/{room}"
    with plain_client() as client:
        for name in ("Ana", "Eva"):
            client.post(f"{served.address}games", data={"name": name, "room": room})
            client.post(page, data={"do": "roll", "seq": "1"})
            with Reader(f"{page}/live") as reader:
                shown = parse(next(reader).data)
            assert [cell.text for cell in shown.all("thead .name")] == [name]
            client.post(f"{page}/delete")


@pytest.mark.parametrize("address", ["/g/{}/live", "/api/v1/games/{}/stream"])
def test_a_stream_takes_no_body(site: Site, table: Table, address: str) -> None:
    """What is sent to a stream is dropped; it stays open until its reader hangs up."""
    path = address.format(table.room_id)
    pieces = iter(range(3_000))
    sent = list[bytes]()

    async def receive() -> dict[str, object]:
        if next(pieces, None) is None:
            return {"type": "http.disconnect"}
        await asyncio.sleep(0)
        return {"type": "http.request", "body": b"x", "more_body": True}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message.get("body", b""))

    scope = {"type": "http", "method": "GET", "path": path, "raw_path": path.encode()}
    scope |= {"query_string": b"", "headers": [], "scheme": "http", "root_path": ""}
    scope |= {"client": None, "server": None, "http_version": "1.1", "extensions": {}}
    site.run(site.app(scope, receive, send))
    assert sent[1] == live.PING
    assert next(pieces, None) is None


def test_there_is_no_stream_of_no_game(ana: Visitor) -> None:
    """A page's stream of no game says that it is gone, and ends; a program gets 404."""
    assert ana.get("/g/nowhere/live").content == live.PING + live.GONE
    assert ana.get("/api/v1/games/nowhere/stream").status_code == 404


def test_sigterm_ends_all_streams_and_pages_come_back(tmp_path: Path) -> None:
    """With 20 streams open the server ends in under 2 s; a new one goes on where they were."""
    with ExitStack() as stack, Served(tmp_path) as served:
        player = stack.enter_context(Player(served))
        readers = [stack.enter_context(Reader(f"{player.page}/live")) for _ in range(20)]
        assert {next(reader).id for reader in readers} == {"1"}
        player.move(do="roll")
        before = time.monotonic()
        served.stop()
        took = time.monotonic() - before
        assert took < 2
        assert served.process.returncode in {0, -signal.SIGTERM}
        for reader in readers:
            seen = list[str]()
            try:
                seen += (event.id for event in reader)
            except httpx.RemoteProtocolError:  # what a busy machine hasn't ended in a second is cut
                assert took > 1
            assert seen in ([], ["3"])
        with Served(tmp_path, port=served.port) as again:
            with Reader(f"{player.page}/live", last="1") as reader:
                assert next(reader).id == "3"
            with Reader(f"{player.page}/live", last="3") as reader:
                assert next(iter(reader)).name == "ping"
                player.move(do="score", box="choice")
                assert next(reader).id == "4"
            assert again.port == served.port


def test_undo_is_a_state_like_any_other(site: Site, table: Table) -> None:
    """A score that is taken back is a new number, not an old one."""

    async def read() -> list[bytes]:
        await table.roll()
        await table.score()
        frames = table.frames(seen=4)
        await anext(frames)
        await table.host.act(table.room_id, ME, 4, UndoScore())
        return [await anext(frames)]

    assert site.run(read()) == [state(5)]
