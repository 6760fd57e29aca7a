"""Access control: every operation of the contract is called in every role."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from kontor_games.api import create_app
from kontor_games.api.streams import Pace
from kontor_games.service.kontor import Kontor
from kontor_games.service.settings import Settings
from tests.api.conftest import NO_LIMITS, ApiUser, Clock
from tests.api.contract import CheckedClient, operations
from tests.api.cosigning import WITNESS
from tests.api.valid_requests import World, valid_request

pytestmark = [pytest.mark.slow, pytest.mark.untraced]

ROLES = ("anonymous", "play", "organise", "account", "admin", "foreign", "expired", "revoked")
"""No token; four tokens of the owner of the resource; another player; two invalid tokens of the owner."""
ACCESS = {
    #                      anonymous play organise account admin foreign expired revoked
    "register_player":     (201, 201, 201, 201, 201, 201, 201, 201),
    "get_player":          (200, 200, 200, 200, 200, 200, 401, 401),
    "list_players":        (200, 200, 200, 200, 200, 200, 401, 401),
    "list_ratings":        (200, 200, 200, 200, 200, 200, 401, 401),
    "get_me":              (401, 200, 200, 200, 200, 200, 401, 401),
    "rename_me":           (401, 403, 403, 200, 200, 200, 401, 401),
    "set_key":             (401, 403, 403, 200, 200, 403, 401, 401),
    "set_invitations":     (401, 403, 403, 200, 200, 200, 401, 401),
    "get_calls":           (401, 200, 200, 200, 200, 200, 401, 401),
    "set_push_device":     (401, 403, 403, 204, 204, 204, 401, 401),
    "remove_push_device":  (401, 403, 403, 204, 204, 204, 401, 401),
    "get_mail_address":    (401, 403, 403, 200, 200, 200, 401, 401),
    "set_mail_address":    (401, 403, 403, 204, 204, 204, 401, 401),
    "remove_mail_address": (401, 403, 403, 204, 204, 204, 401, 401),
    "confirm_mail_address": (204, 204, 204, 204, 204, 204, 204, 204),
    "stop_mail":           (204, 204, 204, 204, 204, 204, 204, 204),
    "remove_key":          (401, 403, 403, 200, 200, 200, 401, 401),
    "erase_me":            (401, 403, 403, 204, 204, 204, 401, 401),
    "erase_player":        (401, 403, 403, 403, 204, 403, 401, 401),
    "create_device_code":  (401, 403, 403, 201, 201, 201, 401, 401),
    "redeem_device_code":  (201, 201, 201, 201, 201, 201, 201, 201),
    "set_recovery":        (401, 403, 403, 204, 204, 204, 401, 401),
    "remove_recovery":     (401, 403, 403, 204, 204, 204, 401, 401),
    "recover_account":     (201, 201, 201, 201, 201, 201, 201, 201),
    "list_tokens":         (401, 403, 403, 200, 200, 200, 401, 401),
    "create_token":        (401, 403, 403, 403, 201, 201, 401, 401),
    "revoke_token":        (401, 403, 403, 204, 204, 404, 401, 401),
    "list_games":          (200, 200, 200, 200, 200, 200, 401, 401),
    "get_game":            (200, 200, 200, 200, 200, 200, 401, 401),
    "get_data_set":        (200, 200, 200, 200, 200, 200, 401, 401),
    "create_match":        (401, 201, 403, 403, 201, 201, 401, 401),
    "create_matches":      (401, 200, 200, 403, 200, 200, 401, 401),
    "create_seek":         (401, 201, 403, 403, 201, 201, 401, 401),
    "list_seeks":          (200, 200, 200, 200, 200, 200, 401, 401),
    "get_seek":            (401, 200, 403, 403, 200, 404, 401, 401),
    "cancel_seek":         (401, 200, 403, 403, 200, 404, 401, 401),
    "list_matches":        (200, 200, 200, 200, 200, 200, 401, 401),
    "get_match":           (200, 200, 200, 200, 200, 200, 401, 401),
    "join_match":          (401, 201, 403, 403, 201, 201, 401, 401),
    "leave_match":         (401, 200, 403, 403, 200, 403, 401, 401),
    "decline_match":       (401, 201, 403, 403, 201, 403, 401, 401),
    "seat_bot":            (401, 201, 201, 403, 201, 403, 401, 401),
    "open_contribution":   (401, 201, 403, 403, 201, 403, 401, 401),
    "start_match":         (401, 201, 201, 403, 201, 403, 401, 401),
    "resign_match":        (401, 201, 403, 403, 201, 403, 401, 401),
    "abort_match":         (401, 201, 201, 403, 201, 403, 401, 401),
    "play_moves":          (401, 201, 403, 403, 201, 403, 401, 401),
    "dry_run_moves":       (401, 200, 403, 403, 200, 403, 401, 401),
    "play_many_moves":     (401, 200, 403, 403, 200, 200, 401, 401),
    "list_positions":      (200, 200, 200, 200, 200, 200, 401, 401),
    "get_analysis":        (401, 202, 202, 202, 202, 202, 401, 401),
    "list_obstacles":      (200, 200, 200, 200, 200, 200, 401, 401),
    "list_events":         (200, 200, 200, 200, 200, 200, 401, 401),
    "list_my_events":      (401, 200, 200, 200, 200, 200, 401, 401),
    "list_phrases":        (200, 200, 200, 200, 200, 200, 401, 401),
    "say_phrase":          (401, 201, 403, 403, 201, 403, 401, 401),
    "list_blocks":         (401, 200, 200, 200, 200, 200, 401, 401),
    "block_player":        (401, 403, 403, 204, 204, 204, 401, 401),
    "unblock_player":      (401, 403, 403, 204, 204, 204, 401, 401),
    "report_player":       (401, 204, 403, 403, 204, 204, 401, 401),
    "list_reports":        (401, 403, 403, 403, 200, 403, 401, 401),
    "close_report":        (401, 403, 403, 403, 204, 403, 401, 401),
    "branch_match":        (401, 201, 403, 403, 201, 201, 401, 401),
    "create_rematch":      (401, 201, 403, 403, 201, 403, 401, 401),
    "renew_link_key":      (401, 409, 409, 403, 409, 403, 401, 401),
    "export_match":        (200, 200, 200, 200, 200, 200, 401, 401),
    "prove_inclusion":     (200, 200, 200, 200, 200, 200, 401, 401),
    "prove_tournament_inclusion": (200, 200, 200, 200, 200, 200, 401, 401),
    "announce_tournament": (401, 403, 201, 403, 201, 201, 401, 401),
    "list_tournaments":   (200, 200, 200, 200, 200, 200, 401, 401),
    "get_tournament":     (200, 200, 200, 200, 200, 200, 401, 401),
    "open_tournament":    (401, 403, 201, 403, 201, 403, 401, 401),
    "enter_tournament":   (401, 201, 403, 403, 201, 201, 401, 401),
    "open_tournament_contribution": (401, 201, 403, 403, 201, 403, 401, 401),
    "withdraw_from_tournament": (401, 201, 403, 403, 201, 403, 401, 401),
    "withdraw_entrant":   (401, 403, 201, 403, 201, 403, 401, 401),
    "start_tournament":   (401, 403, 201, 403, 201, 403, 401, 401),
    "pair_round":         (401, 403, 201, 403, 201, 403, 401, 401),
    "get_round":          (200, 200, 200, 200, 200, 200, 401, 401),
    "get_standings":      (200, 200, 200, 200, 200, 200, 401, 401),
    "get_refusals":       (200, 200, 200, 200, 200, 200, 401, 401),
    "list_tournament_events": (200, 200, 200, 200, 200, 200, 401, 401),
    "export_tournament":   (200, 200, 200, 200, 200, 200, 401, 401),
    "replay_tournament_match": (401, 403, 201, 403, 201, 403, 401, 401),
    "rule_result":        (401, 403, 201, 403, 201, 403, 401, 401),
    "correct_result":     (401, 403, 201, 403, 201, 403, 401, 401),
    "post_standings":     (401, 403, 201, 403, 201, 403, 401, 401),
    "acknowledge_standings": (401, 201, 403, 403, 201, 403, 401, 401),
    "protest_standings":  (401, 201, 403, 403, 201, 403, 401, 401),
    "sign_off_standings": (401, 403, 201, 403, 201, 403, 401, 401),
    "cancel_tournament":  (401, 403, 201, 403, 201, 403, 401, 401),
    "list_checkpoints":    (200, 200, 200, 200, 200, 200, 401, 401),
    "get_checkpoint":      (200, 200, 200, 200, 200, 200, 200, 200),
    "get_tile":            (200, 200, 200, 200, 200, 200, 200, 200),
    "get_entries":         (200, 200, 200, 200, 200, 200, 200, 200),
    "prove_keys":          (200, 200, 200, 200, 200, 200, 200, 200),
    "add_cosignatures":    (201, 201, 201, 201, 201, 201, 201, 201),
    "prove_consistency":   (200, 200, 200, 200, 200, 200, 401, 401),
    "get_fairness":        (200, 200, 200, 200, 200, 200, 401, 401),
    "list_keys":           (200, 200, 200, 200, 200, 200, 200, 200),
    "get_health":          (200, 200, 200, 200, 200, 200, 200, 200),
    "get_readiness":       (200, 200, 200, 200, 200, 200, 200, 200),
    "get_metrics":         (200, 200, 200, 200, 200, 200, 200, 200),
    "get_openapi_json":    (200, 200, 200, 200, 200, 200, 200, 200),
    "get_openapi_yaml":    (200, 200, 200, 200, 200, 200, 200, 200),
    "get_docs":            (200, 200, 200, 200, 200, 200, 200, 200),
    "get_entrance":        (200, 200, 200, 200, 200, 200, 200, 200),
    "get_protected_resource": (200, 200, 200, 200, 200, 200, 200, 200),
    "get_server_card":     (200, 200, 200, 200, 200, 200, 200, 200),
    "get_llms_txt":        (200, 200, 200, 200, 200, 200, 200, 200),
}  # fmt: skip
PRIVATE = {
    "get_match":           (404, 200, 200, 200, 200, 404, 401, 401),
    "list_events":         (404, 200, 200, 200, 200, 404, 401, 401),
    "list_phrases":        (404, 200, 200, 200, 200, 404, 401, 401),
    "say_phrase":          (401, 201, 403, 403, 201, 404, 401, 401),
    "branch_match":        (401, 201, 403, 403, 201, 404, 401, 401),
    "create_rematch":      (401, 201, 403, 403, 201, 404, 401, 401),
    "renew_link_key":      (401, 201, 201, 403, 201, 404, 401, 401),
    "export_match":        (404, 200, 200, 200, 200, 404, 401, 401),
    "prove_inclusion":     (404, 200, 200, 200, 200, 404, 401, 401),
    "decline_match":       (401, 201, 403, 403, 201, 404, 401, 401),
    "seat_bot":            (401, 201, 201, 403, 201, 404, 401, 401),
    "join_match":          (401, 409, 403, 403, 409, 404, 401, 401),
    "play_moves":          (401, 201, 403, 403, 201, 404, 401, 401),
    "dry_run_moves":       (401, 200, 403, 403, 200, 404, 401, 401),
    "resign_match":        (401, 201, 403, 403, 201, 404, 401, 401),
    "abort_match":         (401, 201, 201, 403, 201, 404, 401, 401),
    "list_positions":      (404, 200, 200, 200, 200, 404, 401, 401),
    "get_analysis":        (401, 202, 202, 202, 202, 404, 401, 401),
    "list_obstacles":      (404, 200, 200, 200, 200, 404, 401, 401),
}  # fmt: skip
"""The same for operations on a private match."""


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    folder: Path = tmp_path_factory.mktemp("access")
    clock = Clock()
    kontor = Kontor(
        Settings(
            database_url=f"sqlite:///{folder}/kontor.db",
            workers_in_process=False,
            witnesses=(WITNESS.public,),
            **NO_LIMITS,
        ),
        clock,
    )
    kontor.migrate()
    app = create_app(kontor, Pace(longest_s=0.1))
    app.testing = True
    app.test_client_class = CheckedClient
    yield World(kontor, clock, ApiUser(app.test_client()))
    kontor.close()


def statuses(
    name: str, table: Mapping[str, tuple[int, ...]], world: World, *, private: bool
) -> tuple[int, ...]:
    """The status that each role gets; those that shall be refused ask first.

    A refused request and a GET change nothing, so that the next role can send the same request.
    """
    method = next(method for method, _, _, operation in operations() if operation["operationId"] == name)
    found: dict[str, int] = {}
    prepared: tuple[ApiUser, str, Any] | None = None
    for role, _ in sorted(zip(ROLES, table[name], strict=True), key=lambda cell: cell[1] < 400):
        if prepared is None:
            ada = world.register("Ada")
            prepared = ada, *valid_request(name, world, ada, private=private)
        owner, path, body = prepared
        caller = world.caller(role, owner)
        answer = caller.send(method.upper(), path, **({} if body is None else {"json": body}))
        found[role] = answer.status_code
        if (answer.status_code < 400 and method != "get") or role == "expired":  # some things last a second
            prepared = None
    return tuple(found[role] for role in ROLES)


def test_the_table_has_a_row_for_every_operation() -> None:
    assert sorted(ACCESS) == sorted(operation["operationId"] for _, _, _, operation in operations())


@pytest.mark.parametrize("name", ACCESS)
def test_an_operation_answers_each_role_as_the_table_says(world: World, name: str) -> None:
    assert statuses(name, ACCESS, world, private=False) == ACCESS[name]


@pytest.mark.parametrize("name", PRIVATE)
def test_a_private_match_is_for_its_players_only(world: World, name: str) -> None:
    assert statuses(name, PRIVATE, world, private=True) == PRIVATE[name]


@pytest.mark.parametrize("private", [False, True])
@pytest.mark.parametrize("role", ["play", "admin", "foreign"])
def test_a_move_in_a_batch_needs_the_same_rights_as_a_single_move(
    world: World, role: str, private: bool
) -> None:
    ada = world.register("Ada")
    path, body = valid_request("play_many_moves", world, ada, private=private)
    (answer,) = world.caller(role, ada).post(path, body).json["answers"]
    table = PRIVATE if private else ACCESS
    assert answer["status"] == table["play_moves"][ROLES.index(role)]


@pytest.mark.parametrize(
    "header",
    ["Bearer", "Bearer ", "Bearer x", "Basic YTpi", "kontor_x", "Bearer kontor_" + "x" * 49, "bearer\tx"],
)
def test_a_malformed_token_is_refused(world: World, header: str) -> None:
    answer = world.anonymous.get("/v1/me", headers={"Authorization": header})
    assert (answer.status_code, answer.headers["WWW-Authenticate"]) == (401, 'Bearer realm="kontor"')


def test_a_token_in_the_query_string_is_refused(world: World) -> None:
    ada = world.register("Ada")
    answer = world.anonymous.get(f"/v1/me?token={ada.token}")
    assert answer.status_code == 401
    assert world.anonymous.get(f"/v1/games?access_token={ada.token}").status_code == 422
