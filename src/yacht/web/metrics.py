"""Counts for whoever runs a server, at /metrics: how much happens, never who or where."""

import re
from collections.abc import Sequence
from contextlib import suppress
from contextvars import ContextVar

from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp, Receive, Scope, Send
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    ProcessCollector,
    disable_created_metrics,
)
from prometheus_client.exposition import choose_encoder

from yacht.engine.game import Move, Rolled
from yacht.engine.reasons import IllegalMove
from yacht.engine.rules import CLASSIC
from yacht.rooms.entries import Entry
from yacht.rooms.host import Host
from yacht.rooms.room import Room
from yacht.rooms.store import Append, Store, Unavailable
from yacht.rooms.table import Stale
from yacht.web.live import ADDRESSES
from yacht.web.visit import Asked, host_of

_FACES = [str(face) for face in range(1, CLASSIC.faces + 1)]

_wrote = ContextVar("wrote", default=False)
"""Whether the task has written anything since its move began; a resent move writes nothing."""

disable_created_metrics()  # a second number beside each count, which none of ours needs


class Metrics:
    """What this process has done since it started, and the rooms that there are now."""

    def __init__(self) -> None:
        self._registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        self.rooms = Gauge("yacht_rooms", "Rooms now by state", ["state"], registry=registry)
        self.moves = Counter(
            "yacht_moves", "Moves by result", ["result", "reason"], registry=registry
        )
        self.faces = Counter("yacht_faces", "Dice rolled by face", ["face"], registry=registry)
        self.streams = Gauge("yacht_open_streams", "Streams open now", registry=registry)
        for result in ("made", "resent", "stale", "failed"):
            self.moves.labels(result, "")
        for face in _FACES:
            self.faces.labels(face)

    def host(self, store: Store) -> Host:
        """A host whose moves are counted."""
        return _CountedHost(store, self)

    def watching(self, app: ASGIApp) -> ASGIApp:
        """The app, its open streams counted."""

        async def counted(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "http" or not re.search(ADDRESSES, scope["path"]):
                await app(scope, receive, send)
                return
            with self.streams.track_inprogress():
                await app(scope, receive, send)

        return counted

    def route(self) -> HTTPRouteHandler:
        """The handler that tells them, in Prometheus's or OpenMetrics' text format."""

        @get("/metrics")
        async def metrics(request: Asked) -> Response[bytes]:
            encode, kind = choose_encoder(request.headers.get("accept", ""))
            self.rooms.clear()
            with suppress(Unavailable):  # the other counts are told all the same
                for state, rooms in (await host_of(request).store.states()).items():
                    self.rooms.labels(state).set(rooms)
            return Response(encode(self._registry), media_type=kind)

        return metrics

    def count(self, entries: Sequence[Entry]) -> None:
        """Entries that are durable now."""
        for entry in entries:
            if isinstance(entry.event, Rolled):
                for position, face in enumerate(entry.event.dice):
                    if position not in entry.event.kept:
                        self.faces.labels(str(face)).inc()


class _CountedHost(Host):
    def __init__(self, store: Store, metrics: Metrics) -> None:
        super().__init__(_CountedStore(store, metrics))
        self._metrics = metrics

    async def act(
        self, room_id: str, viewer: str, seq: int, move: Move, seat_bytes: Sequence[bytes] = ()
    ) -> Room:
        result, reason = "failed", ""
        _wrote.set(False)
        try:
            room = await super().act(room_id, viewer, seq, move, seat_bytes)
            result = "made" if _wrote.get() else "resent"
        except Stale:
            result = "stale"
            raise
        except IllegalMove as illegal:
            result, reason = "refused", illegal.reason.value
            raise
        finally:
            self._metrics.moves.labels(result, reason).inc()
        return room


class _CountedStore:
    """Passes all on to a store, and counts what it has done."""

    def __init__(self, store: Store, metrics: Metrics) -> None:
        self._store, self._metrics = store, metrics
        self.load, self.games_of, self.due = store.load, store.games_of, store.due
        self.newest, self.ping, self.close = store.newest, store.ping, store.close
        self.saw, self.seen, self.forget = store.saw, store.seen, store.forget
        self.create, self.delete, self.sweep = store.create, store.delete, store.sweep
        self.states, self.listen = store.states, store.listen
        self.show, self.renew = store.show, store.renew
        self.hide, self.shown = store.hide, store.shown

    async def append(self, log: Append) -> None:
        await self._store.append(log)
        _wrote.set(True)
        self._metrics.count(log.entries)
