"""The browser of all browser tests: Debian's Chromium, kept from calling anybody.

Its headless shell draws the same pages with a third of the processor time, so it comes first.
"""

import os
import shutil
import signal
from contextlib import suppress
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Playwright

_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def launch(playwright: Playwright) -> Browser:
    return playwright.chromium.launch(executable_path=_program(), args=_FLAGS)


def launch_from(playwright: Playwright, profile: Path, **how: Any) -> BrowserContext:
    """A browser that keeps its profile in a folder."""
    return playwright.chromium.launch_persistent_context(
        profile, executable_path=_program(), args=_FLAGS, **how
    )


def kill(profile: Path) -> None:
    """Kill all processes of the browser with this profile, as a device does that loses power."""
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(FileNotFoundError, ProcessLookupError):
            if f"--user-data-dir={profile}".encode() in (process / "cmdline").read_bytes():
                os.kill(int(process.name), signal.SIGKILL)


def _program() -> str | None:
    return shutil.which("chromium-headless-shell") or shutil.which("chromium")
