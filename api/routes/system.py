"""For operators and authors of clients: health, measures, and the contract itself."""

import hashlib
import json
from base64 import b64encode
from functools import cache
from importlib.resources import files
from typing import Any

from flask import Response, current_app, request

from kontor_games.api import response_schemas as schemas
from kontor_games.api import telemetry
from kontor_games.api.contract import ANYONE, Reply, Routes
from kontor_games.api.render import json_response
from kontor_games.api.request import ApiRequest

routes = Routes("system", __name__, description="For operators, and for authors of clients.")
_PUBLIC = "public, max-age=300"
_CACHED = Reply(304, "You have it already.", headers=("ETag",))
_DOCUMENT: dict[str, Any] = {"who": ANYONE, "cost": None, "headers": ("If-None-Match",)}


@routes.get("/healthz", Reply(200, "The process lives.", schemas.Health), who=ANYONE, cost=None)
def get_health(call: ApiRequest) -> Response:
    """Tells whether this process lives."""
    return json_response({"status": "ok"})


@routes.get("/readyz", Reply(200, "The service can serve.", schemas.Health), who=ANYONE, cost=None, problems=(503,))
def get_readiness(call: ApiRequest) -> Response:
    """Tells whether this process reaches its database."""
    call.kontor.database.read("SELECT 1 AS one")
    return json_response({"status": "ok"})


@routes.get("/metrics", Reply(200, "Measures for Prometheus.", {"type": "string"}, ("text/plain",)), who=ANYONE, cost=None)
def get_metrics(call: ApiRequest) -> Response:
    """Gives the measures of all processes of this node, in Prometheus' text format."""
    response = Response(telemetry.metrics(), content_type="text/plain; version=0.0.4; charset=utf-8")
    response.headers["Cache-Control"] = "no-store"
    return response


@routes.get("/openapi.json", Reply(200, "This contract.", {"type": "object"}, headers=("ETag",)), _CACHED, **_DOCUMENT)
def get_openapi_json(call: ApiRequest) -> Response:
    """Gives this contract as JSON."""
    return _document(json.dumps(current_app.extensions["kontor.openapi"](), indent=1), "application/json")


@routes.get(
    "/openapi.yaml", Reply(200, "This contract.", {"type": "string"}, ("application/yaml",), headers=("ETag",)), _CACHED, **_DOCUMENT
)
def get_openapi_yaml(call: ApiRequest) -> Response:
    """Gives this contract as YAML: the file `openapi.yaml` of the project."""
    return _document(current_app.extensions["kontor.openapi.yaml"](), "application/yaml")


@routes.get("/docs", Reply(200, "A page for people.", {"type": "string"}, ("text/html",)), who=ANYONE, cost=None)
def get_docs(call: ApiRequest) -> Response:
    """Shows this contract in a browser."""
    page, policy = _page()
    response = Response(page, content_type="text/html; charset=utf-8")
    response.headers["Cache-Control"] = _PUBLIC
    response.headers["Content-Security-Policy"] = policy
    return response


def _document(text: str, media_type: str) -> Response:
    response = Response(text, content_type=media_type)
    response.set_etag(hashlib.sha256(text.encode()).hexdigest()[:16])
    response.headers["Cache-Control"] = _PUBLIC
    response.make_conditional(request.environ)
    return response


@cache
def _page() -> tuple[str, str]:
    """The page with its script and style inside, and the policy that lets exactly these two run."""
    folder = files("kontor_games.api.docs")
    script, style = (folder.joinpath(name).read_text(encoding="utf-8") for name in ("docs.js", "docs.css"))
    page = folder.joinpath("docs.html").read_text(encoding="utf-8").replace("/*STYLE*/", style).replace("/*SCRIPT*/", script)
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
        "connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return page, policy


def _hash(text: str) -> str:
    return "sha256-" + b64encode(hashlib.sha256(text.encode()).digest()).decode()
