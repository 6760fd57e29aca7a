"""Attacks on a service that the test itself starts on this machine, limited in number and time."""

import pytest

pytestmark = [pytest.mark.e2e, pytest.mark.untraced]
