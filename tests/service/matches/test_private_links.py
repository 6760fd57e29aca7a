"""Private matches: who sees them, and the key that their creator can pass on and renew."""

from dataclasses import replace

import pytest

from kontor_games.domain.match_refusals import NotCreatorError
from kontor_games.service.errors import NotFoundError
from kontor_games.service.kontor import Kontor
from kontor_games.service.matches.answers import Match
from kontor_games.service.matches.match_spec import SeatSpec
from kontor_games.service.matches.private_links import MatchNotPrivateError
from tests.service.tables import OPEN, LocalPlayer
from tests.service.tournaments.cup import register_player


def key_shown(player: LocalPlayer, match: str) -> str | None:
    shown = player.kontor.queries.show(player.caller, match)
    assert isinstance(shown, Match)
    return shown.details.link_key


def with_key(player: LocalPlayer, key: str) -> LocalPlayer:
    return LocalPlayer(player.kontor, replace(player.caller, match_key=key))


def hidden(player: LocalPlayer, match: str) -> None:
    with pytest.raises(NotFoundError):
        player.read_match(match)


def test_a_private_match_is_seen_by_its_creator_its_players_and_whoever_is_invited(service: Kontor) -> None:
    ann, ben, cem = (register_player(service, name) for name in ("Ann", "Ben", "Cem"))
    match = ann.create(OPEN, SeatSpec("invited", player=ben.id), private=True)
    for player in (ann, ben):
        assert player.read_match(match).match.created.private
    hidden(cem, match)
    with pytest.raises(NotFoundError):
        service.queries.require_visible(None, match)


def test_whoever_has_the_key_sees_and_joins_the_match(ann: LocalPlayer, ben: LocalPlayer) -> None:
    match = ann.create(OPEN, OPEN, private=True)
    key = key_shown(ann, match)
    assert key is not None
    assert len(key) == 24
    hidden(with_key(ben, key[:-1] + ("A" if key[-1] != "A" else "B")), match)
    friend = with_key(ben, key)
    assert key_shown(friend, match) is None, "only the creator is shown the key"
    friend.join(match)
    ben.read_match(match)


def test_a_renewed_key_replaces_the_old_one_once_for_each_request(ann: LocalPlayer, ben: LocalPlayer) -> None:
    match = ann.create(OPEN, OPEN, private=True)
    renew = ann.kontor.queries.renew_link
    old = key_shown(ann, match)
    new = renew(ann.call("one"), match).link_key
    assert renew(ann.call("one"), match).link_key == new == key_shown(ann, match) != old
    newest = renew(ann.call("two"), match).link_key
    assert len({old, new, newest}) == 3
    for key in (old, new):
        hidden(with_key(ben, key or ""), match)
    with_key(ben, newest).read_match(match)


def test_only_the_creator_of_a_private_match_renews_its_key(ann: LocalPlayer, ben: LocalPlayer) -> None:
    private, public = ann.create(OPEN, OPEN, private=True), ann.create(OPEN, OPEN)
    friend = with_key(ben, key_shown(ann, private) or "")
    with pytest.raises(NotCreatorError):
        ann.kontor.queries.renew_link(friend.call("x"), private)
    with pytest.raises(MatchNotPrivateError):
        ann.kontor.queries.renew_link(ann.call("x"), public)
    assert key_shown(ann, public) is None
