"""`docs/tournament-record.md` names every field of facts and commands, and its vector is computed."""

import json
import re
import subprocess
from dataclasses import MISSING, fields
from itertools import pairwise
from typing import Any

import pytest

from kontor_games.domain.clock import ClockSettings
from kontor_games.domain.codec import Record, Shape, canonical, digest
from kontor_games.domain.toolkit.fact_list import facts_among
from kontor_games.domain.tournaments import facts
from kontor_games.domain.tournaments.commands import COMMAND_CODEC, TOURNAMENT_COMMANDS, Announce
from kontor_games.domain.tournaments.facts import TOURNAMENT_CODEC, TournamentAnnounced
from kontor_games.domain.tournaments.pairing.tables import Table
from kontor_games.domain.tournaments.standings import Standing
from kontor_games.domain.tournaments.terms import Terms, TieBreak
from kontor_games.domain.tournaments.tournament import Tournament
from tests.support.node import ROOT

DOCUMENT = (ROOT / "docs/tournament-record.md").read_text(encoding="utf-8")
VECTOR = json.loads((ROOT / "docs/vectors/standings.json").read_text(encoding="utf-8"))
MODULES = ROOT / "web/verifier"
FACTS: list[type[Record]] = list(facts_among(vars(facts)))
RECORDS: list[type[Record]] = [*FACTS, *TOURNAMENT_COMMANDS, Terms, ClockSettings, Table, Standing]
ANY_INTEGER = {"minimum": -(2**53) + 1, "maximum": 2**53 - 1}
LINE = r"^\| `(\w+)` \| (.+?) \| (.+?) \| (\S.*?) \|$"


def printed_by_node(program: str, *arguments: str) -> Any:
    """Run a program with the address of the verifier's modules; return the JSON that it prints."""
    command = ["node", "--input-type=module", "-e", program, MODULES.as_uri(), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    return json.loads(done.stdout)


# The tables of fields


def bounds(low: int, high: int) -> str:
    """The bounds that an annotation sets; 0 to 1,000 is only the default for untrusted input."""
    if (low, high) == (0, 1000):
        return ""
    return f", {low}" if low == high else f", {low} to {high}"


def type_of(schema: dict[str, Any]) -> str:
    """The type of a field in words, as the document writes it."""
    match schema:
        case {"enum": values}:
            return " or ".join(f"`{value}`" for value in values)
        case {"anyOf": [inner, {"type": "null"}]}:
            return f"{type_of(inner)}, or null"
        case {"type": "array", "items": items, "minItems": low, "maxItems": high}:
            return f"list{bounds(low, high)}: {type_of(items)}"
        case {"type": "string", "minLength": low, "maxLength": high}:
            return f"text{bounds(low, high)}"
        case {"type": "integer", "minimum": low, "maximum": high}:
            whole = {"minimum": low, "maximum": high} == ANY_INTEGER
            return "integer" if whole else f"integer, {low} to {high}"
        case {"type": "boolean"}:
            return "boolean"
        case {"type": "object"}:
            return "object"
    assert schema == {}
    return "any JSON"


def rows_of(cls: type[Record]) -> list[tuple[str, str, str]]:
    """Name, type and presence of each field of a record."""
    schema, found = Shape(cls).schema()["properties"], []
    for one in fields(cls):  # type: ignore[arg-type]
        present = "always"
        if "late" in one.metadata:
            present = f"absent if `{json.dumps(schema[one.name]['default'])}`"
        elif "seen_by" in one.metadata:
            present = "never: in `sealed`"
        found.append(
            (one.name, type_of({k: v for k, v in schema[one.name].items() if k != "default"}), present)
        )
    return found


def section_of(name: str) -> str:
    return DOCUMENT.partition(f"\n### `{name}`\n")[2].partition("\n#")[0]


@pytest.mark.parametrize("cls", RECORDS, ids=lambda cls: cls.__name__)
def test_the_document_has_a_row_for_every_field_with_its_type_and_when_it_is_absent(
    cls: type[Record],
) -> None:
    rows = re.findall(LINE, section_of(cls.type), re.MULTILINE)
    assert [(name, kind, present) for name, kind, present, _ in rows] == rows_of(cls)


def test_the_document_has_a_section_for_every_fact_and_command_and_no_other() -> None:
    named = re.findall(r"^### `(\w+)`$", DOCUMENT, re.MULTILINE)
    assert len(FACTS) == len(TOURNAMENT_CODEC.types)
    assert sorted(named) == sorted(cls.type for cls in RECORDS)


def test_a_field_with_a_default_is_absent_or_written_as_the_document_says() -> None:
    """Only fields that were added later are left out: a command without values has all others."""
    defaults = [
        (cls, one)
        for cls in TOURNAMENT_COMMANDS
        for one in fields(cls)  # type: ignore[arg-type]
        if one.default is not MISSING
    ]
    assert {cls.type for cls, one in defaults if "late" not in one.metadata} == {
        "pair_round", "sign_off", "withdraw",
    }  # fmt: skip
    for cls, one in defaults:
        if "late" not in one.metadata:
            assert one.name in COMMAND_CODEC.encode(cls())


@pytest.mark.e2e
def test_authors_stages_and_effects_of_the_commands_are_those_of_the_javascript_verifier() -> None:
    known = printed_by_node(
        "const { TOURNAMENT_COMMANDS } = await import(process.argv[1] + '/forms.mjs');"
        "console.log(JSON.stringify(TOURNAMENT_COMMANDS));"
    )
    assert list(known) == list(COMMAND_CODEC.types)
    for name, (author, causes, stages) in known.items():
        [said] = re.findall(
            r"^Author: (.+)\. Possible while: (.+)\. Causes: (.+)\.$", section_of(name), re.MULTILINE
        )
        allowed = stages or ["its match or table allows it"]
        assert said[0] == author
        assert said[1] == (" or ".join(allowed) if allowed != [""] else "nothing is recorded")
        assert set(re.findall(r"`(\w+)`", said[2])) == set(re.findall(r"\w+_\w+", " ".join(causes)))


# The vector


def carried_out() -> tuple[Tournament, list[list[Any]]]:
    """The tournament of the vector after its commands, and the facts that each of them caused."""
    tournament, caused = Tournament(), []
    announced = TOURNAMENT_CODEC.parse(VECTOR["announced"])
    assert isinstance(announced, TournamentAnnounced)
    Announce().announce(tournament, announced, 0)
    for entry in VECTOR["entries"]:
        decided = COMMAND_CODEC.parse(entry["command"]).decide(tournament, entry["by"], entry["at"])
        caused.append([TOURNAMENT_CODEC.encode(fact) for fact in decided])
    return tournament, caused


def test_the_commands_of_the_vector_cause_its_facts() -> None:
    _, caused = carried_out()
    assert caused == [entry["facts"] for entry in VECTOR["entries"]]


def test_the_domain_computes_the_published_seed_lots_results_and_standings() -> None:
    tournament, _ = carried_out()
    assert tournament.chance is not None
    assert tournament.chance.seed.hex() == VECTOR["seed"]
    drawn = tournament.chance.draws("lots", 0).shuffled(range(len(tournament.entrants)))
    assert [drawn.index(number) + 1 for number in range(len(drawn))] == VECTOR["lots"]
    assert [tournament.byes[number] for number in range(len(drawn))] == VECTOR["byes"]
    kept = [(list(one.entrants), list(one.places), list(one.scores)) for one in tournament.finishes]
    assert kept == [(one["entrants"], one["places"], one["scores"]) for one in VECTOR["finishes"]]
    lines = [Shape(Standing).encode(line) for line in tournament.standings()]
    assert lines == VECTOR["standings"]
    assert canonical(lines).decode() == VECTOR["canonical"]
    assert digest(lines) == tournament.standings_digest() == VECTOR["digest"]
    assert VECTOR["entries"][-1]["facts"][0]["digest"] == VECTOR["digest"]


def test_the_vector_separates_entrants_by_points_and_four_tie_breaks() -> None:
    """Otherwise a verifier could compute them in a wrong order and still agree."""
    keys = [(line["points"], *line["tie_breaks"]) for line in VECTOR["standings"]]
    first = {
        next(place for place, (one, other) in enumerate(zip(a, b, strict=True)) if one != other)
        for a, b in pairwise(keys)
    }
    assert first == {0, 1, 2, 3, 4}
    assert set(VECTOR["announced"]["terms"]["tie_breaks"]) == set(TieBreak.__args__)  # type: ignore[attr-defined]


def test_the_document_shows_the_standings_and_the_digest_of_the_vector() -> None:
    for line in VECTOR["standings"]:
        values = [
            line["place"],
            line["entrant"],
            line["points"],
            *line["tie_breaks"],
            line["played"],
            line["wins"],
        ]
        assert f"| {' | '.join(map(str, [*values, line['byes']]))} |" in DOCUMENT
    assert VECTOR["digest"] in DOCUMENT
    assert canonical(VECTOR["standings"][0]).decode() in DOCUMENT
    assert f"| {' | '.join(map(str, VECTOR['lots']))} |" in DOCUMENT
