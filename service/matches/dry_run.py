"""Dry runs: the effect of a move, as far as its player may know it in advance."""

import secrets
from collections.abc import Sequence
from itertools import takewhile

from msgspec import UNSET, UnsetType

from kontor_games.domain.chance import Seeded
from kontor_games.domain.commands import Play
from kontor_games.domain.game import Fact, Move
from kontor_games.domain.match import Match
from kontor_games.domain.match_facts import MatchFact
from kontor_games.domain.narration.narrator import Narrator
from kontor_games.service.matches.answers import DryRun
from kontor_games.service.matches.presentation import legal_moves, moves_of


def try_moves(match: Match, by: str, moves: Sequence[Move], at: int, narrator: Narrator | None) -> DryRun:
    """Make moves on a copy of a match; raise the same refusals as real moves."""
    copy = _resampled_copy(match, by)
    trial = copy.copy()
    decided = Play(tuple(moves)).decide(trial, by, at)
    seat = match.require_seat(by)
    label = UNSET if narrator is None else narrator.labels(copy, seat, moves[:1], ())[0]
    certain = list(takewhile(lambda fact: not fact.reveals, _own_facts(copy, seat, moves)))
    texts = _fold_facts(copy, certain, narrator, seat)
    is_complete = all(isinstance(fact, MatchFact) for fact in decided[len(certain) :])
    listed, kinds = moves_of(copy, seat)
    return DryRun(
        passes=True,
        version=match.version,
        facts=[match.redacted(fact, seat) for fact in certain],
        texts=texts,
        label=label,
        view=match.rules.view(copy.state, seat),
        complete=is_complete,
        legal_moves=legal_moves(copy, listed, kinds) if is_complete else UNSET,
        labels=narrator.labels(copy, seat, listed, kinds) if narrator and is_complete else UNSET,
    )


def _resampled_copy(match: Match, by: str) -> Match:
    """A copy in which everything hidden from the player is redrawn.

    Otherwise a dry run could reveal hidden information or future random draws.
    """
    copy = match.copy()
    if copy.begun:
        copy.chance = Seeded(secrets.token_bytes(32))
        copy.state = match.rules.resample(match.state, match.seat_of(by), copy.chance)
    return copy


def _own_facts(copy: Match, seat: int, moves: Sequence[Move]) -> list[Fact]:
    """The facts of these moves alone, without the moves of absent players and the end of the match."""
    state = copy.state.copy()
    return [fact for move in moves for fact in copy.rules.play(state, seat, move, copy.chance)]


def _fold_facts(
    copy: Match, facts: Sequence[Fact], narrator: Narrator | None, seat: int
) -> list[str | None] | UnsetType:
    """Fold the facts into the copy; return a sentence about each if there is a narrator."""
    if narrator is not None:
        return list(narrator.story(copy, facts, seat))
    for fact in facts:
        copy.fold_fact(fact)
    return UNSET
