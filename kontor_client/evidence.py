"""The evidence of a match or tournament that a player stores: what the service signed, and what was sent."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar, Self

from kontor_client.files import locked, write_private
from kontor_client.model import Json


def canonical(value: Any) -> bytes:
    """Return a value as canonical JSON, the form that is hashed and signed (docs/chain.md)."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()


def command_text(match: str, player: str, command: Json, version: int, head: str) -> bytes:
    """Return the text that a player signs for a command at a version of a match (docs/signatures.md)."""
    unsigned = {n: v for n, v in command.items() if n not in ("sent_moves", "signature")}
    if "sent_moves" in command:  # the moves in the form in which they were signed
        unsigned["moves"] = command["sent_moves"]
    statement = {"by": player, "command": unsigned, "head": head, "match": match, "version": version}
    return b"kontor.command.1\n" + canonical(statement)


_TERMS = (
    *("autostart", "meet_bots", "on_timeout", "practice", "private", "rated", "required_witnesses", "signed"),
)


def announced_settings(data: Json) -> Json:
    """Return the announced settings of a match, named as in its first fact."""
    chance, rules = data["chance"], data["ruleset"]
    return {
        "game": rules["game"],
        "rules_version": rules["version"],
        "data": rules["data"],
        "data_hash": rules["data_hash"],
        "options": data["options"],
        "sealed": chance["sealed"],
        "open_seed": chance["open_seed"],
        "in_block": chance["in_block"],
        "branch": data["branch"],
        "clock": {name: data["clock"][name] for name in ("kind", "ms", "increment_ms")},
        **{name: data[name] for name in _TERMS},
        **{name: data[name] for name in ("max_returned_ms", "spectator_delay") if name in data},
    }


def has_terms(created: Json, announced: Json) -> bool:
    """Return whether the first fact of a match has the announced settings.

    A field that is missing in the first fact has its default value.
    """
    defaults = {"required_witnesses": 0, "max_returned_ms": None, "spectator_delay": 0}
    recorded = {name: created.get(name, defaults.get(name, False)) for name in announced}
    return canonical(recorded) == canonical(announced)


class EvidenceFolder:
    """A folder with one file of fields, and other files with one object per line."""

    folder: Path
    file: ClassVar[str]
    """The name of the file with the fields."""

    @classmethod
    def read(cls, folder: Path) -> Self | None:
        """Return the evidence in a folder, if there is any."""
        file = folder / cls.file
        return cls(folder, **json.loads(file.read_bytes())) if file.exists() else None  # type: ignore[call-arg]

    def save(self) -> None:
        """Write all fields to the file, readable by its owner only."""
        fields = {name: value for name, value in asdict(self).items() if name != "folder"}  # type: ignore[call-overload]
        write_private(self.folder / self.file, json.dumps(fields, indent=1) + "\n")

    def set(self, **fields: Any) -> None:
        """Change fields, and write them."""
        for name, value in fields.items():
            setattr(self, name, value)
        self.save()

    def add(self, name: str, line: Json) -> None:
        """Append a line to one of the other files."""
        with (self.folder / name).open("ab", buffering=0) as file:  # whole lines, whoever else appends some
            file.write(json.dumps(line).encode() + b"\n")

    def lines(self, name: str) -> Iterator[Json]:
        """Yield the lines of one of the other files."""
        file = self.folder / name
        if file.exists():
            yield from map(json.loads, file.read_text(encoding="utf-8").splitlines())

    def keep(self, name: str, content: bytes) -> None:
        """Store an answer that proves misconduct, unless there is one already."""
        if not (self.folder / name).exists():
            (self.folder / name).write_bytes(content)


@dataclass
class Evidence(EvidenceFolder):
    """The evidence of one match, in its own folder.

    `match.json` contains these fields, `receipts.ndjson` every executed command with its receipt, in the
    format of `kontor verify --receipts`, and `refused.ndjson` the signed commands that were refused. After
    the check, the last receipt is the one for the last fact; it has no command.
    """

    file: ClassVar[str] = "match.json"
    folder: Path
    match: str
    player: str
    commitment: str
    signed: Json | None
    """Time, key and signature of the commitment."""
    announced: Json
    """The rules of the match and how its seed is determined, named as in the first fact."""
    contribution: str
    """The value of the contribution, even if only its hash was sent."""
    sent: str
    """The contribution as it was sent: the value, or its hash if it is sealed."""
    key: str | None
    """The public key with which the seat was taken."""
    seated: bool = True
    opened: bool = False
    checked: str | None = None
    """The last head of the match, once all checks have passed."""
    broken: str | None = None
    """The error message of the check that failed."""


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
        with locked(self.folder / "openings.lock"):
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
