"""Evidence: keys, checkpoints, proofs, and the report of all audits. Times are milliseconds, as signed."""

from typing import Any

from marshmallow import fields

from kontor_games.api.schemas.fields import ResponseSchema
from kontor_games.api.schemas.response_fields import (
    integer_field,
    list_field,
    nested_field,
    number_field,
    text_field,
)

_MOMENT: dict[str, Any] = {"examples": [1_772_366_400_000]}
_HASH: dict[str, Any] = {"pattern": "^[0-9a-f]{64}$"}


def _hashes(description: str) -> fields.List[Any]:
    return list_field(fields.String(metadata=_HASH), description)


class PublicKey(ResponseSchema):
    """A public key for checking signatures of this service."""

    id = text_field(
        "Id of the key: the first 16 hex digits of the SHA-256 of its 32 bytes.", pattern="^[0-9a-f]{16}$"
    )
    algorithm = text_field("Signature algorithm.", examples=["Ed25519"])
    public_key = text_field("The key, in Base64.")
    valid_from = integer_field(
        "Time from which the key is used, in milliseconds since 1970; "
        "it is used until the next key becomes valid.",
        **_MOMENT,
    )


class KeyList(ResponseSchema):
    """All signing keys, past and present."""

    keys = list_field(fields.Nested(PublicKey), "The keys, oldest first.")


class Checkpoint(ResponseSchema):
    """A signed root over all matches and keys at a point in time."""

    size = integer_field("Number of leaves of the tree.")
    at = integer_field("Time of signing, in milliseconds since 1970.", **_MOMENT)
    note = text_field(
        "The checkpoint with its cosignatures: a signed note (C2SP tlog-checkpoint). Keep it unchanged."
    )


class CheckpointPage(ResponseSchema):
    """One page of checkpoints, newest first."""

    checkpoints = list_field(fields.Nested(Checkpoint), "The checkpoints, newest first.")
    next = text_field("Cursor of the next page; null on the last page.", allow_none=True)


class Consistency(ResponseSchema):
    """A proof that one tree extends another."""

    first = integer_field("Number of leaves of the earlier tree.")
    second = integer_field("Number of leaves of the later tree.")
    proof = _hashes("Consistency proof as defined in RFC 6962, section 2.1.2.")


class Leaf(ResponseSchema):
    """A leaf of the tree: the version and the head of a match."""

    match = text_field("Id of the match.", format="uuid")
    version = integer_field("Version of the match when the checkpoint was taken.")
    head = text_field("Hash of the last fact's record at that version.", **_HASH)


class TournamentLeaf(ResponseSchema):
    """A leaf of the tree: the version and the head of a tournament."""

    tournament = text_field("Id of the tournament.", format="uuid")
    version = integer_field("Version of the tournament when the checkpoint was taken.")
    head = text_field("Hash of the last fact's record at that version.", **_HASH)


class KeyLeaf(ResponseSchema):
    """A leaf of the tree: a signing key of the service."""

    key = text_field("Id of the key.", pattern="^[0-9a-f]{16}$")
    public_key = text_field("The key, in Base64.")
    valid_from = integer_field("Time from which the key is used, in milliseconds since 1970.", **_MOMENT)


class KeyInclusion(ResponseSchema):
    """A proof that a key is in a tree."""

    index = integer_field("Index of the leaf, from 0.")
    leaf = fields.Nested(KeyLeaf, required=True, metadata={"description": "The first leaf of the key."})
    proof = _hashes("Inclusion proof as defined in RFC 6962, section 2.1.1, from the leaf upwards.")


class KeyInclusions(ResponseSchema):
    """The signing keys in a tree, with proofs."""

    size = integer_field("Number of leaves of the tree.")
    keys = list_field(fields.Nested(KeyInclusion), "The keys in this tree, in the order of their leaves.")


class Cosigned(ResponseSchema):
    """The witnesses whose cosignatures were accepted."""

    size = integer_field("Size of the cosigned checkpoint.")
    witnesses = list_field(fields.String(), "Names of the witnesses.")


class Inclusion(ResponseSchema):
    """A proof that a leaf is in a tree."""

    size = integer_field("Number of leaves of the tree.")
    index = integer_field("Index of the leaf, from 0.")
    leaf = nested_field(Leaf, "The newest leaf of the match in this tree.")
    proof = _hashes("Inclusion proof as defined in RFC 6962, section 2.1.1, from the leaf upwards.")
    keys = list_field(fields.Nested(KeyInclusion), "The signing keys in this tree, with their proofs.")


class TournamentInclusion(Inclusion):
    """A proof that the leaf of a tournament is in a tree."""

    leaf = nested_field(TournamentLeaf, "The newest leaf of the tournament in this tree.")


class GameCount(ResponseSchema):
    """Number of audited matches of one game."""

    game = text_field("Id of the game.")
    matches = integer_field("Number of audited matches.")


class Anomaly(ResponseSchema):
    """A match that failed its audit."""

    match = text_field("Id of the match; null if it is private.", allow_none=True, format="uuid")
    problem = text_field("The first error that was found.")


class Bar(ResponseSchema):
    """How often a value occurred."""

    label = text_field("The value, or a tenth of the range of values.")
    observed = integer_field("Observed count.")
    expected = number_field("Expected count.")


class StreamTest(ResponseSchema):
    """The random values of one stream in all matches of a game, and a test of them."""

    game = text_field("Id of the game.")
    stream = text_field("Name of the stream, such as `deck`; docs/chance.md lists them.")
    values = integer_field("Number of random values.")
    tested = integer_field("Number of values that were tested; values that are too rare are omitted.")
    chi_square = number_field("Chi-square statistic for equally likely values.")
    degrees_of_freedom = integer_field("Degrees of freedom of the statistic.")
    p_value = number_field(
        "Probability of a statistic at least this large if chance is fair; null if there are too few values.",
        allow_none=True,
    )
    bars = list_field(fields.Nested(Bar), "Counts by value, or by tenths of the range.")


class Fairness(ResponseSchema):
    """Results of the audits of all matches that are over."""

    matches = integer_field("Number of audited matches. An audit replays a match from its stored record.")
    verified = integer_field("Number of matches without errors.")
    facts = integer_field("Number of facts in these matches.")
    random_values = integer_field("Number of random values in these matches, without those of open seeds.")
    games = list_field(fields.Nested(GameCount), "Audited matches by game.")
    anomalies = list_field(fields.Nested(Anomaly), "Matches that failed their audit.")
    p_value = number_field(
        "Overall result of all tests: "
        "the probability of a smallest p-value at most this small if chance is fair.",
        allow_none=True,
    )
    chance = list_field(fields.Nested(StreamTest), "Test results by stream.")
