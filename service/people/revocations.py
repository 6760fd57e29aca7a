"""Revoked tokens, and those of banned players: each process learns of them within a second."""

from collections.abc import Callable, Iterable

from kontor_games.service.store.database import Database, Statement
from kontor_games.service.threads import RepeatedWork

FRESH_MS = 900
"""Maximum age of a cached caller that is trusted without another query."""
POLL_S = 0.3
_WINDOW_MS = 60_000
"""How far the clocks of two processes may differ without a revocation being overlooked."""
_KEPT_MS = 3_600_000
"""How long a revocation is stored: longer than any cache or stream lasts."""

Listener = Callable[[frozenset[str]], None]
"""A callback with the ids of tokens that have just ended."""


class Revocations(RepeatedWork):
    """The tokens that were revoked recently, in this or another process; polls for them while it runs."""

    def __init__(self, database: Database, clock: Callable[[], int]) -> None:
        """Starts without revocations; `poll` reads them."""
        super().__init__(self.poll, POLL_S, "revocations_interrupted")
        self._database = database
        self._clock = clock
        self._ended: dict[str, int] = {}
        self._banned: frozenset[str] = frozenset()
        self._listeners: list[Listener] = []
        self._polled_at = -_KEPT_MS

    def __contains__(self, token: str) -> bool:
        """Whether a token is known to have been revoked, or to belong to a player who is banned."""
        return token in self._ended or token in self._banned

    @property
    def fresh(self) -> bool:
        """Whether every revocation that is a second old is known here."""
        return 0 <= self._clock() - self._polled_at < FRESH_MS

    def on_revoked(self, listener: Listener) -> None:
        """Call a listener with every token that ends; it must not block."""
        self._listeners.append(listener)

    def statements(self, where: str, value: str) -> tuple[Statement, Statement]:
        """Return the statements that store the revocation of the tokens that meet a condition."""
        now = self._clock()
        insert = "INSERT INTO token_revocations SELECT id, ? FROM tokens WHERE"
        return (
            ("DELETE FROM token_revocations WHERE revoked_at < ?", (now - _KEPT_MS,)),
            (f"{insert} {where} ON CONFLICT DO NOTHING", (now, value)),
        )

    def poll(self) -> None:
        """Read what other processes have revoked, and who is banned."""
        now = self._clock()
        query = (
            "SELECT token, 0 AS banned FROM token_revocations WHERE revoked_at > ?"
            " UNION ALL SELECT t.id, 1 FROM bans b JOIN tokens t ON t.player = b.player"
        )
        rows = self._database.read(query, (now - _WINDOW_MS,))
        self.add(row["token"] for row in rows if not row["banned"])
        self._ban(frozenset(row["token"] for row in rows if row["banned"]))
        self._polled_at = now

    def _ban(self, tokens: frozenset[str]) -> None:
        """Remember whose tokens are refused for now; those of a player whose ban was lifted work again."""
        new, self._banned = tokens - self._banned, tokens
        if new:
            self._notify(new)

    def _notify(self, tokens: frozenset[str]) -> None:
        for listen in self._listeners:
            listen(tokens)

    def add(self, tokens: Iterable[str]) -> None:
        """Record revoked tokens, and call the listeners with the newly known ones."""
        now = self._clock()
        new = frozenset(token for token in tokens if token not in self._ended)
        if not new:
            return
        kept = {token: at for token, at in self._ended.items() if at > now - _KEPT_MS}
        self._ended = kept | dict.fromkeys(new, now)
        self._notify(new)
