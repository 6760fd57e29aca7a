"""Branches of the installed games: from a running match, hidden parts drawn anew, played on, and audited."""

from collections.abc import Callable
from uuid import UUID

import pytest

from kontor_games.domain.games import installed_games
from kontor_games.service.background.house_bots import HouseBots
from kontor_games.service.kontor import Kontor
from kontor_games.service.matches.branches import BranchSpec
from kontor_games.service.matches.match_spec import MatchSpec, SeatSpec
from kontor_games.service.trust.verifier import verify
from tests.service.tables import ME, Guest, done
from tests.support.auditing import audit_all

GAMES = [game for game in installed_games() if game != "fair"]


@pytest.fixture
def guest(serve: Callable[..., Kontor], store_url: str) -> Guest:
    return Guest(serve(store_url))


def begin(guest: Guest, game: str) -> str:
    """A match against house bots that allows practice."""
    seats = (
        ME,
        *[SeatSpec("bot", bot=next(iter(installed_games()[game].bots)))]
        * (installed_games()[game].rules().seat_counts[0] - 1),
    )
    return guest.make(MatchSpec(game, seats, {}, {}, practice=True)).id


def go_on(guest: Guest, match_id: str, commands: int) -> None:
    """So many commands more, the guest's own being the first that are legal."""
    log = guest.kontor.cache.get(UUID(match_id))
    house = HouseBots(guest.kontor.cache, guest.kontor.house, guest.kontor.feed, guest.kontor.clock)
    for _ in range(commands):
        if not log.match.over:
            guest.play(match_id) if log.match.seat_of(guest.id) in log.match.to_act else house.process(log.id)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_branch_of_a_running_match_can_be_played_and_passes_the_audit(guest: Guest, game: str) -> None:
    source = begin(guest, game)
    go_on(guest, source, 60)
    now = guest.look(source).match
    made = done(guest.kontor, guest.kontor.branches.branch(guest.call(), source, BranchSpec(now.version)))
    then = guest.look(source, made.facts[1].version).match  # type: ignore[attr-defined]
    assert made.match.rules.view(made.match.state, 0) == then.rules.view(then.state, 0)
    assert made.match.to_act == then.to_act
    go_on(guest, made.id, 30)
    assert guest.look(made.id).match.version > made.match.version
    report = audit_all(guest.kontor)
    assert (report.matches, report.problems) == (2, [])
    assert verify(guest.kontor.exports.export(guest.who, made.id)).branch


@pytest.mark.parametrize("game", GAMES)
def test_a_branch_is_read_from_the_store_as_it_was_written(guest: Guest, game: str) -> None:
    source = begin(guest, game)
    go_on(guest, source, 40)
    made = done(
        guest.kontor,
        guest.kontor.branches.branch(guest.call(), source, BranchSpec(guest.look(source).match.version)),
    )
    elsewhere = Kontor(guest.kontor.settings, guest.kontor.clock)
    assert guest.at(elsewhere).look(made.id).match.state.digest() == made.match.state.digest()
    elsewhere.close()
