"""Chaos tests: no acknowledged move may be lost while servers and databases are killed."""

import pytest

pytestmark = [pytest.mark.e2e, pytest.mark.untraced]
