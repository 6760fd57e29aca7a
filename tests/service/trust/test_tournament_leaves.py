"""Tournaments in the log: when they get a leaf, and how a kept checkpoint shows that one was rewritten."""

from dataclasses import replace
from typing import Any

import pytest

from kontor_games.domain.codec import Plain
from kontor_games.domain.log_leaves import TournamentLeaf
from kontor_games.domain.tournaments import commands
from kontor_games.service.kontor import Kontor
from kontor_games.service.trust.checkpoint_check import CheckpointMismatchError, check_facts
from kontor_games.service.trust.inclusion_check import LogEvidence, read_inclusion, read_kept_note
from kontor_games.service.trust.log_store import Checkpoint
from kontor_games.service.trust.tournament_check import verify_tournament
from kontor_games.service.trust.verifier import BrokenFileError, UncheckableFileError
from tests.service.conftest import SettableClock
from tests.service.tournaments.cup import Cup
from tests.support.tournament_forging import with_altered_commands
from tests.support.waiting import wait_until


def take_checkpoint(service: Kontor) -> Checkpoint:
    checkpoint = service.checkpoints.take()
    assert checkpoint is not None
    return checkpoint


def evidence(service: Kontor, subject: str, kept: Checkpoint, kind: str = "tournament") -> LogEvidence:
    proven = service.checkpoints.inclusion(subject, kept.size, kind).plain()
    keys = [one.plain() for one in service.checkpoints.keys(kept.size)]
    return read_inclusion({"size": kept.size, **proven, "keys": keys}, *read_kept_note(kept.note))


def keys_of(service: Kontor) -> list[Plain]:
    return [key.plain() for key in service.signer.public_keys()]


def leaves_of(cup: Cup) -> list[int]:
    """Return the versions in the leaves of a tournament."""
    leaves = cup.kontor.checkpoints.leaves()
    return [leaf.version for leaf in leaves if isinstance(leaf, TournamentLeaf) and leaf.tournament == cup.id]


def signed_off(cup: Cup) -> Cup:
    """Play a tournament to its end, with a ruling, and sign it off."""
    cup.play_on()
    [match] = [planned.match for planned in cup.state.planned.values() if planned.slot[0] == 1]
    cup.act(commands.Rule(str(match), (1, 2), "by lot"))
    for player in cup.players:
        cup.act(commands.Acknowledge(), player)
    cup.act(commands.SignOff())
    return cup


def test_the_announcement_the_start_and_every_edition_get_a_leaf_immediately(
    service: Kontor, clock: SettableClock
) -> None:
    cup = Cup(service, 2, rounds=1)

    def take_now() -> None:
        service.checkpoints.take_now([], [cup.uuid])

    take_now()
    cup.act(commands.OpenEntry())
    for player in cup.players:
        cup.act(commands.Enter(bot=False, contribution=""), player)
    take_now()
    assert leaves_of(cup) == [1], "entries are covered only by the next regular checkpoint"
    cup.act(commands.StartTournament())
    take_now()
    started = cup.state.version
    signed_off(cup)
    take_now()
    signed = cup.state.version
    match = next(iter(cup.state.slots))
    cup.act(commands.Correct(match, (1, 1), "clerical error"))
    take_now()
    take_now()
    assert leaves_of(cup) == [1, started, signed, signed + 2]


def test_a_tournament_that_changes_gets_a_leaf_a_minute(service: Kontor) -> None:
    cup = Cup(service, 2, rounds=1).start()
    take_checkpoint(service)
    started = cup.state.version
    cup.worker.step_all()
    take_checkpoint(service)
    assert service.checkpoints.take() is None
    assert leaves_of(cup) == [started, cup.state.version]


def test_the_leader_adds_an_announcement_to_the_log_within_seconds(service: Kontor) -> None:
    leader = service.leader()
    leader.start()
    try:
        wait_until(lambda: service.checkpoints.latest() is not None)
        cup = Cup(service, 2)
        wait_until(lambda: leaves_of(cup) == [1])
    finally:
        leader.close()


@pytest.mark.parametrize("stage", ["announced", "running", "final"])
def test_a_kept_checkpoint_holds_the_file_only_if_it_covers_the_last_fact(
    service: Kontor, stage: str
) -> None:
    cup = Cup(service, 2, rounds=1)
    kept = take_checkpoint(service) if stage == "announced" else None
    cup.start()
    kept = take_checkpoint(service) if stage == "running" else kept
    signed_off(cup)
    kept = kept or take_checkpoint(service)
    found = evidence(service, cup.id, kept)
    content = service.tournament_exports.export(cup.id)
    if stage != "final":
        with pytest.raises(UncheckableFileError, match=f"only the first {found.leaf.version} of"):
            verify_tournament(content, keys_of(service), found)
        return
    with pytest.raises(UncheckableFileError, match="proves only 0 of 1 matches to be in the kept checkpoint"):
        verify_tournament(content, keys_of(service), found, lambda _: None)
    verdict = verify_tournament(content, keys_of(service), found)
    assert (verdict.checkpoint, verdict.checkpoint_version) == (kept.size, found.leaf.version)


def test_a_rewritten_tournament_whose_old_leaf_is_kept_is_refused(service: Kontor) -> None:
    cup = signed_off(Cup(service, 2, rounds=1).start())
    kept = take_checkpoint(service)

    def other_winner(command: dict[str, Any]) -> None:
        if command["type"] == "rule":
            command["places"] = [2, 1]

    rewritten = with_altered_commands(service.tournament_exports.export(cup.id), other_winner, service.signer)
    assert verify_tournament(rewritten, keys_of(service)).status == "final", (
        "without a checkpoint it looks right"
    )
    with pytest.raises(BrokenFileError, match="the service has signed another history: the kept checkpoint"):
        verify_tournament(rewritten, keys_of(service), evidence(service, cup.id, kept))


def test_a_proof_of_another_tournament_or_of_a_match_is_refused(service: Kontor) -> None:
    cup, other = signed_off(Cup(service, 2, rounds=1).start()), Cup(service, 2)
    content, kept = service.tournament_exports.export(cup.id), take_checkpoint(service)
    for subject in (other.id, next(iter(cup.state.slots))):
        with pytest.raises(BrokenFileError, match="the proof is for another tournament"):
            verify_tournament(content, keys_of(service), evidence(service, subject, kept))


def test_a_file_from_before_a_correction_cannot_be_compared_with_a_later_checkpoint(service: Kontor) -> None:
    cup = signed_off(Cup(service, 2, rounds=1).start())
    early = service.tournament_exports.export(cup.id)
    cup.act(commands.Correct(next(iter(cup.state.slots)), (1, 1), "clerical error"))
    with pytest.raises(UncheckableFileError, match="older than a correction, or facts were taken away"):
        verify_tournament(early, keys_of(service), evidence(service, cup.id, take_checkpoint(service)))


def test_a_key_that_the_checkpoint_does_not_bind_needs_a_later_one(service: Kontor) -> None:
    cup = Cup(service, 2, rounds=1)
    found = evidence(service, cup.id, take_checkpoint(service))
    signed_off(cup.start())
    none = replace(found, bound=frozenset(), bound_before=frozenset())
    content = service.tournament_exports.export(cup.id)
    with pytest.raises(BrokenFileError, match="the checkpoint cannot be trusted"):
        verify_tournament(content, keys_of(service), none)


def test_the_database_is_compared_with_the_leaves_of_tournaments(service: Kontor) -> None:
    cup = Cup(service, 2, rounds=1).start()
    take_checkpoint(service)
    [leaf] = [one for one in service.checkpoints.leaves() if isinstance(one, TournamentLeaf)]
    assert check_facts(service.store, [leaf]) == (1, cup.state.version)
    with pytest.raises(
        CheckpointMismatchError,
        match=f"tournament {cup.id} up to version {cup.state.version} is not what was signed",
    ):
        check_facts(service.store, [replace(leaf, head="0" * 64)])
    rolled_back = f"had version 9 when it was signed, and has {cup.state.version} now"
    with pytest.raises(CheckpointMismatchError, match=rolled_back):
        check_facts(service.store, [replace(leaf, version=9)])


def test_all_matches_of_a_file_are_compared_with_the_same_checkpoint(service: Kontor) -> None:
    cup = signed_off(Cup(service, 2, rounds=2).start())
    kept, keys = take_checkpoint(service), keys_of(service)
    content, log = service.tournament_exports.export(cup.id), evidence(service, cup.id, kept)

    def of_match(match: str) -> LogEvidence:
        return evidence(service, match, kept, "match")

    verdict = verify_tournament(content, keys, log, of_match)
    assert (verdict.checkpoint_matches, verdict.matches, verdict.checkpoint) == (2, 2, kept.size)
    assert verify_tournament(content, keys, log).checkpoint_matches == 0
    first = next(iter(cup.state.slots))
    with pytest.raises(UncheckableFileError, match="proves only 1 of 2 matches"):
        verify_tournament(content, keys, log, lambda match: of_match(match) if match == first else None)
