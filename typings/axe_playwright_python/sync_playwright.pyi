# The package has no types of its own; these are the parts that our tests use.
from typing import Any

from playwright.sync_api import Page

class AxeResults:
    response: dict[str, Any]
    @property
    def violations_count(self) -> int: ...
    def generate_report(self, violation_id: str | None = None) -> str: ...

class Axe:
    def run(
        self,
        page: Page,
        context: str | list[str] | dict[str, Any] | None = None,
        options: dict[str, Any] | None = None,
    ) -> AxeResults: ...
