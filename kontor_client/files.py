"""Files that are kept from run to run and that only their owner can read."""

import os
import re
import tempfile
from pathlib import Path


def default_folder() -> Path:
    """Return the folder of Kontor in the user's state folder."""
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "kontor"


def file_name(text: str) -> str:
    """Return a text as part of a file name; no two texts get the same, and none leads to another folder."""
    return re.sub(r"(?![\w.-])[\x00-\x7f]", lambda found: f"%{ord(found[0]):x}", text)


def id_name(text: str) -> str:
    """Return an id that a service has given as the name of a folder, which never is `.` or `..`."""
    return file_name(text).replace(".", "%2e")


def service_name(url: str) -> str:
    """Return the address of a service as a part of a file name."""
    return file_name(url.partition("://")[2].rstrip("/"))


def write_private(file: Path, text: str) -> None:
    """Replace the file atomically by one with this text that only its owner can read."""
    for folder in reversed(file.parents):
        folder.mkdir(mode=0o700, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=file.parent)
    with os.fdopen(descriptor, "w", encoding="utf-8") as opened:
        opened.write(text)
    Path(temporary).replace(file)


def default_token_file(url: str, name: str, folder: Path | None = None) -> Path:
    """Return the file in a folder, or in the user's state folder, for one account: a service and a name."""
    return (folder or default_folder()) / f"{service_name(url)}-{file_name(name)}.token"


def read_token(file: Path) -> str | None:
    """Return the token in a file, or None without such a file; raise ValueError if it holds anything else."""
    if not file.exists():
        return None
    token = file.read_text(encoding="utf-8", errors="replace").strip()
    if not re.fullmatch(r"[!-~]+", token):
        raise ValueError(f"{file} does not hold a token.")
    return token
