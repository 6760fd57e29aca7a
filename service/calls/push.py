"""Calls by Web Push: a message to each device of a player, who need not have the page open."""

import json
from collections.abc import Callable
from functools import cached_property
from hashlib import sha256
from uuid import UUID

from prometheus_client import Counter

from kontor_games.domain.match import Match
from kontor_games.service.calls.devices import Device, PushDevices
from kontor_games.service.calls.endpoints import EndpointFailedError, EndpointRefusedError, post
from kontor_games.service.calls.push_messages import PushSender, decoded, encoded, sealed
from kontor_games.service.calls.texts import sentence
from kontor_games.service.calls.waiting import Waiting
from kontor_games.service.people.players import Players
from kontor_games.service.people.server_secret import Secret
from kontor_games.service.settings import Settings

PAUSE_MS = 5000
"""How long a player may think before they are called."""
AWAY_MS = 60_000
"""A player who was seen within this time has the page open, which calls them itself; seen every 30 s."""
_LONGEST_S = 24 * 3600
"""How long a push service keeps a message for a device that is switched off."""
push_messages = Counter("kontor_push_messages", "Push messages by how their delivery ended.", ["result"])


class PushCalls:
    """Sends calls to devices."""

    name = "push"

    def __init__(
        self,
        devices: PushDevices,
        players: Players,
        settings: Settings,
        secret: Callable[[], Secret],
        clock: Callable[[], int],
    ) -> None:
        self._devices = devices
        self._players = players
        self._settings = settings
        self._secret = secret
        self._clock = clock

    @cached_property
    def sender(self) -> PushSender:
        """The identity of the service, derived from its secret when it is first needed."""
        url = self._settings.public_url
        contact = url if url.startswith("https:") else "mailto:operator@localhost"
        return PushSender(self._secret().derive("web push"), contact)

    @property
    def public_key(self) -> str | None:
        """The key to which browsers subscribe; None if the service sends no push messages."""
        return self.sender.public_key if self._settings.public_url else None

    def players(self) -> frozenset[str]:
        """Return the players who can be called."""
        return self._devices.players() if self._settings.public_url else frozenset()

    def due(self, match: Match, seen_at: int, called_at: int) -> int:
        """When a player is called whom a match awaits, and who was last seen at a time."""
        return max(match.at + PAUSE_MS, seen_at + AWAY_MS)

    def send(self, match_id: UUID, match: Match, waiting: Waiting) -> None:
        """Send the call to all devices of the player."""
        now = self._clock()
        ends = match.next_deadline
        lasts = _LONGEST_S if ends is None else min(max((ends - now) // 1000, 60), _LONGEST_S)
        known = self._players.get_many([waiting.by]) if waiting.kind == "invited" and waiting.by else {}
        name = next((player.name for player in known.values()), None) or ""
        for device in self._devices.of([waiting.player]):
            text = sentence(device.language, waiting.kind, match.created.game, name)
            self._deliver(
                device, json.dumps({"match": str(match_id), "text": text}).encode(), lasts, match_id
            )

    def _deliver(self, device: Device, message: bytes, lasts_s: int, match_id: UUID) -> None:
        headers = {
            "Authorization": self.sender.authorization(device.endpoint, self._clock()),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(lasts_s),
            # A later call to the same match replaces one that was not delivered yet.
            "Topic": encoded(sha256(match_id.bytes).digest())[:32],
            "Urgency": "high" if lasts_s < _LONGEST_S else "normal",
        }
        body = sealed(message, decoded(device.public_key), decoded(device.auth))
        try:
            status = post(device.endpoint, body, headers, self._settings.push_hosts)
        except EndpointRefusedError:
            status = 410  # what it leads to has changed since it was stored
        except EndpointFailedError:
            status = 0
        result = "delivered" if 200 <= status < 300 else "gone" if status in (404, 410) else "failed"
        push_messages.labels(result).inc()
        if status != 429 and status < 500:  # a busy push service says nothing about the device
            self._devices.note(device, gone=result == "gone", delivered=result == "delivered")
