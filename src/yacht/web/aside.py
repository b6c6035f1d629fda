"""What takes long and anyone may ask for: in threads of its own, so that it holds up no game."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_threads = ThreadPoolExecutor(2, "aside")


async def aside(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """The result of the work, once one of two threads has had time for it."""
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_threads, partial(work, *args, **kwargs))
