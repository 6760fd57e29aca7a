"""Evidence in answers: keys, checkpoints, proofs, audits. Times are in milliseconds, as in signed texts."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from kontor_games.service.answer_fields import Hash, SigningTime, Uuid

_KeyId = Annotated[str, Meta(pattern="^[0-9a-f]{16}$")]


class PublicKey(Struct, frozen=True):
    """A public key for checking signatures of this service."""

    id: _KeyId
    """Id of the key: the first 16 hex digits of the SHA-256 of its 32 bytes."""
    algorithm: Annotated[str, Meta(examples=["Ed25519"])]
    """Signature algorithm."""
    public_key: str
    """The key, in Base64."""
    valid_from: SigningTime
    """Time from which the key is used, in milliseconds since 1970; it is used until the next key becomes
    valid."""


class KeyList(Struct, frozen=True):
    """All signing keys, past and present."""

    keys: list[PublicKey]
    """The keys, oldest first."""


class Checkpoint(Struct, frozen=True):
    """A signed Merkle tree root over all matches and keys at a point in time."""

    size: int
    """Number of leaves of the tree."""
    at: SigningTime
    """Time of signing, in milliseconds since 1970."""
    note: str
    """The checkpoint with its cosignatures: a signed note (C2SP tlog-checkpoint). If you store it, keep every
    byte."""


class CheckpointPage(Struct, frozen=True):
    """One page of checkpoints, newest first."""

    checkpoints: list[Checkpoint]
    """The checkpoints, newest first."""
    next: str | None
    """Cursor of the next page; null on the last page."""


class Cosigned(Struct, frozen=True):
    """The witnesses whose cosignatures were accepted."""

    size: int
    """Size of the cosigned checkpoint."""
    witnesses: list[str]
    """Names of the witnesses."""


class Consistency(Struct, frozen=True):
    """A proof that a later tree contains an earlier tree unchanged."""

    first: int
    """Number of leaves of the earlier tree."""
    second: int
    """Number of leaves of the later tree."""
    proof: list[Hash]
    """Consistency proof as defined in RFC 6962, section 2.1.2."""


class Leaf(Struct, frozen=True):
    """A leaf of the tree: the version and the head of a match."""

    match: Uuid
    """Id of the match."""
    version: int
    """Version of the match when the checkpoint was taken."""
    head: Hash
    """Hash of the last fact's record at that version."""
    end: bool | UnsetType = UNSET
    """True if the match is over and nothing follows this version; otherwise the field is missing."""


class TournamentLeaf(Struct, frozen=True):
    """A leaf of the tree: the version and the head of a tournament."""

    tournament: Uuid
    """Id of the tournament."""
    version: int
    """Version of the tournament when the checkpoint was taken."""
    head: Hash
    """Hash of the last fact's record at that version."""


class KeyLeaf(Struct, frozen=True):
    """A leaf of the tree: a signing key of the service."""

    key: _KeyId
    """Id of the key."""
    public_key: str
    """The key, in Base64."""
    valid_from: SigningTime
    """Time from which the key is used, in milliseconds since 1970."""


class OutageLeaf(Struct, frozen=True):
    """A leaf of the tree: a period in which the service could accept no command."""

    outage: SigningTime
    """Beginning, in milliseconds since 1970."""
    until: SigningTime
    """End, in milliseconds since 1970."""


class Proof(Struct, frozen=True):
    """The place of a leaf in a tree, and the proof that it is there."""

    index: int
    """Index of the leaf, from 0."""
    proof: list[Hash]
    """Inclusion proof as defined in RFC 6962, section 2.1.1, from the leaf upwards."""


class KeyInclusion(Proof, frozen=True):
    """A proof that a key is in a tree."""

    leaf: KeyLeaf
    """The first leaf of the key."""


class OutageInclusion(Proof, frozen=True):
    """A proof that an outage is in a tree."""

    leaf: OutageLeaf
    """The leaf of the outage."""


class KeyInclusions(Struct, frozen=True):
    """The signing keys in a tree, with proofs."""

    size: int
    """Number of leaves of the tree."""
    keys: list[KeyInclusion]
    """The keys in this tree, in the order of their leaves."""


class Inclusion(Proof, frozen=True):
    """A proof that a leaf is in a tree, and which signing keys are."""

    size: int
    """Number of leaves of the tree."""
    keys: list[KeyInclusion]
    """The signing keys in this tree, with their proofs."""


class MatchInclusion(Inclusion, frozen=True):
    """A proof that the leaf of a match is in a tree."""

    leaf: Leaf
    """The newest leaf of the match in this tree."""
    outages: list[OutageInclusion]
    """The outages, at most 1,000, that touch the time of the match, with their proofs."""


class TournamentInclusion(Inclusion, frozen=True):
    """A proof that the leaf of a tournament is in a tree."""

    leaf: TournamentLeaf
    """The newest leaf of the tournament in this tree."""


class GameCount(Struct, frozen=True):
    """Number of audited matches of one game."""

    game: str
    """Id of the game."""
    matches: int
    """Number of audited matches."""


class Anomaly(Struct, frozen=True):
    """A match that failed its audit."""

    match: Uuid | None
    """Id of the match; null if it is private."""
    problem: str
    """The first error that was found."""


class Bar(Struct, frozen=True):
    """How often a value occurred."""

    label: str
    """The value or, if there are many values, a tenth of their range."""
    observed: int
    """Observed count."""
    expected: float
    """Expected count."""


class StreamTest(Struct, frozen=True):
    """The random values of one stream in all matches of a game, and a test of them."""

    game: str
    """Id of the game."""
    stream: str
    """Name of the stream, such as `deck`; docs/chance.md lists them."""
    values: int
    """Number of random values."""
    tested: int
    """Number of values in the test; ranges from which too few values were drawn are left out."""
    chi_square: float
    """Chi-square statistic for equally likely values."""
    degrees_of_freedom: int
    """Degrees of freedom of the statistic."""
    p_value: float | None
    """Probability of a statistic at least this large if chance is fair; null if there are too few values."""
    bars: list[Bar]
    """Counts by value, or by tenths of the range."""


class Fairness(Struct, frozen=True):
    """Results of the audits of all matches that are over."""

    matches: int
    """Number of audited matches. An audit replays a match from its stored record."""
    verified: int
    """Number of matches without errors."""
    facts: int
    """Number of facts in these matches."""
    random_values: int
    """Number of random values in these matches, not counting open seeds and repeated deals."""
    repeated_deals: int
    """Number of matches whose random values are not counted, since another match with the same deal is: one
    match of each block of a tournament counts."""
    games: list[GameCount]
    """Audited matches by game."""
    anomalies: list[Anomaly]
    """Matches that failed their audit."""
    p_value: float | None
    """Overall result: the probability, if chance is fair, that the smallest p-value of all tests is as small
    as observed; null if there are too few values."""
    chance: list[StreamTest]
    """Test results by stream."""
