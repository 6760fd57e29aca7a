"""The HTTP layer: parses each request, calls one service method, and renders the response."""

import json
import os
import traceback
from functools import cache, partial
from types import TracebackType
from typing import TYPE_CHECKING, Any

import structlog
from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

from kontor_games.api.middleware import Middleware
from kontor_games.api.openapi import contract_of, document_of, write_yaml
from kontor_games.api.path_converters import CONVERTERS
from kontor_games.api.routes import (
    events,
    games,
    log,
    matches,
    moves,
    page,
    players,
    ratings,
    replays,
    seeks,
    system,
    tokens,
    tournaments,
    trust,
)
from kontor_games.api.server.hooks import ServerHooks
from kontor_games.api.shared_moves import answer_sibling
from kontor_games.api.streams import Pace
from kontor_games.service.kontor import Kontor, load_games
from kontor_games.service.logging_setup import set_up_logging
from kontor_games.service.settings import Settings

if TYPE_CHECKING:
    from kontor_games.service.tracing import Tracing

__all__ = ["create_app", "describe", "prepare"]

_RESOURCES = (
    players,
    tokens,
    games,
    matches,
    moves,
    events,
    replays,
    ratings,
    seeks,
    tournaments,
    trust,
    log,
    page,
    system,
)


class Application(Flask):
    """Flask, with crashes logged without the text of the exception, which may name a hidden card."""

    def log_exception(
        self, exc_info: tuple[type, BaseException, TracebackType] | tuple[None, None, None]
    ) -> None:
        """Log the type of the exception and where it was raised."""
        kind, _, trace = exc_info
        places = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(trace)]
        structlog.get_logger("kontor_games.api").error("crash", error=kind and kind.__name__, trace=places)


def create_app(
    kontor: Kontor | None = None, pace: Pace | None = None, tracing: "Tracing | None" = None
) -> Flask:
    """Create the application.

    Without a service, one is created from the environment variables and started.
    """
    if kontor is None:
        kontor = Kontor(Settings.from_environ(os.environ))
        set_up_logging(kontor.settings)
        if kontor.settings.traces:
            from kontor_games.service.tracing import Tracing  # loads OpenTelemetry

            tracing = Tracing.from_environment()
        kontor.start()
        kontor.watch()
    if tracing is not None:
        tracing.watch(kontor)
    app = _PREPARED.pop() if _PREPARED else _application()
    app.config["MAX_CONTENT_LENGTH"] = kontor.settings.body_limit
    app.extensions["kontor.pace"] = pace or Pace()
    app.extensions["kontor.server"] = _hooks(kontor)
    kontor.siblings.answer = partial(answer_sibling, kontor)
    direct = [operation for resource in _RESOURCES for operation in resource.routes.direct]
    app.wsgi_app = Middleware(app.wsgi_app, kontor, direct)  # type: ignore[method-assign]
    if tracing is not None:
        from kontor_games.api.tracing import TracingMiddleware  # loads OpenTelemetry

        app.wsgi_app = TracingMiddleware(app.wsgi_app, tracing)  # type: ignore[method-assign]
    if kontor.settings.trust_proxy:
        hops = kontor.settings.trust_proxy
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=hops, x_proto=hops, x_host=0)  # type: ignore[method-assign]
    return app


_PREPARED: list[Flask] = []
"""Applications without a service, built before gunicorn forks its workers."""


def prepare() -> None:
    """Load and build everything that does not depend on settings, so that forked processes start faster."""
    load_games()
    _PREPARED.append(_application())


def _hooks(kontor: Kontor) -> ServerHooks:
    settings = kontor.settings
    return ServerHooks(
        kontor.feed.end_waits,
        kontor.siblings.join,
        kontor.close,
        settings.body_limit,
        settings.connections_per_address,
        settings.streams,
        settings.trust_proxy,
    )


def _application() -> Flask:
    """The application with its routes and error handlers, without a service."""
    app = Application(__name__, static_folder=None)
    app.url_map.converters |= CONVERTERS
    app.url_map.strict_slashes = True
    app.url_map.merge_slashes = False
    contract = contract_of(app)
    for kind in CONVERTERS.values():
        contract.register_converter(kind, lambda _, schema=kind.schema: dict(schema))
    for resource in _RESOURCES:
        contract.register_blueprint(resource.routes)
    app.extensions["kontor.openapi"] = cache(partial(document_of, contract))
    document = app.extensions["kontor.openapi"]
    app.extensions["kontor.openapi.json"] = cache(lambda: json.dumps(document(), indent=1).encode())
    app.extensions["kontor.openapi.yaml"] = cache(lambda: write_yaml(document()).encode())
    return app


def describe() -> dict[str, Any]:
    """Return the OpenAPI document; this needs no running service."""
    document: dict[str, Any] = _application().extensions["kontor.openapi"]()
    return document
