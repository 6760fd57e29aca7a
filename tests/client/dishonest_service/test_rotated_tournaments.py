"""A tournament with rotated deals, played to its end, whose operator exchanges the deal of one match."""

from collections.abc import Callable
from pathlib import Path

import pytest

from kontor_client import Kontor, UntrustedServiceError
from kontor_client.evidence import Evidence
from kontor_games.service.trust.tournament_check import verify_tournament
from kontor_games.service.trust.verifier import BrokenFileError
from tests.client.dishonest_service.cheating_operator import Operator
from tests.client.dishonest_service.modes import (
    exchange_a_deal,
    exchange_a_deal_and_hide_it,
)
from tests.client.dishonest_service.test_tournaments import (
    _no_thread_is_left,
    act,
    announce,
    evidence_of,
    olga,
    start,
)

__all__ = ["_no_thread_is_left", "olga"]
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


def matches_of(folder: Path, player: Kontor) -> list[Evidence]:
    """The evidence that a player has kept of matches."""
    files = folder.glob(f"*.matches/*/{player.me().id}/match.json")
    return [found for file in files if (found := Evidence.read(file.parent))]


def play_to_the_end(operator: Operator, cup: str, olga: Kontor, *players: Kontor) -> None:
    """Let everybody take their seats, and resign; sign the standings."""
    while olga.tournament(cup)["status"] == "running":
        operator.kontor.tournament_worker().step_all()
        for match in list(olga.matches(status="open", tournament=cup)):
            for player in players:
                player.join(match["id"])
            players[-1].resign(match["id"])
    act(olga, cup, "sign-off")
    for player in players:
        player.follow_tournament(cup)


def test_an_honest_tournament_passes(
    operator: Operator, olga: Kontor, ada: Kontor, ben: Kontor, state_folder: Path
) -> None:
    cup = announce(olga, rounds=1, correction_ms=0)
    start(olga, cup, ada, ben)
    play_to_the_end(operator, cup, olga, ada, ben)
    for player in (ada, ben):
        evidence = evidence_of(state_folder, cup, player)
        assert evidence.checked is not None
        assert len(list(evidence.lines("matches.ndjson"))) == 2
        assert all(one.checked for one in matches_of(state_folder, player))


MODES: dict[str, tuple[Callable[[Operator], object], str]] = {
    "deal exchanged": (exchange_a_deal, "does not follow from the seed of the tournament"),
    "deal exchanged and hidden": (
        exchange_a_deal_and_hide_it,
        "not the one that it signed before you joined",
    ),
}
"""What the operator does, and what the client says."""


@pytest.mark.parametrize("mode", MODES)
def test_the_client_of_an_entrant_notices_an_exchanged_deal(
    operator: Operator, olga: Kontor, ada: Kontor, mode: str
) -> None:
    act_dishonestly, detail = MODES[mode]
    act_dishonestly(operator)
    cup = announce(olga, rounds=1, correction_ms=0)
    with Kontor(operator.url, check_deals=False) as friend:
        friend.register("Friend")
        start(olga, cup, ada, friend)
        with pytest.raises(UntrustedServiceError, match=detail):
            play_to_the_end(operator, cup, olga, ada, friend)
    with pytest.raises(BrokenFileError):
        verify_tournament(operator.kontor.tournament_exports.export(cup))
