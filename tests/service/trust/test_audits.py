"""Audits of a whole database: intact matches are verified, and changes to the database are named."""

import json
from collections.abc import Callable
from uuid import UUID

import pytest

from kontor_games.domain.codec import Plain
from kontor_games.domain.commands import Abort
from kontor_games.domain.game import Move
from kontor_games.domain.house_bots import house_move
from kontor_games.domain.match import Match
from kontor_games.service.documents.texts import texts_in
from kontor_games.service.kontor import Kontor
from kontor_games.service.trust.audits import PRIVATE_PROBLEM, AuditTarget, MatchAudit
from tests.service.conftest import SettableClock
from tests.service.tables import ME, OPEN, LocalPlayer, bot, play_to_the_end, start_match, stored_rows
from tests.support.auditing import audit_all, problems_of


def play_match(one: LocalPlayer, other: LocalPlayer, **more: Plain) -> str:
    """Play a match to its end, and return its id."""
    match_id = start_match(one, other, **more)
    play_to_the_end(match_id, one, other)
    return match_id


def rewrite(service: Kontor, match_id: str, version: int, change: Callable[[str], str]) -> None:
    """Change a stored row as somebody with access to the database would."""
    row = next(row for row in stored_rows(service, match_id) if row["version"] == version)
    old = bytes(row["state"]).decode()
    new = change(old)
    assert new != old
    own = match_id if service.database.is_postgres else match_id.replace("-", "")
    sql = "UPDATE kontor_events SET state = ? WHERE originator_id = ? AND originator_version = ?"
    service.database.write((sql, [new.encode(), own, version]))


def compact(row: Plain) -> str:
    """Return the content of a row in the form that the service writes."""
    return json.dumps(row, separators=(",", ":"))


def remove(service: Kontor, match_id: str, after: int) -> None:
    own = match_id if service.database.is_postgres else match_id.replace("-", "")
    service.database.write(
        ("DELETE FROM kontor_events WHERE originator_id = ? AND originator_version > ?", [own, after])
    )


def last_version(service: Kontor, match_id: str) -> int:
    version: int = stored_rows(service, match_id)[-1]["version"]
    return version


def test_intact_matches_are_verified_in_every_status(
    service: Kontor, one: LocalPlayer, other: LocalPlayer
) -> None:
    done, running, waiting = play_match(one, other), start_match(one, other), one.create(ME, OPEN)
    broken_off = start_match(one, other)
    one.at(service).do(broken_off, Abort())
    report = audit_all(service)
    assert (report.matches, report.verified, report.problems) == (4, 4, [])
    assert report.facts == sum(
        one.read_match(match).match.version for match in (done, running, waiting, broken_off)
    )
    assert report.games == {"fair": 4}


def test_matches_are_audited_the_oldest_first(
    service: Kontor, one: LocalPlayer, other: LocalPlayer, clock: SettableClock
) -> None:
    ids = list[str]()
    for _ in range(3):
        ids.append(play_match(one, other))
        clock.advance(1)
    assert [str(target.id) for target in service.audits.all_matches()] == ids


def test_a_changed_fact_is_named_with_its_match_and_place(
    service: Kontor, one: LocalPlayer, other: LocalPlayer
) -> None:
    good, bad = play_match(one, other), play_match(one, other)
    version = last_version(service, bad)
    rewrite(service, bad, version, lambda text: text.replace('"points":[', '"points":[7'))
    report = audit_all(service)
    assert (report.matches, report.verified) == (2, 1)
    [(match, problem)] = problems_of(report)
    assert match == bad
    assert problem.startswith(f"at version {version + 1}: match_scored says points [7")
    assert good not in str(report.answer().anomalies)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda text: text.replace('"head":"', '"head":"00')[: len(text)] + "}",
            "what is stored can't be read",
        ),
        (
            lambda text: text.replace('"type":"fair_closed"', '"type":"fair_opened"'),
            "what is stored can't be read",
        ),
        (lambda text: text[: len(text) // 2], "what is stored can't be read"),
        (
            lambda text: json.dumps({**json.loads(text), "head": "0" * 64}),
            "the stored hash is not that of the record",
        ),
        (
            lambda text: json.dumps({**json.loads(text), "by": "somebody else"}),
            "the command was not allowed: You have no seat in this match.",
        ),
        (
            lambda text: json.dumps({**json.loads(text), "at": 5}),
            "its time is earlier than that of the previous command",
        ),
    ],
    ids=["trailing", "unknown fact", "cut off", "other head", "other player", "other time"],
)
def test_every_change_of_a_row_is_described(
    service: Kontor, one: LocalPlayer, other: LocalPlayer, change: Callable[[str], str], message: str
) -> None:
    match_id = play_match(one, other)
    version = last_version(service, match_id)
    rewrite(service, match_id, version, change)
    [(match, problem)] = problems_of(audit_all(service))
    assert match == match_id
    assert int(problem.removeprefix("at version ").partition(":")[0]) >= version
    assert f": {message}" in problem


@pytest.mark.parametrize("part", ["command", "facts"])
def test_values_cached_from_other_rows_hide_no_change(
    service: Kontor, one: LocalPlayer, other: LocalPlayer, part: str
) -> None:
    match_id = play_match(one, other)
    assert problems_of(audit_all(service)) == [], "commands and facts of all rows are cached from here on"
    rows = [json.loads(row["state"]) for row in stored_rows(service, match_id)[3:]]
    versions = [row["version"] for row in stored_rows(service, match_id)[3:]]
    known = next(row[part] for row in rows if row[part] != rows[0][part])
    rewrite(service, match_id, versions[0], lambda _: compact({**rows[0], part: known}))
    [(match, problem)] = problems_of(audit_all(service))
    assert (match, problem.partition(":")[0]) == (match_id, f"at version {versions[0]}")
    rewrite(service, match_id, versions[0], lambda _: compact(rows[0]))
    assert problems_of(audit_all(service)) == []


def test_the_data_set_of_every_match_is_compared_although_its_hash_is_kept(
    service: Kontor, one: LocalPlayer, other: LocalPlayer
) -> None:
    good, bad = play_match(one, other), play_match(one, other)
    assert problems_of(audit_all(service)) == []
    data_hash = one.read_match(good).match.created.data_hash
    rewrite(service, bad, 1, lambda text: text.replace(data_hash, "0" * 64))
    [(match, problem)] = problems_of(audit_all(service))
    assert match == bad
    assert "differs from the one used in this match" in problem


def test_a_deleted_row_is_detected(service: Kontor, one: LocalPlayer, other: LocalPlayer) -> None:
    match_id = play_match(one, other)
    rows = stored_rows(service, match_id)
    own = match_id if service.database.is_postgres else match_id.replace("-", "")
    service.database.write(
        (
            "DELETE FROM kontor_events WHERE originator_id = ? AND originator_version = ?",
            [own, rows[2]["version"]],
        ),
    )
    [(_, problem)] = problems_of(audit_all(service))
    assert (
        problem == f"at version {rows[3]['version']}: facts are missing or duplicated; "
        f"expected version {rows[2]['version']} here"
    )


def test_an_audit_reads_the_store_and_not_the_match_cache(
    service: Kontor, one: LocalPlayer, other: LocalPlayer
) -> None:
    match_id = play_match(one, other)
    rewrite(service, match_id, 1, lambda text: text.replace('"meet_bots":true', '"meet_bots":false'))
    assert one.read_match(match_id).match.created.meet_bots
    assert [match for match, _ in problems_of(audit_all(service))] == [match_id]


def test_a_listed_match_without_rows_is_detected(
    service: Kontor, one: LocalPlayer, other: LocalPlayer
) -> None:
    match_id = play_match(one, other)
    remove(service, match_id, 0)
    assert problems_of(audit_all(service)) == [
        (match_id, "there should be a record of this match, and there is none")
    ]


def test_a_match_missing_from_the_list_is_detected(
    service: Kontor, one: LocalPlayer, other: LocalPlayer
) -> None:
    match_id = play_match(one, other)
    service.database.write(("DELETE FROM matches WHERE id = ?", [match_id]))
    assert problems_of(audit_all(service)) == [(match_id, "the match is not on the list of matches")]


def test_a_match_deleted_from_the_list_too_is_detected_by_its_checkpoint(
    service: Kontor, one: LocalPlayer, other: LocalPlayer
) -> None:
    match_id = play_match(one, other)
    service.checkpoints.take()
    remove(service, match_id, 0)
    service.database.write(("DELETE FROM matches WHERE id = ?", [match_id]))
    assert problems_of(audit_all(service)) == [
        (match_id, "there should be a record of this match, and there is none")
    ]


def test_facts_deleted_from_the_end_of_a_match_are_detected_by_its_checkpoint(
    service: Kontor, one: LocalPlayer, other: LocalPlayer
) -> None:
    match_id = start_match(one, other)
    start = one.read_match(match_id).match.version
    end = one.play(match_id).match.version
    service.checkpoints.take()
    remove(service, match_id, start)
    assert problems_of(audit_all(service)) == [
        (
            match_id,
            f"at version {start}: the record ends here, but a checkpoint holds version {end}: "
            "facts were taken away",
        )
    ]


def test_a_completely_rewritten_history_is_detected_by_its_checkpoint(
    service: Kontor, one: LocalPlayer, other: LocalPlayer
) -> None:
    match_id = start_match(one, other)
    start, version = one.read_match(match_id).match.version, one.play(match_id).match.version
    service.checkpoints.take()
    remove(service, match_id, start)
    rewriting = one.at(Kontor(service.settings, service.clock))
    rewriting.play(match_id, rewriting.legal(match_id)[-1])
    rewriting.kontor.close()
    problem = f"at version {version}: a checkpoint holds another hash: the record was rewritten"
    assert problems_of(audit_all(service)) == [(match_id, problem)]


def test_a_match_whose_rules_are_not_installed_does_not_pass_the_audit(
    service: Kontor, one: LocalPlayer, other: LocalPlayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = play_match(one, other)
    rewrite(service, match_id, 1, lambda text: text.replace('"game":"fair"', '"game":"fare"'))
    [(match, problem)] = problems_of(audit_all(service))
    assert match == match_id
    assert problem.startswith("at version 1: what is stored can't be read (KeyError")


# --- random values ------------------------------------------------------------------------------------------


def test_the_draws_of_matches_that_are_over_are_counted(
    service: Kontor, one: LocalPlayer, other: LocalPlayer
) -> None:
    for _ in range(12):
        play_match(one, other)
    deck = next(test for test in audit_all(service).tests if test.stream == "deck")
    assert (deck.game, deck.values) == ("fair", 12 * 19)
    assert deck.test.values < deck.values, "the largest bounds are too rare for the test"
    assert sum(bar.observed for bar in deck.bars) == deck.values
    assert sum(bar.expected for bar in deck.bars) == pytest.approx(deck.values)


def test_draws_of_a_running_match_are_not_counted_yet(
    service: Kontor, one: LocalPlayer, other: LocalPlayer
) -> None:
    start_match(one, other)
    report = audit_all(service)
    assert (report.matches, report.values, report.p_value) == (1, 0, None)


def test_draws_from_an_open_seed_are_not_counted(
    service: Kontor, one: LocalPlayer, other: LocalPlayer
) -> None:
    play_match(one, other, seed="the same deal again and again")
    report = audit_all(service)
    assert (report.verified, report.values) == (1, 0)


# --- audits of ended matches --------------------------------------------------------------------------------


def test_every_match_that_ends_is_audited_once(service: Kontor, one: LocalPlayer, other: LocalPlayer) -> None:
    assert service.audits.audit_ended() == 0
    done, _ = play_match(one, other), start_match(one, other)
    assert [service.audits.audit_ended() for _ in range(3)] == [1, 0, 0]
    first = service.audits.fairness()
    assert (first.matches, first.facts) == (1, one.read_match(done).match.version)
    assert first.answer() == audit_all(service, [AuditTarget(UUID(done), "fair")]).answer()
    play_match(one, other)
    assert service.audits.audit_ended() == 1
    second = service.audits.fairness()
    assert (second.matches, second.values) == (2, first.values * 2)


def test_two_processes_that_audit_at_once_count_once(
    service: Kontor, one: LocalPlayer, other: LocalPlayer
) -> None:
    match_id = play_match(one, other)
    service.audits.audit_ended()
    before = service.audits.fairness().answer()
    service.audits._store_result(
        MatchAudit(match_id, "fair", 5, None, service.audits.fairness().counts["fair"], None, secret=False)
    )
    assert service.audits.fairness().answer() == before


def test_many_matches_are_audited_in_batches(service: Kontor, one: LocalPlayer) -> None:
    for _ in range(23):
        match_id = one.create(ME, OPEN)
        one.at(service).do(match_id, Abort())
    assert [service.audits.audit_ended() for _ in range(3)] == [20, 3, 0]


def test_the_public_report_names_anomalies_but_no_private_match(
    service: Kontor, one: LocalPlayer, other: LocalPlayer
) -> None:
    open_match = play_match(one, other)
    hidden = one.create(ME, OPEN, private=True)
    one.at(service).do(hidden, Abort())
    for match_id in (open_match, hidden):
        rewrite(service, match_id, 1, lambda text: text.replace('"meet_bots":true', '"meet_bots":false'))
    while service.audits.audit_ended():
        pass
    problems = service.audits.fairness().problems
    assert (None, PRIVATE_PROBLEM) in problems
    assert [match for match, _ in problems if match] == [open_match]
    assert hidden not in str(service.audits.fairness().answer())


def test_results_are_stored_as_codes_and_those_of_older_services_keep_their_text(
    service: Kontor, one: LocalPlayer, other: LocalPlayer
) -> None:
    match_id = play_match(one, other)
    rewrite(service, match_id, 1, lambda text: text.replace('"meet_bots":true', '"meet_bots":false'))
    service.audits.audit_ended()
    [row] = service.database.read("SELECT problem FROM match_audits")
    assert json.loads(row["problem"])["code"] == "at_version"
    [(_, found)] = service.audits.fairness().problems
    assert texts_in("de").anomaly(found).startswith("bei Version 2: der gespeicherte Hash")
    for older in ("at version 1: facts are missing", '{"code": "of a newer service", "values": {}}', "7"):
        service.database.write(("UPDATE match_audits SET problem = ?", [older]))
        assert service.audits.fairness().problems == [(match_id, older)]
        assert texts_in("de").anomaly(older, "<{}>".format) == f"<{older}>"
        assert texts_in("en").anomaly(older, "<{}>".format) == older


def play_house_bots(service: Kontor, match_id: str, choose: Callable[[Match, int], Move | None]) -> None:
    """Play a match of house bots to its end, with the moves that `choose` returns."""
    log = service.cache.get(UUID(match_id))
    while not log.state.over:
        seat = log.state.to_act[0]
        move = choose(log.state, seat)
        assert move is not None
        service.house.play_for_house(log.id, log.state.version, seat, move)


def another_move(match: Match, seat: int) -> Move | None:
    """A legal move that is not the house bot's own, if there is one."""
    own = house_move(match, seat).move
    return next((move for move in match.rules.legal_moves(match.state, seat) if move != own), own)


def test_house_bots_are_audited_too(service: Kontor, one: LocalPlayer) -> None:
    match_id = one.create(bot(), bot("random"))
    play_house_bots(service, match_id, lambda match, seat: house_move(match, seat).move)
    assert audit_all(service).verified == 1
    assert audit_all(service, recompute_bots=True).verified == 1


def test_a_legal_move_that_the_house_bot_would_not_have_made_is_named(
    service: Kontor, one: LocalPlayer
) -> None:
    match_id = one.create(bot(), bot("random"))
    play_house_bots(service, match_id, another_move)
    assert problems_of(audit_all(service)) == [], (
        "moves of bots are recomputed only on request, because it takes long"
    )
    report = audit_all(service, recompute_bots=True)
    ((name, problem),) = problems_of(report)
    assert name == match_id
    assert "the house bot " in problem
    assert problem.endswith(" here, not this move")
