"""Tokens kept from run to run, in files that only their owner can read."""

import re
from pathlib import Path

from kontor_client.files import default_folder, file_name, service_name


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
