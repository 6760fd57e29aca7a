"""One-time codes with which players move their account to another device, stored as keyed hashes."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any

from eventsourcing.persistence import IntegrityError
from msgspec import Meta, Struct

from kontor_games.domain.game import Refusal
from kontor_games.service.answer_fields import Moment
from kontor_games.service.errors import RateLimitedError, UnavailableError
from kontor_games.service.people.limits import address_key
from kontor_games.service.people.names import wait_for_erasure
from kontor_games.service.people.players import HOUR_MS, Players, Registered
from kontor_games.service.people.tokens import SCOPES, Caller, Tokens
from kontor_games.service.store.database import Database, Statement

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
"""The letters of a code: without I and O, which look like digits."""
CODE_LENGTH = 8
LIFETIME_MS = 600_000
MAX_WRONG_CODES = 20
"""Maximum number of wrong codes per address and hour; there are 24^8 codes."""

_SEAL = (
    "INSERT INTO device_parcels SELECT hash, player, ?, expires_at FROM device_codes"
    " WHERE hash = ? AND player = ? ON CONFLICT (hash) DO NOTHING"
)


class CodeNotValidError(Refusal):
    """The code is wrong, was used already, or has expired."""

    def __init__(self) -> None:
        super().__init__(
            f"This code is not valid. A code works once, for {LIFETIME_MS // 60_000} minutes,"
            " and only the newest one of an account.",
            rule="",
        )


class IssuedDeviceCode(Struct, frozen=True, rename={"text": "code", "expires_at": "expires"}):
    """A one-time code for another device."""

    text: Annotated[str, Meta(examples=["KQRTWXBD"])]
    """The code, eight letters; it works once."""
    expires_at: Moment
    """Time at which the code expires."""


class RedeemedAccount(Registered, frozen=True):
    """The account of another device with a new token."""

    sealed: str | None
    """What the other device has sealed for this one; null if nothing."""


@dataclass(eq=False, repr=False)
class DeviceCodes:
    """Creates codes, and exchanges them for tokens."""

    _database: Database
    _tokens: Tokens
    _players: Players
    _clock: Callable[[], int]

    def create(
        self, caller: Caller, key: str | None, body: str, sealed: str | None = None
    ) -> IssuedDeviceCode:
        """Create a code for the caller's account; it replaces the last one. Equal keys give equal codes.

        `sealed` is what the other device gets with the account; only the two devices can read it.
        """
        request = self._tokens.requests.identify("device code", caller.player, key, body)
        text = _code_of(self._secret("device code", request.key, caller.player))
        hashed, now = self._hash(text), self._clock()
        self._database.write(
            wait_for_erasure(caller.player),
            ("DELETE FROM device_codes WHERE player = ? AND hash <> ?", (caller.player, hashed)),
            ("DELETE FROM used_device_codes WHERE expires_at <= ?", (now - HOUR_MS,)),
            (
                "INSERT INTO device_codes SELECT ?, id, ?, ? FROM players WHERE id = ? AND name IS NOT NULL"
                " ON CONFLICT (hash) DO NOTHING",
                (hashed, caller.token, now + LIFETIME_MS, caller.player),
            ),
            (
                "DELETE FROM device_parcels WHERE expires_at <= ? OR (player = ? AND hash <> ?)",
                (now - HOUR_MS, caller.player, hashed),
            ),
            *([(_SEAL, (sealed, hashed, caller.player))] if sealed else []),
        )
        query = "SELECT expires_at FROM device_codes WHERE hash = ? AND player = ?"
        stored = self._database.read(query, (hashed, caller.player))
        if not stored:  # another player currently has the same code, or a newer code has replaced this one
            raise UnavailableError("The code could not be created. Try again with another Idempotency-Key.")
        return IssuedDeviceCode(text, Moment(stored[0]["expires_at"]))

    def redeem(self, text: str, key: str | None, body: str, address: str) -> RedeemedAccount:
        """Exchange a code for a new token with the scopes and the expiry of the token that created it."""
        hashed, requests = self._hash(read_code(text)), self._tokens.requests
        request = requests.identify("redeem", "", key, body)
        replayed = requests.find(request)
        if replayed is not None:
            token = requests.token_text(request, replayed)
            return self._redeemed(hashed, replayed.player, token, replayed=True)
        found = self._find(hashed, address)
        scopes = [scope for scope in SCOPES if scope in found["scopes"].split()]
        used = ("INSERT INTO used_device_codes VALUES (?, ?)", (hashed, found["code_expires_at"]))
        delete = ("DELETE FROM device_codes WHERE hash = ?", (hashed,))
        try:
            issued = self._tokens.issue(
                request, found["player"], "device code", scopes, found["expires_at"], used, delete
            )
        except IntegrityError:  # another request has used the code first
            raise CodeNotValidError from None
        return self._redeemed(hashed, found["player"], issued.text, replayed=issued.replayed)

    def _redeemed(self, hashed: str, player: str, token: str, *, replayed: bool) -> RedeemedAccount:
        """The account, with what the device that created the code has sealed for the other one."""
        query = "SELECT sealed FROM device_parcels WHERE hash = ?"
        rows = self._database.read(query, (hashed,))
        sealed = str(rows[0]["sealed"]) if rows else None
        return RedeemedAccount(self._players.get(player), token, replayed, sealed)

    def _find(self, hashed: str, address: str) -> dict[str, Any]:
        """The row of a valid code with the token that created it; a wrong code is refused.

        A try is counted before the code is compared, and no longer once the code was right.
        """
        now, uncount = self._clock(), self.count_try(address)
        rows = self._database.read(
            "SELECT c.player, c.expires_at AS code_expires_at, t.scopes, t.expires_at FROM device_codes c"
            " JOIN tokens t ON t.id = c.token AND t.revoked_at IS NULL"
            " AND (t.expires_at IS NULL OR t.expires_at > ?)"
            " LEFT JOIN used_device_codes u ON u.hash = c.hash"
            " WHERE c.hash = ? AND c.expires_at > ? AND u.hash IS NULL",
            (now, hashed, now),
        )
        if not rows:
            raise CodeNotValidError
        self._database.write(uncount)
        return rows[0]

    def count_try(self, address: str) -> Statement:
        """Store a try of an address under a number that no other try of this hour has; return its removal.

        The primary key decides between requests of all processes: there are only `MAX_WRONG_CODES` numbers.
        """
        now, place = self._clock(), self._secret("address", address_key(address)).hex()
        query = "SELECT number, at FROM device_code_tries WHERE address = ? AND at > ? ORDER BY at"
        while True:
            tried = self._database.read(query, (place, now - HOUR_MS))
            taken = {row["number"] for row in tried}
            free = [number for number in range(MAX_WRONG_CODES) if number not in taken]
            if not free:
                wait = tried[0]["at"] + HOUR_MS - now
                detail = f"At most {MAX_WRONG_CODES} wrong codes can be tried per hour from one address."
                raise RateLimitedError(detail, retry_after_ms=wait, limit=MAX_WRONG_CODES, reset_ms=wait)
            number = free[0]
            with suppress(IntegrityError):  # another request has just taken the number
                self._database.write(
                    ("DELETE FROM device_code_tries WHERE at <= ?", (now - HOUR_MS,)),
                    ("INSERT INTO device_code_tries VALUES (?, ?, ?)", (place, number, now)),
                )
                return (
                    "DELETE FROM device_code_tries WHERE address = ? AND number = ?",
                    (place, number),
                )

    def _secret(self, purpose: str, *parts: str) -> bytes:
        return self._tokens.requests.secret.derive(purpose, *parts)

    def _hash(self, code: str) -> str:
        return self._secret("device code hash", code).hex()


def read_code(text: str) -> str:
    """The code in a text that somebody typed: case, spaces and hyphens do not matter."""
    return text.upper().replace("-", "").replace(" ", "")


def _code_of(raw: bytes) -> str:
    """A code from 32 random bytes; with so large a number, the bias of the modulo operation is negligible."""
    number, letters = int.from_bytes(raw, "big"), ""
    for _ in range(CODE_LENGTH):
        number, index = divmod(number, len(LETTERS))
        letters += LETTERS[index]
    return letters
