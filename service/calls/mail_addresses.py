"""Where players get e-mail: an address each, confirmed first, erased with the account."""

from collections.abc import Callable
from hashlib import sha256
from uuid import UUID

import msgspec

from kontor_games.domain.codec import Fault, MalformedError
from kontor_games.domain.game import Refusal
from kontor_games.service.calls.sent_calls import SentCalls
from kontor_games.service.errors import NotFoundError, RateLimitedError
from kontor_games.service.people.names import wait_for_erasure
from kontor_games.service.people.server_secret import Secret
from kontor_games.service.people.tokens import Caller
from kontor_games.service.settings import Settings
from kontor_games.service.store.database import Database

MOST_REQUESTS = 3
"""How many requests for confirmation one mailbox or one player causes in a day."""
DAY_MS = 24 * 3600 * 1000


class MailNotOfferedError(Refusal):
    """E-mail is not offered by this service."""

    def __init__(self) -> None:
        super().__init__("The operator has not set up e-mail.", rule="")


class MailAddress(msgspec.Struct, frozen=True):
    """The address of a player."""

    player: str
    address: str
    language: str
    at: int
    confirmed: bool


class MailAddresses:
    """Stores, confirms, finds and removes addresses."""

    def __init__(
        self, database: Database, settings: Settings, secret: Callable[[], Secret], clock: Callable[[], int]
    ) -> None:
        self._database = database
        self._settings = settings
        self._secret = secret
        self._clock = clock
        self._sent = SentCalls(database, clock)

    @property
    def offered(self) -> bool:
        """Whether this service sends e-mail."""
        return bool(self._settings.smtp_url and self._settings.mail_from and self._settings.public_url)

    def code(self, purpose: str, one: MailAddress) -> str:
        """The code in a link to confirm an address (`confirm`) or to get no more mail (`stop`)."""
        raw = self._secret().derive(f"mail {purpose}", one.player, one.address, str(one.at))
        return str(UUID(bytes=raw[:16], version=4))

    def set(self, caller: Caller, address: str, language: str) -> None:
        """Store the address of the caller, to which a request for confirmation is sent later."""
        if not self.offered:
            raise MailNotOfferedError
        if len(address) > 254 or address.startswith("-"):
            raise MalformedError([Fault("/address", "must be an e-mail address of at most 254 characters")])
        player, now = caller.player, self._clock()
        mailbox = sha256(address.lower().encode()).hexdigest()
        query = "SELECT at FROM mail_requests WHERE (mailbox = ? OR player = ?) AND at > ? ORDER BY at"
        recent = self._database.read(query, (mailbox, player, now - DAY_MS))
        if len(recent) >= MOST_REQUESTS:
            wait = recent[0]["at"] + DAY_MS - now
            detail = f"At most {MOST_REQUESTS} requests for confirmation are sent in one day."
            raise RateLimitedError(detail, retry_after_ms=wait, limit=MOST_REQUESTS, reset_ms=wait)
        one = MailAddress(player, address, language, now, confirmed=False)
        codes = [_hash(self.code(purpose, one)) for purpose in ("confirm", "stop")]
        insert = (
            "INSERT INTO mail_addresses SELECT id, ?, ?, ?, 0, 0, ?, ? FROM players"
            " WHERE id = ? AND name IS NOT NULL ON CONFLICT (player) DO UPDATE SET"
            " address = excluded.address, language = excluded.language, at = excluded.at, asked = 0,"
            " confirmed = 0, confirm_code = excluded.confirm_code, stop_code = excluded.stop_code"
        )
        self._database.write(
            wait_for_erasure(player),
            ("DELETE FROM mail_requests WHERE at <= ?", (now - DAY_MS,)),
            ("INSERT INTO mail_requests VALUES (?, ?, ?)", (mailbox, player, now)),
            (insert, (address, language, now, *codes, player)),
        )

    def get(self, player: str) -> MailAddress | None:
        """Return the address of a player, confirmed or not."""
        return next(iter(self._find("player = ?", player)), None)

    def remove(self, player: str) -> None:
        """Forget the address of a player, if there is one."""
        self._database.write(("DELETE FROM mail_addresses WHERE player = ?", (player,)))

    def confirm(self, code: str) -> None:
        """Confirm the address to which this code was sent."""
        self._require(self._find("confirm_code = ?", _hash(code)))
        query = "UPDATE mail_addresses SET confirmed = 1 WHERE confirm_code = ?"
        self._database.write((query, (_hash(code),)))

    def stop(self, code: str) -> None:
        """Forget the address to which mail with this code was sent; doing it again changes nothing."""
        self._database.write(("DELETE FROM mail_addresses WHERE stop_code = ?", (_hash(code),)))

    def unasked(self) -> list[MailAddress]:
        """Return the addresses that were not asked for confirmation yet."""
        return self._find("asked = 0 AND confirmed = ?", 0)

    def mark_asked(self, one: MailAddress) -> bool:
        """Mark an address as asked, before it is; return whether nobody else has."""
        is_first = self._sent.mark(one.player, "", "confirm", one.at)
        query = "UPDATE mail_addresses SET asked = 1 WHERE player = ? AND at = ?"
        self._database.write((query, (one.player, one.at)))
        return is_first

    def players(self) -> frozenset[str]:
        """Return all players with a confirmed address."""
        return (
            frozenset(one.player for one in self._find("confirmed = ?", 1)) if self.offered else frozenset()
        )

    def _find(self, where: str, value: str | int) -> list[MailAddress]:
        rows = self._database.read(
            f"SELECT * FROM mail_addresses WHERE {where} ORDER BY at, player",  # noqa: S608
            (value,),
        )
        return [
            MailAddress(row["player"], row["address"], row["language"], row["at"], bool(row["confirmed"]))
            for row in rows
        ]

    @staticmethod
    def _require(found: list[MailAddress]) -> None:
        if not found:
            raise NotFoundError("This link is not valid any more: ask for another one on the page Account.")


def _hash(code: str) -> str:
    return sha256(code.encode()).hexdigest()
