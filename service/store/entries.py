"""Entries of matches as they are read from the store: decoding, and what must hold for them."""

from collections.abc import Callable
from sys import intern

from kontor_games.domain.codec import Codec, Plain
from kontor_games.domain.commands import COMMAND_CODEC, Command, Entry, command_codec
from kontor_games.domain.game import Refusal
from kontor_games.domain.match import Match
from kontor_games.domain.match_facts import read_facts
from kontor_games.domain.player_signatures import check_command
from kontor_games.service.ed25519 import is_signed
from kontor_games.service.errors import MatchDamagedError
from kontor_games.service.store.event_store import StoredEntry


def read_entry(
    row: StoredEntry, match: Match, read_command: Callable[[Codec, Plain], Command] = Codec.decode
) -> Entry:
    """Decode a stored entry; `match` is the match before it."""
    stored = row.stored
    facts = read_facts(stored.facts, match.rules if match.version else None)
    command = read_command(command_codec(match.rules) if match.version else COMMAND_CODEC, stored.command)
    by = intern(stored.by)  # the entries of a match have the same few authors
    return Entry(row.originator_version, stored.at, by, stored.seat, command, stored.key, stored.body, facts)


def require_authentic(match_id: str, match: Match, head: str, entry: Entry) -> None:
    """Raise MatchDamagedError if the author of a stored command cannot have given it, or did not sign it.

    The password of the service's role is enough to append rows; it must not be enough to act for a player who
    signs.
    """
    if wrong := entry.command.wrong_author(match, entry.by):
        raise MatchDamagedError(entry.first, str(wrong))
    try:
        check_command(match_id, match, head, entry.by, entry.command, is_signed)
    except Refusal as error:
        raise MatchDamagedError(entry.first, "the player did not sign this command here") from error


def announced(entry: Entry) -> Match:
    """Return the match after only the first fact of its first entry: its rules and secret are known then."""
    match = Match()
    match.fold_fact(entry.facts[0])
    return match
