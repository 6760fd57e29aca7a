"""The stored data: plain JSON under our own names, readable by all later releases."""

import json
import secrets
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Event, Semaphore, Thread
from typing import Any
from uuid import uuid4, uuid5

import psycopg
import pytest
from eventsourcing.persistence import IntegrityError

from kontor_games.domain.codec import Plain, record
from kontor_games.domain.game import Fact
from kontor_games.domain.games import installed_games
from kontor_games.domain.match_facts import fact_codec, find_rules
from kontor_games.service.kontor import Kontor
from kontor_games.service.matches import use_cases as matches
from kontor_games.service.matches.match_spec import MatchDefaults
from kontor_games.service.people.tokens import Caller
from kontor_games.service.settings import Settings
from kontor_games.service.store.event_store import EventStore, SQLiteEntryDatastore, Stored
from tests.domain.toy.games.fair import GAME as FAIR
from tests.domain.toy.games.fair.facts import FACTS
from tests.domain.toy.games.fair.facts.rounds import RoundTaken
from tests.domain.toy.games.fair.rules import VERSION_1, FairRules
from tests.domain.toy.games.fair.state import Fair
from tests.service.tables import LocalPlayer, logged_facts, play_to_the_end, start_match, stored_rows
from tests.support.entries import append

GOLDEN = Path(__file__).parent / "stored_match.jsonl"
"""A match as an early release stored it. This file must never be changed."""
ADA = "11111111-1111-4111-8111-111111111111"
BEN = "22222222-2222-4222-8222-222222222222"


@pytest.fixture
def kontor(new_process: Callable[..., Kontor]) -> Kontor:
    return new_process()


def entry(first: int) -> Stored:
    return Stored(
        at=first,
        by="me",
        key="k",
        body="b",
        command={"type": "play"},
        facts=[{"type": "round_begun", "round": first}],
        head="h",
    )


# --- keys ---------------------------------------------------------------------------------------------------


def test_two_entries_cannot_have_the_same_key(kontor: Kontor) -> None:
    match_id = uuid4()
    append(kontor.store, match_id, 1, entry(1))
    with pytest.raises(IntegrityError):
        append(kontor.store, match_id, 1, entry(2))
    assert [row.stored for row in kontor.store.entries(match_id)] == [entry(1)]


def test_entries_come_in_order_from_any_version_on(kontor: Kontor) -> None:
    match_id = uuid4()
    for first in (1, 4, 9):
        append(kontor.store, match_id, first, entry(first))
    assert [row.originator_version for row in kontor.store.entries(match_id)] == [1, 4, 9]
    assert [row.originator_version for row in kontor.store.entries(match_id, after=3)] == [4, 9]
    assert kontor.store.entries(match_id, after=9) == []


def test_the_newest_entries_of_many_matches_are_found_with_one_query(kontor: Kontor) -> None:
    busy, quiet, missing = uuid4(), uuid4(), uuid4()
    for first in (1, 4):
        append(kontor.store, busy, first, entry(first))
    append(kontor.store, quiet, 1, entry(1))
    assert kontor.store.newest([busy, quiet, missing]) == {busy: 4, quiet: 1, missing: 0}
    known = {busy: 1, quiet: 7, missing: 2}
    assert kontor.store.newest([busy, quiet, missing], known) == {busy: 4, quiet: 7, missing: 2}
    assert kontor.store.newest([]) == {}


def test_facts_and_other_rows_are_stored_together_or_not_at_all(kontor: Kontor) -> None:
    match_id = uuid4()
    row = ("INSERT INTO match_players VALUES (?, ?)", ["somebody", str(match_id)])
    with pytest.raises(IntegrityError):
        append(kontor.store, match_id, 1, entry(1), [row, row])
    assert kontor.store.entries(match_id) == []
    assert kontor.database.read("SELECT * FROM match_players WHERE match_id = ?", [str(match_id)]) == []


def test_all_facts_of_a_move_are_in_one_row(kontor: Kontor) -> None:
    one, other = LocalPlayer(kontor), LocalPlayer(kontor)
    match_id = start_match(one, other)
    one.play(match_id)
    answer = other.play(match_id)
    last = json.loads(stored_rows(kontor, match_id)[-1]["state"])
    assert [fact["type"] for fact in last["facts"]] == [fact.type for fact in answer.facts]
    assert len(answer.facts) > 1


# --- names and bytes ----------------------------------------------------------------------------------------


def golden() -> list[dict[str, Any]]:
    return [json.loads(line) for line in GOLDEN.read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def pinned(kontor: Kontor, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fix the random values (server's secret, keys of requests without one) and omit later defaults."""
    monkeypatch.setattr(secrets, "token_hex", lambda size: "0f" * size)
    monkeypatch.setattr(kontor.matches, "defaults", MatchDefaults())
    monkeypatch.setattr("kontor_games.service.matches.match_spec.SALT_VERSION", 1)
    monkeypatch.setattr("kontor_games.service.matches.match_spec.MAX_RETURNED_MS", None)


def pinned_match(kontor: Kontor) -> str:
    """Play a whole match of two players with fixed ids."""
    scopes = frozenset({"play", "organise"})
    ada, ben = (
        LocalPlayer(kontor, Caller(player, bot=False, scopes=scopes, token="")) for player in (ADA, BEN)
    )
    match_id = ada.create(key="golden", options={"rounds": 1})
    ada.join(match_id, seat=0, key="ada sits")
    ben.join(match_id, key="ben sits")
    number = 0
    while not (match := ada.read_match(match_id).match).over:
        number += 1
        next(player for player in (ada, ben) if match.seat_of(player.id) in match.to_act).play(
            match_id, key=f"move {number}"
        )
    return match_id


def test_stored_bytes_do_not_change(kontor: Kontor, pinned: None) -> None:
    rows = stored_rows(kontor, pinned_match(kontor))
    written = [
        {"version": row["version"], "topic": row["topic"], "entry": json.loads(row["state"])} for row in rows
    ]
    assert written == golden()
    for row, known in zip(rows, golden(), strict=True):
        assert (
            bytes(row["state"])
            == json.dumps(known["entry"], separators=(",", ":"), ensure_ascii=False).encode()
        )


def test_the_document_shows_an_entry_as_it_is_stored() -> None:
    document = (Path(__file__).parents[3] / "docs" / "facts.md").read_text(encoding="utf-8")
    shown = json.loads(document.split("```json\n")[1].split("```")[0])
    assert shown in [row["entry"] for row in golden()]


def test_stored_names_do_not_depend_on_module_names(kontor: Kontor) -> None:
    one, other = LocalPlayer(kontor), LocalPlayer(kontor)
    match_id = start_match(one, other)
    play_to_the_end(match_id, one, other)
    rows = stored_rows(kontor, match_id)
    assert {row["topic"] for row in rows} == {"match.create", "match.join", "match.play"}
    stored = b"".join(bytes(row["state"]) for row in rows).decode()
    for ours in ("domain", "service", "tests.", "records", "Record", "CardLaid"):
        assert ours not in stored


@pytest.fixture
def old_match(kontor: Kontor) -> str:
    """A match stored by an earlier release."""
    match_id = uuid5(matches._MATCH_NAMESPACE, f"{ADA} golden")
    if not kontor.store.entries(match_id):
        for row in golden():
            append(kontor.store, match_id, row["version"], Stored(**row["entry"]))
    return str(match_id)


def test_a_match_stored_by_an_earlier_release_is_read_and_folded(kontor: Kontor, old_match: str) -> None:
    match = kontor.queries.visible_match(None, old_match).match
    assert (match.status, match.version) == ("finished", sum(len(row["entry"]["facts"]) for row in golden()))
    assert match.outcome is not None
    assert list(match.outcome.places) == golden()[-1]["entry"]["facts"][-1]["places"]


# --- older facts --------------------------------------------------------------------------------------------


class Revised:
    """The toy game in a later release: RoundTaken has one more field, the card."""

    @record
    class RoundTaken(Fact):
        revision = 2
        seat: int
        points: int
        card: int | None

        @classmethod
        def upcast(cls, data: dict[str, Plain], revision: int) -> dict[str, Plain]:
            """Revision 1 did not say with which card."""
            return {**data, "card": None}

        def fold(self, state: Fair) -> None:
            RoundTaken(self.seat, self.points).fold(state)


class RevisedRules(FairRules):
    """The same rules with the new fact."""

    def decide(self, state: Fair, *more: Any) -> list[Fact]:
        facts = super().decide(state, *more)
        return [
            Revised.RoundTaken(f.seat, f.points, state.laid[f.seat]) if isinstance(f, RoundTaken) else f
            for f in facts
        ]


@pytest.fixture
def later_release(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The game is replaced by its later release, as a deployment does."""
    facts = tuple(Revised.RoundTaken if fact is RoundTaken else fact for fact in FACTS)
    released = replace(FAIR, rulesets=(replace(VERSION_1, apply=RevisedRules, facts=facts),))
    monkeypatch.setitem(installed_games(), "fair", released)
    find_rules.cache_clear()
    fact_codec.cache_clear()
    yield
    find_rules.cache_clear()
    fact_codec.cache_clear()


def test_a_fact_of_an_older_revision_is_brought_up_to_date_when_it_is_read(
    kontor: Kontor, old_match: str, later_release: None
) -> None:
    taken = [logged.fact for logged in logged_facts(kontor, old_match) if logged.fact.type == "round_taken"]
    assert [(fact.revision, fact.points, fact.card) for fact in taken] == [(2, 3, None)]
    assert kontor.queries.visible_match(None, old_match).match.status == "finished"
    before = [row["topic"] for row in golden()]
    assert [row["topic"] for row in stored_rows(kontor, old_match)] == before, "the stored rows are unchanged"


def test_new_facts_are_stored_in_their_new_revision(kontor: Kontor, later_release: None) -> None:
    one, other = LocalPlayer(kontor), LocalPlayer(kontor)
    match_id = start_match(one, other, options={"rounds": 1})
    play_to_the_end(match_id, one, other)
    facts = [fact for row in stored_rows(kontor, match_id) for fact in json.loads(row["state"])["facts"]]
    (taken,) = (fact for fact in facts if fact["type"] == "round_taken")
    assert list(taken) == ["type", "revision", "seat", "points", "card"]
    assert (taken["revision"], isinstance(taken["card"], int)) == (2, True)


# --- connecting ---------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("fair")
def test_several_processes_can_migrate_at_the_same_time(empty_store_url: str) -> None:
    kontors = [Kontor(Settings(database_url=empty_store_url)) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(Kontor.migrate, kontors))
    one, other = LocalPlayer(kontors[0]), LocalPlayer(kontors[1])
    match_id = start_match(one, other)
    play_to_the_end(match_id, one, other)
    looks = [kontor.queries.visible_match(None, match_id) for kontor in kontors]
    assert {(look.match.status, look.head) for look in looks} == {("finished", looks[0].head)}
    assert len({key.id for kontor in kontors for key in kontor.signer.public_keys()}) == 1
    for kontor in kontors:
        kontor.close()


def test_the_parameters_of_the_database_url_are_used(database_url: str) -> None:
    store = EventStore(database_url + "&application_name=counting%20house", 1)
    with store.recorder.datastore.transaction(commit=False) as cursor:
        cursor.execute(
            "SELECT current_setting('application_name') AS name, "
            "current_setting('statement_timeout') AS longest"
        )
        assert cursor.fetchall() == [{"name": "counting house", "longest": "6s"}]
    store.close()


def test_what_is_stored_is_found_again_by_another_process(empty_store_url: str) -> None:
    kontor = Kontor(Settings(database_url=empty_store_url))
    kontor.migrate()
    match_id = uuid4()
    append(kontor.store, match_id, 1, entry(1))
    kontor.close()
    again = Kontor(Settings(database_url=empty_store_url))
    assert [row.stored for row in again.store.entries(match_id)] == [entry(1)]
    assert [row["topic"] for row in stored_rows(again, str(match_id))] == ["match.play"]
    again.close()


def test_the_function_of_the_library_that_loses_the_order_is_not_installed(database_url: str) -> None:
    kontor = Kontor(Settings(database_url=database_url))
    kontor.migrate()
    assert kontor.database.read("SELECT proname FROM pg_proc WHERE starts_with(proname, 'es_')") == []
    kontor.close()


def test_a_connection_cut_by_the_server_is_replaced_unnoticed(
    database_url: str, serve: Callable[..., Kontor]
) -> None:
    kontor = serve(database_url)
    one, other = LocalPlayer(kontor), LocalPlayer(kontor)
    match_id = start_match(one, other)
    with psycopg.connect(database_url) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    one.play(match_id)
    assert kontor.queries.page(None, None, 10).matches[0].id == match_id


def test_an_entry_is_read_as_it_was_written(kontor: Kontor) -> None:
    match_id = uuid4()
    command = {"type": "play", "moves": []}
    stored = Stored(
        at=1, by="é", key="k", body="b", command=command, facts=[{"type": "x", "n": None}], head="h", seat=0
    )
    append(kontor.store, match_id, 1, stored)
    assert [row.stored for row in kontor.store.entries(match_id)] == [stored]


def test_readers_do_not_wait_for_writers_that_wait_for_each_other(tmp_path: Path) -> None:
    store, started, may_end = SQLiteEntryDatastore(f"{tmp_path}/kontor.db", 10), Semaphore(0), Event()
    with store.transaction(commit=True) as cursor:
        cursor.execute("CREATE TABLE numbers (number INTEGER)")

    def count() -> int:
        with store.transaction(commit=False) as cursor:
            cursor.execute("SELECT count(*) FROM numbers")
            return int(cursor.fetchone()[0])

    def write() -> None:
        started.release()
        with store.transaction(commit=True) as cursor:
            cursor.execute("INSERT INTO numbers VALUES (1)")
            may_end.wait(60)

    assert count() == 0
    writers = [Thread(target=write) for _ in range(3)]
    for writer in writers:
        writer.start()
        assert started.acquire(timeout=60)
    assert count() == 0
    may_end.set()
    for writer in writers:
        writer.join(60)
    assert count() >= 1
    store.close()
