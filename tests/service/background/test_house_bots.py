"""House bots make every move once, in every match, despite faults and restarts."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any
from uuid import UUID

import pytest

from kontor_games.domain.chance import Draws
from kontor_games.domain.game import Game, Move, Rules, View
from kontor_games.domain.games import installed_games
from kontor_games.domain.match_audit import MatchAuditor
from kontor_games.domain.match_refusals import TimeIsUpError
from kontor_games.domain.refusals import NotYourTurnError
from kontor_games.service.background.house_bots import HouseBots
from kontor_games.service.ed25519 import is_signed
from kontor_games.service.errors import StaleVersionError
from kontor_games.service.kontor import Kontor
from kontor_games.service.store.match_cache import CachedMatch
from tests.domain.toy.games.fair import GAME as FAIR
from tests.domain.toy.games.fair.moves import CloseFair
from tests.service.conftest import SettableClock
from tests.service.tables import ME, OPEN, LocalPlayer, bot
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
def faulty_bots(fair: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Add faulty bots to the toy game."""
    bots = {**FAIR.bots, "failing": FailingBot, "silent": SilentBot, "cheating": CheatingBot}
    # The type is Mapping, but the value is a dict.
    monkeypatch.setitem(installed_games(), "fair", replace(FAIR, bots=bots))  # type: ignore[arg-type]


@pytest.fixture
def make_house_bots(clock: SettableClock) -> Callable[[Kontor], HouseBots]:
    """Return a function that makes house bots which scan often; they are not yet started."""

    def make(kontor: Kontor) -> HouseBots:
        made = HouseBots(kontor.cache, kontor.house, kontor.feed, clock)
        made.scan_interval_s = 0.05
        return made

    return make


def log_of(kontor: Kontor, match_id: str) -> CachedMatch:
    return kontor.cache.get_fresh(UUID(match_id))


def is_over(kontor: Kontor, match_id: str) -> Callable[[], bool]:
    return lambda: log_of(kontor, match_id).state.over


def has_advanced(kontor: Kontor, match_id: str, version: int) -> bool:
    match = log_of(kontor, match_id).state
    return match.version > version or match.over


def check_answered_once(kontor: Kontor, match_id: str) -> None:
    """Check that every move of a bot was its own and legal, each decided on a different version."""
    log = log_of(kontor, match_id)
    auditor = MatchAuditor(match_id, is_signed)
    for entry in log.entries:
        auditor.take(entry)
    keys = [entry.key for entry in log.entries if entry.by == "house"]
    assert len(keys) == len(set(keys))
    assert sum(bot.recomputed for bot in auditor.bots.moves) == len(keys)


@pytest.mark.parametrize("name", ["greedy", "random", "failing", "silent", "cheating"])
def test_a_match_of_bots_is_played_to_its_end(
    new_process: Callable[..., Kontor], make_house_bots: Callable[[Kontor], HouseBots], name: str
) -> None:
    kontor = new_process()
    house_bots = make_house_bots(kontor)
    house_bots.start()
    match_id = LocalPlayer(kontor).create(bot(name), bot("greedy"), options={"rounds": 1})
    wait_until(is_over(kontor, match_id))
    house_bots.close()
    check_answered_once(kontor, match_id)


def test_bots_answer_a_player_move_by_move(
    new_process: Callable[..., Kontor], make_house_bots: Callable[[Kontor], HouseBots]
) -> None:
    kontor = new_process()
    house_bots = make_house_bots(kontor)
    house_bots.start()
    player = LocalPlayer(kontor)
    match_id = player.create(ME, bot())
    while not is_over(kontor, match_id)():
        wait_until(
            lambda: player.read_match(match_id).match.over or 0 in player.read_match(match_id).match.to_act
        )
        if not is_over(kontor, match_id)():
            player.play(match_id)
    house_bots.close()
    check_answered_once(kontor, match_id)


def test_bots_move_in_matches_found_by_the_scan(
    new_process: Callable[..., Kontor], make_house_bots: Callable[[Kontor], HouseBots]
) -> None:
    players, bots = new_process(), new_process()  # no wake-ups are sent between them
    house_bots = make_house_bots(bots)
    house_bots.start()
    match_ids = [LocalPlayer(players).create(bot(), bot("random")) for _ in range(3)]
    for match_id in match_ids:
        wait_until(is_over(players, match_id))
    house_bots.close()


def test_house_bots_find_all_waiting_matches_when_started(
    new_process: Callable[..., Kontor], make_house_bots: Callable[[Kontor], HouseBots]
) -> None:
    kontor = new_process()
    match_id = LocalPlayer(kontor).create(bot(), bot())
    house_bots = make_house_bots(kontor)
    assert len(house_bots.schedule) == 0, "before the start nothing is scheduled"
    house_bots.start()
    wait_until(is_over(kontor, match_id))
    house_bots.close()


def test_a_match_survives_any_number_of_restarts_of_the_house_bots(
    new_process: Callable[..., Kontor], make_house_bots: Callable[[Kontor], HouseBots]
) -> None:
    match_id = ""
    for _ in range(4):
        kontor = new_process()
        house_bots = make_house_bots(kontor)
        house_bots.start()
        match_id = match_id or LocalPlayer(kontor).create(bot(), bot(), bot(), bot())
        before = log_of(kontor, match_id).state.version
        wait_until(partial(has_advanced, kontor, match_id, before))
        house_bots.close()
        kontor.close()
    kontor = new_process()
    house_bots = make_house_bots(kontor)
    house_bots.start()
    wait_until(is_over(kontor, match_id))
    house_bots.close()
    check_answered_once(kontor, match_id)


def test_house_bots_of_two_processes_make_each_move_once(
    new_process: Callable[..., Kontor], make_house_bots: Callable[[Kontor], HouseBots]
) -> None:
    kontors = [new_process(), new_process()]
    all_house_bots = [make_house_bots(kontor) for kontor in kontors]
    for house_bots in all_house_bots:
        house_bots.start()
    match_ids = [LocalPlayer(kontor).create(bot(), bot("random"), bot()) for kontor in kontors * 2]
    for match_id in match_ids:
        wait_until(is_over(kontors[0], match_id))
    for house_bots in all_house_bots:
        house_bots.close()
    for match_id in match_ids:
        check_answered_once(kontors[0], match_id)


def test_a_house_bot_that_moves_late_neither_times_out_nor_forfeits(
    new_process: Callable[..., Kontor], make_house_bots: Callable[[Kontor], HouseBots], clock: SettableClock
) -> None:
    kontor = new_process()
    player = LocalPlayer(kontor)
    late = player.create(ME, bot(), clock={"kind": "bank", "ms": 5000}, on_timeout="forfeit")
    player.play(late)
    clock.advance(3_600_000)
    assert kontor.house.expire(UUID(late)) is None
    house_bots = make_house_bots(kontor)
    house_bots.start()
    wait_until(lambda: list(player.read_match(late).match.to_act) == [0])
    house_bots.close()
    assert player.read_match(late).match.clock.remaining == [5000, 5000]


def test_matches_without_a_bot_are_not_read(
    new_process: Callable[..., Kontor],
    make_house_bots: Callable[[Kontor], HouseBots],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kontor = new_process()
    house_bots = make_house_bots(kontor)
    processed: list[UUID] = []
    monkeypatch.setattr(house_bots, "process", processed.append)
    house_bots.start()
    people = LocalPlayer(kontor).create(OPEN, OPEN)
    bots = LocalPlayer(kontor).create(bot(), bot())
    wait_until(lambda: UUID(bots) in processed)
    house_bots.close()
    assert UUID(people) not in processed


def test_a_bot_move_after_a_move_in_this_process_needs_no_read(
    new_process: Callable[..., Kontor],
    make_house_bots: Callable[[Kontor], HouseBots],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kontor = new_process()
    house_bots = make_house_bots(kontor)
    house_bots.scan_interval_s = 60
    house_bots.start()
    reads: list[UUID] = []
    entries = kontor.store.entries

    def counted(match_id: UUID, *, after: int = 0) -> Any:
        reads.append(match_id)
        return entries(match_id, after=after)

    monkeypatch.setattr(kontor.store, "entries", counted)
    match_id = LocalPlayer(kontor).create(bot(), bot())
    log = kontor.cache.get(UUID(match_id))
    wait_until(lambda: log.state.over)
    house_bots.close()
    assert reads.count(UUID(match_id)) <= 2


def test_a_flood_of_matches_with_house_bots_delays_the_bots_of_others_by_a_few_moves(
    new_process: Callable[..., Kontor], clock: SettableClock
) -> None:
    """The delay is counted in moves and not in seconds, so that the speed of the machine does not matter."""
    kontor = new_process()
    house_bots = HouseBots(kontor.cache, kontor.house, kontor.feed, clock)
    house_bots.closing.clear()
    flood, ann = LocalPlayer(kontor), LocalPlayer(kontor)
    flooded = {flood.create(bot(), bot()) for _ in range(60)}
    mine = ann.create(bot(), bot())
    order = []
    while not is_over(kontor, mine)():
        taken = house_bots.schedule.take(0)
        assert taken is not None
        house_bots._try_to_process(*taken)
        order.append(str(taken[0]))
    own = [place for place, match_id in enumerate(order) if match_id == mine]
    assert max(later - earlier for earlier, later in pairwise([-1, *own])) <= 3
    assert not any(is_over(kontor, match_id)() for match_id in list(flooded)[:5])


@pytest.mark.parametrize(
    ("error", "again"),
    [
        (StaleVersionError(3, 4), True),
        (TimeIsUpError("too late"), False),
        (NotYourTurnError("not now", rule="F-1"), False),
    ],
    ids=["stale", "late", "refused"],
)
def test_a_move_that_is_refused_is_tried_again_only_if_the_match_has_changed(
    kontor: Kontor, monkeypatch: pytest.MonkeyPatch, error: Exception, again: bool
) -> None:
    match_id = LocalPlayer(kontor).create(bot("random"), bot("greedy"))

    def refuse(*_: Any) -> None:
        raise error

    bots = HouseBots(kontor.cache, kontor.house, kontor.feed, kontor.clock)
    monkeypatch.setattr(kontor.house, "play_for_house", refuse)
    assert bots.process(UUID(match_id)) == (kontor.clock() if again else None)
