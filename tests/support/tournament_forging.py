"""Forged exports of tournaments: altered parts, with all hashes and the last signature recomputed."""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Any

from kontor_games.domain.chain import GENESIS
from kontor_games.domain.codec import canonical
from kontor_games.domain.tournaments.chain import TournamentEntry, hash_of, records_of
from kontor_games.domain.tournaments.commands import COMMAND_CODEC, Announce
from kontor_games.domain.tournaments.export import FOOTER_PREFIX, read_file, tournament_footer, write_file
from kontor_games.domain.tournaments.facts import TOURNAMENT_CODEC
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


@lru_cache(maxsize=1)
def _parts(content: bytes) -> Lines:
    file = read_file(content)
    return Lines(
        dict(file.header),
        [dict(record) for record in file.records],
        dict(file.matches),
        dict(file.footer),
    )


def reforged(lines: Lines, signer: Signer) -> bytes:
    """The file with new versions, hashes and a new signature of the last line."""
    before = GENESIS
    for version, record in enumerate(lines.records, 1):
        record.update(before=before, version=version)
        before = record["hash"] = hash_of(record)
    body = write_file(lines.header, lines.records, lines.matches)
    footer = {name: value for name, value in lines.footer.items() if name not in ("key", "signature")}
    footer |= {"head": before, "file": sha256(body).hexdigest(), "version": len(lines.records)}
    key, signature = signer.sign(FOOTER_PREFIX + canonical(footer), footer["at"])
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
        entry = TournamentEntry(first, at, record["by"], command, "", "", tuple(facts))
        records += records_of(lines.header["tournament"], entry, secret, before)
    lines.records = records
    lines.footer |= tournament_footer(tournament, records[-1]["hash"], "")
    return reforged(lines, signer)
