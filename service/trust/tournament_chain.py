"""The hash chain of a tournament, computed from its stored facts."""

from uuid import UUID

from kontor_games.domain.audit import BrokenRecordError
from kontor_games.domain.codec import MalformedError
from kontor_games.domain.tournaments.chain import GENESIS, TournamentEntry, records_of
from kontor_games.domain.tournaments.commands import COMMAND_CODEC
from kontor_games.domain.tournaments.facts import TOURNAMENT_CODEC
from kontor_games.service.store.event_store import EventStore, StoredEntry

_UNREADABLE = (AttributeError, LookupError, MalformedError, TypeError, ValueError)


def read_tournament_entry(row: StoredEntry) -> TournamentEntry:
    """Decode a stored entry of a tournament."""
    stored = row.stored
    facts = tuple(TOURNAMENT_CODEC.decode(fact) for fact in stored.facts)
    command = COMMAND_CODEC.decode(stored.command)
    return TournamentEntry(
        row.originator_version, stored.at, stored.by, command, stored.key, stored.body, facts
    )


def tournament_chain_of(store: EventStore, tournament_id: UUID) -> list[str]:
    """Compute the hashes of all stored facts of a tournament, without checking them against its terms."""
    hashes, secret = list[str](), ""
    for row in store.entries(tournament_id):
        version = len(hashes) + 1
        try:
            entry = read_tournament_entry(row)
            # The first fact is the announcement, which contains the secret.
            secret = secret or entry.facts[0].server_secret  # type: ignore[attr-defined]
            records = records_of(str(tournament_id), entry, secret, hashes[-1] if hashes else GENESIS)
        except _UNREADABLE as error:
            raise BrokenRecordError(version, f"what is stored can't be read ({error})") from error
        if entry.first != version:
            raise BrokenRecordError(
                entry.first, f"facts are missing or duplicated; expected version {version} here"
            )
        hashes += [str(record["hash"]) for record in records]
    return hashes
