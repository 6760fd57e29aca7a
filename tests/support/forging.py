"""Forged exports: a test changes facts, and all hashes and signatures are recomputed, as the operator could.

The chain is recomputed by the program that was written from docs/chain.md alone. So a forgery is consistent
in itself, and only a check of the rules, the seed or the clock can detect it.
"""

import hashlib
import json
from collections.abc import Callable
from typing import Any

from tests.domain.chain_by_the_document import canonical, commitment, salt, sha256
from tests.support.recording import KEYS, KnownKeys

Lines = list[dict[str, Any]]
Change = Callable[[Lines], object]


def lines_of(content: bytes) -> Lines:
    """The parsed lines of a file."""
    return [json.loads(line) for line in content.splitlines()]


def file_of(lines: Lines) -> bytes:
    """The file with these lines, unchanged."""
    return b"".join(canonical(line).encode() + b"\n" for line in lines)


def forge(content: bytes, change: Change, signer: KnownKeys = KEYS) -> bytes:
    """An export with changed facts; all hashes and signatures are recomputed."""
    header, *facts, footer = lines_of(content)
    change(facts)
    return closed([header, *chained(facts, signer), footer], signer)


def forge_around(content: bytes, change: Change, signer: KnownKeys = KEYS) -> bytes:
    """An export with changes on any lines and the old hash chain; only the closing line is signed again."""
    lines = lines_of(content)
    change(lines)
    return closed(lines, signer, keep=True)


def chained(facts: Lines, signer: KnownKeys) -> Lines:
    """The lines of the facts with new versions, commitments, hashes and signatures."""
    created, before, commands = facts[0]["fact"], "0" * 64, 0
    secret = created["server_secret"]
    match = facts[0]["match"] if created.get("salt_version") == 2 else None
    for place, line in enumerate(facts):
        line["version"], line["before"] = place + 1, before
        line["sealed"] = {
            name: commitment(line["fact"][name], salt(secret, place + 1, name, match))
            for name in line["sealed"]
        }
        if "sealed_command" in line:
            line["sealed_command"] = commitment(line["command"], salt(secret, place + 1, "/command", match))
        before = line["hash"] = sha256(canonical(record_of(line)))
        commands += "command" in line
        for name in ("key", "signature"):
            line.pop(name, None)
        last = place + 1 == len(facts)
        if last or ("command" in facts[place + 1] and commands % 32 == 0):
            receipt = signer.receipt(line["match"], place + 1, before, line["at"])
            line |= {"key": receipt.key, "signature": receipt.signature}
    return facts


def record_of(line: dict[str, Any]) -> dict[str, Any]:
    """The part of a line that the chain hashes."""
    left_out = {"hash", "draws", "salts", "key", "signature"} | (
        {"command"} if "sealed_command" in line else set()
    )
    record = {name: value for name, value in line.items() if name not in left_out}
    record["fact"] = {name: value for name, value in line["fact"].items() if name not in line["sealed"]}
    return record


def closed(lines: Lines, signer: KnownKeys, *, keep: bool = False) -> bytes:
    """The file with a new, signed closing line."""
    *before, footer = lines
    if not keep:
        newest = before[-1]
        footer |= {"version": newest["version"], "head": newest["hash"], "at": newest["at"]}
        footer["result"] = (
            {n: newest["fact"][n] for n in ("places", "scores", "reason")} if footer["result"] else None
        )
    footer["file"] = hashlib.sha256(file_of(before)).hexdigest()
    claimed = {name: value for name, value in footer.items() if name not in ("key", "signature")}
    key, signature = signer.sign(f"kontor.export.1\n{canonical(claimed)}".encode(), footer["at"])
    return file_of([*before, {**claimed, "key": key, "signature": signature}])


def find(lines: Lines, kind: str, nth: int = 0) -> dict[str, Any]:
    """The nth line with a fact of this kind."""
    return [line for line in lines if line["fact"]["type"] == kind][nth]


def drop(lines: Lines, *versions: int) -> None:
    """Remove the facts with these versions."""
    lines[:] = [line for line in lines if line["version"] not in versions]
