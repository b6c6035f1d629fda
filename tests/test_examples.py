"""The examples do what they say, against a real server."""

import json
import subprocess
import sys
from pathlib import Path

import httpx

from tests.serving import Served

BOT = Path(__file__).parent.parent / "examples" / "bot.py"


def test_the_bot_plays_to_the_end(tmp_path: Path) -> None:
    """It joins by the link, waits for the start, plays its turns, and tells how it ended."""
    with Served(tmp_path) as served, httpx.Client(base_url=f"{served.address}api/v1/") as site:
        room = {"name": "Ana", "places": 2, "ruleset": "sum"}
        made = site.post("rooms", json=room).raise_for_status().json()
        site.headers["Authorization"] = f"Bearer {made['token']}"
        game, link = f"games/{made['game']['room']}", f"{served.address}g/{made['game']['room']}"
        bot = subprocess.Popen([sys.executable, BOT, link, "Bo"], stdout=subprocess.PIPE, text=True)
        with site.stream("GET", f"{game}/stream", timeout=20) as states:
            told = (line.partition("data: ")[2] for line in states.iter_lines())
            for seen in map(json.loads, filter(None, told)):
                if seen["over"]:
                    break
                if seen["friends"]["may_begin"]:
                    site.post(f"{game}/seats", json={"do": "begin"}).raise_for_status()
                elif seen["may_act"]:
                    open_box = next(iter(seen["points"]), None)
                    move = {"do": "score", "box": open_box} if open_box else {"do": "roll"}
                    site.post(f"{game}/moves", json={"seq": seen["seq"], **move})
        said, _ = bot.communicate(timeout=20)
        last = site.get(game).json()
    assert bot.returncode == 0
    assert said == "".join(f"{seat['total']:4} {seat['name']}\n" for seat in last["seats"])
    assert [seat["name"] for seat in last["seats"]] == ["Ana", "Bo"]
    assert len(BOT.read_text().splitlines()) < 60
