"""The look of the page for documents that stand alone: one style inside, header, footer, and a policy that fits."""

import hashlib
from base64 import b64encode
from functools import cache
from html import escape
from importlib.resources import files

_SHEETS = ("styles/base.css", "styles/frame.css", "boards/seats.css")
_LINKS = {
    "/#/lobby": "Matches",
    "/#/tournaments": "Tournaments",
    "/#/check": "Check",
    "/v1/fairness": "Fairness",
    "/docs": "API",
}
"""What the header links to."""
_ALONE = "body { min-height: 100vh; display: flex; flex-direction: column; }\n"


def _web(name: str) -> str:
    return files("kontor_games").joinpath("web", name).read_text(encoding="utf-8")


@cache
def style_of(own: str) -> str:
    """Return the style of a document: that of the page, and its own."""
    gables = b64encode(_web("styles/gables.svg").encode()).decode()
    shared = "".join(map(_web, _SHEETS)).replace(
        'url("gables.svg")', f'url("data:image/svg+xml;base64,{gables}")'
    )
    return shared + _ALONE + own


def source_hash(text: str) -> str:
    """Return how a Content-Security-Policy names a style or script that stands inside a document."""
    return f"'sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def site_header(current: str | None) -> str:
    """Return the header; `current` is the address of the document, or None if it belongs to no service."""
    drawing = _web("styles/icon.svg").partition(">")[2]
    icon = f'<svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">{drawing}'
    if current is None:
        return f'<header class="site"><p class="brand">{icon}Kontor</p></header>\n'
    links = " ".join(_link(address, name, current) for address, name in _LINKS.items())
    return (
        '<a class="skip" href="#content">Skip to the content</a>\n'
        f'<header class="site"><a class="brand" href="/">{icon}Kontor</a>\n'
        f'<nav aria-label="Main">{links}</nav></header>\n'
    )


def _link(address: str, name: str, current: str) -> str:
    here = ' aria-current="page"' if address == current else ""
    return f'<a href="{escape(address)}"{here}>{escape(name)}</a>'


def site_footer() -> str:
    """Return the footer."""
    return '<footer class="site"><p>A kontor was a trading post of the Hanseatic League.</p></footer>\n'
