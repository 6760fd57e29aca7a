"""A client for Kontor services over HTTP that needs only Python's standard library.

    from kontor_client import Kontor

    with Kontor("http://127.0.0.1:8000") as kontor:
        kontor.sign_in("My first bot")
        match = kontor.create_match("…", [{"type": "me"}, {"type": "bot", "bot": "greedy"}])
        for turn in kontor.turns(match.id):
            kontor.play(turn.id, turn.legal_moves[-1], turn.version)

Every command has an Idempotency-Key: if it is sent again after a lost connection, it is still executed once.
Broken streams are resumed after the last event received. Your contribution to the seed is sent only after the
service has signed its commitment, your commands are signed, and every finished match is compared with what
the service signed. `example_bot.py` is a complete bot.
"""

from kontor_client.client import Kontor
from kontor_client.connection import KontorError, RefusedError, UnreachableError, UntrustedServiceError
from kontor_client.model import Event, Match, Player, TournamentEvent
from kontor_client.replay import Position

__all__ = [
    "Event",
    "Kontor",
    "KontorError",
    "Match",
    "Player",
    "Position",
    "RefusedError",
    "TournamentEvent",
    "UnreachableError",
    "UntrustedServiceError",
]
