"""Health checks and metrics for operators, and the API description for authors of clients."""

import os
from functools import cache
from typing import Any

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from kontor_games.api.answers import Health
from kontor_games.api.contract import NOT_MODIFIED, Reply, Routes
from kontor_games.api.document_language import DocumentQuery, document, document_language
from kontor_games.api.page_files import document_file
from kontor_games.api.render import FRESH, NO_STORE, Answer, json_response, public_response
from kontor_games.api.request import ANYONE, ApiRequest
from kontor_games.domain.codec import Plain
from kontor_games.domain.toolkit.languages import DEFAULT_LANGUAGE
from kontor_games.domain.toolkit.messages import Translations
from kontor_games.service.documents.pages import render
from kontor_games.service.documents.texts import texts_in
from kontor_games.service.version import VERSION

routes = Routes("system", __name__, description="Health, metrics and this API description.")
_PAGE = Translations("kontor_games", "web/i18n")
_HEALTHY = Health("ok", VERSION)
_DOCUMENT: dict[str, Any] = {"who": ANYONE, "headers": ("If-None-Match",)}


@routes.get("/healthz", Reply(200, "The process is running.", Health), who=ANYONE, cost="health")
def get_health(request: ApiRequest) -> Answer:
    """Check that this process is running."""
    return json_response(_HEALTHY)


@routes.get(
    "/readyz", Reply(200, "The process is ready.", Health), who=ANYONE, cost="health", problems=(503,)
)
def get_readiness(request: ApiRequest) -> Answer:
    """Check that this process has its database and its signing key; if not, the problem says why."""
    request.kontor.outages.require_beat()
    request.kontor.signer.check()
    return json_response(_HEALTHY)


@routes.get(
    "/metrics",
    Reply(200, "Metrics in the Prometheus text format.", {"type": "string"}, ("text/plain",)),
    who=ANYONE,
    cost="health",
)
def get_metrics(request: ApiRequest) -> Answer:
    """Get the metrics of all processes of this node, in the Prometheus text format."""
    kind, headers = "text/plain; version=0.0.4; charset=utf-8", {"Cache-Control": NO_STORE}
    return Answer(_metrics(), headers=headers, media_type=kind)


def _metrics() -> bytes:
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return generate_latest()
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry)


@routes.get(
    "/openapi.json",
    Reply(200, "This API description.", {"type": "object"}, headers=("ETag",)),
    NOT_MODIFIED,
    **_DOCUMENT,
)
def get_openapi_json(request: ApiRequest) -> Answer:
    """Get this API description as JSON."""
    return public_response(request.http, request.services.description.json)


@routes.get(
    "/openapi.yaml",
    Reply(200, "This API description.", {"type": "string"}, ("application/yaml",), headers=("ETag",)),
    NOT_MODIFIED,
    **_DOCUMENT,
)
def get_openapi_yaml(request: ApiRequest) -> Answer:
    """Get this API description as YAML: the file `openapi.yaml` of the project."""
    return public_response(request.http, request.services.description.yaml, "application/yaml")


@routes.get(
    "/docs",
    Reply(200, "A page for browsers.", {"type": "string"}, ("text/html",)),
    who=ANYONE,
    query=DocumentQuery(),
    headers=("Accept-Language",),
)
def get_docs(request: ApiRequest) -> Answer:
    """Show this API description in a browser."""
    language = document_language(request)
    return document(_page(language), language, FRESH)


@cache
def _page(language: str) -> str:
    """Return the API page in a language; its style and script are separate files."""
    texts = texts_in(language)
    return render(
        "docs.html", texts("docs.title"), language, address="/docs", sheet=document_file("docs.css"),
        script=document_file("docs.js"), words=texts.group("docs."), translations=_translations(language),
    )  # fmt: skip


def _translations(language: str) -> Plain:
    """The translated tags, summaries of operations and titles of problems; empty for English."""
    if language == DEFAULT_LANGUAGE:
        return {"tags": {}, "operations": {}, "problems": {}}
    tags = texts_in(language).group("tag.")
    names = [key.removesuffix(".title") for key in tags if key.endswith(".title")]
    return {
        "tags": {name: [tags[f"{name}.title"], tags[f"{name}.text"]] for name in names},
        "operations": texts_in(language).group("operation."),
        "problems": _PAGE[language].group("refused."),
    }
