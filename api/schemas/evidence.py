"""Evidence: keys, checkpoints, proofs, and the report of all audits. Times are milliseconds, as signed."""

from typing import Any

from marshmallow import fields

from kontor_games.api.schemas import response_fields as shown
from kontor_games.api.schemas.fields import ResponseSchema

_MOMENT: dict[str, Any] = {"examples": [1_772_366_400_000]}
_HASH: dict[str, Any] = {"pattern": "^[0-9a-f]{64}$"}


def _hashes(description: str) -> fields.List[Any]:
    return shown.list_of(fields.String(metadata=_HASH), description)


class PublicKey(ResponseSchema):
    """A public key for checking signatures of this service."""

    id = shown.text(
        "Id of the key: the first 16 hex digits of the SHA-256 of its 32 bytes.", pattern="^[0-9a-f]{16}$"
    )
    algorithm = shown.text("Signature algorithm.", examples=["Ed25519"])
    public_key = shown.text("The key, in Base64.")
    valid_from = shown.integer(
        "Time from which the key is used, in milliseconds since 1970; "
        "it is used until the next key becomes valid.",
        **_MOMENT,
    )


class KeyList(ResponseSchema):
    """All signing keys, past and present."""

    keys = shown.list_of(PublicKey, "The keys, oldest first.")


class Checkpoint(ResponseSchema):
    """A signed root over all matches and keys at a point in time."""

    size = shown.integer("Number of leaves of the tree.")
    at = shown.integer("Time of signing, in milliseconds since 1970.", **_MOMENT)
    note = shown.text(
        "The checkpoint with its cosignatures: a signed note (C2SP tlog-checkpoint). Keep it unchanged."
    )


class CheckpointPage(ResponseSchema):
    """One page of checkpoints, newest first."""

    checkpoints = shown.list_of(Checkpoint, "The checkpoints, newest first.")
    next = shown.text("Cursor of the next page; null on the last page.", allow_none=True)


class Consistency(ResponseSchema):
    """A proof that one tree extends another."""

    first = shown.integer("Number of leaves of the earlier tree.")
    second = shown.integer("Number of leaves of the later tree.")
    proof = _hashes("Consistency proof as defined in RFC 6962, section 2.1.2.")


class Leaf(ResponseSchema):
    """A leaf of the tree: the version and the head of a match."""

    match = shown.text("Id of the match.", format="uuid")
    version = shown.integer("Version of the match when the checkpoint was taken.")
    head = shown.text("Hash of the last fact's record at that version.", **_HASH)


class TournamentLeaf(ResponseSchema):
    """A leaf of the tree: the version and the head of a tournament."""

    tournament = shown.text("Id of the tournament.", format="uuid")
    version = shown.integer("Version of the tournament when the checkpoint was taken.")
    head = shown.text("Hash of the last fact's record at that version.", **_HASH)


class KeyLeaf(ResponseSchema):
    """A leaf of the tree: a signing key of the service."""

    key = shown.text("Id of the key.", pattern="^[0-9a-f]{16}$")
    public_key = shown.text("The key, in Base64.")
    valid_from = shown.integer("Time from which the key is used, in milliseconds since 1970.", **_MOMENT)


class KeyInclusion(ResponseSchema):
    """A proof that a key is in a tree."""

    index = shown.integer("Index of the leaf, from 0.")
    leaf = fields.Nested(KeyLeaf, required=True, metadata={"description": "The first leaf of the key."})
    proof = _hashes("Inclusion proof as defined in RFC 6962, section 2.1.1, from the leaf upwards.")


class KeyInclusions(ResponseSchema):
    """The signing keys in a tree, with proofs."""

    size = shown.integer("Number of leaves of the tree.")
    keys = shown.list_of(KeyInclusion, "The keys in this tree, in the order of their leaves.")


class Cosigned(ResponseSchema):
    """The witnesses whose cosignatures were accepted."""

    size = shown.integer("Size of the cosigned checkpoint.")
    witnesses = shown.list_of(fields.String(), "Names of the witnesses.")


class Inclusion(ResponseSchema):
    """A proof that a leaf is in a tree."""

    size = shown.integer("Number of leaves of the tree.")
    index = shown.integer("Index of the leaf, from 0.")
    leaf = shown.nested(Leaf, "The newest leaf of the match in this tree.")
    proof = _hashes("Inclusion proof as defined in RFC 6962, section 2.1.1, from the leaf upwards.")
    keys = shown.list_of(KeyInclusion, "The signing keys in this tree, with their proofs.")


class TournamentInclusion(Inclusion):
    """A proof that the leaf of a tournament is in a tree."""

    leaf = shown.nested(TournamentLeaf, "The newest leaf of the tournament in this tree.")


class GameCount(ResponseSchema):
    """Number of audited matches of one game."""

    game = shown.text("Id of the game.")
    matches = shown.integer("Number of audited matches.")


class Anomaly(ResponseSchema):
    """A match that failed its audit."""

    match = shown.text("Id of the match; null if it is private.", allow_none=True, format="uuid")
    problem = shown.text("The first error that was found.")


class Bar(ResponseSchema):
    """How often a value occurred."""

    label = shown.text("The value, or a tenth of the range of values.")
    observed = shown.integer("Observed count.")
    expected = shown.number("Expected count.")


class StreamTest(ResponseSchema):
    """The random values of one stream in all matches of a game, and a test of them."""

    game = shown.text("Id of the game.")
    stream = shown.text("Name of the stream, such as `deck`; docs/chance.md lists them.")
    values = shown.integer("Number of random values.")
    tested = shown.integer("Number of values that were tested; values that are too rare are omitted.")
    chi_square = shown.number("Chi-square statistic for equally likely values.")
    degrees_of_freedom = shown.integer("Degrees of freedom of the statistic.")
    p_value = shown.number(
        "Probability of a statistic at least this large if chance is fair; null if there are too few values.",
        allow_none=True,
    )
    bars = shown.list_of(Bar, "Counts by value, or by tenths of the range.")


class Fairness(ResponseSchema):
    """Results of the audits of all matches that are over."""

    matches = shown.integer("Number of audited matches. An audit replays a match from its stored record.")
    verified = shown.integer("Number of matches without errors.")
    facts = shown.integer("Number of facts in these matches.")
    random_values = shown.integer("Number of random values in these matches, without those of open seeds.")
    games = shown.list_of(GameCount, "Audited matches by game.")
    anomalies = shown.list_of(Anomaly, "Matches that failed their audit.")
    p_value = shown.number(
        "Overall result of all tests: "
        "the probability of a smallest p-value at most this small if chance is fair.",
        allow_none=True,
    )
    chance = shown.list_of(StreamTest, "Test results by stream.")
