"""Entrants with a key sign their entries and openings, so that nobody else can send one in their name."""

from dataclasses import replace

import pytest

from kontor_games.domain.codec import canonical
from kontor_games.domain.match_refusals import SignatureInvalidError, SignatureRequiredError
from kontor_games.domain.stream import Command
from kontor_games.domain.tournaments import commands
from kontor_games.domain.tournaments.stream import check_command, signed_text
from kontor_games.service.ed25519 import is_signed
from tests.domain.tournaments.tournaments import Played, chain_of
from tests.support.players import PlayerKey

KEY = PlayerKey("p0")


@pytest.fixture
def played() -> Played:
    return Played(seed_version=2).entered(0)


def entry(played: Played) -> commands.Enter:
    """The signed entry of player p0."""
    unsigned = replace(played.entry(0), key=KEY.public)
    return replace(unsigned, signature=KEY.sign(signed_text("t", played.tournament, "p0", unsigned)))


def check(played: Played, command: Command, by: str = "p0") -> None:
    check_command("t", played.tournament, by, command, is_signed)


def test_the_signed_text_is_that_of_the_document(played: Played) -> None:
    signed = {
        "by": "p0",
        "command": {
            "bot": False, "contribution": "", "key": KEY.public, "sealed": chain_of(0)[0], "type": "enter"
        },
        "commitment": played.tournament.announced.commitment,
        "tournament": "t",
    }  # fmt: skip
    text = signed_text("t", played.tournament, "p0", entry(played))
    assert text == b"kontor.tournament-command.1\n" + canonical(signed)


def test_an_entry_with_a_key_is_signed_by_its_author(played: Played) -> None:
    good = entry(played)
    check(played, good)
    with pytest.raises(SignatureRequiredError):
        check(played, replace(good, signature=None))
    with pytest.raises(SignatureInvalidError):
        check(played, replace(good, bot=True))
    with pytest.raises(SignatureInvalidError):
        check(played, good, by="p1")


def test_an_opening_is_signed_with_the_key_of_the_entry(played: Played) -> None:
    played.act(entry(played), "p0")
    opening = commands.OpenContribution(chain_of(0)[1], "0" * 64)
    with pytest.raises(SignatureRequiredError):
        check(played, opening)
    text = signed_text("t", played.tournament, "p0", opening)
    check(played, replace(opening, signature=KEY.sign(text)))
    with pytest.raises(SignatureInvalidError):
        check(played, replace(opening, signature=PlayerKey("p1").sign(text)))


def test_entrants_without_a_key_and_all_other_commands_are_not_signed(played: Played) -> None:
    played.act(played.entry(1), "p1")
    check(played, played.entry(2), by="p2")
    check(played, commands.OpenContribution(chain_of(1)[1], "0" * 64), by="p1")
    check(played, commands.OpenContribution(chain_of(1)[1], "0" * 64), by="stranger")
    played.act(entry(played), "p0")
    check(played, commands.Withdraw())
