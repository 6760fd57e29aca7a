"""Erasing a player: the name and the tokens go, the id stays, and every chain still holds."""

from uuid import UUID

import pytest

from kontor_games.service.errors import UnauthorisedError
from kontor_games.service.kontor import Kontor
from kontor_games.service.people.tokens import Caller
from kontor_games.service.trust.checkpoint_check import check_facts, check_leaves, read_checkpoint
from kontor_games.service.trust.verifier import verify
from tests.service.tables import Guest, play_to_the_end, table

NAME = "Mira Unforgettable"


@pytest.fixture
def mira(service: Kontor) -> tuple[Guest, str]:
    """A player with an account, and her token."""
    made = service.players.register(NAME, bot=False, key=None, body="")
    return Guest(service, service.tokens.authenticate(made.token)), made.token


def test_every_chain_holds_after_a_player_was_erased(service: Kontor, mira: tuple[Guest, str]) -> None:
    (her, token), other = mira, Guest(service)
    done, running = table(her, other), table(her, other)
    play_to_the_end(done, her, other)
    kept = service.checkpoints.take()
    assert kept is not None
    before = [service.cache.get(UUID(match_id)).heads[-1] for match_id in (done, running)]
    service.players.erase(her.who)
    with pytest.raises(UnauthorisedError):
        service.tokens.authenticate(token)
    assert service.players.get(her.id).name is None
    assert [service.cache.get(UUID(match_id)).heads[-1] for match_id in (done, running)] == before
    assert service.audits.audit(service.audits.all_matches()).problems == []
    leaves = list(service.checkpoints.leaves())
    held = read_checkpoint(kept.note)
    held.check_signature(service.signer.public_keys())
    check_leaves(held, leaves)
    assert check_facts(service.store, leaves)[0] == 2


def test_an_export_holds_her_id_and_never_her_name(service: Kontor, mira: tuple[Guest, str]) -> None:
    (her, _), other = mira, Guest(service)
    match_id = table(her, other)
    play_to_the_end(match_id, her, other)
    before = service.exports.export(None, match_id)
    service.players.erase(her.who)
    after = service.exports.export(None, match_id)
    for content in (before, after):
        assert NAME.encode() not in content
        assert her.id.encode() in content
    assert verify(after).places == verify(before).places


def test_a_match_goes_on_without_her(service: Kontor, mira: tuple[Guest, str]) -> None:
    (her, _), other = mira, Guest(service)
    match_id = table(her, other)
    service.players.erase(Caller("an operator", bot=False, scopes=frozenset({"admin"}), token=""), her.id)
    other.play(match_id)
    assert service.audits.audit(service.audits.all_matches()).problems == []
