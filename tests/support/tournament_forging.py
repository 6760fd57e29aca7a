"""Forged exports of tournaments: altered parts, with all hashes and the last signature made anew."""

import json
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from kontor_games.domain.chain import GENESIS
from kontor_games.domain.codec import canonical
from kontor_games.domain.tournaments.chain import hash_of
from kontor_games.domain.tournaments.export import FOOTER_PREFIX, read_file, write_file
from kontor_games.service.trust.signing import Signing


@dataclass
class Lines:
    """The parts of an export, to be altered."""

    header: dict[str, Any]
    records: list[dict[str, Any]]
    matches: dict[str, bytes]
    footer: dict[str, Any]

    @classmethod
    def read(cls, content: bytes) -> "Lines":
        file = read_file(content)
        return cls(
            dict(file.header),
            [json.loads(canonical(record)) for record in file.records],
            dict(file.matches),
            json.loads(canonical(file.footer)),
        )


def reforged(lines: Lines, signer: Signing) -> bytes:
    """The file with versions, hashes and the signature of the last line made anew."""
    before = GENESIS
    for version, record in enumerate(lines.records, 1):
        record.update(before=before, version=version)
        before = record["hash"] = hash_of(record)
    body = write_file(lines.header, lines.records, lines.matches)
    footer = {name: value for name, value in lines.footer.items() if name not in ("key", "signature")}
    footer |= {"head": before, "file": sha256(body).hexdigest(), "version": len(lines.records)}
    key, signature = signer.sign(FOOTER_PREFIX + canonical(footer), footer["at"])
    return body + canonical({**footer, "key": key, "signature": signature}) + b"\n"
