"""Checks that a service keeps to what it signed, from its commitment to a secret to the end of each match."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

from kontor_client.connection import Connection, UntrustedServiceError
from kontor_client.evidence import Evidence, announced, canonical
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
        self._held: dict[str, Evidence] = {}
        self.keys = ServiceKeys(
            folder / f"{name}.service-keys.json", lambda: connection.get("/.well-known/kontor-keys.json")
        )

    def evidence(self, match: str) -> Evidence | None:
        """Return the evidence of a match; None if this player has not taken a seat in it with this client."""
        held = self._held.get(match)
        if held is None and not self._folder_of(match).exists():
            return None
        if held is None or held.player != self._player():
            held = Evidence.read(self._folder_of(match) / id_name(self._player()))
        if held is not None:
            self._held[match] = held
        return held

    def _folder_of(self, match: str) -> Path:
        return self._folder / id_name(match)

    def created(self, data: Json, requested: Json) -> None:
        """Check that a created match has a new id, and that its seed is determined as requested."""
        wanted = {
            "open_seed": requested.get("seed"),
            "sealed": requested.get("sealed", False),
            "branch": False,
            "in_block": False,
        }
        actual = announced(data)
        if self._enabled and self.evidence(data["id"]):
            raise UntrustedServiceError("The service has given a new match the id of an earlier one.")
        if self._enabled and wanted != {name: actual[name] for name in wanted}:
            raise UntrustedServiceError(
                "The service has created a match whose seed is not determined in the way that you requested."
            )

    def commitment(self, match: str, chance: Json) -> None:
        """Check the service's signed commitment for a match, before a contribution is sent."""
        if self._enabled:
            signed = chance.get("signed")
            at = signed.get("at") if isinstance(signed, dict) else None
            statement = {"at": at, "commitment": chance["commitment"], "match": match}
            self.keys.check("its commitment to a secret", "kontor.commitment.1", statement, signed)

    def tournament_commitment(self, tournament: str, chance: Json) -> None:
        """Check the service's signed commitment for a tournament, before a contribution is sent."""
        if self._enabled:
            signed = chance["signed"]
            statement = {"at": signed.get("at"), "commitment": chance["commitment"], "tournament": tournament}
            self.keys.check("its commitment to a secret", "kontor.tournament-commitment.1", statement, signed)

    def begin(self, match: str, data: Json, contribution: str, sent: str, key: str | None) -> None:
        """Store the commitment, and the contribution that is about to be sent."""
        self._held[match] = Evidence(
            folder=self._folder_of(match) / id_name(self._player()),
            match=match,
            player=self._player(),
            commitment=data["chance"]["commitment"],
            signed=data["chance"].get("signed"),
            announced=announced(data),
            contribution=contribution,
            sent=sent,
            key=key,
        )
        self._held[match].save()

    def restore(self, match: str, kept: Evidence | None) -> None:
        """Restore the evidence from before `begin`, because the service refused the seat."""
        if kept:
            self._held[match] = kept
            kept.save()
        else:
            self._held[match].set(seated=False)

    def refused(self, match: str, command: Json) -> None:
        """Store a signed command that was refused: it must not appear in the record of the match."""
        held = self.evidence(match)
        if held and "signature" in command:
            held.add("refused.ndjson", command)

    def answered(self, match: str, data: Json, command: Json) -> None:
        """Check the answer to a command, and store its receipt."""
        held = self.evidence(match)
        if self._enabled:
            self._check_answer(match, data, held)
            self._guard(held, data, lambda: check_receipt(data["receipt"], self.keys))
        if held and data.get("receipt"):
            self.keep_receipt(match, command, data["receipt"])

    def keep_receipt(self, match: str, command: Json, receipt: Json) -> None:
        """Store the receipt for a command."""
        self._held[match].add("receipts.ndjson", {"command": command, "receipt": receipt})

    def _check_answer(self, match: str, data: Json, held: Evidence | None) -> None:
        answered = [match, data["version"], data["head"]]
        receipt = data.get("receipt") or {}
        if answered != [receipt.get(name) for name in ("match", "version", "head")]:
            self._fail(held, "The receipt of the service does not match its answer to the command.", data)

    def seen(self, match: str, data: Json) -> None:
        """Compare a response about a match with the evidence; if the match is over, check the whole match."""
        if self._enabled and data["id"] != match:
            raise UntrustedServiceError(f"The service has answered with a match other than {match}.")
        held = self.evidence(match) if self._enabled else None
        if held is None:
            return
        if "chance" in data and data["chance"]["commitment"] != held.commitment:
            self._fail(held, SWAPPED, data)
        if data["status"] in ("finished", "aborted"):
            self.over(match)

    def over(self, match: str) -> None:
        """Compare the export of a match that is over with the evidence, once."""
        held = self.evidence(match) if self._enabled else None
        if held is None or held.checked:
            return
        if held.broken:
            raise UntrustedServiceError(held.broken, held.folder)
        content = self._connection.download(f"/v1/matches/{match}/export")
        if held.announced.get("in_block") and is_still_hidden(content):
            return  # other matches with the same deal are still being played
        receipt = self._guard(held, content, lambda: check_export(content, held, self.keys))
        held.set(checked=receipt["head"])
        held.replace_receipts(receipt)
        del self._held[match]

    def _guard(self, held: Evidence | None, answer: Any, check: Callable[[], Any]) -> Any:
        """Run a check; if it fails, store the answer of the service as evidence."""
        try:
            return check()
        except UntrustedServiceError as error:
            self._fail(held, error.problem["detail"], answer)

    def _fail(self, held: Evidence | None, detail: str, answer: Any) -> NoReturn:
        if held is None:
            raise UntrustedServiceError(detail)
        export = isinstance(answer, bytes)
        held.keep("export.ndjson" if export else "answer.json", answer if export else canonical(answer))
        held.set(broken=detail)
        raise UntrustedServiceError(detail, held.folder)
