"""Joins a room by its link and plays as well as can be: python examples/bot.py LINK [NAME]."""

import json
import sys
import time
from contextlib import suppress
from secrets import token_urlsafe
from typing import Any

import httpx

from yacht import RULESETS, Scorecard
from yacht.strategy.solo import Solver


def play(link: str, name: str = "Bot") -> list[tuple[str, int]]:
    """Everyone's name and total at the end. Raises httpx.HTTPStatusError for what is refused."""
    me = {"Authorization": f"Bearer {token_urlsafe(32)}", "Accept": "application/x-ndjson"}
    base, hooks = "/api/v1/games/".join(link.rsplit("/g/", 1)), {"response": [check]}
    room_api = httpx.Client(base_url=base, headers=me, timeout=40, event_hooks=hooks)
    while True:  # with the same token: who joins again has the seat they had
        with suppress(httpx.TransportError):
            seen = room_api.post("seats", json={"do": "join", "name": name}).json()["game"]
            solver = Solver(RULESETS[seen["ruleset"]])
            with room_api.stream("GET", "stream") as stream:
                for line in filter(str.strip, stream.iter_lines()):
                    seen |= json.loads(line)
                    if seen["over"]:
                        return [(seat["name"], seat["total"]) for seat in seen["seats"]]
                    if seen["may_act"]:
                        room_api.post("moves", json={"seq": seen["seq"], **choice(solver, seen)})
        time.sleep(1)


def choice(solver: Solver, seen: dict[str, Any]) -> dict[str, Any]:
    """The best thing to do, as the body of a move."""
    card = Scorecard(tuple(seen["seats"][seen["seat"]]["boxes"].values()))
    best = solver.rank(card, seen["dice"], seen["rolls_left"])[0]
    if best.score:
        return {"do": "score", "box": best.score}
    dice, keep = list(seen["dice"]), list[int]()
    for face in best.keep or ():
        keep.append(dice.index(face))
        dice[keep[-1]] = 0
    return {"do": "roll", "keep": keep}


def check(answer: httpx.Response) -> None:
    """Waits as a busy server says. A move that came too late, 409, does no harm."""
    if answer.status_code in {429, 502, 503, 504}:
        time.sleep(int(answer.headers.get("Retry-After", 1)))
        raise httpx.TransportError("busy")
    if answer.status_code != 409:
        answer.raise_for_status()


if __name__ == "__main__":
    for player, total in play(*sys.argv[1:3]):
        print(f"{total:4} {player}")
