"""The leaves of the log (docs/log.md): heads of matches and tournaments, signing keys, and outages."""

import json
from dataclasses import asdict, dataclass, fields
from typing import Any

from kontor_games.domain.codec import canonical
from kontor_games.domain.merkle import leaf_hash


@dataclass(frozen=True, slots=True)
class _Leaf:
    """An entry of the log."""

    @property
    def content(self) -> bytes:
        """The entry in the log."""
        return canonical({name: value for name, value in asdict(self).items() if value is not False})

    @property
    def hash(self) -> str:
        """The leaf hash in the tree."""
        return leaf_hash(self.content)


@dataclass(frozen=True, slots=True)
class MatchLeaf(_Leaf):
    """The head of a match at a version; `end` says that nothing follows it, in newer logs."""

    match: str
    version: int
    head: str
    end: bool = False

    @property
    def subject(self) -> str:
        """The id of the match."""
        return self.match

    def __str__(self) -> str:
        return f"match {self.match}"


@dataclass(frozen=True, slots=True)
class TournamentLeaf(_Leaf):
    """The head of a tournament at a version."""

    tournament: str
    version: int
    head: str

    @property
    def subject(self) -> str:
        """The id of the tournament."""
        return self.tournament

    def __str__(self) -> str:
        return f"tournament {self.tournament}"


@dataclass(frozen=True, slots=True)
class KeyLeaf(_Leaf):
    """A signing key of the service."""

    key: str
    public_key: str
    valid_from: int


@dataclass(frozen=True, slots=True)
class OutageLeaf(_Leaf):
    """A period in which the service says that it could accept no command, the same for all matches."""

    outage: int
    """Its beginning, in milliseconds since 1970."""
    until: int


HeadLeaf = MatchLeaf | TournamentLeaf
"""A leaf that binds a hash chain."""
Leaf = HeadLeaf | KeyLeaf | OutageLeaf


class UnreadableLeafError(ValueError):
    """An entry of the log is of no known kind, or not in canonical form."""


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
    data = data if isinstance(data, dict) else {}
    given = {name: type(value) for name, value in data.items()}
    for kind, types in _FORMS.items():
        ended = kind is MatchLeaf and data.get("end") is True
        if given == types | ({"end": bool} if ended else {}):
            leaf: Leaf = kind(**data)
            return leaf
    raise UnreadableLeafError("an entry of the log is not a match, tournament, key or outage")


_FORMS: dict[Any, dict[str, Any]] = {
    kind: {field.name: field.type for field in fields(kind) if field.name != "end"}
    for kind in (MatchLeaf, TournamentLeaf, KeyLeaf, OutageLeaf)
}
