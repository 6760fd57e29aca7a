"""Phrases: what the players of a match say to each other, chosen from a list.

They are no facts and no evidence: they are stored beside the record, erased with the account of who said
them, and forgotten when a match has many.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Any, get_args
from typing import Literal as OneOf
from uuid import uuid4

import msgspec
from eventsourcing.persistence import IntegrityError

from kontor_games.domain.codec import SPECTATOR
from kontor_games.domain.match_refusals import NotSeatedError
from kontor_games.service.answer_fields import Moment
from kontor_games.service.errors import KeyReusedError, RateLimitedError, UnavailableError
from kontor_games.service.matches.queries import Queries
from kontor_games.service.matches.use_cases import Call
from kontor_games.service.people.blocks import Blocks
from kontor_games.service.people.tokens import Caller
from kontor_games.service.store.database import Database

Phrase = OneOf[
    "hello", "good_luck", "nice_move", "thanks", "sorry", "oops", "one_moment", "your_turn", "good_game",
    "like", "laugh", "wow",
]  # fmt: skip
PHRASES: tuple[str, ...] = get_args(Phrase)
_INSERT = "INSERT INTO phrases SELECT ?, ?, id, ?, ?, ?, ? FROM players WHERE id = ? AND name IS NOT NULL"
KEPT = 60
"""How many phrases of a match are kept."""
MOST, WITHIN_MS = 5, 30_000
"""How many phrases a player can say in a match within this time."""
_ATTEMPTS = 5


class Said(msgspec.Struct, frozen=True):
    """A phrase that a player has said."""

    number: int
    """Number of the phrase in this match, from 1."""
    seat: int
    """The seat of the player."""
    phrase: str
    """The phrase, by its name; each client has its own words, or a picture, for it."""
    at: Moment
    """Time at which it was said."""


class PhraseList(msgspec.Struct, frozen=True):
    """What the players of a match have said, as far as it is kept."""

    phrases: list[Said]
    """The phrases, the oldest first."""


class Talk:
    """Stores and reads phrases."""

    def __init__(
        self, database: Database, queries: Queries, blocks: Blocks, clock: Callable[[], int]
    ) -> None:
        self._database = database
        self._queries = queries
        self._blocks = blocks
        self._clock = clock

    def say(self, call: Call, match_id: str, phrase: str) -> Said:
        """Say a phrase, as a player of the match; the same key says it once."""
        seat = self._queries.visible_match(call.caller, match_id).viewer
        if seat == SPECTATOR:
            raise NotSeatedError("Only those who have a seat in the match can say something.")
        request = call.key or str(uuid4())
        for _ in range(_ATTEMPTS):
            earlier = self._database.read(
                "SELECT * FROM phrases WHERE player = ? AND request = ?", (call.by, request)
            )
            if earlier and (earlier[0]["match_id"], earlier[0]["phrase"]) != (match_id, phrase):
                raise KeyReusedError("This Idempotency-Key was already used for a different request.")
            if earlier:
                return _said(earlier[0])
            with suppress(IntegrityError):  # somebody else has just said something
                self._store(match_id, seat, call.by, phrase, request)
        raise UnavailableError("Too many players talk at the same time. Try again.")

    def _store(self, match_id: str, seat: int, player: str, phrase: str, request: str) -> None:
        now = self._clock()
        rows = self._database.read(
            "SELECT number, player, at FROM phrases WHERE match_id = ? ORDER BY number", (match_id,)
        )
        recent = [row["at"] for row in rows if row["player"] == player and row["at"] > now - WITHIN_MS]
        if len(recent) >= MOST:
            wait = recent[-MOST] + WITHIN_MS - now
            detail = f"At most {MOST} phrases can be said in {WITHIN_MS // 1000} seconds."
            raise RateLimitedError(detail, retry_after_ms=wait, limit=MOST, reset_ms=wait)
        number = rows[-1]["number"] + 1 if rows else 1
        self._database.write(
            ("DELETE FROM phrases WHERE match_id = ? AND number <= ?", (match_id, number - KEPT)),
            (
                _INSERT,
                (match_id, number, seat, phrase, request, now, player),
            ),
        )

    def heard(self, caller: Caller | None, match_id: str, after: int) -> PhraseList:
        """What was said after a number, without those whom the caller has blocked.

        Spectators of a match with a delay hear it as late as they see the match.
        """
        until = self._queries.visible_match(caller, match_id).at
        rows = self._database.read(
            "SELECT * FROM phrases WHERE match_id = ? AND number > ? AND at <= ? ORDER BY number",
            (match_id, after, until),
        )
        blocked = self._blocks.of([caller.player]).get(caller.player, frozenset()) if caller else frozenset()
        return PhraseList([_said(row) for row in rows if row["player"] not in blocked])


def _said(row: dict[str, Any]) -> Said:
    return Said(row["number"], row["seat"], row["phrase"], Moment(row["at"]))
