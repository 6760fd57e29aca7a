"""Generates the types that the page is checked against: of the API, of views, moves and facts.

`make check` runs it before the type checker. They are made from what is published, so nothing is kept twice.
"""

import json
import subprocess
from typing import Any

import yaml

from kontor_games.domain.codec import Codec
from kontor_games.domain.commands import COMMAND_CODEC
from kontor_games.domain.games import installed_games
from kontor_games.domain.match_facts import MATCH_CODEC, find_rules
from kontor_games.domain.tournaments.commands import COMMAND_CODEC as TOURNAMENT_COMMAND_CODEC
from kontor_games.domain.tournaments.facts import TOURNAMENT_CODEC
from tests.support.npm import CLIENT, ROOT

FOLDER = ROOT / "build/web-types"
TEXTS = frozenset({"description", "example", "examples", "title"})
RECORDS = {
    "match_fact": MATCH_CODEC,
    "match_command": COMMAND_CODEC,
    "tournament_fact": TOURNAMENT_CODEC,
    "tournament_command": TOURNAMENT_COMMAND_CODEC,
}


def any_record(codec: Codec) -> dict[str, Any]:
    """The schema of any record of a codec as it is stored."""
    schemas = [codec.schema(name) for name in codec.types]
    for schema in schemas:
        schema["properties"].pop("hidden", None)
    return {"anyOf": schemas}


def contract() -> dict[str, Any]:
    """The contract with the schemas of all records, and of views, moves and facts of the newest rules."""
    with (ROOT / "openapi.yaml").open(encoding="utf-8") as file:
        document: dict[str, Any] = yaml.load(file, Loader=yaml.CSafeLoader)
    schemas = document["components"]["schemas"]
    schemas |= {name: any_record(codec) for name, codec in RECORDS.items()}
    for name in installed_games():
        rules = find_rules(name, None, None)
        codecs = {"move": rules.move_codec, "fact": rules.fact_codec}
        schemas |= {f"{name}_{kind}": any_record(codec) for kind, codec in codecs.items()}
        schemas[f"{name}_view"] = dict(rules.view_schema)
    return document


def without_texts(node: Any, named: bool = False) -> Any:
    """A schema without its texts; `named`: its keys are names, so that all of them are kept."""
    if isinstance(node, list):
        return [without_texts(one) for one in node]
    if not isinstance(node, dict):
        return node
    return {
        name: without_texts(one, not named and name in ("properties", "schemas"))
        for name, one in node.items()
        if named or name not in TEXTS
    }


def write() -> None:
    """Write `build/web-types/contract.d.ts`."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    source = FOLDER / "contract.json"
    source.write_text(json.dumps(without_texts(contract())), encoding="utf-8")
    generator = CLIENT.install() / ".bin/openapi-typescript"
    options = ("--default-non-nullable", "false", "--output", FOLDER / "contract.d.ts")
    subprocess.run([generator, source, *options], check=True, capture_output=True, timeout=120)


if __name__ == "__main__":
    write()
