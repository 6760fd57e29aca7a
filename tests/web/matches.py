"""Matches that tests of the page need, made through the public API."""

import json
import time
from typing import Any

import httpx
from playwright.sync_api import Page, expect

from tests.web.browser import Visitor

PATIENCE_S = 300.0
ASKED_OR_SENT = """() => document.querySelector(".table[data-asking]") ? null
  : document.querySelector("#confirm:enabled") ? "asked"
  : document.querySelector(".confirm .alert") ? "refused"
  : document.querySelector(".confirm") ? null : "sent\""""
"""What the page does with a chosen move: ask for confirmation, show why it is refused, or send it."""


def confirm_if_asked(page: Page) -> None:
    """Wait until the chosen move is sent; a move that costs something has to be confirmed first."""
    while page.wait_for_function(ASKED_OR_SENT).json_value() == "asked":
        page.evaluate("document.querySelector('#confirm:enabled')?.click()")
    expect(page.locator(".confirm")).to_have_count(0)


def confirm_each_move(visitor: Visitor) -> Visitor:
    """Let this browser confirm each move, also those that cost nothing."""
    return with_settings(visitor, confirm="each", pace="instant")


def with_settings(visitor: Visitor, **settings: str) -> Visitor:
    """Give this browser other settings than the usual ones."""
    stored = json.dumps(json.dumps(settings))
    visitor.context.add_init_script(f"localStorage['kontor.settings'] = {stored}")
    return visitor


class ApiPlayer:
    """A player who uses the API of the service that serves the page."""

    def __init__(self, url: str, token: str | None = None) -> None:
        self.url = url
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}

    def _ask(self, method: str, path: str, body: Any = None) -> httpx.Response:
        answer = httpx.request(method, self.url + path, json=body, headers=self._headers, timeout=PATIENCE_S)
        assert answer.is_success, answer.text
        return answer

    def register(self, name: str) -> "ApiPlayer":
        """Register a player, and return them."""
        return ApiPlayer(self.url, self.post("/v1/players", {"name": name})["token"])

    def post(self, path: str, body: Any = None) -> Any:
        """Send a POST request, and return the JSON of the answer."""
        return self._ask("POST", path, body or {}).json()

    def at(self, url: str) -> "ApiPlayer":
        """Return the same player at another address of the service."""
        return ApiPlayer(url, self.token)

    def put(self, path: str, body: Any) -> None:
        """Send a PUT request."""
        self._ask("PUT", path, body)

    def get(self, path: str) -> Any:
        """Send a GET request, and return the JSON of the answer."""
        return self._ask("GET", path).json()

    def export(self, match: str) -> bytes:
        """The export of a match."""
        return self._ask("GET", f"/v1/matches/{match}/export").content

    @property
    def token(self) -> str:
        """The token of this player."""
        return self._headers["Authorization"].removeprefix("Bearer ")

    def create_and_join(self, game: str, *others: Any, **wish: Any) -> str:
        """Create a match and take seat 0; two house bots have the other seats unless `others` are given."""
        bot = {"type": "bot", "bot": "greedy"}
        seats = [{"type": "invited", "player": self.get("/v1/me")["id"]}, *(others or (bot, bot))]
        made = self.post("/v1/matches", {"game": game, "seats": seats, **wish})
        self.join(made["id"], 0)
        return str(made["id"])

    def join(self, match: str, seat: int) -> None:
        """Take a seat."""
        self.post(f"/v1/matches/{match}/seats", {"seat": seat, "contribution": f"{seat:02x}" * 32})

    def open_page(self, visitor: Visitor, address: str) -> Page:
        """Open the page as this player."""
        account = {**{name: self.get("/v1/me")[name] for name in ("id", "name")}, "token": self.token}
        visitor.context.add_init_script(f"localStorage['kontor.account'] = {json.dumps(json.dumps(account))}")
        return visitor.open(address)

    def play_bot_match(self, game: str, bot: str = "greedy", seats: int = 3, **wish: Any) -> str:
        """Let house bots play a match to its end, and return its id."""
        made = self.post(
            "/v1/matches", {"game": game, "seats": [{"type": "bot", "bot": bot}] * seats, **wish}
        )
        until = time.monotonic() + PATIENCE_S
        while self.get(f"/v1/matches/{made['id']}")["status"] == "running":
            assert time.monotonic() < until
            time.sleep(0.2)
        return str(made["id"])
