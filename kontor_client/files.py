"""Private files, which only their owner can read: tokens, signing keys and evidence."""

import os
import re
import secrets
import tempfile
from pathlib import Path

from kontor_client.ed25519 import public_key_of, to_base64


def default_folder() -> Path:
    """Return the folder of Kontor in the user's state folder."""
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "kontor"


def file_name(text: str) -> str:
    """Escape a text for use in a file name: the result is unique, and never contains a path separator."""
    return re.sub(r"(?![\w.-])[\x00-\x7f]", lambda found: f"%{ord(found[0]):x}", text)


def id_name(text: str) -> str:
    """Escape an id from a service for use as a folder name; the result is never `.` or `..`."""
    return file_name(text).replace(".", "%2e")


def service_name(url: str) -> str:
    """Return the URL of a service, without its scheme, escaped for use in a file name."""
    return file_name(url.partition("://")[2].rstrip("/"))


def write_private(file: Path, text: str) -> None:
    """Write a file that only its owner can read; an existing file is replaced atomically."""
    for folder in reversed(file.parents):
        folder.mkdir(mode=0o700, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=file.parent)
    with os.fdopen(descriptor, "w", encoding="utf-8") as opened:
        opened.write(text)
    Path(temporary).replace(file)


def default_token_file(url: str, name: str, folder: Path | None = None) -> Path:
    """Return the token file of an account, identified by service and name, in `folder` or the default one."""
    return (folder or default_folder()) / f"{service_name(url)}-{file_name(name)}.token"


def read_token(file: Path) -> str | None:
    """Return the token in a file, or None without a file; raise ValueError if it contains anything else."""
    if not file.exists():
        return None
    token = file.read_text(encoding="utf-8", errors="replace").strip()
    if not re.fullmatch(r"[!-~]+", token):
        raise ValueError(f"{file} does not contain a token.")
    return token


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
