"""Joins a room by its link and plays as well as can be: python examples/bot.py LINK [NAME]."""

import json
import sys
from typing import Any

import httpx

from yacht import RULESETS, Scorecard
from yacht.strategy.solo import Solver


def play(link: str, name: str = "Bot") -> list[tuple[str, int]]:
    """Everyone's name and total at the end. Raises httpx.HTTPError."""
    site, room = link.rstrip("/").rsplit("/g/", 1)
    with httpx.Client(base_url=f"{site}/api/v1/games/{room}/") as room_api:
        joined = ask(room_api, "seats", do="join", name=name)
        room_api.headers["Authorization"] = f"Bearer {joined['token']}"
        solver = Solver(RULESETS[joined["game"]["ruleset"]])
        for seen in states(room_api):
            if seen["over"]:
                return [(seat["name"], seat["total"]) for seat in seen["seats"]]
            if seen["may_act"]:
                ask(room_api, "moves", seq=seen["seq"], **choice(solver, seen))
    raise ConnectionError("the server ended the stream")


def choice(solver: Solver, seen: dict[str, Any]) -> dict[str, Any]:
    """The best thing to do, as the body of a move."""
    card = Scorecard(tuple(seen["seats"][seen["seat"]]["boxes"].values()))
    best = solver.rank(card, seen["dice"], seen["rolls_left"])[0]
    if best.score:
        return {"do": "score", "box": best.score}
    wanted, keep = list(best.keep or ()), list[int]()
    for position, face in enumerate(seen["dice"]):
        if face in wanted:
            wanted.remove(face)
            keep.append(position)
    return {"do": "roll", "keep": keep}


def states(room_api: httpx.Client) -> Any:
    """The game at each change: the stream's first line is whole, later ones say what is new."""
    lines = {"Accept": "application/x-ndjson"}
    with room_api.stream("GET", "stream", headers=lines, timeout=40) as stream:
        seen = dict[str, Any]()
        for line in filter(str.strip, stream.iter_lines()):
            yield (seen := {**seen, **json.loads(line)})


def ask(room_api: httpx.Client, path: str, **body: Any) -> dict[str, Any]:
    """The answer to a post. A move that came too late changes nothing: the stream tells what is."""
    answer = room_api.post(path, json=body)
    return (answer if answer.status_code == 409 else answer.raise_for_status()).json()


if __name__ == "__main__":
    for player, total in play(*sys.argv[1:3]):
        print(f"{total:4} {player}")
