"""Tokens kept from run to run, in files that only their owner can read."""

import os
import re
import tempfile
from pathlib import Path


def default_token_file(url: str, name: str) -> Path:
    """Return the file in the user's state folder for one account: a service and a name."""
    folder = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    account = f"{url.partition('://')[2].rstrip('/')}-{name}"
    written = re.sub(r"(?![\w.-])[\x00-\x7f]", lambda found: f"%{ord(found[0]):x}", account)
    return folder / "kontor" / f"{written}.token"


def read_token(file: Path) -> str | None:
    """Return the token in a file, or None without such a file; raise ValueError if it holds anything else."""
    if not file.exists():
        return None
    token = file.read_text(encoding="utf-8", errors="replace").strip()
    if not re.fullmatch(r"[!-~]+", token):
        raise ValueError(f"{file} does not hold a token.")
    return token


def write_token(file: Path, token: str) -> None:
    """Replace the file by one that holds the token and that only its owner can read."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=file.parent)
    with os.fdopen(descriptor, "w", encoding="ascii") as opened:
        opened.write(token + "\n")
    Path(temporary).replace(file)
