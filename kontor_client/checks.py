"""Checks that a service keeps to what it signed, from its commitment to a secret to the end of each match."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, NoReturn

from kontor_client.connection import Connection, UntrustedServiceError
from kontor_client.evidence import Evidence, announced_settings, canonical
from kontor_client.export_check import SWAPPED, check_export, check_receipt, is_still_hidden
from kontor_client.files import id_name, service_name
from kontor_client.model import Json
from kontor_client.service_keys import ServiceKeys


class Checks:
    """Stores the evidence of a player's matches, and checks later answers of the service against it."""

    def __init__(
        self, connection: Connection, folder: Path, player: Callable[[], str], *, enabled: bool
    ) -> None:
        name = service_name(connection.url)
        self._connection, self._player, self._enabled = connection, player, enabled
        self._folder = folder / f"{name}.matches"
        self._evidence: dict[str, Evidence] = {}
        self.keys = ServiceKeys(
            folder / f"{name}.service-keys.json", lambda: connection.get("/.well-known/kontor-keys.json")
        )

    def evidence(self, match: str) -> Evidence | None:
        """Return the evidence of a match; None if this player has not taken a seat in it with this client."""
        evidence = self._evidence.get(match)
        if evidence is None and not self._folder_of(match).exists():
            return None
        if evidence is None or evidence.player != self._player():
            evidence = Evidence.read(self._folder_of(match) / id_name(self._player()))
        if evidence is not None:
            self._evidence[match] = evidence
        return evidence

    def _folder_of(self, match: str) -> Path:
        return self._folder / id_name(match)

    def check_created(self, data: Json, requested: Json) -> None:
        """Check that a created match has a new id, and that its seed is determined as requested."""
        requested_chance = {
            "open_seed": requested.get("seed"),
            "sealed": requested.get("sealed", False),
            "branch": False,
            "in_block": False,
        }
        actual = announced_settings(data)
        if self._enabled and self.evidence(data["id"]):
            raise UntrustedServiceError("The service has given a new match the id of an earlier one.")
        if self._enabled and requested_chance != {name: actual[name] for name in requested_chance}:
            raise UntrustedServiceError(
                "The service has created a match whose seed is not determined in the way that you requested."
            )

    def check_commitment(self, kind: Literal["match", "tournament"], subject: str, chance: Json) -> None:
        """Check the service's signed commitment, before a contribution is sent."""
        if self._enabled:
            signed = chance.get("signed")
            at = signed.get("at") if isinstance(signed, dict) else None
            statement = {"at": at, "commitment": chance["commitment"], kind: subject}
            prefix = "kontor.commitment.1" if kind == "match" else "kontor.tournament-commitment.1"
            self.keys.check("its commitment to a secret", prefix, statement, signed)

    def begin(self, match: str, data: Json, contribution: str, sent: str, key: str | None) -> None:
        """Store the commitment, and the contribution that is about to be sent."""
        self._evidence[match] = Evidence(
            folder=self._folder_of(match) / id_name(self._player()),
            match=match,
            player=self._player(),
            commitment=data["chance"]["commitment"],
            signed=data["chance"].get("signed"),
            announced=announced_settings(data),
            contribution=contribution,
            sent=sent,
            key=key,
        )
        self._evidence[match].save()

    def restore(self, match: str, earlier: Evidence | None) -> None:
        """Restore the evidence from before `begin`, because the service refused the seat."""
        if earlier:
            self._evidence[match] = earlier
            earlier.save()
        else:
            self._evidence[match].set(seated=False)

    def keep_refused(self, match: str, command: Json) -> None:
        """Store a signed command that was refused: it must not appear in the record of the match."""
        evidence = self.evidence(match)
        if evidence and "signature" in command:
            evidence.add("refused.ndjson", command)

    def check_answer(self, match: str, data: Json, command: Json) -> None:
        """Check the answer to a command, and store its receipt."""
        evidence = self.evidence(match)
        if self._enabled:
            self._compare_with_receipt(match, data, evidence)
            self._guard(evidence, data, lambda: check_receipt(data["receipt"], self.keys))
        if evidence and data.get("receipt"):
            self.keep_receipt(match, command, data["receipt"])

    def keep_receipt(self, match: str, command: Json, receipt: Json) -> None:
        """Store the receipt for a command."""
        self._evidence[match].add("receipts.ndjson", {"command": command, "receipt": receipt})

    def _compare_with_receipt(self, match: str, data: Json, evidence: Evidence | None) -> None:
        answered = [match, data["version"], data["head"]]
        receipt = data.get("receipt") or {}
        if answered != [receipt.get(name) for name in ("match", "version", "head")]:
            self._fail(evidence, "The receipt of the service does not match its answer to the command.", data)

    def check_match(self, match: str, data: Json) -> None:
        """Compare a response about a match with the evidence; if the match is over, check the whole match."""
        if self._enabled and data["id"] != match:
            raise UntrustedServiceError(f"The service has answered with a match other than {match}.")
        evidence = self.evidence(match) if self._enabled else None
        if evidence is None:
            return
        if "chance" in data and data["chance"]["commitment"] != evidence.commitment:
            self._fail(evidence, SWAPPED, data)
        if data["status"] in ("finished", "aborted"):
            self.check_finished(match)

    def check_finished(self, match: str) -> None:
        """Compare the export of a match that is over with the evidence, once."""
        evidence = self.evidence(match) if self._enabled else None
        if evidence is None or evidence.checked:
            return
        if evidence.broken:
            raise UntrustedServiceError(evidence.broken, evidence.folder)
        content = self._connection.download(f"/v1/matches/{match}/export")
        if evidence.announced.get("in_block") and is_still_hidden(content):
            return  # other matches with the same deal are still being played
        receipt = self._guard(evidence, content, lambda: check_export(content, evidence, self.keys))
        evidence.set(checked=receipt["head"])
        evidence.replace_receipts(receipt)
        del self._evidence[match]

    def _guard(self, evidence: Evidence | None, answer: Any, check: Callable[[], Any]) -> Any:
        """Run a check; if it fails, store the answer of the service as evidence."""
        try:
            return check()
        except UntrustedServiceError as error:
            self._fail(evidence, error.problem["detail"], answer)

    def _fail(self, evidence: Evidence | None, detail: str, answer: Any) -> NoReturn:
        if evidence is None:
            raise UntrustedServiceError(detail)
        export = isinstance(answer, bytes)
        evidence.keep("export.ndjson" if export else "answer.json", answer if export else canonical(answer))
        evidence.set(broken=detail)
        raise UntrustedServiceError(detail, evidence.folder)
