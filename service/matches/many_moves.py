"""Moves in many matches with one request: each executed or refused independently, all stored together."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import monotonic

import msgspec
from eventsourcing.persistence import IntegrityError

from kontor_games.domain.codec import MalformedError, Plain
from kontor_games.domain.commands import Play
from kontor_games.domain.game import Refusal
from kontor_games.service.errors import ServiceError, StaleVersionError
from kontor_games.service.matches.answers import Answer, BriefAnswer
from kontor_games.service.matches.presentation import Outcome, Presenter
from kontor_games.service.matches.use_cases import ATTEMPTS, REFUSED_MOVE, Call, Draft, Matches, read_play
from kontor_games.service.store.match_cache import LOCK_TIMEOUT_S, CachedMatch, MatchCache, too_many_waiting

REFUSALS = (Refusal, MalformedError, ServiceError)
"""The errors that concern one move only; the other moves are carried out all the same."""
_PAUSE_S = 0.02
"""How long to wait for the lock of one match before trying those of the others again."""


class MoveRequest(msgspec.Struct, frozen=True):
    """One move, or several as one, in one match; `pointer` is that of `Matches.play`."""

    call: Call
    match_id: str
    moves: Sequence[Plain]
    pointer: str = ""


@dataclass(slots=True)
class _Pending:
    """A command in progress, and its outcome."""

    call: Call
    log: CachedMatch
    command: Play
    is_fresh: bool = False
    """Whether the match was read from the store for it, so that a refusal is final."""
    result: Outcome | Exception | None = None


class ManyMoves:
    """Carries out the moves of one request."""

    def __init__(self, matches: Matches, cache: MatchCache, presenter: Presenter) -> None:
        self._matches = matches
        self._cache = cache
        self._presenter = presenter

    def play(self, requests: Sequence[MoveRequest]) -> list[Answer | BriefAnswer | Exception]:
        """Carry out moves; return an answer or an error for each.

        Several moves in the same match are carried out in the given order.
        """
        prepared = [self._prepare(request) for request in requests]
        waiting = [one for one in prepared if isinstance(one, _Pending)]
        until = monotonic() + LOCK_TIMEOUT_S
        while waiting:
            locked, waiting = _acquire_free_locks(waiting)
            if locked:
                self._carry_out_locked(locked)
            elif monotonic() > until:
                for pending in waiting:
                    pending.result = too_many_waiting()
                break
        return [self._answer(one) for one in prepared]

    def _prepare(self, request: MoveRequest) -> _Pending | Exception:
        call, matches, log = request.call, self._matches, None
        try:
            log = matches.visible_log(call.caller, request.match_id)
            command = read_play(log.match.rules, request.moves, request.pointer, call.signature)
            matches.record_time_outs(log, call, command)
        except REFUSALS as error:
            if log is not None and isinstance(error, REFUSED_MOVE):
                matches.report_refusal(log, call, error)
            return error
        return _Pending(call, log, command)

    def _answer(self, pending: _Pending | Exception) -> Answer | BriefAnswer | Exception:
        if not isinstance(pending, _Pending):
            return pending
        result = pending.result
        if isinstance(result, REFUSED_MOVE):
            self._matches.report_refusal(pending.log, pending.call, result)
        if not isinstance(result, Outcome):
            return result or RuntimeError("a move was neither carried out nor refused")
        try:
            present = self._presenter.brief_answer if pending.call.brief else self._presenter.answer
            return present(result, pending.call.language)
        except ServiceError as error:
            return error

    def _carry_out_locked(self, locked: Sequence[_Pending]) -> None:
        try:
            self._carry_out(locked)
        finally:
            for pending in locked:
                pending.log.release()

    def _carry_out(self, commands: Sequence[_Pending]) -> None:
        """Decide on the cached matches and store all entries together; decide again those that conflicted."""
        for _ in range(ATTEMPTS):
            outdated = self._store(list(self._drafts(commands)))
            if not outdated:
                return
            self._refresh(outdated)
            commands = outdated
        for pending in commands:
            version = pending.log.match.version
            pending.result = pending.result or StaleVersionError(pending.call.if_version or 0, version)

    def _drafts(self, commands: Sequence[_Pending]) -> Iterator[tuple[_Pending, Draft]]:
        """The commands that are not refused; before a refusal is final, the match is read from the store."""
        outdated = []
        for pending in commands:
            try:
                if draft := self._draft(pending):
                    yield pending, draft
            except (Refusal, StaleVersionError) as error:
                if pending.is_fresh:
                    pending.result = error
                else:
                    outdated.append(pending)
            except ServiceError as error:
                pending.result = error
        if outdated:
            self._refresh(outdated)
            yield from self._drafts([pending for pending in outdated if pending.result is None])

    def _draft(self, pending: _Pending) -> Draft | None:
        """Carry out a command on a copy of its match; None if it was carried out before or has a result."""
        call, log = pending.call, pending.log
        if pending.result is not None:
            return None
        if (call.by, call.key) in log.keys:
            pending.result = self._matches.replay(log, call, publish=pending.is_fresh)
            return None
        return self._matches.draft(log, call, pending.command)

    def _refresh(self, outdated: Sequence[_Pending]) -> None:
        errors = self._cache.refresh_all([one.log for one in outdated])
        for pending, error in zip(outdated, errors, strict=True):
            pending.is_fresh, pending.result = True, error

    def _store(self, drafts: Sequence[tuple[_Pending, Draft]]) -> list[_Pending]:
        """Store commands together; return those whose version another process has stored first."""
        started_at = monotonic()
        new = [pending.log.new_entry(*draft[:3]) for pending, draft in drafts]
        outdated = []
        for (pending, draft), entry, error in zip(drafts, new, self._cache.append_all(new), strict=True):
            if error is None:
                pending.log.publish(draft.entry, draft.match, entry.stored.head, started_at)
                pending.result = self._matches.publish(pending.log, pending.call, draft)
            elif isinstance(error, IntegrityError):
                outdated.append(pending)
            else:
                pending.result = error
        return outdated


def _acquire_free_locks(waiting: Sequence[_Pending]) -> tuple[list[_Pending], list[_Pending]]:
    """Take the locks that are free, one command for each match; return those commands, and the others.

    Nothing waits for a lock while it holds another, so two requests can't block each other for ever.
    """
    tried, locked, others = set(), list[_Pending](), list[_Pending]()
    for pending in waiting:
        is_free = pending.log.id not in tried and pending.log.acquire(0)
        (locked if is_free else others).append(pending)
        tried.add(pending.log.id)
    if not locked and waiting[0].log.acquire(_PAUSE_S):
        return [others[0]], others[1:]
    return locked, others
