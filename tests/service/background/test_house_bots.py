"""House bots: they make every move once, in every match, whatever fails in between."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any
from uuid import UUID

import pytest

from kontor_games.domain.audit import Auditor
from kontor_games.domain.chance import Draws
from kontor_games.domain.game import Game, Move, Rules, View
from kontor_games.domain.games import installed_games
from kontor_games.service.background.house_bots import HouseBots
from kontor_games.service.ed25519 import is_signed
from kontor_games.service.kontor import Kontor
from kontor_games.service.store.match_cache import CachedMatch
from tests.domain.toy.games.fair import GAME as FAIR
from tests.domain.toy.games.fair.moves import CloseFair
from tests.service.conftest import SettableClock
from tests.service.tables import ME, OPEN, Guest, bot
from tests.support.waiting import wait_until


class FailingBot:
    """Raises an exception."""

    version = 1

    def __init__(self, rules: Rules[Any]) -> None:
        pass

    def choose(self, seat: int, view: Callable[[], View], legal: Sequence[Move], draws: Draws) -> Move | None:
        raise ZeroDivisionError


class SilentBot(FailingBot):
    """Never chooses a move."""

    def choose(self, seat: int, view: Callable[[], View], legal: Sequence[Move], draws: Draws) -> Move | None:
        return None


class CheatingBot(FailingBot):
    """Chooses an illegal move."""

    def choose(self, seat: int, view: Callable[[], View], legal: Sequence[Move], draws: Draws) -> Move | None:
        return CloseFair()


@pytest.fixture(autouse=True)
def odd_bots(fair: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy game with faulty bots."""
    bots = {**FAIR.bots, "failing": FailingBot, "silent": SilentBot, "cheating": CheatingBot}
    # It is typed as a mapping, but is a dict.
    monkeypatch.setitem(installed_games(), "fair", replace(FAIR, bots=bots))  # type: ignore[arg-type]


@pytest.fixture
def house(clock: SettableClock) -> Callable[[Kontor], HouseBots]:
    """House bots that scan often, not yet started."""

    def make(kontor: Kontor) -> HouseBots:
        made = HouseBots(kontor.cache, kontor.house, kontor.feed, clock)
        made.scan_interval_s = 0.05
        return made

    return make


def log_of(kontor: Kontor, match_id: str) -> CachedMatch:
    return kontor.cache.get_fresh(UUID(match_id))


def over(kontor: Kontor, match_id: str) -> Callable[[], bool]:
    return lambda: log_of(kontor, match_id).match.over


def gone_on(kontor: Kontor, match_id: str, version: int) -> bool:
    match = log_of(kontor, match_id).match
    return match.version > version or match.over


def check_answered_once(kontor: Kontor, match_id: str) -> None:
    """Check that every move of a bot was its own and legal, each decided on a different version."""
    log = log_of(kontor, match_id)
    auditor = Auditor(match_id, is_signed)
    for entry in log.entries:
        auditor.take(entry)
    keys = [entry.key for entry in log.entries if entry.by == "house"]
    assert len(keys) == len(set(keys))
    assert sum(bot.recomputed for bot in auditor.bots.moves) == len(keys)


@pytest.mark.parametrize("name", ["greedy", "random", "failing", "silent", "cheating"])
def test_a_match_of_bots_is_played_to_its_end(
    hall: Callable[..., Kontor], house: Callable[[Kontor], HouseBots], name: str
) -> None:
    kontor = hall()
    served = house(kontor)
    served.start()
    match_id = Guest(kontor).create(bot(name), bot("greedy"), options={"rounds": 1})
    wait_until(over(kontor, match_id))
    served.close()
    check_answered_once(kontor, match_id)


def test_bots_answer_a_player_move_by_move(
    hall: Callable[..., Kontor], house: Callable[[Kontor], HouseBots]
) -> None:
    kontor = hall()
    served = house(kontor)
    served.start()
    guest = Guest(kontor)
    match_id = guest.create(ME, bot())
    while not over(kontor, match_id)():
        wait_until(lambda: guest.look(match_id).match.over or 0 in guest.look(match_id).match.to_act)
        if not over(kontor, match_id)():
            guest.play(match_id)
    served.close()
    check_answered_once(kontor, match_id)


def test_bots_move_in_matches_found_by_the_scan(
    hall: Callable[..., Kontor], house: Callable[[Kontor], HouseBots]
) -> None:
    players, bots = hall(), hall()  # no wake-up goes from one to the other
    served = house(bots)
    served.start()
    match_ids = [Guest(players).create(bot(), bot("random")) for _ in range(3)]
    for match_id in match_ids:
        wait_until(over(players, match_id))
    served.close()


def test_house_bots_find_all_waiting_matches_when_started(
    hall: Callable[..., Kontor], house: Callable[[Kontor], HouseBots]
) -> None:
    kontor = hall()
    match_id = Guest(kontor).create(bot(), bot())
    served = house(kontor)
    assert len(served.schedule) == 0, "off duty nothing is noted"
    served.start()
    wait_until(over(kontor, match_id))
    served.close()


def test_a_match_survives_any_number_of_restarts_of_the_house_bots(
    hall: Callable[..., Kontor], house: Callable[[Kontor], HouseBots]
) -> None:
    match_id = ""
    for _ in range(4):
        kontor = hall()
        served = house(kontor)
        served.start()
        match_id = match_id or Guest(kontor).create(bot(), bot(), bot(), bot())
        before = log_of(kontor, match_id).match.version
        wait_until(partial(gone_on, kontor, match_id, before))
        served.close()
        kontor.close()
    kontor = hall()
    served = house(kontor)
    served.start()
    wait_until(over(kontor, match_id))
    served.close()
    check_answered_once(kontor, match_id)


def test_house_bots_of_two_processes_make_each_move_once(
    hall: Callable[..., Kontor], house: Callable[[Kontor], HouseBots]
) -> None:
    kontors = [hall(), hall()]
    houses = [house(kontor) for kontor in kontors]
    for served in houses:
        served.start()
    match_ids = [Guest(kontor).create(bot(), bot("random"), bot()) for kontor in kontors * 2]
    for match_id in match_ids:
        wait_until(over(kontors[0], match_id))
    for served in houses:
        served.close()
    for match_id in match_ids:
        check_answered_once(kontors[0], match_id)


def test_a_house_bot_that_moves_late_neither_times_out_nor_forfeits(
    hall: Callable[..., Kontor], house: Callable[[Kontor], HouseBots], clock: SettableClock
) -> None:
    kontor = hall()
    guest = Guest(kontor)
    late = guest.create(ME, bot(), clock={"kind": "bank", "ms": 5000}, on_timeout="forfeit")
    guest.play(late)
    clock.pass_by(3_600_000)
    assert kontor.house.expire(UUID(late)) is None
    served = house(kontor)
    served.start()
    wait_until(lambda: list(guest.look(late).match.to_act) == [0])
    served.close()
    assert guest.look(late).match.clock.remaining == [5000, 5000]


def test_matches_without_a_bot_are_not_read(
    hall: Callable[..., Kontor], house: Callable[[Kontor], HouseBots], monkeypatch: pytest.MonkeyPatch
) -> None:
    kontor = hall()
    served = house(kontor)
    attended: list[UUID] = []
    monkeypatch.setattr(served, "process", attended.append)
    served.start()
    people = Guest(kontor).create(OPEN, OPEN)
    bots = Guest(kontor).create(bot(), bot())
    wait_until(lambda: UUID(bots) in attended)
    served.close()
    assert UUID(people) not in attended


def test_a_bot_move_after_a_move_in_this_process_needs_no_read(
    hall: Callable[..., Kontor], house: Callable[[Kontor], HouseBots], monkeypatch: pytest.MonkeyPatch
) -> None:
    kontor = hall()
    served = house(kontor)
    served.scan_interval_s = 60
    served.start()
    reads: list[UUID] = []
    entries = kontor.store.entries

    def counted(match_id: UUID, *, after: int = 0) -> Any:
        reads.append(match_id)
        return entries(match_id, after=after)

    monkeypatch.setattr(kontor.store, "entries", counted)
    match_id = Guest(kontor).create(bot(), bot())
    log = kontor.cache.get(UUID(match_id))
    wait_until(lambda: log.match.over)
    served.close()
    assert reads.count(UUID(match_id)) <= 2


def test_a_flood_of_matches_with_house_bots_delays_the_bots_of_others_by_a_few_moves(
    hall: Callable[..., Kontor], clock: SettableClock
) -> None:
    """Measured by the moves that are served in between, in one thread, whatever the speed of the machine."""
    kontor = hall()
    served = HouseBots(kontor.cache, kontor.house, kontor.feed, clock)
    served.closing.clear()
    flood, ann = Guest(kontor), Guest(kontor)
    flooded = {flood.create(bot(), bot()) for _ in range(60)}
    mine = ann.create(bot(), bot())
    order = []
    while not over(kontor, mine)():
        taken = served.schedule.take(0)
        assert taken is not None
        served._try_to_process(*taken)
        order.append(str(taken[0]))
    own = [place for place, match_id in enumerate(order) if match_id == mine]
    assert max(later - earlier for earlier, later in pairwise([-1, *own])) <= 3
    assert not any(over(kontor, match_id)() for match_id in list(flooded)[:5])
