"""Exports through the service, from sealed contributions to the verified file, for each kind of caller."""

import hashlib
from collections.abc import Callable
from uuid import UUID

import pytest

from kontor_games.domain.codec import SPECTATOR
from kontor_games.domain.commands import Abort, Leave, Open, Resign
from kontor_games.domain.match_refusals import (
    ContributionMismatchError,
    MatchNotOpenError,
    NotDueError,
    NotSealedError,
)
from kontor_games.domain.seed import OPENING_MS
from kontor_games.service.background.house_bots import HouseBots
from kontor_games.service.errors import NotFoundError, RecordDamagedError
from kontor_games.service.kontor import Kontor
from kontor_games.service.matches.branches import BranchSpec
from kontor_games.service.matches.use_cases import match_uuid
from kontor_games.service.trust.exports import write_export
from kontor_games.service.trust.verifier import Verdict, verify
from tests.domain.toy.games.fair.facts.rounds import RoundTaken
from tests.service.conftest import SettableClock
from tests.service.tables import (
    ME,
    OPEN,
    LocalPlayer,
    bot,
    command_result,
    play_to_the_end,
    start_match,
    stored_rows,
)
from tests.support.auditing import audit_all
from tests.support.forging import Lines, find, lines_of


def exported(player: LocalPlayer | None, service: Kontor, match_id: str) -> bytes:
    return service.exports.export(player.caller if player else None, match_id)


def verified(service: Kontor, match_id: str) -> Verdict:
    """Verify the public export with the published keys."""
    return verify(exported(None, service, match_id), [key.plain() for key in service.signer.public_keys()])


def sealed(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def join_with(player: LocalPlayer, match_id: str, contribution: str) -> None:
    player.join(match_id, contribution=contribution)


def open_contribution(player: LocalPlayer, match_id: str, value: str) -> None:
    player.do(match_id, Open(value))


# Files


def test_a_match_played_through_the_service_is_verified_offline(
    service: Kontor, ann: LocalPlayer, ben: LocalPlayer
) -> None:
    match_id = start_match(ann, ben)
    match = play_to_the_end(match_id, ann, ben)
    verdict = verified(service, match_id)
    assert (verdict.complete, verdict.facts, verdict.trusted) == (True, match.version, True)
    assert verdict.places == match.outcome.places  # type: ignore[union-attr]


def test_a_running_match_is_exported_as_its_caller_may_see_it(
    service: Kontor, ann: LocalPlayer, ben: LocalPlayer
) -> None:
    match_id = start_match(ann, ben)
    ann.play(match_id)
    own, others, public = (lines_of(exported(player, service, match_id)) for player in (ann, ben, None))
    assert [lines[0]["viewer"] for lines in (own, others, public)] == [0, 1, None]
    assert ["card" in find(lines[1:-1], "card_laid")["fact"] for lines in (own, others, public)] == [
        True,
        False,
        False,
    ]
    assert ["command" in find(lines[1:-1], "card_laid") for lines in (own, others, public)] == [
        True,
        False,
        False,
    ]
    for player in (ann, ben, None):
        assert not verify(exported(player, service, match_id)).complete


def test_hashes_in_a_running_export_are_those_of_the_receipts(
    service: Kontor, ann: LocalPlayer, ben: LocalPlayer
) -> None:
    match_id = start_match(ann, ben)
    answers = [ann.play(match_id), ben.play(match_id)]
    lines = lines_of(exported(None, service, match_id))[1:-1]
    for answer in answers:
        assert lines[answer.match.version - 1]["hash"] == answer.head


def test_a_private_match_of_others_looks_like_a_missing_one(
    service: Kontor, ann: LocalPlayer, ben: LocalPlayer
) -> None:
    match_id = ann.create(ME, OPEN, private=True)
    assert exported(ann, service, match_id)
    for player in (ben, None):
        with pytest.raises(NotFoundError, match="There is no such match"):
            exported(player, service, match_id)


def test_another_process_writes_the_same_file(
    service: Kontor, ann: LocalPlayer, ben: LocalPlayer, serve: Callable[..., Kontor], store_url: str
) -> None:
    match_id = start_match(ann, ben)
    play_to_the_end(match_id, ann, ben)
    assert exported(None, serve(store_url), match_id) == exported(None, service, match_id)


def test_time_outs_resignations_and_house_bots_are_verified(
    service: Kontor, ann: LocalPlayer, ben: LocalPlayer, clock: SettableClock
) -> None:
    match_id = ann.create(ME, OPEN, bot(), clock={"kind": "per_move", "ms": 60_000})
    ben.join(match_id)
    house = HouseBots(service.cache, service.house, service.feed, clock)
    clock.advance(60_000)
    service.house.expire(match_uuid(match_id))
    ben.at(service).do(match_id, Resign())
    for _ in range(200):
        if service.queries.visible_match(None, match_id).match.over:
            break
        house.process(match_uuid(match_id))  # the clock of a house bot never runs
        clock.advance(60_000)
        service.house.expire(match_uuid(match_id))
    kinds = {line["fact"]["type"] for line in lines_of(exported(None, service, match_id))[1:-1]}
    assert {"seat_timed_out", "seat_resigned", "match_finished"} <= kinds
    assert verified(service, match_id).status == "finished"


def test_an_erased_player_leaves_every_chain_verifiable(service: Kontor) -> None:
    names = [service.players.register(name, bot=False, key=None, body="") for name in ("Ada", "Bela")]
    ada, bela = (LocalPlayer(service, service.tokens.authenticate(one.token)) for one in names)
    match_id = start_match(ada, bela)
    play_to_the_end(match_id, ada, bela)
    before = exported(None, service, match_id)
    service.players.erase(ada.caller)
    assert exported(None, service, match_id) == before
    assert verified(service, match_id).complete
    assert b"Ada" not in before


def test_a_record_that_was_tampered_with_is_not_signed(
    service: Kontor, ann: LocalPlayer, ben: LocalPlayer, serve: Callable[..., Kontor], store_url: str
) -> None:
    match_id = start_match(ann, ben)
    play_to_the_end(match_id, ann, ben)
    row = next(row for row in stored_rows(service, match_id) if b'"points":3' in bytes(row["state"]))
    changed = bytes(row["state"]).replace(b'"points":3', b'"points":4')
    own = match_id if service.database.is_postgres else match_id.replace("-", "")
    sql = "UPDATE kontor_events SET state = ? WHERE originator_id = ? AND originator_version = ?"
    service.database.write((sql, [changed, own, row["version"]]))
    with pytest.raises(RecordDamagedError):
        exported(None, serve(store_url), match_id)


def test_a_record_that_breaks_the_rules_is_not_signed_though_its_hashes_fit(
    service: Kontor, ann: LocalPlayer, ben: LocalPlayer
) -> None:
    match_id = start_match(ann, ben)
    match = play_to_the_end(match_id, ann, ben)
    entries = list(service.cache.get(UUID(match_id)).entries)
    number = next(
        n
        for n, entry in enumerate(entries)
        if RoundTaken(0, 3) in entry.facts or RoundTaken(1, 3) in entry.facts
    )
    facts = tuple(
        RoundTaken(fact.seat, 4) if isinstance(fact, RoundTaken) else fact for fact in entries[number].facts
    )
    entries[number] = entries[number]._replace(facts=facts)
    with pytest.raises(RecordDamagedError) as damage:
        write_export(match_id, match, entries, SPECTATOR, service.signer, match.at)
    assert damage.value.reason == "round_taken says points 4, the rules give 3"


# Open seeds


def test_a_match_with_an_open_seed_is_marked_from_its_first_fact_on(
    service: Kontor, ann: LocalPlayer, ben: LocalPlayer
) -> None:
    match_id = start_match(ann, ben, seed="duplicate 7")
    created = lines_of(exported(None, service, match_id))[1]["fact"]
    assert created["open_seed"] == "duplicate 7"
    play_to_the_end(match_id, ann, ben)
    assert verified(service, match_id).open_seed


def test_the_same_open_seed_gives_the_same_deal_to_any_players(
    service: Kontor, ann: LocalPlayer, ben: LocalPlayer
) -> None:
    decks = []
    for _ in range(2):
        match_id = start_match(ann, ben, seed="duplicate 7")
        play_to_the_end(match_id, ann, ben)
        decks.append(find(lines_of(exported(None, service, match_id))[1:-1], "deck_shuffled")["fact"])
    assert decks[0] == decks[1]


def test_without_an_open_seed_no_two_deals_are_alike(
    service: Kontor, ann: LocalPlayer, ben: LocalPlayer
) -> None:
    decks = set()
    for _ in range(3):
        match_id = start_match(ann, ben)
        play_to_the_end(match_id, ann, ben)
        assert not verified(service, match_id).open_seed
        decks.add(
            tuple(find(lines_of(exported(None, service, match_id))[1:-1], "deck_shuffled")["fact"]["order"])
        )
    assert len(decks) == 3


# Sealed contributions


def match_with_sealed_contributions(ann: LocalPlayer, ben: LocalPlayer) -> str:
    """Start a match of two players with sealed contributions that are still to be opened."""
    match_id = ann.create(OPEN, OPEN, sealed=True)
    join_with(ann, match_id, sealed("heads"))
    join_with(ben, match_id, sealed("tails"))
    return match_id


def facts(service: Kontor, match_id: str) -> Lines:
    return lines_of(exported(None, service, match_id))[1:-1]


def test_sealed_contributions_are_opened_and_the_match_begins_and_verifies(
    service: Kontor, ann: LocalPlayer, ben: LocalPlayer
) -> None:
    match_id = match_with_sealed_contributions(ann, ben)
    assert ann.read_match(match_id).match.due is not None
    open_contribution(ben, match_id, "tails")
    assert ann.read_match(match_id).match.status == "open", (
        "the match starts only when the last one is opened"
    )
    open_contribution(ann, match_id, "heads")
    assert ann.read_match(match_id).match.status == "running"
    play_to_the_end(match_id, ann, ben)
    assert verified(service, match_id).complete
    kinds = [line["fact"]["type"] for line in facts(service, match_id)]
    assert kinds[:6] == [
        "match_created",
        "seat_taken",
        "seat_taken",
        "contributions_due",
        "contribution_opened",
        "contribution_opened",
    ]


def test_unopened_contributions_are_shown_only_as_hashes(
    service: Kontor, ann: LocalPlayer, ben: LocalPlayer
) -> None:
    match_id = match_with_sealed_contributions(ann, ben)
    for player in (ann, ben, None):
        content = exported(player, service, match_id)
        assert b"heads" not in content
        assert b"tails" not in content


def test_only_the_sealed_value_opens_once_and_in_time(
    service: Kontor, ann: LocalPlayer, ben: LocalPlayer, clock: SettableClock
) -> None:
    match_id = ann.create(OPEN, OPEN, sealed=True)
    with pytest.raises(NotSealedError):
        join_with(ann, match_id, "heads")
    join_with(ann, match_id, sealed("heads"))
    with pytest.raises(NotDueError):
        open_contribution(ann, match_id, "heads")
    join_with(ben, match_id, sealed("tails"))
    with pytest.raises(ContributionMismatchError):
        open_contribution(ann, match_id, "a value chosen after the others'")
    open_contribution(ann, match_id, "heads")
    with pytest.raises(NotDueError):
        open_contribution(ann, match_id, "heads")
    clock.advance(OPENING_MS)
    with pytest.raises(MatchNotOpenError, match="The match is aborted"):
        open_contribution(ben, match_id, "tails")


@pytest.mark.parametrize("opened", [True, False])
def test_a_match_with_withheld_contributions_is_aborted_and_names_the_seats(
    service: Kontor, ann: LocalPlayer, ben: LocalPlayer, clock: SettableClock, opened: bool
) -> None:
    match_id = match_with_sealed_contributions(ann, ben)
    if opened:
        open_contribution(ann, match_id, "heads")
    clock.advance(OPENING_MS - 1)
    service.house.expire(match_uuid(match_id))
    assert ann.read_match(match_id).match.status == "open"
    clock.advance(1)
    service.house.expire(match_uuid(match_id))
    assert ann.read_match(match_id).match.status == "aborted"
    recorded = [line["fact"] for line in facts(service, match_id)]
    withheld = [fact["seat"] for fact in recorded if fact["type"] == "contribution_withheld"]
    assert withheld == ([1] if opened else [0, 1])
    assert recorded[-1] == {"type": "match_aborted", "reason": "withheld"}
    assert not any(fact["type"] == "deck_shuffled" for fact in recorded)
    verdict = verified(service, match_id)
    assert (verdict.status, verdict.places, verdict.complete) == ("aborted", None, True)


def test_a_creator_who_aborts_in_place_of_opening_is_recorded(
    service: Kontor, ann: LocalPlayer, ben: LocalPlayer
) -> None:
    match_id = match_with_sealed_contributions(ann, ben)
    open_contribution(ben, match_id, "tails")
    ann.do(match_id, Abort())
    recorded = [line["fact"] for line in facts(service, match_id)]
    assert recorded[-2:] == [
        {"type": "contribution_withheld", "seat": 0},
        {"type": "match_aborted", "reason": "creator"},
    ]
    assert verified(service, match_id).complete
    assert audit_all(service).problems == []


def test_no_seat_can_be_left_while_contributions_are_opened(ann: LocalPlayer, ben: LocalPlayer) -> None:
    match_id = match_with_sealed_contributions(ann, ben)
    with pytest.raises(MatchNotOpenError, match="contributions are being opened"):
        ann.do(match_id, Leave())


def test_house_bots_have_no_contributions_to_open(service: Kontor, ann: LocalPlayer) -> None:
    match_id = ann.create(OPEN, bot(), sealed=True)
    join_with(ann, match_id, sealed("heads"))
    open_contribution(ann, match_id, "heads")
    assert ann.read_match(match_id).match.status == "running"
    ann.do(match_id, Abort())
    assert verified(service, match_id).status == "aborted"


# Branches


def test_a_branch_is_marked_and_verified(service: Kontor, ann: LocalPlayer, ben: LocalPlayer) -> None:
    match_id = start_match(ann, ben)
    play_to_the_end(match_id, ann, ben)
    answer = command_result(service, service.branches.branch(ann.call(), match_id, BranchSpec(13)))
    lines = lines_of(exported(ann, service, answer.id))[1:-1]
    assert lines[1]["fact"]["type"] == "position_set"
    assert "position" not in lines[1]["fact"]
    ann.at(service).do(answer.id, Abort())
    verdict = verify(exported(ann, service, answer.id))
    assert (verdict.branch, verdict.complete) == (True, True)


def test_the_records_of_a_range_are_those_of_the_facts_after_a_version_up_to_another(
    service: Kontor, ann: LocalPlayer, ben: LocalPlayer
) -> None:
    match_id = start_match(ann, ben)
    ann.play(match_id)
    every = service.exports.records(ann.caller, match_id, 0, 1000)
    version = len(every)
    assert [one["version"] for one in every] == list(range(1, version + 1))
    assert [one["before"] for one in every] == ["0" * 64, *(one["hash"] for one in every[:-1])]
    assert every[-1]["hash"] == ann.read_match(match_id).head
    for after in range(version):
        for last in range(after, version + 1):
            assert service.exports.records(ann.caller, match_id, after, last) == every[after:last]


def test_records_hide_what_their_reader_may_not_know(
    service: Kontor, ann: LocalPlayer, ben: LocalPlayer
) -> None:
    match_id = start_match(ann, ben)
    read = [service.exports.records(who.caller, match_id, 0, 1000) for who in (ann, ben)]
    assert [one["hash"] for one in read[0]] == [one["hash"] for one in read[1]]
    assert read[0] != read[1]
