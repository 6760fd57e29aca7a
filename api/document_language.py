"""The language of an HTML document: the requested one, or the browser's first available preference."""

from collections.abc import Collection

from kontor_games.api.page_files import HTML, POLICY
from kontor_games.api.render import Answer
from kontor_games.api.request import ApiRequest
from kontor_games.api.schemas import fields as req
from kontor_games.api.schemas.fields import RequestSchema, one_of
from kontor_games.domain.toolkit.languages import DEFAULT_LANGUAGE, LANGUAGES


class DocumentQuery(RequestSchema):
    """The query parameter for the language of an HTML document."""

    language = req.text(
        "Language of the HTML page. Default: the best match for `Accept-Language`.",
        one_of(*LANGUAGES),
        load_default=None,
    )


def accepted_language(request: ApiRequest, offered: Collection[str]) -> str:
    """Return the first accepted language that is offered; `de-AT` counts as `de` (RFC 4647 lookup)."""
    for tag, quality in request.http.accept_languages:
        primary = tag.partition("-")[0].lower()
        if quality > 0 and primary in offered:
            return primary
    return DEFAULT_LANGUAGE


def document_language(request: ApiRequest) -> str:
    """Return the language of a document for this request."""
    return request.query["language"] or accepted_language(request, LANGUAGES)


def document(page: str, language: str, cache_control: str) -> Answer:
    """Return an HTML response whose Content-Security-Policy allows only files of this service."""
    headers = {"Cache-Control": cache_control, "Content-Security-Policy": POLICY, **in_language(language)}
    return Answer(page.encode(), headers=headers, media_type=HTML)


def in_language(language: str) -> dict[str, str]:
    """The headers of a response in a language that depends on Accept-Language."""
    return {"Content-Language": language, "Vary": "Accept-Language"}
