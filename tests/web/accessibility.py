"""axe-core on the page as it is: with its Content-Security-Policy."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from playwright.sync_api import Page


@cache
def _source(tools: Path) -> str:
    return (tools / "axe-core" / "axe.min.js").read_text(encoding="utf-8")


COLOURS = ("color-contrast", "link-in-text-block")
"""The rules whose outcome depends on the colour scheme."""

WORDS = ("document-title", "html-has-lang", "html-lang-valid", "image-alt", "link-name", "svg-img-alt")
"""Rules whose outcome depends on the language: the rest is as in the other languages."""


def faults(page: Page, tools: Path, rules: Sequence[str] = (), without: Sequence[str] = ()) -> list[str]:
    """What axe finds, one line for each node; all rules if none are named, except those that are left out."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(_source(tools))
    options = {"resultTypes": ["violations"], "selectors": False} | ({"runOnly": [*rules]} if rules else {})
    options["rules"] = {name: {"enabled": False} for name in without}
    found = page.evaluate("(options) => axe.run(document, options)", options)
    return [f"{one['id']}: {node['html'][:200]}" for one in found["violations"] for node in one["nodes"]]
