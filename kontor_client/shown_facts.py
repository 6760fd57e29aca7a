"""The facts that a player was shown: a command is signed only for a head that follows from them.

The records of a match form a hash chain (docs/chain.md). Its hidden values are commitments, and those that
the player may see are checked at once. So a signature never covers facts other than those shown.
"""

from hashlib import sha256
from typing import Any, NoReturn

from kontor_client.connection import UntrustedServiceError
from kontor_client.evidence import Evidence, canonical, has_terms
from kontor_client.export_check import record_of
from kontor_client.model import Json

FILE = "facts.ndjson"
_MISSING = "The service has named a version of the match whose facts it does not show."


class ShownFacts:
    """The facts of one match, from its first one to the newest that was checked; kept in the evidence."""

    def __init__(self, evidence: Evidence) -> None:
        """Checks the facts that were kept by an earlier run again."""
        self.version, self.head = 0, "0" * 64
        self._heads: dict[int, str] = {}
        self._evidence = evidence
        for line in evidence.lines(FILE):
            if line["version"] > self.version:
                self._follow(line)
            elif self._heads[line["version"]] != line["hash"]:
                _refuse(f"The service has shown two different facts at version {line['version']}.")

    def add(self, events: list[Json]) -> None:
        """Check and keep the facts of a page with records."""
        for event in events:
            record = event.get("record")
            if not isinstance(record, dict):
                _refuse("The service does not show the record of a fact.")
            try:
                self._follow(record)
            except (AttributeError, KeyError, TypeError, ValueError) as error:
                _refuse(f"A record of the match cannot be read ({error!r}).")
            if not _agrees(event["fact"], record["fact"]):
                _refuse(f"The service shows another fact than it records at version {self.version}.")
            self._evidence.add(FILE, record)

    def require(self, version: int, head: str) -> None:
        """Raise UntrustedServiceError unless the facts up to a version have this head."""
        if version not in self._heads:
            _refuse(_MISSING)
        if self._heads[version] != head:
            _refuse(f"The head that the service names at version {version} does not follow from the facts.")

    def _follow(self, record: Json) -> None:
        """Check that a record continues the chain, and that the values it shows match their commitments."""
        place = (self._evidence.match, self.version + 1, self.head)
        if (record["match"], record["version"], record["before"]) != place:
            _refuse(f"The facts of the match do not form a chain at version {self.version + 1}.")
        if self.version == 0:
            _check_terms(record["fact"], self._evidence)
        shown = {name: record["fact"][name] for name in record["sealed"] if name in record["fact"]}
        commitments = {**record["sealed"], "/command": record.get("sealed_command")}
        if "sealed_command" in record and "command" in record:
            shown["/command"] = record["command"]
        for name, value in shown.items():
            salted = bytes.fromhex(record["salts"][name]) + canonical(value)
            if sha256(b"kontor.seal.1\n" + salted).hexdigest() != commitments[name]:
                _refuse(f"At version {record['version']}, {name} does not match its commitment.")
        head = sha256(canonical(record_of(record))).hexdigest()
        if record["hash"] != head:
            _refuse(f"The hash of a fact does not match its record at version {record['version']}.")
        self.version, self.head = record["version"], head
        self._heads[self.version] = head


def _check_terms(created: Json, evidence: Evidence) -> None:
    """Check that the first fact has the commitment and the terms that were announced to the player."""
    if created["commitment"] != evidence.commitment or not has_terms(created, evidence.announced):
        _refuse("The first fact of the match does not have the commitment and the terms that were announced.")


def _agrees(shown: Any, recorded: Json) -> bool:
    """Return whether a shown fact has the values of its record, as far as both have them."""
    if not isinstance(shown, dict):
        return False
    common = shown.keys() & recorded.keys()
    return "type" in common and all(canonical(shown[name]) == canonical(recorded[name]) for name in common)


def _refuse(detail: str) -> NoReturn:
    raise UntrustedServiceError(detail)
