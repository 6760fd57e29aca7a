"""docs/draws.json assigns every draw of every match to a fact and its fields, as docs/chance.md describes."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kontor_games.domain.clock import ClockSettings
from kontor_games.domain.commands import Resign, TimeOut
from kontor_games.domain.games import installed_games
from kontor_games.domain.match_facts import PositionSet, find_rules
from kontor_games.domain.position import dump_position
from tests.corpus.record import CORPUS, aborted
from tests.domain.draws_by_the_document import DOCUMENT, Binder, Bound, UnboundError
from tests.support.forging import Lines, lines_of
from tests.support.recording import OPEN, PLAYERS, Recording, announcement, table_of

pytestmark = pytest.mark.untraced

GAMES = sorted(installed_games())
FILES = [file for game in GAMES for file in sorted((CORPUS / game).glob("*.ndjson"))]
VERSIONS = [(game.id, rules.version) for game in installed_games().values() for rules in game.rulesets]
PAGE = (CORPUS.parents[1] / "docs/chance.md").read_text(encoding="utf-8")


def bound(lines: Lines) -> list[Bound]:
    ruleset = lines[0]["ruleset"]
    rules = find_rules(ruleset["game"], ruleset["version"], ruleset["data"])
    return Binder(lines, rules.data.document).run()


def test_every_game_and_version_is_in_the_document() -> None:
    described = {name: game["versions"] for name, game in DOCUMENT.items() if name != "format"}
    assert sorted((name, number) for name, numbers in described.items() for number in numbers) == sorted(
        VERSIONS
    )


@pytest.mark.parametrize("game", GAMES)
def test_the_facts_and_fields_of_the_document_exist(game: str) -> None:
    kinds = {fact.type: fact for rules in installed_games()[game].rulesets for fact in rules.facts}
    described = DOCUMENT[game]
    for name, binding in described["facts"].items():
        fields = set(kinds[name].__annotations__)
        named = {binding["field"].partition("[")[0]} | {
            binding[key] for key in ("owner", "place", "without", "when") if key in binding
        }
        assert named <= fields
    assert {*described["moves"], *described.get("hands", {}).get("changes", {})} <= set(kinds)


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_every_draw_of_a_recorded_match_belongs_to_a_fact_as_the_document_says(file: Path) -> None:
    lines = lines_of(file.read_bytes())
    assert len(bound(lines)) == sum(len(line.get("draws", ())) for line in lines)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_binding_occurs_in_the_recorded_matches(game: str) -> None:
    seen = {
        (one.stream, one.fact)
        for file in FILES
        if file.parent.name == game
        for one in bound(lines_of(file.read_bytes()))
    }
    assert {(binding["stream"], fact) for fact, binding in DOCUMENT[game]["facts"].items()} <= seen
    assert any(stream == "absent" for stream, _ in seen)


def walk(game: str, version: int, seats: int) -> Recording:
    """A match at random in which one seat is timed out and another one resigns."""
    clock = ClockSettings("per_move", 60_000)
    recording = table_of(game, seats, version=version, clock=clock, server_secret=f"{seats:064x}")
    recording.play_on(40, seed=f"{game} {version} {seats}")
    (deadline,) = {recording.match.clock.next_deadline()}
    assert deadline is not None
    recording.do("house", TimeOut(recording.match.clock.flagged(deadline)[0]), after=deadline - recording.at)
    recording.play_on(20, seed="more")
    if seats > 2:
        recording.do(PLAYERS[1], Resign())
    return aborted(recording.play_on(120, seed="rest"))


@pytest.mark.slow
@pytest.mark.parametrize(("game", "version"), VERSIONS)
def test_every_draw_of_a_fresh_match_belongs_to_a_fact_as_the_document_says(game: str, version: int) -> None:
    for seats in find_rules(game, version, None).seat_counts:
        lines = lines_of(walk(game, version, seats).export())
        streams = [one.stream for one in bound(lines)]
        assert len(streams) == sum(len(line.get("draws", ())) for line in lines)
        assert "absent" in streams


def test_with_the_other_options_each_draw_belongs_to_a_fact_too() -> None:
    chosen = {"simultaneous_loading": True, "first_seat": 2}
    lines = lines_of(aborted(table_of("speicherstadt", 3, options=chosen).play_on(150)).export())
    assert "first_player" not in {one.stream for one in bound(lines)}


@pytest.mark.parametrize(("game", "version"), VERSIONS)
def test_in_a_branch_the_count_goes_on_where_the_position_left_it(game: str, version: int) -> None:
    source = table_of(game, 3, version=version).play_on(60)
    position = PositionSet(source.id, source.match.version, dump_position(source.match.state))
    created = announcement(game, OPEN, OPEN, OPEN, version=version, branch=True, open_seed="a branch")
    branch = Recording(created, position=position)
    for player in PLAYERS[:3]:
        branch.join(player)
    lines = lines_of(aborted(branch.play_on(60, seed="branch")).export())
    taken = bound(lines)
    assert len(taken) == sum(len(line.get("draws", ())) for line in lines)
    if game == "europe":
        assert next(one.index for one in taken if one.stream == "dice") == source.match.state.rolls > 0  # type: ignore[attr-defined]


# Deviations from the document are noticed


def remove(draws: list[Any]) -> None:
    del draws[-1]


def add(draws: list[Any]) -> None:
    draws.append({"stream": "dice", "index": 999, "values": [[6, 1]]})


def shift(draws: list[Any]) -> None:
    draws[-1]["index"] += 1


def rename(draws: list[Any]) -> None:
    draws[-1]["stream"] += "s"


def turn(draws: list[Any]) -> None:
    draws[-1]["values"] = [[limit, (value + 1) % limit] for limit, value in draws[-1]["values"]] or [[2, 1]]


def rebound(draws: list[Any]) -> None:
    draws[-1]["values"] = [[limit + 1, value] for limit, value in draws[-1]["values"]] or [[2, 1]]


ONLY_THE_RULES = {"absent"}
"""Only the rules tell how many quiet moves there are, and which one was made."""
SEVERAL_VALUES = {"absent", "theft", "deck", "tokens"}
"""Several values can mean the same card; only the seed shows which value is right."""


@pytest.mark.parametrize(
    ("change", "left_out"),
    [(remove, {}), (add, {}), (shift, {}), (rename, {}), (turn, SEVERAL_VALUES), (rebound, ONLY_THE_RULES)],
)
@pytest.mark.parametrize(
    "name", ["europe/v2-resigned-4", "europe/v1-curious-short-4", "speicherstadt/v1-time-outs-5"]
)
def test_a_draw_that_does_not_fit_its_fact_is_noticed(
    name: str, change: Callable[[list[Any]], None], left_out: set[str]
) -> None:
    content = (CORPUS / f"{name}.ndjson").read_bytes()
    drawn = [n for n, line in enumerate(lines_of(content)) if line.get("draws", [{}])[-1].get("stream")]
    for place in drawn[:: max(1, len(drawn) // 6)]:
        lines = lines_of(content)
        if lines[place]["draws"][-1]["stream"] not in left_out:
            change(lines[place]["draws"])
            with pytest.raises(UnboundError):
                bound(lines)


@pytest.mark.parametrize(
    ("name", "kind", "field"),
    [
        ("europe/v1-curious-short-4", "dice_rolled", "dice"),
        ("europe/v1-curious-short-4", "card_stolen", "resource"),
        ("europe/v2-curious-expert-3", "card_bought", "card"),
        ("europe/v2-curious-expert-3", "token_placed", "number"),
        ("europe/v1-whole-3", "start_rolled", "rolls"),
        ("speicherstadt/v1-whole-2", "first_player_chosen", "seat"),
        ("speicherstadt/v1-whole-2", "pile_stacked", "pile"),
        ("speicherstadt/v1-whole-2", "bag_filled", "cubes"),
    ],
)
def test_a_field_that_does_not_follow_from_its_draw_is_noticed(name: str, kind: str, field: str) -> None:
    lines = lines_of((CORPUS / f"{name}.ndjson").read_bytes())
    found = [line["fact"] for line in lines[1:-1] if line["fact"]["type"] == kind]
    other: dict[str, Any] = {
        "dice": [7 - found[0].get("dice", [0])[0], 1],
        "resource": "wool" if found[0].get("resource") != "wool" else "ore",
        "card": "bribe" if found[0].get("card") != "bribe" else "lancer",
        "number": 12,
        "rolls": [{"seat": 0, "dice": [1, 1]}] * 3,
        "seat": 1 - found[0].get("seat", 0),
        "pile": found[0].get("pile", [])[::-1],
        "cubes": found[0].get("cubes", [])[::-1],
    }
    found[0][field] = other[field]
    with pytest.raises(UnboundError):
        bound(lines)


# The page


@pytest.mark.parametrize("game", GAMES)
def test_the_page_has_a_row_for_each_binding(game: str) -> None:
    section = PAGE.split(f"### `{game}`\n")[1].split("\n### ")[0]
    rows = [re.findall(r"`([^`]*)`", row) for row in section.splitlines() if row.startswith("| `")]
    for fact, binding in DOCUMENT[game]["facts"].items():
        assert any(
            row[:2] == [binding["stream"], fact] and binding["field"].partition("[")[0] in row for row in rows
        ), fact
    for fact in DOCUMENT[game].get("hands", {"changes": {}})["changes"]:
        assert f"`{fact}`" in section


def test_the_example_of_an_absent_player_on_the_page_is_the_recorded_match() -> None:
    quoted = re.search(r"`tests/corpus/(\S+)`, versions\s+(\d+) to (\d+)", PAGE)
    assert quoted is not None
    lines = lines_of((CORPUS / quoted[1]).read_bytes())
    example = PAGE[quoted.end() :].split("```")[1].splitlines()[1:]
    rows = [line.split(maxsplit=2) for line in example]
    taken = [one for one in bound(lines) if int(quoted[2]) <= one.version <= int(quoted[3])]
    for number, kind, *drawn in rows:
        assert lines[int(number)]["fact"]["type"] == kind
        assert (
            drawn
            == [", ".join(f"{one.stream} {one.index}" for one in taken if one.version == int(number))][
                : len(drawn)
            ]
        )
    assert sum(len(drawn[0].split(", ")) for _, _, *drawn in rows if drawn) == len(taken)
    assert [int(number) for number, *_ in rows] == list(range(int(quoted[2]), int(quoted[3]) + 1))
    listed = lines[int(quoted[2])]["draws"]
    assert [(draw["stream"], draw["index"]) for draw in listed] == [(one.stream, one.index) for one in taken]
