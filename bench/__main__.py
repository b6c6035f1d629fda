"""``python -m bench [--write] [engine] [strategy] [server] …``: measures all, or these."""

import argparse
from os import getloadavg

from bench import engine, friends, live, memory, page, processes, server, simulator, strategy
from bench.report import RESULTS, Table, say, write

_SUBJECTS = {
    "engine": engine.run,
    "strategy": strategy.run,
    "simulator": simulator.run,
    "server": server.run,
    "processes": processes.run,
    "live": live.run,
    "page": page.run,
    "friends": friends.run,
    "memory": memory.run,
}


def main() -> None:
    """Measure, and print a table for each subject."""
    parser = argparse.ArgumentParser("python -m bench", description="Measure what is fast.")
    parser.add_argument("subject", nargs="*", help=f"one of {', '.join(_SUBJECTS)}; all if none")
    parser.add_argument("--write", action="store_true", help="measure all, write results.md")
    options = parser.parse_args()
    named: list[str] = options.subject
    if unknown := set(named) - set(_SUBJECTS):
        parser.error(f"no such subject: {', '.join(sorted(unknown))}")
    if options.write and named:
        parser.error("--write takes no names: the file comes from one run of all")
    tables, (load, _, _) = list[Table](), getloadavg()
    for name in named or _SUBJECTS:
        table = _SUBJECTS[name]()
        print(f"\n{table}", flush=True)
        tables.append(table)
    if options.write:
        write(tables, load)
        say(f"{RESULTS.name} is written")


if __name__ == "__main__":
    main()
