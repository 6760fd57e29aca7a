"""docs/export.md: its example of the hash of a data set, computed again."""

import json
import re
from pathlib import Path

from kontor_games.domain.codec import Plain, canonical
from kontor_games.domain.games import installed_games

SECTION = (
    (Path(__file__).parents[2] / "docs/export.md")
    .read_text(encoding="utf-8")
    .partition("### The hash of a data set\n")[2]
    .partition("\n## ")[0]
)
WRITTEN, HASHED = (text.strip() for text in re.findall(r"```json\n(.*?)```", SECTION, re.DOTALL))
BOARD = installed_games()["europe"].data_set("short")


def written_short(document: Plain) -> Plain:
    """The board with the hex of the example as a person writes it."""
    land = [
        json.loads(WRITTEN) if canonical(hexagon).decode() == HASHED else hexagon
        for hexagon in document["land"]
    ]
    return {**document, "land": land}


def test_the_document_gives_size_and_hash_of_every_data_set() -> None:
    rows = re.findall(r"^\| `(\w+)` \| `([\w-]+)` \| (\d+) \| `([0-9a-f]{64})` \|$", SECTION, re.MULTILINE)
    data_sets = [(game.id, data) for game in installed_games().values() for data in game.data_sets]
    assert rows == [
        (game, data.name, str(len(canonical(data.document))), data.hash) for game, data in data_sets
    ]


def test_the_hex_of_the_example_is_hashed_with_its_defaults_written_out() -> None:
    short = written_short(BOARD.document)
    assert json.loads(WRITTEN) in short["land"]
    assert canonical(short) != canonical(BOARD.document)
    assert installed_games()["europe"].admit("short", short).hash == BOARD.hash
