"""Calls that take much CPU time, inside the limits of one client, do not block the moves of others.

`python -m tests.attacks` measures how much they delay them.
"""

import pytest

from tests.attacks.attacked_service import attacked_service
from tests.attacks.dear_calls import DEAR_CALLS, DEAR_LIMITS, dear_calls, prepare

MOVES = 8
LASTS_S = 600
"""Longer than the moves take on any machine; the attack ends when they are done."""


@pytest.mark.slow
def test_honest_moves_are_answered_during_every_kind_of_dear_calls() -> None:
    with attacked_service(DEAR_LIMITS) as service:
        target = prepare(service)
        for kind in DEAR_CALLS:
            with dear_calls(service, target, kind, LASTS_S) as statuses:
                assert len(service.play(MOVES).seconds) == MOVES
            assert statuses.total() > 0, kind
            assert not statuses[500], kind
            assert set(statuses) <= {200, 201, 409, 429, 503}, (kind, statuses)
