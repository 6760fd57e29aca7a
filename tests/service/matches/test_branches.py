"""Branches: matches that start in a position of another match, without revealing what is hidden in it."""

import hashlib
import secrets
from collections import Counter
from itertools import count
from typing import Any
from uuid import UUID

import pytest

from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.codec import ARBITER, MalformedError, Plain
from kontor_games.domain.match import Match
from kontor_games.domain.match_audit import MatchAuditor
from kontor_games.domain.match_facts import PositionSet
from kontor_games.domain.match_refusals import NothingToPlayError, NotSeatedError, PracticeForbiddenError
from kontor_games.domain.position import dump_position
from kontor_games.domain.statistics import p_value
from kontor_games.service.background.house_bots import HouseBots
from kontor_games.service.ed25519 import is_signed
from kontor_games.service.errors import KeyReusedError, NotFoundError
from kontor_games.service.matches.branches import BranchSpec
from kontor_games.service.people.tokens import Caller
from kontor_games.service.trust.verifier import verify
from tests.service.tables import (
    ME,
    OPEN,
    CommandResult,
    LocalPlayer,
    bot,
    command_result,
    fair_state,
    logged_facts,
    play_to_the_end,
    start_match,
)


def branch(
    player: LocalPlayer, match_id: str, version: int, key: str | None = None, body: str = "b", **wish: Any
) -> CommandResult:
    return command_result(
        player.kontor,
        player.kontor.branches.branch(player.call(key, body), match_id, BranchSpec(version, **wish)),
    )


def finished_match(one: LocalPlayer, other: LocalPlayer) -> str:
    match_id = start_match(one, other)
    play_to_the_end(match_id, one, other)
    return match_id


def play_with_bots_to_the_end(player: LocalPlayer, match_id: str) -> Match:
    """Play a match to its end: first legal moves for the player, and the house bots' own moves."""
    log = player.kontor.cache.get(UUID(match_id))
    house = HouseBots(player.kontor.cache, player.kontor.house, player.kontor.feed, player.kontor.clock)
    while not log.state.over:
        if log.state.seat_of(player.id) in log.state.to_act:
            player.play(match_id)
        else:
            house.process(log.id)
    return log.state


def middle_version(one: LocalPlayer, match_id: str) -> int:
    """Return a version in the middle of a match, after a command."""
    entries = one.kontor.cache.get(UUID(match_id)).entries
    return entries[len(entries) // 2].last


# --- from a finished match ---------------------------------------------------------------------------------


def test_a_branch_is_private_practice_without_clock_seed_or_signatures(
    ann: LocalPlayer, ben: LocalPlayer
) -> None:
    match_id = start_match(ann, ben)
    begun = ann.read_match(match_id).match.version
    play_to_the_end(match_id, ann, ben)
    created = branch(ann, match_id, begun).match.created
    assert (created.private, created.practice, created.branch, created.autostart) == (True,) * 4
    assert (created.sealed, created.signed, created.rated, created.in_block) == (False,) * 4
    assert (created.clock.kind, created.open_seed, created.tags) == ("none", None, ())
    assert (created.witnesses, created.required_witnesses) == ((), 0)


def test_a_branch_of_a_finished_match_starts_in_its_true_position(
    one: LocalPlayer, other: LocalPlayer
) -> None:
    source = finished_match(one, other)
    version = middle_version(one, source)
    then = one.read_match(source, version).match
    answer = branch(one, source, version)
    assert answer.match.state.digest() == then.state.digest()
    assert (answer.match.status, answer.match.to_act, answer.viewer) == ("running", then.to_act, 0)


def test_a_branch_is_marked_and_names_its_source(one: LocalPlayer, other: LocalPlayer) -> None:
    source = finished_match(one, other)
    version = middle_version(one, source)
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


def test_a_branch_has_a_server_secret_of_its_own(one: LocalPlayer, other: LocalPlayer) -> None:
    source = finished_match(one, other)
    answer = branch(one, source, middle_version(one, source))
    before = one.read_match(source).match.created
    assert answer.match.created.server_secret != before.server_secret
    assert (
        answer.match.created.commitment
        == hashlib.sha256(bytes.fromhex(answer.match.created.server_secret)).hexdigest()
    )


def test_a_branch_can_be_played_to_its_end(one: LocalPlayer, other: LocalPlayer) -> None:
    source = finished_match(one, other)
    ended = play_with_bots_to_the_end(one, branch(one, source, middle_version(one, source)).id)
    assert ended.status == "finished"
    assert ended.outcome is not None


def test_from_a_version_inside_a_command_a_branch_starts_before_that_command(
    one: LocalPlayer, other: LocalPlayer
) -> None:
    source = finished_match(one, other)
    entry = max(one.kontor.cache.get(UUID(source)).entries[2:-1], key=lambda entry: len(entry.facts))
    assert entry.last > entry.first
    origin = branch(one, source, entry.last - 1).facts[1]
    assert isinstance(origin, PositionSet)
    assert origin.version == entry.first - 1


def test_anyone_who_may_see_a_finished_match_may_branch_from_it(one: LocalPlayer, other: LocalPlayer) -> None:
    source = finished_match(one, other)
    stranger = LocalPlayer(one.kontor)
    answer = branch(stranger, source, middle_version(one, source), seat=1)
    assert answer.viewer == 1
    assert branch(stranger, source, middle_version(one, source)).viewer == 0


def test_others_do_not_learn_that_a_private_match_exists(one: LocalPlayer, other: LocalPlayer) -> None:
    source = one.create(ME, OPEN, private=True)
    with pytest.raises(NotFoundError):
        branch(other, source, 1)


def test_players_keep_their_seat_in_a_branch_unless_they_choose_another(
    one: LocalPlayer, other: LocalPlayer
) -> None:
    source = finished_match(one, other)
    assert branch(other, source, middle_version(one, source)).viewer == 1
    assert branch(other, source, middle_version(one, source), seat=0).viewer == 0


def test_the_caller_chooses_the_house_bot(one: LocalPlayer, other: LocalPlayer) -> None:
    source = finished_match(one, other)
    seats = branch(one, source, middle_version(one, source), bot="random").match.seats
    assert [seat.house for seat in seats if seat] == [None, "random"]
    assert [seat.house for seat in branch(one, source, middle_version(one, source)).match.seats if seat] == [
        None,
        "greedy",
    ]


def test_a_program_may_branch_too(one: LocalPlayer, other: LocalPlayer) -> None:
    source = one.create(ME, OPEN, meet_bots=False)
    other.join(source)
    play_to_the_end(source, one, other)
    program = LocalPlayer(one.kontor, Caller(other.id, bot=True, scopes=frozenset({"play"}), token=""))
    assert branch(program, source, middle_version(one, source)).match.status == "running"


@pytest.mark.parametrize("version", [1, 2])
def test_no_branch_can_start_before_the_deal(one: LocalPlayer, other: LocalPlayer, version: int) -> None:
    source = finished_match(one, other)
    with pytest.raises(NothingToPlayError):
        branch(one, source, version)


def test_no_branch_can_start_within_the_deal_of_a_match_that_started_at_once(one: LocalPlayer) -> None:
    source = one.create(ME, bot("greedy"), practice=True)
    dealt = next(fact.version for fact in logged_facts(one.kontor, source) if fact.fact.type == "card_drawn")
    with pytest.raises(NothingToPlayError):
        branch(one, source, dealt)


def test_no_branch_can_start_after_the_end(one: LocalPlayer, other: LocalPlayer) -> None:
    source = finished_match(one, other)
    with pytest.raises(NothingToPlayError):
        branch(one, source, one.read_match(source).match.version)


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
    one: LocalPlayer, other: LocalPlayer, wish: dict[str, Any], pointer: str
) -> None:
    source = finished_match(one, other)
    with pytest.raises(MalformedError) as raised:
        branch(one, source, **{"version": middle_version(one, source), **wish})
    assert [fault.pointer for fault in raised.value.faults] == [pointer]


def test_the_same_key_gives_the_same_branch(one: LocalPlayer, other: LocalPlayer) -> None:
    source = finished_match(one, other)
    version = middle_version(one, source)
    first, again = (branch(one, source, version, key="once") for _ in range(2))
    assert (again.id, again.facts, again.replayed) == (first.id, first.facts, True)
    with pytest.raises(KeyReusedError):
        branch(one, source, version, key="once", body="another")


def test_a_branch_of_a_branch_starts_in_its_position(one: LocalPlayer, other: LocalPlayer) -> None:
    source = finished_match(one, other)
    first = branch(one, source, middle_version(one, source)).id
    play_with_bots_to_the_end(one, first)
    version = middle_version(one, first)
    assert (
        branch(one, first, version).match.state.digest()
        == one.read_match(first, version).match.state.digest()
    )


# --- evidence -----------------------------------------------------------------------------------------------


def test_a_branch_is_audited_exported_and_verified_like_any_match(
    one: LocalPlayer, other: LocalPlayer
) -> None:
    source = finished_match(one, other)
    made = branch(one, source, middle_version(one, source)).id
    play_with_bots_to_the_end(one, made)
    auditor = MatchAuditor(made, is_signed)
    for entry in one.kontor.cache.get(UUID(made)).entries:
        auditor.take(entry)
    verdict = verify(one.kontor.exports.export(one.caller, made))
    assert (verdict.branch, verdict.complete, verdict.status) == (True, True, "finished")


def test_the_export_of_a_running_branch_hides_the_position(one: LocalPlayer, other: LocalPlayer) -> None:
    source = finished_match(one, other)
    made = branch(one, source, middle_version(one, source)).id
    content = one.kontor.exports.export(one.caller, made)
    assert b'"position":' in content
    assert b'"position":[' not in content
    assert b'"position":{' not in content
    assert verify(content).branch


# --- from a running match -----------------------------------------------------------------------------------


def running_match(one: LocalPlayer, other: LocalPlayer, **more: Any) -> str:
    """Start a match that allows practice, and make its first move."""
    match_id = start_match(one, other, **{"practice": True, **more})
    other.play(match_id)
    return match_id


def test_while_a_match_runs_its_own_player_may_practise(one: LocalPlayer, other: LocalPlayer) -> None:
    source = running_match(one, other)
    now = one.read_match(source).match
    answer = branch(one, source, now.version)
    assert (answer.match.created.branch, answer.viewer, answer.match.status) == (True, 0, "running")
    assert answer.match.rules.view(answer.match.state, 0) == now.rules.view(now.state, 0)
    assert play_with_bots_to_the_end(one, answer.id).status == "finished"


def test_others_may_not_branch_from_a_running_match(one: LocalPlayer, other: LocalPlayer) -> None:
    source = running_match(one, other)
    with pytest.raises(NotSeatedError):
        branch(LocalPlayer(one.kontor), source, one.read_match(source).match.version)


def test_a_running_match_can_be_branched_only_if_it_allows_practice(
    one: LocalPlayer, other: LocalPlayer
) -> None:
    source = running_match(one, other, practice=False)
    with pytest.raises(PracticeForbiddenError):
        branch(one, source, one.read_match(source).match.version)


def test_a_running_match_can_be_branched_only_on_ones_own_seat(one: LocalPlayer, other: LocalPlayer) -> None:
    source = running_match(one, other)
    version = one.read_match(source).match.version
    with pytest.raises(MalformedError):
        branch(one, source, version, seat=1)
    assert branch(one, source, version, seat=0).viewer == 0


def test_house_bots_take_the_other_seats_of_a_branch(one: LocalPlayer, other: LocalPlayer) -> None:
    source = running_match(one, other)
    seats = branch(one, source, one.read_match(source).match.version).match.seats
    assert [(seat.player, seat.house) for seat in seats if seat] == [(one.id, None), ("house", "greedy")]


def test_an_earlier_position_shows_no_more_than_was_known_then(one: LocalPlayer, other: LocalPlayer) -> None:
    source = start_match(one, other, practice=True)
    start = one.read_match(source).match.version
    for _ in range(2):
        for player in (one, other):
            if player.legal(source):
                player.play(source)
    then = one.read_match(source, start).match
    answer = branch(one, source, start)
    assert answer.match.rules.view(answer.match.state, 0) == then.rules.view(then.state, 0)


def fix_random_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the random seeds for hidden parts by the same ones in every run."""
    number = count()
    monkeypatch.setattr(secrets, "token_bytes", lambda size: seed_from(f"branch {next(number)}"))


def hidden_from(match: Match, seat: int) -> Plain:
    """Return what a seat may not know: the pile, and the hand and the laid card of the other seat."""
    whole = match.rules.view(match.state, ARBITER)
    return [whole["pile"], sorted(whole["seats"][1 - seat]["hand"]), whole["seats"][1 - seat]["card"]]


@pytest.mark.slow
@pytest.mark.untraced
def test_redrawn_cards_agree_with_the_true_ones_no_more_often_than_by_chance(
    one: LocalPlayer, other: LocalPlayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    fix_random_seeds(monkeypatch)
    source = running_match(one, other)
    now = one.read_match(source).match
    pile = fair_state(now).pile
    top, unseen = pile[-1], len(pile) + len(fair_state(now).hands[1]) + 1
    tries = 30 * unseen
    tops = Counter(fair_state(branch(one, source, now.version).match).pile[-1] for _ in range(tries))
    assert len(tops) == unseen
    statistic = sum((tops[card] - 30) ** 2 / 30 for card in tops)
    assert 0.001 < p_value(statistic, unseen - 1) < 0.999
    assert abs(tops[top] - 30) < 4 * 30**0.5


def test_branches_do_not_depend_on_what_is_hidden_from_the_player(
    one: LocalPlayer, other: LocalPlayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two-world test: the hidden parts are replaced by others, and every branch stays the same."""
    source = running_match(one, other)
    log = one.kontor.cache.get(UUID(source))
    version, truth = log.state.version, log.state
    fix_random_seeds(monkeypatch)
    first = [dump_position(branch(one, source, version).match.state) for _ in range(5)]
    other_world = truth.copy()
    other_world.state = truth.rules.resample(truth.state, 0, Seeded(seed_from("another truth")))
    assert hidden_from(other_world, 0) != hidden_from(truth, 0)
    log.state = other_world
    fix_random_seeds(monkeypatch)
    second = [dump_position(branch(one, source, version).match.state) for _ in range(5)]
    log.state = truth
    assert first == second


def test_redrawn_hidden_cards_are_not_shown(one: LocalPlayer, other: LocalPlayer) -> None:
    source = running_match(one, other)
    answer = branch(one, source, one.read_match(source).match.version)
    shown = [answer.match.redacted(fact, answer.viewer) for fact in answer.facts]
    assert shown[0]["hidden"] == ["server_secret"]
    assert shown[1] == {
        "type": "position_set",
        "source": source,
        "version": one.read_match(source).match.version,
        "hidden": ["position"],
    }


def test_a_match_against_house_bots_only_can_be_branched_while_it_runs(one: LocalPlayer) -> None:
    source = one.create(ME, bot(), practice=True)
    one.play(source)
    made = branch(one, source, one.read_match(source).match.version)
    assert branch(one, made.id, made.match.version).match.created.branch
