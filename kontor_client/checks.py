"""Checks a service against its signatures, from the commitment to its secret to the end of each match."""

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
    """The evidence of one player about all matches of a service, and the checks against later answers."""

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
        """Return the evidence of a match in which this client took part."""
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

    def created(self, data: Json, asked: Json) -> None:
        """Check that a new match is new, and will be dealt as it was asked for."""
        wanted = {
            "open_seed": asked.get("seed"),
            "sealed": asked.get("sealed", False),
            "branch": False,
            "in_block": False,
        }
        told = announced(data)
        if self._enabled and self.evidence(data["id"]):
            raise UntrustedServiceError("The service has given a new match the id of an earlier one.")
        if self._enabled and wanted != {name: told[name] for name in wanted}:
            raise UntrustedServiceError(
                "The service has created a match that is dealt in another way than you asked."
            )

    def commitment(self, match: str, chance: Json) -> None:
        """Check that the service has signed its commitment for a match; nothing may be contributed before."""
        if self._enabled:
            signed = chance.get("signed")
            at = signed.get("at") if isinstance(signed, dict) else None
            statement = {"at": at, "commitment": chance["commitment"], "match": match}
            self.keys.check("its commitment to a secret", "kontor.commitment.1", statement, signed)

    def tournament_commitment(self, tournament: str, chance: Json) -> None:
        """Check that the service signed its commitment for a tournament, before anything is contributed."""
        if self._enabled:
            signed = chance["signed"]
            statement = {"at": signed.get("at"), "commitment": chance["commitment"], "tournament": tournament}
            self.keys.check("its commitment to a secret", "kontor.tournament-commitment.1", statement, signed)

    def begin(self, match: str, data: Json, contribution: str, sent: str, key: str | None) -> None:
        """Keep the commitment, and the contribution that is about to be sent."""
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
        """Restore the evidence from before `begin`, because no seat was taken."""
        if kept:
            self._held[match] = kept
            kept.save()
        else:
            self._held[match].set(seated=False)

    def refused(self, match: str, command: Json) -> None:
        """Remember that a signed command was refused: it may not turn up in the match."""
        held = self.evidence(match)
        if held and "signature" in command:
            held.add("refused.ndjson", command)

    def answered(self, match: str, data: Json, command: Json) -> None:
        """Check the answer to a command, and keep its receipt."""
        held = self.evidence(match)
        if self._enabled:
            self._check_answer(match, data, held)
            self._guard(held, data, lambda: check_receipt(data["receipt"], self.keys))
        if held and data.get("receipt"):
            self.keep_receipt(match, command, data["receipt"])

    def keep_receipt(self, match: str, command: Json, receipt: Json) -> None:
        """Keep the receipt for a command."""
        self._held[match].add("receipts.ndjson", {"command": command, "receipt": receipt})

    def _check_answer(self, match: str, data: Json, held: Evidence | None) -> None:
        told = [match, data["version"], data["head"]]
        receipt = data.get("receipt") or {}
        if told != [receipt.get(name) for name in ("match", "version", "head")]:
            self._fail(held, "The service has signed another answer to a command than it has given.", data)

    def seen(self, match: str, data: Json) -> None:
        """Compare the current answer about a match with the evidence; if the match is over, check it all."""
        if self._enabled and data["id"] != match:
            raise UntrustedServiceError(f"The service has answered with another match than {match}.")
        held = self.evidence(match) if self._enabled else None
        if held is None:
            return
        if "chance" in data and data["chance"]["commitment"] != held.commitment:
            self._fail(held, SWAPPED, data)
        if data["status"] in ("finished", "aborted"):
            self.over(match)

    def over(self, match: str) -> None:
        """Compare the export of a finished match with the evidence, once."""
        held = self.evidence(match) if self._enabled else None
        if held is None or held.checked:
            return
        if held.broken:
            raise UntrustedServiceError(held.broken, held.folder)
        content = self._connection.download(f"/v1/matches/{match}/export")
        if held.announced.get("in_block") and is_still_hidden(content):
            return  # the block of matches with this deal is not over
        receipt = self._guard(held, content, lambda: check_export(content, held, self.keys))
        held.set(checked=receipt["head"])
        held.replace_receipts(receipt)
        del self._held[match]

    def _guard(self, held: Evidence | None, said: Any, check: Callable[[], Any]) -> Any:
        """Run a check; if it fails, save the answer of the service."""
        try:
            return check()
        except UntrustedServiceError as error:
            self._fail(held, error.problem["detail"], said)

    def _fail(self, held: Evidence | None, detail: str, said: Any) -> NoReturn:
        if held is None:
            raise UntrustedServiceError(detail)
        export = isinstance(said, bytes)
        held.keep("export.ndjson" if export else "answer.json", said if export else canonical(said))
        held.set(broken=detail)
        raise UntrustedServiceError(detail, held.folder)
