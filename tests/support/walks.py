"""How many cases sampled tests run: a sample in `make test`, all in `make walks`."""

import os

WHOLE = os.environ.get("KONTOR_WALKS") == "whole"


def sample_size(sample: int, whole: int) -> int:
    """The number of pairs, positions or examples that a test checks."""
    return whole if WHOLE else sample
