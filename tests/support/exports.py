"""An export of a short match, and the reason why the verifier refuses a file."""

from typing import Any

import pytest

from kontor_games.domain.clock import ClockSettings
from kontor_games.domain.codec import Plain
from kontor_games.service.trust.verifier import BrokenFileError, verify
from tests.domain.toy.games.fair.moves import CloseFair, LayCard, OfferCard, TakeOffer
from tests.support.recording import Recording, table_of

CLOCK = ClockSettings("per_move", 60_000)


def fair_match(**other: Any) -> Recording:
    """A finished match with three players and a clock; includes an offer and its acceptance."""
    recording = table_of("fair", 3, clock=CLOCK, **other)
    for seat in range(3):
        recording.play(seat, LayCard(recording.match.state.hands[seat][0]))  # type: ignore[attr-defined]
    holder = recording.match.to_act[0]
    recording.play(holder, OfferCard(recording.match.state.hands[holder][0], 2))  # type: ignore[attr-defined]
    recording.play((holder + 1) % 3, TakeOffer())
    recording.play(holder, CloseFair())
    return recording.play_on()


def refusal(content: bytes, keys: list[Plain] | None = None, receipts: list[Plain] | None = None) -> str:
    """The reason why the verifier refuses a file."""
    with pytest.raises(BrokenFileError) as caught:
        verify(content, keys, receipts or [])
    return str(caught.value)
