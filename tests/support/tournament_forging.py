"""Forged exports of tournaments: altered parts, with all hashes and the last signature recomputed."""

import json
from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from random import Random
from typing import Any

from kontor_games.domain.chain import GENESIS, links_of
from kontor_games.domain.codec import canonical, digest
from kontor_games.domain.export import export_footer, footer_text
from kontor_games.domain.stream import Entry
from kontor_games.domain.tournaments.commands import COMMAND_CODEC, Announce
from kontor_games.domain.tournaments.export import match_lines, read_file
from kontor_games.domain.tournaments.facts import TOURNAMENT_CODEC
from kontor_games.domain.tournaments.stream import TOURNAMENTS
from kontor_games.domain.tournaments.tournament import Tournament
from kontor_games.service.trust.signing import Signer


@dataclass
class Lines:
    """The parts of an export, to be altered."""

    header: dict[str, Any]
    records: list[dict[str, Any]]
    matches: dict[str, bytes]
    footer: dict[str, Any]

    @classmethod
    def read(cls, content: bytes) -> "Lines":
        return deepcopy(_parts(content))


def one_of(lines: Lines, chance: Random, kind: str) -> dict[str, Any]:
    """A random record with a fact of this kind."""
    return chance.choice([one for one in lines.records if one["fact"]["type"] == kind])


@lru_cache(maxsize=1)
def _parts(content: bytes) -> Lines:
    file = read_file(content)
    return Lines(
        dict(file.header),
        [dict(record) for record in file.records],
        dict(file.matches),
        dict(file.footer),
    )


def write_file(
    header: Mapping[str, Any], records: Iterable[Mapping[str, Any]], matches: Mapping[str, bytes]
) -> bytes:
    """All lines of an export but the last."""
    return b"".join(canonical(one) + b"\n" for one in (header, *records)) + match_lines(matches)


def reforged(lines: Lines, signer: Signer) -> bytes:
    """The file with new versions, hashes and a new signature of the last line."""
    before = GENESIS
    for version, record in enumerate(lines.records, 1):
        record.update(before=before, version=version)
        before = record["hash"] = digest({name: record[name] for name in record if name != "hash"})
    body = write_file(lines.header, lines.records, lines.matches)
    footer = {name: value for name, value in lines.footer.items() if name not in ("key", "signature")}
    footer |= {"head": before, "file": sha256(body).hexdigest(), "version": len(lines.records)}
    key, signature = signer.sign(footer_text(TOURNAMENTS, footer), footer["at"])
    return body + canonical({**footer, "key": key, "signature": signature}) + b"\n"


def with_altered_commands(content: bytes, change: Callable[[dict[str, Any]], None], signer: Signer) -> bytes:
    """A false but consistent history: `change` alters some commands, and all are carried out again.

    Everything follows from the terms and the seed, and is signed with the key of the service.
    """
    lines, tournament = Lines.read(content), Tournament()
    secret = next(one["fact"]["server_secret"] for one in lines.records if "server_secret" in one["fact"])
    records: list[dict[str, Any]] = []
    for record in (one for one in lines.records if "command" in one):
        change(record["command"])
        command, at = COMMAND_CODEC.parse(record["command"]), record["at"]
        if isinstance(command, Announce):
            announced = TOURNAMENT_CODEC.parse({**record["fact"], "server_secret": secret})
            facts = command.announce(tournament, announced, at)
        else:
            facts = command.decide(tournament, record["by"], at)
        first, before = len(records) + 1, records[-1]["hash"] if records else GENESIS
        entry = Entry(first, at, record["by"], None, command, "", "", tuple(facts))
        linked = links_of(TOURNAMENTS, lines.header["tournament"], tournament, entry, before)
        records += [json.loads(one.line) for one in linked]
    lines.records = records
    lines.footer |= export_footer(TOURNAMENTS, tournament, records[-1]["hash"], "")
    return reforged(lines, signer)
