"""Compares the export of a finished match (docs/export.md) with the evidence of a player.

It checks everything that does not need the rules of the game: that the match is the one that the service
committed to, with the contribution and the commands that the player sent.
"""

import hmac
import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Any, NoReturn

from kontor_client.connection import UntrustedServiceError
from kontor_client.ed25519 import from_base64, is_signed
from kontor_client.evidence import Evidence, canonical, command_text, has_terms
from kontor_client.model import Json
from kontor_client.service_keys import ServiceKeys

UNORDERED = {"convert": ("give",), "sell_two": ("goods",)}
"""The lists in moves, by the type of the move, that are stored in an order of their own."""


def listed(move: Json | Sequence[Json]) -> list[Json]:
    """Return a move, or several, as the list that is signed: with 5 for 5.0, as canonical JSON requires."""
    moves: list[Json] = _whole([move] if isinstance(move, dict) else list(move))
    return moves


def _whole(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _whole(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_whole(part) for part in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def same_moves(sent: list[Json], stored: list[Json]) -> bool:
    """Return whether stored moves are those sent: fields that were not sent must be zero, false or empty."""
    return len(sent) == len(stored) and all(map(_same_move, sent, stored))


def _same_move(sent: Json, stored: Json) -> bool:
    return _means(_sorted(sent), _sorted(stored))


def _sorted(move: Json) -> Json:
    names = UNORDERED.get(move["type"], ())
    return {name: sorted(value) if name in names else value for name, value in move.items()}


def _means(sent: Any, stored: Any) -> bool:
    if isinstance(sent, list) and isinstance(stored, list):
        return len(sent) == len(stored) and all(map(_means, sent, stored))
    if not isinstance(sent, dict) or not isinstance(stored, dict):
        return canonical(sent) == canonical(stored)  # 1 == True in Python
    return sent.keys() <= stored.keys() and all(
        _means(sent[name], value) if name in sent else _is_empty(value) for name, value in stored.items()
    )


def _is_empty(value: Any) -> bool:
    return all(map(_is_empty, value.values())) if isinstance(value, dict) else not value


SWAPPED = "The commitment of the service to its secret is not the one that it signed before you joined."
_NOT_HASHED = ("draws", "hash", "key", "salts", "signature")


def check_export(content: bytes, evidence: Evidence, keys: ServiceKeys) -> Json:
    """Return the receipt for the last fact; raise UntrustedServiceError if a check fails."""
    try:
        facts, footer = _read(content, evidence.match)
        _check_chain(facts, evidence.match)
        _check_deal(facts, evidence)
        _check_receipts(facts, evidence, keys)
        _check_commands([line for line in facts if "command" in line], evidence)
        return _check_last_lines(content, facts[-1], footer, keys)
    except (AttributeError, IndexError, KeyError, RecursionError, TypeError, ValueError) as error:
        raise UntrustedServiceError(f"The export of the match cannot be read ({error!r}).") from error


def is_still_hidden(content: bytes) -> bool:
    """Return whether the export is incomplete because other matches with the same deal are not over."""
    header, created, *_ = content.split(b"\n", 2)
    return b'"complete":false' in header and b'"in_block":true' in created


def _refuse(detail: str) -> NoReturn:
    raise UntrustedServiceError(detail)


def _read(content: bytes, match: str) -> tuple[list[Json], Json]:
    """Return the lines of the facts, and the last line."""
    raw = content.split(b"\n")
    header, *facts, footer = lines = [json.loads(line) for line in raw[:-1]]
    if raw[-1] or [canonical(line) for line in lines] != raw[:-1]:
        _refuse("The export of the match is not canonical JSON.")
    if header["match"] != match or header["complete"] is not True:
        _refuse("The match is over, but the service does not return a complete export of it.")
    return facts, footer


def _check_chain(facts: list[Json], match: str) -> None:
    before, created = "0" * 64, facts[0]["fact"]
    secret = bytes.fromhex(created["server_secret"])
    prefix = {1: "kontor.salt.1\n", 2: f"kontor.salt.2\n{match}:"}[created.get("salt_version", 1)]
    for version, line in enumerate(facts, 1):
        place = f"at version {version} of the match"
        if (line["match"], line["version"], line["before"]) != (match, version, before):
            _refuse(f"The hash chain of the export is broken {place}.")
        before = sha256(canonical(record_of(line))).hexdigest()
        if line["hash"] != before:
            _refuse(f"A hash in the export does not match its record {place}.")
        for field, commitment, value in _opened(line):
            if _commitment(value, secret, f"{prefix}{version}:{field}") != commitment:
                _refuse(f"In the export, {field} does not match the commitment of the service, {place}.")


def record_of(line: Json) -> Json:
    """Return the hashed record of a line: without the fields that were hidden while the match was running."""
    without = (*_NOT_HASHED, "command") if "sealed_command" in line else _NOT_HASHED
    record = {name: value for name, value in line.items() if name not in without}
    return record | {"fact": {n: value for n, value in line["fact"].items() if n not in line["sealed"]}}


def _opened(line: Json) -> list[tuple[str, str, Any]]:
    """Return field, commitment and value of everything that was hidden while the match was running."""
    sealed = [(field, commitment, line["fact"][field]) for field, commitment in line["sealed"].items()]
    if "sealed_command" in line:
        sealed.append(("/command", line["sealed_command"], line["command"]))
    return sealed


def _commitment(value: Any, secret: bytes, place: str) -> str:
    salt = hmac.digest(secret, place.encode(), "sha256")
    return sha256(b"kontor.seal.1\n" + salt + canonical(value)).hexdigest()


def _check_deal(facts: list[Json], evidence: Evidence) -> None:
    created = facts[0]["fact"]
    if created["commitment"] != evidence.commitment:
        _refuse(SWAPPED)
    if sha256(bytes.fromhex(created["server_secret"])).hexdigest() != evidence.commitment:
        _refuse("The secret of the service does not match the commitment that it signed.")
    if not has_terms(created, evidence.announced):
        _refuse("The service has recorded rules, or a way to determine the seed, that it did not announce.")
    seated = [line["fact"] for line in facts if line["fact"]["type"] == "seat_taken"]
    if any(fact["house"] is not None and fact["contribution"] != "" for fact in seated):
        _refuse("The service has let a house bot contribute to the seed.")
    _check_contribution(facts, [fact for fact in seated if fact["player"] == evidence.player], evidence)


def _check_contribution(facts: list[Json], taken: list[Json], evidence: Evidence) -> None:
    if taken and taken[-1]["contribution"] != evidence.sent:
        _refuse("The service has recorded a contribution to the seed that is not the one you sent.")
    seats = [fact["seat"] for fact in taken[-1:]]
    opened = [line["fact"] for line in facts if line["fact"]["type"] == "contribution_opened"]
    if any(one["contribution"] != evidence.contribution for one in opened if one["seat"] in seats):
        _refuse("The recorded value of your sealed contribution is not the one you opened.")


def _check_receipts(facts: list[Json], evidence: Evidence, keys: ServiceKeys) -> None:
    """Check that every command with a receipt is recorded at its version, with the hash in the receipt."""
    commands = {line["version"]: line for line in facts if "command" in line}
    for kept in evidence.lines("receipts.ndjson"):
        receipt, sent = kept["receipt"], kept["command"]
        version = receipt["version"]
        check_receipt(receipt, keys)
        if not 1 <= version <= len(facts) or facts[version - 1]["hash"] != receipt["head"]:
            _refuse(f"Up to version {version}, the export is not the history that the service signed.")
        if sent is None:
            continue
        first = max((known for known in commands if known <= version), default=0)
        line = commands.pop(first, {})
        if line.get("by") != evidence.player or not _contains(line["command"], sent):
            _refuse(f"Your command `{sent['type']}` is not at version {first}, where it was executed.")


def check_receipt(receipt: Any, keys: ServiceKeys) -> None:
    """Raise UntrustedServiceError unless the service signed a receipt."""
    if not isinstance(receipt, dict):
        _refuse("The service has not signed the receipt for a command.")
    statement = {name: receipt.get(name) for name in ("at", "head", "match", "version")}
    keys.check("the receipt for a command", "kontor.receipt.1", statement, receipt)


def _contains(stored: Json, sent: Json) -> bool:
    """Return whether a stored command is the one sent; its moves may have more fields, set to defaults."""
    apart = ("moves", "sent_moves")
    kept, given = ({n: v for n, v in one.items() if n not in apart} for one in (stored, sent))
    return canonical(kept) == canonical(given) and same_moves(sent.get("moves", []), stored.get("moves", []))


def _check_commands(commands: list[Json], evidence: Evidence) -> None:
    """Check that nobody else acted for the player's seat, and that all the player's commands are signed."""
    executed = [kept["command"] or {} for kept in evidence.lines("receipts.ndjson")]
    answered = {command.get("signature") for command in executed}
    refused = {line["signature"] for line in evidence.lines("refused.ndjson")} - answered
    joins = [line for line in commands if line["by"] == evidence.player and line["command"]["type"] == "join"]
    seat, key = None, None
    for line in commands:
        command, mine = line["command"], line["by"] == evidence.player
        kind, place = command["type"], f"at version {line['version']}"
        if mine and kind == "join":
            seat, key = line["fact"]["seat"], evidence.key if line is joins[-1] else command.get("key")
        if seat is not None and line["seat"] == seat and not mine and kind != "time_out":
            _refuse(f"The service has recorded a command `{kind}` for your seat that is not yours, {place}.")
        if "sent_moves" in command and not same_moves(command["sent_moves"], command["moves"]):
            _refuse(f"The service has recorded other moves than those that were signed, {place}.")
        if mine and key is not None and not _signed_by_player(line, evidence, key):
            _refuse(f"The service has recorded a command `{kind}` that you did not sign, {place}.")
        if mine and command.get("signature") in refused:
            _refuse(f"The service has executed a command `{kind}` that it had refused, {place}.")
        if mine and kind == "leave":
            seat, key = None, None


def _signed_by_player(line: Json, evidence: Evidence, key: str) -> bool:
    command = line["command"]
    text = command_text(evidence.match, evidence.player, command, line["version"] - 1, line["before"])
    return is_signed(from_base64(key), from_base64(command.get("signature", "")), text)


def _check_last_lines(content: bytes, last: Json, footer: Json, keys: ServiceKeys) -> Json:
    """Check the end of the file; return the receipt for the last fact, which covers the whole match."""
    lines_before = content[: -len(canonical(footer)) - 1]
    if (footer["version"], footer["head"]) != (last["version"], last["hash"]):
        _refuse("The last line of the export does not match the facts.")
    if footer["file"] != sha256(lines_before).hexdigest():
        _refuse("The last line of the export does not match the lines before it.")
    statement = {name: value for name, value in footer.items() if name not in ("key", "signature")}
    keys.check("the export of the match", "kontor.export.1", statement, footer)
    receipt = {name: last[name] for name in ("match", "version", "at", "key", "signature")}
    receipt["head"] = last["hash"]
    check_receipt(receipt, keys)
    return receipt
