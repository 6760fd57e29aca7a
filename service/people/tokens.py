"""Tokens: who is calling, and what they may do. Shown once, stored as hashes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any
from uuid import uuid4

from kontor_games.domain.codec import Fault, MalformedError
from kontor_games.domain.game import Refusal
from kontor_games.service.errors import ForbiddenError, NotFoundError, UnauthorisedError
from kontor_games.service.people.names import read_name
from kontor_games.service.people.token_keys import REPLAY_MS, Clock, Made, Request, Requests, hash_token, is_token
from kontor_games.service.settings import Settings
from kontor_games.service.store.database import Database, Statement

PLAY, ORGANISE, ADMIN = "play", "organise", "admin"
SCOPES = (PLAY, ORGANISE, ADMIN)
"""All that a token can allow; `admin` is given by an operator only."""
MOST_TOKENS = 50
"""How many tokens a player may hold at a time, since each has rate limits of its own."""
LONGEST_MS = 10 * 365 * 24 * 3600 * 1000
"""Ten years: no token is asked to expire later."""
_TRUSTED_MS = 5000
_REMEMBERED = 10_000

TOKEN_TABLES = (
    """CREATE TABLE IF NOT EXISTS tokens (
        id TEXT PRIMARY KEY, player TEXT NOT NULL REFERENCES players (id), hash TEXT NOT NULL UNIQUE, label TEXT NOT NULL,
        scopes TEXT NOT NULL, last_four TEXT NOT NULL, created_at BIGINT NOT NULL, expires_at BIGINT, revoked_at BIGINT)""",
    "CREATE INDEX IF NOT EXISTS tokens_by_player ON tokens (player)",
)


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks: a player, through one of their tokens."""

    player: str
    bot: bool
    scopes: frozenset[str]
    token: str
    """The id of the token, not its text."""

    def require(self, scope: str) -> None:
        """Refuses where the token does not allow this."""
        if scope not in self.scopes:
            raise ForbiddenError(f"this token lacks the scope {scope}")


@dataclass(frozen=True, slots=True)
class Token:
    """What can be told of a token once it was shown."""

    id: str
    label: str
    scopes: tuple[str, ...]
    created_at: int
    expires_at: int | None
    last_four: str


@dataclass(frozen=True, slots=True)
class Issued:
    """A token at the one moment at which its text is shown."""

    token: Token
    text: str
    replayed: bool


class TooManyTokensError(Refusal):
    """A player holds only so many tokens at a time."""

    def __init__(self, detail: str) -> None:
        """There is no rule number to cite."""
        super().__init__(detail, rule="")


@dataclass(frozen=True, slots=True)
class _Known:
    """A caller as the database knew them a moment ago."""

    caller: Caller
    expires_at: int
    seen_at: int


_NEVER = 1 << 62


class Tokens:
    """Issues, knows, lists and revokes tokens."""

    def __init__(self, database: Database, settings: Settings, clock: Clock) -> None:
        """Remembers callers for a few seconds, since every move asks who makes it."""
        self._database = database
        self.requests = Requests(database, settings, clock)
        self._clock = clock
        self._lock = Lock()
        self._known: dict[str, _Known] = {}
        self._forgotten = 0

    # --- who is calling ----------------------------------------------------------------------------------------------------

    def authenticate(self, text: str) -> Caller:
        """Who holds this token; a revocation elsewhere is noticed within five seconds, one in this process at once."""
        if not is_token(text):
            raise UnauthorisedError(
                "this is no token of this service: it begins with kontor_ and has 56 characters; was it cut off or mistyped?"
            )
        hashed = hash_token(text)
        now = self._clock()
        known = self._known.get(hashed)
        if known is None or not known.seen_at <= now < known.seen_at + _TRUSTED_MS:
            known = self._look_up(hashed, now)
        if known.expires_at <= now:
            raise UnauthorisedError("this token has expired")
        return known.caller

    def _look_up(self, hashed: str, now: int) -> _Known:
        forgotten = self._forgotten
        query = (
            "SELECT t.id, t.player, t.scopes, t.expires_at, p.bot FROM tokens t JOIN players p ON p.id = t.player "
            "WHERE t.hash = ? AND t.revoked_at IS NULL"
        )
        rows = self._database.read(query, (hashed,))
        if not rows:
            self._known.pop(hashed, None)
            raise UnauthorisedError("this token is not known, or was revoked")
        row = rows[0]
        caller = Caller(row["player"], bool(row["bot"]), frozenset(row["scopes"].split()), row["id"])
        known = _Known(caller, _NEVER if row["expires_at"] is None else row["expires_at"], now)
        self._remember(hashed, known, forgotten)
        return known

    def _remember(self, hashed: str, known: _Known, forgotten: int) -> None:
        with self._lock:
            # A token revoked while its row was being read must not come back.
            if forgotten == self._forgotten:
                if len(self._known) >= _REMEMBERED:
                    del self._known[next(iter(self._known))]
                self._known[hashed] = known

    def forget(self, hashes: Iterable[str]) -> None:
        """Stops trusting tokens at once."""
        with self._lock:
            self._forgotten += 1
            for hashed in hashes:
                self._known.pop(hashed, None)

    # --- issuing -----------------------------------------------------------------------------------------------------------

    def create(self, caller: Caller, label: str, scopes: Sequence[str], expires_in_ms: int | None, key: str | None, body: str) -> Issued:
        """A further token of the caller's: it may do no more, and lasts no longer, than the token that asks for it."""
        label = read_name(label, "/label")
        _check(caller, scopes, expires_in_ms)
        request = self.requests.open("token", caller.player, key, body)
        until = self._until(caller, expires_in_ms)
        return self._issue(request, caller.player, label, [scope for scope in SCOPES if scope in scopes], until)

    def _until(self, caller: Caller, expires_in_ms: int | None) -> int | None:
        own = self._database.read("SELECT expires_at FROM tokens WHERE id = ?", (caller.token,))
        bounds = [row["expires_at"] for row in own if row["expires_at"] is not None]
        if expires_in_ms is not None:
            bounds.append(self._clock() + expires_in_ms)
        return min(bounds, default=None)

    def issue_admin(self, player: str, label: str, expires_in_ms: int | None) -> Issued:
        """A token with every scope, for an operator to hand out; no call of the API leads here."""
        label = read_name(label, "/label")
        if not self._database.read("SELECT id FROM players WHERE id = ? AND name IS NOT NULL", (player,)):
            raise NotFoundError("there is no such player")
        until = None if expires_in_ms is None else self._clock() + expires_in_ms
        return self._issue(self.requests.open("admin", player, None, ""), player, label, SCOPES, until)

    def _issue(self, request: Request, player: str, label: str, scopes: Sequence[str], until: int | None) -> Issued:
        new = Made(str(uuid4()), player)
        made = self.requests.made_by(request)
        if made is None:
            self._require_room(player)
            row = self.insertion(request, new, label, scopes, until)
            made = self.requests.carry_out(request, new, self._clean(), row)
        stored = self._database.read("SELECT * FROM tokens WHERE id = ?", (made.token,))
        return Issued(_token_of(stored[0]), self.requests.token_text(request, made), replayed=made != new)

    def _require_room(self, player: str) -> None:
        query = "SELECT COUNT(*) AS held FROM tokens WHERE player = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)"
        if self._database.read(query, (player, self._clock()))[0]["held"] >= MOST_TOKENS:
            raise TooManyTokensError(f"a player holds at most {MOST_TOKENS} tokens at a time; revoke one first")

    def _clean(self) -> Statement:
        """Drops what nobody can use or ask for any more; a retry may still ask for a token that died lately."""
        old = self._clock() - REPLAY_MS
        return "DELETE FROM tokens WHERE created_at <= ? AND (expires_at <= ? OR revoked_at <= ?)", (old, old, old)

    def insertion(self, request: Request, new: Made, label: str, scopes: Sequence[str], until: int | None) -> Statement:
        """The row of a new token."""
        text = self.requests.token_text(request, new)
        columns = "id, player, hash, label, scopes, last_four, created_at, expires_at"
        values = (new.token, new.player, hash_token(text), label, " ".join(scopes), text[-4:], self._clock(), until)
        return f"INSERT INTO tokens ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values  # noqa: S608  # the columns are ours

    # --- listing and revoking ----------------------------------------------------------------------------------------------

    def list(self, caller: Caller) -> list[Token]:
        """The caller's tokens that still open the door, the oldest first."""
        query = "SELECT * FROM tokens WHERE player = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?) ORDER BY created_at, id"
        return [_token_of(row) for row in self._database.read(query, (caller.player, self._clock()))]

    def revoke(self, caller: Caller, token: str) -> None:
        """Ends a token of the caller's; their own included."""
        query = "SELECT hash FROM tokens WHERE id = ? AND player = ? AND revoked_at IS NULL"
        rows = self._database.read(query, (token, caller.player))
        if not rows:
            raise NotFoundError("you have no such token")
        self._database.write(("UPDATE tokens SET revoked_at = ? WHERE id = ?", (self._clock(), token)))
        self.forget([rows[0]["hash"]])

    def forget_player(self, player: str) -> None:
        """Stops trusting every token of a player at once."""
        with self._lock:
            hashes = [hashed for hashed, known in self._known.items() if known.caller.player == player]
        self.forget(hashes)


def _token_of(row: dict[str, Any]) -> Token:
    return Token(row["id"], row["label"], tuple(row["scopes"].split()), row["created_at"], row["expires_at"], row["last_four"])


def _check(caller: Caller, scopes: Sequence[str], expires_in_ms: int | None) -> None:
    faults = [Fault(f"/scopes/{i}", "must be one of " + ", ".join(SCOPES)) for i, scope in enumerate(scopes) if scope not in SCOPES]
    if not scopes:
        faults.append(Fault("/scopes", "must name at least one scope"))
    if expires_in_ms is not None and not 1 <= expires_in_ms <= LONGEST_MS:
        faults.append(Fault("/expires_in_ms", f"must be between 1 and {LONGEST_MS}"))
    if faults:
        raise MalformedError(faults)
    if ADMIN in scopes:
        raise ForbiddenError("tokens with the scope admin are given by the operator only")
    for scope in scopes:
        caller.require(scope)
