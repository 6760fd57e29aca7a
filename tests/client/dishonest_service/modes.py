"""What a dishonest operator does in matches that seeks found and in tournaments, against whichever client."""

from dataclasses import replace
from hashlib import sha256
from typing import Any

import msgspec

from kontor_client.evidence import chain_of
from kontor_games.domain.commands import Join
from kontor_games.domain.seed import commitment_of
from kontor_games.domain.tournaments import commands
from kontor_games.service.seeks import matchmaker
from kontor_games.service.seeks.use_cases import match_spec_of
from kontor_games.service.store.match_cache import CachedMatch
from kontor_games.service.tournaments.worker import TournamentWorker
from tests.client.dishonest_service.cheating_operator import Operator

ROOT = "0a" * 32
"""The contribution that the operator would like to record for everybody."""
CHOSEN = "0b" * 32
"""The secret that the operator has chosen for a match."""


# Matches that seeks found


def exchange_the_secret(operator: Operator) -> None:
    operator.grind(lambda _: True)


def exchange_the_secret_and_hide_it(operator: Operator) -> None:
    operator.grind(lambda _: True)
    operator.hide_swapped_commitments()


def add_an_open_seed(operator: Operator) -> None:
    def rewrite(log: CachedMatch, _: Join) -> None:
        if len(log.entries) == 1:
            operator.rewrite(log, replace(log.state.created, open_seed="chosen", rated=False))

    operator.before_joining(rewrite)
    operator.change_chance(lambda seen, chance: msgspec.structs.replace(chance, open_seed=None))


def fix_the_deal(operator: Operator) -> None:
    operator.change_chance(lambda seen, chance: msgspec.structs.replace(chance, in_block=True))


def sign_no_commitment(operator: Operator) -> None:
    operator.change_chance(lambda seen, chance: msgspec.structs.replace(chance, signed=None))


def make_another_move(operator: Operator) -> None:
    def handle(honest: Any, call: Any, match: str, _: Any) -> Any:
        return honest(call, match, [operator.legal_moves(call, match)[0]])

    operator.ignore_signatures()
    operator.on_moves(handle)


def find_a_match_on_other_terms(operator: Operator, **terms: Any) -> None:
    operator.patch.setattr(
        matchmaker, "match_spec_of", lambda seek, seats: replace(match_spec_of(seek, seats), **terms)
    )


def find_another_clock(operator: Operator) -> None:
    find_a_match_on_other_terms(operator, clock={"kind": "per_move", "ms": 30_000})


def find_a_private_practice_match(operator: Operator) -> None:
    find_a_match_on_other_terms(operator, private=True, practice=True)


def find_an_unrated_match(operator: Operator) -> None:
    find_a_match_on_other_terms(operator, rated=False)


# Tournaments


def replaced_entries(operator: Operator) -> None:
    """Record a contribution of the operator in place of what entrants send."""
    honest, values = operator.kontor.tournaments.enter, iter(range(10))

    def enter(call: Any, cup: str, command: commands.Enter) -> Any:
        chosen = chain_of(sha256(f"{ROOT}{next(values)}".encode()).hexdigest())[0]
        return honest(call, cup, replace(command, sealed=chosen))

    operator.patch.setattr(operator.kontor.tournaments, "enter", enter)


def other_commitment(operator: Operator) -> None:
    """Show the commitment to another secret once entries have arrived."""
    presenter = operator.kontor.tournaments._presenter
    honest = presenter.details

    def details(name: str, tournament: Any, *given: Any) -> Any:
        answer = honest(name, tournament, *given)
        swapped = msgspec.structs.replace(answer.chance, commitment="0" * 64)
        return msgspec.structs.replace(answer, chance=swapped) if tournament.entrants else answer

    operator.patch.setattr(presenter, "details", details)


def own_deals(operator: Operator) -> None:
    """Create the matches of tournaments with a secret of the operator's choice."""
    honest = TournamentWorker._planned_match

    def planned(worker: Any, *given: Any) -> Any:
        return replace(honest(worker, *given), server_secret=CHOSEN, commitment=commitment_of(CHOSEN))

    operator.patch.setattr(TournamentWorker, "_planned_match", planned)


def exchange_a_deal(operator: Operator) -> set[str]:
    """Deal the second match of each table otherwise than the first; return the true commitments."""
    honest, true = TournamentWorker._planned_match, set[str]()

    def planned(worker: Any, tournament: Any, of: Any) -> Any:
        created = honest(worker, tournament, of)
        true.add(created.commitment)
        if of.slot[2] == 0:
            return created
        return replace(created, server_secret=CHOSEN, commitment=commitment_of(CHOSEN))

    operator.patch.setattr(TournamentWorker, "_planned_match", planned)
    return true


def exchange_a_deal_and_hide_it(operator: Operator) -> None:
    """Exchange the deal, and show and sign the commitment of the true one as long as the match is secret."""
    true = exchange_a_deal(operator)

    def show_the_true_one(seen: Any, chance: Any) -> Any:
        if chance.commitment != commitment_of(CHOSEN):
            return chance
        [commitment] = true
        return operator.with_commitment(seen, chance, commitment)

    operator.change_chance(show_the_true_one)
