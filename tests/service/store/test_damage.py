"""A match with an edited row is stopped when it is read: nothing is decided or signed in it; others go on."""

from collections.abc import Callable
from uuid import UUID

import pytest
from structlog.testing import capture_logs

from kontor_games.domain.commands import Abort, Resign
from kontor_games.domain.log_leaves import MatchLeaf
from kontor_games.service.background.clocks import ClockWorker
from kontor_games.service.background.house_bots import HouseBots
from kontor_games.service.errors import NotFoundError, RecordDamagedError
from kontor_games.service.kontor import Kontor
from kontor_games.service.matches.answers import Receipt
from kontor_games.service.matches.branches import BranchSpec
from kontor_games.service.matches.player_feed import PlayerFeed
from kontor_games.service.store import streams
from kontor_games.service.trust.signing import Signer
from kontor_games.service.wakeups.relay import PollingRelay
from tests.service.conftest import SettableClock
from tests.service.tables import ME, OPEN, LocalPlayer, bot, start_match, stored_rows
from tests.support.auditing import audit_all

Edit = Callable[[bytes], bytes]


def edit_row(kontor: Kontor, match_id: str, number: int, edit: Edit) -> bytes:
    """Change one row as somebody with access to the database would; return its previous content."""
    row = stored_rows(kontor, match_id)[number]
    old = bytes(row["state"])
    assert edit(old) != old
    own = match_id if kontor.database.is_postgres else match_id.replace("-", "")
    sql = "UPDATE kontor_events SET state = ? WHERE originator_id = ? AND originator_version = ?"
    kontor.database.write((sql, [edit(old), own, row["version"]]))
    return old


def earlier(state: bytes) -> bytes:
    """Return the same row with an earlier time."""
    return state.replace(b'"at":18', b'"at":17', 1)


@pytest.fixture
def receipts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The ids of the matches for which receipts are signed, in order."""
    found: list[str] = []
    sign = Signer.receipt

    def noted(signer: Signer, match_id: str, version: int, head: str, at: int) -> Receipt:
        found.append(match_id)
        return sign(signer, match_id, version, head, at)

    monkeypatch.setattr(Signer, "receipt", noted)
    return found


def requests_about(player: LocalPlayer, match_id: str) -> list[Callable[[], object]]:
    """Every command and every query on one match."""
    kontor, who = player.kontor, player.caller
    return [
        lambda: kontor.matches.play(player.call(), match_id, [{"type": "close_fair"}]),
        lambda: kontor.matches.dry_run(player.call(), match_id, [{"type": "close_fair"}]),
        lambda: player.do(match_id, Resign()),
        lambda: player.do(match_id, Abort()),
        lambda: player.join(match_id),
        lambda: kontor.queries.show(who, match_id),
        lambda: kontor.queries.show(who, match_id, 1),
        lambda: kontor.queries.events(who, match_id, 0, 10),
        lambda: kontor.queries.events(who, match_id, 0, 10, 1),
        lambda: kontor.queries.require_visible(who, match_id),
        lambda: kontor.exports.export(who, match_id),
        lambda: kontor.branches.branch(player.call(), match_id, BranchSpec(1)),
    ]


@pytest.mark.parametrize(
    ("number", "edit"),
    [
        pytest.param(0, earlier, id="first row"),
        pytest.param(2, earlier, id="row in the middle"),
        pytest.param(-1, earlier, id="last row"),
        pytest.param(2, lambda state: state[: len(state) // 2], id="half a row"),
        pytest.param(2, lambda state: state.replace(b'"type":"', b'"type":"un', 1), id="unknown command"),
        pytest.param(2, lambda state: state.replace(b'"head":"', b'"head":"0', 1), id="hash"),
    ],
)
def test_every_request_about_a_damaged_match_fails_and_nothing_is_signed(
    new_process: Callable[..., Kontor], receipts: list[str], number: int, edit: Edit
) -> None:
    before = new_process()
    one, other = LocalPlayer(before), LocalPlayer(before)
    damaged, sound = start_match(one, other), start_match(one, other)
    one.play(damaged)
    before.checkpoints.take()
    other.play(damaged)
    edit_row(before, damaged, number, edit)
    rows, leaves = stored_rows(before, damaged), list(before.checkpoints.leaves())
    here = one.at(new_process())
    receipts.clear()
    for request in requests_about(here, damaged):
        with pytest.raises(RecordDamagedError):
            request()
    here.play(sound)
    assert set(receipts) == {sound}
    assert stored_rows(before, damaged) == rows, "nothing was stored"
    here.kontor.checkpoints.take()
    new = list(here.kontor.checkpoints.leaves())[len(leaves) :]
    assert [leaf.match for leaf in new if isinstance(leaf, MatchLeaf)] == [sound]


def test_lists_and_feeds_omit_a_damaged_match(new_process: Callable[..., Kontor]) -> None:
    before = new_process()
    one, other = LocalPlayer(before), LocalPlayer(before)
    damaged, sound = start_match(one, other), start_match(one, other)
    start = PlayerFeed(before.queries, before.database, before.clock, one.caller).begin()
    for match_id in (damaged, sound):
        one.play(match_id)
    edit_row(before, damaged, 1, earlier)
    after = new_process()
    page = after.queries.page(None, None, 10, player=one.id)
    assert [listed.id for listed in page.matches] == [sound]
    assert [listed.id for listed in after.queries.current(one.caller)] == [sound]
    feed = PlayerFeed(after.queries, after.database, after.clock, one.caller)
    assert [news.match for news in feed.read(start, 100).events] == [sound]
    assert feed.read(feed.begin(), 100).events == ()


def test_a_process_with_a_cached_match_detects_damage_in_later_rows(
    new_process: Callable[..., Kontor],
) -> None:
    here, there = new_process(), new_process()
    one, other = LocalPlayer(here), LocalPlayer(there)
    match_id = start_match(one, other)
    one.read_match(match_id)
    other.play(match_id)
    edit_row(here, match_id, -1, earlier)
    with pytest.raises(RecordDamagedError):
        one.read_match(match_id)
    with pytest.raises(RecordDamagedError):
        one.play(match_id, {"type": "close_fair"})


def test_a_missing_row_in_the_middle_is_damage(new_process: Callable[..., Kontor]) -> None:
    kontor = new_process()
    one, other = LocalPlayer(kontor), LocalPlayer(kontor)
    match_id = start_match(one, other)
    one.play(match_id)
    own = match_id if kontor.database.is_postgres else match_id.replace("-", "")
    version = stored_rows(kontor, match_id)[1]["version"]
    sql = "DELETE FROM kontor_events WHERE originator_id = ? AND originator_version = ?"
    kontor.database.write((sql, [own, version]))
    with pytest.raises(RecordDamagedError):
        one.at(new_process()).read_match(match_id)


def test_house_bots_and_clocks_do_not_process_a_damaged_match(
    new_process: Callable[..., Kontor], clock: SettableClock
) -> None:
    before = new_process()
    one = LocalPlayer(before)
    match_id = one.create(bot(), ME, clock={"kind": "per_move", "ms": 1000})
    edit_row(before, match_id, 0, earlier)
    rows, after = stored_rows(before, match_id), new_process()
    clock.advance(60_000)
    workers = (
        HouseBots(after.cache, after.house, after.feed, clock),
        ClockWorker(after.house, after.feed, clock, after.outages),
    )
    for worker in workers:
        worker.schedule.put(UUID(match_id), clock())
        assert worker.schedule.take(0) == (UUID(match_id), "")
        with pytest.raises(RecordDamagedError):
            worker.process(UUID(match_id))
        worker._try_to_process(UUID(match_id))
        assert len(worker.schedule) == 0, "it is not tried again and again"
    assert stored_rows(before, match_id) == rows


def test_damage_is_logged_once_and_named_by_the_audit(new_process: Callable[..., Kontor]) -> None:
    before = new_process()
    one, other = LocalPlayer(before), LocalPlayer(before)
    damaged, sound = start_match(one, other), start_match(one, other)
    edit_row(before, damaged, 1, earlier)
    after = new_process()
    found = streams.damage_found._value.get()
    with capture_logs() as logs:
        for _ in range(3):
            with pytest.raises(RecordDamagedError):
                after.queries.visible_match(one.caller, damaged)
    version = stored_rows(before, damaged)[1]["version"]
    assert logs == [
        {
            "event": "match_damaged",
            "log_level": "error",
            "match": damaged,
            "version": version,
            "reason": "the stored hash is not that of the facts",
        }
    ]
    assert streams.damage_found._value.get() == found + 1
    audited = [target for target in after.audits.all_matches() if str(target.id) in (damaged, sound)]
    assert [match for match, _ in audit_all(after, audited).problems] == [damaged]


def test_a_repaired_match_continues(
    new_process: Callable[..., Kontor], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = new_process()
    one, other = LocalPlayer(before), LocalPlayer(before)
    match_id = start_match(one, other)
    old = edit_row(before, match_id, 1, earlier)
    here = one.at(new_process())
    with pytest.raises(RecordDamagedError):
        here.read_match(match_id)
    edit_row(before, match_id, 1, lambda _: old)
    with pytest.raises(RecordDamagedError):
        here.read_match(match_id)
    monkeypatch.setattr(streams, "DAMAGED_RETRY_S", 0.0)
    here.play(match_id)


def test_a_damaged_private_match_looks_missing_to_strangers(new_process: Callable[..., Kontor]) -> None:
    before = new_process()
    one = LocalPlayer(before)
    match_id = one.create(ME, OPEN, private=True)
    edit_row(before, match_id, 0, earlier)
    after = new_process()
    with pytest.raises(RecordDamagedError):
        one.at(after).read_match(match_id)
    stranger = LocalPlayer(after)
    for request in requests_about(stranger, match_id):
        with pytest.raises(NotFoundError):
            request()


def test_a_waiter_on_sqlite_is_woken_when_a_new_row_is_damaged(new_process: Callable[..., Kontor]) -> None:
    here, there = new_process(), new_process()
    one, other = LocalPlayer(here), LocalPlayer(there)
    match_id = start_match(one, other)
    one.read_match(match_id)
    with here.feed.waiting_for([match_id]) as waiter:
        version = other.play(match_id).first
        edit_row(there, match_id, -1, earlier)
        PollingRelay(here.store, here.cache, here.feed).on_match_row(UUID(match_id), version)
        assert waiter.is_set()
