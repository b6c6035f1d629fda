"""The server as a process: how it starts, where it is reached, what it writes, how it ends."""

import os
import signal
import socket
import sqlite3
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, MutableMapping
from contextlib import closing
from importlib.metadata import version
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.serving import Served
from tests.web.plain import Site, Visitor, dice, parse, plain_client
from yacht.cli import main
from yacht.web import live

YACHT = Path(sys.executable).with_name("yacht")


def run(*arguments: str | Path, **environ: str) -> subprocess.CompletedProcess[str]:
    """A command that ends by itself."""
    return subprocess.run(
        [YACHT, *arguments],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
        env=os.environ | environ,
    )


def sentence(ended: subprocess.CompletedProcess[str], status: int) -> str:
    """What a command that failed told: one line on stderr, nothing else."""
    assert ended.returncode == status, ended
    assert ended.stdout == ""
    assert ended.stderr.count("\n") == 1, ended.stderr
    return ended.stderr.strip()


# ---- a server with an access log, used by most tests ------------------------------------------


class Logged:
    """A server, a client of it, and what it has logged when it is stopped."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.served = Served(data, "--access-log", "1")
        self.client = plain_client(base_url=self.served.address, timeout=10)

    def game(self) -> str:
        """The room of a new game of this client."""
        made = self.client.post("games", data={"name": "Ana"})
        return made.headers["location"].removeprefix("/g/")


@pytest.fixture(scope="module")
def logged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Logged]:
    logged = Logged(tmp_path_factory.mktemp("data") / "new")
    with logged.served, logged.client:
        yield logged


def test_healthz(logged: Logged) -> None:
    """It answers with the version once the database has answered."""
    answer = logged.client.get("healthz")
    assert answer.status_code == 200
    assert answer.json() == {"status": "ok", "version": version("yacht"), "database": "ok"}


def test_a_database_that_cant_be_read(logged: Logged) -> None:
    """Health check, pages and programs get 503 while it lasts; afterwards all is well again."""
    room = logged.game()
    with closing(sqlite3.connect(logged.data / "yacht.db")) as db:
        db.execute("ALTER TABLE room RENAME TO away")
        try:
            assert logged.client.get("healthz").status_code == 503
            home = logged.client.get("")
            assert home.status_code == 503
            assert parse(home.text).one("h1").text == "That didn’t work"
            answer = logged.client.post("api/v1/games", json={"names": ["Ana"]})
            assert answer.status_code == 503
            assert answer.json()["error"]["reason"] == "http_503"
        finally:
            db.execute("ALTER TABLE away RENAME TO room")
    assert logged.client.get("healthz").status_code == 200
    assert logged.client.post(f"g/{room}", data={"seq": "1", "do": "roll"}).status_code == 303


def test_the_data_folder_is_private(logged: Logged) -> None:
    """The folder that the server makes is for its owner alone."""
    assert logged.data.stat().st_mode & 0o777 == 0o700


def test_answers_dont_wait_on_kept_connections(logged: Logged) -> None:
    """A connection's later requests are answered without the 40 ms of a delayed acknowledgement."""
    spans = list[float]()
    for _ in range(21):
        before = time.perf_counter()
        logged.client.get("healthz")
        spans.append(time.perf_counter() - before)
    assert statistics.median(spans) < 0.035


def test_behind_https(logged: Logged) -> None:
    """A proxy on this machine that says https gets Secure cookies and https links."""
    with plain_client(base_url=logged.served.address) as client:
        client.headers.update({"X-Forwarded-Proto": "https", "Host": "yacht.example"})
        origin = {"Origin": "https://yacht.example"}
        made = client.post("games", data={"name": "Ana"}, headers=origin)
        assert made.status_code == 303
        assert "; secure" in made.headers["set-cookie"].lower()
        page = parse(client.get(f"{made.headers['location'][1:]}/share").text)
        links = [field["value"] for field in page.all("input[readonly]")]
        assert links[0] == f"https://yacht.example{made.headers['location']}"


END = b"Host: x\r\nConnection: close\r\n\r\n"


@pytest.mark.parametrize(
    "sent",
    [
        b"GET / HTTP/1.0\r\n\r\n",
        b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n",
        b"GET /g/\xff\xfe HTTP/1.1\r\n" + END,
        b"GET /?\xff=\xfe HTTP/1.1\r\n" + END,
        b"GET /rules?back=%ff HTTP/1.1\r\n" + END,
        b"GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\n" + END,
        b"GET /static/../../x HTTP/1.1\r\n" + END,
        b"GET //evil.test HTTP/1.1\r\n" + END,
        b"GET http://evil.test/ HTTP/1.1\r\n" + END,
        b"GET / HTTP/1.1\r\nCookie: \xff=\xfe; yacht=\xff\r\n" + END,
        b"GET / HTTP/1.1\r\nAuthorization: Bearer \xff\r\n" + END,
        b"GET / HTTP/1.1\r\nHost: x:y\r\nConnection: close\r\n\r\n",
        b"GET /g/x/share HTTP/1.1\r\nHost: \xff\r\nConnection: close\r\n\r\n",
        b"POST /games HTTP/1.1\r\nContent-Length: -1\r\n" + END,
        b"POST /games HTTP/1.1\r\nContent-Length: 99999999\r\n" + END,
        b"POST /games HTTP/1.1\r\nTransfer-Encoding: chunked\r\n" + END + b"zz\r\n",
        b"POST /record HTTP/1.1\r\nContent-Type: \xff\r\nContent-Length: 0\r\n" + END,
        b"BREW / HTTP/1.1\r\n" + END,
        b"GET / HTTP/1.1\r\nX: " + b"x" * 100_000 + b"\r\n" + END,
        b"\x16\x03\x01\x02\x00\x01\x00",
        b"\r\n\r\n\r\n",
    ],
    ids=lambda sent: repr(sent[:40]),
)
def test_strange_requests(logged: Logged, sent: bytes) -> None:
    """Whatever comes over the line, it is no 5xx and the server lives."""
    with socket.create_connection(("127.0.0.1", logged.served.port), timeout=5) as line:
        line.sendall(sent)
        line.shutdown(socket.SHUT_WR)
        answer = b""
        while piece := line.recv(65_536):
            answer += piece
    status = answer.split(b" ", 2)[1] if answer.startswith(b"HTTP/") else b""
    assert not status.startswith(b"5"), answer
    assert b"Traceback" not in answer
    assert logged.client.get("healthz").status_code == 200


@pytest.mark.parametrize("start", ["POST /api/v1/rooms", "GET /g/{room}/live", "GET /{long}"])
def test_what_never_ends_is_cut_off(logged: Logged, start: str) -> None:
    """A head or what follows a body is taken up to some size: to keep it all takes the memory."""
    filled = start.format(room=logged.game(), long="x" * 100_000)
    with socket.create_connection(("127.0.0.1", logged.served.port), timeout=5) as line:
        line.sendall(f"{filled} HTTP/1.1\r\nHost: x\r\n".encode())
        if "{long}" not in start:
            line.sendall(b"Transfer-Encoding: chunked\r\n\r\n0\r\n")
        with pytest.raises(ConnectionError):
            line.sendall(b"xxxxxxxx: y\r\n" * 1_500_000)
    assert logged.client.get("healthz").status_code == 200


@pytest.mark.parametrize("behind", [10, 1_000])
def test_requests_that_wait_for_a_stream(logged: Logged, behind: int) -> None:
    """Some requests may wait behind one that isn't answered yet; for a thousand the line ends."""
    stream = f"GET /g/{logged.game()}/live HTTP/1.1\r\nHost: x\r\n\r\n".encode()
    with socket.create_connection(("127.0.0.1", logged.served.port), timeout=5) as line:
        line.sendall(stream + b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n" * behind)
        received, line_ends = b"", False
        while b"event: game" not in received and not line_ends:
            try:
                piece = line.recv(65_536)
            except ConnectionResetError:
                piece = b""
            received, line_ends = received + piece, not piece
    assert line_ends == (behind == 1_000)


def test_what_follows_a_body_is_passed_over(logged: Logged) -> None:
    """A request may have trailers; the next one on the same line is answered too."""
    post = b"POST /record HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    with socket.create_connection(("127.0.0.1", logged.served.port), timeout=5) as line:
        line.sendall(
            post + b"1\r\nx\r\n0\r\nContent-Type: text/html\r\n\r\nGET / HTTP/1.1\r\n" + END
        )
        answers = b""
        while piece := line.recv(65_536):
            answers += piece
    assert answers.startswith(b"HTTP/1.1 415 ")
    assert answers.count(b"HTTP/1.1 200 ") == 1


def test_a_client_that_hangs_up(tmp_path: Path) -> None:
    """Whoever leaves in the middle of a request leaves no trace in the log."""
    with Served(tmp_path) as served, plain_client(base_url=served.address) as client:
        for path in (b"games", b"record", b"api/v1/games"):
            with socket.create_connection(("127.0.0.1", served.port), timeout=5) as line:
                line.sendall(
                    b"POST /" + path + b" HTTP/1.1\r\nContent-Length: 99\r\n" + END + b"half"
                )
            assert client.get("healthz").status_code == 200
        assert served.stop() == ""


@pytest.mark.parametrize("path", ["", "rules", "healthz", "static/game.js", "nothing"])
def test_head(logged: Logged, path: str) -> None:
    """HEAD gets what GET gets, without the body."""
    head, get = logged.client.head(path), logged.client.get(path)
    assert head.status_code == get.status_code
    assert head.content == b""
    for name in ("content-type", "cache-control", "content-security-policy"):
        assert head.headers.get(name) == get.headers.get(name)


def test_head_of_a_stream_ends(logged: Logged) -> None:
    """A stream, which has no end, has no HEAD either, with a slash at its end or without."""
    room = logged.game()
    for path in (f"g/{room}/live", f"api/v1/games/{room}/stream"):
        for slashes in ("", "/", "//"):
            assert logged.client.head(path + slashes).status_code in {404, 405}


def test_links_of_a_server_for_this_computer(logged: Logged) -> None:
    """Who shares a link that only this computer can follow is told so, and how to change it."""
    room = logged.game()
    for host, told in (("localhost:8000", True), ("127.0.0.1", True), ("yacht.example", False)):
        answer = logged.client.get(f"g/{room}/share", headers={"Host": host})
        assert ("--host 0.0.0.0" in answer.text) == told


def test_backup_while_serving(logged: Logged, tmp_path: Path) -> None:
    """All games so far are copied while the server runs; the copy can be served by another."""
    room = logged.game()
    logged.client.post(f"g/{room}", data={"seq": "1", "do": "roll"})
    copy = tmp_path / "copied" / "yacht.db"
    copy.parent.mkdir()
    done = run("backup", copy, "--data", logged.data)
    assert (done.returncode, done.stderr) == (0, "")
    assert str(copy) in done.stdout
    with closing(sqlite3.connect(copy)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert "Name a new file" in sentence(run("backup", copy, "--data", logged.data), 1)
    logged.client.post(f"g/{room}", data={"seq": "3", "do": "roll"})
    with Served(copy.parent) as other, plain_client(base_url=other.address) as client:
        there = client.get(f"api/v1/games/{room}").json()
        here = logged.client.get(f"api/v1/games/{room}").json()
        log = logged.client.get(f"api/v1/games/{room}/log").json()
        assert (there["seq"], here["seq"]) == (3, 4)
        assert there["dice"] == log["turns"][0]["rolls"][0]["dice"]


def test_a_port_in_use(logged: Logged, tmp_path: Path) -> None:
    """A sentence says which port it is and what to do."""
    port = logged.served.port
    told = sentence(run("serve", "--port", str(port), "--data", tmp_path), 1)
    assert told.startswith(f"Port {port} is in use.")
    assert f"--port {port + 1}" in told


def test_a_data_folder_in_use(logged: Logged) -> None:
    """A second server in the same folder is refused; the first goes on."""
    told = sentence(run("serve", "--port", "0", "--data", logged.data), 1)
    assert str(logged.data) in told
    assert "--data" in told
    assert logged.client.get("healthz").status_code == 200


def test_the_access_log(tmp_path: Path) -> None:
    """A line for each request but health checks and counts, without the keys of personal links."""
    logged = Logged(tmp_path)
    with logged.served, logged.client:
        room = logged.game()
        page = parse(logged.client.get(f"g/{room}/share").text)
        key = page.all("input[readonly]")[1]["value"].rpartition("/")[2]
        logged.client.get("healthz")
        logged.client.get("healthz?x")
        logged.client.get("metrics")
        logged.client.get(f"g/{room}/here/{key}")
        logged.client.get(f"g/{room}/here/{key}?x=1")
        logged.client.post(f"g/{room}/here/{key}")
        logged.client.get("en/rules")
        log = logged.served.stop()
    lines = [line for line in log.splitlines() if "HTTP/1.1" in line]
    assert len(lines) == 6
    assert "healthz" not in log
    assert "metrics" not in log
    assert key not in log
    assert sum(f"/g/{room}/here/…" in line for line in lines) == 3
    assert any('"GET /en/rules HTTP/1.1" 200' in line for line in lines)


def test_without_an_access_log(tmp_path: Path) -> None:
    """By default nothing is written for requests, and SIGINT ends it quietly."""
    with Served(tmp_path) as served:
        assert httpx.get(served.address, trust_env=False).status_code == 200
        assert served.stop(signal.SIGINT) == ""
    assert served.process.returncode in {130, -signal.SIGINT}


# ---- starts that fail -------------------------------------------------------------------------

WRONG = {
    "keep-days": "0",
    "host": "a b",
    "port": "eighty",
    "data": "",
    "base-path": "yacht",
    "access-log": "yes",
}


@pytest.mark.parametrize("setting", WRONG)
@pytest.mark.parametrize("by_flag", [True, False])
def test_wrong_settings_are_refused_by_name(
    setting: str,
    *,
    by_flag: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """``yacht serve`` ends with status 2 and a sentence with the setting's name and value."""
    variable = "YACHT_" + setting.upper().replace("-", "_")
    if by_flag:
        status = main(["serve", f"--{setting}", WRONG[setting]])
    else:
        monkeypatch.setenv(variable, WRONG[setting])
        status = main(["serve"])
    out, err = capsys.readouterr()
    assert (status, out) == (2, "")
    name = f"--{setting}" if by_flag else variable
    assert err.startswith(f"{name}: “{WRONG[setting]}” can’t be used: ")
    assert err.count("\n") == 1


def test_a_process_with_a_wrong_setting_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """So does the process, before it listens."""
    monkeypatch.setenv("YACHT_PORT", "70000")
    assert sentence(run("serve"), 2).startswith("YACHT_PORT: “70000” can’t be used: ")


def fails(data: Path, capsys: pytest.CaptureFixture[str], status: int = 1) -> str:
    """The sentence with which ``yacht serve`` in this process refuses to start."""
    assert main(["serve", "--port", "0", "--data", str(data)]) == status
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err


@pytest.mark.parametrize("address", ["mysql://ana:sesame@db/yacht", "postgresql://:sesame@/?x=1"])
def test_a_wrong_database(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    """An address that can't be one of PostgreSQL is refused by name, and isn't repeated."""
    assert main(["serve", "--port", "0", "--database", address]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("--database")
    assert "sesame" not in err
    assert err.count("\n") == 1


def test_a_database_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    """An address where no database answers is told in a sentence without the password."""
    address = "postgresql://ana:sesame@127.0.0.1:1/yacht"
    assert main(["serve", "--port", "0", "--database", address]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("The games can’t be read or written: ")
    assert "sesame" not in err
    assert err.count("\n") == 1


def test_a_database_without_its_package(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without psycopg it is told what to install."""
    monkeypatch.delitem(sys.modules, "yacht.rooms.postgres", raising=False)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    assert main(["serve", "--port", "0", "--database", "postgresql:///yacht"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "pip install 'yacht[postgres]'" in err
    assert err.count("\n") == 1


def test_a_newer_schema(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file of a newer version is left as it is, and told with both versions."""
    with closing(sqlite3.connect(tmp_path / "yacht.db")) as db:
        db.execute("PRAGMA user_version = 99")
    told = fails(tmp_path, capsys)
    assert str(tmp_path / "yacht.db") in told
    assert "newer Yacht" in told
    assert "99" in told
    assert "--data" in told
    with closing(sqlite3.connect(tmp_path / "yacht.db")) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (99,)
        assert db.execute("SELECT * FROM sqlite_master").fetchall() == []


@pytest.mark.parametrize("name", ["yacht.db", "server.lock"])
@pytest.mark.parametrize("what", ["folder", "nonsense"])
def test_a_spoilt_data_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, what: str
) -> None:
    """Files that aren't ours are a sentence, no traceback, and stay as they are."""
    if what == "folder":
        (tmp_path / name).mkdir()
    else:
        (tmp_path / name).write_text("nonsense" * 1000)
    assert fails(tmp_path, capsys).startswith("The games can’t be read or written: ")
    if what == "nonsense":
        assert (tmp_path / name).read_text() == "nonsense" * 1000


def test_a_data_folder_that_is_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A data folder that can't be made is a wrong setting."""
    (tmp_path / "file").write_text("")
    told = fails(tmp_path / "file", capsys, status=2)
    assert "data" in told.lower().partition(":")[0]
    assert str(tmp_path / "file") in told


def test_an_address_that_isnt_ours(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A host that can't be listened on is a wrong setting, whether it is a number or a name."""
    for host in "192.0.2.1", "nowhere.invalid":
        status = main(["serve", "--host", host, "--port", "0", "--data", str(tmp_path)])
        assert status == 2
        assert capsys.readouterr().err == (
            f"--host (YACHT_HOST): “{host}” can’t be used: this computer has no such address.\n"
        )


def test_a_variable_that_means_nothing(tmp_path: Path) -> None:
    """One that is named like a setting and is none, perhaps misspelt, is told of at the start."""
    with Served(tmp_path, environ={"YACHT_KEEPDAYS": "9"}) as served:
        assert served.stop() == "YACHT_KEEPDAYS isn’t a setting of Yacht and has no effect.\n"


def test_the_address_that_friends_need(tmp_path: Path) -> None:
    """A server for others names an address by which they reach it, not the one for all."""
    with Served(tmp_path, "--host", "0.0.0.0") as served:  # noqa: S104 (the very point)
        assert "0.0.0.0" not in served.address  # noqa: S104
        assert httpx.get(f"{served.address}healthz", trust_env=False).json()["status"] == "ok"


def test_nothing_to_back_up(tmp_path: Path) -> None:
    """A folder without games has nothing to copy, and no file is made."""
    told = sentence(run("backup", tmp_path / "copy", "--data", tmp_path / "empty"), 1)
    assert str(tmp_path / "empty") in told
    assert not (tmp_path / "copy").exists()


def test_no_back_up_of_another_place(tmp_path: Path) -> None:
    """Games in a database aren't in the folder: nothing is copied, unless the folder is named."""
    database = {"YACHT_DATABASE": "postgresql://ana:secret@db.example/yacht"}
    told = sentence(run("backup", tmp_path / "copy", **database, YACHT_DATA=str(tmp_path)), 1)
    assert "pg_dump" in told
    assert "secret" not in told
    told = sentence(run("backup", tmp_path / "copy", "--data", tmp_path / "empty", **database), 1)
    assert str(tmp_path / "empty") in told


# ---- below a path (behaviour 40) --------------------------------------------------------------

BASES = ["/yacht", "/a/b", "/r", "/s", "/yacht.v~1"]


def stripping(site: Site) -> Any:
    """The site behind a proxy that takes its path away."""

    async def proxy(scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
        path = scope["path"].removeprefix(site.base) or "/"
        await site.app({**scope, "path": path, "raw_path": path.encode()}, receive, send)

    return proxy


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("stripped", [False, True])
def test_below_a_path(tmp_path: Path, base: str, *, stripped: bool) -> None:
    """Links, redirects, forms, files and errors work below any path, taken away or not."""
    with Site(tmp_path, base=base) as site:
        site.host.bell.close()
        ana = Visitor(site, proxy=stripping(site) if stripped else None)
        room = ana.start("Ana")
        assert str(ana.answer.url) == f"http://yacht.test{base}/g/{room}"
        ana.roll()
        assert len(dice(ana.page)) == 5
        ana.score("choice")
        ana.undo()
        for element in ana.page.all("[href]") + ana.page.all("[src]") + ana.page.all("[action]"):
            for name in {"href", "src", "action"} & set(element.attributes):
                assert element[name].startswith((f"{base}/", "#")), element
        for path in ("/share", "/delete", "/record", "/live"):
            assert ana.get(f"/g/{room}{path}").status_code == 200
        link = ana.open(f"/g/{room}/share").one("input#link1")["value"]
        assert link == f"http://yacht.test{base}/g/{room}"
        for address in ("/en/rules", "/record", "/healthz", "/static/game.js", "/static/yacht.css"):
            assert ana.get(address).status_code == 200
        game = ana.get(f"/api/v1/games/{room}").json()
        assert game["may_act"]
        moved = ana.post(f"/api/v1/games/{room}/moves", json={"seq": game["seq"], "do": "roll"})
        assert moved.status_code == 200
        assert ana.get("/api/v1/nothing").json()["error"]["reason"] == "http_404"
        assert ana.get("/api/v1/games/nothing").json()["error"]["reason"] == "no_such_room"
        assert parse(ana.get("/nothing").text).one("main a")["href"] == f"{base}/"
        ana.open(f"/g/{room}/delete")
        ana.press(ana.page.one("main form button"))
        assert str(ana.answer.url) == f"http://yacht.test{base}/"


def test_a_longer_name_is_another_path(tmp_path: Path) -> None:
    """/yachting isn't below /yacht; /yacht itself is home."""
    with Site(tmp_path, base="/yacht") as site:
        ana = site.visitor()
        assert ana.get("").status_code == 200
        assert ana.get("/").status_code == 200
        for path in ("http://yacht.test/yachting", "http://yacht.test/yachtrules"):
            assert ana.send("GET", path).status_code == 404


def test_a_real_server_below_a_path(tmp_path: Path) -> None:
    """Address, cookie, redirect, stream and files of a real server have the path."""
    with (
        Served(tmp_path, environ={"YACHT_BASE_PATH": "/yacht/"}) as served,
        plain_client(base_url=served.address, timeout=10) as client,
    ):
        root = served.address.removesuffix("/yacht/")
        assert root != served.address
        made = client.post(f"{root}/yacht/games", data={"name": "Ana"})
        place = made.headers["location"]
        assert place.startswith("/yacht/g/")
        assert "path=/yacht;" in made.headers["set-cookie"].lower() + ";"
        page = parse(client.get(root + place).text)
        assert page.one("#tray")["action"] == place
        for element in page.all("link[href]") + page.all("script[src]"):
            address = element.attributes.get("href") or element["src"]
            assert client.get(root + address).status_code == 200, address
        with client.stream("GET", f"{root}{place}/live") as stream:
            pieces = stream.iter_text()
            heard = next(pieces)
            while f'action="{place}"' not in heard:
                heard += next(pieces)
        answer = client.get(f"{root}/yacht/api/v1/nothing")
        assert answer.json()["error"]["reason"] == "http_404"


def test_a_stream_opens_with_a_ping(logged: Logged) -> None:
    """A stream's first bytes are a named ping, so that proxies and pages know it lives."""
    room = logged.game()
    with logged.client.stream("GET", f"g/{room}/live") as stream:
        assert next(stream.iter_bytes()).startswith(live.PING)


def test_environment_and_flags(tmp_path: Path) -> None:
    """A server takes all its settings from variables; a flag wins over its variable."""
    environ: Mapping[str, str] = {"YACHT_DATA": str(tmp_path / "unused"), "YACHT_HOST": "127.0.0.1"}
    with Served(tmp_path / "used", environ=environ) as served:
        assert served.address.startswith("http://127.0.0.1:")
    assert (tmp_path / "used" / "yacht.db").exists()
    assert not (tmp_path / "unused").exists()


def test_nothing_heavy_is_loaded_to_serve() -> None:
    """Serving and short commands start without NumPy, which comes with the first advice.

    Nor is loaded what counts: few servers do.
    """
    loaded = "import sys, yacht.web.server, yacht.cli.main; print(sorted(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", loaded], capture_output=True, text=True, check=True
    )
    assert "'yacht.web.server'" in done.stdout
    assert "'numpy'" not in done.stdout
    assert "'prometheus_client'" not in done.stdout
    assert "'psycopg'" not in done.stdout
