"""Refused moves are reported in matches of tournaments: those of their players, each once."""

import pytest

from kontor_games.domain.codec import MalformedError, Plain
from kontor_games.domain.game import Refusal
from kontor_games.service.kontor import Kontor
from kontor_games.service.matches.many_moves import MoveRequest
from tests.service.tables import LocalPlayer
from tests.service.tournaments.cup import Cup

WISH: Plain = {"type": "wish"}


@pytest.fixture
def cup(service: Kontor) -> Cup:
    """A tournament of two with an open match whose seats are taken."""
    cup = Cup(service, 2, rounds=1).start()
    cup.worker.step_all()
    [match] = cup.open_matches()
    for player in cup.players:
        player.join(match)
    return cup


def counts(cup: Cup) -> list[dict[str, int]]:
    """The refused moves of each entrant by kind, which are shown when the match is over."""
    [match] = cup.open_matches()
    cup.play_match_on(match)
    cup.worker.step_all()
    return [entrant.kinds for entrant in cup.kontor.tournaments.refusals(cup.id).entrants]


def test_a_move_that_is_no_move_and_one_that_the_rules_forbid_count(cup: Cup) -> None:
    [match], (one, other) = cup.open_matches(), cup.players
    with pytest.raises(MalformedError):
        one.play(match, WISH)
    with pytest.raises(Refusal):
        other.play(match, *one.legal(match)[:1])
    assert counts(cup) == [{"malformed": 1}, {"not_your_card": 1}]


def test_moves_of_a_batch_count_in_the_same_way(cup: Cup) -> None:
    [match], (one, other) = cup.open_matches(), cup.players
    card = one.legal(match)[:1]
    batch = [MoveRequest(one.call(), match, [WISH]), MoveRequest(other.call(), match, card)]
    refused = cup.kontor.many_moves.play(batch)
    assert [isinstance(answer, Exception) for answer in refused] == [True, True]
    assert counts(cup) == [{"malformed": 1}, {"not_your_card": 1}]


def test_moves_of_strangers_and_in_missing_matches_do_not_count(cup: Cup) -> None:
    [match], stranger = cup.open_matches(), LocalPlayer(cup.kontor)
    missing = "00000000-0000-4000-8000-000000000000"
    batch = [MoveRequest(stranger.call(), match, [WISH]), MoveRequest(cup.players[0].call(), missing, [WISH])]
    assert all(isinstance(answer, Exception) for answer in cup.kontor.many_moves.play(batch))
    with pytest.raises(MalformedError):
        stranger.play(match, WISH)
    assert counts(cup) == [{}, {}]
