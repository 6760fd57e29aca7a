"""What clients get of evidence: keys, checkpoints, proofs, and the report of all audits. Moments stand here as they were signed."""

from typing import Any

from marshmallow import fields

from kontor_games.api.fields import Shape

_MOMENT: dict[str, Any] = {"examples": [1_772_366_400_000]}
_HASH: dict[str, Any] = {"pattern": "^[0-9a-f]{64}$"}


def _text(description: str, *, allow_none: bool = False, **more: Any) -> fields.String:
    return fields.String(required=True, allow_none=allow_none, metadata={"description": description, **more})


def _whole(description: str, **more: Any) -> fields.Integer:
    return fields.Integer(required=True, metadata={"description": description, **more})


def _real(description: str, *, allow_none: bool = False) -> fields.Float:
    return fields.Float(required=True, allow_none=allow_none, metadata={"description": description})


def _list(inner: Any, description: str) -> fields.List[Any]:
    return fields.List(inner, required=True, metadata={"description": description})


def _hashes(description: str) -> fields.List[Any]:
    return _list(fields.String(metadata=_HASH), description)


class PublicKey(Shape):
    """A key by which signatures of this service are checked."""

    id = _text("The first 16 hex digits of SHA-256 over the 32 bytes of the key.", pattern="^[0-9a-f]{16}$")
    algorithm = _text("How it signs.", examples=["Ed25519"])
    public_key = _text("In Base64.")
    valid_from = _whole("From when it signs, in milliseconds since 1970; until the next one does.", **_MOMENT)


class KeyList(Shape):
    """All keys that ever signed."""

    keys = _list(fields.Nested(PublicKey), "The oldest first.")


class Checkpoint(Shape):
    """The service's signed word on all matches at a moment. Keep it as it stands."""

    size = _whole("Leaves of the tree.")
    root = _text("Root of the Merkle tree (RFC 6962) over them.", **_HASH)
    at = _whole("When it was signed, in milliseconds since 1970.", **_MOMENT)
    key = _text("The id of the key.")
    signature = _text("Ed25519, in Base64; over what, says docs/chain.md.")


class CheckpointPage(Shape):
    """Some checkpoints, the newest first."""

    checkpoints = _list(fields.Nested(Checkpoint), "The newest first.")
    next = _text("The cursor of the next page; null where this is the last.", allow_none=True)


class Consistency(Shape):
    """That one tree is a beginning of another."""

    first = _whole("Leaves of the earlier tree.")
    second = _whole("Leaves of the later tree.")
    proof = _hashes("As RFC 6962, section 2.1.2, has it.")


class Leaf(Shape):
    """What a checkpoint says of a match."""

    match = _text("The match.", format="uuid")
    version = _whole("How far it had come.")
    head = _text("The hash of its last fact then.", **_HASH)


class Inclusion(Shape):
    """That a match is in a tree."""

    size = _whole("Leaves of the tree.")
    index = _whole("The place of the leaf, counted from 0.")
    leaf = fields.Nested(Leaf, required=True, metadata={"description": "The newest leaf of the match in this tree."})
    proof = _hashes("As RFC 6962, section 2.1.1, has it, from the leaf upwards.")


class GameCount(Shape):
    """How many matches of a game were audited."""

    game = _text("The game.")
    matches = _whole("How many.")


class Anomaly(Shape):
    """A match whose record does not hold."""

    match = _text("The match; null where it is private.", allow_none=True, format="uuid")
    problem = _text("The first thing that is wrong with it.")


class Bar(Shape):
    """How often something came out."""

    label = _text("The value, or the tenth of the range.")
    observed = _whole("How often it came out.")
    expected = _real("How often it was to be expected.")


class StreamTest(Shape):
    """What one stream of chance gave in all matches of a game."""

    game = _text("The game.")
    stream = _text("Its stream, such as `deck`; docs/chance.md lists them.")
    values = _whole("Random values drawn.")
    tested = _whole("Those of which there were enough of their kind to be tested.")
    chi_square = _real("The statistic: how far they are from equally likely.")
    degrees_of_freedom = _whole("Of the statistic.")
    p_value = _real("The chance of a statistic as large if all is fair; null where there were too few values to tell.", allow_none=True)
    bars = _list(fields.Nested(Bar), "Value by value, or by tenths of the range.")


class Fairness(Shape):
    """What the audits of all matches that are over have found."""

    matches = _whole("Matches audited: each was played again from its record.")
    verified = _whole("Those in which everything was as it must be.")
    facts = _whole("Facts in them.")
    random_values = _whole("Random values in them; open seeds are left out.")
    games = _list(fields.Nested(GameCount), "By game.")
    anomalies = _list(fields.Nested(Anomaly), "Matches whose record does not hold.")
    p_value = _real("One answer for all tests: the chance of a smallest p-value as small as this if all is fair.", allow_none=True)
    chance = _list(fields.Nested(StreamTest), "Stream by stream.")
