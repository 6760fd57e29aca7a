"""Entries of streams as they are stored and read: their JSON form, and what must hold for them."""

from collections.abc import Callable
from sys import intern
from typing import Any, TypeVar

from msgspec import MsgspecError

from kontor_games.domain.codec import Codec, Plain
from kontor_games.domain.refusals import Refusal
from kontor_games.domain.stream import Command, Decider, Entry, Stream
from kontor_games.service.ed25519 import is_signed
from kontor_games.service.errors import RecordDamagedError
from kontor_games.service.store.event_store import Stored, StoredEntry

S = TypeVar("S", bound=Stream)
UNREADABLE = (AttributeError, LookupError, MsgspecError, TypeError, ValueError)
"""The errors that decoding or folding an altered row can raise."""


def write_entry(decider: Decider[S], entry: Entry, state: S, head: str) -> Stored:
    """Encode an entry for the store; `state` is the one after it."""
    encode = decider.fact_codec(state).encode
    facts = [encode(fact) for fact in entry.facts]
    command = decider.command_codec(state).encode(entry.command)
    return Stored(entry.at, entry.by, entry.key, entry.request_digest, command, facts, head, entry.seat)


def read_entry(
    decider: Decider[S],
    row: StoredEntry,
    state: S,
    read_command: Callable[[Codec, Plain], Command] = Codec.decode,
) -> Entry:
    """Decode a stored entry; `state` is the one before it."""
    stored = row.stored
    facts = decider.read_facts(state, stored.facts)
    command = read_command(decider.command_codec(state), stored.command)
    by = intern(stored.by)  # the entries of a stream have the same few authors
    return Entry(row.originator_version, stored.at, by, stored.seat, command, stored.key, stored.body, facts)


def require_authentic(decider: Decider[Any], stream_id: str, state: Stream, head: str, entry: Entry) -> None:
    """Raise RecordDamagedError if the author of a stored command cannot have given it, or did not sign it.

    The password of the service's role is enough to append rows; it must not be enough to act for a player who
    signs.
    """
    if wrong := entry.command.wrong_author(state, entry.by):
        raise RecordDamagedError(entry.first, str(wrong), kind=decider.kind)
    try:
        decider.check_signature(stream_id, state, head, entry.by, entry.command, is_signed)
    except Refusal as error:
        raise RecordDamagedError(
            entry.first, "the player did not sign this command here", kind=decider.kind
        ) from error


def opened(decider: Decider[S], entry: Entry) -> S:
    """Return the state after only the first fact of its first entry: its rules and secret are known then."""
    state = decider.empty()
    state.fold_fact(entry.facts[0])
    return state
