"""One site for all tests that don't need one of their own: rooms and identities keep them apart."""

from collections.abc import Iterator

import pytest

from tests.web.plain import Site, Visitor


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with Site(tmp_path_factory.mktemp("site")) as site:
        yield site


@pytest.fixture
def ana(site: Site) -> Visitor:
    """Somebody who plays."""
    return site.visitor()


@pytest.fixture
def ben(site: Site) -> Visitor:
    """Somebody else."""
    return site.visitor()
