"""One player with many tokens and streams behind the proxy of deploy/ takes the service from nobody.

`python -m tests.attacks` opens 7,000 streams.
"""

from tests.attacks.many_tokens import attacked, besieged_behind_proxy

SMALL = {"KONTOR_STREAMS": "40", "KONTOR_STREAMS_PER_PLAYER": "10", "WEB_THREADS": "8"}
"""Far fewer than the streams that are asked for."""
MOVES = 20
LASTS_S = 600
"""Longer than the moves take on any machine; the attack is ended after them."""


def test_honest_moves_are_answered_behind_the_proxy_beside_the_streams_of_one_player() -> None:
    with besieged_behind_proxy(SMALL) as siege, attacked(siege, 400, 20, LASTS_S):
        assert len(siege.play(MOVES).seconds) == MOVES
