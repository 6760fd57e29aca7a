"""The evidence of a tournament that an entrant stores: what the service signed, and what the entrant sent."""

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import ClassVar

from kontor_client.evidence import EvidenceFolder, canonical
from kontor_client.model import Json

_OPENINGS = 32  # how often a service can ask for contributions to a tournament
_PREFIX = b"kontor.tournament-command.1\n"


def chain_of(root: str) -> list[str]:
    """Return the hash that is sealed, and then the values to open: the hash of each is the one before."""
    values = [root]
    for _ in range(_OPENINGS):
        values.append(sha256(values[-1].encode()).hexdigest())
    return values[::-1]


@dataclass
class TournamentEvidence(EvidenceFolder):
    """The evidence of one tournament, in its own folder.

    `tournament.json` contains these fields, `openings.ndjson` every opened value with the digest that it
    answered, `matches.ndjson` the matches joined because this tournament fixed their deals, and
    `receipts.ndjson` the receipts, in the form of `kontor verify --receipts`.
    """

    file: ClassVar[str] = "tournament.json"
    folder: Path
    tournament: str
    player: str
    commitment: str
    signed: Json | None
    """Time, key and signature of the commitment; None for an entry after the start, which does not count."""
    rotated: bool
    """Whether the tournament was announced with duplicate deals, so that matches can be `in_block`."""
    root: str
    """The random value from which the sealed hash and all values to open are computed."""
    sealed: str
    key: str | None
    """The public key with which the entry was signed."""
    entered: bool = False
    """Whether the service has confirmed the entry."""
    checked: str | None = None
    """The last head of the tournament, once all checks have passed."""
    broken: str | None = None
    """The error message of the check that failed."""

    def next_value(self, digest: str) -> str:
        """Return the value that answers a digest, and store that it does: none answers two of them."""
        opened = list(self.lines("openings.ndjson"))
        for one in opened:
            if one["digest"] == digest:
                return str(one["value"])
        step = 1 + [one["sealed"] for one in opened].count(self.sealed)
        value = chain_of(self.root)[step]
        self.add("openings.ndjson", {"sealed": self.sealed, "digest": digest, "value": value})
        return value

    def signed_text(self, command: Json) -> bytes:
        """Return the text that an entrant signs for a command (docs/tournaments.md)."""
        statement = {"by": self.player, "command": command, "commitment": self.commitment}
        return _PREFIX + canonical(statement | {"tournament": self.tournament})
