"""The private keys of an account, with which its commands are signed."""

import secrets
from pathlib import Path

from kontor_client.ed25519 import public_key_of, to_base64
from kontor_client.files import write_private


class PlayerKeys:
    """All keys that an account has had on this machine: one per line of a file, in hex, the newest last.

    `seeds` has the private key for each public key. A seat keeps the key with which it was taken, so old keys
    are needed until their last match is over.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        lines = file.read_text(encoding="utf-8", errors="replace").split() if file.exists() else []
        try:
            self.seeds = {to_base64(public_key_of(seed)): seed for seed in map(bytes.fromhex, lines)}
        except ValueError:
            raise ValueError(f"{file} does not contain signing keys.") from None

    def newest(self) -> str | None:
        """Return the public key of the newest key."""
        return next(reversed(self.seeds), None)

    def add(self) -> str:
        """Create a new key, store it, and return its public key."""
        seed = secrets.token_bytes(32)
        public = to_base64(public_key_of(seed))
        self.seeds[public] = seed
        write_private(self.file, "".join(f"{one.hex()}\n" for one in self.seeds.values()))
        return public
