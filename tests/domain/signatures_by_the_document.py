"""A second implementation of docs/signatures.md: the text to sign, and when two forms of a move are the same.

`python -m tests.domain.signatures_by_the_document > docs/vectors/signatures.json` writes the test vectors.
"""

import json
from typing import Any

from tests.domain.chain_by_the_document import canonical
from tests.support.players import PlayerKey

UNORDERED = {("convert", "give"), ("sell_two", "goods")}
MATCH, PLAYER, KEY = "4b45a27a-65a2-4d43-a0a3-c7e1f0a1d8b4", "0f0c1f3e-7c2a-4d0a-8f3d-2f9a5c6b7d8e", "ann"


def signed_text(by: str, command: Any, head: str, match: str, version: int) -> str:
    """The text that a player signs."""
    parts = {"by": by, "command": command, "head": head, "match": match, "version": version}
    return "kontor.command.1\n" + canonical(parts)


def signed_part(command: dict[str, Any]) -> dict[str, Any]:
    """The part of a stored command that its player signed."""
    part = {name: value for name, value in command.items() if name not in ("signature", "sent_moves")}
    return part | {"moves": command["sent_moves"]} if "sent_moves" in command else part


def is_same_move(sent: dict[str, Any], stored: dict[str, Any]) -> bool:
    """Whether a move as it was sent is the stored one."""
    for name in [one for kind, one in UNORDERED if kind == sent.get("type")]:
        if sorted(sent.get(name, [])) != sorted(stored.get(name, [])):
            return False
        sent, stored = {**sent, name: None}, {**stored, name: None}
    return _is_same(sent, stored)


def _is_same(sent: Any, stored: Any) -> bool:
    if isinstance(sent, dict) and isinstance(stored, dict):
        missing = [value for name, value in stored.items() if name not in sent]
        shared = all(name in stored and _is_same(value, stored[name]) for name, value in sent.items())
        return shared and all(map(_is_default, missing))
    if isinstance(sent, list) and isinstance(stored, list):
        return len(sent) == len(stored) and all(map(_is_same, sent, stored))
    return canonical(sent) == canonical(stored)


def _is_default(value: Any) -> bool:
    if isinstance(value, dict):
        return all(map(_is_default, value.values()))
    return value in ([], "") or value is None or value is False or (value == 0 and value is not True)


def _terms(**counts: int) -> dict[str, int]:
    return dict.fromkeys(("gold", "grain", "lumber", "ore", "salt", "wool"), 0) | counts


OFFER = {"type": "offer_trade", "give": {"ore": 1}, "want": {"gold": 2}}
STORED_OFFER = {"type": "offer_trade", "give": _terms(ore=1), "want": _terms(gold=2), "to": []}
WALK = {"type": "move_caravan", "caravan": 0, "path": ["a", "b"]}
STORED_WALK = {**WALK, "salt": None, "toll": None}
CONVERT = {"type": "convert", "give": ["tea", "coffee", "tea"], "take": "rubber"}
STORED_CONVERT = {**CONVERT, "give": ["coffee", "tea", "tea"]}
ANSWER = {"type": "decline_offer", "offer": 5}
SAME = [
    (ANSWER, ANSWER),
    (OFFER, STORED_OFFER),
    ({**OFFER, "to": []}, STORED_OFFER),
    ({**OFFER, "give": {"ore": 1, "wool": 0}}, STORED_OFFER),
    ({**STORED_OFFER, "to": [2]}, {**STORED_OFFER, "to": [2]}),
    (WALK, STORED_WALK),
    ({**WALK, "salt": None}, STORED_WALK),
    (CONVERT, STORED_CONVERT),
    (STORED_CONVERT, STORED_CONVERT),
    ({"type": "sell_two", "goods": ["saffron", "tea"]}, {"type": "sell_two", "goods": ["tea", "saffron"]}),
]
"""Moves as they were sent, and as they are stored."""
DIFFERENT = [
    (ANSWER, {**ANSWER, "offer": 6}),
    ({"type": "accept_offer", "offer": 5}, ANSWER),
    (OFFER, {**STORED_OFFER, "give": _terms(ore=2)}),
    (OFFER, {**STORED_OFFER, "give": _terms(ore=1, wool=1)}),
    (OFFER, {**STORED_OFFER, "to": [2]}),
    ({**OFFER, "give": {"ore": 1, "wool": 1}}, STORED_OFFER),
    ({**OFFER, "price": 3}, STORED_OFFER),
    ({**STORED_OFFER, "to": [1, 2]}, {**STORED_OFFER, "to": [2, 1]}),
    (WALK, {**STORED_WALK, "path": ["b", "a"]}),
    (WALK, {**STORED_WALK, "path": ["a", "b", "c"]}),
    (WALK, {**STORED_WALK, "salt": 1}),
    ({**WALK, "salt": 0}, STORED_WALK),
    ({**WALK, "caravan": False}, STORED_WALK),
    (CONVERT, {**STORED_CONVERT, "give": ["coffee", "coffee", "tea"]}),
    (CONVERT, {**STORED_CONVERT, "take": "tea"}),
]


def _signed(version: int, sent: list[Any], stored: list[Any]) -> dict[str, Any]:
    key, head = PlayerKey(KEY), f"{version:064x}"
    text = signed_text(PLAYER, {"type": "play", "moves": sent}, head, MATCH, version)
    command = {"type": "play", "moves": stored} | ({} if sent == stored else {"sent_moves": sent})
    place = {"by": PLAYER, "head": head, "match": MATCH, "version": version}
    signed = {**command, "signature": key.sign(text.encode())}
    return {**place, "public_key": key.public, "sent": sent, "command": signed, "text": text}


def vectors() -> dict[str, Any]:
    """Return the content of docs/vectors/signatures.json."""
    return {
        "commands": [
            _signed(17, [ANSWER], [ANSWER]),
            _signed(18, [OFFER], [STORED_OFFER]),
            _signed(19, [STORED_OFFER], [STORED_OFFER]),
            _signed(20, [ANSWER, WALK, CONVERT], [ANSWER, STORED_WALK, STORED_CONVERT]),
        ],
        "same": [{"sent": sent, "stored": stored} for sent, stored in SAME],
        "different": [{"sent": sent, "stored": stored} for sent, stored in DIFFERENT],
    }


if __name__ == "__main__":
    print(json.dumps(vectors(), indent=1))  # noqa: T201
