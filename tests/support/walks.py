"""How far tests walk: a sample in `make test`, the whole way in `make walks`."""

import os

WHOLE = os.environ.get("KONTOR_WALKS") == "whole"


def sample_size(sample: int, whole: int) -> int:
    """How many pairs, positions or examples a test looks at."""
    return whole if WHOLE else sample
