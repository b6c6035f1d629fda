"""The browser of all browser tests: Debian's Chromium, kept from calling anybody."""

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
    path = shutil.which("chromium") or "/usr/bin/chromium"
    return playwright.chromium.launch(executable_path=path, args=_FLAGS)
