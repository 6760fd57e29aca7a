"""What only the operator does to accounts: list them, ban some of them, and close registration.

The tokens of a banned player are refused until the ban is lifted; then they work again. Every process reads
the bans with the revocations, so a ban takes effect everywhere within a second.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from kontor_games.service.errors import BannedError, NotFoundError, RegistrationClosedError
from kontor_games.service.people.names import folded
from kontor_games.service.store.database import Database

_CLOSED = "SELECT 1 AS closed FROM settings WHERE name = 'registration' AND value = 'closed'"
_AFTER_ALL_DIGITS = "g"
"""Sorts after every hex digit."""


class Account(NamedTuple):
    """A player as the operator sees them."""

    id: str
    name: str | None
    """None if the player was erased."""
    bot: bool
    created_at: int
    seen_at: int | None
    """When the player was last online, as far as that is stored."""
    tokens: int
    """The number of tokens that are neither revoked nor expired."""
    matches: int
    """The number of matches that the player takes or took part in."""
    banned_at: int | None
    reason: str | None
    """Why the player is banned."""


class Bans:
    """The operator's decisions about accounts."""

    def __init__(self, database: Database, clock: Callable[[], int]) -> None:
        self._database = database
        self._clock = clock

    def accounts(self, prefix: str, *, banned: bool, limit: int) -> list[Account]:
        """Return players whose names begin with a text, ignoring case: the newest, or those banned."""
        where, values = ["1 = 1"], list[Any]([self._clock()])
        if prefix:
            where.append("n.folded >= ? AND n.folded < ?")
            values += [folded(prefix), folded(prefix) + _AFTER_ALL_DIGITS]
        if banned:
            where.append("b.player IS NOT NULL")
        rows = self._database.read(
            "SELECT p.id, p.name, p.bot, p.created_at, s.seen_at, b.at, b.reason,"  # noqa: S608
            " (SELECT COUNT(*) FROM tokens t WHERE t.player = p.id AND t.revoked_at IS NULL"
            " AND (t.expires_at IS NULL OR t.expires_at > ?)) AS tokens,"
            " (SELECT COUNT(*) FROM match_players m WHERE m.player = p.id) AS matches"
            " FROM players p LEFT JOIN player_names n ON n.player = p.id"
            " LEFT JOIN presence s ON s.player = p.id LEFT JOIN bans b ON b.player = p.id"
            f" WHERE {' AND '.join(where)} ORDER BY p.created_at DESC, p.id LIMIT ?",
            [*values, limit],
        )
        return [_account_of(row) for row in rows]

    def ban(self, player: str, reason: str) -> None:
        """Ban a player, or change the reason; raise NotFoundError if there is no such player."""
        if not self._database.read("SELECT id FROM players WHERE id = ?", [player]):
            raise NotFoundError("There is no such player.")
        insert = (
            "INSERT INTO bans VALUES (?, ?, ?) ON CONFLICT (player) DO UPDATE SET reason = excluded.reason"
        )
        self._database.write((insert, [player, self._clock(), reason]))

    def lift(self, player: str) -> None:
        """Lift the ban of a player; raise NotFoundError if there is none."""
        if not self._database.read("SELECT player FROM bans WHERE player = ?", [player]):
            raise NotFoundError("This player is not banned.")
        self._database.write(("DELETE FROM bans WHERE player = ?", [player]))

    @property
    def registration_open(self) -> bool:
        """Whether new accounts are accepted."""
        return not self._database.read(_CLOSED)

    def open_registration(self, *, is_open: bool) -> None:
        """Accept new accounts from now on, or refuse them."""
        insert = "INSERT INTO settings VALUES ('registration', ?) ON CONFLICT (name) DO UPDATE SET value = ?"
        value = "open" if is_open else "closed"
        self._database.write((insert, [value, value]))


def require_registration_open(database: Database) -> None:
    """Raise RegistrationClosedError if no new accounts are accepted; it is read anew each time."""
    if database.read(_CLOSED):
        raise RegistrationClosedError(
            "This service accepts no new accounts at the moment. Existing accounts and tokens work as before."
        )


def require_not_banned(database: Database, player: str) -> None:
    """Raise BannedError if a player is banned; it is read anew each time."""
    rows = database.read("SELECT reason FROM bans WHERE player = ?", [player])
    if rows:
        raise banned(rows[0]["reason"])


def banned(reason: str) -> BannedError:
    """Return the error that a banned player gets."""
    why = f" Reason: {reason}" if reason else ""
    return BannedError(f"The operator of this service has banned this account.{why}")


def _account_of(row: dict[str, Any]) -> Account:
    return Account(
        *(row["id"], row["name"], bool(row["bot"]), row["created_at"], row["seen_at"]),
        *(row["tokens"], row["matches"], row["at"], row["reason"]),
    )
