"""Reads data files of packages: rules, cards and boards. This is the only I/O of the domain."""

import json
from importlib.resources import files

from kontor_games.domain.codec import Plain


def read_text(package: str, name: str) -> str:
    """Return a text file of a package."""
    return files(package).joinpath(name).read_text(encoding="utf-8")


def read_json(package: str, name: str) -> Plain:
    """Return the content of a JSON file of a package."""
    return json.loads(read_text(package, name))
