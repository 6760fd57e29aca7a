"""Replaces some random requests of the fuzz test by valid ones, so that every operation also succeeds."""

import re
from collections import Counter
from typing import Any
from urllib.parse import parse_qsl

from kontor_games.service.kontor import Kontor
from tests.api.conftest import ApiUser, Clock
from tests.api.valid_requests import World, valid_request

EVERY = 50
"""One request in this many for each operation is replaced, beginning with the first."""
NOT_SENDABLE = frozenset({"get_tile", "get_entries"})
"""A small log has only partial tiles. Their paths have a slash, which no path parameter can contain."""
_PRIVATE_ONLY = frozenset({"renew_link_key"})
_PARAMETER = re.compile(r"\\\{(\w+)\\\}")


class PreparedRequests:
    """Replaces path, body and token of a schemathesis case so that the request must succeed."""

    def __init__(self, kontor: Kontor, client: Any) -> None:
        """`client` sends the requests that create what a valid request needs; they are not counted."""
        self._kontor = kontor
        self._world = World(kontor, Clock(), ApiUser(client))
        self._seen: Counter[str] = Counter()
        self.tokens: dict[str, str] = {}
        """The tokens of prepared cases, by the id of the case."""

    def prepare(self, case: Any, operation: str) -> bool:
        """Replace the case by a valid request if it is one in `EVERY`; return whether it was replaced."""
        self._seen[operation] += 1
        if self._seen[operation] % EVERY != 1 or operation in NOT_SENDABLE:
            return False
        ada = self._world.register("Ada")
        address, body = valid_request(operation, self._world, ada, private=operation in _PRIVATE_ONLY)
        path, _, query = address.partition("?")
        case.path_parameters = parameters_of(case.operation.path, path)
        case.query = dict(parse_qsl(query))
        self.tokens[case.id] = self._token(operation, ada)
        case.headers = {"Authorization": f"Bearer {self.tokens[case.id]}"}
        if case.operation.body:
            case.body, case.media_type = ({} if body is None else body), "application/json"
        return True

    def _token(self, operation: str, ada: ApiUser) -> str:
        if operation == "erase_player":
            return self._kontor.tokens.issue_admin(ada.id, "admin", None).text
        return str(ada.token)


def parameters_of(template: str, path: str) -> dict[str, str]:
    """The parameters of a path: `/v1/matches/{match_id}` and `/v1/matches/7` give `{"match_id": "7"}`."""
    found = re.fullmatch(_PARAMETER.sub(r"(?P<\1>.+?)", re.escape(template)), path)
    return found.groupdict() if found else {}
