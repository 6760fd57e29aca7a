"""Puts a valid request among the random ones of the fuzz, so that every operation also succeeds."""

import re
from collections import Counter
from typing import Any
from urllib.parse import parse_qsl

from kontor_games.service.kontor import Kontor
from tests.api.conftest import Clock, Someone
from tests.api.good_requests import World, requested

EVERY = 50
"""Of so many requests for an operation one is prepared, the first of them included."""
NOT_SENDABLE = frozenset({"get_tile", "get_entries"})
"""A small log has partial tiles only; their paths have a slash, which no parameter of a contract can hold."""
_PRIVATE_ONLY = frozenset({"renew_link_key"})
_PARAMETER = re.compile(r"\\\{(\w+)\\\}")


class PreparedRequests:
    """Gives a case of schemathesis a path, a body and a token with which it must succeed."""

    def __init__(self, kontor: Kontor, client: Any) -> None:
        """`client` sends the requests that prepare others; they are not counted."""
        self._kontor = kontor
        self._world = World(kontor, Clock(), Someone(client))
        self._asked: Counter[str] = Counter()
        self.tokens: dict[str, str] = {}
        """The tokens of prepared cases, by the id of the case."""

    def prepare(self, case: Any, operation: str) -> bool:
        """Make a case one that succeeds, if it is its turn; return whether it was."""
        self._asked[operation] += 1
        if self._asked[operation] % EVERY != 1 or operation in NOT_SENDABLE:
            return False
        ada = self._world.registered("Ada")
        address, body = requested(operation, self._world, ada, private=operation in _PRIVATE_ONLY)
        path, _, query = address.partition("?")
        case.path_parameters = parameters_of(case.operation.path, path)
        case.query = dict(parse_qsl(query))
        self.tokens[case.id] = self._token(operation, ada)
        case.headers = {"Authorization": f"Bearer {self.tokens[case.id]}"}
        if case.operation.body:
            case.body, case.media_type = ({} if body is None else body), "application/json"
        return True

    def _token(self, operation: str, ada: Someone) -> str:
        if operation == "erase_player":
            return self._kontor.tokens.issue_admin(ada.id, "admin", None).text
        return str(ada.token)


def parameters_of(template: str, path: str) -> dict[str, str]:
    """The parameters of a path: `/v1/matches/{match_id}` and `/v1/matches/7` give `{"match_id": "7"}`."""
    found = re.fullmatch(_PARAMETER.sub(r"(?P<\1>.+?)", re.escape(template)), path)
    return found.groupdict() if found else {}
