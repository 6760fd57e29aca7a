"""Folders in which TypeScript programs find their npm packages."""

from pathlib import Path

from tests.support.npm import CLIENT

PROGRAMS = CLIENT.manifest.parent
MODULES = CLIENT.folder


def typescript_folder(name: str) -> Path:
    """Return a new folder below the one in which the packages of package.json are installed."""
    CLIENT.install()
    (MODULES / name).mkdir(exist_ok=True)
    return MODULES / name
