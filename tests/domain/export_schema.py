"""The generated parts of docs/export.schema.json: commands, and the facts of the match itself.

`python -m tests.domain.export_schema` writes them into the file; everything else in it is written by hand.
"""

import json
from pathlib import Path
from typing import Any

from kontor_games.domain.codec import Codec
from kontor_games.domain.commands import COMMAND_CODEC
from kontor_games.domain.match_facts import MATCH_CODEC

SCHEMA = Path(__file__).parents[2] / "docs/export.schema.json"


def described(codec: Codec, name: str) -> dict[str, Any]:
    """Return the schema of a record in an export, where hidden fields are omitted and not listed."""
    schema = codec.schema(name)
    schema["properties"].pop("hidden", None)
    return schema


def completed(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema with the generated parts replaced."""
    parts = schema["$defs"]
    parts["command"] = {
        "description": "The command. Its moves are those of the game, described at GET /v1/games/{game}.",
        "oneOf": [described(COMMAND_CODEC, name) for name in COMMAND_CODEC.types],
    }
    parts["fact"]["allOf"] = [
        {"if": {"properties": {"type": {"const": name}}}, "then": {"$ref": f"#/$defs/{name}"}}
        for name in MATCH_CODEC.types
    ]
    for name in MATCH_CODEC.types:
        parts[name] = described(MATCH_CODEC, name)
    return schema


def read_schema() -> dict[str, Any]:
    """Read the published schema."""
    schema: dict[str, Any] = json.loads(SCHEMA.read_text(encoding="utf-8"))
    return schema


if __name__ == "__main__":
    SCHEMA.write_text(
        json.dumps(completed(read_schema()), indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
    )
