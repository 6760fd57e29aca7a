"""Planted faults: the simulation finds each of them within ten seeds."""

import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from kontor_games.domain.clock import Clock
from kontor_games.domain.codec import ARBITER
from kontor_games.domain.game import Fact
from kontor_games.domain.match import Match
from kontor_games.domain.stream import Entry
from kontor_games.service.background.clocks import ClockWorker
from kontor_games.service.errors import UnavailableError
from kontor_games.service.matches import outages
from kontor_games.service.ratings.projection import RatingProjection
from kontor_games.service.store.event_store import NewEntry
from kontor_games.service.store.streams import CachedStream, StreamCache
from kontor_games.service.tournaments.worker import TournamentWorker
from kontor_games.service.wakeups.relay import Sweep
from tests.domain.toy.games.fair.rules import FairRules
from tests.domain.toy.games.fair.state import Fair
from tests.simulation import postgres
from tests.simulation.statements import EVENTS
from tests.simulation.world import World

Plant = Callable[[pytest.MonkeyPatch], None]
SEEDS, MOVES, HOSTS = 10, 300, 5


def acknowledge_what_was_not_stored(patch: pytest.MonkeyPatch) -> None:
    append_all = StreamCache.append_all

    def append(cache: StreamCache[Any], new: Sequence[NewEntry]) -> list[Exception | None]:
        errors = append_all(cache, new)
        return [None if isinstance(error, UnavailableError) else error for error in errors]

    patch.setattr(StreamCache, "append_all", append)


def forget_the_keys(patch: pytest.MonkeyPatch) -> None:
    def add(log: CachedStream[Any], entry: Entry, head: str) -> None:
        log.heads.append(head)
        log.entries.append(entry)

    patch.setattr(CachedStream, "_add", add)


def drop_lost_wake_ups(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Sweep, "sweep", lambda sweep: None)


def ignore_the_fence(patch: pytest.MonkeyPatch) -> None:
    unique = ", UNIQUE (originator_id, originator_version)"
    assert unique in EVENTS
    patch.setattr(postgres, "EVENTS", EVENTS.replace(unique, ""))


def charge_the_clock_twice(patch: pytest.MonkeyPatch) -> None:
    stop = Clock._stop

    def stop_twice(clock: Clock, seat: int, at: int, *, moved: bool) -> None:
        since = clock.since[seat]
        stop(clock, seat, at, moved=moved)
        clock.remaining[seat] = max(0, clock.remaining[seat] - max(0, at - since))

    patch.setattr(Clock, "_stop", stop_twice)


def let_no_time_run_out(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(ClockWorker, "process", lambda worker, match_id: None)


def measure_outages_by_the_clock_of_the_process(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(outages, "is_same_clock", lambda one, other: False)


def count_no_result(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(TournamentWorker, "_record", lambda worker, tournament_id, planned: False)


def rate_no_match(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(RatingProjection, "_from_facts", lambda projection: [])


def show_a_hidden_card(patch: pytest.MonkeyPatch) -> None:
    view = FairRules.view

    def open_view(rules: FairRules, state: Fair, viewer: int) -> Any:
        return {**view(rules, state, viewer), "next": state.pile[-1] if state.pile else None}

    patch.setattr(FairRules, "view", open_view)


def reveal_hidden_fields(patch: pytest.MonkeyPatch) -> None:
    redacted = Match.redacted

    def reveal_all(match: Match, fact: Fact, viewer: int) -> Any:
        return redacted(match, fact, ARBITER)

    patch.setattr(Match, "redacted", reveal_all)


@pytest.mark.parametrize(
    ("plant", "found", "first_seed"),
    [
        (
            acknowledge_what_was_not_stored,
            "is acknowledged at version|is shown|is streamed before",
            2,
        ),
        (forget_the_keys, "is stored twice|but was refused|and then refused|ended with KeyReusedError", 1),
        (drop_lost_wake_ups, "was stored long ago", 2),
        (ignore_the_fence, "an entry begins at version", 1),
        (charge_the_clock_twice, "the deadline of seat", 1),
        (let_no_time_run_out, "was recorded late|nobody recorded the deadline", 2),
        (measure_outages_by_the_clock_of_the_process, "but all were silent", 2),
        (count_no_result, "was never counted", 1),
        (rate_no_match, "rebuilt ratings differ", 1),
        (show_a_hidden_card, "depends on what is hidden", 1),
        (reveal_hidden_fields, "is shown", 1),
    ],
)
def test_a_planted_fault_is_found(
    plant: Plant, found: str, first_seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first seed is one that found the fault; if it no longer does, the next seeds are tried."""
    plant(monkeypatch)
    reports = (World(seed, ["fair"], HOSTS).run(MOVES) for seed in range(first_seed, first_seed + SEEDS))
    violation = next((report.violation for report in reports if report.violation is not None), None)
    assert violation is not None
    assert re.search(found, violation), violation
