"""HTML documents besides the page: templates with a common frame, style and Content-Security-Policy."""

import hashlib
from base64 import b64encode
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

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


def _web(name: str) -> str:
    return files("kontor_games").joinpath("web", name).read_text(encoding="utf-8")


@cache
def environment() -> Environment:
    """Return the environment of all templates; every value is escaped, unless it is markup itself."""
    made = Environment(
        loader=PackageLoader(__package__),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.policies["json.dumps_kwargs"] = {"ensure_ascii": False}
    made.globals |= {
        "icon": Markup(_web("styles/icon.svg").partition(">")[2]),  # noqa: S704  # our own file
        "languages": LANGUAGE_NAMES,
        "links": _LINKS,
    }
    made.filters["short"] = lambda number: f"{number:.1f}"
    return made


@cache
def style_of(own: str | None = None) -> str:
    """Return the style of a document: that of the page, and its own, by default `documents.css`."""
    gables = b64encode(_web("styles/gables.svg").encode()).decode()
    shared = "".join(map(_web, _SHEETS)).replace(
        'url("gables.svg")', f'url("data:image/svg+xml;base64,{gables}")'
    )
    if own is None:
        own = files(__package__).joinpath("documents.css").read_text(encoding="utf-8")
    return f"{shared}body {{ min-height: 100vh; display: flex; flex-direction: column; }}\n{own}"


@cache
def policy_of(style: str) -> str:
    """Return the Content-Security-Policy of a self-contained page: it allows its style and nothing else."""
    digest = b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return (
        f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; form-action 'none'"
    )


def render(
    template: str,
    title: str,
    language: str = DEFAULT_LANGUAGE,
    *,
    address: str | None = None,
    sheet: str | None = None,
    **values: Any,
) -> str:
    """Return a document. One of a service has an `address` there, and links to itself in every language.

    With the address of a style `sheet` the document links to it; without one, the style is embedded.
    """
    style = style_of()
    return environment().get_template(template).render(
        title=title, t=texts_in(language), address=address, sheet=sheet,
        style=Markup(style),  # noqa: S704  # our own files
        policy=policy_of(style), **values,
    )  # fmt: skip
