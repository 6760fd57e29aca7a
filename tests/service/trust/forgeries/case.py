"""The evidence that a reader has kept of a match, what the operator shows later, and kinds of forgery."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from kontor_games.domain.codec import Plain
from kontor_games.domain.log_leaves import Leaf, MatchLeaf
from tests.support.forging import lines_of
from tests.support.operator_table import Table
from tests.support.recording import KEYS, KnownKeys
from tests.support.shown_log import ShownLog

OTHERS = [MatchLeaf(f"{digit * 8}-0000-4000-8000-000000000000", 1, digit * 64) for digit in "abc"]
"""Leaves of other matches."""


@dataclass(frozen=True)
class KeptEvidence:
    """The evidence that the reader, Ann, has kept."""

    original: Table
    """The match as it was shown while it ran, with her commands and their receipts."""
    log: ShownLog
    """The log at the checkpoint that she kept."""

    @property
    def keys(self) -> list[Plain]:
        """The keys that the service published at the time."""
        return self.original.signer.published()

    @property
    def receipts(self) -> list[Plain]:
        """The receipts of her commands."""
        return [line["receipt"] for line in self.original.held]


@dataclass(frozen=True)
class ShownEvidence:
    """The file, log and keys that the operator shows later."""

    content: bytes
    log: ShownLog
    keys: list[Plain]


@dataclass(frozen=True)
class Case:
    """A forgery to be checked: the kept evidence, and what the operator shows."""

    kept: KeptEvidence
    shown: ShownEvidence


def leaf_of(content: bytes) -> MatchLeaf:
    """Return the leaf that belongs to an export."""
    header, *_, footer = lines_of(content)
    return MatchLeaf(header["match"], footer["version"], footer["head"], end=header["complete"])


def log_of(table: Table) -> ShownLog:
    """Return the log after an honest match: keys, a leaf from the middle of the match and one of its end."""
    heads = table.heads()
    middle = len(heads) // 2
    keys: list[Leaf] = [key.leaf for key in table.signer.public_keys()]
    own = [
        MatchLeaf(table.id, version, heads[version - 1], end=version == len(heads))
        for version in (middle, len(heads))
    ]
    return ShownLog([*keys, OTHERS[0], own[0], OTHERS[1], own[1]], table.signer)


def kept_of(table: Table) -> KeptEvidence:
    """Return the evidence that Ann has kept of a finished match."""
    return KeptEvidence(table, log_of(table))


def case_with_one_history(table: Table, content: bytes | None = None) -> Case:
    """Return the case of a match with one history, true or false: receipts and log agree with it."""
    kept = kept_of(table)
    return Case(kept, ShownEvidence(content or table.export(), kept.log.grown(OTHERS[2]), kept.keys))


def case_with_another_file(
    honest: Table, content: bytes, log: ShownLog | None = None, keys: KnownKeys = KEYS
) -> Case:
    """Return the case of a file made after the match; by default its leaf is appended to the log."""
    kept = kept_of(honest)
    shown = log or kept.log.grown(OTHERS[2], leaf_of(content))
    return Case(kept, ShownEvidence(content, shown, keys.published()))


@dataclass(frozen=True)
class Forgery:
    """A kind of forgery."""

    name: str
    make: Callable[[bool], Case]
    """Makes the case; the argument says whether the players sign their commands."""
    caught: str
    """The names of the checks that detect it, separated by spaces."""


@dataclass(frozen=True)
class Group:
    """Kinds of forgery that belong together."""

    title: str
    forgeries: Sequence[Forgery]
