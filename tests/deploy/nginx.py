"""An nginx of a test's own with the site in deploy/, before real servers."""

import os
import shutil
import signal
import socket
import ssl
import subprocess
import time
from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Self

import httpx

SITE = Path("deploy/nginx.conf")
_SECONDS = 10
_MAIN = """
{user}
daemon off;
pid {folder}/pid;
worker_processes 2;
events {{ worker_connections 256; }}
http {{
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    gzip on;
    proxy_ignore_headers X-Accel-Buffering;
    include {folder}/site.conf;
}}
"""
"""What is Debian's part, in a folder of our own; gzip is on there too.

That the servers ask for no buffering isn't heard: the site has to see to it itself.
"""


def _program() -> Sequence[str]:
    """It must not outlive us, however we end; its folder is one that only root's path has."""
    found = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    assert found, "nginx isn't here: sh tests/nginx.sh"
    return ("setpriv", "--pdeathsig", "TERM", found) if shutil.which("setpriv") else (found,)


def free_ports(count: int) -> list[int]:
    """Ports where nobody listens."""
    with ExitStack() as stack:
        taken = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(count)]
        return [listener.getsockname()[1] for listener in taken]


class Nginx:
    """It listens with TLS at ``address``, which ends with a slash. Use it in a ``with``."""

    def __init__(self, folder: Path, upstreams: Sequence[int], base: str = "") -> None:
        self._folder = folder
        self.certificate = folder / "certificate.pem"
        self._make_certificate()
        port, self.plain_port, *others = free_ports(4)
        self.address = f"https://127.0.0.1:{port}{base}/"
        changes = {
            "server 127.0.0.1:8001": f"server 127.0.0.1:{upstreams[0]}",
            "server 127.0.0.1:8002": f"server 127.0.0.1:{upstreams[1]}",
            "listen 443": f"listen 127.0.0.1:{port}",
            "listen 80": f"listen 127.0.0.1:{self.plain_port}",
            "listen [::]:443": f"listen 127.0.0.1:{others[0]}",
            "listen [::]:80": f"listen 127.0.0.1:{others[1]}",
            "# ssl_certificate /etc/letsencrypt/live/yacht.example/fullchain.pem": (
                f"ssl_certificate {self.certificate}"
            ),
            "# ssl_certificate_key /etc/letsencrypt/live/yacht.example/privkey.pem": (
                f"ssl_certificate_key {folder}/key.pem"
            ),
            "/var/lib/nginx/yacht": f"{folder}/cache",
            "/var/log/nginx/yacht.log": f"{folder}/log",
            "location / {": f"location {base}/ {{",
        }
        site = SITE.read_text()
        for shipped, ours in changes.items():
            assert site.count(shipped) == 1, shipped
            site = site.replace(shipped, ours)
        (folder / "site.conf").write_text(site)
        user = "" if os.geteuid() else "user root;"  # the folder is ours alone
        (folder / "nginx.conf").write_text(_MAIN.format(folder=folder, user=user))
        self._process = subprocess.Popen(
            [*_program(), "-e", "stderr", "-p", folder, "-c", folder / "nginx.conf"],
            stderr=subprocess.PIPE,
            text=True,
        )
        self._wait(port)
        self.tls = ssl.create_default_context(cafile=self.certificate)

    def client(self) -> httpx.Client:
        """A client by HTTP/1.1."""
        return httpx.Client(
            base_url=self.address, trust_env=False, verify=self.tls, timeout=_SECONDS
        )

    def curl(self, path: str, *flags: str) -> Sequence[str]:
        """The command that asks for a path, and writes the answer's head, too, as it comes."""
        command = ("curl", "-q", "--silent", "--no-buffer", "--include", "--noproxy", "*")
        return (*command, "--cacert", str(self.certificate), *flags, self.address + path)

    @contextmanager
    def stream(self, path: str, version: str) -> Generator["Streamed"]:
        """A stream that stays open."""
        limit = ("--max-time", str(_SECONDS))  # less than the pause between two signs of life
        command = self.curl(path, f"--http{version}", *limit)
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            yield Streamed(process)
            process.terminate()

    def stop(self) -> list[str]:
        """End it once all requests have ended, and give the lines of its log."""
        self._process.send_signal(signal.SIGQUIT)
        self.errors = self._process.communicate(timeout=_SECONDS)[1]
        return (self._folder / "log").read_text().splitlines()

    def _wait(self, port: int) -> None:
        end = time.monotonic() + _SECONDS
        while True:
            with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                return
            if self._process.poll() is not None or time.monotonic() > end:
                self._process.kill()
                raise AssertionError(self._process.communicate()[1])
            time.sleep(0.01)

    def _make_certificate(self) -> None:
        command = (
            "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1"
        )
        names = ["-subj", "/CN=yacht.example", "-addext", "subjectAltName=IP:127.0.0.1"]
        files = ["-keyout", self._folder / "key.pem", "-out", self.certificate]
        subprocess.run([*command.split(), *names, *files], check=True, capture_output=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self._process.terminate()
            self._process.communicate()


class Streamed:
    """A stream's lines, as they come."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        self._lines, self._process = process.stdout, process

    def until(self, start: str) -> str:
        """The first line from here on that starts so; it fails when the stream ends."""
        for line in self._lines:
            if line.startswith(start):
                return line.rstrip()
        raise AssertionError(f"the stream ended before {start!r}")

    @property
    def open(self) -> bool:
        return self._process.poll() is None
