"""Duplicate deals: a block plays one deal from every seat, and the deal is secret until the block is over."""

import json
from pathlib import Path

import pytest

from kontor_games.domain.codec import ARBITER
from kontor_games.domain.match_refusals import StillHiddenError
from kontor_games.domain.tournaments import commands, refusals
from kontor_games.service.kontor import Kontor
from kontor_games.service.matches.answers import Match
from kontor_games.service.matches.replay import Span
from kontor_games.service.trust.tournament_check import verify_tournament
from kontor_games.service.trust.verifier import BrokenFileError, verify
from tests.service.conftest import SettableClock
from tests.service.tournaments.cup import Cup
from tests.support.node import verdicts
from tests.support.tournament_forging import Lines, reforged


def rotated_cup(service: Kontor, players: int = 2, **terms: object) -> Cup:
    """Start a tournament of one round in which every table plays its deal from every seat."""
    cup = Cup(service, players, rounds=1, rotated=True, **terms).start()
    cup.worker.step_all()
    return cup


def deals(cup: Cup, matches: list[str]) -> set[str]:
    """Return the commitments of some matches; equal commitments mean equal deals."""
    found = set()
    for match in matches:
        entries = cup.players[0].read_match(match).match
        found.add(entries.created.commitment)
    return found


def shown_secret(cup: Cup, match: str) -> str | None:
    shown = cup.kontor.queries.show(cup.players[0].caller, match)
    assert isinstance(shown, Match)
    return shown.details.chance.server_secret


def verified_export(cup: Cup, match: str, who: int) -> list[dict[str, object]]:
    content = cup.kontor.exports.export(cup.players[who].caller, match)
    verify(content)
    return [json.loads(line) for line in content.splitlines()]


def test_all_matches_of_a_block_have_one_deal_whatever_players_contribute(service: Kontor) -> None:
    cup = rotated_cup(service)
    first, second = cup.open_matches()
    for match in (first, second):
        for number, player in enumerate(cup.players_of(match)):
            player.join(match, contribution=f"{match[:8]}{number:056x}")
    one, two = (cup.players[0].read_match(match).match for match in (first, second))
    assert [seat.player for seat in one.seats if seat] == [seat.player for seat in two.seats if seat][::-1]
    assert one.chance.draws("any", 0).below(10**9) == two.chance.draws("any", 0).below(10**9)


def test_a_match_that_is_over_stays_hidden_until_its_block_is_over(service: Kontor) -> None:
    cup = rotated_cup(service)
    first, second = cup.open_matches()
    cup.play_match(first)
    cup.worker.step_all()
    secret = cup.players[0].read_match(first).match.created.server_secret
    who = cup.players[0].caller
    assert cup.players[0].read_match(first).match.status == "finished"
    assert shown_secret(cup, first) is None
    shown = verified_export(cup, first, 0)
    assert (shown[0]["complete"], shown[-1]["end"]) == (False, "finished")
    assert secret not in json.dumps(shown)
    assert secret not in repr(service.queries.events(who, first, 0, 1000))
    with pytest.raises(StillHiddenError, match="when its block is over"):
        service.queries.replay(who, first, Span(1, None, 100), ARBITER)
    cup.play_match(second)
    cup.worker.step_all()
    for match in (first, second):
        whole = verified_export(cup, match, 0)
        assert (whole[0]["complete"], whole[-2]["fact"]) == (
            True,
            {"type": "secret_revealed", "server_secret": secret},
        )
        assert shown_secret(cup, match) == secret
    facts = [event.fact["type"] for event in service.tournaments.events(cup.id, 0, 100).events]
    assert facts.count("block_revealed") == 1


def test_a_match_of_a_finished_block_is_not_played_again(service: Kontor) -> None:
    cup = rotated_cup(service)
    matches = cup.open_matches()
    for match in matches:
        cup.play_match(match)
    cup.worker._record_changes(cup.uuid, cup.state)
    with pytest.raises(refusals.WrongStageError, match="deal known"):
        cup.act(commands.VoidMatch(matches[0], "power cut"))
    with pytest.raises(refusals.ResultsMissingError, match="being revealed"):
        cup.act(commands.PostStandings())


def test_a_match_that_is_played_again_has_a_new_deal_outside_of_blocks(service: Kontor) -> None:
    cup = Cup(service, 2, rounds=1).start()
    cup.worker.step_all()
    first = cup.open_matches()[0]
    cup.act(commands.VoidMatch(first, "power cut"))
    cup.worker.step_all()
    assert len(deals(cup, [first, *cup.open_matches()])) == 2


def test_voided_and_ruled_matches_are_aborted(service: Kontor) -> None:
    cup = rotated_cup(service)
    first, second = cup.open_matches()
    for player in cup.players_of(first):
        player.join(first)
    cup.act(commands.VoidMatch(first, "power cut"))
    cup.worker.step_all()
    assert cup.players[0].read_match(first).match.status == "aborted"
    again = next(match for match in cup.open_matches() if match != second)
    for match in (second, again):
        cup.act(commands.Rule(match, (1, 2), "agreed"))
    cup.worker.step_all()
    assert {cup.players[0].read_match(match).match.status for match in (first, second, again)} == {"aborted"}
    assert cup.state.status == "provisional"


def test_a_cancelled_tournament_ends_its_matches_and_hides_nothing(service: Kontor) -> None:
    cup = rotated_cup(service)
    first, second = cup.open_matches()
    cup.play_match(first)
    cup.worker.step_all()
    cup.act(commands.Cancel("rain"))
    cup.worker.step_all()
    for match in (first, second):
        assert cup.players[0].read_match(match).match.revealed
    assert verify_tournament(service.tournament_exports.export(cup.id)).status == "cancelled"


@pytest.mark.e2e
def test_a_deal_that_was_revealed_too_early_is_found_in_the_file(
    service: Kontor, clock: SettableClock, tmp_path: Path
) -> None:
    cup = rotated_cup(service)
    for match in cup.open_matches():
        cup.play_match(match)
        clock.advance(1000)
    cup.worker.step_all()
    for player in cup.players:
        cup.act(commands.Acknowledge(), player)
    cup.act(commands.SignOff())
    content = service.tournament_exports.export(cup.id)
    assert verify_tournament(content).matches == 2
    assert verdicts(tmp_path, [content])[0]["good"] is True
    lines = Lines.read(content)
    late = [json.loads(line) for line in list(lines.matches.values())[1].splitlines()]
    assert late[-2]["fact"]["type"] == "secret_revealed"
    early = [json.loads(line) for line in next(iter(lines.matches.values())).splitlines()]
    early[-2]["at"] = early[-3]["at"]
    first = next(iter(lines.matches))
    lines.matches[first] = b"".join(
        json.dumps(line, sort_keys=True, separators=(",", ":")).encode() + b"\n" for line in early
    )
    with pytest.raises(BrokenFileError, match="revealed before all matches of the block were over"):
        verify_tournament(reforged(lines, service.signer))
