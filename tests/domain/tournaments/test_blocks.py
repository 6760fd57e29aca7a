"""The deals of tables: one for a block of matches, secret until all of them have results."""

import pytest

from kontor_games.domain.stream import HOUSE
from kontor_games.domain.tournaments import commands, refusals
from tests.domain.tournaments.tournaments import Played, first_match, refused


def test_a_block_plays_one_deal_from_every_seat() -> None:
    played = Played(rotated=True).started(4)
    played.act(commands.PairRound())
    planned = list(played.tournament.planned.values())
    assert len(planned) == 4
    assert sorted(seated[0] for seated in (p.entrants for p in planned)) == [0, 1, 2, 3]
    secrets = {played.tournament.deal_secret(p.slot) for p in planned}
    assert len(secrets) == 1
    assert played.tournament.block_over(planned[0].slot[:2]) is False
    played.finish_matches()
    assert played.tournament.block_over(planned[0].slot[:2]) is True


def test_a_deal_depends_on_its_slot_or_on_its_table_alone() -> None:
    single, block = Played().started(4).tournament, Played(rotated=True).started(4).tournament
    slots = [(1, 0, 0), (1, 0, 1), (1, 1, 0), (2, 0, 0)]
    assert len({single.deal_secret(slot) for slot in slots}) == 4
    assert len({block.deal_secret(slot) for slot in slots}) == 3
    with pytest.raises(LookupError):
        Played().tournament.deal_secret((1, 0, 0))


def test_a_match_that_is_played_again_has_a_new_deal_unless_it_belongs_to_a_block() -> None:
    slot = (1, 0, 0)
    for terms, is_new in (
        ({"secret_blocks": True}, True),
        ({"secret_blocks": False}, False),
        ({"secret_blocks": True, "rotated": True}, False),
    ):
        tournament = Played(**terms).started(4).tournament
        assert (tournament.deal_secret(slot, 1) != tournament.deal_secret(slot)) is is_new


def test_the_deal_of_a_block_is_revealed_when_all_its_matches_have_results() -> None:
    played = Played(rotated=True, secret_blocks=True, rounds=1).started(4)
    first_match(played)
    table = (1, 0)
    assert len(played.tournament.matches_of(table)) == 4
    refused(played, commands.RevealBlock(1, 0), HOUSE, refusals.NoSuchMatchError)
    played.finish_matches()
    assert played.tournament.unrevealed == [table]
    assert not played.tournament.is_revealed(table)
    refused(played, commands.VoidMatch("m1.0.0.0", "late"), "anton", refusals.WrongStageError)
    refused(played, commands.PostStandings(), HOUSE, refusals.ResultsMissingError)
    played.act(commands.RevealBlock(1, 0), HOUSE)
    assert played.tournament.unrevealed == []
    assert played.tournament.is_revealed(table)
    refused(played, commands.RevealBlock(1, 0), HOUSE, refusals.NoSuchMatchError)


def test_the_deal_of_a_cancelled_tournament_is_no_secret() -> None:
    played = Played(rotated=True, secret_blocks=True).started(4)
    first_match(played)
    assert not played.tournament.is_revealed((1, 0))
    played.act(commands.Cancel("rain"))
    assert played.tournament.is_revealed((1, 0))


def test_every_table_of_every_round_is_a_block_of_its_own() -> None:
    played = Played(rotated=True, rounds=2).started(8).play_to_the_end()
    blocks = {finish.block: {frozenset(finish.entrants)} for finish in played.tournament.finishes}
    assert len(blocks) == 4
    for finish in played.tournament.finishes:
        assert blocks[finish.block] == {frozenset(finish.entrants)}
