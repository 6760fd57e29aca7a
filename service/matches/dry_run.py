"""Dry runs: the effect of a move, as far as its player may know it in advance."""

import secrets
from collections.abc import Sequence
from itertools import takewhile

from kontor_games.domain.chance import Seeded
from kontor_games.domain.commands import Play
from kontor_games.domain.game import Fact, Move
from kontor_games.domain.match import Match
from kontor_games.domain.match_facts import MatchFact
from kontor_games.domain.narration.narrator import Narrator
from kontor_games.service.matches.answers import DryRun


def tried(match: Match, by: str, moves: Sequence[Move], at: int, narrator: Narrator | None) -> DryRun:
    """Make moves on a copy of a match; raise the same refusals as the moves themselves."""
    world = _indistinguishable(match, by)
    trial = world.copy()
    decided = Play(tuple(moves)).decide(trial, by, at)
    seat = match.require_seat(by)
    certain = list(takewhile(lambda fact: not fact.reveals, _own_facts(world, seat, moves)))
    texts = _told(world, certain, narrator, seat)
    return DryRun(
        version=match.version,
        facts=[match.redacted(fact, seat) for fact in certain],
        texts=None if narrator is None else texts,
        view=match.rules.view(world.state, seat),
        complete=all(isinstance(fact, MatchFact) for fact in decided[len(certain) :]),
    )


def _indistinguishable(match: Match, by: str) -> Match:
    """A copy in which everything hidden from the player is redrawn.

    Otherwise a move that is only tried could show what is hidden, or what chance will bring.
    """
    world = match.copy()
    if world.begun:
        world.chance = Seeded(secrets.token_bytes(32))
        world.state = match.rules.resample(match.state, match.seat_of(by), world.chance)
    return world


def _own_facts(world: Match, seat: int, moves: Sequence[Move]) -> list[Fact]:
    """The facts of these moves alone, without the moves of absent players and the end of the match."""
    state = world.state.copy()
    return [fact for move in moves for fact in world.rules.play(state, seat, move, world.chance)]


def _told(world: Match, facts: Sequence[Fact], narrator: Narrator | None, seat: int) -> list[str | None]:
    """Fold the facts into the copy, with a sentence about each."""
    if narrator is not None:
        return list(narrator.story(world, facts, seat))
    for fact in facts:
        world.fold_fact(fact)
    return []
