"""Reads data files of packages: rules, cards and boards. This is the only I/O of the domain."""

import json
import re
from importlib.resources import files

from kontor_games.domain.codec import Plain


def read_text(package: str, name: str) -> str:
    """Return a text file of a package."""
    return files(package).joinpath(name).read_text(encoding="utf-8")


def read_rules(package: str) -> dict[str, str]:
    """Return the rules documents of a game by language: RULES.md is in English, RULES.de.md in German."""
    names = sorted(entry.name for entry in files(package).iterdir())
    languages = [found[1] for name in names if (found := re.fullmatch(r"RULES\.([a-z]{2})\.md", name))]
    translations = {language: read_text(package, f"RULES.{language}.md") for language in languages}
    return {"en": read_text(package, "RULES.md"), **translations}


def read_json(package: str, name: str) -> Plain:
    """Return the content of a JSON file of a package."""
    return json.loads(read_text(package, name))
