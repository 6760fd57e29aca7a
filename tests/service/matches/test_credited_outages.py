"""Which part of an outage is credited to the clocks of a match."""

import pytest

from kontor_games.service.kontor import Kontor
from kontor_games.service.matches.outages import Outage
from tests.service.tables import LocalPlayer, start_match

CLOCK = {"kind": "per_move", "ms": 5000}


@pytest.mark.parametrize(
    ("since", "until", "credited"),
    [(500, 1000, True), (501, 1000, False), (-5000, 500, True), (-5000, 499, False), (-5000, 0, False)],
)
def test_half_a_second_or_more_after_the_last_command_is_credited(
    service: Kontor, ann: LocalPlayer, ben: LocalPlayer, since: int, until: int, *, credited: bool
) -> None:
    match = ann.read_match(start_match(ann, ben, clock=CLOCK)).match
    stored = (match.at + since, match.at + until)
    service.database.write(("INSERT INTO outages VALUES (?, ?)", stored))
    service.outages.read()
    found = service.outages.uncredited_outage(match)
    assert found == (Outage(max(match.at, stored[0]), stored[1]) if credited else None)


@pytest.mark.parametrize("fields", [{}, {"clock": CLOCK, "max_returned_ms": 0}])
def test_nothing_is_credited_without_a_clock_or_if_the_match_accepts_nothing(
    service: Kontor, ann: LocalPlayer, ben: LocalPlayer, fields: dict[str, object]
) -> None:
    match = ann.read_match(start_match(ann, ben, **fields)).match
    service.database.write(("INSERT INTO outages VALUES (?, ?)", (match.at, match.at + 9000)))
    service.outages.read()
    assert service.outages.uncredited_outage(match) is None
