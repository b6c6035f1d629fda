"""The JSON interface: what it answers, what it refuses, and that its document is true."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import httpx
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.web.plain import Site, Visitor
from tests.web.schema import Schema, problems, references, resolve
from yacht.engine.game import Keep, Score, UndoScore
from yacht.engine.notation import decode_record, verify
from yacht.engine.rules import CLASSIC, RULESETS
from yacht.web.api import API

GAMES = "/api/v1/games"


@pytest.fixture
def bot(site: Site) -> Visitor:
    """A program: it keeps no cookies, and its token once it has one."""
    return site.visitor()


def create(visitor: Visitor, *names: str, **fields: object) -> dict[str, Any]:
    """A game made through the interface; from here on the visitor shows its token alone."""
    answer = visitor.post(GAMES, json={"names": names or ("Ana",), **fields})
    assert answer.status_code == 201
    visitor.client.cookies.clear()
    visitor.client.headers["Authorization"] = f"Bearer {answer.json()['token']}"
    return answer.json()["game"]


def move(visitor: Visitor, game: Mapping[str, Any], **fields: object) -> httpx.Response:
    body = {"seq": game["seq"], **fields}
    return visitor.post(f"{GAMES}/{game['room']}/moves", json=body)


def refused(answer: httpx.Response, status: int, reason: str) -> dict[str, Any]:
    """The error of an answer, which has the one shape that all have."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/json"
    told = answer.json()
    assert set(told) == {"error", "game"}
    assert set(told["error"]) == {"reason", "message", "detail"}
    assert told["error"]["reason"] == reason
    assert told["error"]["message"][-1] == "."
    return told


# ---- a game -----------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_whole_game(bot: Visitor, ruleset: str) -> None:
    """A program plays a game to its end by the numbers and points that each answer gives."""
    game = create(bot, "Ana", "Ben", ruleset=ruleset)
    assert (game["seq"], game["dice"], game["seed"]) == (1, [], None)
    while not game["over"]:
        game = move(bot, game, do="roll").json()
        game = move(bot, game, do="roll", keep=[0, 2]).json()
        assert game["kept"] == [0, 2]
        box, points = max(game["points"].items(), key=lambda item: item[1])
        seat = game["seat"]
        game = move(bot, game, do="score", box=box).json()
        assert game["seats"][seat]["boxes"][box] == points
    log = bot.get(f"{GAMES}/{game['room']}/log").json()
    assert len(log["turns"]) == 24
    assert log["turns"][-1] == game["last_turn"]
    assert {seat["rank"] for seat in game["seats"]} <= {1, 2}
    record = decode_record(bot.get(f"{GAMES}/{game['room']}/record").text)
    verify(record)
    assert [card.total for card in record.game.cards] == [s["total"] for s in game["seats"]]
    assert record.seed
    assert record.seed.hex() == game["seed"]


def test_state_is_what_a_move_answers(bot: Visitor) -> None:
    """A move's answer is the game's state as this identity then gets it."""
    game = create(bot)
    answer = move(bot, game, do="roll")
    assert answer.json() == bot.get(f"{GAMES}/{game['room']}").json()


def test_points_preview_every_open_box(bot: Visitor) -> None:
    """``points`` has each open box while there are dice, and nothing before."""
    game = create(bot)
    assert game["points"] == {}
    game = move(bot, game, do="roll").json()
    assert list(game["points"]) == [category.key for category in CLASSIC.categories]
    game = move(bot, game, do="score", box="ones").json()
    game = move(bot, game, do="roll").json()
    assert "ones" not in game["points"]


def test_undo(bot: Visitor) -> None:
    """A score is taken back while nothing has been rolled since."""
    game = move(bot, create(bot), do="roll").json()
    scored = move(bot, game, do="score", box="choice").json()
    assert scored["may_undo"]
    undone = move(bot, scored, do="undo").json()
    assert {**undone, "seq": 0, "last": 0} == {**game, "seq": 0, "last": 0}
    refused(move(bot, undone, do="undo"), 422, "nothing_to_undo")


def test_seats_add_bytes_to_the_seal(bot: Visitor) -> None:
    """Bytes come in hex, one text for each seat, with the first roll."""
    game = create(bot, "Ana", "Ben")
    assert game["seat_bytes"] is None
    game = move(bot, game, do="roll", seat_bytes=["416e61", ""]).json()
    assert game["seat_bytes"] == ["416e61", ""]
    again = move(bot, game, do="roll", seat_bytes=["ff", "ff"]).json()
    assert again["seat_bytes"] == ["416e61", ""]


def test_keep_is_a_set_of_positions(bot: Visitor) -> None:
    """A die that is named twice is kept once."""
    game = move(bot, create(bot), do="roll").json()
    rolled = move(bot, game, do="roll", keep=[3, 3, 1]).json()
    assert rolled["kept"] == [1, 3]
    assert [rolled["dice"][place] for place in (1, 3)] == [game["dice"][p] for p in (1, 3)]


def test_a_game_with_a_computer(site: Site, bot: Visitor) -> None:
    """Each seat says who plays it; in a computer's turn nothing but the last score can be moved."""
    game = create(bot, "Ana", "Bob", computers=["", "strong"])
    assert [seat["computer"] for seat in game["seats"]] == ["", "strong"]
    game = move(bot, game, do="roll").json()
    refused(move(bot, game, do="undo"), 422, "nothing_to_undo")
    game = move(bot, game, do="score", box="choice").json()
    assert (game["mine"], game["may_act"], game["may_undo"]) == (True, False, True)
    refused(move(bot, game, do="roll"), 422, "computers_seat")
    assert move(bot, game, do="undo").status_code == 200
    game = move(bot, {**game, "seq": game["seq"] + 1}, do="score", box="ones").json()
    while not game["may_act"]:
        site.run(site.host.step(game["room"], game["seq"]))
        game = bot.get(f"{GAMES}/{game['room']}").json()
        assert not game["may_undo"]
        refused(move(bot, game, do="undo"), 422, "nothing_to_undo")
    assert [
        faces["thrown"] >= 5 for faces in bot.get(f"{GAMES}/{game['room']}/log").json()["faces"]
    ]
    assert "computer 2: strong\n" in bot.get(f"{GAMES}/{game['room']}/record").text


# ---- identities -------------------------------------------------------------------------------


def test_a_token_and_a_cookie_are_one_identity(site: Site, ana: Visitor) -> None:
    """A browser's game can be played on with its token, and the other way round."""
    room = ana.start("Ana")
    program = site.visitor(ana.token)
    game = program.get(f"{GAMES}/{room}").json()
    assert game["may_act"]
    assert move(program, game, do="roll").status_code == 200
    assert ana.open(f"/g/{room}").all("#score")


def test_creating_with_a_token_keeps_it(bot: Visitor) -> None:
    """A second game belongs to the same identity; no new token is made."""
    create(bot)
    token = bot.client.headers["Authorization"]
    create(bot)
    assert bot.client.headers["Authorization"] == token


def test_the_created_cookie_is_the_token(bot: Visitor) -> None:
    """A browser's script that creates a game has the identity in its cookie as well."""
    answer = bot.post(GAMES, json={"names": ["Ana"]})
    assert bot.token == answer.json()["token"]


@pytest.mark.parametrize("token", ["", "x", "x" * 43, "é" * 43, "x" * 44, " " * 43])
def test_a_foreign_token_watches(site: Site, bot: Visitor, token: str) -> None:
    """Without the owner's token the state can be seen; a move is refused with 403."""
    game = create(bot)
    stranger = site.visitor()
    bearer = {"Authorization": f"Bearer {token}".encode()}
    seen = stranger.get(f"{GAMES}/{game['room']}", headers=bearer).json()
    assert not seen["may_act"]
    answer = stranger.post(
        f"{GAMES}/{game['room']}/moves", json={"do": "roll", "seq": 1}, headers=bearer
    )
    refused(answer, 403, "not_yours")
    assert bot.get(f"{GAMES}/{game['room']}").json() == game


# ---- numbers ----------------------------------------------------------------------------------


def test_a_stale_move_gets_the_game(bot: Visitor) -> None:
    """A different move at a number that is past gets 409 with the game as it is now."""
    game = create(bot)
    now = move(bot, game, do="roll").json()
    told = refused(move(bot, game, do="undo"), 409, "stale")
    assert told["game"] == now
    told = refused(move(bot, {**game, "seq": 10**30}, do="roll"), 409, "stale")
    assert told["game"] == now


def test_a_resend_gets_the_state(bot: Visitor) -> None:
    """The same move at the same number again, even much later, happens once."""
    game = move(bot, create(bot), do="roll").json()
    first = move(bot, game, do="score", box="choice")
    assert move(bot, game, do="score", box="choice").json() == first.json()
    later = move(bot, first.json(), do="roll").json()
    assert move(bot, game, do="score", box="choice").json() == later


# ---- strict reading ---------------------------------------------------------------------------

BAD_MOVES = [
    *(f'{{"do": "roll", "seq": {seq}}}' for seq in ('"1"', "1.0", "1e0", "true", "null", "[1]")),
    *(f'{{"do": "roll", "seq": {seq}}}' for seq in ("-1", "NaN", "01", "1_0", "0x1", "{}")),
    *(
        f'{{"do": "roll", "seq": 3, "keep": {keep}}}'
        for keep in ("[5]", "[-1]", "[1.5]", "[1.0]", '["0"]', "[true]", "[null]", "[[0]]")
    ),
    *(
        f'{{"do": "roll", "seq": 3, "keep": {keep}}}'
        for keep in ("null", "0", '"0"', "{}", "[0, 1, 2, 3, 4, 0]")
    ),
    '{"do": "roll", "seq": 3, "dice": [6, 6, 6, 6, 6]}',
    '{"do": "roll", "seq": 3, "box": "ones"}',
    *(
        f'{{"do": "roll", "seq": 3, "seat_bytes": {added}}}'
        for added in ('["f"]', '["FF"]', '["zz"]', '["00\\n"]', "[0]", f'["{"00" * 33}"]', '"00"')
    ),
    '{"do": "score", "seq": 3}',
    *(f'{{"do": "score", "seq": 3, "box": {box}}}' for box in ("null", "0", "true", '["ones"]')),
    '{"do": "score", "seq": 3, "box": "ones", "points": 50}',
    '{"do": "undo", "seq": 3, "box": "ones"}',
    *(f'{{"do": {do}, "seq": 3}}' for do in ('"jump"', '"Roll"', "null", "1", '""')),
    '{"seq": 3}',
    '{"do": "roll"}',
    '{"do": "roll", "seq": 3} {}',
    '{"do": "roll", "seq": 3,}',
    "{'do': 'roll', 'seq': 3}",
    *("", " ", "null", "1", "[]", "{}", '"roll"', "{", "\ufeff{}", "\x00", "[" * 30_000),
]


def test_moves_are_read_strictly(bot: Visitor) -> None:
    """What isn't exactly of the documented form gets 400 with a detail, and nothing happens."""
    game = move(bot, create(bot), do="roll").json()
    path = f"{GAMES}/{game['room']}"
    for body in BAD_MOVES:
        answer = bot.post(
            f"{path}/moves", content=body.encode(), headers={"Content-Type": "application/json"}
        )
        assert refused(answer, 400, "http_400")["error"]["detail"], body
    assert bot.get(path).json() == game


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"do": "roll", "keep": [0, 1, 2, 3, 4]}, "all_kept"),
        ({"do": "score", "box": "jackpot"}, "unknown_category"),
        ({"do": "score", "box": ""}, "unknown_category"),
        ({"do": "score", "box": "Ones"}, "unknown_category"),
        ({"do": "undo"}, "nothing_to_undo"),
    ],
)
def test_rules_refuse_by_name(bot: Visitor, fields: dict[str, Any], reason: str) -> None:
    """What the rules refuse gets 422 with the reason's stable key, and nothing happens."""
    game = move(bot, create(bot), do="roll").json()
    refused(move(bot, game, **fields), 422, reason)
    assert bot.get(f"{GAMES}/{game['room']}").json() == game


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"do": "roll", "keep": [0]}, "nothing_to_keep"),
        ({"do": "score", "box": "ones"}, "not_rolled"),
        ({"do": "undo"}, "nothing_to_undo"),
        ({"do": "roll", "seat_bytes": ["00", "00"]}, "wrong_seats"),
    ],
)
def test_rules_before_the_first_roll(bot: Visitor, fields: dict[str, Any], reason: str) -> None:
    """Before the first roll nothing can be held, scored or taken back."""
    game = create(bot)
    refused(move(bot, game, **fields), 422, reason)
    assert bot.get(f"{GAMES}/{game['room']}").json() == game


@pytest.mark.parametrize(
    "body",
    [
        *('{"names": []}', '{"names": "Ana"}', '{"names": [1]}', '{"names": [null]}'),
        *('{"names": null}', '{"name": ["Ana"]}', '{"names": ["Ana"], "seats": 2}'),
        *('{"names": ["Ana"], "ruleset": null}', '{"names": ["Ana"], "ruleset": 1}', "", "null"),
        json.dumps({"names": [f"P{n}" for n in range(9)]}),
        r'{"names": ["\ud800"]}',
        '{"names": ["Ana"], "computers": "easy"}',
        '{"names": ["Ana"], "computers": [null]}',
        json.dumps({"names": ["Ana"], "computers": [""] * 9}),
    ],
)
def test_new_games_are_read_strictly(bot: Visitor, body: str) -> None:
    """A game needs 1 to 8 names as text and nothing that isn't documented."""
    answer = bot.post(GAMES, content=body, headers={"Content-Type": "application/json"})
    refused(answer, 400, "http_400")
    assert not bot.token


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"names": [""]}, "bad_name"),
        ({"names": ["Ana", "  "]}, "bad_name"),
        ({"names": ["x" * 25]}, "bad_name"),
        ({"names": ["a\u0000b"]}, "bad_name"),
        ({"names": ["\u202eevil"]}, "bad_name"),
        ({"names": ["Ana"], "ruleset": "house"}, "unknown_ruleset"),
        ({"names": ["Ana", "Bob"], "computers": ["", "good"]}, "unknown_level"),
        ({"names": ["Ana", "Bob"], "computers": ["easy"]}, "level_count"),
        ({"names": ["Ana"], "computers": ["", "easy"]}, "level_count"),
        ({"names": ["Ana", "Bob"], "computers": ["exact", "easy"]}, "no_person"),
        ({"names": ["Ana"], "computers": ["exact"]}, "no_person"),
    ],
)
def test_new_games_have_rules(bot: Visitor, fields: dict[str, Any], reason: str) -> None:
    """Names that can't be and rulesets that aren't are refused by name, and no game is made."""
    refused(bot.post(GAMES, json=fields), 422, reason)
    assert not bot.token


@pytest.mark.parametrize(
    "kind",
    [
        *("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"),
        *("application/x-msgpack", "application/jsonp", "json", "", None),
    ],
)
def test_bodies_are_json_by_their_type(bot: Visitor, kind: str | None) -> None:
    """A body of another content type, such as a foreign form could send, gets 415."""
    game = create(bot)
    body = b'{"do": "roll", "seq": 1}'
    headers = {} if kind is None else {"Content-Type": kind}
    answer = bot.post(f"{GAMES}/{game['room']}/moves", content=body, headers=headers)
    refused(answer, 415, "http_415")
    assert bot.get(f"{GAMES}/{game['room']}").json() == game


def test_json_may_name_its_charset(bot: Visitor) -> None:
    """Parameters of the content type don't matter."""
    game = create(bot)
    answer = bot.post(
        f"{GAMES}/{game['room']}/moves",
        content=b'{"do": "roll", "seq": 1}',
        headers={"Content-Type": "Application/JSON; charset=utf-8"},
    )
    assert answer.status_code == 200


def test_a_huge_body_is_refused(bot: Visitor) -> None:
    """More than 64 KB gets 413, with a length announced or in pieces."""
    game = create(bot)
    path, headers = f"{GAMES}/{game['room']}/moves", {"Content-Type": "application/json"}
    body = b'{"do": "roll", "seq": 1' + b" " * 65_536 + b"}"

    async def pieces() -> Any:
        for start in range(0, len(body), 1000):
            yield body[start : start + 1000]

    refused(bot.post(path, content=body, headers=headers), 413, "http_413")
    refused(bot.post(path, content=pieces(), headers=headers), 413, "http_413")
    assert bot.get(f"{GAMES}/{game['room']}").json() == game


@pytest.mark.parametrize("path", ["", "/moves", "/record", "/review", "/stream"])
@pytest.mark.parametrize("room", ["x" * 16, "x", "%00", "%F0%9F%8E%B2", "' OR 1=1 --"])
def test_no_such_game(bot: Visitor, room: str, path: str) -> None:
    """A room that isn't gets 404 by every route."""
    body = {"json": {"do": "roll", "seq": 1}} if path == "/moves" else {}
    answer = bot.send("POST" if body else "GET", f"{GAMES}/{room}{path}", **body)
    refused(answer, 404, "no_such_room")


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/v1/nowhere", 404),
        ("GET", "/api/v1/games/a/b/c", 404),
        ("GET", "/api/", 404),
        ("GET", "/api/v2/games", 404),
        ("PUT", GAMES, 405),
        ("DELETE", GAMES, 405),
        ("GET", f"{GAMES}/x/moves", 405),
    ],
)
def test_unknown_addresses_and_methods(bot: Visitor, method: str, path: str, status: int) -> None:
    """Whatever isn't there below /api/ is told in the same shape."""
    refused(bot.send(method, path), status, f"http_{status}")


# ---- nothing crashes (behaviour 29) -----------------------------------------------------------

_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=8) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=12,
)
_near = st.fixed_dictionaries(
    {
        "do": st.sampled_from(["roll", "score", "undo"]) | _json,
        "seq": st.integers(-1, 6) | _json,
    },
    optional={
        "keep": st.lists(st.integers(-1, 6), max_size=7) | _json,
        "box": st.sampled_from([c.key for c in CLASSIC.categories]) | _json,
        "seat_bytes": st.lists(st.text("0f", max_size=70), max_size=3) | _json,
        "names": _json,
    },
)


@settings(max_examples=150)
@given(body=_near | _json, new=st.booleans())
@example(body={"do": "roll", "seq": 2**63}, new=False)
@example(body={"names": ["Ana"] * 8, "ruleset": "\x00"}, new=True)
def test_no_json_breaks_the_server(site: Site, body: object, *, new: bool) -> None:
    """Whatever JSON is posted, the answer is no 5xx, and a refusal leaves the game as it was."""
    bot = _player(site)
    game = bot.get(f"{GAMES}/{bot.game}").json()
    try:
        content = json.dumps(body).encode("utf-8", "surrogatepass")
    except ValueError:
        return
    answer = bot.post(
        GAMES if new else f"{GAMES}/{bot.game}/moves",
        content=content,
        headers={"Content-Type": "application/json"},
    )
    assert answer.status_code < 500
    if answer.status_code >= 400:
        assert set(answer.json()) == {"error", "game"}
        assert bot.get(f"{GAMES}/{bot.game}").json() == game


@settings(max_examples=100)
@given(body=st.binary(max_size=100), new=st.booleans())
def test_no_bytes_break_the_server(site: Site, body: bytes, *, new: bool) -> None:
    """Whatever bytes are posted as JSON, they are refused and change nothing."""
    bot = _player(site)
    game = bot.get(f"{GAMES}/{bot.game}").json()
    answer = bot.post(
        GAMES if new else f"{GAMES}/{bot.game}/moves",
        content=body,
        headers={"Content-Type": "application/json"},
    )
    assert answer.status_code == 400
    assert bot.get(f"{GAMES}/{bot.game}").json() == game


class _Player(Visitor):
    game: str


_players: dict[Site, _Player] = {}


def _player(site: Site) -> _Player:
    """A player in the middle of a turn; one for all examples."""
    if site not in _players:
        _players[site] = bot = _Player(site)
        bot.game = create(bot, "Ana", "Ben")["room"]
        move(bot, {"room": bot.game, "seq": 1}, do="roll")
    return _players[site]


# ---- the document -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def document(site: Site) -> Schema:
    answer = site.visitor().get("/api/v1/openapi.json")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    return answer.json()


def operations(document: Schema) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield method, path, operation


def test_it_has_the_form_of_openapi(document: Schema) -> None:
    """Version 3.1 with what that requires; every reference leads somewhere within."""
    assert document["openapi"].startswith("3.1.")
    assert {"title", "version"} <= set(document["info"])
    assert document["paths"]
    for ref in references(document):
        assert resolve(document, ref)
    names = [operation["operationId"] for _, _, operation in operations(document)]
    assert len(names) == len(set(names))
    for method, path, operation in operations(document):
        assert method in {"get", "post", "delete"}
        assert operation["description"]
        parameters = {
            p["name"]: p["required"] for p in operation["parameters"] if p["in"] == "path"
        }
        assert parameters == dict.fromkeys(re.findall(r"{(\w+)}", path), True)
        says_all = path.endswith(("/hint", "/again"))  # its address does
        assert ("requestBody" in operation) == (method == "post" and not says_all)
        assert "requestBody" not in operation or operation["requestBody"]["required"]
        for status, answer in operation["responses"].items():
            assert re.fullmatch(r"[2-5]\d\d", status)
            assert answer["description"]
            assert ("content" in answer) == (status != "204")
            for content in answer.get("content", {}).values():
                assert content["schema"]


def test_it_names_every_route(document: Schema) -> None:
    """Each route of /api/v1 is in the document, and nothing else is."""
    served = {
        (method.lower(), re.sub(r":\w+}", "}", route.path))
        for route in API.routes
        for method in route.methods
        if method != "OPTIONS" and not route.path.endswith("openapi.json")
    }
    assert {(method, path) for method, path, _ in operations(document)} == served


def test_it_mentions_nobody_else(site: Site, document: Schema) -> None:
    """It is the document alone: no page around it, no address elsewhere."""
    text = json.dumps(document)
    assert "http://" not in text
    assert "https://" not in text
    assert site.visitor().get("/api/v1").status_code == 404


def test_every_error_has_the_one_shape(document: Schema) -> None:
    """All 4xx and 5xx answers are documented as the same schema."""
    shapes = {
        json.dumps(answer["content"])
        for _, _, operation in operations(document)
        for status, answer in operation["responses"].items()
        if status[0] in "45"
    }
    assert len(shapes) == 1


def test_its_server_is_where_it_is(site: Site, tmp_path: Any) -> None:
    """Behind a base path the document says so."""
    with Site(tmp_path, base="/dice/yacht") as below:
        told = below.visitor().get("/api/v1/openapi.json").json()
    assert told["servers"] == [{"url": "/dice/yacht"}]
    assert site.visitor().get("/api/v1/openapi.json").json()["servers"] == [{"url": "/"}]


def test_answers_are_as_documented(site: Site, bot: Visitor, document: Schema) -> None:
    """Real answers of every route, good and bad, have the documented status, type and schema."""

    def documented(method: str, path: str, answer: httpx.Response) -> None:
        operation = document["paths"][path][method]
        told = operation["responses"][str(answer.status_code)]["content"]
        kind = answer.headers["content-type"].partition(";")[0]
        assert list(told) == [kind]
        value = answer.json() if kind == "application/json" else answer.text
        assert list(problems(document, told[kind]["schema"], value)) == []

    room, moves = f"{GAMES}/{{room_id}}", f"{GAMES}/{{room_id}}/moves"
    json_type = {"Content-Type": "application/json"}
    documented("post", GAMES, bot.post(GAMES, json={"names": []}))
    documented("post", GAMES, bot.post(GAMES, json={"names": [""]}))
    documented("post", GAMES, bot.post(GAMES, content=b"x" * 70_000, headers=json_type))
    documented("post", GAMES, bot.post(GAMES, content=b"{}"))
    documented("post", GAMES, bot.post(GAMES, headers={"Origin": "http://evil.test"}))
    made = bot.post(GAMES, json={"names": ["Ana", "Ben"]})
    documented("post", GAMES, made)
    game = made.json()["game"]
    stranger = site.visitor()
    documented("post", moves, move(stranger, game, do="roll"))
    for fields in ({"do": "roll"}, {"do": "undo"}, {"do": "jump"}, {"do": "score", "box": "ones"}):
        documented("post", moves, move(bot, game, **fields))
    game = bot.get(f"{GAMES}/{game['room']}").json()
    for fields in ({"do": "roll", "keep": [0, 1]}, {"do": "score", "box": "yacht"}):
        answer = move(bot, game, **fields)
        documented("post", moves, answer)
        game = answer.json()
        documented("get", room, bot.get(f"{GAMES}/{game['room']}"))
    documented("post", moves, move(bot, game, do="undo"))
    documented("post", moves, bot.post(f"{GAMES}/{game['room']}/moves", content=b"x" * 70_000))
    documented("post", moves, bot.post(f"{GAMES}/{game['room']}/moves", content=b"{}"))
    documented("post", moves, move(bot, {"room": "x", "seq": 1}, do="roll"))
    documented("get", room, bot.get(f"{GAMES}/x"))
    done = site.game(bot.viewer, "Ana", scores=12)
    documented("get", room, bot.get(f"{GAMES}/{done}"))
    documented("get", f"{room}/record", bot.get(f"{GAMES}/{done}/record"))
    documented("get", f"{room}/record", bot.get(f"{GAMES}/x/record"))
    documented("get", f"{room}/review", bot.get(f"{GAMES}/{done}/review"))
    documented("get", f"{room}/review", bot.get(f"{GAMES}/{game['room']}/review"))
    documented("get", f"{room}/review", bot.get(f"{GAMES}/x/review"))
    documented("get", f"{room}/stream", bot.get(f"{GAMES}/x/stream"))


def test_both_kinds_of_stream_are_documented(document: Schema) -> None:
    """A program reads in the document that it can have events or lines of JSON."""
    stream = document["paths"][f"{GAMES}/{{room_id}}/stream"]["get"]
    assert set(stream["responses"]["200"]["content"]) == {
        "text/event-stream",
        "application/x-ndjson",
    }
    assert "Accept: application/x-ndjson" in stream["description"]


def test_too_much_is_documented(document: Schema) -> None:
    """What changes anything or takes long can get 429, whose answer says when to come back."""
    limited = {f"{GAMES}/{{room_id}}/review", "/api/v1/advice"}
    for method, path, operation in operations(document):
        told = operation["responses"].get("429")
        assert (told is not None) == (method != "get" or path in limited)
        assert told is None or told["headers"]["Retry-After"]["schema"]["type"] == "integer"


def test_every_documented_field_is_answered(bot: Visitor, document: Schema) -> None:
    """A state has the documented fields, and no others."""
    fields = document["components"]["schemas"]["GameView"]
    assert set(create(bot)) == set(fields["properties"]) == set(fields["required"])


@settings(max_examples=200)
@given(body=_near | _json)
def test_the_schema_and_the_reader_agree(site: Site, document: Schema, body: object) -> None:
    """A body gets 400 exactly if the documented schema says that it isn't of the form."""
    schema = document["paths"][f"{GAMES}/{{room_id}}/moves"]["post"]["requestBody"]["content"]
    fits = not any(problems(document, schema["application/json"]["schema"], body))
    try:
        content = json.dumps(body, allow_nan=False)
    except ValueError:
        return
    answer = site.visitor().post(
        f"{GAMES}/{_player(site).game}/moves",
        content=content,
        headers={"Content-Type": "application/json"},
    )
    assert answer.status_code == (403 if fits else 400)


@pytest.mark.parametrize("body", BAD_MOVES)
def test_the_schema_refuses_what_is_refused(document: Schema, body: str) -> None:
    """Each bad body that is JSON at all is bad by the documented schema too."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return
    schema = document["paths"][f"{GAMES}/{{room_id}}/moves"]["post"]["requestBody"]["content"]
    assert list(problems(document, schema["application/json"]["schema"], value))


def test_moves_are_all_of_the_engine(document: Schema) -> None:
    """The documented moves are the three that the engine knows."""
    schema = document["paths"][f"{GAMES}/{{room_id}}/moves"]["post"]["requestBody"]["content"]
    mapping = schema["application/json"]["schema"]["discriminator"]["mapping"]
    assert set(mapping) == {"roll", "score", "undo"}
    assert len(mapping) == len({Keep, Score, UndoScore})
