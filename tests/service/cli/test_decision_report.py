from typing import Any

from kontor_games.domain.tournaments.decisions import Decision
from kontor_games.service.cli.verify_report import decision_checks
from kontor_games.service.trust.tournament_check import TournamentVerdict

PLAYERS = tuple(f"{digit}" * 8 + "-0000-4000-8000-000000000000" for digit in "1234")


def decided(kind: str, match: str, **more: Any) -> Decision:
    return Decision(
        kind, 9, 1_000, more.pop("by", PLAYERS[0]), match=match, slot=(2, 0, 0), entrants=(0, 1), **more
    )


def checks(*decisions: Decision, names: str | None = "Ada,Ben,Cleo,Dora") -> dict[str, list[str]]:
    """What is said about the decisions, by check; lines without a name belong to the one before."""
    verdict = TournamentVerdict(
        "t", "Cup", "final", 9, 2, 4, 1, 4, True, 4, True, (), 0, (), 0,
        organiser=PLAYERS[0], players=PLAYERS, decisions=decisions,
    )  # fmt: skip
    found: dict[str, list[str]] = {}
    for name, _, text in decision_checks(verdict, names):
        found.setdefault(name or list(found)[-1], []).append(text)
    return found


def test_without_decisions_there_are_none_of_each_kind() -> None:
    assert checks() == {"no-shows": ["none"], "rulings": ["none"], "protests": ["none"]}


def test_a_ruling_names_who_decided_which_match_and_the_places_before_and_after() -> None:
    ruling = decided("result_ruled", "m1", before=(1, 2), after=(2, 1), why="clerical error")
    assert checks(ruling)["rulings"] == [
        "1 ruling:",
        "the organiser Ada decided match m1 (round 2, table 1):"
        " Ada 1., Ben 2. → Ada 2., Ben 1.: “clerical error”",
    ]
    assert checks(ruling, names=None)["rulings"][1].startswith("the organiser 11111111 decided match m1")


def test_an_arbiter_is_told_from_the_organiser() -> None:
    ruling = decided("result_ruled", "m1", by=PLAYERS[3], after=(1, 2), why="agreed")
    assert checks(ruling)["rulings"][1] == (
        "the arbiter Dora decided match m1 (round 2, table 1): no result → Ada 1., Ben 2.: “agreed”"
    )


def test_a_walkover_that_was_ruled_or_discarded_later_decides_nothing() -> None:
    absences = [decided("no_show_recorded", match, by="house", absent=(1,), after=(1, 2)) for match in "abc"]
    ruling = decided("result_ruled", "a", before=(1, 2), after=(1, 1), why="agreed")
    replay = decided("match_voided", "b", before=(1, 2), why="power cut")
    found = checks(*absences, ruling, replay)
    assert found["no-shows"] == ["3 no-shows decided 1 match"]
    assert found["replays"] == [
        "1 match discarded:",
        "the organiser Ada discarded match b (round 2, table 1): Ada 1., Ben 2.: “power cut”",
    ]


def test_protests_are_listed_with_names_and_reasons() -> None:
    protest = Decision("standings_protested", 9, 1_000, PLAYERS[2], "I was there.", entrants=(2,))
    assert checks(protest)["protests"] == ["1:", "Cleo: “I was there.”"]
