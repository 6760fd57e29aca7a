"""A match played with the client that openapi-python-client generates (`kontor_api_client`)."""

import random
import sys
from typing import TypeVar
from uuid import uuid4

from kontor_api_client import AuthenticatedClient, Client
from kontor_api_client.api.events import list_events
from kontor_api_client.api.games import get_game
from kontor_api_client.api.matches import create_match, get_match
from kontor_api_client.api.moves import play_moves
from kontor_api_client.api.players import register_player
from kontor_api_client.models.command_answer import CommandAnswer
from kontor_api_client.models.game_details import GameDetails
from kontor_api_client.models.match import Match
from kontor_api_client.models.match_request import MatchRequest
from kontor_api_client.models.move import Move
from kontor_api_client.models.move_answer import MoveAnswer
from kontor_api_client.models.player_request import PlayerRequest
from kontor_api_client.models.problem import Problem
from kontor_api_client.models.registered import Registered
from kontor_api_client.models.seat_request import SeatRequest
from kontor_api_client.models.seat_request_type import SeatRequestType

T = TypeVar("T")


def expect_type(kind: type[T], answer: object) -> T:
    """Return the answer if it has the expected type; raise TypeError otherwise."""
    if not isinstance(answer, kind):
        raise TypeError(f"not {kind.__name__}: {answer!r}")
    return answer


def main(url: str, game: str) -> None:
    """Register, play a match to its end, and print the result."""
    ada = expect_type(
        Registered, register_player.sync(client=Client(url), body=PlayerRequest(name="Ada", bot=True))
    )
    kontor = AuthenticatedClient(url, ada.token)
    rules = expect_type(GameDetails, get_game.sync(game, client=kontor))
    rivals = [SeatRequest(SeatRequestType.BOT, bot="random")] * (min(rules.seats) - 1)
    now: Match | CommandAnswer | MoveAnswer = expect_type(
        CommandAnswer,
        create_match.sync(client=kontor, body=MatchRequest(game, [SeatRequest(SeatRequestType.ME), *rivals])),
    )
    moves = 0
    while now.status == "running":
        if now.you in now.to_act:
            listed = [move.to_dict() for move in now.legal_moves]
            move = Move.from_dict(random.choice([move for move in listed if "schema" not in move]))
            key, version = str(uuid4()), f'"{now.version}"'
            answer = play_moves.sync(now.id, client=kontor, body=move, idempotency_key=key, if_match=version)
            if isinstance(answer, Problem) and answer.status == 412:  # another player acted in between
                now = expect_type(Match, get_match.sync(now.id, client=kontor))
            else:
                now = expect_type(MoveAnswer, answer)
                moves += 1
        else:
            list_events.sync(now.id, client=kontor, after=now.version, wait=2)
            now = expect_type(Match, get_match.sync(now.id, client=kontor))
    result = now.result
    print(f"{moves} moves, {now.status}: {result and result.reason}, places {result and result.places}")  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:])
