"""A second implementation of the hash chain, written only from docs/chain.md; shares no code with the domain.

`python -m tests.domain.chain_by_the_document` prints the test vectors.
"""

import base64
import hashlib
import hmac
import json
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def canonical(value: Any) -> str:
    """Return the canonical form of a value, built without the json module."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return '"' + "".join(ESCAPES.get(c) or (f"\\u{ord(c):04x}" if c < " " else c) for c in value) + '"'
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    return "{" + ",".join(f"{canonical(key)}:{canonical(value[key])}" for key in sorted(value)) + "}"


def sha256(*parts: bytes | str) -> str:
    return hashlib.sha256(
        b"".join(part.encode() if isinstance(part, str) else part for part in parts)
    ).hexdigest()


def salt(secret: str, version: int, field: str, match: str | None = None) -> str:
    """The salt by `kontor.salt.2` or, without a match, by `kontor.salt.1`."""
    message = f"kontor.salt.1\n{version}:{field}"
    if match is not None:
        message = f"kontor.salt.2\n{match}:{version}:{field}"
    return hmac.new(bytes.fromhex(secret), message.encode("ascii"), hashlib.sha256).hexdigest()


def commitment(value: Any, hex_salt: str) -> str:
    return sha256("kontor.seal.1\n", bytes.fromhex(hex_salt), canonical(value))


def record(
    before: str, version: int, fact: dict[str, Any], hidden: tuple[str, ...] = (), **cause: Any
) -> dict[str, Any]:
    """The record of a fact of the example match, with its hidden fields sealed."""
    made: dict[str, Any] = {
        "match": MATCH,
        "version": version,
        "at": 1_800_000_000_000 + 1000 * version,
        "by": "player-1",
        "fact": {name: value for name, value in fact.items() if name not in hidden},
        "sealed": {name: commitment(fact[name], salt(SECRET, version, name)) for name in hidden},
        "before": before,
        **cause,
    }
    return made


def leaf_hash(leaf: dict[str, Any]) -> str:
    return sha256(b"\x00", canonical(leaf))


def node_hash(left: str, right: str) -> str:
    return sha256(b"\x01", bytes.fromhex(left), bytes.fromhex(right))


def split(size: int) -> int:
    """The largest power of two smaller than the size (RFC 6962, 2.1)."""
    power = 1
    while power * 2 < size:
        power *= 2
    return power


def root(hashes: list[str]) -> str:
    """MTH of RFC 6962, 2.1."""
    if not hashes:
        return sha256("")
    if len(hashes) == 1:
        return hashes[0]
    return node_hash(root(hashes[: split(len(hashes))]), root(hashes[split(len(hashes)) :]))


def inclusion(index: int, hashes: list[str]) -> list[str]:
    """PATH of RFC 6962, 2.1.1."""
    if len(hashes) == 1:
        return []
    left, right = hashes[: split(len(hashes))], hashes[split(len(hashes)) :]
    return (
        [*inclusion(index, left), root(right)]
        if index < len(left)
        else [*inclusion(index - len(left), right), root(left)]
    )


def consistency(earlier: int, hashes: list[str], *, whole: bool = True) -> list[str]:
    """SUBPROOF of RFC 6962, 2.1.2."""
    if earlier == len(hashes):
        return [] if whole else [root(hashes)]
    left, right = hashes[: split(len(hashes))], hashes[split(len(hashes)) :]
    if earlier <= len(left):
        return [*consistency(earlier, left, whole=whole), root(right)]
    return [*consistency(earlier - len(left), right, whole=False), root(left)]


SECRET = sha256("a secret that everybody knows")
MATCH = "3f2b8a54-52a7-4a6c-9f6e-0c5d2d1e8b77"
OTHER_MATCH = "80c1f0a2-6d0e-4c57-a7b3-19c6f0f4d2aa"
KEY = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(sha256("a private key that everybody knows")))
PUBLIC = KEY.public_key().public_bytes_raw()
VALUES = [
    {"b": 1, "a": [True, False, None], "": {}},
    {"text": 'quote " backslash \\ slash / tab \t newline \n bell \u0007 delete \u007f'},
    {"text": "Größe – € – 𝄞 – \u2028"},
    [0, -1, 9007199254740991, -9007199254740991],
    [],
    "",
]


def signed(prefix: str, data: dict[str, Any]) -> dict[str, Any]:
    """Return the data with the fields of its signature added."""
    signature = KEY.sign(f"{prefix}\n{canonical(data)}".encode())
    return {**data, "key": sha256(PUBLIC)[:16], "signature": base64.b64encode(signature).decode()}


def records() -> list[dict[str, Any]]:
    """Return a chain of four facts, with a hidden field and a command that names its value."""
    lay = {"type": "play", "moves": [{"type": "lay_card", "card": 17}]}
    hidden_command = commitment(lay, salt(SECRET, 3, "/command"))
    facts: list[tuple[dict[str, Any], tuple[str, ...], dict[str, Any]]] = [
        (
            {"type": "deck_shuffled", "order": [2, 0, 1]},
            ("order",),
            {"command": {"type": "start"}, "seat": None},
        ),
        ({"type": "round_begun", "round": 1}, (), {}),
        (
            {"type": "card_laid", "seat": 0, "card": 17},
            ("card",),
            {"sealed_command": hidden_command, "seat": 0},
        ),
        (
            {"type": "fair_closed", "seat": 0},
            (),
            {"command": {"type": "play", "moves": [{"type": "close_fair"}]}, "seat": 0},
        ),
    ]
    chain, before = [], "0" * 64
    for version, (fact, hidden, cause) in enumerate(facts, 1):
        made = record(before, version, fact, hidden, **cause)
        before = sha256(canonical(made))
        chain.append({"record": made, "hash": before})
    return chain


def tree(size: int) -> dict[str, Any]:
    """A tree with all its proofs."""
    leaves = [
        {"match": MATCH, "version": place + 1, "head": sha256(f"head {place}")} for place in range(size)
    ]
    hashes = [leaf_hash(leaf) for leaf in leaves]
    return {
        "leaves": leaves,
        "root": root(hashes),
        "inclusion": [{"index": index, "proof": inclusion(index, hashes)} for index in range(size)],
        "consistency": [
            {"earlier": earlier, "root": root(hashes[:earlier]), "proof": consistency(earlier, hashes)}
            for earlier in range(1, size + 1)
        ],
    }


def vectors() -> dict[str, Any]:
    """Return the content of docs/vectors/chain.json."""
    chain = records()
    salts = [(3, "card"), (3, "/command"), (1, "order"), (1000000, "server_secret")]
    values: list[Any] = [17, [2, 0, 1], "ore", None, {"b": 1, "a": 2}]
    return {
        "versions": [
            "kontor.seal.1",
            "kontor.salt.1",
            "kontor.receipt.1",
            "kontor.checkpoint.1",
            "kontor.salt.2",
        ],
        "canonical": [{"value": value, "text": canonical(value)} for value in VALUES],
        "salts": [
            {"secret": SECRET, "version": v, "field": field, "salt": salt(SECRET, v, field)}
            for v, field in salts
        ],
        "match_salts": [
            {"secret": SECRET, "match": m, "version": v, "field": f, "salt": salt(SECRET, v, f, m)}
            for v, f in salts
            for m in (MATCH, OTHER_MATCH)
        ],
        "commitments": [
            {
                "value": value,
                "salt": salt(SECRET, 3, "card"),
                "commitment": commitment(value, salt(SECRET, 3, "card")),
            }
            for value in values
        ],
        "records": chain,
        "receipts": [
            {
                "public_key": base64.b64encode(PUBLIC).decode(),
                "receipt": signed(
                    "kontor.receipt.1",
                    {name: chain[-1]["record"][name] for name in ("match", "version", "at")}
                    | {"head": chain[-1]["hash"]},
                ),
            }
        ],
        "trees": [tree(size) for size in (0, 1, 2, 3, 4, 7, 8)],
        "checkpoints": [
            {
                "public_key": base64.b64encode(PUBLIC).decode(),
                "checkpoint": signed(
                    "kontor.checkpoint.1", {"size": 8, "root": tree(8)["root"], "at": 1_800_000_060_000}
                ),
            }
        ],
    }


if __name__ == "__main__":
    print(json.dumps(vectors(), indent=1, ensure_ascii=True))  # noqa: T201  # the vectors are its output
