"""Writes docs/vectors/ed25519.json from a file of Wycheproof, whose name is the argument of the program.

To the cases of Wycheproof it adds keys of small order, for which one signature is valid for many messages.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from kontor_client.ed25519 import is_signed
from kontor_games.service.ed25519 import SMALL_ORDER

BASE = bytes.fromhex("58" + "66" * 31)
ONE = (1).to_bytes(32, "little")
Vector = dict[str, str | bool]


def wycheproof_cases(source: Path) -> Iterator[Vector]:
    """Yield each case with the answer that docs/signatures.md demands.

    Wycheproof leaves some cases to the implementation: there, keys of small order are refused, and the
    equation without cofactor decides (the second one in RFC 8032, 5.1.7).
    """
    for group in json.loads(source.read_text(encoding="utf-8"))["testGroups"]:
        for case in group["tests"]:
            key, message, signature = group["publicKey"]["pk"], case["msg"], case["sig"]
            valid = case["result"] == "valid"
            if case["result"] == "acceptable":
                valid = is_signed(*map(bytes.fromhex, (key, signature, message)))
            yield {"key": key, "message": message, "signature": signature, "valid": valid}


def small_order_cases() -> Iterator[Vector]:
    """Yield signatures R = S · B, of which many are valid if a key of small order is accepted."""
    for y in sorted(SMALL_ORDER):
        for sign in (0, 1):
            key = (y | sign << 255).to_bytes(32, "little")
            for nonce, scalar in ((BASE, 1), (ONE, 0)):
                for number in range(8):  # the hash of some is a multiple of the order of the key
                    yield {
                        "key": key.hex(),
                        "message": bytes([number]).hex(),
                        "signature": (nonce + scalar.to_bytes(32, "little")).hex(),
                        "valid": False,
                    }


def main() -> None:
    """Write the vectors, one case per line."""
    parts = {"wycheproof": wycheproof_cases(Path(sys.argv[1])), "small_order": small_order_cases()}
    lines = [
        f"{json.dumps(name)}: [\n" + ",\n".join(json.dumps(one) for one in cases) + "\n]"
        for name, cases in parts.items()
    ]
    sys.stdout.write("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
