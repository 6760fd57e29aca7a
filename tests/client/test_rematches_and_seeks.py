"""Rematches, private matches, one-time codes, players, seeks and many new matches, with the client."""

from contextlib import closing

import pytest

from kontor_client import Kontor, KontorError
from tests.client.service import Service
from tests.client.tables import create_open_match


def test_both_players_get_the_same_rematch(ada: Kontor, ben: Kontor) -> None:
    match = create_open_match(ada).id
    ben.join(match)
    ben.resign(match)
    if not ada.match(match).over:
        ada.resign(match)
    first, second = ada.rematch(match), ben.rematch(match)
    assert first.id == second.id
    assert second.status == "running"
    assert (first.you, second.you) == (1, 0 if len(second.data["seats"]) == 2 else 2)


def test_a_private_match_is_joined_with_its_key(ada: Kontor, ben: Kontor) -> None:
    made = create_open_match(ada, private=True)
    ada.match(made.id)
    with pytest.raises(KontorError) as missing:
        ben.join(made.id)
    assert missing.value.status == 404
    ben.show_key(made.id, ada.renew_link_key(made.id))
    assert ben.join(made.id).status == "running"


def test_an_account_moves_to_another_device(service: Service, ada: Kontor) -> None:
    code = ada.device_code()["code"]
    with closing(Kontor(service.url)) as other:
        assert other.redeem(code).id == ada.me().id
        assert other.connection.token != ada.connection.token
        assert other.me().name == "Ada"


def test_players_and_ladders_are_listed(ada: Kontor, ben: Kontor) -> None:
    game = ada.games()[0]["id"]
    assert list(ada.ratings(game, "programs")) == []
    assert ada.me().id in [player["id"] for player in ben.players("ad")]
    assert ben.player(ada.me().id)["ratings"] == []


def test_a_seek_is_listed_and_can_be_cancelled(ada: Kontor, ben: Kontor) -> None:
    game = ada.games()[0]
    seats = min(game["seats"])
    mine = ada.seek(game["id"], seats, lifetime_ms=60_000)
    assert mine["id"] in [one["id"] for one in ben.seeks(game["id"])]
    assert ada.cancel_seek(mine["id"])["status"] == "cancelled"
    assert [one["status"] for one in ada.seeks(mine=True)] == ["cancelled"]


def test_many_matches_are_created_with_one_request(ada: Kontor) -> None:
    game = ada.games()[0]
    wish = {"game": game["id"], "seats": [{"type": "open"}] * min(game["seats"]), "tags": ["bulk"]}
    answers = ada.create_matches([wish, {**wish, "seats": [{"type": "open"}]}])
    assert [one["status"] for one in answers] == [201, 422]
    assert [one["id"] for one in ada.matches(tag="bulk", creator=ada.me().id)] == [answers[0]["answer"]["id"]]
