"""Whatever the OpenAPI document lets a program send, the answer is one that it documents."""
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportAttributeAccessIssue=false
# (schemathesis leaves type parameters of its own open)

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.serving import Served
from yacht.web.api import PREFIX, ROUTES
from yacht.web.openapi import document

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
OPERATIONS = {
    found.ok().label: found.ok()
    for found in schemathesis.openapi.from_dict(document(PREFIX, ROUTES, "")).get_all_operations()
    if not found.ok().path.endswith("/stream")  # it doesn't end
}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with Served(tmp_path_factory.mktemp("hostile")) as served:
        yield served.address.rstrip("/")


@pytest.fixture
def rooms(address: str) -> list[tuple[str, str]]:
    """A game on one device and a room of friends, each with the token that plays there."""
    with httpx.Client(base_url=f"{address}{PREFIX}/") as site:
        made = [
            site.post("games", json={"names": ["Ana"]}).json(),
            site.post("rooms", json={"name": "Ana", "places": 3, "hints": True}).json(),
        ]
    return [(one["game"]["room"], one["token"]) for one in made]


@pytest.mark.parametrize("label", OPERATIONS)
def test_nothing_breaks_the_server(label: str, address: str, rooms: list[tuple[str, str]]) -> None:
    """No 500, and no status, type or shape that isn't documented, most often where a game is."""
    operation = OPERATIONS[label]

    cases = st.one_of(*(operation.as_strategy(generation_mode=mode) for mode in GenerationMode))

    @settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow], database=None)
    @given(cases, st.sampled_from([None, *rooms, *rooms]))
    def check(case: Any, table: tuple[str, str] | None) -> None:
        headers = {}
        if table and "room_id" in case.path_parameters:
            case.path_parameters["room_id"] = table[0]
            headers["Authorization"] = f"Bearer {table[1]}"
        case.call_and_validate(base_url=address, headers=headers, checks=CHECKS)

    check()
