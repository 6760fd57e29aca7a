"""An operator who wants to choose the pairings and deals of a tournament: client and verifiers notice it."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from threading import enumerate as enumerate_threads
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from kontor_client import Kontor, UntrustedServiceError
from kontor_client.evidence import TournamentEvidence, chain_of
from kontor_games.domain.commands import Join
from kontor_games.domain.match_refusals import NotDueError
from kontor_games.domain.tournaments import commands
from kontor_games.domain.tournaments.stream import TournamentDecider
from kontor_games.service.store.match_cache import CachedMatch
from kontor_games.service.tournaments import use_cases
from kontor_games.service.trust.tournament_check import verify_tournament
from kontor_games.service.trust.verifier import BrokenFileError
from tests.client.dishonest_service.cheating_operator import Operator
from tests.client.dishonest_service.modes import (
    ROOT,
    other_commitment,
    own_deals,
    replaced_entries,
)
from tests.client.tables import GAMES, create_bot_match
from tests.support.waiting import wait_until

# The threads that follow tournaments may still hold a connection when the service of a test ends.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

TERMS = {"title": "Cup", "game": GAMES[-1], "seats": 2, "least_seats": 2, "points": [2, 0], "rotated": True}


@pytest.fixture
def olga(operator: Operator) -> Iterator[Kontor]:
    with Kontor(operator.url) as client:
        client.register("Olga")
        yield client


@pytest.fixture(autouse=True)
def _no_thread_is_left(operator: Operator) -> Iterator[None]:
    """Wait for the threads that follow tournaments, which end with them."""
    yield
    wait_until(lambda: not any(thread.name == "kontor-tournament" for thread in enumerate_threads()))


def announce(olga: Kontor, **terms: Any) -> str:
    seats = next(one for one in olga.games() if one["id"] == TERMS["game"])["seats"]
    wanted = {
        **TERMS,
        "seats": min(seats),
        "least_seats": min(seats),
        "points": [2, 1, 0, 0, 0][: min(seats)],
    }
    cup: str = olga.connection.command("POST", "/v1/tournaments", {**wanted, **terms})["id"]
    act(olga, cup, "opening")
    return cup


def act(olga: Kontor, cup: str, what: str, body: Any = None) -> None:
    olga.connection.command("POST", f"/v1/tournaments/{cup}/{what}", body or {})


def start(olga: Kontor, cup: str, *players: Kontor) -> None:
    """Let the players enter, and start; their clients open by themselves."""
    for player in players:
        player.enter(cup)
    act(olga, cup, "start")
    wait_until(lambda: olga.tournament(cup)["status"] == "running")


def finish(olga: Kontor, cup: str, player: Kontor) -> None:
    """End the tournament; the client compares its record."""
    act(olga, cup, "cancellation", {"why": "rain"})
    player.follow_tournament(cup)


def evidence_of(folder: Path, cup: str, player: Kontor) -> TournamentEvidence:
    [file] = folder.glob(f"*.tournaments/{cup}/{player.me().id}/tournament.json")
    found = TournamentEvidence.read(file.parent)
    assert found is not None
    return found


def test_an_honest_tournament_passes_and_contributions_are_opened_by_themselves(
    operator: Operator, olga: Kontor, ada: Kontor, ben: Kontor, state_folder: Path
) -> None:
    cup = announce(olga)
    start(olga, cup, ada, ben)
    for player in (ada, ben):
        player.tournament(cup)
    finish(olga, cup, ada)
    ben.follow_tournament(cup)
    for player in (ada, ben):
        assert evidence_of(state_folder, cup, player).checked is not None
    verdict = verify_tournament(operator.kontor.tournament_exports.export(cup))
    assert (verdict.contributions, verdict.sealed, verdict.withheld, verdict.signed_entries) == (
        2,
        True,
        (),
        1,
    )


MODES: dict[str, tuple[Callable[[Operator], None], str]] = {
    "entries replaced": (replaced_entries, "another entry than the one that you sent"),
    "commitment swapped": (other_commitment, "not the one that was signed before you entered"),
    "deals chosen": (own_deals, "does not follow from the seed of the tournament"),
}
"""What the operator does, and what the client says."""


def play(operator: Operator, olga: Kontor, ada: Kontor, friend: Kontor, mode: str) -> None:
    """A tournament of Ada and a friend of the operator, until Ada's client has compared its record."""
    cup = announce(olga)
    ada.enter(cup)
    friend.enter(cup)
    act(olga, cup, "start")
    if mode == "entries replaced":  # the operator opens what he has recorded
        for number, player in enumerate((ada, friend)):
            value = chain_of(sha256(f"{ROOT}{number}".encode()).hexdigest())[1]
            body = {"value": value, "digest": olga.tournament(cup)["chance"]["digest"]}
            player.connection.command("POST", f"/v1/tournaments/{cup}/contribution", body)
    wait_until(lambda: olga.tournament(cup)["status"] == "running")
    operator.kontor.tournament_worker().step_all()
    for match in list(ada.matches(status="open", player=ada.me().id)):
        ada.join(match["id"])
    finish(olga, cup, ada)


@pytest.mark.parametrize("mode", MODES)
def test_the_client_of_an_entrant_notices_what_the_operator_does(
    operator: Operator, olga: Kontor, ada: Kontor, mode: str
) -> None:
    act_dishonestly, detail = MODES[mode]
    act_dishonestly(operator)
    with Kontor(operator.url, check_deals=False) as friend:
        friend.register("Friend")
        with pytest.raises(UntrustedServiceError, match=detail):
            play(operator, olga, ada, friend, mode)


def test_a_value_that_was_asked_for_too_early_is_not_counted_unnoticed(
    operator: Operator, olga: Kontor, ada: Kontor, ben: Kontor
) -> None:
    """The operator pretends to Ada that no more entries are accepted, to know her value early."""
    early, honest = list[str](), operator.kontor.tournaments.execute

    def execute(call: Any, cup: str, command: Any) -> Any:
        if isinstance(command, commands.OpenContribution) and call.by == ada.me().id and not early:
            early.append(command.value)
            raise NotDueError("It was not due after all.")
        return honest(call, cup, command)

    cup = announce(olga)
    ada.enter(cup)
    evidence = ada._entries.evidence(cup)
    assert evidence is not None
    evidence.next_value("0" * 64)  # what the client sends for the pretended entries
    operator.patch.setattr(operator.kontor.tournaments, "execute", execute)
    ben.enter(cup)
    act(olga, cup, "start")
    wait_until(lambda: bool(early))
    assert early != [chain_of(evidence.root)[1]], "the client does not send the same value for other entries"
    due = operator.kontor.tournaments.current(operator.uuid(cup)).due
    assert due is not None
    stolen = commands.OpenContribution(chain_of(evidence.root)[1], due.digest)
    body = {"value": stolen.value, "digest": stolen.digest}
    ada.connection.command("POST", f"/v1/tournaments/{cup}/contribution", body)
    wait_until(lambda: olga.tournament(cup)["status"] == "running")
    with pytest.raises(UntrustedServiceError, match="was not opened for these entries"):
        finish(olga, cup, ada)


def test_a_signed_entry_cannot_be_replaced(operator: Operator, olga: Kontor, ben: Kontor) -> None:
    """Not even if the service checks no signatures: no verifier accepts the file."""
    replaced_entries(operator)
    operator.patch.setattr(use_cases, "TOURNAMENTS", SimpleNamespace(check_signature=lambda *_: None))
    cup = announce(olga)
    ben.enter(cup)
    act(olga, cup, "cancellation", {"why": "rain"})
    with pytest.raises(BrokenFileError, match="the signature of the player does not fit"):
        verify_tournament(operator.kontor.tournament_exports.export(cup))
    operator.patch.setattr(TournamentDecider, "check_signature", lambda *_: None)
    with pytest.raises(UntrustedServiceError, match="another entry than the one that you sent"):
        ben.follow_tournament(cup)


def test_a_match_in_a_block_is_refused_by_who_entered_no_tournament(operator: Operator, ada: Kontor) -> None:
    """Without this, the operator could choose the deal of any match, and say that a tournament fixed it."""

    def move_into_a_block(log: CachedMatch, _: Join) -> None:
        operator.rewrite(log, replace(log.state.created, in_block=True))

    operator.change_chance(lambda seen, chance: msgspec.structs.replace(chance, in_block=True))
    operator.before_joining(move_into_a_block)
    with Kontor(operator.url, check_deals=False) as creator:
        creator.register("Creator")
        match = creator.connection.command(
            "POST", "/v1/matches", {"game": GAMES[-1], "seats": [{"type": "open"}, {"type": "open"}]}
        )
    with pytest.raises(UntrustedServiceError, match="You have entered no tournament"):
        ada.join(match["id"])
    assert operator.joined == []
    with pytest.raises(UntrustedServiceError):
        create_bot_match(ada, GAMES[-1])
