"""OpenAPI links between operations: clients and fuzzers can follow them from a new match to its last move."""

from typing import Any

_BODY_ID = "$response.body#/id"
_PATH_ID = "$request.path.match_id"
_SIZE = "$response.body#/checkpoints/0/size"


def _link(operation: str, description: str, **parameters: str) -> dict[str, Any]:
    return {"operationId": operation, "parameters": parameters, "description": description}


def _match_link(operation: str, description: str, match: str = _BODY_ID, **more: Any) -> dict[str, Any]:
    parameters = {"match_id": match, **more.pop("parameters", {})}
    return {"operationId": operation, "description": description, "parameters": parameters, **more}


_VERSION = {"version": "$response.body#/version"}
_FIRST_MOVE = {
    "requestBody": "$response.body#/legal_moves/0",
    "parameters": {"If-Match": "$response.header.ETag"},
}
"""The first legal move of the response, sent only if the match is still at the version of the response."""


def _match_links(match: str) -> dict[str, Any]:
    """Links to the operations that can follow a response which contains a match."""
    return {
        "view": _match_link("get_match", "View the match.", match),
        "view_at_version": _match_link(
            "get_match", "View the match at this version.", match, parameters=_VERSION
        ),
        "move": _match_link("play_moves", "Make the first legal move.", match, **_FIRST_MOVE),
        "dry_run": _match_link("dry_run_moves", "Try the first legal move.", match, **_FIRST_MOVE),
        "events": _match_link("list_events", "Read the facts of the match.", match),
        "positions": _match_link("list_positions", "Read the positions of the match.", match),
        "resign": _match_link("resign_match", "Resign from the match.", match),
        "abort": _match_link("abort_match", "Abort the match.", match),
        "export": _match_link("export_match", "Export the match as one verifiable file.", match),
    }


def _seating_links(match: str) -> dict[str, Any]:
    """Links to the operations that are possible before a match starts."""
    return {
        "join": _match_link("join_match", "Join the match.", match),
        "leave": _match_link("leave_match", "Leave the seat.", match),
        "start": _match_link("start_match", "Start the match.", match),
        "open": _match_link("open_contribution", "Open a sealed contribution.", match),
    }


LINKS: dict[str, dict[str, Any]] = {
    "register_player": {"view": _link("get_player", "View the player.", player_id=_BODY_ID)},
    "create_token": {"revoke": _link("revoke_token", "Revoke the token.", token_id=_BODY_ID)},
    "get_game": {
        "data_set": _link(
            "get_data_set",
            "View the first data set of the game.",
            game_id="$request.path.game_id",
            data_set="$response.body#/data_sets/0/name",
        )
    },
    "create_match": _seating_links(_BODY_ID) | _match_links(_BODY_ID),
    "branch_match": _match_links(_BODY_ID),
    "list_checkpoints": {
        "consistency": _link(
            "prove_consistency", "Prove that one tree extends another.", first=_SIZE, second=_SIZE
        ),
        "keys": _link("prove_keys", "Prove which keys are in the tree.", size=_SIZE),
    },
    "list_matches": {
        "view": _match_link("get_match", "View the newest match.", "$response.body#/matches/0/id"),
        "join": _match_link("join_match", "Join the newest match.", "$response.body#/matches/0/id"),
    },
    "get_match": _match_links(_BODY_ID),
    "join_match": _seating_links(_PATH_ID) | _match_links(_PATH_ID),
    "leave_match": {"join": _match_link("join_match", "Join the match again.", _PATH_ID)},
    "open_contribution": _match_links(_PATH_ID),
    "start_match": _match_links(_PATH_ID),
    "resign_match": {"view": _match_link("get_match", "View the match.", _PATH_ID)},
    "abort_match": {"view": _match_link("get_match", "View the match.", _PATH_ID)},
    "play_moves": _match_links(_PATH_ID),
    "list_events": {
        "more": _match_link(
            "list_events", "Read the next page.", _PATH_ID, parameters={"after": "$response.body#/next"}
        ),
    },
    "list_positions": {
        "more": _match_link(
            "list_positions",
            "Read the next positions.",
            _PATH_ID,
            parameters={"from": "$response.body#/next"},
        ),
    },
    "list_my_events": {
        "more": _link("list_my_events", "Read the next page.", after="$response.body#/next"),
        "view": _match_link("get_match", "View the first of your matches.", "$response.body#/matches/0/id"),
    },
}
