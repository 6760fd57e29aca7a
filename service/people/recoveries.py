"""Recovery of an account whose devices are lost, by a phrase that its player has kept.

The service gets the first half of the phrase and stores a keyed hash of it. With the other half, which it
never gets, the player's keys are encrypted.
"""

from collections.abc import Callable

from kontor_games.domain.game import Refusal
from kontor_games.service.errors import UnavailableError
from kontor_games.service.people.device_codes import DeviceCodes, RedeemedAccount, read_code
from kontor_games.service.people.names import wait_for_erasure
from kontor_games.service.people.players import Players
from kontor_games.service.people.tokens import FIRST_SCOPES, Caller, Tokens
from kontor_games.service.store.database import Database


class RecoveryNotValidError(Refusal):
    """No account has this recovery phrase."""

    def __init__(self) -> None:
        super().__init__("No account of this service has this recovery phrase.", rule="")


class Recoveries:
    """Stores hashes of recovery phrases, and exchanges phrases for tokens."""

    def __init__(
        self,
        database: Database,
        tokens: Tokens,
        players: Players,
        codes: DeviceCodes,
        clock: Callable[[], int],
    ) -> None:
        """Wrong phrases count as wrong device codes."""
        self._database = database
        self._tokens = tokens
        self._players = players
        self._codes = codes
        self._clock = clock

    def set(self, caller: Caller, code: str, sealed: str | None) -> None:
        """Store the caller's phrase, given its first half; it replaces the last one."""
        hashed, player = self._hash(code), caller.player
        self._database.write(
            wait_for_erasure(player),
            ("DELETE FROM recoveries WHERE player = ?", (player,)),
            (
                "INSERT INTO recoveries SELECT ?, id, ?, ? FROM players WHERE id = ? AND name IS NOT NULL"
                " ON CONFLICT (hash) DO NOTHING",
                (hashed, sealed, self._clock(), player),
            ),
        )
        query = "SELECT player FROM recoveries WHERE hash = ? AND player <> ?"
        if self._database.read(query, (hashed, player)):
            raise UnavailableError("The phrase could not be stored. Make another one.")

    def remove(self, caller: Caller) -> None:
        """Forget the caller's phrase, if there is one."""
        self._database.write(("DELETE FROM recoveries WHERE player = ?", (caller.player,)))

    def set_at(self, player: str) -> int | None:
        """When the phrase of a player was stored; None if there is none."""
        rows = self._database.read("SELECT at FROM recoveries WHERE player = ?", (player,))
        return rows[0]["at"] if rows else None

    def recover(self, code: str, key: str | None, body: str, address: str) -> RedeemedAccount:
        """Exchange the first half of a phrase for a new token; the phrase stays valid."""
        request = self._tokens.requests.identify("recover", "", key, body)
        uncount = self._codes.count_try(address)
        rows = self._database.read("SELECT * FROM recoveries WHERE hash = ?", (self._hash(code),))
        if not rows:
            raise RecoveryNotValidError
        self._database.write(uncount)
        player = rows[0]["player"]
        issued = self._tokens.issue(request, player, "recovery", FIRST_SCOPES, None)
        return RedeemedAccount(self._players.get(player), issued.text, issued.replayed, rows[0]["sealed"])

    def _hash(self, code: str) -> str:
        return self._tokens.requests.secret.derive("recovery hash", read_code(code)).hex()
