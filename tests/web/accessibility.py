"""Accessibility checks with axe-core, under the Content-Security-Policy of the page."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from playwright.sync_api import Page


@cache
def _source(tools: Path) -> str:
    return (tools / "axe-core" / "axe.min.js").read_text(encoding="utf-8")


COLOURS = ("color-contrast", "link-in-text-block")
"""The rules whose outcome depends on the colour scheme."""


def faults(page: Page, tools: Path, rules: Sequence[str] = ()) -> list[str]:
    """Return the violations that axe finds, one line for each node; by default of all rules."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(_source(tools))
    options = {"resultTypes": ["violations"], "selectors": False} | ({"runOnly": [*rules]} if rules else {})
    found = page.evaluate("(options) => axe.run(document, options)", options)
    return [f"{one['id']}: {node['html'][:200]}" for one in found["violations"] for node in one["nodes"]]
