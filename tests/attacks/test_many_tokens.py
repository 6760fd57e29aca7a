"""One player with many tokens and streams, through the proxy of deploy/, cannot block other players.

`python -m tests.attacks` opens 7,000 streams.
"""

from tests.attacks.many_tokens import attacked, attacked_service_behind_proxy

SMALL = {"KONTOR_STREAMS": "40", "KONTOR_STREAMS_PER_PLAYER": "10", "WEB_THREADS": "8"}
"""Limits far below the number of streams that the attacker opens."""
MOVES = 20
LASTS_S = 600
"""Longer than the moves take on any machine; the attack ends when they are done."""


def test_honest_moves_are_answered_behind_the_proxy_despite_the_streams_of_one_player() -> None:
    with attacked_service_behind_proxy(SMALL) as service, attacked(service, 400, 20, LASTS_S):
        assert len(service.play(MOVES).seconds) == MOVES
