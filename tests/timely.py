"""``yacht`` with a clock that can be put forward, for tests that can't wait for it.

A number of seconds on a line of its stdin lets them pass, a hundred times as fast as they do; a
line on stdout says that they have. Streams look at who is here as often as in slow time.
"""

import sys
import time
from io import FileIO
from threading import Thread

_STEP = 10.0
_STEP_LASTS = 0.1

_real, _ahead = time.time, 0.0


def _now() -> float:
    return _real() + _ahead


def _pass_time() -> None:
    global _ahead  # noqa: PLW0603 (one clock for the process)
    for line in FileIO(0):
        end = _ahead + float(line)
        while _ahead < end:
            _ahead = min(end, _ahead + _STEP)
            time.sleep(_STEP_LASTS)
        sys.stdout.write("passed\n")
        sys.stdout.flush()


if __name__ == "__main__":
    time.time = _now  # before the host takes it for its clock
    from yacht.cli import main
    from yacht.web import live

    live.PING_SECONDS = _STEP_LASTS / 2
    Thread(target=_pass_time, daemon=True).start()
    sys.exit(main())
