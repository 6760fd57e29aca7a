"""An operator who cheats players whose match was found with a seek: their clients detect it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from kontor_client import Kontor, UntrustedServiceError
from tests.client.dishonest_service.cheating_operator import Operator
from tests.client.dishonest_service.modes import (
    add_an_open_seed,
    exchange_the_secret,
    exchange_the_secret_and_hide_it,
    find_a_private_practice_match,
    find_another_clock,
    fix_the_deal,
    make_another_move,
    sign_no_commitment,
)
from tests.client.tables import GAMES
from tests.support.waiting import wait_until

GAME = GAMES[-1]


def found_match(operator: Operator, *players: Kontor) -> str:
    """Return the match to which the service invites the players after they have sought one."""
    for player in players:
        player.seek(GAME, len(players))

    def offered() -> set[str | None]:
        operator.kontor.matchmaker().step()
        return {one["match"] for player in players for one in player.seeks(mine=True)}

    wait_until(lambda: len(offered()) == 1 and None not in offered())
    [match] = offered()
    assert match is not None
    return match


def play(operator: Operator, ada: Kontor, ben: Kontor) -> None:
    """Find a match, take both seats, make the first move, and resign."""
    match = found_match(operator, ada, ben)
    ada.join(match)
    ben.join(match)
    first = ada if ada.match(match).your_turn else ben
    first.play(match, first.match(match).legal_moves[-1])
    first.resign(match)
    for player in (ada, ben):
        assert player.match(match).over


MODES: dict[str, tuple[Callable[[Operator], None], str]] = {
    "secret exchanged": (exchange_the_secret, "not the one that it signed before you joined"),
    "secret exchanged and hidden": (
        exchange_the_secret_and_hide_it,
        "not the one that it signed before you joined",
    ),
    "open seed": (add_an_open_seed, "a way to determine the seed, that it did not announce"),
    "deal fixed by a tournament": (fix_the_deal, "seed is not determined in the way that you requested"),
    "no signed commitment": (sign_no_commitment, "has not signed its commitment"),
    "another clock": (find_another_clock, "found a match with other terms than you requested: clock"),
    "private and practice": (find_a_private_practice_match, "than you requested: practice, private"),
    "another move": (make_another_move, "Your command `play` is not at version"),
}
"""What the operator does, and what the client says."""


def test_an_honest_service_passes(operator: Operator, ada: Kontor, ben: Kontor) -> None:
    play(operator, ada, ben)
    assert len(operator.joined) == 2
    assert all(joining.contribution for joining in operator.joined)


@pytest.mark.parametrize("mode", MODES)
def test_the_client_of_a_seeker_notices_what_the_operator_does(
    operator: Operator, ada: Kontor, mode: str
) -> None:
    act_dishonestly, detail = MODES[mode]
    act_dishonestly(operator)
    with Kontor(operator.url) as cai:
        cai.register("Cai")
        with pytest.raises(UntrustedServiceError, match=detail):
            play(operator, ada, cai)


def test_the_terms_of_a_seek_are_kept_until_it_has_ended(
    operator: Operator, ada: Kontor, ben: Kontor, state_folder: Path
) -> None:
    """A later run of the program compares the match, too."""
    match = found_match(operator, ada, ben)
    kept = f"*.seeks/{ada.me().id}/*.json"
    assert len(list(state_folder.glob(kept))) == 1
    with Kontor(operator.url, ada.connection.token) as later:
        later.join(match)
    ben.join(match)
    operator.kontor.matchmaker().step()
    ada.create_match(GAME, [{"type": "me"}, {"type": "open"}])
    assert list(state_folder.glob(kept)) == []
