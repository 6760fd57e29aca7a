"""Play on a Kontor service over HTTP, with nothing but Python's standard library.

    from kontor_client import Kontor

    with Kontor("http://127.0.0.1:8000") as kontor:
        kontor.sign_in("My first bot")
        match = kontor.create_match("…", [{"type": "me"}, {"type": "bot", "bot": "greedy"}])
        for turn in kontor.turns(match.id):
            kontor.play(turn.id, turn.legal_moves[-1], turn.version)

Every command carries an Idempotency-Key: sent again after a lost connection, it is still carried out once.
Streams that break are resumed after the last event that arrived. Your contribution to the deal leaves only
after the service has signed a commitment, your commands are signed, and every match is compared at its end
with what the service has signed. `example_bot.py` is a complete bot.
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
