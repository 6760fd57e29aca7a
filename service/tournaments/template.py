"""The terms of a tournament in words, and a TOML file to announce one from, with every field."""

import json
from importlib.resources import files
from textwrap import wrap

from kontor_games.domain.codec import Plain
from kontor_games.domain.games import installed_games
from kontor_games.service.tournaments.spec import POINTS, announcement_schema

TERM_TEXTS: dict[str, str] = json.loads(files(__package__).joinpath("terms.json").read_text(encoding="utf-8"))
"""What each term means; the contract of the API and the template have these sentences."""
_HEAD = """\
# A tournament, announced with: kontor tournament announce cup.toml --open
# `title` and `game` are enough. The lines that begin with `# name =` show the other fields with their
# defaults: remove the `# ` to choose another value. Times are in milliseconds.
"""
_WIDTH = 100


def _examples() -> dict[str, Plain]:
    """Values of the fields without a default, or with one that shows nothing."""
    name, game = next(iter(installed_games().items()))
    fewest, most = min(game.rules().seat_counts), max(game.rules().seat_counts)
    return {
        "title": "Autumn cup",
        "game": name,
        "clock": {"kind": "per_move", "ms": 60_000},
        "seats": most,
        "least_seats": fewest,
        "points": POINTS[most],
        "least_entrants": fewest,
        "starts_at": 1_798_797_600_000,
    }


def announcement_template() -> str:
    """Return a commented TOML file with every field of an announcement."""
    schema, examples = announcement_schema(), _examples()
    parts = [_HEAD]
    for name, field in schema["properties"].items():
        value = examples.get(name, field.get("default"))
        choice = field.get("enum") or field.get("items", {}).get("enum")
        text = TERM_TEXTS[name] + (f" One of: {', '.join(choice)}." if choice else "")
        mark = "" if name in schema["required"] else "# "
        comment = "".join(f"# {line}\n" for line in wrap(text, _WIDTH))
        parts.append(f"{comment}{mark}{name} = {_toml(value)}\n")
    return "\n".join(parts)


def _toml(value: Plain) -> str:
    """Return a value in TOML: that of JSON, apart from tables."""
    if isinstance(value, dict):
        inside = ", ".join(f"{name} = {_toml(one)}" for name, one in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    return json.dumps(value, ensure_ascii=False)
