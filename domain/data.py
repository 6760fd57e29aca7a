"""The documents that ship inside the packages: rules for players, cards, boards. The only reading that the domain does."""

import json
from importlib.resources import files

from kontor_games.domain.codec import Plain


def read_text(package: str, name: str) -> str:
    """A text file that lies in a package's folder."""
    return files(package).joinpath(name).read_text(encoding="utf-8")


def read_json(package: str, name: str) -> Plain:
    """A JSON file that lies in a package's folder."""
    return json.loads(read_text(package, name))
