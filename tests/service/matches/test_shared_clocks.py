"""The clocks by which the length of an outage is measured."""

from collections.abc import Callable

from kontor_games.service.kontor import Kontor
from kontor_games.service.matches.outages import clock_of_machine


def test_the_shared_clocks_advance(new_process: Callable[..., Kontor]) -> None:
    one, other = new_process().outages.shared_clock, new_process().outages.shared_clock
    first, second = one(), other()
    assert (first.clock, first.ms <= second.ms <= first.ms + 600_000) == (second.clock, True)
    assert clock_of_machine().clock
