"""OpenAPI links between operations, by which clients and fuzzers get from a new match to its last move."""

from typing import Any

_BODY_ID = "$response.body#/id"
_HERE = "$request.path.match_id"
_SIZE = "$response.body#/checkpoints/0/size"


def _link(operation: str, description: str, **parameters: str) -> dict[str, Any]:
    return {"operationId": operation, "parameters": parameters, "description": description}


def _to(operation: str, description: str, match: str = _BODY_ID, **more: Any) -> dict[str, Any]:
    parameters = {"match_id": match, **more.pop("parameters", {})}
    return {"operationId": operation, "description": description, "parameters": parameters, **more}


_VERSION = {"version": "$response.body#/version"}
_FIRST_MOVE = {
    "requestBody": "$response.body#/legal_moves/0",
    "parameters": {"If-Match": "$response.header.ETag"},
}
"""The If-Match header with the version of the answer."""


def _onward(match: str) -> dict[str, Any]:
    """The operations that can follow when a match is read."""
    return {
        "look": _to("get_match", "View the match.", match),
        "look_back": _to("get_match", "View the match at this version.", match, parameters=_VERSION),
        "move": _to("play_moves", "Make the first legal move.", match, **_FIRST_MOVE),
        "events": _to("list_events", "Read the facts of the match.", match),
        "positions": _to("list_positions", "Read the positions of the match.", match),
        "resign": _to("resign_match", "Resign from the match.", match),
        "abort": _to("abort_match", "Abort the match.", match),
        "branch": _to(
            "branch_match", "Create a match that starts in this position.", match, requestBody=_VERSION
        ),
        "export": _to("export_match", "Export the match as one verifiable file.", match),
    }


def _table(match: str) -> dict[str, Any]:
    """The operations that can follow before the start of a match."""
    return {
        "join": _to("join_match", "Join the match.", match),
        "leave": _to("leave_match", "Leave the seat.", match),
        "start": _to("start_match", "Start the match.", match),
        "open": _to("open_contribution", "Open a sealed contribution.", match),
    }


LINKS: dict[str, dict[str, Any]] = {
    "register_player": {"look": _link("get_player", "View the player.", player_id=_BODY_ID)},
    "create_token": {"revoke": _link("revoke_token", "Revoke the token.", token_id=_BODY_ID)},
    "get_game": {
        "data_set": _link(
            "get_data_set",
            "View the first data set of the game.",
            game_id="$request.path.game_id",
            data_set="$response.body#/data_sets/0/name",
        )
    },
    "create_match": _table(_BODY_ID) | _onward(_BODY_ID),
    "branch_match": _onward(_BODY_ID),
    "list_checkpoints": {
        "consistency": _link(
            "prove_consistency", "Prove that one tree extends another.", first=_SIZE, second=_SIZE
        ),
        "keys": _link("prove_keys", "Prove which keys are in the tree.", size=_SIZE),
    },
    "list_matches": {
        "look": _to("get_match", "View the newest match.", "$response.body#/matches/0/id"),
        "join": _to("join_match", "Join the newest match.", "$response.body#/matches/0/id"),
    },
    "get_match": _onward(_BODY_ID),
    "join_match": _table(_HERE) | _onward(_HERE),
    "leave_match": {"join": _to("join_match", "Join the match again.", _HERE)},
    "open_contribution": _onward(_HERE),
    "start_match": _onward(_HERE),
    "resign_match": {"look": _to("get_match", "View the match.", _HERE)},
    "abort_match": {"look": _to("get_match", "View the match.", _HERE)},
    "play_moves": _onward(_HERE),
    "list_events": {
        "more": _to(
            "list_events", "Read the next page.", _HERE, parameters={"after": "$response.body#/next"}
        ),
    },
    "list_positions": {
        "more": _to(
            "list_positions", "Read the next positions.", _HERE, parameters={"from": "$response.body#/next"}
        ),
    },
    "list_my_events": {
        "more": _link("list_my_events", "Read the next page.", after="$response.body#/next"),
        "look": _to("get_match", "View the first of your matches.", "$response.body#/matches/0/id"),
    },
}
