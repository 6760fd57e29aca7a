"""Reused connections, as browsers use them."""

import http.client
import json
from urllib.parse import urlsplit

from tests.web.matches import ApiPlayer


def test_a_stream_begins_at_once_on_a_connection_that_was_just_used(url: str, ada: ApiPlayer) -> None:
    match = ada.post("/v1/matches", {"game": "speicherstadt", "seats": [{"type": "me"}, {"type": "open"}]})
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=60)
    connection.request("GET", f"/v1/matches/{match['id']}")
    version = json.loads(connection.getresponse().read())["version"]
    headers = {"Accept": "text/event-stream", "Last-Event-ID": str(version)}
    connection.request("GET", f"/v1/matches/{match['id']}/events", headers=headers)
    answer = connection.getresponse()
    assert (answer.status, answer.getheader("Content-Type")) == (200, "text/event-stream")
    connection.close()
