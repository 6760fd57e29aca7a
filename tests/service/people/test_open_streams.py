"""Open streams by player and address."""

import pytest

from kontor_games.service.errors import TooManyStreamsError
from kontor_games.service.people.limits import OpenStreams
from kontor_games.service.people.tokens import Caller
from kontor_games.service.settings import Settings


def caller(player: str, token: str) -> Caller:
    return Caller(player, bot=False, scopes=frozenset({"play"}), token=token)


def test_the_limit_of_streams_of_a_player_is_shared_by_all_their_tokens() -> None:
    streams = OpenStreams(Settings(streams_per_player=2))
    close = streams.open("192.0.2.1", caller("ada", "one"))
    streams.open("192.0.2.2", caller("ada", "two"))
    with pytest.raises(TooManyStreamsError, match="2 streams of you are open"):
        streams.open("192.0.2.3", caller("ada", "three"))
    streams.open("192.0.2.3", caller("bob", "four"))
    close()
    close()
    streams.open("192.0.2.3", caller("ada", "three"))
    with pytest.raises(TooManyStreamsError):
        streams.open("192.0.2.3", caller("ada", "three"))


def test_the_streams_of_an_address_are_limited_and_an_ipv6_network_is_one_address() -> None:
    streams = OpenStreams(Settings(streams_per_address=2))
    streams.open("2001:db8::1", None)
    streams.open("2001:db8::2", caller("ada", "one"))
    with pytest.raises(TooManyStreamsError, match="2 streams of your address are open"):
        streams.open("2001:db8::3", caller("bob", "two"))
    streams.open("2001:db8:0:1::1", None)


def test_callers_without_a_token_cannot_use_the_last_quarter_of_the_streams() -> None:
    streams = OpenStreams(Settings(streams=4))
    for number in range(3):
        streams.open(f"192.0.2.{number}", None)
    with pytest.raises(TooManyStreamsError, match="Send a token"):
        streams.open("192.0.2.9", None)
    streams.open("192.0.2.9", caller("ada", "one"))
