"""Tasks that go on until they are stopped."""

import asyncio
from collections.abc import Iterable
from typing import Any

_AGAIN_SECONDS = 0.1


async def stopped(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Return once all of them have ended.

    They are told again: Python 3.11's ``wait_for``, by which psycopg waits, loses a cancellation
    that comes at the same moment as what it waits for.
    """
    while pending := [task for task in tasks if not task.done()]:
        for task in pending:
            task.cancel()
        await asyncio.wait(pending, timeout=_AGAIN_SECONDS)
