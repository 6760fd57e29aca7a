"""The lines of `kontor verify` about what a valid file leaves open."""

from dataclasses import replace

from kontor_games.service.cli.verify_report import match_checks, tournament_checks
from kontor_games.service.trust.export_check import Verdict
from kontor_games.service.trust.tournament_check import TournamentVerdict

PLAYER = "11111111-0000-4000-8000-000000000000"
MATCH = Verdict(
    match="m", game="fair", complete=True, facts=9, entries=5, draws=2, status="finished", places=(1, 2),
    players=(PLAYER, None), house_bots=(None, "greedy"), keys=("aa",), trusted=True, receipts=0,
    open_seed=False, branch=False, in_block=False, player_keys=("bb", None), signed_commands=3,
    contributions=("counted", "none"), bots=(), required_witnesses=0, cosigners=(), outages=0,
    returned_ms=0, logged_outages=None, checkpoint=None, checkpoint_version=None, checkpoint_end=False,
)  # fmt: skip
CUP = TournamentVerdict(
    "t", "Cup", "final", 9, 2, 4, 1, 4, True, 4, True, (), 0, (), 0,
    organiser=PLAYER, players=(PLAYER,) * 4, decisions=(),
)  # fmt: skip


def of_match(verdict: Verdict) -> dict[str, tuple[bool | None, str]]:
    return {name: (holds, text) for name, holds, text in match_checks(verdict, "")}


def of_cup(verdict: TournamentVerdict) -> dict[str, tuple[bool | None, str]]:
    checks = tournament_checks(verdict, "Ada,Ben,Cleo,Dora")
    return {name: (holds, text) for name, holds, text in checks}


def test_returned_time_is_the_word_of_the_operator() -> None:
    away = replace(MATCH, outages=2, returned_ms=18_400)
    words = "clocks were given back 18.4 s, 2 times: only the operator says that the service was down"
    assert of_match(away)["outages"] == (None, words)
    logged = of_match(replace(away, logged_outages=1))["outages"][1]
    assert logged == f"{words}; 1 of them lie in outages that the log has for all matches"
    assert of_cup(replace(CUP, outages=1, returned_ms=500))["outages"][0] is None
    assert "outages" not in of_match(MATCH)


def test_required_witnesses_are_not_ticked_without_a_kept_checkpoint() -> None:
    holds, words = of_match(replace(MATCH, required_witnesses=2))["witnesses"]
    assert holds is None
    assert words == "this match requires the cosignatures of 2 witnesses; use --checkpoint to check them"


def test_a_branch_starts_in_a_position_that_is_not_in_the_file() -> None:
    assert of_match(replace(MATCH, branch=True))["position"][0] is None


def test_receipts_are_counted() -> None:
    assert of_match(replace(MATCH, receipts=1))["receipts"] == (True, "1 receipt agrees with the file")
    assert of_cup(replace(CUP, receipts=3))["receipts"] == (True, "3 receipts agree with the file")


def test_a_kept_checkpoint_says_how_far_it_reaches() -> None:
    kept = replace(MATCH, checkpoint=1_234, checkpoint_version=9, checkpoint_end=True)
    end = "the kept checkpoint of 1,234 leaves has the head of version 9 of 9, and the log contains its keys"
    assert of_match(kept)["checkpoint"] == (True, f"{end} before it")
    early = of_match(replace(kept, checkpoint_version=4))["checkpoint"]
    assert (early[0], early[1].rpartition("; ")[2]) == (None, "nothing binds the facts after it yet")
    older = of_match(replace(kept, checkpoint_end=False))["checkpoint"]
    assert older[0] is True
    assert older[1].endswith("does not say whether it is the last one")


def test_the_rounds_whose_tables_the_organiser_chose_are_named() -> None:
    assert of_cup(replace(CUP, uploaded=(2,)))["pairings"][0] is None
    words = of_cup(replace(CUP, uploaded=(2, 3)))["pairings"][1]
    assert words.endswith("the organiser chose the tables of rounds 2 and 3")
