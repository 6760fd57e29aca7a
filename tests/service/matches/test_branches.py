"""What if: matches that begin in a position of another one, with the truth only where it may be known."""

import hashlib
import secrets
from collections import Counter
from itertools import count
from typing import Any
from uuid import UUID

import pytest

from kontor_games.domain.audit import Auditor
from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.codec import ARBITER, MalformedError, Plain
from kontor_games.domain.match import Match
from kontor_games.domain.match_facts import PositionSet
from kontor_games.domain.match_refusals import NothingToPlayError, NotSeatedError, PracticeForbiddenError
from kontor_games.domain.position import dump_position
from kontor_games.service.background.house_bots import HouseBots
from kontor_games.service.ed25519 import is_signed
from kontor_games.service.errors import KeyReusedError, NotFoundError
from kontor_games.service.matches.branches import BranchSpec
from kontor_games.service.people.tokens import Caller
from kontor_games.service.trust.statistics import p_value
from kontor_games.service.trust.verifier import verify
from tests.service.tables import (
    ME,
    OPEN,
    Done,
    Guest,
    bot,
    done,
    fair_state,
    logged_facts,
    play_to_the_end,
    table,
)


def branch(
    guest: Guest, match_id: str, version: int, key: str | None = None, body: str = "b", **wish: Any
) -> Done:
    return done(
        guest.kontor,
        guest.kontor.branches.branch(guest.call(key, body), match_id, BranchSpec(version, **wish)),
    )


def over(one: Guest, other: Guest) -> str:
    match_id = table(one, other)
    play_to_the_end(match_id, one, other)
    return match_id


def with_bots_to_the_end(guest: Guest, match_id: str) -> Match:
    """The guest makes first legal moves, house bots play their own."""
    log = guest.kontor.cache.get(UUID(match_id))
    house = HouseBots(guest.kontor.cache, guest.kontor.house, guest.kontor.feed, guest.kontor.clock)
    while not log.match.over:
        if log.match.seat_of(guest.id) in log.match.to_act:
            guest.play(match_id)
        else:
            house.process(log.id)
    return log.match


def middle(one: Guest, match_id: str) -> int:
    """A version in the middle of the game, after a move."""
    entries = one.kontor.cache.get(UUID(match_id)).entries
    return entries[len(entries) // 2].last


# --- from a match that is over ------------------------------------------------------------------------------


def test_a_branch_of_a_finished_match_starts_in_its_true_position(one: Guest, other: Guest) -> None:
    source = over(one, other)
    version = middle(one, source)
    then = one.look(source, version).match
    answer = branch(one, source, version)
    assert answer.match.state.digest() == then.state.digest()
    assert (answer.match.status, answer.match.to_act, answer.viewer) == ("running", then.to_act, 0)


def test_a_branch_is_marked_and_names_its_source(one: Guest, other: Guest) -> None:
    source = over(one, other)
    version = middle(one, source)
    answer = branch(one, source, version)
    created, origin, *rest = answer.facts
    assert answer.match.created == created
    assert (answer.match.created.branch, answer.match.created.private, answer.match.created.creator) == (
        True,
        True,
        one.id,
    )
    assert isinstance(origin, PositionSet)
    assert (origin.source, origin.version) == (source, version)
    assert [fact.type for fact in rest] == ["seat_taken", "seat_taken", "match_started"]


def test_a_branch_has_a_server_secret_of_its_own(one: Guest, other: Guest) -> None:
    source = over(one, other)
    answer = branch(one, source, middle(one, source))
    before = one.look(source).match.created
    assert answer.match.created.server_secret != before.server_secret
    assert (
        answer.match.created.commitment
        == hashlib.sha256(bytes.fromhex(answer.match.created.server_secret)).hexdigest()
    )


def test_a_branch_can_be_played_to_its_end(one: Guest, other: Guest) -> None:
    source = over(one, other)
    ended = with_bots_to_the_end(one, branch(one, source, middle(one, source)).id)
    assert ended.status == "finished"
    assert ended.outcome is not None


def test_from_a_version_inside_a_command_a_branch_starts_before_that_command(
    one: Guest, other: Guest
) -> None:
    source = over(one, other)
    entry = max(one.kontor.cache.get(UUID(source)).entries[2:-1], key=lambda entry: len(entry.facts))
    assert entry.last > entry.first
    origin = branch(one, source, entry.last - 1).facts[1]
    assert isinstance(origin, PositionSet)
    assert origin.version == entry.first - 1


def test_anyone_who_may_see_a_finished_match_may_branch_from_it(one: Guest, other: Guest) -> None:
    source = over(one, other)
    stranger = Guest(one.kontor)
    answer = branch(stranger, source, middle(one, source), seat=1)
    assert answer.viewer == 1
    assert branch(stranger, source, middle(one, source)).viewer == 0


def test_others_do_not_learn_that_a_private_match_exists(one: Guest, other: Guest) -> None:
    source = one.create(ME, OPEN, private=True)
    with pytest.raises(NotFoundError):
        branch(other, source, 1)


def test_players_keep_their_seat_in_a_branch_unless_they_choose_another(one: Guest, other: Guest) -> None:
    source = over(one, other)
    assert branch(other, source, middle(one, source)).viewer == 1
    assert branch(other, source, middle(one, source), seat=0).viewer == 0


def test_the_caller_chooses_the_house_bot(one: Guest, other: Guest) -> None:
    source = over(one, other)
    seats = branch(one, source, middle(one, source), bot="random").match.seats
    assert [seat.house for seat in seats if seat] == [None, "random"]
    assert [seat.house for seat in branch(one, source, middle(one, source)).match.seats if seat] == [
        None,
        "greedy",
    ]


def test_a_program_may_branch_too(one: Guest, other: Guest) -> None:
    source = one.create(ME, OPEN, meet_bots=False)
    other.join(source)
    play_to_the_end(source, one, other)
    program = Guest(one.kontor, Caller(other.id, bot=True, scopes=frozenset({"play"}), token=""))
    assert branch(program, source, middle(one, source)).match.status == "running"


@pytest.mark.parametrize("version", [1, 2])
def test_no_branch_can_start_before_the_deal(one: Guest, other: Guest, version: int) -> None:
    source = over(one, other)
    with pytest.raises(NothingToPlayError):
        branch(one, source, version)


def test_no_branch_can_start_within_the_deal_of_a_match_that_started_at_once(one: Guest) -> None:
    source = one.create(ME, bot("greedy"), practice=True)
    dealt = next(fact.version for fact in logged_facts(one.kontor, source) if fact.fact.type == "card_drawn")
    with pytest.raises(NothingToPlayError):
        branch(one, source, dealt)


def test_no_branch_can_start_after_the_end(one: Guest, other: Guest) -> None:
    source = over(one, other)
    with pytest.raises(NothingToPlayError):
        branch(one, source, one.look(source).match.version)


@pytest.mark.parametrize(
    ("wish", "pointer"),
    [
        ({"version": 0}, "/version"),
        ({"version": 9999}, "/version"),
        ({"seat": 2}, "/seat"),
        ({"seat": -1}, "/seat"),
        ({"bot": "x"}, "/bot"),
    ],
)
def test_an_impossible_request_is_refused_with_the_faulty_field(
    one: Guest, other: Guest, wish: dict[str, Any], pointer: str
) -> None:
    source = over(one, other)
    with pytest.raises(MalformedError) as raised:
        branch(one, source, **{"version": middle(one, source), **wish})
    assert [fault.pointer for fault in raised.value.faults] == [pointer]


def test_the_same_key_gives_the_same_branch(one: Guest, other: Guest) -> None:
    source = over(one, other)
    version = middle(one, source)
    first, again = (branch(one, source, version, key="once") for _ in range(2))
    assert (again.id, again.facts, again.replayed) == (first.id, first.facts, True)
    with pytest.raises(KeyReusedError):
        branch(one, source, version, key="once", body="another")


def test_a_branch_of_a_branch_starts_in_its_position(one: Guest, other: Guest) -> None:
    source = over(one, other)
    first = branch(one, source, middle(one, source)).id
    with_bots_to_the_end(one, first)
    version = middle(one, first)
    assert branch(one, first, version).match.state.digest() == one.look(first, version).match.state.digest()


# --- evidence -----------------------------------------------------------------------------------------------


def test_a_branch_is_audited_exported_and_verified_like_any_match(one: Guest, other: Guest) -> None:
    source = over(one, other)
    made = branch(one, source, middle(one, source)).id
    with_bots_to_the_end(one, made)
    auditor = Auditor(made, is_signed)
    for entry in one.kontor.cache.get(UUID(made)).entries:
        auditor.take(entry)
    verdict = verify(one.kontor.exports.export(one.who, made))
    assert (verdict.branch, verdict.complete, verdict.status) == (True, True, "finished")


def test_the_export_of_a_running_branch_hides_the_position(one: Guest, other: Guest) -> None:
    source = over(one, other)
    made = branch(one, source, middle(one, source)).id
    content = one.kontor.exports.export(one.who, made)
    assert b'"position":' in content
    assert b'"position":[' not in content
    assert b'"position":{' not in content
    assert verify(content).branch


# --- from a match that runs ---------------------------------------------------------------------------------


def running(one: Guest, other: Guest, **more: Any) -> str:
    """A match that runs, after its first move, and that allows practice."""
    match_id = table(one, other, **{"practice": True, **more})
    other.play(match_id)
    return match_id


def test_while_a_match_runs_its_own_player_may_practise(one: Guest, other: Guest) -> None:
    source = running(one, other)
    now = one.look(source).match
    answer = branch(one, source, now.version)
    assert (answer.match.created.branch, answer.viewer, answer.match.status) == (True, 0, "running")
    assert answer.match.rules.view(answer.match.state, 0) == now.rules.view(now.state, 0)
    assert with_bots_to_the_end(one, answer.id).status == "finished"


def test_others_may_not_branch_from_a_running_match(one: Guest, other: Guest) -> None:
    source = running(one, other)
    with pytest.raises(NotSeatedError):
        branch(Guest(one.kontor), source, one.look(source).match.version)


def test_a_running_match_can_be_branched_only_if_it_allows_practice(one: Guest, other: Guest) -> None:
    source = running(one, other, practice=False)
    with pytest.raises(PracticeForbiddenError):
        branch(one, source, one.look(source).match.version)


def test_a_running_match_can_be_branched_only_on_ones_own_seat(one: Guest, other: Guest) -> None:
    source = running(one, other)
    version = one.look(source).match.version
    with pytest.raises(MalformedError):
        branch(one, source, version, seat=1)
    assert branch(one, source, version, seat=0).viewer == 0


def test_house_bots_take_the_other_seats_of_a_branch(one: Guest, other: Guest) -> None:
    source = running(one, other)
    seats = branch(one, source, one.look(source).match.version).match.seats
    assert [(seat.player, seat.house) for seat in seats if seat] == [(one.id, None), ("house", "greedy")]


def test_an_earlier_position_shows_no_more_than_was_known_then(one: Guest, other: Guest) -> None:
    source = table(one, other, practice=True)
    start = one.look(source).match.version
    for _ in range(2):
        for guest in (one, other):
            if guest.legal(source):
                guest.play(source)
    then = one.look(source, start).match
    answer = branch(one, source, start)
    assert answer.match.rules.view(answer.match.state, 0) == then.rules.view(then.state, 0)


def drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the seeds by which hidden parts are drawn the same in every run."""
    number = count()
    monkeypatch.setattr(secrets, "token_bytes", lambda size: seed_from(f"branch {next(number)}"))


def hidden_of(match: Match, seat: int) -> Plain:
    """What a seat may not know: pile and hand of the other, each card at its place."""
    whole = match.rules.view(match.state, ARBITER)
    return [whole["pile"], sorted(whole["seats"][1 - seat]["hand"]), whole["seats"][1 - seat]["card"]]


@pytest.mark.slow
@pytest.mark.untraced
def test_redrawn_cards_agree_with_the_true_ones_no_more_often_than_by_chance(
    one: Guest, other: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn(monkeypatch)
    source = running(one, other)
    now = one.look(source).match
    pile = fair_state(now).pile
    top, unseen = pile[-1], len(pile) + len(fair_state(now).hands[1]) + 1
    tries = 30 * unseen
    tops = Counter(fair_state(branch(one, source, now.version).match).pile[-1] for _ in range(tries))
    assert len(tops) == unseen
    statistic = sum((tops[card] - 30) ** 2 / 30 for card in tops)
    assert 0.001 < p_value(statistic, unseen - 1) < 0.999
    assert abs(tops[top] - 30) < 4 * 30**0.5


def test_branches_do_not_depend_on_what_is_hidden_from_the_player(
    one: Guest, other: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The truth is exchanged for one that looks the same to the player: every branch comes out the same."""
    source = running(one, other)
    log = one.kontor.cache.get(UUID(source))
    version, truth = log.match.version, log.match
    drawn(monkeypatch)
    first = [dump_position(branch(one, source, version).match.state) for _ in range(5)]
    twin = truth.copy()
    twin.state = truth.rules.resample(truth.state, 0, Seeded(seed_from("another truth")))
    assert hidden_of(twin, 0) != hidden_of(truth, 0)
    log.match = twin
    drawn(monkeypatch)
    second = [dump_position(branch(one, source, version).match.state) for _ in range(5)]
    log.match = truth
    assert first == second


def test_redrawn_hidden_cards_are_not_shown(one: Guest, other: Guest) -> None:
    source = running(one, other)
    answer = branch(one, source, one.look(source).match.version)
    shown = [answer.match.redacted(fact, answer.viewer) for fact in answer.facts]
    assert shown[0]["hidden"] == ["server_secret"]
    assert shown[1] == {
        "type": "position_set",
        "source": source,
        "version": one.look(source).match.version,
        "hidden": ["position"],
    }


def test_a_match_against_house_bots_only_can_be_branched_while_it_runs(one: Guest) -> None:
    source = one.create(ME, bot(), practice=True)
    one.play(source)
    made = branch(one, source, one.look(source).match.version)
    assert branch(one, made.id, made.match.version).match.created.branch
