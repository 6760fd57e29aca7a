"""Sealed contributions on a service: the deadline, signed entries, receipts, and what verifiers say."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import asdict

from kontor_games.domain.match_refusals import SignatureInvalidError, SignatureRequiredError
from kontor_games.domain.tournaments import commands
from kontor_games.domain.tournaments.terms import SEED_VERSION
from kontor_games.service.cli.verify_report import tournament_checks
from kontor_games.service.kontor import Kontor
from kontor_games.service.trust.tournament_check import verify_tournament
from kontor_games.service.trust.verifier import BrokenFileError
from tests.domain.tournaments.tournaments import chain_of
from tests.service.conftest import SettableClock
from tests.service.tournaments.cup import Cup
from tests.support.node import verdicts
from tests.support.tournament_forging import Lines, reforged

PIN = "kontor_games.service.tournaments.spec.SEED_VERSION"


def cancelled(cup: Cup) -> bytes:
    """The file of a tournament after the organiser has cancelled it."""
    cup.act(commands.Cancel("rain"))
    cup.worker.step_all()
    return cup.kontor.tournament_exports.export(cup.id)


def finished(cup: Cup) -> bytes:
    """The file of a tournament that was played and signed off."""
    cup.play_on()
    for player in cup.players:
        cup.act(commands.Acknowledge(), player)
    cup.act(commands.SignOff())
    return cup.kontor.tournament_exports.export(cup.id)


def report(content: bytes) -> dict[str, tuple[bool | None, str]]:
    return {name: (done, words) for name, done, words in tournament_checks(verify_tournament(content))}


@pytest.mark.e2e
def test_the_service_removes_who_has_not_opened_by_the_deadline(
    service: Kontor, clock: SettableClock, tmp_path: Path
) -> None:
    cup = Cup(service, 3, rounds=1, no_show_ms=90_000)
    cup.act(commands.OpenEntry())
    for number, player in enumerate(cup.players):
        cup.enter(player, number)
    cup.act(commands.StartTournament())
    for number in (0, 2):
        cup.open_contribution(cup.players[number], number)
    clock.advance(89_999)
    cup.worker.step_all()
    assert (cup.state.openings, cup.state.active) == (1, [0, 1, 2])
    assert [one.status for one in page_of(cup, "open")] == ["open"], "it is still listed as open"
    clock.advance(1)
    cup.worker.step_all()
    assert (cup.state.openings, cup.state.active) == (2, [0, 2])
    for number in (0, 2):
        cup.open_contribution(cup.players[number], number, opening=2)
    assert cup.state.status == "running"
    content = finished(cup)
    words = "2 of 3 entrants contributed to the seed"
    rejected = "before that, at least one outcome was rejected, because entrant 1 did not open"
    assert report(content)["contributions"] == (None, f"{words}; {rejected}")
    [verdict] = verdicts(tmp_path, [content])
    assert (verdict["good"], verdict["withheld"], verdict["contributions"]) == (True, [1], 2)


def page_of(cup: Cup, status: str) -> Any:
    found = cup.kontor.tournaments.page(game=None, status=status, player=None, cursor=None, limit=10)
    return found.tournaments


@pytest.mark.e2e
def test_entries_of_players_with_keys_are_signed_and_every_verifier_checks_it(
    service: Kontor, tmp_path: Path
) -> None:
    cup = Cup(service, 2, rounds=1).sign_with_keys().start()
    content = cancelled(cup)
    assert report(content)["entries"] == (True, "2 of 2 signed by the entrants")
    assert verdicts(tmp_path, [content])[0]["signed_entries"] == 2
    lines = Lines.read(content)
    entry = next(one for one in lines.records if one.get("command", {}).get("type") == "enter")
    other = next(one for one in lines.records[::-1] if one.get("command", {}).get("type") == "enter")
    entry["command"]["signature"] = other["command"]["signature"]
    forged = reforged(lines, service.signer)
    with pytest.raises(BrokenFileError, match="the signature of the player does not fit"):
        verify_tournament(forged)
    assert "signature of the entrant" in verdicts(tmp_path, [forged])[0]["problem"]


def test_an_entry_without_the_registered_key_or_with_a_wrong_signature_is_refused(service: Kontor) -> None:
    cup = Cup(service, 2, rounds=1).sign_with_keys()
    cup.act(commands.OpenEntry())
    player = cup.players[0]
    unsigned = commands.Enter(bot=False, contribution="", sealed=chain_of(0)[0])
    with pytest.raises(SignatureRequiredError):
        service.tournaments.enter(player.call(), cup.id, unsigned)
    key = cup.keys[player.id].public
    keyed = commands.Enter(bot=False, contribution="", sealed=chain_of(0)[0], key=key)
    with pytest.raises(SignatureRequiredError):
        service.tournaments.enter(player.call(), cup.id, keyed)
    wrong = replace(keyed, signature="A" * 86 + "==")
    with pytest.raises(SignatureInvalidError):
        service.tournaments.enter(player.call(), cup.id, wrong)
    assert cup.state.entrants == ()


@pytest.mark.e2e
def test_kept_receipts_of_a_tournament_are_compared_with_its_file(service: Kontor, tmp_path: Path) -> None:
    cup = Cup(service, 2, rounds=1)
    cup.act(commands.OpenEntry())
    receipts = [asdict(cup.enter(player, number).receipt) for number, player in enumerate(cup.players)]
    content = cancelled(cup)
    assert verify_tournament(content, receipts=receipts).receipts == 2
    file = tmp_path / "receipts.json"
    file.write_text(json.dumps(receipts), encoding="utf-8")
    assert verdicts(tmp_path, [content], "--receipts", file)[0]["receipts"] == 2
    lines = Lines.read(content)
    lines.records[2]["at"] = lines.records[1]["at"]
    lines.records[2]["command"]["sealed"] = lines.records[2]["fact"]["sealed"] = chain_of(7)[0]
    forged = reforged(lines, service.signer)
    assert verify_tournament(forged).status == "cancelled", "without receipts it looks right"
    with pytest.raises(BrokenFileError, match="the service has signed another history"):
        verify_tournament(forged, receipts=receipts)
    assert verdicts(tmp_path, [forged], "--receipts", file)[0]["good"] is False


@pytest.mark.e2e
def test_an_older_tournament_verifies_and_is_said_to_have_open_contributions(
    service: Kontor, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(PIN, SEED_VERSION - 1)
    cup = Cup(service, 2, rounds=1)
    cup.act(commands.OpenEntry())
    for number, player in enumerate(cup.players):
        entry = commands.Enter(bot=False, contribution=f"{number:064x}")
        service.tournaments.enter(player.call(), cup.id, entry)
    cup.act(commands.StartTournament())
    content = finished(cup)
    assert b"seed_version" not in content
    words = "2 of 2 entrants contributed to the seed, but not sealed"
    assert report(content)["contributions"] == (
        None,
        f"{words}: whoever entered last could have chosen with the service",
    )
    [verdict] = verdicts(tmp_path, [content])
    assert (verdict["good"], verdict["sealed"], verdict["contributions"]) == (True, False, 2)


@pytest.mark.e2e
def test_without_contributions_both_verifiers_name_who_could_have_chosen(
    service: Kontor, tmp_path: Path
) -> None:
    cup = Cup(service, 2, rounds=1)
    cup.act(commands.OpenEntry())
    for player in cup.players:
        cup.act(commands.Enter(bot=False, contribution=""), player)
    cup.act(commands.StartTournament())
    assert cup.state.status == "running"
    content = finished(cup)
    assert report(content)["contributions"] == (
        None,
        "nobody contributed: the service alone could have chosen the pairings and deals",
    )
    assert verdicts(tmp_path, [content])[0]["contributions"] == 0
