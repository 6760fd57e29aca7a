"""The leaves of the service's log (docs/log.md): heads of matches and tournaments, and signing keys."""

import json
from dataclasses import dataclass
from typing import Any

from kontor_games.domain.codec import canonical
from kontor_games.domain.merkle import leaf_hash


@dataclass(frozen=True, slots=True)
class MatchLeaf:
    """The head of a match at a version."""

    match: str
    version: int
    head: str

    @property
    def subject(self) -> str:
        """The id of the match."""
        return self.match

    @property
    def content(self) -> bytes:
        """The entry in the log."""
        return canonical({"head": self.head, "match": self.match, "version": self.version})

    @property
    def hash(self) -> str:
        """The leaf hash in the tree."""
        return leaf_hash(self.content)


@dataclass(frozen=True, slots=True)
class TournamentLeaf:
    """The head of a tournament at a version."""

    tournament: str
    version: int
    head: str

    @property
    def subject(self) -> str:
        """The id of the tournament."""
        return self.tournament

    @property
    def content(self) -> bytes:
        """The entry in the log."""
        return canonical({"head": self.head, "tournament": self.tournament, "version": self.version})

    @property
    def hash(self) -> str:
        """The leaf hash in the tree."""
        return leaf_hash(self.content)


@dataclass(frozen=True, slots=True)
class KeyLeaf:
    """A signing key of the service."""

    key: str
    public_key: str
    valid_from: int

    @property
    def content(self) -> bytes:
        """The entry in the log."""
        return canonical({"key": self.key, "public_key": self.public_key, "valid_from": self.valid_from})

    @property
    def hash(self) -> str:
        """The leaf hash in the tree."""
        return leaf_hash(self.content)


HeadLeaf = MatchLeaf | TournamentLeaf
"""A leaf that binds a hash chain."""
Leaf = HeadLeaf | KeyLeaf


class UnreadableLeafError(ValueError):
    """An entry of the log is no match, tournament or key, or not in canonical form."""


def read_leaf(content: bytes) -> Leaf:
    """Read an entry of the log."""
    try:
        data = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise UnreadableLeafError("an entry of the log is not JSON") from error
    leaf = leaf_from(data)
    if leaf.content != content:
        raise UnreadableLeafError("an entry of the log is not canonical JSON")
    return leaf


def leaf_from(data: Any) -> Leaf:
    """Return the leaf that an object describes."""
    for kind, fields in _FORMS.items():
        if (
            isinstance(data, dict)
            and data.keys() == fields.keys()
            and all(type(data[name]) is fields[name] for name in fields)
        ):
            leaf: Leaf = kind(**data)
            return leaf
    raise UnreadableLeafError("an entry of the log is no match, tournament or key")


_FORMS: dict[Any, dict[str, type]] = {
    MatchLeaf: {"head": str, "match": str, "version": int},
    TournamentLeaf: {"head": str, "tournament": str, "version": int},
    KeyLeaf: {"key": str, "public_key": str, "valid_from": int},
}
