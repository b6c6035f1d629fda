"""The examples do what they say, against a real server."""

import json
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count, islice
from pathlib import Path
from threading import Thread
from typing import Any

import httpx

from tests.serving import Served

BOT = Path(__file__).parent.parent / "examples" / "bot.py"


@contextmanager
def bot(link: str) -> Generator[subprocess.Popen[str]]:
    command = [sys.executable, BOT, link, "Bo"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as playing:
        try:
            yield playing
        finally:
            playing.kill()


def invite(site: httpx.Client) -> str:
    """The id of Ana's room, for herself and a bot; the client is hers from then on."""
    room = {"name": "Ana", "places": 2, "ruleset": "sum"}
    made = site.post("rooms", json=room).raise_for_status().json()
    site.headers["Authorization"] = f"Bearer {made['token']}"
    return made["game"]["room"]


def play(site: httpx.Client, room: str, turns: int = 12) -> dict[str, Any]:
    """Begin and play as Ana, until so many turns are over; the game then."""
    game = f"games/{room}"
    with site.stream("GET", f"{game}/stream", timeout=40) as states:
        told = (line.partition("data: ")[2] for line in states.iter_lines())
        for seen in map(json.loads, filter(None, told)):
            if seen["over"] or seen["turn"] == turns:
                return seen
            if seen["friends"]["may_begin"]:
                site.post(f"{game}/seats", json={"do": "begin"}).raise_for_status()
            elif seen["may_act"]:
                open_box = next(iter(seen["points"]), None)
                move = {"do": "score", "box": open_box} if open_box else {"do": "roll"}
                site.post(f"{game}/moves", json={"seq": seen["seq"], **move})
    raise AssertionError("the stream ended")


def check_end(bot: subprocess.Popen[str], last: dict[str, Any]) -> None:
    """The bot has ended too, and told how the game ended."""
    said, _ = bot.communicate(timeout=20)
    assert bot.returncode == 0
    assert said == "".join(f"{seat['total']:4} {seat['name']}\n" for seat in last["seats"])
    assert [seat["name"] for seat in last["seats"]] == ["Ana", "Bo"]


def test_the_bot_plays_to_the_end(tmp_path: Path) -> None:
    """It joins by the link, waits for the start, plays its turns, and tells how it ended."""
    with Served(tmp_path) as served, httpx.Client(base_url=f"{served.address}api/v1/") as site:
        room = invite(site)
        with bot(f"{served.address}g/{room}") as playing:
            check_end(playing, play(site, room))
    assert len(BOT.read_text().splitlines()) < 60


class Unkind(ThreadingHTTPServer):
    """A proxy on which nobody can rely; ``did`` has the statuses that it gave to posts.

    Of 25 posts it answers the first by itself, with 429, and loses the answer to the twelfth: 0.
    Streams end after forty lines.
    """

    daemon_threads = True

    def __init__(self, there: str) -> None:
        super().__init__(("127.0.0.1", 0), _Passing)
        self.there, self.here = there, f"http://127.0.0.1:{self.server_port}/"
        self.posts, self.did = count(), list[int]()
        Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Who hangs up is no fault, nor is a server that is away."""

    def server_close(self) -> None:
        self.shutdown()
        super().server_close()


class _Passing(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body, place = self.rfile.read(int(self.headers["Content-Length"])), next(self._proxy.posts)
        if place % 25 == 0:
            self._proxy.did.append(429)
            self._send(429)
            return
        answer = httpx.post(self._there, content=body, headers=self._shown)
        lost = place % 25 == 11
        self._proxy.did.append(0 if lost else answer.status_code)
        if not lost:
            self._send(answer.status_code, answer.content)

    def do_GET(self) -> None:
        with httpx.stream("GET", self._there, headers=self._shown, timeout=40) as answer:
            self._send(answer.status_code)
            for line in islice(answer.iter_lines(), 40):
                self.wfile.write(f"{line}\n".encode())

    @property
    def _proxy(self) -> Unkind:
        assert isinstance(self.server, Unkind)
        return self.server

    @property
    def _there(self) -> str:
        return self._proxy.there + self.path[1:]

    @property
    def _shown(self) -> dict[str, str]:
        names = "Authorization", "Accept", "Content-Type"
        return {name: self.headers[name] for name in names if name in self.headers}

    def _send(self, status: int, body: bytes = b"") -> None:
        self.send_response(status)
        self.send_header("Retry-After", "1")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (http.server's)
        """Nobody reads it."""


def test_the_bot_waits_and_comes_back(tmp_path: Path) -> None:
    """It waits when it is told to, sends again what was lost, and outlasts a killed server.

    It keeps its one seat, and plays on in it.
    """
    with (
        Served(tmp_path) as served,
        Unkind(served.address) as proxy,
        httpx.Client(base_url=f"{served.address}api/v1/") as site,
    ):
        room = invite(site)
        with bot(f"{proxy.here}g/{room}") as playing:
            play(site, room, turns=4)
            served.kill()
            with Served(tmp_path, port=served.port):
                check_end(playing, play(site, room))
    assert {0, 429} <= set(proxy.did) <= {0, 200, 409, 429}
