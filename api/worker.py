"""The worker of gunicorn for this application."""

import time
from collections.abc import Mapping
from functools import partial
from typing import Any

from kontor_games.api import prepare
from kontor_games.api.door import SECURITY_HEADERS, record_request
from kontor_games.api.problems import MEDIA_TYPE, TooManyConnectionsError, http_problem, problem_of
from kontor_games.api.render import JSON, NO_STORE, encode, moment
from kontor_games.api.request import request_id
from kontor_games.api.server.hooks import ServerHooks
from kontor_games.api.server.plain_request import find_header
from kontor_games.api.server.worker import PatientWorker
from kontor_games.api.shared_moves import answer_sibling
from kontor_games.service.kontor import Kontor

_UNAVAILABLE = 503


class KontorWorker(PatientWorker):
    """The worker of gunicorn, set up with the operations and streams of this application."""

    @classmethod
    def prepare(cls) -> None:
        """Load all modules and build the routes before gunicorn forks."""
        prepare()

    @classmethod
    def hooks_of(cls, application: Any) -> ServerHooks:
        """What the worker needs from the application besides WSGI."""
        return server_hooks(application.kontor)


def server_hooks(kontor: Kontor) -> ServerHooks:
    """What the worker needs from a service."""
    settings = kontor.settings
    return ServerHooks(
        may_wait,
        render_error,
        record,
        kontor.feed.end_waits,
        partial(kontor.siblings.join, partial(answer_sibling, kontor)),
        kontor.close,
        settings.body_limit,
        settings.connections_per_address,
        settings.streams,
        settings.trust_proxy,
    )


def may_wait(head: bytes) -> bool:
    """Whether the request with this head may be a stream or a long poll; there are no false negatives."""
    path, _, query = head[: head.find(b"\r\n")].partition(b"?")
    if b"/events" not in path:
        return False
    return b"wait" in query or find_header(head, "Accept") not in ("", "*/*", JSON)


def render_error(status: int, detail: str) -> tuple[bytes, Mapping[str, str]]:
    """The problem for a request that the worker refuses, and its headers."""
    if status == _UNAVAILABLE:
        problem = problem_of(TooManyConnectionsError(detail))
    else:
        problem = http_problem(status, detail)
    headers = {"Content-Type": MEDIA_TYPE, "Cache-Control": NO_STORE, **problem.headers}
    return encode(problem.body("/")), headers | dict(SECURITY_HEADERS)


def record(status: int, given_id: str) -> Mapping[str, str]:
    """Count and log a response of the worker; return the headers that all responses have."""
    used_id = request_id(given_id)
    record_request("none", status, 0.0, used_id)
    return {"Request-Id": used_id, "Server-Time": moment(time.time_ns() // 1_000_000)}
