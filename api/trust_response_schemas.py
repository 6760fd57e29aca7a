"""What clients get of evidence: keys, checkpoints, proofs, and the report of all audits. Moments stand here as they were signed."""

from functools import partial
from typing import Any

from marshmallow import fields

from kontor_games.api.fields import ResponseSchema, described

_MOMENT: dict[str, Any] = {"examples": [1_772_366_400_000]}
_HASH: dict[str, Any] = {"pattern": "^[0-9a-f]{64}$"}


_text = partial(described, fields.String)
_whole = partial(described, fields.Integer)
_real = partial(described, fields.Float)


def _list(inner: Any, description: str) -> fields.List[Any]:
    return described(fields.List, description, inner)


def _hashes(description: str) -> fields.List[Any]:
    return _list(fields.String(metadata=_HASH), description)


class PublicKey(ResponseSchema):
    """A public key for checking signatures of this service."""

    id = _text(
        "Id of the key: the first 16 hex digits of the SHA-256 of its 32 bytes.", pattern="^[0-9a-f]{16}$"
    )
    algorithm = _text("Signature algorithm.", examples=["Ed25519"])
    public_key = _text("The key, in Base64.")
    valid_from = _whole(
        "Time from which the key is used, in milliseconds since 1970; it is used until the next key becomes valid.",
        **_MOMENT,
    )


class KeyList(ResponseSchema):
    """All signing keys, past and present."""

    keys = _list(fields.Nested(PublicKey), "The keys, oldest first.")


class Checkpoint(ResponseSchema):
    """A signed root over all matches and keys at a point in time."""

    size = _whole("Number of leaves of the tree.")
    at = _whole("Time of signing, in milliseconds since 1970.", **_MOMENT)
    note = _text(
        "The checkpoint with its cosignatures: a signed note (C2SP tlog-checkpoint). Keep it unchanged."
    )


class CheckpointPage(ResponseSchema):
    """One page of checkpoints, newest first."""

    checkpoints = _list(fields.Nested(Checkpoint), "The checkpoints, newest first.")
    next = _text("Cursor of the next page; null on the last page.", allow_none=True)


class Consistency(ResponseSchema):
    """A proof that one tree extends another."""

    first = _whole("Number of leaves of the earlier tree.")
    second = _whole("Number of leaves of the later tree.")
    proof = _hashes("Consistency proof as defined in RFC 6962, section 2.1.2.")


class Leaf(ResponseSchema):
    """A leaf of the tree: the version and the head of a match."""

    match = _text("Id of the match.", format="uuid")
    version = _whole("Version of the match when the checkpoint was taken.")
    head = _text("Hash of the last fact's record at that version.", **_HASH)


class TournamentLeaf(ResponseSchema):
    """A leaf of the tree: the version and the head of a tournament."""

    tournament = _text("Id of the tournament.", format="uuid")
    version = _whole("Version of the tournament when the checkpoint was taken.")
    head = _text("Hash of the last fact's record at that version.", **_HASH)


class KeyLeaf(ResponseSchema):
    """A leaf of the tree: a signing key of the service."""

    key = _text("Id of the key.", pattern="^[0-9a-f]{16}$")
    public_key = _text("The key, in Base64.")
    valid_from = _whole("Time from which the key is used, in milliseconds since 1970.", **_MOMENT)


class KeyInclusion(ResponseSchema):
    """A proof that a key is in a tree."""

    index = _whole("Index of the leaf, from 0.")
    leaf = fields.Nested(KeyLeaf, required=True, metadata={"description": "The first leaf of the key."})
    proof = _hashes("Inclusion proof as defined in RFC 6962, section 2.1.1, from the leaf upwards.")


class KeyInclusions(ResponseSchema):
    """The signing keys in a tree, with proofs."""

    size = _whole("Number of leaves of the tree.")
    keys = _list(fields.Nested(KeyInclusion), "The keys in this tree, in the order of their leaves.")


class Cosigned(ResponseSchema):
    """The witnesses whose cosignatures were accepted."""

    size = _whole("Size of the cosigned checkpoint.")
    witnesses = _list(fields.String(), "Names of the witnesses.")


class Inclusion(ResponseSchema):
    """A proof that a leaf is in a tree."""

    size = _whole("Number of leaves of the tree.")
    index = _whole("Index of the leaf, from 0.")
    leaf = described(fields.Nested, "The newest leaf of the match in this tree.", Leaf)
    proof = _hashes("Inclusion proof as defined in RFC 6962, section 2.1.1, from the leaf upwards.")
    keys = _list(fields.Nested(KeyInclusion), "The signing keys in this tree, with their proofs.")


class TournamentInclusion(Inclusion):
    """A proof that the leaf of a tournament is in a tree."""

    leaf = described(fields.Nested, "The newest leaf of the tournament in this tree.", TournamentLeaf)


class GameCount(ResponseSchema):
    """Number of audited matches of one game."""

    game = _text("Id of the game.")
    matches = _whole("Number of audited matches.")


class Anomaly(ResponseSchema):
    """A match that failed its audit."""

    match = _text("Id of the match; null if it is private.", allow_none=True, format="uuid")
    problem = _text("The first error that was found.")


class Bar(ResponseSchema):
    """How often a value occurred."""

    label = _text("The value, or a tenth of the range of values.")
    observed = _whole("Observed count.")
    expected = _real("Expected count.")


class StreamTest(ResponseSchema):
    """The random values of one stream in all matches of a game, and a test of them."""

    game = _text("Id of the game.")
    stream = _text("Name of the stream, such as `deck`; docs/chance.md lists them.")
    values = _whole("Number of random values.")
    tested = _whole("Number of values that were tested; values with too few of their kind are left out.")
    chi_square = _real("Chi-square statistic for equally likely values.")
    degrees_of_freedom = _whole("Degrees of freedom of the statistic.")
    p_value = _real(
        "Probability of a statistic at least this large if chance is fair; null if there are too few values.",
        allow_none=True,
    )
    bars = _list(fields.Nested(Bar), "Counts by value, or by tenths of the range.")


class Fairness(ResponseSchema):
    """Results of the audits of all matches that are over."""

    matches = _whole("Number of audited matches. An audit replays a match from its stored record.")
    verified = _whole("Number of matches without errors.")
    facts = _whole("Number of facts in these matches.")
    random_values = _whole("Number of random values in these matches, without those of open seeds.")
    games = _list(fields.Nested(GameCount), "Audited matches by game.")
    anomalies = _list(fields.Nested(Anomaly), "Matches that failed their audit.")
    p_value = _real(
        "Overall result of all tests: the probability of a smallest p-value at most this small if chance is fair.",
        allow_none=True,
    )
    chance = _list(fields.Nested(StreamTest), "Test results by stream.")
