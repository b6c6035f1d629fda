"""The shipped nginx site: a real nginx before two real servers on one PostgreSQL."""

import random
import re
import subprocess
from collections.abc import Generator, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from pathlib import Path
from socket import create_connection, create_server
from threading import Thread
from typing import Any
from urllib.parse import urljoin

import httpx
import pytest

from tests.deploy.nginx import Nginx, free_ports
from tests.postgres import Cluster
from tests.rooms.told import some_move
from tests.serving import Served
from tests.versions import Version, copy_in
from tests.web.plain import parse
from yacht.engine.notation import decode_record, verify

BASE = "/yacht"


def ports(servers: Sequence[Served]) -> list[int]:
    return [server.port for server in servers]


@contextmanager
def served(url: str, folder: Path, *flags: str) -> Generator[list[Served]]:
    """Two servers on one database."""

    def start(_: int) -> Served:
        return Served(folder, *flags, environ={"YACHT_DATABASE": url})

    with ExitStack() as stack:
        with ThreadPoolExecutor(2) as pool:
            servers = list(pool.map(start, range(2)))
        for server in servers:
            stack.enter_context(server)
        yield servers


@pytest.fixture(scope="module")
def servers(
    cluster: Cluster, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Sequence[Served]]:
    """Two servers under a path."""
    folder = tmp_path_factory.mktemp("unused")
    with served(cluster.new(), folder, "--base-path", BASE) as servers:
        yield servers


@pytest.fixture
def nginx(servers: Sequence[Served], tmp_path: Path) -> Iterator[Nginx]:
    """An nginx before them."""
    with Nginx(tmp_path, ports(servers), BASE) as nginx:
        yield nginx


@pytest.fixture
def client(nginx: Nginx) -> Iterator[httpx.Client]:
    with nginx.client() as client:
        yield client


def game(client: httpx.Client) -> tuple[str, dict[str, Any]]:
    """The room of a new game of this client, and its state."""
    made = client.post("games", data={"name": "Ana"})
    assert made.status_code == 303
    room = made.headers["location"].rpartition("/")[2]
    return room, client.get(f"api/v1/games/{room}").json()


def move(client: httpx.Client, state: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """The state after a random move, which happened once."""
    body = some_move(state, chance)
    answer = client.post(f"api/v1/games/{state['room']}/moves", json=body)
    assert answer.status_code == 200, answer.text
    after = answer.json()
    assert after["turn"] - state["turn"] in {-1, 0, 1}
    return after


def play_on(client: httpx.Client, state: dict[str, Any], chance: random.Random) -> None:
    """Play the game to its end, and check its record."""
    while not state["over"]:
        state = move(client, state, chance)
    path = f"api/v1/games/{state['room']}"
    assert all(client.get(path).json()["over"] for _ in range(2))  # the servers take turns
    verify(decode_record(client.get(f"{path}/record").text))


def upstreams(log: Sequence[str], part: str = "") -> list[int]:
    """The ports of the servers that answered the requests with this in their address."""
    return [int(line.rpartition(":")[2]) for line in log if part in line]


def check_addresses(nginx: Nginx, client: httpx.Client, base: str) -> str:
    """Check redirects, the cookie and links; give the key of the personal link that was opened."""
    made = client.post("games", data={"name": "Ana"})
    assert made.headers["location"].startswith(f"{base}/g/")
    cookie = made.headers["set-cookie"].lower()
    assert f"path={base or '/'};" in cookie
    assert "; secure" in cookie
    here = urljoin(nginx.address, made.headers["location"])
    page = client.get(here)
    assert page.status_code == 200
    for element in parse(page.text).within:
        for name in ("href", "src", "action"):
            link = element.attributes.get(name, "")
            assert not link.startswith("/") or link.startswith(f"{base}/"), element
    shared = parse(client.get(f"{here}/share").text)
    links = [field["value"] for field in shared.all("input[readonly]")]
    assert [link.startswith(f"{nginx.address}g/") for link in links] == [True, True]
    assert client.get(links[1]).status_code == 200
    origin = nginx.address.removesuffix("/").removesuffix(base)
    for said, status in ((origin, 303), ("https://other.example", 403)):
        answer = client.post("games", data={"name": "Ana"}, headers={"Origin": said})
        assert answer.status_code == status
    return links[1].rpartition("/")[2]


def test_a_game(servers: Sequence[Served], nginx: Nginx, client: httpx.Client) -> None:
    """A game is played to its end, now at the one server and now at the other."""
    play_on(client, game(client)[1], random.Random(1))
    asked = upstreams(nginx.stop())
    assert min(asked.count(port) for port in ports(servers)) > len(asked) // 3
    assert nginx.errors == ""


def test_addresses(nginx: Nginx, client: httpx.Client) -> None:
    """Redirects, the cookie and links keep the path; the log has no key of a personal link."""
    key = check_addresses(nginx, client, BASE)
    without = client.get(nginx.address.removesuffix("/"))
    assert (without.status_code, without.headers["location"]) == (301, nginx.address)
    log = "\n".join(nginx.stop())
    assert key not in log
    assert "/here/... HTTP/1.1" in log


def test_without_tls(nginx: Nginx) -> None:
    """Who comes by http is sent to https."""
    asked = f"http://127.0.0.1:{nginx.plain_port}{BASE}/rules?back=x"
    answer = httpx.get(asked, headers={"Host": "yacht.example"}, trust_env=False, verify=nginx.tls)
    assert answer.status_code == 301
    assert answer.headers["location"] == f"https://yacht.example{BASE}/rules?back=x"


def test_http_2(nginx: Nginx) -> None:
    """A client that offers both gets HTTP/2 and a whole page."""
    asked = nginx.curl("en/rules", "--http2")
    answer = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    assert answer.startswith("HTTP/2 200")
    assert answer.rstrip().endswith("</html>")


@pytest.mark.parametrize("version", ["1.1", "2"])
def test_streams(
    servers: Sequence[Served], nginx: Nginx, client: httpx.Client, version: str
) -> None:
    """What one server does is in the other's streams while they are open."""
    chance = random.Random(1)
    room, state = game(client)
    with ExitStack() as stack:
        paths = (f"g/{room}/live", f"api/v1/games/{room}/stream")
        streams = [stack.enter_context(nginx.stream(path, version)) for path in paths]
        for stream in streams:
            assert stream.until("HTTP/").split()[:2] == [f"HTTP/{version}", "200"]
            stream.until(f"id: {state['seq']}")
        for _ in range(4):
            state = move(client, state, chance)
            for stream in streams:
                stream.until(f"id: {state['seq']}")
        assert all(stream.open for stream in streams)
    log = nginx.stop()
    for part in ("/live ", "/stream "):
        assert len(upstreams(log, part)) == 1
    assert sorted(upstreams(log, "/live ") + upstreams(log, "/stream ")) == sorted(ports(servers))
    assert set(upstreams(log, "/moves ")) == set(ports(servers))
    assert nginx.errors == ""


def test_a_server_dies_while_it_is_asked(servers: Sequence[Served], tmp_path: Path) -> None:
    """Its requests, which say who asks, go to the other server; no player sees anything of it.

    A new game alone isn't asked for again: it might have been made.
    """
    asked, chance = list[str](), random.Random(1)

    def die() -> None:
        while True:
            line, _ = listener.accept()
            with line:
                if not (request := line.recv(65_536)):
                    return
                asked.append(request.decode())

    with ExitStack() as stack:
        listener = stack.enter_context(create_server(("127.0.0.1", 0)))
        dying = Thread(target=die)
        dying.start()
        try:
            nginx = stack.enter_context(
                Nginx(tmp_path, [listener.getsockname()[1], servers[0].port], BASE)
            )
            client = stack.enter_context(nginx.client())
            client.headers["X-Forwarded-For"] = "203.0.113.9"  # not the truth
            made = [client.post("api/v1/games", json={"names": ["Ana"]}) for _ in range(8)]
            state = next(answer.json()["game"] for answer in made if answer.is_success)
            for _ in range(6):
                state = move(client, state, chance)
        finally:
            create_connection(listener.getsockname()).close()
            dying.join()
    assert {answer.status_code for answer in made} == {201, 502}
    assert sum("/games " in request for request in asked) == sum(
        answer.status_code == 502 for answer in made
    )
    assert any("/moves " in request for request in asked)
    for request in asked:
        lines = request.lower().split("\r\n")
        assert [line for line in lines if line.startswith("x-forwarded-")] == [
            "x-forwarded-proto: https",
            "x-forwarded-for: 127.0.0.1",
        ]
        assert lines[0].endswith(" http/1.1")
        assert not [line for line in lines if line.startswith("connection:")]  # it can be kept


def test_servers_are_killed(cluster: Cluster, tmp_path: Path) -> None:
    """The one left answers all; one that is back is asked at once; nginx alone has the scripts."""
    chance, url = random.Random(1), cluster.new()
    with served(url, tmp_path) as (one, other), ExitStack() as stack:
        nginx = stack.enter_context(Nginx(tmp_path, ports([one, other])))
        client = stack.enter_context(nginx.client())
        check_addresses(nginx, client, "")
        room, state = game(client)
        page = parse(client.get(f"g/{room}").text)
        files = [script["src"] for script in page.all("script[src]")]
        files += [link["href"] for link in page.all("link[rel=stylesheet]")]
        assert len(files) > 1
        before = [client.get(file) for file in files]
        one.kill()
        for _ in range(4):
            state = move(client, state, chance)
        again = Served(tmp_path, port=one.port, environ={"YACHT_DATABASE": url})
        stack.enter_context(again)
        other.kill()
        for _ in range(4):
            state = move(client, state, chance)
        with nginx.stream(f"g/{room}/live", "2") as stream:
            stream.until(f"id: {state['seq']}")
            state = move(client, state, chance)
            stream.until(f"id: {state['seq']}")
        play_on(client, state, chance)
        again.kill()
        assert client.get("").status_code == 502
        after = [client.get(file) for file in files]
        assert [answer.status_code for answer in after] == [200] * len(files)
        assert [answer.content for answer in after] == [answer.content for answer in before]
        assert all("immutable" in answer.headers["cache-control"] for answer in after)


def test_two_versions(cluster: Cluster, tmp_path: Path) -> None:
    """While one server has a newer version, each file is that of the version its address names.

    A file that no server has isn't there, and nothing of that stays once one has it.
    """
    environ, folder = {"YACHT_DATABASE": cluster.new()}, tmp_path / "newer"
    for file in (copy_in(folder) / "web" / "static").glob("*.*s"):
        file.write_bytes(file.read_bytes() + b"/* newer */")
    content = (copy_in(folder) / "web" / "static" / "yacht.css").read_bytes()
    address = f"static/yacht.css?v={sha256(content).hexdigest()[:12]}"
    [port] = free_ports(1)
    with Served(tmp_path, environ=environ) as old, ExitStack() as stack:
        nginx = stack.enter_context(Nginx(tmp_path, [old.port, port]))
        client = stack.enter_context(nginx.client())
        assert {client.get(address).status_code for _ in range(3)} <= {404, 502}
        newer = stack.enter_context(Version(folder, port=port, environ=environ))
        assert address in files_of(newer).keys() - files_of(old)
        for server in old, newer:
            for name, theirs in files_of(server).items():
                assert client.get(name).content == theirs


def files_of(server: Served) -> Mapping[str, bytes]:
    """What the scorekeeper's page names by its version, as this server has it."""
    with httpx.Client(base_url=server.address, trust_env=False) as client:
        named = {*re.findall(r'"/([a-z][^"\s]*\?v=\w+)"', client.get("score").text)}
        got = {file: client.get(file) for file in named if not file.startswith("manifest")}
    assert len(got) > 10
    assert {answer.status_code for answer in got.values()} == {200}
    return {file: answer.content for file, answer in got.items()}
