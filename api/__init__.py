"""The HTTP layer: parses each request, calls one service method, and renders the response."""

import os
from typing import TYPE_CHECKING, Any

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

from kontor_games.api import mcp
from kontor_games.api.door import Door
from kontor_games.api.openapi import Description, contract_of
from kontor_games.api.path_converters import CONVERTERS
from kontor_games.api.request import Services
from kontor_games.api.routes import (
    agents,
    calls,
    conduct,
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
from kontor_games.api.streams import Pace
from kontor_games.service.kontor import Kontor, load_games
from kontor_games.service.logging_setup import set_up_logging
from kontor_games.service.settings import Settings

if TYPE_CHECKING:
    from kontor_games.service.tracing import Tracing

__all__ = ["create_app", "describe", "prepare"]

_RESOURCES = (
    players,
    calls,
    tokens,
    games,
    matches,
    moves,
    events,
    replays,
    conduct,
    ratings,
    seeks,
    tournaments,
    trust,
    log,
    page,
    agents,
    system,
)


class Application(Flask):
    """The Flask application with all routes and their contract, without a service."""

    kontor: Kontor
    """The service, for the worker of gunicorn."""

    def __init__(self) -> None:
        super().__init__(__name__, static_folder=None)
        self.url_map.converters |= CONVERTERS
        self.url_map.strict_slashes = True
        self.url_map.merge_slashes = False
        contract = contract_of(self)
        for kind in CONVERTERS.values():
            contract.register_converter(kind, lambda _, schema=kind.schema: dict(schema))
        for resource in _RESOURCES:
            contract.register_blueprint(resource.routes)
        self.responders = dict(one for resource in _RESOURCES for one in resource.routes.responders.items())
        """What answers the requests to each endpoint."""
        answers = [one for responder in self.responders.values() for one in responder.answers]
        self.add_url_rule(mcp.PATH, "mcp", methods=["POST"], provide_automatic_options=False)
        self.responders["mcp"] = mcp.MCP
        self.description = Description(contract, answers)


def create_app(
    kontor: Kontor | None = None, pace: Pace | None = None, tracing: "Tracing | None" = None
) -> Application:
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
    spans = None
    if tracing is not None:
        from kontor_games.api.tracing import RequestSpans  # loads OpenTelemetry

        tracing.watch(kontor)
        spans = RequestSpans(tracing)
    app = _PREPARED.pop() if _PREPARED else Application()
    app.kontor = kontor
    services = Services(kontor, pace or Pace(), app.description)
    app.wsgi_app = Door(app, app.responders, services, spans)  # type: ignore[method-assign]
    if kontor.settings.trust_proxy:
        hops = kontor.settings.trust_proxy
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=hops, x_proto=hops, x_host=0)  # type: ignore[method-assign]
    return app


_PREPARED: list[Application] = []
"""Applications without a service, built before gunicorn forks its workers."""


def prepare() -> None:
    """Load and build everything that does not depend on settings, so that forked processes start faster."""
    load_games()
    _PREPARED.append(Application())


def describe() -> dict[str, Any]:
    """Return the OpenAPI document; this needs no running service."""
    return Application().description.document
