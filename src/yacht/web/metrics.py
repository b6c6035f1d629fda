"""Counts for whoever runs a server, at /metrics: how much happens, never who or where."""

from collections.abc import Sequence
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
from yacht.rooms.entries import Begun, Entry, Invited, Opened, Unsealed
from yacht.rooms.host import Host
from yacht.rooms.room import Room
from yacht.rooms.store import Append, Secrets, Store
from yacht.rooms.table import Stale
from yacht.web.visit import Asked

_FACES = [str(face) for face in range(1, CLASSIC.faces + 1)]
_STATES = {Opened: ("opened", "begun"), Invited: ("opened",), Begun: ("begun",)}
"""What an entry makes of its room: a game on one device begins as it is opened."""

_wrote = ContextVar("wrote", default=False)
"""Whether the task has written anything since its move began; a resent move writes nothing."""

disable_created_metrics()  # a second number beside each count, which none of ours needs


class Metrics:
    """The counts of one process, from its start on."""

    def __init__(self) -> None:
        self._registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        self.rooms = Counter(
            "yacht_rooms", "Rooms by what became of them here", ["state"], registry=registry
        )
        self.moves = Counter(
            "yacht_moves", "Moves by result", ["result", "reason"], registry=registry
        )
        self.faces = Counter("yacht_faces", "Dice rolled by face", ["face"], registry=registry)
        self.streams = Gauge("yacht_open_streams", "Streams open now", registry=registry)
        for state in ("opened", "begun", "finished", "removed"):
            self.rooms.labels(state)
        for result in ("made", "resent", "stale", "failed"):
            self.moves.labels(result, "")
        for face in _FACES:
            self.faces.labels(face)

    def host(self, store: Store) -> Host:
        """A host whose rooms and moves are counted."""
        return _CountedHost(store, self)

    def watching(self, app: ASGIApp) -> ASGIApp:
        """The app, its open streams counted."""

        async def counted(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "http" or not scope["path"].endswith(("/live", "/stream")):
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
            return Response(encode(self._registry), media_type=kind)

        return metrics

    def count(self, entries: Sequence[Entry]) -> None:
        """Entries that are durable now."""
        for entry in entries:
            match entry.event:
                case Rolled(kept, dice):
                    for position, face in enumerate(dice):
                        if position not in kept:
                            self.faces.labels(str(face)).inc()
                case Opened() | Invited() | Begun() as event:
                    for state in _STATES[type(event)]:
                        self.rooms.labels(state).inc()
                case Unsealed():
                    self.rooms.labels("finished").inc()
                case _:
                    pass


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
        self.listen, self.meet = store.listen, store.meet

    async def create(self, secrets: Secrets, log: Append, after: Append | None = None) -> None:
        await self._store.create(secrets, log, after)
        self._metrics.count(log.entries)

    async def append(self, log: Append) -> None:
        await self._store.append(log)
        _wrote.set(True)
        self._metrics.count(log.entries)

    async def delete(self, room: str, member: str) -> None:
        await self._store.delete(room, member)
        self._metrics.rooms.labels("removed").inc()

    async def sweep(self, waiting_since: float, idle_since: float) -> list[str]:
        swept = await self._store.sweep(waiting_since, idle_since)
        self._metrics.rooms.labels("removed").inc(len(swept))
        return swept
