"""Private files, which only their owner can read: tokens, signing keys and evidence."""

import os
import re
import secrets
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kontor_client.ed25519 import public_key_of, to_base64

if sys.platform == "win32":
    from msvcrt import LK_LOCK, locking
else:
    from fcntl import LOCK_EX, flock


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
    _make_private(file.parent)
    descriptor, temporary = tempfile.mkstemp(dir=file.parent)
    with os.fdopen(descriptor, "w", encoding="utf-8") as opened:
        opened.write(text)
    Path(temporary).replace(file)


def _make_private(made: Path) -> None:
    for folder in [*reversed(made.parents), made]:
        folder.mkdir(mode=0o700, exist_ok=True)


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """Keep every other program and thread that locks the same file waiting until the end of the block."""
    _make_private(file.parent)
    with file.open("ab") as opened:
        if sys.platform == "win32":
            locking(opened.fileno(), LK_LOCK, 1)
        else:
            flock(opened, LOCK_EX)
        yield


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
        self.seeds = self._read()

    def _read(self) -> dict[str, bytes]:
        file = self.file
        lines = file.read_text(encoding="utf-8", errors="replace").split() if file.exists() else []
        try:
            return {to_base64(public_key_of(seed)): seed for seed in map(bytes.fromhex, lines)}
        except ValueError:
            raise ValueError(f"{file} does not contain signing keys.") from None

    def newest(self) -> str | None:
        """Return the public key of the newest key."""
        return next(reversed(self.seeds), None)

    def add(self) -> str:
        """Create a new key, store it beside those of other programs, and return its public key."""
        seed = secrets.token_bytes(32)
        public = to_base64(public_key_of(seed))
        with locked(self.file.with_name(f"{self.file.name}.lock")):
            self.seeds = self._read() | {public: seed}
            write_private(self.file, "".join(f"{one.hex()}\n" for one in self.seeds.values()))
        return public
