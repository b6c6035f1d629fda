"""What all tests share: hypothesis profiles, and where browser tests run."""

import os
import signal

import pytest
from hypothesis import settings
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

pytest_plugins = ["tests.postgres"]

# Run in the background, they would hand an ignored Ctrl-C on to the programs that they start.
signal.signal(signal.SIGINT, signal.default_int_handler)
os.environ["LC_ALL"] = "C.UTF-8"  # whatever the terminal speaks, the tests are in English

# The same commit gets the same verdict; the soak looks for new examples.
settings.register_profile("test", deadline=None, max_examples=30, derandomize=True)
settings.register_profile("soak", deadline=None, max_examples=5_000, print_blob=True)
settings.load_profile("test")


_LONG = ("test_accessibility.py", "test_languages.py")
_TOGETHER = {  # what they share takes longer to make than their tests
    "tests/deploy/test_nginx.py",
    "tests/web/test_language.py",
    "tests/web/test_schemathesis.py",
}


def in_browser(nodeid: str) -> bool:
    return nodeid.startswith("tests/browser/")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests come last: a later asyncio.run would trip over the loop Playwright leaves."""
    items.sort(key=lambda item: in_browser(item.nodeid))


class ByFile(LoadScopeScheduling):
    """A file of browser tests stays with one worker, most other tests and the long walks don't.

    (xdist's own groups are lost under pytest 9.2: they write to a field it no longer reads.)
    """

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        together = in_browser(nodeid) and not file.endswith(_LONG)
        return file if together or file in _TOGETHER else nodeid


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> ByFile:
    return ByFile(config, log)
