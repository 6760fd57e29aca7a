"""Where the search for other thefts begins: in what the viewer knows, not in the truth."""

from itertools import islice

import pytest

from domain.chance import Seeded, seed_from
from domain.codec import SPECTATOR
from domain.games.europe import resampling
from domain.games.europe.state import EuropeState
from domain.position import freeze
from tests.support.matches import Table

TABLE = Table("europe", 1, "short", 4)


@pytest.fixture(scope="module")
def late() -> EuropeState:
    """A position after many thefts."""
    *_, last = islice(TABLE.match("a").steps(), 3000)
    state: EuropeState = last.before
    assert len(state.thefts) > 20
    return state


@pytest.mark.parametrize("viewer", [0, 1, 2, 3, SPECTATOR])
def test_without_a_single_step_of_the_walk_the_truth_is_forgotten(late: EuropeState, viewer: int, monkeypatch: pytest.MonkeyPatch) -> None:
    other = TABLE.rules.resample(late, viewer, Seeded(seed_from("other")))
    assert other.thefts != late.thefts
    monkeypatch.setattr(resampling, "STEPS_PER_THEFT", 0)
    drawn = [TABLE.rules.resample(world, viewer, Seeded(seed_from("the same"))) for world in (late, other)]
    assert freeze(drawn[0]) == freeze(drawn[1])


@pytest.mark.parametrize("viewer", [0, SPECTATOR])
def test_whatever_is_thought_up_could_have_happened(late: EuropeState, viewer: int) -> None:
    unknown = [i for i, theft in enumerate(late.thefts) if viewer not in (theft.thief, theft.victim)]
    for seed in range(10):
        past = resampling.Past(late)
        past.forget(unknown)
        assert past.imagine(unknown, Seeded(seed_from(str(seed))).draws("imagine", 0), set())
        assert past.likelihood() > 0


def test_the_thefts_that_a_viewer_saw_stay_as_they_were(late: EuropeState) -> None:
    drawn: EuropeState = TABLE.rules.resample(late, 0, Seeded(seed_from("seen")))
    seen = [theft.resource for theft in late.thefts if 0 in (theft.thief, theft.victim)]
    assert seen == [theft.resource for theft in drawn.thefts if 0 in (theft.thief, theft.victim)]
    assert drawn.hands[:5] == late.hands[:5]
    assert drawn.sizes == late.sizes
