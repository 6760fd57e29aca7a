"""The devices on which players are called by Web Push: one row for each, erased with the account."""

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from kontor_games.domain.codec import Fault, MalformedError
from kontor_games.domain.game import Refusal
from kontor_games.service.calls.endpoints import EndpointRefusedError, check_form
from kontor_games.service.calls.push_messages import decoded, is_point
from kontor_games.service.people.names import wait_for_erasure
from kontor_games.service.people.tokens import Caller
from kontor_games.service.settings import Settings
from kontor_games.service.store.database import Database

MAX_DEVICES = 10
"""How many devices of one player are called; the oldest one makes room."""
MAX_FAILURES = 5
"""How often in a row an endpoint may fail before its device is removed."""

_OLDEST = (
    "DELETE FROM push_devices WHERE player = ? AND device NOT IN"
    " (SELECT device FROM push_devices WHERE player = ? ORDER BY created_at DESC, device LIMIT ?)"
)


class PushNotOfferedError(Refusal):
    """Push messages are not offered by this service."""

    def __init__(self) -> None:
        super().__init__("The operator has not set the public address of this service.", rule="")


class Device(msgspec.Struct, frozen=True):
    """A device that receives push messages."""

    player: str
    device: str
    endpoint: str
    public_key: str
    auth: str
    language: str
    created_at: int
    failures: int


class PushDevices:
    """Stores, finds and removes devices."""

    def __init__(self, database: Database, settings: Settings, clock: Callable[[], int]) -> None:
        self._database = database
        self._settings = settings
        self._clock = clock

    def add(self, caller: Caller, device: str, subscription: dict[str, str], language: str) -> None:
        """Store a device of the caller with the subscription that its browser has made."""
        if not self._settings.public_url:
            raise PushNotOfferedError
        endpoint, key, auth = (subscription[name] for name in ("endpoint", "p256dh", "auth"))
        self._check(endpoint, key)
        player = caller.player
        insert = (
            "INSERT INTO push_devices SELECT id, ?, ?, ?, ?, ?, ?, 0 FROM players"
            " WHERE id = ? AND name IS NOT NULL"
        )
        self._database.write(
            wait_for_erasure(player),
            # a browser that another account used before is called for this one only
            ("DELETE FROM push_devices WHERE endpoint = ? OR (player = ? AND device = ?)",
             (endpoint, player, device)),
            (insert, (device, endpoint, key, auth, language, self._clock(), player)),
            (_OLDEST, (player, player, MAX_DEVICES)),
        )  # fmt: skip

    def _check(self, endpoint: str, key: str) -> None:
        try:
            check_form(endpoint, self._settings.push_hosts)
        except EndpointRefusedError as error:
            raise MalformedError([Fault("/endpoint", str(error))]) from None
        if not is_point(decoded(key)):
            raise MalformedError([Fault("/p256dh", "is not an uncompressed point of P-256")])

    def remove(self, caller: Caller, device: str) -> None:
        """Remove a device of the caller, if there is one of this name."""
        query = "DELETE FROM push_devices WHERE player = ? AND device = ?"
        self._database.write((query, (caller.player, device)))

    def of(self, players: Iterable[str]) -> list[Device]:
        """Return the devices of some players."""
        query = "SELECT * FROM push_devices WHERE player IN ({}) ORDER BY player, created_at, device"
        return [_device_of(row) for row in self._database.read_many(query, sorted(set(players)))]

    def players(self) -> frozenset[str]:
        """Return all players who have a device."""
        rows = self._database.read("SELECT DISTINCT player FROM push_devices")
        return frozenset(row["player"] for row in rows)

    def note(self, device: Device, *, gone: bool, delivered: bool) -> None:
        """Note how a delivery ended; a device that is gone, or has failed too often, is removed."""
        which = "WHERE endpoint = ?"
        if gone or (not delivered and device.failures + 1 >= MAX_FAILURES):
            self._database.write((f"DELETE FROM push_devices {which}", (device.endpoint,)))  # noqa: S608
        elif not delivered or device.failures:
            failures = 0 if delivered else device.failures + 1
            update = f"UPDATE push_devices SET failures = ? {which}"  # noqa: S608
            self._database.write((update, (failures, device.endpoint)))


def _device_of(row: dict[str, Any]) -> Device:
    return msgspec.convert(row, Device)
