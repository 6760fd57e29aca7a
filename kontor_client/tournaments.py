"""Tournaments: enter them, and follow all their tables over one connection."""

import secrets
from collections.abc import Generator
from contextlib import closing

from kontor_client.account import Account
from kontor_client.checks import Checks
from kontor_client.model import Json, TournamentEvent


class Tournaments(Account):
    """The methods of `Kontor` for tournaments; their matches are played with `my_turns(take_seats=True)`."""

    _checks: Checks

    def tournament(self, tournament: str) -> Json:
        """Return a tournament: its terms, its status, and your number as an entrant (`you`)."""
        return dict(self.connection.get(f"/v1/tournaments/{tournament}"))

    def standings(self, tournament: str) -> Json:
        """Return the current standings."""
        return dict(self.connection.get(f"/v1/tournaments/{tournament}/standings"))

    def refusals(self, tournament: str) -> Json:
        """Return the number of refused moves of each entrant, by problem code, at finished tables."""
        return dict(self.connection.get(f"/v1/tournaments/{tournament}/refusals"))

    def enter(self, tournament: str) -> Json:
        """Enter a tournament, with a contribution to the seed of its pairings and deals.

        The contribution is sent only after the service has signed the commitment to its own secret.
        """
        data = self.tournament(tournament)
        contributes = data["chance"]["signed"] is not None
        if contributes:
            self._checks.check_commitment("tournament", tournament, data["chance"])
        body = {"contribution": secrets.token_hex(32)} if contributes else {}
        return self._command_tournament(tournament, "entrants", body)

    def withdraw(self, tournament: str) -> Json:
        """Withdraw from a tournament; rounds that are paired afterwards leave you out."""
        return self._command_tournament(tournament, "entrants/me/withdrawal")

    def acknowledge(self, tournament: str) -> Json:
        """Agree to the provisional standings; when all entrants have, they can be signed at once."""
        return self._command_tournament(tournament, "acknowledgements")

    def protest(self, tournament: str, why: str) -> Json:
        """Protest against the provisional standings; everybody can read the reason."""
        return self._command_tournament(tournament, "protests", {"why": why})

    def _command_tournament(self, tournament: str, action: str, body: Json | None = None) -> Json:
        return dict(self.connection.command("POST", f"/v1/tournaments/{tournament}/{action}", body or {}))

    def tournament_events(self, tournament: str, after: int = 0) -> Generator[TournamentEvent, None, None]:
        """Yield the facts of a tournament after a version, then new ones as they happen, until it is over."""
        with closing(self.connection.stream(f"/v1/tournaments/{tournament}/events", str(after))) as stream:
            for sent in stream:
                if sent.kind == "fact":
                    data = sent.data
                    yield TournamentEvent(tournament, data["version"], data["at"], data["fact"])
