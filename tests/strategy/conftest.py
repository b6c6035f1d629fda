"""The shipped rulesets, solved once for all tests."""

import pytest

from yacht.engine.rules import CLASSIC, SUM
from yacht.strategy.solo import Solver


@pytest.fixture(name="classic", scope="session")
def fixture_classic() -> Solver:
    return Solver(CLASSIC)


@pytest.fixture(name="by_sum", scope="session")
def fixture_by_sum() -> Solver:
    return Solver(SUM)


@pytest.fixture(name="solver", scope="session", params=["classic", "by_sum"])
def fixture_solver(request: pytest.FixtureRequest) -> Solver:
    """Each of the two."""
    solver: Solver = request.getfixturevalue(request.param)
    return solver
