"""Where programs in TypeScript find what they need from npm."""

from pathlib import Path

from tests.support.npm import CLIENT

PROGRAMS = CLIENT.manifest.parent
MODULES = CLIENT.folder


def workplace(name: str) -> Path:
    """A folder below the one in which the packages that package.json names are installed."""
    CLIENT.install()
    (MODULES / name).mkdir(exist_ok=True)
    return MODULES / name
