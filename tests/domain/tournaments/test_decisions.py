"""What a report lists as decided by people or by the clock, from the records of a tournament."""

from typing import Any

from kontor_games.domain.stream import HOUSE
from kontor_games.domain.tournaments import commands
from kontor_games.domain.tournaments.decisions import Decision, follow
from tests.domain.tournaments.tournaments import ORGANISER, Played

MATCH = "m1.0.0.0"
SLOT = (1, 0, 0)


def open_match(**terms: Any) -> Played:
    played = Played(**{"rounds": 1, **terms}).started(4)
    played.act(commands.PairRound())
    played.open_matches()
    return played


def seated(played: Played) -> tuple[int, ...]:
    return played.tournament.planned_for(MATCH).entrants


def decisions(played: Played) -> list[Decision]:
    tournament, found = follow(played.records())
    assert tournament.version == played.tournament.version
    assert tournament.planned == played.tournament.planned
    return found


def test_a_ruling_has_the_places_before_and_after() -> None:
    played = open_match()
    played.finish_matches()
    before = played.tournament.finishes[0].places
    played.act(commands.Rule(MATCH, (1, 1, 1, 1), "bribed"), "anton")
    assert decisions(played) == [
        Decision(
            "result_ruled", played.tournament.version, played.at, "anton", "bribed",
            MATCH, SLOT, seated(played), before, after=(1, 1, 1, 1),
        )
    ]  # fmt: skip


def test_a_voided_match_has_no_places_after() -> None:
    played = open_match()
    entrants = seated(played)
    played.act(commands.VoidMatch(MATCH, "power cut"), "anton")
    assert decisions(played) == [
        Decision(
            "match_voided", played.tournament.version, played.at, "anton", "power cut", MATCH, SLOT, entrants
        )
    ]


def test_a_no_show_names_the_absent() -> None:
    played = open_match()
    absent = seated(played)[1]
    played.act(commands.RecordNoShow(MATCH, (absent,)), HOUSE)
    [decision] = decisions(played)
    assert (decision.by, decision.absent, decision.before) == (HOUSE, (absent,), None)
    assert decision.after == (1, 4, 1, 1)


def test_a_protest_a_withdrawal_and_a_cancellation_concern_no_match() -> None:
    played = Played(rounds=1).started(5)
    played.act(commands.Withdraw(4, "asleep"), "anton")
    played.play_round()
    played.act(commands.PostStandings(), HOUSE)
    played.act(commands.Protest("no!"), "p2")
    played.act(commands.Cancel("rain"))
    found = [(one.type, one.by, one.why, one.entrants, one.match, one.slot) for one in decisions(played)]
    assert found == [
        ("entrant_withdrew", "anton", "asleep", (4,), None, None),
        ("standings_protested", "p2", "no!", (2,), None, None),
        ("tournament_cancelled", ORGANISER, "rain", (), None, None),
    ]


def test_the_decisions_of_a_running_tournament_can_be_read_without_its_secret() -> None:
    played = open_match()
    played.act(commands.VoidMatch(MATCH, "power cut"), "anton")
    assert not any("server_secret" in record["fact"] for record in played.records())
    assert [decision.type for decision in decisions(played)] == ["match_voided"]


def test_the_lots_of_a_final_tournament_follow_from_its_secret() -> None:
    played = Played(rounds=1).started(3).play_to_the_end()
    tournament, _ = follow(played.records())
    assert tournament.standings_digest() == played.tournament.standings_digest()
