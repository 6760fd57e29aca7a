"""Resampling starts from what the viewer knows, not from the true state."""

from itertools import islice

import pytest

from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.codec import SPECTATOR
from kontor_games.domain.games.europe import resample
from kontor_games.domain.games.europe.state import EuropeState
from kontor_games.domain.position import dump_position
from tests.support.matches import Table

TABLE = Table("europe", 1, "short", 4)


def resampled(state: EuropeState, viewer: int) -> EuropeState:
    """Return a state that the viewer can't distinguish from this one."""
    other: EuropeState = TABLE.rules.resample(state, viewer, Seeded(seed_from("other")))
    return other


@pytest.fixture(scope="module")
def uncertain_states() -> list[EuropeState]:
    """Positions of long matches in which a spectator does not know all stolen cards."""
    states = (
        step.before for seed in "abcdefgh" for step in TABLE.match(seed).steps() if step.number % 50 == 0
    )
    found = list(
        islice((state for state in states if resampled(state, SPECTATOR).thefts != state.thefts), 12)
    )
    assert len(found) == 12
    return found


def test_without_any_step_of_the_random_walk_the_result_does_not_depend_on_the_truth(
    uncertain_states: list[EuropeState], monkeypatch: pytest.MonkeyPatch
) -> None:
    worlds = [
        (viewer, state, resampled(state, viewer))
        for state in uncertain_states
        for viewer in (0, 1, 2, 3, SPECTATOR)
    ]
    assert sum(other.thefts != state.thefts for _, state, other in worlds) > len(uncertain_states)
    monkeypatch.setattr(resample, "STEPS_PER_THEFT", 0)
    for viewer, *alike in worlds:
        drawn = [TABLE.rules.resample(world, viewer, Seeded(seed_from("the same"))) for world in alike]
        assert dump_position(drawn[0]) == dump_position(drawn[1])


@pytest.mark.parametrize("viewer", [0, SPECTATOR])
def test_every_resampled_course_is_possible(uncertain_states: list[EuropeState], viewer: int) -> None:
    for number, state in enumerate(uncertain_states):
        unknown = [i for i, theft in enumerate(state.thefts) if viewer not in (theft.thief, theft.victim)]
        past = resample.TheftHistory(state)
        past.forget(unknown)
        assert past.guess(unknown, Seeded(seed_from(str(number))).draws("imagine", 0), set())
        assert past.likelihood() > 0


def test_the_thefts_that_a_viewer_saw_stay_as_they_were(uncertain_states: list[EuropeState]) -> None:
    for state in uncertain_states:
        drawn = resampled(state, 0)
        seen = [theft.resource for theft in state.thefts if 0 in (theft.thief, theft.victim)]
        assert seen == [theft.resource for theft in drawn.thefts if 0 in (theft.thief, theft.victim)]
        assert drawn.hands[:5] == state.hands[:5]
        assert drawn.sizes == state.sizes
