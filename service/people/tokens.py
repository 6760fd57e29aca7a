"""Tokens authenticate callers and limit what they may do. A token is shown once and stored as a hash."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Annotated, Any
from uuid import uuid4

from msgspec import Meta, Struct

from kontor_games.domain.codec import Fault, MalformedError
from kontor_games.domain.game import Refusal
from kontor_games.domain.stream import HOUSE
from kontor_games.service.answer_fields import Id, Inline, Internal, Moment, moment
from kontor_games.service.errors import ForbiddenError, NotFoundError, UnauthorisedError
from kontor_games.service.people.bans import banned, require_not_banned
from kontor_games.service.people.names import read_name, wait_for_erasure
from kontor_games.service.people.revocations import FRESH_MS, Revocations
from kontor_games.service.people.token_requests import (
    REPLAY_MS,
    TokenIds,
    TokenRequest,
    TokenRequests,
    is_token,
)
from kontor_games.service.read_cache import ReadCache
from kontor_games.service.settings import Settings
from kontor_games.service.store.database import Database, Statement

PLAY, ORGANISE, ACCOUNT, ADMIN = "play", "organise", "account", "admin"
SCOPES = (PLAY, ORGANISE, ACCOUNT, ADMIN)
"""The scopes of tokens; only an operator can issue tokens with `admin`."""
FIRST_SCOPES = (PLAY, ORGANISE, ACCOUNT)
"""The scopes of the token that comes with a new account."""
MAX_TOKENS = 50
"""How many valid tokens a player may have, since each has its own rate limits."""
MAX_LIFETIME_MS = 10 * 365 * 24 * 3600 * 1000
"""The longest lifetime that can be requested: ten years."""
_CACHE_MS = 5000
_CACHE_SIZE = 10_000
_UNKNOWN_MS = 2000
"""How long an unknown token is refused without another query; nobody knows a token before it is issued."""
_VALID = "revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)"


@dataclass(frozen=True, slots=True)
class Caller:
    """The player who makes a request, and the token that it was made with."""

    player: str
    bot: bool
    scopes: frozenset[str]
    token: str
    """The id of the token, not its text."""
    expires_at: int | None = None
    match_key: str | None = None
    """The key of a private match that was sent with the request, if any."""

    def require(self, *scopes: str) -> None:
        """Raise ForbiddenError if the token has none of the scopes."""
        if self.scopes.isdisjoint(scopes):
            raise ForbiddenError(f"This token lacks the scope {' or '.join(scopes)}.")


THE_SERVICE = Caller(HOUSE, bot=True, scopes=frozenset(), token="")
"""The author of the commands that the service itself gives."""


class Token(Struct, frozen=True):
    """A token, without its text."""

    id: Id
    """Id of the token, for revoking it."""
    label: str
    """The label that you chose."""
    scopes: tuple[str, ...]
    """The scopes of the token."""
    created_at: Moment
    """Time of creation."""
    expires_at: Moment | None
    """Time at which the token expires; null if it never does."""
    last_four: str
    """The last four characters of the token."""


class TokenList(Struct, frozen=True):
    """The caller's tokens."""

    tokens: list[Token]
    """The valid tokens, oldest first."""


class IssuedToken(Struct, frozen=True, rename={"text": "token", "token": "inline"}):
    """A new token, with its text."""

    token: Inline[Token]
    text: Annotated[str, Meta(examples=["kontor_…"])]
    """The token; it is shown only once."""
    replayed: Internal[bool]


class TooManyTokensError(Refusal):
    """You have reached the limit of valid tokens."""

    def __init__(self, detail: str) -> None:
        super().__init__(detail, rule="")


@dataclass(frozen=True, slots=True)
class _KnownCaller:
    """A caller as read from the database, and how long that can be relied on."""

    caller: Caller
    read_at: int
    valid_until: int


def hash_token(text: str) -> str:
    """Return the hash by which a token is stored.

    Unlike for passwords, one round of SHA-256 without salt is enough: a token holds 256 random bits, so it
    can't be guessed and no two are equal. Since rows are found by this hash, the time of a lookup reveals
    nothing about tokens.
    """
    return sha256(text.encode()).hexdigest()


class Tokens:
    """Authenticates, issues, lists and revokes tokens."""

    def __init__(self, database: Database, settings: Settings, clock: Callable[[], int]) -> None:
        """Caches callers for a few seconds, because every request needs one."""
        self._database = database
        self.requests = TokenRequests(database, settings, clock)
        self._clock = clock
        self._callers: ReadCache[str, _KnownCaller] = ReadCache(
            _CACHE_SIZE, lambda known: clock() >= known.valid_until
        )
        self._unknown: ReadCache[str, int] = ReadCache(
            _CACHE_SIZE, lambda read_at: clock() >= read_at + _UNKNOWN_MS
        )
        """Tokens that were not found, by hash, and when."""
        self.revocations = Revocations(database, clock)
        self.revocations.on_revoked(self._remove_from_cache)
        self._seen: dict[str, int] = {}

    # --- authentication -------------------------------------------------------------------------------------

    def authenticate(self, text: str, *, anew: bool = False) -> Caller:
        """Return the caller with this token; a revocation by another process takes effect within a second.

        With `anew`, the token is read from the database, so that the revocation takes effect at once.
        """
        hashed, now = hash_token(text), self._clock()
        known = None if anew else self._callers.get(hashed)
        if known is None or not self._is_current(known, now):
            known = self._read_caller(text, hashed, now)
        self._seen[known.caller.player] = now
        return known.caller

    def take_last_seen(self) -> dict[str, int]:
        """Return the players seen since the last call of this method, and when."""
        last_seen, self._seen = self._seen, {}
        return last_seen

    def _is_current(self, cached: _KnownCaller, now: int) -> bool:
        """Whether a cached caller can be relied on: read just now, or all revocations since are known."""
        fresh = now < cached.read_at + FRESH_MS or self.revocations.fresh
        return fresh and cached.read_at <= now < cached.valid_until

    def is_valid(self, caller: Caller) -> bool:
        """Whether a token that was valid still is, as far as this process knows."""
        expired = caller.expires_at is not None and caller.expires_at <= self._clock()
        return not expired and caller.token not in self.revocations

    def require_valid(self, caller: Caller | None) -> None:
        """Raise UnauthorisedError if a token has ended, or its player was banned, since the request began."""
        if caller is not None and not self.is_valid(caller):
            raise UnauthorisedError("This token has expired or was revoked.")

    def _remove_from_cache(self, tokens: frozenset[str]) -> None:
        self._callers.remove_if(lambda known: known.caller.token in tokens)

    def _read_caller(self, text: str, hashed: str, now: int) -> _KnownCaller:
        if not is_token(text):
            raise UnauthorisedError(
                "This is not a token of this service: it begins with kontor_ and has 56 characters. "
                "Was it cut off or mistyped?"
            )
        if self._unknown.get(hashed, 0) <= now < self._unknown.get(hashed, 0) + _UNKNOWN_MS:
            raise _unknown_token()
        removals, unknown_removals = self._callers.removals, self._unknown.removals
        query = (
            "SELECT t.id, t.player, t.scopes, t.expires_at, p.bot, b.reason FROM tokens t"
            " JOIN players p ON p.id = t.player LEFT JOIN bans b ON b.player = t.player"
            " WHERE t.hash = ? AND t.revoked_at IS NULL"
        )
        rows = self._database.read(query, (hashed,))
        if not rows:
            self._unknown.put(hashed, now, unknown_removals)
            raise _unknown_token()
        row, valid_until = rows[0], now + _CACHE_MS
        if row["reason"] is not None:
            raise banned(row["reason"])
        if row["expires_at"] is not None:
            valid_until = min(valid_until, row["expires_at"])
        if valid_until <= now:
            raise UnauthorisedError("This token has expired.")
        scopes = frozenset(row["scopes"].split())
        caller = Caller(row["player"], bool(row["bot"]), scopes, row["id"], row["expires_at"])
        known = _KnownCaller(caller, now, valid_until)
        self._callers.put(hashed, known, removals)
        return known

    # --- issuing --------------------------------------------------------------------------------------------

    def create(
        self,
        caller: Caller,
        label: str,
        scopes: Sequence[str],
        expires_in_ms: int | None,
        key: str | None,
        body: str,
    ) -> IssuedToken:
        """Issue another token to the caller, with no more scopes and no later expiry than the present one."""
        label = read_name(label, "label")
        _check(caller, scopes, expires_in_ms)
        request = self.requests.identify("token", caller.player, key, body)
        expires_at = self._expiry(caller, expires_in_ms)
        in_order = [scope for scope in SCOPES if scope in scopes]
        return self.issue(request, caller.player, label, in_order, expires_at)

    def _expiry(self, caller: Caller, expires_in_ms: int | None) -> int | None:
        own = self._database.read("SELECT expires_at FROM tokens WHERE id = ?", (caller.token,))
        limits = [row["expires_at"] for row in own if row["expires_at"] is not None]
        if expires_in_ms is not None:
            limits.append(self._clock() + expires_in_ms)
        return min(limits, default=None)

    def issue_admin(self, player: str, label: str, expires_in_ms: int | None) -> IssuedToken:
        """Issue a token with every scope; only for the command line, not for the API."""
        label = read_name(label, "label")
        if not self._database.read("SELECT id FROM players WHERE id = ? AND name IS NOT NULL", (player,)):
            raise NotFoundError("There is no such player.")
        expires_at = None if expires_in_ms is None else self._clock() + expires_in_ms
        request = self.requests.identify("admin", player, None, "")
        return self.issue(request, player, label, SCOPES, expires_at)

    def issue(
        self,
        request: TokenRequest,
        player: str,
        label: str,
        scopes: Sequence[str],
        expires_at: int | None,
        *statements: Statement,
    ) -> IssuedToken:
        """Issue a token, with other statements in the same transaction; a retry gets the same one."""
        new = TokenIds(str(uuid4()), player)
        ids = self.requests.find(request)
        if ids is None:
            require_not_banned(self._database, player)
            self._check_count(player)
            insert = self.insert_statement(request, new, label, scopes, expires_at)
            erasure = wait_for_erasure(player)
            ids = self.requests.store(request, new, self._delete_old(), erasure, insert, *statements)
        stored = self._database.read("SELECT * FROM tokens WHERE id = ?", (ids.token,))
        if not stored:
            raise UnauthorisedError("This account was erased.")
        return IssuedToken(_token_of(stored[0]), self.requests.token_text(request, ids), replayed=ids != new)

    def _check_count(self, player: str) -> None:
        query = f"SELECT COUNT(*) AS count FROM tokens WHERE player = ? AND {_VALID}"  # noqa: S608
        if self._database.read(query, (player, self._clock()))[0]["count"] >= MAX_TOKENS:
            raise TooManyTokensError(f"You can have at most {MAX_TOKENS} valid tokens. Revoke one first.")

    def _delete_old(self) -> Statement:
        """Delete tokens that have been invalid for so long that no retry can need them."""
        old = self._clock() - REPLAY_MS
        delete = "DELETE FROM tokens WHERE created_at <= ? AND (expires_at <= ? OR revoked_at <= ?)"
        return delete, (old, old, old)

    def insert_statement(
        self, request: TokenRequest, new: TokenIds, label: str, scopes: Sequence[str], expires_at: int | None
    ) -> Statement:
        """Return the statement that inserts a new token, unless the player was erased."""
        text = self.requests.token_text(request, new)
        self._unknown.remove(hash_token(text))
        columns = "id, player, hash, label, scopes, last_four, created_at, expires_at"
        token = (new.token, hash_token(text), label, " ".join(scopes), text[-4:])
        insert = f"INSERT INTO tokens ({columns}) SELECT ?, id, ?, ?, ?, ?, ?, CAST(? AS BIGINT) FROM players"  # noqa: S608
        values = (*token, self._clock(), expires_at, new.player)
        return f"{insert} WHERE id = ? AND name IS NOT NULL", values

    # --- listing and revoking -------------------------------------------------------------------------------

    def list(self, caller: Caller) -> list[Token]:
        """Return the caller's valid tokens, the oldest first."""
        query = f"SELECT * FROM tokens WHERE player = ? AND {_VALID} ORDER BY created_at, id"  # noqa: S608
        return [_token_of(row) for row in self._database.read(query, (caller.player, self._clock()))]

    def revoke(self, caller: Caller, token: str) -> None:
        """Revoke the token of the request or, with the scope account, another one of the caller's."""
        if token != caller.token:
            caller.require(ACCOUNT)
        query = "SELECT hash FROM tokens WHERE id = ? AND player = ? AND revoked_at IS NULL"
        rows = self._database.read(query, (token, caller.player))
        if not rows:
            raise NotFoundError("You have no such token.")
        self._database.write(
            *self.revocations.statements("id = ?", token),
            ("UPDATE tokens SET revoked_at = ? WHERE id = ?", (self._clock(), token)),
        )
        self.revocations.add([token])

    def deletion_statements(self, player: str) -> tuple[Statement, ...]:
        """Return the statements that delete all tokens of a player; `poll` the revocations afterwards."""
        delete = "DELETE FROM tokens WHERE player = ?"
        return (*self.revocations.statements("player = ?", player), (delete, (player,)))


def _unknown_token() -> UnauthorisedError:
    return UnauthorisedError("This token is unknown or was revoked.")


def _token_of(row: dict[str, Any]) -> Token:
    scopes = tuple(row["scopes"].split())
    times = Moment(row["created_at"]), moment(row["expires_at"])
    return Token(row["id"], row["label"], scopes, *times, row["last_four"])


def _check(caller: Caller, scopes: Sequence[str], expires_in_ms: int | None) -> None:
    wrong = [i for i, scope in enumerate(scopes) if scope not in SCOPES]
    faults = [Fault(f"/scopes/{i}", "must be one of " + ", ".join(SCOPES)) for i in wrong]
    if not scopes:
        faults.append(Fault("/scopes", "must name at least one scope"))
    if expires_in_ms is not None and not 1 <= expires_in_ms <= MAX_LIFETIME_MS:
        faults.append(Fault("/expires_in_ms", f"must be between 1 and {MAX_LIFETIME_MS}"))
    if faults:
        raise MalformedError(faults)
    if ADMIN in scopes:
        raise ForbiddenError("Only the operator can issue tokens with the scope admin.")
    for scope in scopes:
        caller.require(scope)
