"""Forms that break nothing: whatever is posted, nothing happens but what its poster may do."""

import re
from collections.abc import Sequence
from importlib.resources import files
from urllib.parse import quote

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.web.plain import Site, Visitor
from yacht.engine.game import Keep, Score
from yacht.rooms.entries import Joined
from yacht.rooms.options import Options
from yacht.rooms.room import Room
from yacht.web.visit import new_token, viewer_of

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
ANA, BEN, EVA = (new_token() for _ in range(3))
"""Ana and Ben play in every room of friends, Eva is a stranger."""
WHERE = ("one device", "lobby", "game", "end")


def buttons() -> list[str]:
    """What the buttons of a game's and a lobby's forms do."""
    templates = files("yacht.web") / "templates"
    texts = [(templates / name).read_text() for name in ("_game.html", "_lobby.html")]
    return sorted(set(re.findall(r'name="do" value="([a-z_]+)"', "".join(texts))))


def room_at(site: Site, where: str) -> str:
    """A room as it is then; in the game of friends Ben has rolled."""
    host, ana, ben = site.host, viewer_of(ANA), viewer_of(BEN)

    async def made() -> str:
        if where == "one device":
            room_id = await host.open(ana, "classic", ["Ana", "Ben"])
            await host.act(room_id, ana, 1, Keep())
            return room_id
        options = Options(4, clock=0, hints=True)
        room_id = await host.invite(ana, "Ana", "classic", options)
        await host.join(room_id, ben, "Ben")
        if where == "lobby":
            return room_id
        room = await host.begin(room_id, ana)
        while len(room.turns) < 1 if where == "game" else not room.game.is_over:
            owner = room.owners[room.game.seat]
            room = await host.act(room_id, owner, room.seq, Keep())
            room = await host.act(room_id, owner, room.seq, Score(room.game.open_boxes[0]))
        if where == "game":
            await host.act(room_id, ben, room.seq, Keep())
        return room_id

    return site.run(made())


@pytest.fixture(scope="module")
def over(site: Site) -> str:
    """A game of friends that is over."""
    return room_at(site, "end")


_odd = ["roll", "-1", "0", "1", "1.5", "3", "5", "6", "9", "30", "٣", "99999999999", "true", "on"]
_odd += ["ones", "yacht", "easy", "sum", "Ben", "\0", "<b>"]
_words = st.text(max_size=12) | st.sampled_from(_odd)
_GOOD = {
    "seat": "1",
    "level": "easy",
    "name": "Eva",
    "box": "ones",
    "salt": "letters",
    "places": "3",
    "clock": "60",
    "ruleset": "sum",
    "computer": "",
    "text": "",
}
_spoilt = st.dictionaries(
    st.sampled_from(["do", "seq", "keep", "room", "hints", "file", *_GOOD]) | st.text(max_size=4),
    st.lists(_words, max_size=2),
    max_size=4,
)
_paths = ["", "", "", "/again", "/delete", "/here/x", "/review", "/rooms", "/games"]


def post(visitor: Visitor, path: str, fields: Sequence[tuple[str, str]], *, parts: bool) -> int:
    """The status of what this form gets, sent in parts or as one line."""
    if parts:
        files = [(name, ("x" if value == "3" else None, value.encode())) for name, value in fields]
        return visitor.post(path, files=files or [("x", (None, b""))]).status_code
    body = "&".join(f"{quote(name)}={quote(value)}" for name, value in fields)
    return visitor.post(path, content=body.encode(), headers=FORM).status_code


@settings(max_examples=100)
@given(
    where=st.sampled_from(WHERE),
    do=st.sampled_from(buttons()),
    by=st.sampled_from([BEN, EVA]),
    path=st.sampled_from(_paths),
    spoilt=_spoilt,
    parts=st.booleans(),
)
def test_no_form_breaks_the_server(
    site: Site,
    over: str,
    *,
    where: str,
    do: str,
    by: str,
    path: str,
    spoilt: dict[str, list[str]],
    parts: bool,
) -> None:
    """Each button's form with any fields spoilt: no 5xx, and nothing happens but the poster's own.

    A stranger can sit down in a lobby, and do nothing else anywhere.
    """
    room_id = over if where == "end" else room_at(site, where)
    before = site.run(site.host.room(room_id))
    good = {"do": do, "seq": str(before.seq), **_GOOD}
    fields = [(name, value) for name, value in good.items() if name not in spoilt]
    fields += [(name, value) for name, values in spoilt.items() for value in values]
    outside = path in {"/rooms", "/games"}
    asked = path if outside else f"/g/{room_id}{path}"
    assert post(site.visitor(by), asked, fields, parts=parts) < 500
    check(before, site.run(site.host.room(room_id)), viewer_of(by))


def check(before: Room, after: Room, viewer: str) -> None:
    """What a post has added is its poster's, and nothing that is Ana's has changed."""
    added = after.entries[before.seq :]
    assert after.entries[: before.seq] == before.entries
    assert {entry.by for entry in added} <= {viewer}
    if viewer == viewer_of(EVA):
        assert all(isinstance(entry.event, Joined) for entry in added)
        assert len(added) <= (not before.begun)
    ana = before.names.index("Ana"), after.names.index("Ana")
    mine = [
        (room.owners[seat], room.salts[seat : seat + 1], room.game.cards[seat])
        for room, seat in zip((before, after), ana, strict=True)
    ]
    assert mine[0] == mine[1]


def done(site: Site, where: str, by: str, do: str) -> list[str]:
    """What happens when this button is pressed with all that may go with it.

    Letters for the seal go with no move among friends.
    """
    room_id = room_at(site, where)
    before = site.run(site.host.room(room_id))
    fields = [("do", do), ("seq", str(before.seq)), *_GOOD.items()]
    fields = [field for field in fields if field[0] != "salt" or where == "lobby"]
    assert post(site.visitor(by), f"/g/{room_id}", fields, parts=False) < 500
    after = site.run(site.host.room(room_id))
    return [type(entry.event).__name__ for entry in after.entries[before.seq :]]


def test_the_forms_reach_what_they_are_for(site: Site) -> None:
    """Unspoilt, the forms do what their buttons say; those that can't do it here change nothing."""
    reached = {
        (where, do): done(site, where, BEN, do) for where in ("lobby", "game") for do in buttons()
    }
    assert {key: events for key, events in reached.items() if events} == {
        ("lobby", "begin"): ["Begun"],
        ("lobby", "computer"): ["Joined"],
        ("lobby", "leave"): ["Left"],
        ("lobby", "seal"): ["Salted"],
        ("game", "hint"): ["Hinted"],
        ("game", "roll"): ["Rolled"],
        ("game", "score"): ["Score"],
    }
    assert done(site, "lobby", EVA, "join") == ["Joined"]


def _part(head: bytes, content: bytes) -> bytes:
    """A multipart body with one part."""
    start = b"--b\r\nContent-Disposition: form-data; "
    return start + head + b"\r\n\r\n" + content + b"\r\n--b--"


_heads = st.sampled_from(
    [
        b'name="name"',
        b'name="seq"; filename="x"',
        b'name="name"\r\nContent-Type: text/plain; charset=nonsense',
        b'name="name"\r\nContent-Type: text/plain; charset=utf-16',
        b'name="do"\r\nContent-Transfer-Encoding: base64',
        b"name",
        b'name="\xff"',
        b"",
    ]
)
_kinds = st.sampled_from(
    [
        "application/x-www-form-urlencoded",
        "application/x-www-form-urlencoded; charset=nonsense",
        "multipart/form-data; boundary=b",
        "multipart/form-data",
        "multipart/form-data; boundary=" + "b" * 200,
        "text/html",
        ";",
    ]
)


@settings(max_examples=80)
@given(
    body=st.binary(max_size=80) | st.builds(_part, _heads, st.binary(max_size=20)),
    kind=_kinds,
    path=st.sampled_from(["/games", "/record", "/g/{room}"]),
)
@example(_part(b'name="name"', b"\xff"), "multipart/form-data; boundary=b", "/games")
def test_no_bytes_break_the_server(site: Site, body: bytes, kind: str, path: str) -> None:
    """Whatever bytes are posted as a form of whatever kind, the answer is no 5xx."""
    room = _rooms.setdefault(site, site.game("somebody", "Ana", scores=0))
    answer = site.visitor().post(
        path.format(room=room), content=body, headers={"Content-Type": kind}
    )
    assert answer.status_code < 500


_rooms: dict[Site, str] = {}
