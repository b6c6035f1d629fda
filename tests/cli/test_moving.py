"""``yacht move``: every game comes to the database as it is, once, and nothing is written over."""

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.conftest import Call
from tests.postgres import PASSWORD, Cluster
from tests.rooms.playing import ANA, BEN, found_in, opened, play_to_the_end
from tests.rooms.told import LOGS, ROOMS
from yacht.engine.game import Keep
from yacht.rooms.host import Host
from yacht.rooms.options import Options
from yacht.rooms.sheet import Player, Sheet
from yacht.rooms.sqlite import Sqlite

MEMBERS = "SELECT viewer, room FROM member ORDER BY 1, 2"
STANDINGS = "SELECT id, begun, due FROM room ORDER BY 1"
SHEETS = "SELECT id, keeper, number, at, body FROM sheet ORDER BY 1"
ALL = (f"{ROOMS} ORDER BY 1", LOGS, MEMBERS, STANDINGS, SHEETS)


async def _played(file: Path) -> None:
    """Games over, begun and opened, on one device and of friends; and two sheets that are shown."""
    host = Host(Sqlite(file))
    await play_to_the_end(host, await opened(host))
    await host.act(await opened(host, "Ana"), ANA, 1, Keep())
    await host.invite(ANA, "Ana", "classic", Options(2))
    friends = await host.invite(ANA, "Ana", "sum", Options(3, 30))
    await host.join(friends, BEN, "Ben 🎲", b"salt")
    await host.begin(friends, BEN)
    for _ in range(60):
        await opened(host, "Eva")
    for keeper, number in (ANA, 1), (BEN, 2**53 - 1):
        sheet = Sheet("sum", (Player("Ana 🎲", {"yacht": 50}),))
        await host.sheets.show(keeper, number, sheet)
    await host.store.close()


@pytest.fixture
def file(data: Path) -> Path:
    asyncio.run(_played(data / "yacht.db"))
    return data / "yacht.db"


@pytest.fixture
def url(cluster: Cluster) -> str:
    return cluster.new()


def here(file: Path) -> list[Sequence[object]]:
    """All that is in the folder."""
    with closing(sqlite3.connect(file)) as db:
        return [db.execute(sql).fetchall() for sql in ALL]


@pytest.fixture
def there(cluster: Cluster, url: str) -> Callable[[], list[Sequence[object]]]:
    """All that is in the database."""
    return lambda: [cluster.run(sql, url) for sql in ALL]


def test_all_games_are_moved(yacht: Call, file: Path, url: str, there: Callable[[], object]):
    """Everything is in the database as it was in the folder, and again is no harm."""
    before = here(file)
    ended = yacht("move", "--to", url)
    assert (ended.status, ended.err) == (0, "")
    assert ended.out.splitlines()[:2] == ["64 games are copied.", "2 scorecards are copied."]
    assert there() == before == here(file)
    ended = yacht("move", "--to", url)
    assert ended.status == 0
    assert ended.out.splitlines() == [
        "0 games are copied.",
        "64 games were there already.",
        "2 scorecards were there already.",
        "Every entry was compared: all games and scorecards are in the database.",
    ]
    assert there() == before
    assert PASSWORD not in ended.out + ended.err


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE log SET by = 'x' WHERE seq = 1 AND room = '{room}'",
        "DELETE FROM log WHERE seq > 1 AND room = '{room}'",
        "UPDATE room SET link = '' WHERE id = '{room}'",
        "UPDATE room SET result = NULL WHERE id = '{room}'",
        "DELETE FROM member WHERE room = '{room}'",
    ],
)
def test_another_game_there(
    yacht: Call, file: Path, url: str, cluster: Cluster, there: Callable[[], object], *, change: str
):
    """A game that is there and differs in anything is named, and left as it is."""
    yacht("move", "--to", url)
    with closing(sqlite3.connect(file)) as db:
        [(room,)] = db.execute("SELECT id FROM room WHERE result IS NOT NULL").fetchall()
    cluster.run(change.format(room=room), url)
    before = there()
    ended = yacht("move", "--to", url)
    assert ended.status == 1
    assert room in ended.out.splitlines()[0]
    assert "Nothing was changed here." in ended.err
    assert there() == before


@pytest.mark.parametrize("change", ["number = 7", "body = ''", "keeper = ''", "at = 0"])
def test_another_sheet_there(
    yacht: Call, file: Path, url: str, cluster: Cluster, there: Callable[[], object], *, change: str
):
    """A scorecard that is there and differs in anything is named, and left as it is."""
    yacht("move", "--to", url)
    cluster.run(f"UPDATE sheet SET {change} WHERE number = 1", url)  # noqa: S608 (our own words)
    before, [sheet] = there(), found_in(file, "SELECT id FROM sheet WHERE number = 1")
    ended = yacht("move", "--to", url)
    assert ended.status == 1
    assert ended.out.splitlines()[0] == f"The scorecard {sheet} is there, but not as it is here."
    assert there() == before


def test_a_game_that_cant_be_read(yacht: Call, file: Path, url: str):
    """A game that can't be read is named, and the others are moved."""
    with closing(sqlite3.connect(file)) as db, db:
        [(room,)] = db.execute("SELECT id FROM room LIMIT 1").fetchall()
        db.execute("UPDATE log SET event = 'burnt paper' WHERE room = ?", (room,))
    ended = yacht("move", "--to", url)
    assert ended.status == 1
    assert ended.out.splitlines() == [
        f"The game {room} can’t be read.",
        "63 games are copied.",
        "2 scorecards are copied.",
    ]


DAMAGE = [
    """UPDATE log SET event = '{"type":"begun"}' WHERE seq = 1 AND room = ?""",
    """UPDATE log SET event = '{"type":"joined","name":"x"}' WHERE seq = 1 AND room = ?""",
    "UPDATE log SET event = x'7b7d' WHERE room = ?",
    "UPDATE log SET event = CAST(x'ff' AS TEXT) WHERE room = ?",
    "UPDATE log SET seq = seq + 1 WHERE room = ?",
    "UPDATE log SET at = 'x' WHERE room = ?",
    "UPDATE log SET by = CAST(x'610062' AS TEXT) WHERE room = ?",
    "UPDATE log SET by = CAST(x'ff' AS TEXT) WHERE room = ?",
    "UPDATE log SET by = x'ff' WHERE room = ?",
    "DELETE FROM log WHERE room = ?",
    'INSERT INTO log SELECT room, 2, at, by, \'{"type":"left","seat":7}\' FROM log WHERE room = ?',
    "UPDATE room SET result = '{' WHERE id = ?",
    "UPDATE room SET result = CAST(x'ff' AS TEXT) WHERE id = ?",
    "UPDATE room SET seed = 'abc' WHERE id = ?",
    "UPDATE room SET due = 'abc' WHERE id = ?",
    "UPDATE room SET begun = 'abc' WHERE id = ?",
    "UPDATE room SET begun = 9999999999 WHERE id = ?",
    "UPDATE member SET viewer = CAST(x'610062' AS TEXT) WHERE room = ?",
    "UPDATE member SET viewer = CAST(x'ff' AS TEXT) WHERE room = ?",
]


def test_damaged_games(yacht: Call, file: Path, url: str, cluster: Cluster):
    """However a game is damaged it is named and not copied, and all others are."""
    with closing(sqlite3.connect(file)) as db, db:
        rooms = [
            room for (room,) in db.execute("SELECT room FROM log GROUP BY room HAVING count(*) = 1")
        ]
        damaged = sorted(rooms[: len(DAMAGE)])
        for change, room in zip(DAMAGE, damaged, strict=True):
            assert db.execute(change, (room,)).rowcount == 1
    ended = yacht("move", "--to", url)
    assert ended.status == 1
    assert ended.out.splitlines() == [
        *(f"The game {room} can’t be read." for room in damaged),
        f"{64 - len(DAMAGE)} games are copied.",
        "2 scorecards are copied.",
    ]
    copied = {room for (room,) in cluster.run("SELECT id FROM room", url)}
    assert len(copied) == 64 - len(DAMAGE)
    assert not copied & set(damaged)


def test_a_move_that_was_cut_short(
    yacht: Call, file: Path, url: str, cluster: Cluster, there: Callable[[], object]
):
    """What is missing in the database is copied by the next try."""
    yacht("move", "--to", url)
    cluster.run("DELETE FROM room WHERE id IN (SELECT id FROM room LIMIT 10)", url)
    cluster.run("DELETE FROM sheet WHERE number = 1", url)
    ended = yacht("move", "--to", url)
    assert ended.status == 0
    assert ended.out.splitlines()[:4] == [
        "10 games are copied.",
        "1 scorecard is copied.",
        "54 games were there already.",
        "1 scorecard was there already.",
    ]
    assert there() == here(file)


@pytest.mark.parametrize("to", ["", "nonsense", "mysql://ana:sesame@db/yacht"])
def test_no_address(yacht: Call, file: Path, to: str):
    """What is no address of PostgreSQL is refused by name, and not repeated."""
    ended = yacht("move", "--to", to)
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.startswith("--to: ")
    assert "sesame" not in ended.err


def test_nothing_to_move(yacht: Call, data: Path):
    """A folder without games is told, before any database is asked."""
    ended = yacht("move", "--to", "postgresql://127.0.0.1:1/yacht")
    assert (ended.status, ended.out) == (1, "")
    assert str(data) in ended.err
