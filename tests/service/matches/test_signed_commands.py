"""Players with a key sign their commands: a stolen token alone takes no seat and makes no move."""

from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from kontor_games.domain.codec import MalformedError
from kontor_games.domain.commands import Join, Play, Resign
from kontor_games.domain.match_refusals import SignatureInvalidError, SignatureRequiredError
from kontor_games.domain.player_signatures import signed_text
from kontor_games.domain.stream import Command
from kontor_games.service.kontor import Kontor
from kontor_games.service.matches.match_spec import SeatSpec
from kontor_games.service.matches.use_cases import Call
from tests.service.tables import ME, OPEN, LocalPlayer
from tests.service.tournaments.cup import register_player
from tests.support.players import PlayerKey

KEY = PlayerKey("Ada")


@pytest.fixture
def ada(service: Kontor) -> LocalPlayer:
    """A player with a key."""
    ada = register_player(service, "Ada")
    service.players.set_key(ada.caller, KEY.public, KEY.proof(ada.id))
    return ada


@pytest.fixture
def match(service: Kontor, ada: LocalPlayer) -> str:
    """An open match of somebody else."""
    return register_player(service, "Ben").create()


def signed(player: LocalPlayer, match: str, command: Command) -> Call:
    """The call of a player who signs this command now."""
    log = player.kontor.cache.get_fresh(UUID(match))
    text = signed_text(match, log.state.rules, log.state.version, log.heads[-1], player.id, command)
    return Call(player.caller, signature=KEY.sign(text))


def take_seat(ada: LocalPlayer, match: str) -> None:
    join = Join(None, False, "", key=KEY.public)
    ada.kontor.matches.join(signed(ada, match, join), match, join)


def test_a_seat_is_taken_with_the_registered_key_and_a_signature(ada: LocalPlayer, match: str) -> None:
    join, matches = Join(None, False, "", key=KEY.public), ada.kontor.matches
    with pytest.raises(SignatureRequiredError, match="public key that you have registered"):
        matches.join(ada.call(), match, replace(join, key=None))
    with pytest.raises(SignatureRequiredError):
        matches.join(ada.call(), match, join)
    take_seat(ada, match)
    assert ada.read_match(match).match.key_of(ada.id) == KEY.public


def test_a_player_who_registered_no_key_sends_none(service: Kontor, match: str) -> None:
    cem = register_player(service, "Cem")
    with pytest.raises(SignatureRequiredError, match="registered no key"):
        service.matches.join(cem.call(), match, Join(None, False, "", key=KEY.public))


def test_moves_and_other_commands_of_a_seat_with_a_key_are_signed(
    service: Kontor, ada: LocalPlayer, match: str
) -> None:
    take_seat(ada, match)
    register_player(service, "Cem").join(match)
    [move, *_] = ada.legal(match)
    with pytest.raises(SignatureRequiredError):
        ada.play(match, move)
    rules = ada.read_match(match).match.rules
    call = signed(ada, match, Play((rules.move_codec.parse(move),)))
    with pytest.raises(SignatureInvalidError):
        service.matches.play(Call(ada.caller, signature="A" * 86 + "=="), match, [move])
    service.matches.play(call, match, [move])
    last = service.cache.get_fresh(UUID(match)).entries[-1].command
    assert isinstance(last, Play)
    assert last.signature == call.signature
    with pytest.raises(SignatureRequiredError):
        service.matches.execute(ada.call(), match, Resign())
    service.matches.execute(signed(ada, match, Resign()), match, Resign())


@pytest.mark.parametrize("promised", [{"signed": True}, {"sealed": True}])
def test_nobody_sits_down_before_the_commitment_in_a_match_that_is_signed_or_sealed(
    ada: LocalPlayer, promised: dict[str, Any]
) -> None:
    with pytest.raises(MalformedError, match="reserve the seat for yourself"):
        ada.create(ME, OPEN, **promised)
    ada.create(SeatSpec("invited", player=ada.id), OPEN, **promised)
