"""The documents besides the page: every value is escaped, and a missing one is an error."""

import pytest
from jinja2 import UndefinedError

from kontor_games.service.documents.pages import policy_of, render, style_of

HOSTILE = '<script>alert("1")</script>'


def docs(title: str, **values: object) -> str:
    given: dict[str, object] = {"script": "docs.js", "words": {}, "translations": {}, **values}
    return render("docs.html", title, **given)  # type: ignore[arg-type]


def test_every_value_is_escaped_in_text_attributes_and_json() -> None:
    page = docs(HOSTILE, script=f'"{HOSTILE}', words={"title": HOSTILE}, address="/docs", sheet=HOSTILE)
    assert page.count("alert") == 5
    assert "<script>" not in page


def test_a_missing_value_is_an_error() -> None:
    with pytest.raises(UndefinedError, match="'made' is undefined"):
        render("fairness.html", "Fairness")


def test_a_document_without_a_service_has_its_own_style_and_no_links() -> None:
    page = docs("Title")
    assert f"<style>{style_of()}</style>" in page
    assert policy_of(style_of()).replace("'", "&#39;") in page
    assert '<nav aria-label="Main">' not in page


def test_a_document_of_a_service_links_to_itself_in_every_language() -> None:
    page = docs("Title", address="/docs", sheet="/documents.css", language="de")
    assert '<link rel="stylesheet" href="/documents.css">' in page
    assert "<style>" not in page
    assert page.count('hreflang="') == 5
    assert page.count('aria-current="page"') == 2
