"""Analyses of finished matches: asked for by players, made by the processes of searching bots, and kept."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

import msgspec

from kontor_games.domain.analysis import LEAST_LOSS, Decision, Step, analysed, mistakes
from kontor_games.domain.games import installed_games
from kontor_games.domain.narration.narrator import seat_names
from kontor_games.domain.toolkit.languages import DEFAULT_LANGUAGE
from kontor_games.service.errors import NotFoundError, RateLimitedError, RecordDamagedError
from kontor_games.service.matches.event_answers import (
    AnalysedDecision,
    AnalysedStep,
    Analysis,
    AnalysisAwaited,
)
from kontor_games.service.matches.queries import Queries
from kontor_games.service.people.tokens import Caller
from kontor_games.service.slices import in_slices
from kontor_games.service.store.database import Database
from kontor_games.service.store.match_cache import MatchCache

_MOST_AWAITED = 3
"""Analyses that a player may wait for at the same time."""
RETRY_MS = 3000
_LEASE_MS = 600_000
"""Longer than an analysis takes; another process then makes it, too."""
_DUE = "SELECT match_id FROM match_analyses WHERE result IS NULL AND until <= ? ORDER BY asked_at LIMIT 1"


class _Stored(msgspec.Struct):
    """The result as it is stored, with labels in all languages."""

    unit: str
    decisions: list["_StoredDecision"]
    mistakes: list[list[int]]


class _StoredStep(msgspec.Struct):
    seat: int
    move: dict[str, Any]
    labels: dict[str, str]


class _StoredDecision(msgspec.Struct):
    version: int
    seat: int
    before: float
    after: float
    made: _StoredStep
    line: list[_StoredStep]


class Analyses:
    """The analyses of this service."""

    def __init__(
        self, cache: MatchCache, queries: Queries, database: Database, clock: Callable[[], int]
    ) -> None:
        self._cache = cache
        self._queries = queries
        self._database = database
        self._clock = clock

    def get(self, caller: Caller, match_id: str, language: str | None) -> Analysis | AnalysisAwaited:
        """The analysis of a match that is over, or the word that it is being made."""
        match = self._queries.visible_match(caller, match_id, truth=True).match
        if installed_games()[match.created.game].appraiser is None or not match.begun:
            raise NotFoundError("This match cannot be analysed.")
        rows = self._database.read("SELECT result FROM match_analyses WHERE match_id = ?", (match_id,))
        if not rows:
            self._ask(caller, match_id)
        if not rows or rows[0]["result"] is None:
            return AnalysisAwaited(match_id, RETRY_MS)
        stored = msgspec.json.decode(rows[0]["result"], type=_Stored)
        decisions = [_shown(one, language or DEFAULT_LANGUAGE) for one in stored.decisions]
        return Analysis(match=match_id, unit=stored.unit, decisions=decisions, mistakes=stored.mistakes)

    def _ask(self, caller: Caller, match_id: str) -> None:
        waiting = self._database.read(
            "SELECT COUNT(*) AS number FROM match_analyses WHERE player = ? AND result IS NULL",
            (caller.player,),
        )
        if waiting[0]["number"] >= _MOST_AWAITED:
            detail = f"You wait for {_MOST_AWAITED} analyses already."
            raise RateLimitedError(detail, retry_after_ms=RETRY_MS, limit=_MOST_AWAITED, reset_ms=RETRY_MS)
        asked = "INSERT INTO match_analyses VALUES (?, ?, ?, 0, NULL) ON CONFLICT (match_id) DO NOTHING"
        self._database.write((asked, (match_id, caller.player, self._clock())))

    def is_awaited(self) -> bool:
        """Whether an analysis is to be made."""
        return bool(self._database.read("SELECT 1 AS one FROM match_analyses WHERE result IS NULL LIMIT 1"))

    def make_next(self) -> int:
        """Make the analysis that was asked for first; return the number of those made."""
        now = self._clock()
        for row in self._database.read(_DUE, (now,)):
            match_id = row["match_id"]
            lease = "UPDATE match_analyses SET until = ? WHERE match_id = ?"
            self._database.write((lease, (now + _LEASE_MS, match_id)))
            result = msgspec.json.encode(self._made(match_id)).decode()
            stored = "UPDATE match_analyses SET result = ? WHERE match_id = ?"
            self._database.write((stored, (result, match_id)))
            return 1
        return 0

    def _made(self, match_id: str) -> _Stored:
        try:
            cached = self._cache.get_fresh(UUID(match_id))
        except RecordDamagedError:
            return _Stored("", [], [])
        match, entries = cached.state, [*in_slices(cached.entries)]
        game = installed_games()[match.created.game]
        seats = range(len(match.seats))
        names = {language: seat_names([None] * len(seats), language) for language in game.languages}
        found = [one for some in analysed(match_id, entries, names) for one in some]
        encode = match.rules.move_codec.encode
        unit = game.appraiser(match.rules).unit if game.appraiser else ""
        worst = [[one.version for one in mistakes(found, seat)] for seat in seats]
        return _Stored(unit, [_stored(one, encode) for one in found], worst)


def _stored(one: Decision, encode: Callable[[Any], Any]) -> _StoredDecision:
    def step(taken: Step) -> _StoredStep:
        return _StoredStep(taken.seat, encode(taken.move), dict(taken.labels))

    line = [step(taken) for taken in one.line] if one.loss >= LEAST_LOSS else []
    return _StoredDecision(
        one.version, one.seat, round(one.before, 2), round(one.after, 2), step(one.made), line
    )


def _shown(one: _StoredDecision, language: str) -> AnalysedDecision:
    def step(taken: _StoredStep) -> AnalysedStep:
        label = taken.labels.get(language) or taken.labels[DEFAULT_LANGUAGE]
        return AnalysedStep(seat=taken.seat, move=taken.move, label=label)

    return AnalysedDecision(
        version=one.version,
        seat=one.seat,
        before=one.before,
        after=one.after,
        made=step(one.made),
        line=[step(taken) for taken in one.line],
    )
