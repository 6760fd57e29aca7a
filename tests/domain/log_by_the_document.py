"""A second implementation of the log, written only from docs/log.md and the C2SP specifications.

`python -m tests.domain.log_by_the_document` writes docs/vectors/log.json.

It shares no code with the service; tests compare the results of both.
"""

import base64
import hashlib
import json
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.domain.chain_by_the_document import canonical, consistency, inclusion, root

FILE = Path(__file__).parents[2] / "docs" / "vectors" / "log.json"
ORIGIN, WITNESS = "kontor.example/v1/log", "witness.example/w1"
SERVICE_SEED, WITNESS_SEED = bytes(range(32)), bytes(range(32, 64))


def b64(raw: bytes) -> str:
    return base64.b64encode(raw).decode()


def public_of(seed: bytes) -> bytes:
    return Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw()


def key_id(name: str, kind: int, public: bytes) -> bytes:
    return hashlib.sha256(name.encode() + b"\n" + bytes([kind]) + public).digest()[:4]


def vkey(name: str, kind: int, public: bytes) -> str:
    return f"{name}+{key_id(name, kind, public).hex()}+{b64(bytes([kind]) + public)}"


def line(name: str, kind: int, seed: bytes, before: bytes, message: bytes) -> str:
    signature = Ed25519PrivateKey.from_private_bytes(seed).sign(message)
    return f"— {name} {b64(key_id(name, kind, public_of(seed)) + before + signature)}\n"


def entries(size: int) -> list[str]:
    """One key and then matches, as they stand in the log."""
    public = public_of(SERVICE_SEED)
    name = hashlib.sha256(public).hexdigest()[:16]
    key = canonical({"key": name, "public_key": b64(public), "valid_from": 0})
    matches = [
        canonical(
            {
                "head": hashlib.sha256(f"head {place}".encode()).hexdigest(),
                "match": f"00000000-0000-4000-8000-{place:012x}",
                "version": place % 90 + 1,
            }
        )
        for place in range(1, size)
    ]
    return [key, *matches][:size]


def other_leaves() -> list[dict[str, str]]:
    """The kinds of leaves that are not among the entries, with their hashes."""
    head, name = hashlib.sha256(b"head").hexdigest(), "00000000-0000-4000-8000-000000000001"
    leaves = [
        canonical({"end": True, "head": head, "match": name, "version": 90}),
        canonical({"head": head, "tournament": name, "version": 7}),
        canonical({"outage": 1_772_366_400_000, "until": 1_772_366_407_000}),
    ]
    return [{"leaf": leaf, "hash": leaf_hash(leaf)} for leaf in leaves]


def leaf_hash(entry: str) -> str:
    return hashlib.sha256(b"\x00" + entry.encode()).hexdigest()


def tile(level: int, index: int, hashes: list[str]) -> bytes:
    """The hashes MTH(D[(n * 256 + i) * 256**l : (n * 256 + i + 1) * 256**l]) that the tree has."""
    span = 256**level
    starts = [(index * 256 + i) * span for i in range(256)]
    found = [root(hashes[start : start + span]) for start in starts if start + span <= len(hashes)]
    return bytes.fromhex("".join(found))


def tiles(size: int) -> list[dict[str, Any]]:
    hashes, found = [leaf_hash(entry) for entry in entries(size)], []
    for level in range(3):
        for index in range(size // 256 ** (level + 1) + 1):
            if content := tile(level, index, hashes):
                width = len(content) // 32
                path = f"tile/{level}/{index:03d}" + ("" if width == 256 else f".p/{width}")
                found.append({"path": path, "sha256": hashlib.sha256(content).hexdigest()})
    return found


def bundle(some: list[str]) -> bytes:
    return b"".join(len(entry.encode()).to_bytes(2, "big") + entry.encode() for entry in some)


def tree(size: int) -> dict[str, Any]:
    contents = entries(size)
    hashes = [leaf_hash(entry) for entry in contents]
    last = contents[size // 256 * 256 :]
    chosen = sorted({0, size // 2, size - 1})
    return {
        "size": size,
        "root": root(hashes),
        "last_entries": last[-2:],
        "last_bundle": hashlib.sha256(bundle(last)).hexdigest() if last else None,
        "tiles": tiles(size),
        "inclusion": [{"index": index, "proof": inclusion(index, hashes)} for index in chosen],
        "consistency": [
            {"earlier": earlier, "proof": consistency(earlier, hashes) if earlier < size else []}
            for earlier in sorted({1, (size + 1) // 2, size})
        ],
    }


def checkpoint(size: int, at_s: int) -> dict[str, Any]:
    hashes = [leaf_hash(entry) for entry in entries(size)]
    text = f"{ORIGIN}\n{size}\n{b64(bytes.fromhex(root(hashes)))}\n"
    signature = line(ORIGIN, 1, SERVICE_SEED, b"", text.encode())
    cosigned = f"cosignature/v1\ntime {at_s}\n{text}".encode()
    cosignature = line(WITNESS, 4, WITNESS_SEED, at_s.to_bytes(8, "big"), cosigned)
    return {
        "size": size,
        "time": at_s,
        "cosigned_text": cosigned.decode(),
        "cosignature": cosignature,
        "note": f"{text}\n{signature}{cosignature}",
    }


def vectors() -> dict[str, Any]:
    paths = {0: "000", 7: "007", 999: "999", 1000: "x001/000", 1234067: "x001/x234/067"}
    return {
        "about": "Test vectors for docs/log.md; computed by tests/domain/log_by_the_document.py.",
        "origin": ORIGIN,
        "service_key": vkey(ORIGIN, 1, public_of(SERVICE_SEED)),
        "witness_key": vkey(WITNESS, 4, public_of(WITNESS_SEED)),
        "entries": entries(600),
        "other_leaves": other_leaves(),
        "tile_paths": [{"index": index, "path": path} for index, path in paths.items()],
        "trees": [tree(size) for size in (1, 3, 255, 256, 257, 600)],
        "checkpoints": [checkpoint(1, 1_772_366_400), checkpoint(600, 1_772_366_460)],
    }


if __name__ == "__main__":
    FILE.write_text(json.dumps(vectors(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
