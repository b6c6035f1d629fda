"""The server process: uvicorn around the application, and an end that waits for nothing."""

import asyncio
import contextlib
import errno
import gc
import logging
import re
import socket
import sqlite3
import time
from collections.abc import Callable, Generator
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from yacht.i18n import N_
from yacht.rooms.computers import Computers
from yacht.rooms.host import Host
from yacht.rooms.sqlite import Sqlite
from yacht.rooms.store import FolderInUse, Store, Unavailable
from yacht.rooms.tending import Tending
from yacht.settings import HIDDEN, BadSetting, Settings
from yacht.web.app import create_app
from yacht.web.limits import Limits

if TYPE_CHECKING:
    from yacht.rooms.postgres import Postgres
    from yacht.web.metrics import Metrics

_BACKLOG = 2048
_MOST_UNREAD = 64 * 1024
"""Bytes."""
_MOST_WAITING = 32
"""Requests on one line behind the one that is answered."""
_NOT_OURS = {errno.EADDRNOTAVAIL, socket.EAI_NONAME, socket.EAI_AGAIN}
_GC = 5_000, 20, 100
"""A cached game makes thousands of objects and no cycle: to look through all of them rarely."""


class PortInUse(Exception):
    """Another program listens there."""


class _Protocol(HttpToolsProtocol):
    """Refuses a request whose head, or what follows its body, never ends; and one too many at once.

    The parser would keep all of it. ``_unread`` is how many bytes it has got since it last handed
    over a head, some of a body or the end of a request.
    """

    _unread, _in_head = 0, True

    def data_received(self, data: bytes) -> None:
        self._unread += len(data)
        super().data_received(data)
        if self._unread <= _MOST_UNREAD:
            return
        if self._in_head:
            self.send_400_response("The request's head is too large.")
        else:
            self.transport.close()

    def on_message_begin(self) -> None:
        if len(self.pipeline) >= _MOST_WAITING:
            raise ValueError  # the parser takes it for a request that is none
        self._in_head = True
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._in_head:  # else it is a trailer, which nobody reads
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._unread, self._in_head = 0, False
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._unread = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._unread = 0
        super().on_message_complete()


class _Server(uvicorn.Server):
    """Ends the streams first: uvicorn waits for them, and they never end by themselves."""

    def __init__(
        self,
        config: uvicorn.Config,
        host: Host,
        computers: Computers,
        tending: Tending,
        ready: Callable[[], None],
    ) -> None:
        super().__init__(config)
        self._host, self._computers, self._tending = host, computers, tending
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._tending.start()
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._tending.close()
        await self._computers.close()
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._host.bell.close()
        super().handle_exit(sig, frame)


def serve(settings: Settings, ready: Callable[[str], None]) -> None:
    """Serve until SIGTERM or SIGINT; ``ready`` is told the address once it answers.

    Raises BadSetting, PortInUse, FolderInUse, OSError, and what the store raises.
    """
    with _store_of(settings) as opened, _listening(settings) as listener:
        store, metrics = opened(), _metrics() if settings.metrics else None
        host = metrics.host(store) if metrics else Host(store)
        limits = Limits(settings.rate_limit, settings.address_limit, time.monotonic_ns)
        logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
        logging.getLogger("uvicorn.access").addFilter(_worth_logging)
        config = uvicorn.Config(
            create_app(
                host,
                settings.base_path,
                limits=limits,
                keep_days=settings.keep_days,
                metrics=metrics,
            ),
            http=_Protocol,
            log_config=None,
            log_level=logging.INFO if settings.access_log else logging.WARNING,
            access_log=settings.access_log,
            server_header=False,
            timeout_graceful_shutdown=1,
        )
        shown = f"[{settings.host}]" if ":" in settings.host else _reached(settings.host)
        address = f"http://{shown}:{listener.getsockname()[1]}{settings.base_path}/"
        computers = Computers(host, settings.computer_pace)
        tending = Tending(host, settings.keep_days)
        server = _Server(config, host, computers, tending, lambda: ready(address))
        gc.collect()
        gc.freeze()  # what is loaded by now stays: later collections needn't look at it
        gc.set_threshold(*_GC)
        with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
            runner.run(server.serve([listener]))


def _metrics() -> "Metrics":
    from yacht.web.metrics import Metrics  # noqa: PLC0415 (few servers count)

    return Metrics()


@contextlib.contextmanager
def _store_of(settings: Settings) -> Generator[Callable[[], Store]]:
    """What opens the store; the data folder is this process's alone, a database isn't."""
    if not settings.database:
        file = settings.made_file()
        with alone_in(file.parent):
            yield lambda: Sqlite(file)
        return
    yield lambda: open_postgres("--database (YACHT_DATABASE)", settings.database)


def open_postgres(name: str, url: str) -> "Postgres":
    """The store in this database. Raises BadSetting(name), and what Postgres raises."""
    try:
        from yacht.rooms.postgres import Postgres  # noqa: PLC0415 (an extra, which most don't need)

        return Postgres(url)
    except ModuleNotFoundError:
        raise BadSetting(
            name, HIDDEN, N_("it needs a package: pip install 'yacht[postgres]'")
        ) from None
    except ValueError:
        raise BadSetting(name, HIDDEN, N_("this isn’t the address of a database")) from None


@contextlib.contextmanager
def _listening(settings: Settings) -> Generator[socket.socket]:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        listener = socket.create_server(
            (settings.host, settings.port), family=family, backlog=_BACKLOG
        )
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise PortInUse from None
        if error.errno in _NOT_OURS:
            problem = N_("this computer has no such address")
            raise BadSetting("--host (YACHT_HOST)", settings.host, problem) from None
        raise
    with listener:
        # asyncio's loop leaves it unset on such a listener's connections, and then each answer
        # waits 40 ms for the reader's acknowledgement of its head.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        yield listener


def _reached(host: str) -> str:
    """The name by which others reach what listens there: all addresses have none of their own."""
    if host != "0.0.0.0":  # noqa: S104 (an address like another)
        return host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as towards:
        try:
            towards.connect(("192.0.2.1", 9))  # of no network; nothing is sent
        except OSError:
            return "127.0.0.1"
        return towards.getsockname()[0]


@contextlib.contextmanager
def alone_in(data: Path) -> Generator[None]:
    """Hold the folder with a lock that ends with the process, however it ends.

    Raises FolderInUse, or Unavailable if the folder can't be written.
    """
    try:
        lock = sqlite3.connect(data / "server.lock", timeout=0)
    except sqlite3.Error as error:
        raise Unavailable(str(error)) from error
    with contextlib.closing(lock):
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
                raise FolderInUse(str(data)) from None
            raise Unavailable(str(error)) from error
        yield


def _worth_logging(record: logging.LogRecord) -> bool:
    """Leave what programs ask for all the time out of the access log, and keys unreadable."""
    if isinstance(record.args, tuple) and len(record.args) == 5:  # noqa: PLR2004 (uvicorn's)
        client, method, path, http, status = record.args
        if str(path).partition("?")[0].endswith(("/healthz", "/metrics")):
            return False
        record.args = (client, method, re.sub(r"/here/[^/?]+", "/here/…", str(path)), http, status)
    return True
