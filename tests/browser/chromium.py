"""The browser of all browser tests: Debian's Chromium, kept from calling anybody.

Its headless shell draws the same pages with a third of the processor time, so it comes first.
"""

import shutil

from playwright.sync_api import Browser, Playwright

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
    path = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    return playwright.chromium.launch(executable_path=path, args=_FLAGS)
