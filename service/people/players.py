"""Players. Names are stored only here; facts hold ids, so that a name can be erased."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Annotated, Any, Literal
from uuid import uuid4

from msgspec import Meta, Struct
from msgspec.structs import replace

from kontor_games.domain.codec import canonical
from kontor_games.service.answer_fields import Id, Inline, Internal, Moment
from kontor_games.service.ed25519 import is_signed
from kontor_games.service.errors import (
    KeyProofInvalidError,
    NotFoundError,
    RateLimitedError,
    UnavailableError,
)
from kontor_games.service.people.bans import require_registration_open
from kontor_games.service.people.limits import address_key
from kontor_games.service.people.names import name_row, read_name, wait_for_erasure
from kontor_games.service.people.server_secret import Secret
from kontor_games.service.people.token_requests import TokenIds, TokenRequest
from kontor_games.service.people.tokens import ADMIN, FIRST_SCOPES, Caller, Tokens
from kontor_games.service.read_cache import ReadCache
from kontor_games.service.settings import Settings
from kontor_games.service.store.database import Database, Statement

HOUR_MS = 3_600_000


def registration_rows(
    database: Database, secret: Secret, address: str, limit: int, now: int
) -> tuple[Statement, Statement]:
    """Return the statements that count an account; raise RateLimitedError if it is one too many.

    An address is stored for an hour, and only as a keyed hash.
    """
    hashed = secret.derive("address", address_key(address)).hex()
    query = "SELECT COUNT(*) AS count, MIN(at) AS first FROM registrations WHERE address = ? AND at > ?"
    found = database.read(query, (hashed, now - HOUR_MS))[0]
    if found["count"] >= limit:
        wait = found["first"] + HOUR_MS - now
        detail = f"At most {limit} accounts can be created per hour from one address."
        raise RateLimitedError(detail, retry_after_ms=wait, limit=limit, reset_ms=wait)
    return (
        ("DELETE FROM registrations WHERE at <= ?", (now - HOUR_MS,)),
        ("INSERT INTO registrations VALUES (?, ?)", (hashed, now)),
    )


InvitationsFrom = Literal["everyone", "met", "nobody"]
"""Whose invitations a player accepts: `met` are those who took part in a match with them."""

_ERASED = (
    *("player_keys", "player_settings", "player_names", "presence", "token_requests"),
    *("device_codes", "device_parcels", "push_devices", "sent_calls"),
    *("blocks", "reports", "phrases", "mail_addresses", "mail_requests", "recoveries"),
)
"""The tables whose rows about a player are deleted with the account."""
_CACHE_MS = 5000
_CACHE_SIZE = 10_000


class Player(Struct, frozen=True):
    """An account, as everybody sees it."""

    id: Id
    """Id of the player; never changes."""
    name: str | None
    """Name of the player; null if the account was deleted."""
    bot: bool
    """Whether the player is a program."""
    created_at: Moment
    """Time of registration."""
    public_key: str | None
    """Ed25519 public key with which the player signs commands, in Base64; null if there is none."""


class Registered(Struct, frozen=True):
    """A new account with its first token."""

    player: Inline[Player]
    token: Annotated[str, Meta(examples=["kontor_…"])]
    """The token; it is shown only once. Keep it secret: it gives full access to the account."""
    replayed: Internal[bool]


class Players:
    """Registers, finds, renames and erases players."""

    def __init__(
        self, database: Database, settings: Settings, clock: Callable[[], int], tokens: Tokens
    ) -> None:
        """Caches players for a few seconds, but only to show them: every match shows some.

        Decisions read the database, since another process may have changed a player. The tokens of an
        erased player are removed at once from the cache of the given `tokens`.
        """
        self._database = database
        self._tokens = tokens
        self._requests = self._tokens.requests
        self._accounts_per_hour = settings.accounts_per_hour
        self._clock = clock
        self._cache: ReadCache[str, tuple[Player, int]] = ReadCache(
            _CACHE_SIZE, lambda known: self._clock() >= known[1] + _CACHE_MS
        )
        """Players, and when they were read."""

    def register(
        self, name: str, *, bot: bool, key: str | None, body: str, address: str | None = None
    ) -> Registered:
        """Register a player with a token without the scope admin; a retry within a day gets the same answer.

        From one address, only a limited number of players can be registered in an hour.
        """
        name = read_name(name)
        request = self._requests.identify("player", "", key, body)
        ids = self._requests.find(request)
        replayed = ids is not None
        if ids is None:
            require_registration_open(self._database)
            new = TokenIds(str(uuid4()), str(uuid4()))
            counted = () if address is None else self._counted(address)
            ids = self._requests.store(request, new, *self._inserts(request, new, name, bot=bot), *counted)
            replayed = ids != new
        # A retry gets the first answer, even if the player has been renamed since.
        player = replace(self.get(ids.player), name=name)
        return Registered(player, self._requests.token_text(request, ids), replayed)

    def _counted(self, address: str) -> tuple[Statement, ...]:
        limit, secret = self._accounts_per_hour, self._requests.secret
        return registration_rows(self._database, secret, address, limit, self._clock())

    def _inserts(
        self, request: TokenRequest, new: TokenIds, name: str, *, bot: bool
    ) -> tuple[Statement, ...]:
        insert = "INSERT INTO players (id, name, bot, created_at) VALUES (?, ?, ?, ?)"
        token = self._tokens.insert_statement(request, new, "registration", FIRST_SCOPES, None)
        return (insert, (new.player, name, int(bot), self._clock())), token, name_row(new.player, name)

    def get(self, player: str) -> Player:
        """Return a player as stored now; raise NotFoundError if there is none."""
        found = self._read({player}, self._clock())
        if player not in found:
            raise NotFoundError("There is no such player.")
        return found[player]

    def exists(self, player: str) -> bool:
        """Return whether a player exists now and was not erased."""
        query = "SELECT id FROM players WHERE id = ? AND name IS NOT NULL"
        return bool(self._database.read(query, (player,)))

    def who_may_play(self, ids: Iterable[str]) -> set[str]:
        """Return which of these players are now neither erased nor banned."""
        query = (
            "SELECT p.id FROM players p LEFT JOIN bans b ON b.player = p.id"
            " WHERE p.name IS NOT NULL AND b.player IS NULL AND p.id IN ({})"
        )
        return {row["id"] for row in self._database.read_many(query, sorted(set(ids)))}

    def get_many(self, ids: Iterable[str]) -> dict[str, Player]:
        """Return the existing players by id, to be shown; changes by other processes show in five seconds.

        Nothing may be decided by them.
        """
        requested, now = set(ids), self._clock()
        cached = [known for id_ in requested if (known := self._cache.get(id_))]
        found = {player.id: player for player, read_at in cached if read_at <= now < read_at + _CACHE_MS}
        return found | self._read(requested - {*found}, now) if len(found) < len(requested) else found

    def _read(self, ids: set[str], now: int) -> dict[str, Player]:
        removals = self._cache.removals
        query = "SELECT p.*, k.public_key FROM players p LEFT JOIN player_keys k ON k.player = p.id"
        rows = self._database.read_many(query + " WHERE p.id IN ({})", sorted(ids))
        found = {row["id"]: _player_of(row) for row in rows}
        for player in found.values():
            self._cache.put(player.id, (player, now), removals)
        return found

    def rename(self, caller: Caller, name: str) -> Player:
        """Rename the caller, in past matches too."""
        name = read_name(name)
        self._database.write(
            ("UPDATE players SET name = ? WHERE id = ? AND name IS NOT NULL", (name, caller.player)),
            name_row(caller.player, name),
        )
        self._cache.remove(caller.player)
        return self.get(caller.player)

    def set_key(self, caller: Caller, public_key: str, proof: str) -> Player:
        """Register the key with which the caller signs in matches that they join from now on."""
        text = b"kontor.player-key.1\n" + canonical({"player": caller.player, "public_key": public_key})
        if not is_signed(public_key, proof, text):
            raise KeyProofInvalidError(text.decode())
        insert = "INSERT INTO player_keys SELECT id, ?, ? FROM players WHERE id = ? AND name IS NOT NULL"
        self._replace_key(caller, (insert, (public_key, self._clock(), caller.player)))
        return self.get(caller.player)

    def remove_key(self, caller: Caller) -> Player:
        """Remove the caller's key: in matches that they join from now on they play unsigned."""
        self._replace_key(caller)
        return self.get(caller.player)

    def _replace_key(self, caller: Caller, *insert: Statement) -> None:
        delete = ("DELETE FROM player_keys WHERE player = ?", (caller.player,))
        self._database.write(wait_for_erasure(caller.player), delete, *insert)
        self._cache.remove(caller.player)

    def invitations_from(self, player: str) -> InvitationsFrom:
        """Return whose invitations a player accepts; the default is `everyone`."""
        query = "SELECT invitations_from FROM player_settings WHERE player = ?"
        rows = self._database.read(query, (player,))
        found: InvitationsFrom = rows[0]["invitations_from"] if rows else "everyone"
        return found

    def accept_invitations_from(self, caller: Caller, whom: InvitationsFrom) -> None:
        """Set whose invitations the caller accepts from now on."""
        insert = (
            "INSERT INTO player_settings SELECT id, ? FROM players WHERE id = ? AND name IS NOT NULL"
            " ON CONFLICT (player) DO UPDATE SET invitations_from = excluded.invitations_from"
        )
        self._database.write(wait_for_erasure(caller.player), (insert, (whom, caller.player)))

    def erase(self, caller: Caller, player: str | None = None) -> None:
        """Erase the name and tokens of the caller or, with the scope admin, of another player."""
        erased = caller.player if player is None else self.get(player).id
        if erased != caller.player:
            caller.require(ADMIN)
        self._database.write(
            ("UPDATE players SET name = NULL WHERE id = ?", (erased,)),
            *self._tokens.deletion_statements(erased),
            *((f"DELETE FROM {table} WHERE player = ?", (erased,)) for table in _ERASED),  # noqa: S608
        )
        self._cache.remove(erased)
        with suppress(UnavailableError):  # if this fails, SQLite empties its journal later
            self._database.empty_journal()
        with suppress(UnavailableError):  # if this fails, the next regular poll finds the revocations
            self._tokens.revocations.poll()


def _player_of(row: dict[str, Any]) -> Player:
    return Player(row["id"], row["name"], bool(row["bot"]), Moment(row["created_at"]), row["public_key"])
