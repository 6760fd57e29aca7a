"""axe-core on the page as it is: with its Content-Security-Policy."""

from functools import cache
from pathlib import Path

from playwright.sync_api import Page


@cache
def _source(tools: Path) -> str:
    return (tools / "axe-core" / "axe.min.js").read_text(encoding="utf-8")


def load_axe(page: Page, tools: Path) -> None:
    """Bring axe-core into the page, for as long as it is not loaded anew."""
    page.evaluate(_source(tools))


def faults(page: Page, tools: Path, *, loaded: bool = False) -> list[str]:
    """What axe finds, one line for each node."""
    if not loaded:
        load_axe(page, tools)
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    return [f"{one['id']}: {node['html'][:200]}" for one in found["violations"] for node in one["nodes"]]
