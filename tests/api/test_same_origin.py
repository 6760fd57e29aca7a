"""A page that the service delivers needs no CORS: what a browser adds to its requests changes nothing."""

import pytest

from tests.api.conftest import ApiUser

BROWSER = {
    "Origin": "http://localhost",
    "Referer": "http://localhost/",
    "Sec-Fetch-Site": "same-origin",
    "Sec-Fetch-Mode": "cors",
    "Sec-Fetch-Dest": "empty",
}


@pytest.mark.parametrize("accept", ["application/json", "text/event-stream", "application/x-ndjson"])
def test_a_page_of_the_same_origin_plays_with_cors_off(ada: ApiUser, accept: str) -> None:
    ada.headers.update(BROWSER)
    match = ada.match()
    path = f"/v1/matches/{match['id']}"
    moved = ada.post(f"{path}/moves", match["legal_moves"][0])
    followed = ada.get(f"{path}/events?wait=0", headers={"Accept": accept})
    assert (moved.status_code, followed.status_code, followed.mimetype) == (201, 200, accept)
    for answer in (moved, followed):
        assert not [name for name, _ in answer.headers if name.startswith("Access-Control")]
