"""Compares the export of a tournament that is over (docs/tournaments.md) with the evidence of an entrant.

It checks everything that needs neither the rules of pairing nor those of the game: that the entrant's own
contribution counts, that it was opened for the recorded entries, and that the seed and the deals follow.
"""

import json
from collections.abc import Callable
from hashlib import sha256
from typing import Any, NoReturn

from kontor_client.connection import UntrustedServiceError
from kontor_client.evidence import TournamentEvidence, canonical
from kontor_client.model import Json
from kontor_client.service_keys import ServiceKeys

OTHER_COMMITMENT = "The commitment of the tournament is not the one that was signed before you entered."
_ENDS = ("edition_signed", "tournament_cancelled")
CommitmentOf = Callable[[str], str | None]
"""Returns the commitment of a match in which the player has taken a seat."""


def check_tournament(
    content: bytes, evidence: TournamentEvidence, keys: ServiceKeys, commitment_of: CommitmentOf
) -> str:
    """Return the head of a tournament that is over; raise UntrustedServiceError if a check fails."""
    try:
        records, footer = _read(content, evidence.tournament)
        facts = [record["fact"] for record in records]
        secret = next(fact["server_secret"] for fact in facts if fact["type"] in _ENDS)
        _check_secret(facts[0], secret, evidence)
        _check_receipts(records, evidence, keys)
        _check_entries(records, evidence)
        seed = _check_openings(records, secret, evidence)
        _check_deals(facts, seed, evidence, commitment_of)
        statement = {name: value for name, value in footer.items() if name not in ("key", "signature")}
        keys.check("the export of the tournament", "kontor.tournament.1", statement, footer)
        return str(records[-1]["hash"])
    except (
        AttributeError,
        IndexError,
        KeyError,
        RecursionError,
        StopIteration,
        TypeError,
        ValueError,
    ) as error:
        raise UntrustedServiceError(f"The export of the tournament cannot be read ({error!r}).") from error


def check_receipt(receipt: Any, keys: ServiceKeys) -> None:
    """Raise UntrustedServiceError unless the service signed a receipt for a command in a tournament."""
    if not isinstance(receipt, dict):
        _refuse("The service has not signed the receipt for a command.")
    statement = {name: receipt.get(name) for name in ("at", "head", "tournament", "version")}
    keys.check("the receipt for a command", "kontor.tournament-receipt.1", statement, receipt)


def _refuse(detail: str) -> NoReturn:
    raise UntrustedServiceError(detail)


def _read(content: bytes, tournament: str) -> tuple[list[Json], Json]:
    """Return the records, whose hash chain is checked, and the last line."""
    raw = content.split(b"\n")
    records, before = list[Json](), "0" * 64
    for version, line in enumerate(raw[1:-2], 1):
        record = json.loads(line)
        if "export" in record:
            break
        hashed = {name: value for name, value in record.items() if name != "hash"}
        known = (record["tournament"], record["version"], record["before"]) == (tournament, version, before)
        before = sha256(canonical(hashed)).hexdigest()
        if not known or canonical(record) != line or record["hash"] != before:
            _refuse(f"The hash chain of the tournament is broken at version {version}.")
        records.append(record)
    footer = json.loads(raw[-2])
    if footer["head"] != before or footer["file"] != sha256(content[: -len(raw[-2]) - 1]).hexdigest():
        _refuse("The last line of the export does not match the lines before it.")
    return records, footer


def _check_secret(announced: Json, secret: str, evidence: TournamentEvidence) -> None:
    if announced["commitment"] != evidence.commitment:
        _refuse(OTHER_COMMITMENT)
    if sha256(bytes.fromhex(secret)).hexdigest() != evidence.commitment:
        _refuse("The secret of the service does not match the commitment that it signed.")


def _check_receipts(records: list[Json], evidence: TournamentEvidence, keys: ServiceKeys) -> None:
    for receipt in evidence.lines("receipts.ndjson"):
        check_receipt(receipt, keys)
        version = receipt["version"]
        if not 1 <= version <= len(records) or records[version - 1]["hash"] != receipt["head"]:
            _refuse(f"Up to version {version}, the tournament is not the history that the service signed.")


def _check_entries(records: list[Json], evidence: TournamentEvidence) -> None:
    """Check that the last entry of the player is the one that was sent."""
    entered = [one["command"] for one in _commands(records, "enter") if one["by"] == evidence.player]
    sent = {"sealed": evidence.sealed, "key": evidence.key}
    if evidence.entered and not entered:
        _refuse("Your entry is not in the record of the tournament.")
    if entered and {name: entered[-1].get(name) for name in sent} != sent:
        _refuse("The service has recorded another entry than the one that you sent.")


def _commands(records: list[Json], kind: str) -> list[Json]:
    return [record for record in records if record.get("command", {}).get("type") == kind]


def _check_openings(records: list[Json], secret: str, evidence: TournamentEvidence) -> bytes | None:
    """Check what was opened for which entries; return the seed, or None if it was not determined.

    A value that this client has not opened was opened by another device with the same files.
    """
    tips, opened, active, mine, seed = dict[int, str](), dict[int, str](), set[int](), -1, None
    players, digests = dict[int, str](), set[str]()
    answered = {one["value"]: one["digest"] for one in evidence.lines("openings.ndjson")}
    for record in records:
        fact, number = record["fact"], record["fact"].get("entrant")
        match fact["type"]:
            case "entrant_entered" | "entrant_returned":
                active.add(number)
                players[number] = record["by"]
                tips[number] = fact.get("sealed", "")
                mine = number if record["by"] == evidence.player else mine
            case "entrant_withdrew" | "contribution_withheld":
                active.discard(number)
            case "contributions_due":
                opened = {}
                sealed = [[one, players[one], tips[one]] for one in sorted(active) if tips[one]]
                due = {"commitment": evidence.commitment, "opening": fact["opening"], "sealed": sealed}
                if fact["digest"] != sha256(canonical(due)).hexdigest():
                    _refuse("Contributions were opened for other entries than those in the record.")
                digests.add(fact["digest"])
            case "contribution_opened":
                opened[number] = value = fact["contribution"]
                if sha256(value.encode()).hexdigest() != tips[number]:
                    _refuse("A contribution in the record is not the one that was sealed.")
                digest = record["command"]["digest"]
                if number == mine and answered.get(value, digest) != digest:
                    _refuse("The recorded value of your contribution was not opened for these entries.")
                tips[number] = value
            case "tournament_started":
                values = [opened.get(one, "").encode() for one in sorted(active)]
                parts = [part for value in values for part in (len(value).to_bytes(2, "big"), value)]
                seed = sha256(b"kontor.seed.1\n" + bytes.fromhex(secret) + b"".join(parts)).digest()
                if mine in active and tips[mine] and mine not in opened:
                    _refuse("The tournament started without your contribution.")
    if not set(answered.values()) <= digests:
        _refuse("The service asked you to open your contribution for entries that are not in its record.")
    return seed


def _check_deals(
    facts: list[Json], seed: bytes | None, evidence: TournamentEvidence, commitment_of: CommitmentOf
) -> None:
    """Check that the deals of the player's matches follow from the seed."""
    terms, attempts, opened = facts[0]["terms"], dict[tuple[int, int, int], int](), set[str]()
    for fact in facts:
        if fact["type"] != "match_opened" or seed is None:
            continue
        slot = fact["round"], fact["table"], fact["number"]
        attempt = attempts[slot] = attempts.get(slot, -1) + 1
        number = "0" if terms["rotated"] else f"{slot[2]}.{attempt}" if attempt else str(slot[2])
        text = b"kontor.block.1\n" + seed + f"{slot[0]}.{slot[1]}.{number}".encode()
        opened.add(fact["match"])
        known = commitment_of(fact["match"])
        if known not in (None, sha256(sha256(text).digest()).hexdigest()):
            _refuse(f"The deal of match {fact['match']} does not follow from the seed of the tournament.")
    for joined in evidence.lines("matches.ndjson"):
        if joined["match"] not in opened:
            _refuse(f"Match {joined['match']} does not belong to the tournament that fixed its deal.")
