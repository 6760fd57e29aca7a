import pytest

pytestmark = [pytest.mark.e2e, pytest.mark.untraced]
