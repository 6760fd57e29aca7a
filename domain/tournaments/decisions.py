"""The decisions in the record of a tournament: results that were not played, and what people demanded."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from kontor_games.domain.codec import Plain
from kontor_games.domain.tournaments.facts import (
    TOURNAMENT_CODEC,
    EntrantWithdrew,
    MatchVoided,
    NoShowRecorded,
    ResultRuled,
    StandingsProtested,
    TournamentCancelled,
    TournamentFact,
)
from kontor_games.domain.tournaments.tournament import Slot, Tournament

_NO_SECRET = "0" * 64
"""Replaces the secret of a tournament that is not over; only lots and intervals depend on it."""
_DECISIONS = (
    MatchVoided, ResultRuled, NoShowRecorded, StandingsProtested, EntrantWithdrew, TournamentCancelled
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision, with what it changed."""

    type: str
    """The type of its fact."""
    version: int
    at: int
    by: str
    """The player who decided, or `house` for the service."""
    why: str = ""
    match: str | None = None
    slot: Slot | None = None
    entrants: tuple[int, ...] = ()
    """The entrants of the match by seat, or the one who protested or withdrew."""
    before: tuple[int, ...] | None = None
    """The places before the decision; None without a result."""
    after: tuple[int, ...] | None = None
    absent: tuple[int, ...] = ()


def follow(records: Iterable[Mapping[str, Plain]]) -> tuple[Tournament, list[Decision]]:
    """Fold the records of an export; return the tournament and its decisions, in order."""
    records = list(records)
    secrets = [one["fact"]["server_secret"] for one in records if "server_secret" in one["fact"]]
    secret, tournament, found = secrets[0] if secrets else _NO_SECRET, Tournament(), list[Decision]()
    for record in records:
        hidden = {"server_secret": secret} if record["fact"]["type"] == "tournament_announced" else {}
        fact = TOURNAMENT_CODEC.parse({**record["fact"], **hidden})
        if not isinstance(fact, TournamentFact):
            continue
        if isinstance(fact, _DECISIONS):
            found.append(_decision(tournament, fact, record))
        tournament.fold_fact(fact)
    return tournament, found


def _decision(tournament: Tournament, fact: TournamentFact, record: Mapping[str, Plain]) -> Decision:
    given = record["fact"]
    match, entrant = given.get("match"), given.get("entrant")
    planned = tournament.planned_for(match) if match in tournament.slots else None
    after = given.get("places")
    return Decision(
        type=fact.type,
        version=record["version"],
        at=record["at"],
        by=record["by"],
        why=given.get("why", ""),
        match=match,
        slot=planned.slot if planned else None,
        entrants=planned.entrants if planned else () if entrant is None else (entrant,),
        before=planned.finish.places if planned and planned.finish else None,
        after=tuple(after) if after else None,
        absent=tuple(given.get("absent", ())),
    )
