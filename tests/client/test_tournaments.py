"""A bot in a tournament: it enters, and follows all its matches over one connection."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from kontor_client import Kontor, RefusedError, TournamentEvent, UntrustedServiceError
from kontor_client.evidence import TournamentEvidence, chain_of
from tests.client.service import Service
from tests.client.tables import GAMES, HOUSE, at_once, fewest_seats
from tests.support.waiting import wait_until

SEATS = fewest_seats(GAMES[0])
TERMS = {"title": "Cup", "game": GAMES[0], "rounds": 1, "seats": SEATS, "least_seats": SEATS}


@pytest.fixture
def olga(service: Service) -> Iterator[Kontor]:
    with service.player("Olga") as client:
        yield client


def announce_tournament(olga: Kontor) -> str:
    cup: str = olga.connection.command("POST", "/v1/tournaments", TERMS)["id"]
    olga.connection.command("POST", f"/v1/tournaments/{cup}/opening", {})
    return cup


def test_a_bot_enters_and_follows_the_tournament_until_it_is_over(olga: Kontor, ada: Kontor) -> None:
    cup = announce_tournament(olga)
    entered = ada.enter(cup)
    assert (entered["you"], ada.tournament(cup)["status"], len(ada.standings(cup)["lines"])) == (0, "open", 1)
    olga.connection.command("POST", f"/v1/tournaments/{cup}/cancellation", {"why": "rain"})
    events = list(ada.tournament_events(cup, after=1))
    assert [event.fact["type"] for event in events] == [
        "entry_opened",
        "entrant_entered",
        "tournament_cancelled",
    ]
    assert events[1] == TournamentEvent(cup, 3, events[1].at, events[1].fact)
    assert (events[1].fact["contribution"], len(events[1].fact["sealed"])) == ("", 64)
    assert list(ada.tournament_events(cup, after=4)) == []


def test_two_programs_that_enter_at_once_keep_the_contribution_that_was_accepted(
    olga: Kontor, ada: Kontor, state_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = announce_tournament(olga)
    with closing(Kontor(ada.connection.url, ada.connection.token)) as other:
        at_once(monkeypatch, [ada, other], "entrants", lambda program: program.enter(cup))
    [folder] = state_folder.glob(f"*.tournaments/{cup}/*")
    evidence = TournamentEvidence.read(folder)
    assert evidence is not None
    assert evidence.entered
    facts = [one["fact"] for one in olga.connection.get(f"/v1/tournaments/{cup}/events")["events"]]
    assert [fact["sealed"] for fact in facts if fact["type"] == "entrant_entered"] == [evidence.sealed]


def test_two_programs_never_open_one_value_for_two_sets_of_entries(tmp_path: Path) -> None:
    fields: Any = dict.fromkeys(("tournament", "player", "commitment", "signed", "rotated", "key"), "")
    root = "7" * 64
    programs = [
        TournamentEvidence(folder=tmp_path, root=root, sealed=chain_of(root)[0], **fields) for _ in range(8)
    ]
    with ThreadPoolExecutor(len(programs)) as threads:
        values = list(
            threads.map(lambda one: one[0].next_value(one[1]), zip(programs, "abcdefgh", strict=True))
        )
    assert sorted(values) == sorted(chain_of(root)[1:9])


def test_nothing_is_contributed_to_a_tournament_whose_commitment_is_not_signed(
    olga: Kontor, ada: Kontor, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = announce_tournament(olga)
    seen = ada.tournament(cup)
    signed = {**seen["chance"]["signed"], "at": seen["chance"]["signed"]["at"] + 1}
    monkeypatch.setattr(ada, "tournament", lambda _: {**seen, "chance": {**seen["chance"], "signed": signed}})
    with pytest.raises(UntrustedServiceError):
        ada.enter(cup)
    assert olga.tournament(cup)["entrants"] == 0


def test_an_entrant_withdraws_protests_and_agrees(olga: Kontor, ada: Kontor, service: Service) -> None:
    cup = announce_tournament(olga)
    others = [service.player(f"Player {number}") for number in range(SEATS - 2)]
    with ExitStack() as stack:
        players = [olga, ada, *map(stack.enter_context, others)]
        for player in players:
            player.enter(cup)
        protest_and_agree(cup, players)


def protest_and_agree(cup: str, players: list[Kontor]) -> None:
    olga, ada, *_ = players
    with pytest.raises(RefusedError):
        ada.protest(cup, "too early")
    assert [fact["type"] for fact in ada.withdraw(cup)["facts"]] == ["entrant_withdrew"]
    ada.enter(cup)
    olga.connection.command("POST", f"/v1/tournaments/{cup}/start", {})
    opened = (event for event in ada.tournament_events(cup) if event.fact["type"] == "match_opened")
    match = next(opened).fact["match"]
    opened.close()
    for player in players:
        player.join(match)
    for player in players[1:]:
        player.resign(match)
    wait_until(lambda: ada.tournament(cup)["status"] == "provisional")
    assert ada.protest(cup, "I resigned by mistake.")["protests"] == [
        {"entrant": 1, "why": "I resigned by mistake."}
    ]
    assert olga.acknowledge(cup)["acknowledged"] == 1


def test_seats_are_taken_in_matches_to_which_the_player_is_invited(olga: Kontor, ada: Kontor) -> None:
    def invited() -> str:
        mine = {"type": "invited", "player": ada.me().id}
        seats = [mine, *[HOUSE] * (fewest_seats(GAMES[0]) - 1)]
        return str(olga.connection.command("POST", "/v1/matches", {"game": GAMES[0], "seats": seats})["id"])

    before, after, met = invited(), "", set[str]()
    for turn in ada.my_turns(take_seats=True):
        met.add(turn.id)
        after = after or invited()
        if len(met) == 2:
            break
        ada.resign(turn.id)
    assert met == {before, after}
