"""The page can be installed, and finished matches are read without a connection."""

import json
import struct
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, expect

from kontor_games.api.page_files import page as files
from tests.support.serving import served
from tests.web.accessibility import faults
from tests.web.browser import Visitor, visiting
from tests.web.matches import ApiPlayer

KEPT = """async (match) =>
  (await (await caches.open("kontor.finished")).keys()).some(({ url }) => url.includes(match))"""
"""Whether the browser has kept a match."""


@pytest.fixture
def stack(tmp_path: Path) -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def test_a_finished_match_can_be_read_after_the_service_has_gone(
    browser: Browser, stack: ExitStack, tmp_path: Path, tools: Path
) -> None:
    service = stack.enter_context(ExitStack())
    server = service.enter_context(served(f"sqlite:///{tmp_path}/kontor.db", workers=1))
    url = f"http://127.0.0.1:{server.port}"
    ada = ApiPlayer(url).register("Ada")
    match = ada.play_bot_match("speicherstadt")
    visitor = stack.enter_context(visiting(browser, url))
    visitor.expected += ["ERR_CONNECTION_REFUSED", "ERR_FAILED"]
    page = ada.open_page(visitor, f"#/match/{match}/replay")
    expect(page.locator(".graph")).to_be_visible()
    page.goto(f"{url}/#/match/{match}")
    result = page.locator(".result")
    told = result.inner_text()
    page.wait_for_function(KEPT, arg=match)
    page.wait_for_function("() => navigator.serviceWorker.controller")
    page.wait_for_load_state("networkidle")
    service.close()
    page.goto(f"{url}/")
    page.reload()
    row = page.locator("section[aria-labelledby=kept-title] li")
    expect(row).to_have_count(1)
    assert faults(page, tools) == []
    row.get_by_role("link").click()
    expect(result).to_be_visible()
    assert result.inner_text() == told
    expect(page.locator(".log li")).not_to_have_count(0)
    page.goto(f"{url}/#/match/{match}/replay")
    expect(page.get_by_label("Position", exact=True)).to_be_visible()


def test_what_was_kept_goes_with_the_account(
    visitor: Visitor, ada: ApiPlayer, finished: dict[str, str]
) -> None:
    match = finished["europe"]
    page = ada.open_page(visitor, f"#/match/{match}")
    page.wait_for_function(KEPT, arg=match)
    page.evaluate(
        """async () => {
          const app = document.querySelector("script[type=module]").src;
          (await import(app.replace("app.js", "lib/api.js"))).signIn(null);
        }"""
    )
    page.wait_for_function("async () => !(await caches.has('kontor.finished'))")


def test_the_page_has_a_manifest_with_icons_of_the_sizes_it_names(visitor: Visitor, url: str) -> None:
    page = visitor.open()
    address = page.locator("link[rel=manifest]").evaluate("(link) => link.href")
    answer = httpx.get(address)
    assert answer.headers["Content-Type"] == "application/manifest+json"
    manifest = answer.json()
    assert (manifest["start_url"], manifest["scope"], manifest["display"]) == ("/", "/", "standalone")
    sizes = {}
    for icon in manifest["icons"]:
        content = httpx.get(address.replace("manifest.webmanifest", icon["src"])).content
        if icon["type"] == "image/png":
            sizes[icon["src"]] = "{}x{}".format(*struct.unpack(">II", content[16:24]))
            assert sizes[icon["src"]] == icon["sizes"]
    assert set(sizes.values()) == {"192x192", "512x512"}
    assert json.loads(files().files["manifest.webmanifest"].content) == manifest
