"""Tournaments: enter them, open sealed contributions, and follow all their tables over one connection."""

import secrets
from collections.abc import Generator
from contextlib import closing
from typing import Any

from kontor_client.account import Account
from kontor_client.checks import Checks
from kontor_client.connection import KontorError, RefusedError, UntrustedServiceError
from kontor_client.ed25519 import sign, to_base64
from kontor_client.evidence import TournamentEvidence
from kontor_client.model import Json, TournamentEvent
from kontor_client.tournament_checks import TournamentChecks, TournamentWatch


class Tournaments(Account):
    """The methods of `Kontor` for tournaments; their matches are played with `my_turns(take_seats=True)`."""

    _checks: Checks
    _entries: TournamentChecks
    _watch: TournamentWatch

    def tournament(self, tournament: str) -> Json:
        """Return a tournament: its terms, its status, and your number as an entrant (`you`)."""
        return dict(self.connection.get(f"/v1/tournaments/{tournament}"))

    def standings(self, tournament: str) -> Json:
        """Return the current standings, with tie-breaks, intervals and the version they belong to."""
        return dict(self.connection.get(f"/v1/tournaments/{tournament}/standings"))

    def refusals(self, tournament: str) -> Json:
        """Return the number of refused moves of each entrant, by problem code, at finished tables."""
        return dict(self.connection.get(f"/v1/tournaments/{tournament}/refusals"))

    def enter(self, tournament: str) -> Json:
        """Enter a tournament, with a sealed contribution to the seed of its pairings and deals.

        Only the hash of the contribution is sent, after the service has signed the commitment to its own
        secret. A thread of this object opens the contribution when no more entries are accepted, and checks
        the record of the tournament when it is over: keep the program running when the tournament starts.
        """
        with self._entries.alone(tournament):
            data = self.tournament(tournament)
            if data["chance"].get("sealed"):
                return self._enter(tournament, data)
        return self._enter_unsealed(tournament, data)

    def _enter(self, tournament: str, data: Json) -> Json:
        evidence = self._entries.begin(tournament, data, self._me().id, self._key)
        command: Json = {
            "type": "enter",
            "bot": self._me().bot,
            "contribution": "",
            "sealed": evidence.sealed,
        }
        body = {"sealed": evidence.sealed}
        if evidence.key:
            command["key"] = body["key"] = evidence.key
        try:
            answer = self._send(evidence, "entrants", command, body)
        except KontorError as error:
            if 400 <= error.status < 500:
                self._entries.restore(evidence)
            raise
        evidence.set(entered=True)
        self._watch.follow(tournament)
        return answer

    def _enter_unsealed(self, tournament: str, data: Json) -> Json:
        """Enter a tournament of the older protocol, in which contributions are open."""
        if self._checks.enabled:
            raise UntrustedServiceError(
                "This tournament has open contributions, as older ones had: whoever enters last can choose "
                "pairings and deals together with the service."
            )
        contributes = data["chance"]["signed"] is not None
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

    def open_tournament_contribution(self, tournament: str) -> Json | None:
        """Open your contribution to a tournament if it is due; None if it is not. Done automatically."""
        evidence, chance = self._entries.evidence(tournament), self.tournament(tournament)["chance"]
        if evidence is None or not evidence.entered or chance.get("due") is None:
            return None
        self._entries.require_commitment(evidence, chance)
        digest = chance["digest"]
        body = {"value": evidence.next_value(digest), "digest": digest}
        try:
            return self._send(evidence, "contribution", {"type": "open_contribution", **body}, body)
        except RefusedError as refusal:
            if refusal.code != "not_due":  # it was opened in an earlier run
                raise
            return None

    def _send(self, evidence: TournamentEvidence, path: str, command: Json, body: Json) -> Json:
        """Send a command, signed if the entry is, and store the receipt."""
        if evidence.key:
            signature = sign(self._seed(evidence.key), evidence.signed_text(command))
            body = {**body, "signature": to_base64(signature)}
        answer = self.connection.command("POST", f"/v1/tournaments/{evidence.tournament}/{path}", body)
        self._entries.check_answer(evidence, answer)
        return dict(answer)

    def follow_tournament(self, tournament: str) -> None:
        """Open your contribution when it is due, and check the record when the tournament is over.

        A thread does this from `enter` on, and again from `my_turns` on in later runs.
        """
        with closing(self.tournament_events(tournament)) as events:
            for event in events:
                if event.fact["type"] == "contributions_due":
                    self.open_tournament_contribution(tournament)
        self._entries.check_finished(tournament)

    def tournament_events(self, tournament: str, after: int = 0) -> Generator[TournamentEvent, None, None]:
        """Yield the facts of a tournament after a version, then new ones as they happen, until it is over."""
        with closing(self.connection.stream(f"/v1/tournaments/{tournament}/events", str(after))) as stream:
            for sent in stream:
                if sent.kind == "fact":
                    data: Any = sent.data
                    yield TournamentEvent(tournament, data["version"], data["at"], data["fact"])
