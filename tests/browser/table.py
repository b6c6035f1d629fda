"""A game at the server, brought to any state through the JSON interface."""

import asyncio
import secrets
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Self

import httpx
import msgspec

from yacht.dicelog import LogView
from yacht.engine.dice import fingerprint
from yacht.rooms.entries import Entry, Opened
from yacht.rooms.sqlite import Sqlite
from yacht.rooms.store import Append, Secrets
from yacht.view import GameView
from yacht.web.visit import new_token, viewer_of


class _Created(msgspec.Struct):
    token: str
    game: GameView


class Table:
    """A game that belongs to ``token``, an identity that a browser can have as its cookie."""

    def __init__(self, site: httpx.Client, room: str, token: str) -> None:
        self._site = site
        self.room = room
        self.token = token
        self.path = f"g/{room}"

    @classmethod
    def new(
        cls,
        site: httpx.Client,
        *names: str,
        ruleset: str = "classic",
        token: str = "",
        computers: Sequence[str] = (),
    ) -> Self:
        """Start a game, with another game's token for the same person."""
        opener = cls(site, "", token)
        game = {"names": names, "ruleset": ruleset, "computers": computers}
        answer = opener._ask("POST", "games", json=game)
        made = msgspec.json.decode(answer.content, type=_Created)
        return cls(site, made.game.room, made.token)

    @classmethod
    def sealed(cls, site: httpx.Client, database: Path, seed: bytes, *names: str) -> Self:
        """A new game whose dice are known beforehand, written into the server's own database."""
        token = new_token()
        owner, room = viewer_of(token), secrets.token_urlsafe(12)
        entry = Entry(owner, Opened("classic", names, fingerprint(seed), owner))

        async def write() -> None:
            store = Sqlite(database)
            await store.create(Secrets(seed, seed), Append(room, 0, [entry], [owner]))
            await store.close()

        with ThreadPoolExecutor(1) as aside:  # Playwright has an event loop in this thread
            aside.submit(asyncio.run, write()).result()
        return cls(site, room, token)

    @classmethod
    def invite(cls, site: httpx.Client, name: str, **options: object) -> Self:
        """A room of friends, its first seat taken: ``clock``, ``hints`` and ``places`` as given."""
        answer = cls(site, "", "")._ask("POST", "rooms", json={"name": name, **options})
        made = msgspec.json.decode(answer.content, type=_Created)
        return cls(site, made.game.room, made.token)

    @classmethod
    def friends(cls, site: httpx.Client, *names: str, **options: object) -> list[Self]:
        """A room of friends, all of them seated and the game begun: a table for each."""
        first = cls.invite(site, names[0], **options)
        seated = [first, *(first.join(name) for name in names[1:])]
        first.sit("begin")
        return seated

    def join(self, name: str) -> Self:
        """The next seat, taken by somebody else."""
        taken = type(self)(self._site, self.room, "").sit("join", name=name)
        return self.of(taken.token)

    def of(self, token: str, room: str = "") -> Self:
        """The same room, or another one, as somebody else has it."""
        return type(self)(self._site, room or self.room, token)

    def sit(self, do: str, **act: object) -> _Created:
        """What can be done about seats: join, computer, leave, begin, help."""
        if do in {"computer", "leave", "help"}:
            act.setdefault("seq", self.now.seq)
        answer = self._ask("POST", f"games/{self.room}/seats", json={"do": do, **act})
        return msgspec.json.decode(answer.content, type=_Created)

    def again(self) -> Self:
        """The next game of the same players."""
        seen = msgspec.json.decode(
            self._ask("POST", f"games/{self.room}/again").content, type=GameView
        )
        return self.of(self.token, seen.room)

    @property
    def now(self) -> GameView:
        """The game as its owner sees it at this moment."""
        answer = self._ask("GET", f"games/{self.room}")
        return msgspec.json.decode(answer.content, type=GameView)

    @property
    def log(self) -> LogView:
        """Every throw so far."""
        answer = self._ask("GET", f"games/{self.room}/log")
        return msgspec.json.decode(answer.content, type=LogView)

    def roll(self, *keep: int) -> Self:
        self._play(self.now, do="roll", keep=keep)
        return self

    def score(self, box: str = "") -> Self:
        """Write the dice in ``box``, or in the open box that pays most."""
        seen = self.now
        self._play(seen, do="score", box=box or _dearest(seen))
        return self

    def undo(self) -> Self:
        self._play(self.now, do="undo")
        return self

    def turns(self, count: int) -> Self:
        """Play so many turns, each with one roll."""
        seen = self.now
        for _ in range(count):
            seen = self._play(seen, do="roll")
            seen = self._play(seen, do="score", box=_dearest(seen))
        return self

    def _play(self, seen: GameView, **move: object) -> GameView:
        answer = self._ask("POST", f"games/{self.room}/moves", json={"seq": seen.seq, **move})
        return msgspec.json.decode(answer.content, type=GameView)

    def _ask(self, method: str, path: str, **content: Any) -> httpx.Response:
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        answer = self._site.request(method, f"api/v1/{path}", headers=headers, **content)
        self._site.cookies.clear()  # an identity is shown on purpose, never by the way
        assert answer.is_success, answer.text
        return answer


def _dearest(seen: GameView) -> str:
    return max(seen.points, key=seen.points.__getitem__)


def take_turns(friends: Sequence[Table], turns: int) -> None:
    """Play so many turns, each by whose it is, each with one roll."""
    for _ in range(turns):
        friends[friends[0].now.seat].turns(1)


class Opening:
    """Opens games at a server: ``table("Ana", "Ben")`` on one device, and rooms of friends."""

    def __init__(self, site: httpx.Client) -> None:
        self._site = site

    def __call__(self, *names: str, token: str = "", computers: Sequence[str] = ()) -> Table:
        return Table.new(self._site, *names, token=token, computers=computers)

    def invite(self, name: str, **options: object) -> Table:
        return Table.invite(self._site, name, **options)

    def friends(self, *names: str, **options: object) -> list[Table]:
        return Table.friends(self._site, *names, **options)

    def of(self, room: str, token: str) -> Table:
        """A game that was started on a page."""
        return Table(self._site, room, token)
