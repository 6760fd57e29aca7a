"""The hash chain of a tournament, of the same kind as that of a match (docs/tournaments.md)."""

from collections.abc import Mapping
from dataclasses import dataclass

from kontor_games.domain.chain import GENESIS, Salts, seal_plain
from kontor_games.domain.codec import Plain, canonical, digest
from kontor_games.domain.tournaments.commands import COMMAND_CODEC, TournamentCommand
from kontor_games.domain.tournaments.facts import TOURNAMENT_CODEC, TournamentFact

__all__ = ["GENESIS", "TournamentEntry", "commitment_text", "hash_of", "receipt_text", "records_of"]


@dataclass(frozen=True, slots=True)
class TournamentEntry:
    """One accepted command of a tournament and the facts it caused: stored completely or not at all."""

    first: int
    """The version of its first fact; versions count facts from 1."""
    at: int
    by: str
    """The player who gave the command, or HOUSE."""
    command: TournamentCommand
    key: str
    request_digest: str
    facts: tuple[TournamentFact, ...]

    @property
    def last(self) -> int:
        """The version of its last fact."""
        return self.first + len(self.facts) - 1


def records_of(
    tournament_id: str, entry: TournamentEntry, server_secret: str, before: str
) -> list[dict[str, Plain]]:
    """Return the records of the facts of an entry, each with its hash and that of the one before.

    The first record contains the command. Hidden fields are hashed as salted commitments.
    """
    records: list[dict[str, Plain]] = []
    salts = Salts(server_secret)  # no other tournament has this secret
    for version, fact in enumerate(entry.facts, entry.first):
        plain = TOURNAMENT_CODEC.encode(fact)
        public, sealed = seal_plain(TOURNAMENT_CODEC, plain, version, salts)
        record: dict[str, Plain] = {
            "at": entry.at,
            "before": before,
            "by": entry.by,
            "fact": public,
            "sealed": sealed,
            "tournament": tournament_id,
            "version": version,
        }
        if version == entry.first:
            record["command"] = COMMAND_CODEC.encode(entry.command)
        before = hash_of(record)
        records.append({**record, "hash": before})
    return records


def hash_of(record: Mapping[str, Plain]) -> str:
    """Return the hash of a record, without the field that holds it."""
    return digest({name: value for name, value in record.items() if name != "hash"})


def receipt_text(tournament_id: str, version: int, head: str, at: int) -> bytes:
    """Return the text of a receipt, which the service signs with every answer."""
    data = {"at": at, "head": head, "tournament": tournament_id, "version": version}
    return b"kontor.tournament-receipt.1\n" + canonical(data)


def commitment_text(tournament_id: str, commitment: str, at: int) -> bytes:
    """Return the text of the signed commitment, which an entrant holds before contributing to the seed."""
    data = {"at": at, "commitment": commitment, "tournament": tournament_id}
    return b"kontor.tournament-commitment.1\n" + canonical(data)
