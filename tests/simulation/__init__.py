"""Deterministic simulation: processes of the service, a database and clients (docs/virtual-time.md)."""

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.untraced]
