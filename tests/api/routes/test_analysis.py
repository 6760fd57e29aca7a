"""GET /v1/matches/{id}/analysis."""

from tests.api.conftest import ApiUser

ME, OPEN = {"type": "me"}, {"type": "open"}


def test_an_analysis_is_awaited_and_then_read(ada: ApiUser, ben: ApiUser) -> None:
    match = ada.match(ME, OPEN)["id"]
    path = f"/v1/matches/{match}/analysis"
    assert (refused := ada.get(path)).status_code == 409
    assert refused.json["code"] == "still_hidden"
    ben.post(f"/v1/matches/{match}/seats")
    ada.post(f"/v1/matches/{match}/resignation")
    awaited = ada.get(path)
    assert (awaited.status_code, awaited.headers["Retry-After"]) == (202, "3")
    assert awaited.json == {"match": match, "retry_after_ms": 3000}
