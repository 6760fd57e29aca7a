"""The common parts of documents besides the page: style, header, footer, tables, Content-Security-Policy."""

import hashlib
from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from html import escape
from importlib.resources import files

from kontor_games.domain.toolkit.languages import DEFAULT_LANGUAGE
from kontor_games.service.documents.texts import LANGUAGE_NAMES, texts_in

_SHEETS = ("styles/base.css", "styles/frame.css", "boards/seats.css")
_LINKS = {
    "/#/lobby": "frame.matches",
    "/#/tournaments": "frame.tournaments",
    "/#/players": "frame.players",
    "/#/check": "frame.check",
    "/v1/fairness": "frame.fairness",
    "/docs": "frame.api",
}
"""The links in the header, and their names."""
_IS_CURRENT = ' aria-current="page"'
_BODY_STYLE = "body { min-height: 100vh; display: flex; flex-direction: column; }\n"


def _web(name: str) -> str:
    return files("kontor_games").joinpath("web", name).read_text(encoding="utf-8")


@cache
def style_of(own: str) -> str:
    """Return the style of a document: that of the page, and its own."""
    gables = b64encode(_web("styles/gables.svg").encode()).decode()
    shared = "".join(map(_web, _SHEETS)).replace(
        'url("gables.svg")', f'url("data:image/svg+xml;base64,{gables}")'
    )
    return shared + _BODY_STYLE + own


@cache
def policy_of(style: str) -> str:
    """Return the Content-Security-Policy of a self-contained page: it allows its style and nothing else."""
    digest = b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return (
        f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; form-action 'none'"
    )


def site_header(current: str | None, language: str = DEFAULT_LANGUAGE, *, translated: bool = False) -> str:
    """Return the header; `current` is the address of the document, or None if it belongs to no service.

    A document that is `translated` links to itself in every language.
    """
    drawing = _web("styles/icon.svg").partition(">")[2]
    icon = f'<svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">{drawing}'
    if current is None:
        return f'<header class="site"><p class="brand">{icon}Kontor</p></header>\n'
    say = texts_in(language)
    links = " ".join(_link(address, say(name), current, language) for address, name in _LINKS.items())
    return (
        f'<a class="skip" href="#content">{say("frame.skip")}</a>\n'
        f'<header class="site"><a class="brand" href="/">{icon}Kontor</a>\n'
        f'<nav aria-label="{say("frame.nav")}">{links}</nav>'
        f"{_languages(language) if translated else ''}</header>\n"
    )


def _link(address: str, name: str, current: str, language: str) -> str:
    here = _IS_CURRENT if address == current else ""
    kept = "" if "#" in address else f"?language={language}"
    return f'<a href="{escape(address)}{kept}"{here}>{escape(name)}</a>'


def _languages(current: str) -> str:
    """Links to the document in every language."""
    links = " ".join(
        f'<a href="?language={code}" lang="{code}" hreflang="{code}"'
        f"{_IS_CURRENT if code == current else ''}>{name}</a>"
        for code, name in LANGUAGE_NAMES.items()
    )
    return f'\n<nav class="languages" aria-label="{texts_in(current)("frame.languages")}">{links}</nav>'


def site_footer(language: str = DEFAULT_LANGUAGE) -> str:
    """Return the footer."""
    return f'<footer class="site"><p>{texts_in(language)("frame.footer")}</p></footer>\n'


def section(title: str, content: str) -> str:
    """Return a section of a document with its heading."""
    return f"<h2>{escape(title)}</h2>\n{content}"


def table(
    name: str, head: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[int] | None = None
) -> str:
    """Return a table of cells in HTML; `numbers` are the columns of numbers, by default all but the first."""
    columns = range(1, len(head)) if numbers is None else numbers
    kinds = [' class="number"' if column in columns else "" for column in range(len(head))]
    titles = "".join(f'<th scope="col"{kind}>{cell}</th>' for kind, cell in zip(kinds, head, strict=True))
    body = ""
    for row in rows:
        cells = "".join(f"<td{kind}>{cell}</td>" for kind, cell in zip(kinds, row, strict=True))
        body += f"<tr>{cells}</tr>\n"
    return (
        f'<div class="wide sheet" tabindex="0" role="group" aria-label="{escape(name)}">'
        f"<table><thead><tr>{titles}</tr></thead>\n<tbody>{body}</tbody></table></div>\n"
    )
