"""The files of the page are served from memory, compressed, and cached by browsers until the next build."""

import gzip
from typing import Any

from kontor_games.api.page_files import page


def served(path: str, **environ: str) -> tuple[str, dict[str, str], bytes]:
    answers: list[Any] = []
    content = page().files[path](
        {"REQUEST_METHOD": "GET", **environ}, lambda status, headers: answers.append((status, dict(headers)))
    )
    return *answers[0], b"".join(content)


def test_a_browser_gets_a_file_compressed_and_only_once() -> None:
    plain = served("app.js")[2]
    status, headers, packed = served("app.js", HTTP_ACCEPT_ENCODING="br, gzip")
    assert (status, headers["Content-Encoding"], gzip.decompress(packed)) == ("200 OK", "gzip", plain)
    assert headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert int(headers["Content-Length"]) == len(packed) < len(plain) / 2
    again = served("app.js", HTTP_IF_NONE_MATCH=headers["ETag"])
    assert (again[0], again[2]) == ("304 NOT MODIFIED", b"")
    assert served("app.js", REQUEST_METHOD="HEAD")[2] == b""


def test_the_document_names_the_build_and_the_games_that_have_boards() -> None:
    text = page().index.content.decode()
    assert page().build in text
    assert {"europe", "speicherstadt"} < {*page().drawings}
    assert " ".join(page().drawings) in text
