"""Branches of running matches of the installed games: hidden parts are redrawn, and audits pass."""

from collections.abc import Callable
from uuid import UUID

import pytest

from kontor_games.domain.games import installed_games
from kontor_games.service.background.house_bots import HouseBots
from kontor_games.service.kontor import Kontor
from kontor_games.service.matches.branches import BranchSpec
from kontor_games.service.matches.match_spec import MatchSpec, SeatSpec
from kontor_games.service.trust.verifier import verify
from tests.service.tables import ME, LocalPlayer, command_result
from tests.support.auditing import audit_all

GAMES = [game for game in installed_games() if game != "fair"]


@pytest.fixture
def player(serve: Callable[..., Kontor], store_url: str) -> LocalPlayer:
    return LocalPlayer(serve(store_url))


def create_match(player: LocalPlayer, game: str) -> str:
    """Create a match against house bots that allows practice."""
    seats = (
        ME,
        *[SeatSpec("bot", bot=next(iter(installed_games()[game].bots)))]
        * (installed_games()[game].rules().seat_counts[0] - 1),
    )
    return player.make(MatchSpec(game, seats, {}, {}, practice=True)).id


def play_commands(player: LocalPlayer, match_id: str, commands: int) -> None:
    """Carry out further commands: first legal moves for the player, and the house bots' own moves."""
    log = player.kontor.cache.get(UUID(match_id))
    house = HouseBots(player.kontor.cache, player.kontor.house, player.kontor.feed, player.kontor.clock)
    for _ in range(commands):
        if not log.state.over:
            player.play(match_id) if log.state.seat_of(player.id) in log.state.to_act else house.process(
                log.id
            )


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_branch_of_a_running_match_can_be_played_and_passes_the_audit(
    player: LocalPlayer, game: str
) -> None:
    source = create_match(player, game)
    play_commands(player, source, 60)
    now = player.read_match(source).match
    made = command_result(
        player.kontor, player.kontor.branches.branch(player.call(), source, BranchSpec(now.version))
    )
    then = player.read_match(source, made.facts[1].version).match  # type: ignore[attr-defined]
    assert made.match.rules.view(made.match.state, 0) == then.rules.view(then.state, 0)
    assert made.match.to_act == then.to_act
    play_commands(player, made.id, 30)
    assert player.read_match(made.id).match.version > made.match.version
    report = audit_all(player.kontor)
    assert (report.matches, report.problems) == (2, [])
    assert verify(player.kontor.exports.export(player.caller, made.id)).branch


@pytest.mark.parametrize("game", GAMES)
def test_a_branch_is_read_from_the_store_as_it_was_written(player: LocalPlayer, game: str) -> None:
    source = create_match(player, game)
    play_commands(player, source, 40)
    made = command_result(
        player.kontor,
        player.kontor.branches.branch(
            player.call(), source, BranchSpec(player.read_match(source).match.version)
        ),
    )
    elsewhere = Kontor(player.kontor.settings, player.kontor.clock)
    assert player.at(elsewhere).read_match(made.id).match.state.digest() == made.match.state.digest()
    elsewhere.close()
