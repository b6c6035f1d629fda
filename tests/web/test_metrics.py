"""Counts at /metrics: that they are right, say nothing of anybody, and cost nothing when off."""

import asyncio
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

import httpx
import pytest
from prometheus_client import generate_latest
from prometheus_client.parser import text_string_to_metric_families

from tests.serving import Served
from tests.web.plain import Broken, Site, plain_client
from yacht.dicelog import log_of
from yacht.engine.game import Keep, Score, UndoScore
from yacht.engine.reasons import IllegalMove
from yacht.rooms.host import Host
from yacht.rooms.store import Unavailable
from yacht.web.metrics import Metrics

ME = "me"
Samples = Mapping[tuple[str, ...], float]


def read(text: str) -> Samples:
    """Each sample by its name and the values of its labels, in the order of the labels' names."""
    return {
        (sample.name, *(value for value in sample.labels.values() if value)): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


@pytest.fixture
def metrics() -> Metrics:
    return Metrics()


@pytest.fixture
def host(site: Site, metrics: Metrics) -> Host:
    """A host that counts, on the store of a site that doesn't."""
    return metrics.host(site.host.store)


def shown(metrics: Metrics) -> Samples:
    """What has been counted, without what the process uses."""
    told = read(generate_latest(metrics._registry).decode())
    return {key: value for key, value in told.items() if key[0].startswith("yacht_") and value}


# ---- what is counted --------------------------------------------------------------------------


def test_a_whole_game_is_counted(site: Site, host: Host, metrics: Metrics) -> None:
    """Each move, and each die that was thrown and not kept."""

    async def play() -> list[int]:
        room_id = await host.open(ME, "classic", ["Ana", "Ben"])
        for _ in range(24):
            room = await host.room(room_id)
            room = await host.act(room_id, ME, room.seq, Keep())
            room = await host.act(room_id, ME, room.seq, Keep(frozenset({0, 3})))
            await host.act(room_id, ME, room.seq, Score(room.game.open_boxes[0]))
        thrown = [seat.counts for seat in log_of(await host.room(room_id)).faces]
        return [sum(counts) for counts in zip(*thrown, strict=True)]

    thrown = site.run(play())
    assert sum(thrown) == 24 * 8
    assert shown(metrics) == {
        ("yacht_moves_total", "made"): 72,
        **{("yacht_faces_total", str(n)): count for n, count in enumerate(thrown, 1) if count},
    }


def test_moves_are_counted_by_result(site: Site, host: Host, metrics: Metrics) -> None:
    """Made, sent again, made at another state, or refused for a reason."""

    async def play() -> None:
        room_id = await host.open(ME, "classic", ["Ana"])
        await host.act(room_id, ME, 1, Keep())
        for _ in range(2):
            await host.act(room_id, ME, 1, Keep())
        for viewer, seq, move in (
            (ME, 1, UndoScore()),
            (ME, 3, Keep(frozenset(range(5)))),
            (ME, 3, Score("jackpot")),
            ("somebody", 3, Keep()),
        ):
            with suppress(IllegalMove):
                await host.act(room_id, viewer, seq, move)

    site.run(play())
    moves = {key[1:]: n for key, n in shown(metrics).items() if key[0] == "yacht_moves_total"}
    assert moves == {
        ("made",): 1,
        ("resent",): 2,
        ("stale",): 1,
        ("all_kept", "refused"): 1,
        ("unknown_category", "refused"): 1,
        ("not_yours", "refused"): 1,
    }


def test_one_move_sent_many_times_at_once_is_made_once(
    site: Site, host: Host, metrics: Metrics
) -> None:
    """Of ten same rolls in parallel one is made, and five dice are thrown; nine are resent."""

    async def play() -> None:
        room_id = await host.open(ME, "classic", ["Ana"])
        await asyncio.gather(*(host.act(room_id, ME, 1, Keep()) for _ in range(10)))

    site.run(play())
    counted = shown(metrics)
    assert counted["yacht_moves_total", "made"] == 1
    assert counted["yacht_moves_total", "resent"] == 9
    assert sum(n for key, n in counted.items() if key[0] == "yacht_faces_total") == 5


def test_a_store_that_fails_is_counted_as_that(site: Site, metrics: Metrics) -> None:
    """A move that couldn't be written is neither made nor refused, and no die was thrown."""
    host = metrics.host(Broken(Unavailable()))

    async def play() -> None:
        with pytest.raises(Unavailable):
            await host.open(ME, "classic", ["Ana"])
        with pytest.raises(Unavailable):
            await host.act("x" * 16, ME, 1, Keep())

    site.run(play())
    assert shown(metrics) == {("yacht_moves_total", "failed"): 1}


# ---- at a server ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def counted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A client of a server that counts."""
    data = tmp_path_factory.mktemp("counted")
    with (
        Served(data, environ={"YACHT_METRICS": "1"}) as served,
        plain_client(base_url=served.address, timeout=10) as client,
    ):
        yield client


def start(client: httpx.Client) -> dict[str, Any]:
    return client.post("api/v1/games", json={"names": ["Ana Anonymous"]}).json()


def test_a_server_tells_its_counts(counted: httpx.Client) -> None:
    """Everything countable is there from the first on, in the text format, and goes on."""
    answer = counted.get("metrics")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain; version=")
    assert answer.headers["cache-control"] == "no-store"
    before = read(answer.text)
    assert {key[1] for key in before if key[0] == "yacht_faces_total"} == set("123456")
    assert {key[1] for key in before if key[0] == "yacht_moves_total"} == {
        *("made", "resent", "stale", "failed")
    }
    assert before["process_resident_memory_bytes",] > 10_000_000
    room = start(counted)["game"]["room"]
    invited = counted.post("api/v1/rooms", json={"name": "Ana"})
    assert invited.status_code == 201
    counted.post(f"g/{room}", data={"do": "roll", "seq": "1"})
    after = read(counted.get("metrics").text)
    assert after["yacht_rooms", "playing"] == before["yacht_rooms", "playing"] + 1
    assert after["yacht_rooms", "waiting"] == before["yacht_rooms", "waiting"] + 1
    assert after["yacht_rooms", "finished"] == before["yacht_rooms", "finished"] == 0
    assert after["yacht_moves_total", "made"] == before["yacht_moves_total", "made"] + 1


def test_open_streams_are_counted(counted: httpx.Client) -> None:
    """Pages' and programs' streams count as long as they are open."""

    def streams() -> float:
        return read(counted.get("metrics").text)["yacht_open_streams",]

    room = start(counted)["game"]["room"]
    counted.get(f"g/{room}")
    assert streams() == 0
    with (
        counted.stream("GET", f"g/{room}/live") as page,
        counted.stream("GET", f"api/v1/games/{room}/stream/") as program,
    ):
        reading = [page.iter_raw(), program.iter_raw()]  # to drop one would hang up
        for pieces in reading:
            next(pieces)
        assert streams() == 2
    patience = time.monotonic() + 10
    while streams():
        assert time.monotonic() < patience


def test_counts_name_nobody(counted: httpx.Client) -> None:
    """No room, identity, name or address is in them."""
    made = start(counted)
    room, token = made["game"]["room"], made["token"]
    counted.post(f"g/{room}", data={"do": "roll", "seq": "1"})
    counted.post(f"g/{room}", data={"do": "score", "seq": "3", "box": "Anonymous"})
    counted.get(f"g/{room}/live/nowhere")
    text = counted.get("metrics").text
    assert "unknown_category" in text
    assert not re.search(rf"{room}|{token}|Anonymous|127\.0\.0\.1|\b[0-9a-f]{{32}}\b", text)


@pytest.mark.parametrize(
    "accept",
    ["", "application/openmetrics-text; version=1.0.0", "x;escaping=nonsense;version=x", ";;=,"],
)
def test_any_reader_is_answered(counted: httpx.Client, accept: str) -> None:
    """Prometheus asks for newer formats, other readers for anything."""
    answer = counted.get("metrics", headers={"Accept": accept})
    assert answer.status_code == 200
    assert "yacht_faces_total" in answer.text


def test_without_the_setting_there_is_no_such_page(site: Site) -> None:
    """Counts are off by default: the address is like any that isn't there."""
    answer = site.visitor().get("/metrics")
    assert answer.status_code == 404
    assert "yacht_" not in answer.text
    assert type(site.host) is Host
