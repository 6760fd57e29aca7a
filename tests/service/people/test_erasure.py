"""Erasing a player removes the name and the tokens; the id stays, and every hash chain remains valid."""

from uuid import UUID

import pytest

from kontor_games.domain.commands import ResignErased
from kontor_games.domain.match import Match
from kontor_games.domain.match_refusals import NotSeatedError
from kontor_games.domain.stream import HOUSE
from kontor_games.service.errors import RecordDamagedError, UnauthorisedError
from kontor_games.service.kontor import Kontor
from kontor_games.service.people.tokens import Caller
from kontor_games.service.trust.checkpoint_check import check_facts, check_leaves, read_checkpoint
from kontor_games.service.trust.verifier import verify
from tests.service.tables import ME, OPEN, LocalPlayer, bot, play_to_the_end, start_match
from tests.support.auditing import audit_all

NAME = "Mira Unforgettable"


@pytest.fixture
def mira(service: Kontor) -> tuple[LocalPlayer, str]:
    """A player with an account, and her token."""
    made = service.players.register(NAME, bot=False, key=None, body="")
    return LocalPlayer(service, service.tokens.authenticate(made.token)), made.token


def test_every_chain_holds_after_a_player_was_erased(service: Kontor, mira: tuple[LocalPlayer, str]) -> None:
    (her, token), other = mira, LocalPlayer(service)
    done, running = start_match(her, other), start_match(her, other)
    play_to_the_end(done, her, other)
    kept = service.checkpoints.take()
    assert kept is not None
    before = [service.cache.get(UUID(match_id)).heads[-1] for match_id in (done, running)]
    service.players.erase(her.caller)
    with pytest.raises(UnauthorisedError):
        service.tokens.authenticate(token)
    assert service.players.get(her.id).name is None
    assert [service.cache.get(UUID(match_id)).heads[-1] for match_id in (done, running)] == before
    assert audit_all(service).problems == []
    leaves = list(service.checkpoints.leaves())
    read = read_checkpoint(kept.note)
    read.check_signature(service.signer.public_keys())
    check_leaves(read, leaves)
    assert check_facts(service.store, leaves)[0] == 2


def test_an_export_contains_the_id_and_never_the_name_of_a_player(
    service: Kontor, mira: tuple[LocalPlayer, str]
) -> None:
    (her, _), other = mira, LocalPlayer(service)
    match_id = start_match(her, other)
    play_to_the_end(match_id, her, other)
    before = service.exports.export(None, match_id)
    service.players.erase(her.caller)
    after = service.exports.export(None, match_id)
    for content in (before, after):
        assert NAME.encode() not in content
        assert her.id.encode() in content
    assert verify(after).places == verify(before).places


ADMIN = Caller("an operator", bot=False, scopes=frozenset({"admin"}), token="")


def is_sound(service: Kontor) -> bool:
    return audit_all(service).problems == []


def test_a_match_of_two_ends_when_one_is_erased(service: Kontor, mira: tuple[LocalPlayer, str]) -> None:
    (her, _), other = mira, LocalPlayer(service)
    match_id = start_match(her, other)
    service.erase(her.caller)
    match = other.read_match(match_id).match
    assert (match.status, match.outcome and match.outcome.places) == ("finished", (2, 1))
    last = service.cache.get(UUID(match_id)).entries[-1]
    assert (last.by, last.command) == (HOUSE, ResignErased(0))
    assert verify(service.exports.export(None, match_id)).complete
    assert is_sound(service)


def test_a_match_of_three_continues_without_the_erased_player(
    service: Kontor, mira: tuple[LocalPlayer, str]
) -> None:
    (her, _), one, other = mira, LocalPlayer(service), LocalPlayer(service)
    match_id = her.create(ME, OPEN, OPEN)
    one.join(match_id)
    other.join(match_id)
    service.erase(ADMIN, her.id)
    assert play_to_the_end(match_id, one, other).outcome is not None
    assert one.read_match(match_id).match.absent == (0,)
    assert is_sound(service)


def test_an_erased_player_leaves_an_open_match_so_that_others_can_join(
    service: Kontor, mira: tuple[LocalPlayer, str]
) -> None:
    (her, _), one, other = mira, LocalPlayer(service), LocalPlayer(service)
    match_id = one.create(OPEN, OPEN)
    her.join(match_id)
    service.erase(her.caller)
    assert one.read_match(match_id).match.seats == [None, None]
    one.join(match_id)
    assert other.join(match_id).match.status == "running"
    assert is_sound(service)


def test_an_open_match_is_aborted_if_a_seat_in_it_is_reserved_for_the_erased_player(
    service: Kontor, mira: tuple[LocalPlayer, str]
) -> None:
    (her, _), other = mira, LocalPlayer(service)
    match_id = her.create(ME, OPEN)
    service.erase(her.caller)
    assert other.read_match(match_id).match.status == "aborted"
    assert verify(service.exports.export(None, match_id)).complete
    assert is_sound(service)


def test_resignations_that_an_erasure_did_not_record_are_made_by_the_leader(
    service: Kontor, mira: tuple[LocalPlayer, str]
) -> None:
    (her, _), other = mira, LocalPlayer(service)
    created, played = her.create(OPEN, OPEN), start_match(her, other)
    service.players.erase(her.caller)
    assert other.read_match(played).match.status == "running"
    assert service.house.resign_all_erased() == 1
    assert other.read_match(played).match.over
    assert other.read_match(created).match.status == "open", "the erased player has no seat in it"
    assert service.house.resign_all_erased() == 0


def test_an_erasure_succeeds_though_a_match_is_damaged_or_has_just_ended(
    service: Kontor, mira: tuple[LocalPlayer, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (her, _), other = mira, LocalPlayer(service)
    first, second = start_match(her, other), start_match(her, other)
    resign = service.house.resign_erased

    def fails_once(match_id: UUID, player: str) -> bool:
        if str(match_id) == first:
            raise RecordDamagedError(1, "for this test")
        return resign(match_id, player)

    monkeypatch.setattr(service.house, "resign_erased", fails_once)
    service.erase(her.caller)
    assert (other.read_match(first).match.status, other.read_match(second).match.status) == (
        "running",
        "finished",
    )
    monkeypatch.undo()
    assert service.house.resign_all_erased() == 1


def test_only_the_service_can_record_that_an_account_was_erased() -> None:
    match = Match()
    assert ResignErased(0).wrong_author(match, "a player") is not None
    assert ResignErased(0).wrong_author(match, HOUSE) is None


@pytest.mark.parametrize("seat", [1, 7])
def test_an_empty_seat_or_a_house_bot_cannot_be_erased(service: Kontor, seat: int) -> None:
    match_id = LocalPlayer(service).create(ME, bot(), bot())
    match = service.cache.get(UUID(match_id)).state
    with pytest.raises(NotSeatedError):
        ResignErased(seat).decide(match.copy(), HOUSE, match.at)
