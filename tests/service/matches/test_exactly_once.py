"""A command sent several times is carried out once, and all copies get the same answer."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID

import pytest
from eventsourcing.persistence import OperationalError
from msgspec.structs import replace

from kontor_games.domain.commands import Abort, Leave, Resign, Start
from kontor_games.domain.game import Refusal
from kontor_games.domain.match_refusals import AlreadySeatedError
from kontor_games.service.errors import KeyReusedError, StaleVersionError, UnavailableError
from kontor_games.service.kontor import Kontor
from kontor_games.service.store.postgres_recorder import PostgresEntryRecorder
from tests.service.tables import ME, OPEN, CommandResult, LocalPlayer, fair_spec, start_match, stored_rows


def comparable(answer: CommandResult) -> tuple[Any, ...]:
    """Return everything in an answer except the mark that it is a repetition."""
    match = answer.match
    state = match.state.digest() if match.begun else None
    return replace(answer.answer, replayed=False), match.version, match.status, state, answer.facts, answer.at


def check_one_batch(kontor: Kontor, answers: Sequence[CommandResult], rows_before: int) -> None:
    """Check that one entry was stored, and that all answers are equal and all but one marked as repeated."""
    assert all(comparable(answer) == comparable(answers[0]) for answer in answers)
    assert sum(not answer.replayed for answer in answers) == 1
    assert len(stored_rows(kontor, answers[0].id)) == rows_before + 1


@pytest.mark.parametrize("times", [2, 10])
def test_a_repeated_move_is_made_once(new_process: Callable[..., Kontor], times: int) -> None:
    kontor = new_process()
    one, other = LocalPlayer(kontor), LocalPlayer(kontor)
    match_id = start_match(one, other)
    move, rows = one.legal(match_id)[0], len(stored_rows(kontor, match_id))
    check_one_batch(kontor, [one.play(match_id, move, key="same") for _ in range(times)], rows)


def test_a_repeated_move_gets_the_first_answer_although_the_match_has_changed(
    new_process: Callable[..., Kontor],
) -> None:
    kontor = new_process()
    one, other = LocalPlayer(kontor), LocalPlayer(kontor)
    match_id = start_match(one, other)
    move = one.legal(match_id)[0]
    first = one.play(match_id, move, key="same")
    other.play(match_id)
    again = one.play(match_id, move, key="same")
    assert comparable(again) == comparable(first)
    assert (first.replayed, again.replayed) == (False, True)


def test_a_move_sent_by_many_threads_to_two_processes_is_made_once(
    new_process: Callable[..., Kontor],
) -> None:
    here, there = new_process(), new_process()
    one, other = LocalPlayer(here), LocalPlayer(here)
    match_id = start_match(one, other)
    there.cache.get(UUID(match_id))
    for _ in range(6):
        match = one.read_match(match_id).match
        if match.over:
            break
        mover = one if 0 in match.to_act else other
        move, rows = mover.legal(match_id)[0], len(stored_rows(here, match_id))
        key = f"v{match.version}"
        with ThreadPoolExecutor(10) as pool:
            sent = [
                pool.submit(mover.at(kontor).play, match_id, move, key=key) for kontor in [here, there] * 5
            ]
            answers = [one_sent.result() for one_sent in sent]
        check_one_batch(here, answers, rows)


def test_concurrent_retries_of_a_creation_create_one_match(new_process: Callable[..., Kontor]) -> None:
    here, there = new_process(), new_process()
    player = LocalPlayer(here)
    with ThreadPoolExecutor(8) as pool:
        sent = [pool.submit(player.at(k).make, fair_spec(ME, OPEN), "same") for k in [here, there] * 4]
        answers = [one_sent.result() for one_sent in sent]
    check_one_batch(here, answers, 0)


def test_a_retry_after_a_restart_gets_the_first_answer(new_process: Callable[..., Kontor]) -> None:
    before = new_process()
    one, other = LocalPlayer(before), LocalPlayer(before)
    match_id = start_match(one, other)
    move, rows = one.legal(match_id)[0], len(stored_rows(before, match_id))
    first = one.play(match_id, move, key="same")
    before.close()
    after = new_process()
    check_one_batch(after, [first, one.at(after).play(match_id, move, key="same")], rows)


def test_a_retry_succeeds_although_its_expected_version_is_outdated(
    new_process: Callable[..., Kontor],
) -> None:
    here, there = new_process(), new_process()
    one, other = LocalPlayer(here), LocalPlayer(there)
    match_id = start_match(one, other)
    there.cache.get(UUID(match_id))
    version, move = one.read_match(match_id).match.version, one.legal(match_id)[0]
    first = one.play(match_id, move, key="same", if_version=version)
    again = one.at(there).play(match_id, move, key="same", if_version=version)
    assert comparable(first) == comparable(again)
    with pytest.raises(StaleVersionError):
        one.play(match_id, move, key="another", if_version=version)


@pytest.mark.parametrize("command", ["create", "join", "leave", "start", "resign", "abort"])
def test_every_command_is_safe_to_repeat(new_process: Callable[..., Kontor], command: str) -> None:
    here, there = new_process(), new_process()
    one, other = LocalPlayer(here), LocalPlayer(here)
    calls = {
        "create": lambda k, m: one.at(k).make(fair_spec(ME, OPEN, autostart=False), "made"),
        "join": lambda k, m: other.at(k).join(m, key="joined"),
        "leave": lambda k, m: other.at(k).do(m, Leave(), "left"),
        "start": lambda k, m: one.at(k).do(m, Start(), "started"),
        "resign": lambda k, m: other.at(k).do(m, Resign(), "resigned"),
        "abort": lambda k, m: one.at(k).do(m, Abort(), "aborted"),
    }
    steps_before = {
        "create": [],
        "join": ["create"],
        "leave": ["create", "join"],
        "start": ["create", "join"],
        "abort": ["create"],
    }
    match_id = ""
    for step in steps_before.get(command, ["create", "join", "start"]):
        match_id = calls[step](here, match_id).id
    first, again = (calls[command](kontor, match_id) for kontor in (here, there))
    assert comparable(first) == comparable(again)
    assert (first.replayed, again.replayed) == (False, True)


def test_another_request_under_the_same_key_is_refused(new_process: Callable[..., Kontor]) -> None:
    kontor = new_process()
    one, other = LocalPlayer(kontor), LocalPlayer(kontor)
    match_id = start_match(one, other)
    moves = one.legal(match_id)
    one.play(match_id, moves[0], key="same")
    with pytest.raises(KeyReusedError):
        one.play(match_id, moves[1], key="same")
    with pytest.raises(KeyReusedError):
        one.at(kontor).do(match_id, Resign(), "same", body="resign")
    one.create(key="mine", body="b")
    with pytest.raises(KeyReusedError):
        one.create(key="mine", body="other")


def test_keys_belong_to_their_players(new_process: Callable[..., Kontor]) -> None:
    kontor = new_process()
    one, other = LocalPlayer(kontor), LocalPlayer(kontor)
    match_id = start_match(one, other)
    assert not one.play(match_id, key="same").replayed
    assert not other.play(match_id, key="same").replayed
    assert one.create(key="same") != other.create(key="same")


def test_without_a_key_every_request_is_a_new_one(new_process: Callable[..., Kontor]) -> None:
    kontor = new_process()
    player = LocalPlayer(kontor)
    assert player.create() != player.create()
    match_id = player.create(ME, OPEN)
    with pytest.raises(AlreadySeatedError):
        player.join(match_id)


def test_a_refused_command_can_be_sent_again_under_its_key(new_process: Callable[..., Kontor]) -> None:
    kontor = new_process()
    one, other = LocalPlayer(kontor), LocalPlayer(kontor)
    match_id = one.create(ME, OPEN, autostart=False)
    for _ in range(2):
        with pytest.raises(Refusal):
            one.at(kontor).do(match_id, Start(), "start")
    other.join(match_id)
    assert not one.at(kontor).do(match_id, Start(), "start").replayed


# --- lost answers -------------------------------------------------------------------------------------------


class LostAnswers:
    """Stores entries, but loses the acknowledgements of the first `lost` ones."""

    def __init__(self, kontor: Kontor, monkeypatch: pytest.MonkeyPatch, lost: int) -> None:
        self.lost = lost
        self._insert = kontor.store.recorder.insert_all
        monkeypatch.setattr(kontor.store.recorder, "insert_all", self.insert_all)

    def insert_all(self, events: Any) -> list[Exception | None]:
        stored = self._insert(events)
        if self.lost:
            self.lost -= 1
            return [OperationalError("the connection was lost after the commit")]
        return stored


def test_a_move_whose_answer_was_lost_after_the_commit_is_not_made_twice(
    new_process: Callable[..., Kontor], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = new_process(), new_process()
    one, other = LocalPlayer(here), LocalPlayer(there)
    match_id = start_match(one, other)
    move, rows = one.legal(match_id)[0], len(stored_rows(here, match_id))
    LostAnswers(here, monkeypatch, lost=1)
    with pytest.raises(UnavailableError):
        one.play(match_id, move, key="same")
    answers = [one.play(match_id, move, key="same"), one.at(there).play(match_id, move, key="same")]
    assert comparable(answers[0]) == comparable(answers[1])
    assert len(stored_rows(here, match_id)) == rows + 1


def test_the_store_retries_an_insert_and_finds_its_own_entry(
    database_url: str, serve: Callable[..., Kontor], monkeypatch: pytest.MonkeyPatch
) -> None:
    kontor = serve(database_url)
    one, other = LocalPlayer(kontor), LocalPlayer(kontor)
    match_id = start_match(one, other)
    insert, lost, rows = PostgresEntryRecorder._insert, ["once"], len(stored_rows(kontor, match_id))

    def flaky(recorder: PostgresEntryRecorder, *args: Any) -> None:
        insert(recorder, *args)
        if lost:
            lost.pop()
            raise OperationalError("server closed the connection unexpectedly")

    monkeypatch.setattr(PostgresEntryRecorder, "_insert", flaky)
    notified: list[int] = []
    kontor.feed.on_change(lambda change: notified.append(change.version))
    answer = one.play(match_id, key="same")
    assert len(stored_rows(kontor, match_id)) == rows + 1
    assert notified == [answer.match.version], "waiting clients are notified nevertheless"
    assert (answer.first, len(answer.facts)) == (answer.match.version, 1)
