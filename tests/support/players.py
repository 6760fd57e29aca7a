"""Players who sign their commands, written from docs/signatures.md and without the code of the service."""

import json
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


def canonical(data: Any) -> bytes:
    """Return canonical JSON; ASCII texts are enough here."""
    return json.dumps(data, separators=(",", ":"), sort_keys=True).encode()


class PlayerKey:
    """The key of a player; the same name always has the same key."""

    def __init__(self, name: str) -> None:
        self._private = Ed25519PrivateKey.from_private_bytes(sha256(name.encode()).digest())
        self.public = b64encode(self._private.public_key().public_bytes_raw()).decode()

    def sign(self, text: bytes) -> str:
        """Sign a text."""
        return b64encode(self._private.sign(text)).decode()

    def proof(self, player: str) -> str:
        """Sign the registration of this key for a player."""
        return self.sign(b"kontor.player-key.1\n" + canonical({"player": player, "public_key": self.public}))

    def sign_command(
        self, match: str, version: int, head: str, player: str, command: Mapping[str, Any]
    ) -> str:
        """Sign a command at a place in the history of a match."""
        signed = {"by": player, "command": command, "head": head, "match": match, "version": version}
        return self.sign(b"kontor.command.1\n" + canonical(signed))
