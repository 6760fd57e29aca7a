"""An operator who manipulates moves, receipts and exports: the client detects it."""

from collections.abc import Callable
from threading import Timer
from typing import Any

import msgspec
import pytest

from kontor_client import Kontor, Match, UntrustedServiceError
from kontor_games.service.errors import StaleVersionError
from kontor_games.service.matches.use_cases import Call
from kontor_games.service.people.tokens import Caller
from tests.client.dishonest_service.cheating_operator import Operator
from tests.client.tables import GAMES, create_bot_match
from tests.support.forging import Lines, drop, forge
from tests.support.waiting import wait_until

GAME = GAMES[-1]


def play_one_move_and_resign(player: Kontor, match: Match) -> None:
    for turn in player.turns(match.id):
        player.play(turn.id, turn.legal_moves[-1])
        player.resign(turn.id)


@pytest.fixture(params=["ada", "ben"])
def player(request: pytest.FixtureRequest) -> Kontor:
    """Ada, who does not sign, and Ben, who does."""
    client: Kontor = request.getfixturevalue(request.param)
    return client


def test_a_service_that_makes_another_move_is_caught(operator: Operator, player: Kontor) -> None:
    match = create_bot_match(player, GAME)

    def make_another(play: Any, call: Any, match_id: str, _: Any) -> Any:
        return play(call, match_id, [operator.legal_moves(call, match_id)[0]])

    operator.ignore_signatures()
    operator.on_moves(make_another)
    with pytest.raises(UntrustedServiceError, match="Your command `play` is not at version"):
        play_one_move_and_resign(player, match)


def test_a_service_that_drops_a_move_is_caught(operator: Operator, player: Kontor) -> None:
    """It gives a receipt for the move, and exports the match without it."""
    match = create_bot_match(player, GAME)

    def drop_last_move(lines: Lines) -> None:
        moves = [line for line in lines if line.get("command", {}).get("type") == "play"]
        drop(lines, moves[-1]["version"])

    operator.change_export(lambda content: forge(content, drop_last_move, operator.signer))
    with pytest.raises(UntrustedServiceError, match="is not the history that the service signed"):
        play_one_move_and_resign(player, match)


def test_a_service_that_only_pretends_to_make_a_move_is_caught(operator: Operator, player: Kontor) -> None:
    """It answers a second move with the receipt for the first."""
    match = create_bot_match(player, GAME)
    answers: list[Any] = []

    def pretend(play: Any, *given: Any) -> Any:
        answers.append(answers[0] if answers else play(*given))
        return answers[-1]

    operator.on_moves(pretend)
    turn = next(player.turns(match.id))
    player.play(match.id, turn.legal_moves[-1])
    player.play(match.id, turn.legal_moves[-1])
    with pytest.raises(UntrustedServiceError, match="Your command `play` is not at version"):
        player.resign(match.id)


def test_a_service_that_refuses_a_move_and_makes_it_is_caught(operator: Operator, ben: Kontor) -> None:
    """The client signs the move again, so that it would be made twice."""
    match = create_bot_match(ben, GAME)
    refused: list[bool] = []

    def refuse_first(play: Any, call: Any, match_id: str, moves: Any) -> Any:
        answer = play(call, match_id, moves)
        if not refused:
            refused.append(True)
            wait_until(lambda: operator.legal_moves(call, match_id))  # until the bots have moved
            raise StaleVersionError(call.if_version, answer.position.version)
        return answer

    operator.on_moves(refuse_first)
    with pytest.raises(UntrustedServiceError, match="executed a command `play` that it had refused"):
        play_one_move_and_resign(ben, match)


def test_a_service_that_moves_in_a_players_name_is_caught(operator: Operator, ben: Kontor) -> None:
    match = create_bot_match(ben, GAME)
    operator.ignore_signatures()
    turn = next(ben.turns(match.id))
    caller = Caller(ben.me().id, bot=True, scopes=frozenset(), token="")
    operator.kontor.matches.play(Call(caller), match.id, [turn.legal_moves[0]])
    with pytest.raises(UntrustedServiceError, match="a command `play` that you did not sign, at version"):
        ben.resign(match.id)


@pytest.mark.parametrize("name", ["head", "version", "match"])
def test_a_receipt_for_something_else_is_refused_at_once(
    operator: Operator, player: Kontor, name: str
) -> None:
    match = create_bot_match(player, GAME)
    other = {"head": "0" * 64, "version": 1, "match": "00000000-0000-0000-0000-000000000000"}

    def lie(play: Any, *given: Any) -> Any:
        answer = play(*given)
        receipt = msgspec.structs.replace(answer.receipt, **{name: other[name]})
        return msgspec.structs.replace(answer, receipt=receipt)

    operator.on_moves(lie)
    with pytest.raises(UntrustedServiceError, match="does not match its answer to the command"):
        play_one_move_and_resign(player, match)


def test_a_receipt_with_a_wrong_signature_is_refused_at_once(operator: Operator, player: Kontor) -> None:
    match = create_bot_match(player, GAME)

    def lie(play: Any, *given: Any) -> Any:
        answer = play(*given)
        receipt = msgspec.structs.replace(answer.receipt, at=answer.receipt.at + 1)
        return msgspec.structs.replace(answer, receipt=receipt)

    operator.on_moves(lie)
    with pytest.raises(UntrustedServiceError, match="on the receipt for a command is wrong"):
        play_one_move_and_resign(player, match)


@pytest.mark.parametrize("flow", ["match", "turns", "events", "my_events"])
def test_a_forged_export_is_detected_however_the_client_learns_of_the_end(
    operator: Operator, ada: Kontor, flow: str
) -> None:
    """The match ends while the client is only reading, and the export is forged."""
    match = create_bot_match(ada, GAME)
    token = ada.connection.token
    operator.change_export(lambda content: content.replace(b'"at":1', b'"at":2'))
    follow: dict[str, Callable[[], object]] = {
        "match": lambda: ada.match(match.id),
        "turns": lambda: list(ada.turns(match.id)),
        "events": lambda: list(ada.events(match.id)),
        "my_events": lambda: list(ada.my_events()),
    }
    end = Timer(0.5, lambda: Kontor(operator.url, token, check_deals=False).resign(match.id))
    end.start()
    if flow in ("match", "turns"):
        end.join()
    with pytest.raises(UntrustedServiceError, match="does not match its record"):
        follow[flow]()
    end.join()
