"""Evidence: keys, the log of checkpoints, proofs, audits. Times are in milliseconds, as in signed texts."""

from typing import Any

from marshmallow import fields

from kontor_games.api.schemas import request_fields as req
from kontor_games.api.schemas import response_fields as res
from kontor_games.api.schemas.fields import RequestSchema, ResponseSchema, matching
from kontor_games.api.schemas.patterns import SIGNATURE_LINES

_MOMENT: dict[str, Any] = {"examples": [1_772_366_400_000]}
_HASH: dict[str, Any] = {"pattern": "^[0-9a-f]{64}$"}


def _hashes(description: str) -> fields.List[Any]:
    return res.list_of(fields.String(metadata=_HASH), description)


class CheckpointsQuery(RequestSchema):
    """Which checkpoints to list."""

    cursor = req.cursor()
    limit = req.limit("Maximum number of checkpoints on a page.", 50, 200)


class ConsistencyQuery(RequestSchema):
    """The two trees to compare."""

    first = req.query_integer(
        "Size of the earlier tree, such as that of a checkpoint you stored.", req.VERSION
    )
    second = req.query_integer("Size of the later tree.", req.VERSION)


class InclusionQuery(RequestSchema):
    """The tree for which to prove inclusion."""

    size = req.query_integer("Size of the tree, taken from a checkpoint.", req.VERSION)


class Cosigning(RequestSchema):
    """Cosignatures of a checkpoint, as a witness makes them (C2SP tlog-cosignature)."""

    size = req.integer("Size of the checkpoint.", req.VERSION)
    signatures = req.text(
        "Signature lines of a signed note, each ending with a line break: `— name Base64`.",
        matching(SIGNATURE_LINES, "signature lines of a note, each with its line break"),
    )


class PublicKey(ResponseSchema):
    """A public key for checking signatures of this service."""

    id = res.text(
        "Id of the key: the first 16 hex digits of the SHA-256 of its 32 bytes.", pattern="^[0-9a-f]{16}$"
    )
    algorithm = res.text("Signature algorithm.", examples=["Ed25519"])
    public_key = res.text("The key, in Base64.")
    valid_from = res.integer(
        "Time from which the key is used, in milliseconds since 1970; "
        "it is used until the next key becomes valid.",
        **_MOMENT,
    )


class KeyList(ResponseSchema):
    """All signing keys, past and present."""

    keys = res.list_of(PublicKey, "The keys, oldest first.")


class Checkpoint(ResponseSchema):
    """A signed Merkle tree root over all matches and keys at a point in time."""

    size = res.integer("Number of leaves of the tree.")
    at = res.integer("Time of signing, in milliseconds since 1970.", **_MOMENT)
    note = res.text(
        "The checkpoint with its cosignatures: a signed note (C2SP tlog-checkpoint). "
        "If you store it, keep every byte."
    )


class CheckpointPage(ResponseSchema):
    """One page of checkpoints, newest first."""

    checkpoints = res.list_of(Checkpoint, "The checkpoints, newest first.")
    next = res.text("Cursor of the next page; null on the last page.", allow_none=True)


class Consistency(ResponseSchema):
    """A proof that a later tree contains an earlier tree unchanged."""

    first = res.integer("Number of leaves of the earlier tree.")
    second = res.integer("Number of leaves of the later tree.")
    proof = _hashes("Consistency proof as defined in RFC 6962, section 2.1.2.")


class Leaf(ResponseSchema):
    """A leaf of the tree: the version and the head of a match."""

    match = res.text("Id of the match.", format="uuid")
    version = res.integer("Version of the match when the checkpoint was taken.")
    head = res.text("Hash of the last fact's record at that version.", **_HASH)
    end = res.boolean(
        "True if the match is over and nothing follows this version; otherwise the field is missing.",
        required=False,
    )


class TournamentLeaf(ResponseSchema):
    """A leaf of the tree: the version and the head of a tournament."""

    tournament = res.text("Id of the tournament.", format="uuid")
    version = res.integer("Version of the tournament when the checkpoint was taken.")
    head = res.text("Hash of the last fact's record at that version.", **_HASH)


class KeyLeaf(ResponseSchema):
    """A leaf of the tree: a signing key of the service."""

    key = res.text("Id of the key.", pattern="^[0-9a-f]{16}$")
    public_key = res.text("The key, in Base64.")
    valid_from = res.integer("Time from which the key is used, in milliseconds since 1970.", **_MOMENT)


class KeyInclusion(ResponseSchema):
    """A proof that a key is in a tree."""

    index = res.integer("Index of the leaf, from 0.")
    leaf = res.nested(KeyLeaf, "The first leaf of the key.")
    proof = _hashes("Inclusion proof as defined in RFC 6962, section 2.1.1, from the leaf upwards.")


class OutageLeaf(ResponseSchema):
    """A leaf of the tree: a period in which the service could accept no command."""

    outage = res.integer("Beginning, in milliseconds since 1970.", **_MOMENT)
    until = res.integer("End, in milliseconds since 1970.", **_MOMENT)


class OutageInclusion(ResponseSchema):
    """A proof that an outage is in a tree."""

    index = res.integer("Index of the leaf, from 0.")
    leaf = res.nested(OutageLeaf, "The leaf of the outage.")
    proof = _hashes("Inclusion proof as defined in RFC 6962, section 2.1.1, from the leaf upwards.")


class KeyInclusions(ResponseSchema):
    """The signing keys in a tree, with proofs."""

    size = res.integer("Number of leaves of the tree.")
    keys = res.list_of(KeyInclusion, "The keys in this tree, in the order of their leaves.")


class Cosigned(ResponseSchema):
    """The witnesses whose cosignatures were accepted."""

    size = res.integer("Size of the cosigned checkpoint.")
    witnesses = res.list_of(fields.String(), "Names of the witnesses.")


class Inclusion(ResponseSchema):
    """A proof that a leaf is in a tree."""

    size = res.integer("Number of leaves of the tree.")
    index = res.integer("Index of the leaf, from 0.")
    leaf = res.nested(Leaf, "The newest leaf of the match in this tree.")
    proof = _hashes("Inclusion proof as defined in RFC 6962, section 2.1.1, from the leaf upwards.")
    keys = res.list_of(KeyInclusion, "The signing keys in this tree, with their proofs.")


class MatchInclusion(Inclusion):
    """A proof that the leaf of a match is in a tree."""

    outages = res.list_of(
        OutageInclusion,
        "The outages, at most 1,000, that touch the time of the match, with their proofs.",
    )


class TournamentInclusion(Inclusion):
    """A proof that the leaf of a tournament is in a tree."""

    leaf = res.nested(TournamentLeaf, "The newest leaf of the tournament in this tree.")


class GameCount(ResponseSchema):
    """Number of audited matches of one game."""

    game = res.text("Id of the game.")
    matches = res.integer("Number of audited matches.")


class Anomaly(ResponseSchema):
    """A match that failed its audit."""

    match = res.text("Id of the match; null if it is private.", allow_none=True, format="uuid")
    problem = res.text("The first error that was found.")


class Bar(ResponseSchema):
    """How often a value occurred."""

    label = res.text("The value or, if there are many values, a tenth of their range.")
    observed = res.integer("Observed count.")
    expected = res.number("Expected count.")


class StreamTest(ResponseSchema):
    """The random values of one stream in all matches of a game, and a test of them."""

    game = res.text("Id of the game.")
    stream = res.text("Name of the stream, such as `deck`; docs/chance.md lists them.")
    values = res.integer("Number of random values.")
    tested = res.integer(
        "Number of values in the test; ranges from which too few values were drawn are left out."
    )
    chi_square = res.number("Chi-square statistic for equally likely values.")
    degrees_of_freedom = res.integer("Degrees of freedom of the statistic.")
    p_value = res.number(
        "Probability of a statistic at least this large if chance is fair; null if there are too few values.",
        allow_none=True,
    )
    bars = res.list_of(Bar, "Counts by value, or by tenths of the range.")


class Fairness(ResponseSchema):
    """Results of the audits of all matches that are over."""

    matches = res.integer("Number of audited matches. An audit replays a match from its stored record.")
    verified = res.integer("Number of matches without errors.")
    facts = res.integer("Number of facts in these matches.")
    random_values = res.integer(
        "Number of random values in these matches, not counting open seeds and repeated deals."
    )
    repeated_deals = res.integer(
        "Number of matches whose random values are not counted, since another match with the same deal is: "
        "one match of each block of a tournament counts."
    )
    games = res.list_of(GameCount, "Audited matches by game.")
    anomalies = res.list_of(Anomaly, "Matches that failed their audit.")
    p_value = res.number(
        "Overall result: the probability, if chance is fair, that the smallest p-value of all tests is as "
        "small as observed; null if there are too few values.",
        allow_none=True,
    )
    chance = res.list_of(StreamTest, "Test results by stream.")
