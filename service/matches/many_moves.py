"""Moves in many matches with one request: each executed or refused independently, all stored together."""

from collections.abc import Sequence

import msgspec

from kontor_games.domain.codec import MalformedError, Plain
from kontor_games.domain.game import Refusal
from kontor_games.domain.match import Match
from kontor_games.service.errors import ServiceError
from kontor_games.service.matches.answers import BriefMoveAnswer
from kontor_games.service.matches.presentation import Presenter
from kontor_games.service.matches.use_cases import REFUSED_MOVE, Call, Matches, outcome, read_play
from kontor_games.service.store.command_handler import CommandHandler, Done, Pending

REFUSALS = (Refusal, MalformedError, ServiceError)
"""The errors that concern one move only; the other moves are carried out all the same."""


class MoveRequest(msgspec.Struct, frozen=True):
    """One move, or several as one, in one match; `pointer` is that of `Matches.play`."""

    call: Call
    match_id: str
    moves: Sequence[Plain]
    pointer: str = ""


class ManyMoves:
    """Carries out the moves of one request."""

    def __init__(self, matches: Matches, handler: CommandHandler[Match], presenter: Presenter) -> None:
        self._matches = matches
        self._handler = handler
        self._presenter = presenter

    def play(self, requests: Sequence[MoveRequest]) -> list[BriefMoveAnswer | Exception]:
        """Carry out moves; return an answer or an error for each.

        Several moves in the same match are carried out in the given order.
        """
        prepared = [self._prepare(request) for request in requests]
        self._handler.carry_out_many([one for one in prepared if isinstance(one, Pending)])
        return [self._answer(request.call, one) for request, one in zip(requests, prepared, strict=True)]

    def _prepare(self, request: MoveRequest) -> Pending[Match] | Exception:
        call, matches, cached = request.call, self._matches, None
        try:
            cached = matches.visible_match(call.caller, request.match_id)
            command = read_play(cached.state.rules, request.moves, request.pointer, call.signature)
            matches.record_time_outs(cached, call, command)
        except REFUSALS as error:
            if cached is not None and isinstance(error, REFUSED_MOVE):
                matches.report_refusal(cached, call, error)
            return error
        return Pending(cached, call, command)

    def _answer(self, call: Call, pending: Pending[Match] | Exception) -> BriefMoveAnswer | Exception:
        if not isinstance(pending, Pending):
            return pending
        result = pending.result
        if isinstance(result, REFUSED_MOVE):
            self._matches.report_refusal(pending.cached, call, result)
        if not isinstance(result, Done):
            return result or RuntimeError("a move was neither carried out nor refused")
        try:
            present = self._presenter.brief_answer if call.brief else self._presenter.answer
            return present(outcome(result, call), call.language)
        except ServiceError as error:
            return error
