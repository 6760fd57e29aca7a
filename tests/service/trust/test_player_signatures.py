"""Signed commands in exports: what an operator can do to them, and that the verifier refuses it.

All hashes, receipts and the last line of each forgery are made with the real key of the service: only
the player's signature is beyond the operator's reach.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from kontor_games.domain import audit, match_audit
from kontor_games.domain.commands import Join, Play, Resign
from kontor_games.domain.match_audit import MatchAuditor
from kontor_games.domain.player_signatures import check_signature, signed_text
from kontor_games.domain.stream import Command, Entry
from kontor_games.service.ed25519 import is_signed
from kontor_games.service.trust import exports
from kontor_games.service.trust.verifier import BrokenFileError, verify
from tests.domain.installed_fair import the_fair_is_installed
from tests.support.players import PlayerKey
from tests.support.recording import OPEN, Recording, announcement, house_bot

__all__ = ["the_fair_is_installed"]
KEYS = {name: PlayerKey(name) for name in ("ann", "ben")}


@pytest.fixture(autouse=True)
def _dishonest_operator(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the service export matches without checking the signatures of players."""
    monkeypatch.setattr(exports, "is_signed", trust_everything)
    monkeypatch.setattr(match_audit, "check_signature", accept_unsigned)


def trust_everything(*_: object) -> bool:
    """Accept every signature."""
    return True


def accept_unsigned(key: Any, signature: Any, text: Any, is_signed: Any) -> None:
    """Check a signature like the auditor, unless every signature is to be accepted."""
    if is_signed is trust_everything:
        return
    check_signature(key, signature, text, is_signed)


class Signed(Recording):
    """A match in which the players of KEYS sign."""

    def do(self, by: str, command: Command, *, after: int = 1000) -> Entry:
        """Carry a command out, signed by its player."""
        if by in KEYS and command.signature is None:
            if isinstance(command, Join):
                command = replace(command, key=KEYS[by].public)
            text = signed_text(self.id, self.match.rules, self.match.version, self.heads()[-1], by, command)
            command = replace(command, signature=KEYS[by].sign(text))  # type: ignore[type-var]
        return super().do(by, command, after=after)

    def unsigned(self, by: str, command: Command) -> Entry:
        """Carry a command out as an operator would who has no key."""
        return super().do(by, command)


def begun() -> Signed:
    match = Signed(announcement("fair", OPEN, OPEN))
    match.join("ann", contribution="a" * 64)
    match.join("ben", contribution="b" * 64)
    return match.play_on(6)  # type: ignore[return-value]


def finished(match: Recording) -> bytes:
    match.play_on()
    assert match.match.over
    return match.export()


def other_move(match: Recording) -> tuple[str, int, Any]:
    seat = match.match.to_act[0]
    taken = match.match.seats[seat]
    assert taken is not None
    return taken.player, seat, match.match.rules.legal_moves(match.match.state, seat)[-1]


def test_a_signed_match_is_verified_and_its_signers_are_named() -> None:
    verdict = verify(finished(begun()))
    assert verdict.signed_commands == verdict.entries - 1
    assert all(verdict.player_keys)
    assert len(set(verdict.player_keys)) == 2


def test_a_match_of_signed_and_unsigned_players_says_who_is_who() -> None:
    match = Signed(announcement("fair", OPEN, OPEN))
    match.join("ann")
    match.join("cid")
    verdict = verify(finished(match))
    assert [key is None for key in verdict.player_keys] == [False, True]


def invented(match: Signed) -> None:
    by, _, move = other_move(match)
    match.unsigned(by, Play((move,)))


def signed_by_another(match: Signed) -> None:
    by, _, move = other_move(match)
    other = "ben" if by == "ann" else "ann"
    text = signed_text(match.id, match.match.rules, match.match.version, match.heads()[-1], by, Play((move,)))
    match.unsigned(by, Play((move,), signature=KEYS[other].sign(text)))


def signed_for_an_earlier_place(match: Signed) -> None:
    by, _, move = other_move(match)
    text = signed_text(
        match.id, match.match.rules, match.match.version - 1, match.heads()[-2], by, Play((move,))
    )
    match.unsigned(by, Play((move,), signature=KEYS[by].sign(text)))


def signed_for_another_match(match: Signed) -> None:
    by, _, move = other_move(match)
    text = signed_text(
        "another", match.match.rules, match.match.version, match.heads()[-1], by, Play((move,))
    )
    match.unsigned(by, Play((move,), signature=KEYS[by].sign(text)))


def resigned_for(match: Signed) -> None:
    match.unsigned("ann", Resign())


@pytest.mark.parametrize(
    "forge",
    [invented, signed_by_another, signed_for_an_earlier_place, signed_for_another_match, resigned_for],
)
def test_a_command_that_the_player_did_not_sign_is_refused(forge: Callable[[Signed], None]) -> None:
    match = begun()
    forge(match)
    with pytest.raises(BrokenFileError, match="sign"):
        verify(finished(match))


def test_a_move_taken_out_of_the_middle_breaks_the_next_signature() -> None:
    """The next signature covers the history that contains the move."""
    whole = begun()
    cut = Signed(announcement("fair", OPEN, OPEN))
    for entry in whole.entries[1:4]:
        cut.unsigned(entry.by, entry.command)
    by, _, move = other_move(cut)
    cut.unsigned(by, Play((move,), signature=whole.entries[5].command.signature))
    with pytest.raises(BrokenFileError, match="sign"):
        verify(finished(cut))


def test_a_seat_joined_without_its_key_is_not_signed_for() -> None:
    """An operator who joins in a player's name without the key gets a seat that verifiers call unsigned."""
    match = Signed(announcement("fair", OPEN, OPEN))
    match.unsigned("ann", Join(None, False, ""))
    match.join("ben")
    while match.match.to_act:
        by, _, move = other_move(match)
        (match.unsigned if by == "ann" else match.do)(by, Play((move,)))
    verdict = verify(match.export())
    assert verdict.player_keys[0] is None


def test_where_everybody_must_sign_nobody_joins_without_a_key() -> None:
    match = Signed(announcement("fair", OPEN, OPEN, signed=True))
    with pytest.raises(Exception, match="every player signs"):
        match.unsigned("ann", Join(None, False, ""))


def test_of_a_running_match_the_signatures_under_visible_commands_are_checked() -> None:
    match = begun()
    assert verify(match.export()).signed_commands > 0
    match = Signed(announcement("fair", OPEN, OPEN))
    match.unsigned("ann", Join(None, False, "", KEYS["ann"].public))
    match.join("ben")
    with pytest.raises(BrokenFileError, match="line 3: the signature of the player does not fit"):
        verify(match.export())


def test_where_everybody_must_sign_house_bots_are_pinned() -> None:
    match = Signed(announcement("fair", OPEN, house_bot("random"), signed=True))
    with pytest.raises(audit.BrokenRecordError, match="must pin the versions of house bots"):
        MatchAuditor(match.id, is_signed).take(match.entries[0])
