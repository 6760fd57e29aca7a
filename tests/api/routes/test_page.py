"""The page for people: the address `/` and the files below `/web/`."""

import gzip
import re

import pytest
from flask import Flask
from werkzeug.test import Client

from tests.api.conftest import ApiUser

BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}


@pytest.fixture
def files(app: Flask) -> Client:
    """A plain client: files are not in the contract, so their answers are not checked against it."""
    return Client(app)


def file_address(anonymous: ApiUser, name: str) -> str:
    return f"/web/{anonymous.get('/').json['page_build']}/{name}"


def test_programs_get_links_and_browsers_get_the_page(anonymous: ApiUser) -> None:
    as_json, as_html = anonymous.get("/"), anonymous.get("/", headers=BROWSER)
    assert as_json.json["links"] == {
        "games": "/v1/games",
        "matches": "/v1/matches",
        "docs": "/docs",
        "openapi": "/openapi.json",
    }
    assert as_html.mimetype == "text/html"
    assert f"/web/{as_json.json['page_build']}/app.js" in as_html.text
    assert "{build}" not in as_html.text
    assert as_html.headers["Vary"] == "Accept-Encoding, Accept"


def test_the_page_allows_nothing_but_files_of_this_service(anonymous: ApiUser) -> None:
    policy = anonymous.get("/", headers=BROWSER).headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; ")
    assert policy.endswith("require-trusted-types-for 'script'; trusted-types lit-html kontor-worker")
    assert "unsafe" not in policy


def test_the_page_is_revalidated_each_time_and_its_files_are_cached_for_ever(
    anonymous: ApiUser, files: Client
) -> None:
    page = anonymous.get("/", headers=BROWSER)
    assert page.headers["Cache-Control"] == "public, no-cache"
    again = anonymous.get("/", headers={**BROWSER, "If-None-Match": page.headers["ETag"]})
    assert again.status_code == 304
    address = file_address(anonymous, "app.js")
    script = files.get(address)
    assert script.mimetype == "text/javascript"
    assert "immutable" in script.headers["Cache-Control"]
    known = files.get(address, headers={"If-None-Match": script.headers["ETag"]})
    assert (known.status_code, known.data) == (304, b"")


def test_files_are_compressed_for_clients_that_can_read_it(anonymous: ApiUser, files: Client) -> None:
    address = file_address(anonymous, "app.js")
    plain = files.get(address)
    packed = files.get(address, headers={"Accept-Encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == plain.data
    assert files.head(address).headers["Content-Length"] == str(len(plain.data))


def test_files_of_another_build_and_missing_files_are_not_found(anonymous: ApiUser, files: Client) -> None:
    for path in (
        "/web/000000000000/app.js",
        file_address(anonymous, "none.js"),
        file_address(anonymous, "../api/__init__.py"),
        file_address(anonymous, "types.d.ts"),
    ):
        answer = files.get(path)
        assert (answer.status_code, answer.mimetype) == (404, "application/problem+json")
    assert files.post(file_address(anonymous, "app.js")).status_code == 404


def test_every_file_that_the_page_refers_to_exists(anonymous: ApiUser, files: Client) -> None:
    page = anonymous.get("/", headers=BROWSER).text
    named = re.findall(r'(?:src|href)="(/web/[^"]+)"', page)
    assert len(named) >= 5
    assert {files.get(path).status_code for path in named} == {200}
