"""One installation for all journeys."""

from collections.abc import Iterator

import pytest

from tests.journeys.site import Site, new_site


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The installation of the whole suite, set up as the runbook says."""
    with new_site(tmp_path_factory.mktemp("site")) as made:
        yield made
