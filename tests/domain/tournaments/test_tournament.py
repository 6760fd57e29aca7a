from dataclasses import replace
from typing import Any

import pytest

from kontor_games.domain.codec import text_of
from kontor_games.domain.seed import seed_of
from kontor_games.domain.stream import HOUSE
from kontor_games.domain.tournaments import commands, refusals
from kontor_games.domain.tournaments.facts import (
    TOURNAMENT_CODEC,
    EditionSigned,
    EntrantReturned,
    NoShowRecorded,
    ResultRuled,
    RoundPaired,
)
from kontor_games.domain.tournaments.rounds import next_round
from kontor_games.domain.tournaments.terms import faults_of_terms
from kontor_games.domain.tournaments.tournament import Tournament
from tests.domain.tournaments.tournaments import ORGANISER, SECRET, TERMS, Played, first_match, refused


@pytest.mark.parametrize(
    ("changes", "entrants", "rounds"),
    [
        ({"format": "swiss"}, 10, 3),
        ({"format": "balanced", "rotated": True}, 9, 3),
        ({"format": "complete", "seats": 2, "least_seats": 2, "points": (1, 0)}, 5, 5),
        ({"format": "complete", "seats": 3, "points": (2, 1, 0)}, 5, 10),
        ({"format": "knockout", "advance": 1}, 17, 3),
        ({"format": "knockout", "advance": 2}, 16, 3),
    ],
)
def test_every_format_is_played_to_its_end_and_the_best_wins(
    changes: dict[str, Any], entrants: int, rounds: int
) -> None:
    played = Played(**changes).started(entrants).play_to_the_end()
    tournament = played.tournament
    assert tournament.status == "final"
    assert len(tournament.rounds) == rounds
    assert tournament.unfinished == []
    assert 0 in [line.entrant for line in tournament.standings() if line.place == 1]


def test_the_state_is_the_fold_of_the_facts_as_they_are_stored() -> None:
    played = Played(rotated=True).started(7).play_to_the_end()
    stored = [text_of(TOURNAMENT_CODEC.encode(fact)) for fact in played.facts]
    folded = Tournament()
    for fact in played.facts:
        folded.fold_fact(TOURNAMENT_CODEC.decode(TOURNAMENT_CODEC.encode(fact)))
    assert folded.standings() == played.tournament.standings()
    assert folded.version == len(stored) == played.tournament.version
    assert folded.planned == played.tournament.planned


def test_an_auditor_recomputes_every_round_from_the_facts_before_it() -> None:
    played = Played(rounds=4).started(11).play_to_the_end()
    tournament, checked = Tournament(), 0
    for fact in played.facts:
        if isinstance(fact, RoundPaired):
            assert next_round(tournament) == fact
            checked += 1
        tournament.fold_fact(fact)
    assert checked == 4


def test_the_seed_comes_from_the_secret_and_the_contributions_of_those_who_entered() -> None:
    tournament = Played().started(3).tournament
    assert tournament.chance is not None
    assert tournament.chance.seed == seed_of(SECRET, [f"{number:064x}" for number in range(3)])


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"seats": 5}, "seats"),
        ({"least_seats": 5}, "least_seats"),
        ({"points": (3, 2, 1)}, "points"),
        ({"points": (1, 2, 3, 4)}, "points"),
        ({"tie_breaks": ("wins", "wins")}, "tie_breaks"),
        ({"format": "knockout", "advance": 3}, "advance"),
        ({"format": "arena"}, "duration_ms"),
        ({"format": "arena", "duration_ms": 60_000, "rotated": True}, "rotated"),
        ({"least_entrants": 2}, "least_entrants"),
        ({"most_entrants": 2}, "most_entrants"),
        ({"format": "knockout", "late_entry": True}, "late_entry"),
        ({"format": "complete", "late_entry": True}, "late_entry"),
        ({"rated": True}, "rated"),
    ],
)
def test_terms_that_do_not_fit_together_are_named(change: dict[str, Any], field: str) -> None:
    assert field in {name for name, _ in faults_of_terms(replace(TERMS, **change), (2, 3, 4))}


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"rotated": True},
        {"format": "arena", "duration_ms": 1000},
        {"late_entry": True},
        {"format": "knockout", "advance": 2},
        {"rated": True, "admits": "programs"},
        {"least_seats": 4, "least_entrants": 4, "most_entrants": 4},
    ],
)
def test_terms_that_fit_together_have_no_fault(change: dict[str, Any]) -> None:
    assert faults_of_terms(replace(TERMS, **change), (2, 3, 4)) == []


def test_entering_is_refused_before_the_opening_twice_when_full_and_if_not_admitted() -> None:
    enter = commands.Enter(bot=False, contribution="")
    refused(Played(), enter, "p0", refusals.EntryClosedError)
    played = Played(most_entrants=3).entered(3)
    refused(played, enter, "p0", refusals.AlreadyEnteredError)
    refused(played, enter, "late", refusals.TournamentFullError)
    refused(Played(admits="programs").entered(0), enter, "p0", refusals.NotAdmittedError)
    refused(Played(open_entry=False, invited=("vera",)).entered(0), enter, "p0", refusals.NotAdmittedError)
    refused(Played().entered(0), commands.Enter(False, "no hash"), "p0", refusals.NotAdmittedError)
    refused(Played().started(3), enter, "late", refusals.EntryClosedError)


def test_a_withdrawn_entrant_is_not_paired_and_can_return_with_the_rounds_missed() -> None:
    played = Played(late_entry=True, rounds=4).started(9)
    played.act(commands.Withdraw(), "p3")
    played.play_round()
    assert 3 not in {e for table in played.tournament.rounds[0].tables for e in table.entrants}
    assert played.act(commands.Enter(bot=False, contribution=""), "p3") == [EntrantReturned(3)]
    played.play_round()
    assert 3 in {e for table in played.tournament.rounds[1].tables for e in table.entrants}
    assert played.tournament.missed[3] == 1


def test_only_an_arbiter_can_withdraw_other_entrants() -> None:
    played = Played().started(5)
    refused(played, commands.Withdraw(2, "asleep"), "p1", refusals.NotArbiterError)
    refused(played, commands.Withdraw(99, "who?"), "anton", refusals.NotEntrantError)
    played.act(commands.Withdraw(2, "asleep"), "anton")
    assert played.tournament.active == [0, 1, 3, 4]
    refused(played, commands.Withdraw(), "stranger", refusals.NotEntrantError)


def test_a_round_is_paired_only_when_all_results_are_in() -> None:
    played = Played().started(4)
    refused(played, commands.PairRound(), "p0", refusals.NotOrganiserError)
    played.act(commands.PairRound())
    refused(played, commands.PairRound(), ORGANISER, refusals.ResultsMissingError)
    refused(played, commands.PostStandings(), HOUSE, refusals.ResultsMissingError)
    played.finish_matches()
    played.play_round()
    played.play_round()
    refused(played, commands.PairRound(), ORGANISER, refusals.NoRoundLeftError)


def test_too_few_entrants_cannot_start() -> None:
    refused(
        Played(least_entrants=4).entered(3),
        commands.StartTournament(),
        ORGANISER,
        refusals.TooFewEntrantsError,
    )


@pytest.mark.parametrize(
    ("tables", "detail"),
    [
        ([(0, 1)], "Table 0 has 2 entrants"),
        ([(0, 1, 99)], "names 99"),
        ([(0, 1, 2), (3, 4, 0)], "already has a seat"),
        ([(0, 1, 1)], "already has a seat"),
        ([(4, 5, 6)], "must not meet"),
    ],
)
def test_own_tables_must_fit_the_terms(tables: list[tuple[int, ...]], detail: str) -> None:
    played = Played(format="own", forbidden=(("p4", "p5"),)).started(8)
    with pytest.raises(refusals.WrongTablesError, match=detail):
        played.act(commands.PairRound(tuple(tables)))


def test_own_tables_are_played_as_uploaded() -> None:
    played = Played(format="own", rounds=1).started(8)
    played.act(commands.PairRound(((7, 0, 3), (1, 2, 5, 6))))
    paired = played.tournament.rounds[0]
    assert [table.entrants for table in paired.tables] == [(7, 0, 3), (1, 2, 5, 6)]
    assert (paired.byes, paired.uploaded) == ((4,), True)


def test_a_walkover_gives_the_present_the_first_place_and_the_absent_the_last() -> None:
    played = Played().started(4)
    match = first_match(played)
    seated = played.tournament.planned[played.tournament.slots[match]].entrants
    fact = played.act(commands.RecordNoShow(match, (seated[1],)), HOUSE)[0]
    assert fact == NoShowRecorded(match, (seated[1],), (1, 4, 1, 1))
    assert played.tournament.unfinished == []


def test_the_present_can_play_without_the_absent_if_that_was_announced() -> None:
    played = Played(no_show="without").started(4)
    match = first_match(played)
    seated = played.tournament.planned[played.tournament.slots[match]].entrants
    played.act(commands.RecordNoShow(match, (seated[3],)), HOUSE)
    planned = played.tournament.unfinished[0]
    assert (planned.entrants, planned.match) == (seated[:3], None)
    played.open_matches()
    assert played.tournament.unfinished[0].match == "m1.0.0.1"


def test_a_match_that_does_not_count_is_played_again_and_stays_in_the_record() -> None:
    played = Played().started(4)
    match = first_match(played)
    refused(played, commands.VoidMatch(match, "power cut"), "p0", refusals.NotArbiterError)
    played.act(commands.VoidMatch(match, "power cut"), "anton")
    refused(
        played,
        commands.RecordResult(match, (1, 2, 3, 4), (4, 3, 2, 1), "played"),
        HOUSE,
        refusals.NoSuchMatchError,
    )
    played.finish_matches()
    assert played.tournament.unfinished == []
    assert match in played.tournament.slots


def test_a_ruling_replaces_the_places_and_keeps_the_scores() -> None:
    played = Played().started(4)
    match = first_match(played)
    played.finish_matches()
    refused(played, commands.Rule(match, (1, 1, 1, 1), "bribed"), "p0", refusals.NotArbiterError)
    refused(played, commands.Rule(match, (1, 1, 2, 4), "bribed"), "anton", refusals.WrongPlacesError)
    refused(played, commands.Rule("other", (1, 1, 1, 1), "bribed"), "anton", refusals.NoSuchMatchError)
    scores = played.tournament.finishes[0].scores
    fact = played.act(commands.Rule(match, (1, 1, 1, 1), "bribed"), "anton")[0]
    assert fact == ResultRuled(match, (1, 1, 1, 1), "anton", "bribed")
    assert played.tournament.finishes[0].scores == scores
    assert {line.points for line in played.tournament.standings()} == {180}


def test_standings_are_signed_after_the_time_for_protests_or_when_all_agree() -> None:
    played = Played(rounds=1).started(3)
    played.play_round()
    played.act(commands.PostStandings(), HOUSE)
    refused(played, commands.SignOff(), ORGANISER, refusals.CorrectionOpenError)
    for number in range(3):
        played.act(commands.Acknowledge(), f"p{number}")
    fact = played.act(commands.SignOff())[0]
    assert fact == EditionSigned(1, played.tournament.standings_digest(), ORGANISER, SECRET)


def test_a_protest_must_be_answered_before_the_standings_are_signed() -> None:
    played = Played(rounds=1).started(3)
    played.play_round()
    refused(played, commands.Protest("no!"), "p0", refusals.WrongStageError)
    played.act(commands.PostStandings(), HOUSE)
    refused(played, commands.Protest("no!"), "stranger", refusals.NotEntrantError)
    played.act(commands.Protest("no!"), "p2")
    played.at += TERMS.correction_ms + 1
    refused(played, commands.Protest("again"), "p1", refusals.WrongStageError)
    refused(played, commands.SignOff(), ORGANISER, refusals.ProtestOpenError)
    played.act(commands.SignOff(despite_protests=True))
    assert played.tournament.status == "final"


def test_a_later_correction_is_a_new_edition_beside_the_old_one() -> None:
    played = Played(rounds=1).started(4).play_to_the_end()
    before, match = played.tournament.standings_digest(), "m1.0.0.0"
    refused(played, commands.Rule(match, (1, 1, 1, 1), "late"), "anton", refusals.WrongStageError)
    refused(played, commands.Correct(match, (1, 1, 1, 1), "late"), "anton", refusals.NotOrganiserError)
    facts = played.act(commands.Correct(match, (1, 1, 1, 1), "clerical error"))
    assert [type(fact) for fact in facts] == [ResultRuled, EditionSigned]
    assert (facts[1].edition, facts[1].digest) == (2, played.tournament.standings_digest())
    assert facts[1].digest != before


def test_a_cancelled_tournament_says_why_and_reveals_its_secret() -> None:
    played = Played().started(4)
    refused(played, commands.Cancel("rain"), "p0", refusals.NotOrganiserError)
    fact = played.act(commands.Cancel("rain"))[0]
    assert (fact.why, fact.server_secret) == ("rain", SECRET)
    refused(played, commands.Cancel("again"), ORGANISER, refusals.WrongStageError)


def test_a_spectator_does_not_see_the_secret_before_the_end() -> None:
    announced = Played().facts[0]
    assert "server_secret" not in TOURNAMENT_CODEC.redacted(announced, -1)


def test_an_arena_pairs_free_entrants() -> None:
    played = Played(format="arena", duration_ms=60_000, late_entry=True).started(9)
    played.act(commands.PairRound(), HOUSE)
    assert len(played.tournament.unfinished) == 2
    refused(played, commands.PairRound(), HOUSE, refusals.TooFewEntrantsError)
    played.finish_matches()
    played.act(commands.PairRound(), HOUSE)
    assert len(played.tournament.rounds) == 2


def test_a_command_of_the_service_is_refused_the_second_time() -> None:
    played = Played(rounds=1).started(4)
    match = first_match(played)
    played.finish_matches()
    again = commands.RecordResult(match, (1, 2, 3, 4), (4, 3, 2, 1), "played")
    refused(played, again, HOUSE, refusals.NoSuchMatchError)
    refused(played, commands.RecordNoShow(match, (0,)), HOUSE, refusals.NoSuchMatchError)
    refused(played, commands.OpenMatch(1, 0, 0, "other"), HOUSE, refusals.NoSuchMatchError)


def test_an_arena_ends_with_its_time_and_a_match_of_an_earlier_round_is_not_played_again() -> None:
    arena = Played(format="arena", duration_ms=1000, late_entry=True).started(4)
    arena.at += 1000
    refused(arena, commands.PairRound(), HOUSE, refusals.NoRoundLeftError)
    played = Played(rounds=2).started(4)
    match = first_match(played)
    played.finish_matches()
    played.act(commands.PairRound())
    refused(played, commands.VoidMatch(match, "late"), "anton", refusals.WrongStageError)


def test_own_tables_are_only_uploaded_and_only_as_many_as_announced() -> None:
    played = Played(format="own", rounds=1).started(4)
    refused(played, commands.PairRound(), HOUSE, refusals.WrongTablesError)
    played.act(commands.PairRound(((0, 1, 2, 3),)))
    played.finish_matches()
    refused(played, commands.PairRound(((0, 1, 2, 3),)), ORGANISER, refusals.NoRoundLeftError)


def test_a_copy_of_a_tournament_shares_nothing_that_changes() -> None:
    played = Played().started(4)
    played.act(commands.PairRound())
    before = played.tournament
    planned, slots = dict(before.planned), dict(before.slots)
    played.open_matches()
    assert (before.planned, before.slots) == (planned, slots)


def test_a_match_begins_once() -> None:
    played = Played().started(4)
    match = first_match(played)
    played.act(commands.RecordStart(match), HOUSE)
    assert played.tournament.began == {match}
    refused(played, commands.RecordStart(match), HOUSE, refusals.NoSuchMatchError)


def test_a_match_with_a_result_does_not_begin() -> None:
    played = Played(rounds=1).started(4)
    match = first_match(played)
    played.finish_matches()
    refused(played, commands.RecordStart(match), HOUSE, refusals.NoSuchMatchError)


def test_the_time_for_protests_ends_with_its_last_millisecond() -> None:
    played = Played(rounds=1, correction_ms=60_002).started(3)
    played.play_round()
    [posted] = played.act(commands.PostStandings(), HOUSE)
    assert posted.until == played.at + 60_002
    with pytest.raises(refusals.CorrectionOpenError, match="Wait 2 minutes"):
        played.act(commands.SignOff())  # 60,001 ms are left
    played.at = posted.until - 1
    played.act(commands.Protest("no!"), "p1")  # exactly at the end
    assert played.tournament.protests == {1: "no!"}
    played.act(commands.SignOff(despite_protests=True))
    assert played.tournament.status == "final"


def test_everybody_is_absent_and_nobody_wins() -> None:
    played = Played().started(4)
    match = first_match(played)
    [fact] = played.act(commands.RecordNoShow(match, (0, 1, 2, 3)), HOUSE)
    assert fact.places == (1, 1, 1, 1)


def test_too_few_present_do_not_play_without_the_absent() -> None:
    played = Played(no_show="without").started(4)
    match = first_match(played)
    [fact] = played.act(commands.RecordNoShow(match, (0, 1)), HOUSE)
    assert sorted(fact.places) == [1, 1, 3, 3]


def test_a_knockout_keeps_enough_entrants_for_a_table_and_seeds_by_the_round_before() -> None:
    played = Played(format="knockout", advance=1, seats=4, least_seats=3).started(8)
    played.play_round()
    winners = {min(table.entrants) for table in played.tournament.rounds[0].tables}
    assert len(winners) == 2
    played.play_round()
    [final] = played.tournament.rounds[1].tables
    assert len(final.entrants) == 3, "the best of those who were eliminated stays in"
    assert winners < set(final.entrants)


def test_a_withdrawn_entrant_of_a_round_robin_leaves_the_others_without_an_opponent() -> None:
    played = Played(format="complete", seats=2, least_seats=2, points=(1, 0)).started(4)
    played.act(commands.Withdraw(), "p3")
    for number in range(3):
        played.play_round()
        paired = played.tournament.rounds[number]
        assert len(paired.tables) == len(paired.byes) == 1
        assert 3 not in {*paired.tables[0].entrants, *paired.byes}
