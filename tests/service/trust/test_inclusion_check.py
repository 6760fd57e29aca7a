"""Exports compared with a kept checkpoint: rewritten histories, and keys that were added afterwards."""

import json
from dataclasses import replace
from typing import Any

import pytest
from msgspec.structs import asdict

from kontor_games.domain.codec import Plain
from kontor_games.domain.commands.by_service import RETRY_MS
from kontor_games.domain.log_leaves import MatchLeaf, OutageLeaf
from kontor_games.domain.merkle import inclusion_proof
from kontor_games.service.kontor import Kontor
from kontor_games.service.trust.inclusion_check import (
    LogEvidence,
    LogEvidenceError,
    read_inclusion,
    read_kept_note,
    require_witnesses,
)
from kontor_games.service.trust.log_store import Checkpoint, LogStore
from kontor_games.service.trust.notes import cosign
from kontor_games.service.trust.verifier import BrokenFileError, UncheckableFileError, verify
from tests.api.cosigning import NOW_S, with_signatures, witness
from tests.service.conftest import NOON, SettableClock
from tests.service.tables import LocalPlayer, play_to_the_end, start_match
from tests.support.rewriting import backdated_key, rewritten

NOON_S = NOON // 1000


@pytest.fixture
def finished_match(service: Kontor, ann: LocalPlayer, ben: LocalPlayer) -> str:
    """A finished match."""
    match_id = start_match(ann, ben)
    play_to_the_end(match_id, ann, ben)
    return match_id


def take_checkpoint(service: Kontor) -> Checkpoint:
    checkpoint = service.checkpoints.take()
    assert checkpoint is not None
    return checkpoint


def inclusion_answer(service: Kontor, match_id: str, size: int) -> dict[str, Any]:
    """Return the answer of the service to a request for an inclusion proof."""
    keys = [one.plain() for one in service.checkpoints.keys(size)]
    return {"size": size, **service.checkpoints.inclusion(match_id, size).plain(), "keys": keys}


def evidence(service: Kontor, match_id: str, kept: Checkpoint) -> LogEvidence:
    return read_inclusion(inclusion_answer(service, match_id, kept.size), *read_kept_note(kept.note))


def keys_of(service: Kontor) -> list[Plain]:
    return [key.plain() for key in service.signer.public_keys()]


def test_an_honest_export_agrees_with_the_kept_checkpoint(service: Kontor, finished_match: str) -> None:
    kept = take_checkpoint(service)
    verdict = verify(
        service.exports.export(None, finished_match),
        keys_of(service),
        log=evidence(service, finished_match, kept),
    )
    assert verdict.checkpoint == kept.size == 2


def test_a_checkpoint_from_the_middle_of_the_match_holds_only_while_the_match_runs(
    service: Kontor, ann: LocalPlayer, ben: LocalPlayer
) -> None:
    match_id = start_match(ann, ben)
    ann.play(match_id)
    kept = take_checkpoint(service)
    ben.play(match_id)
    found = evidence(service, match_id, kept)
    verdict = verify(service.exports.export(None, match_id), keys_of(service), log=found)
    assert (verdict.checkpoint, verdict.checkpoint_version) == (kept.size, found.leaf.version)
    assert found.leaf.version < verdict.facts
    play_to_the_end(match_id, ann, ben)
    with pytest.raises(UncheckableFileError, match=f"covers only the first {found.leaf.version} of"):
        verify(service.exports.export(None, match_id), keys_of(service), log=found)


def test_an_early_leaf_does_not_pass_for_the_newest_of_a_rewritten_match(
    service: Kontor, ann: LocalPlayer, ben: LocalPlayer
) -> None:
    match_id = start_match(ann, ben)
    take_checkpoint(service)
    play_to_the_end(match_id, ann, ben)
    kept = take_checkpoint(service)
    other = rewritten(service, match_id, ann, ben)
    content = other.exports.export(None, match_id)
    index, leaf = LogStore(service.database).first_of(match_id, kept.size) or (0, None)
    assert leaf is not None
    tree = LogStore(service.database).tree(kept.size)
    early = {
        **inclusion_answer(service, match_id, kept.size),
        "index": index,
        "leaf": json.loads(leaf.content),
        "proof": inclusion_proof(tree.subtree, index, tree.size),
    }
    found = read_inclusion(early, *read_kept_note(kept.note))
    with pytest.raises(UncheckableFileError, match="or the service withholds a newer leaf") as refused:
        verify(content, keys_of(other), log=found)
    assert refused.value.line == found.leaf.version + 2, "the first fact that the proof does not cover"
    other.close()


def test_the_last_leaf_of_a_match_says_that_it_is_the_last(
    service: Kontor, finished_match: str, ann: LocalPlayer, ben: LocalPlayer
) -> None:
    running = start_match(ann, ben)
    kept = take_checkpoint(service)
    content = service.exports.export(None, finished_match)
    found = evidence(service, finished_match, kept)
    assert verify(content, keys_of(service), log=found).checkpoint_end
    assert not verify(
        service.exports.export(None, running), keys_of(service), log=evidence(service, running, kept)
    ).checkpoint_end
    assert isinstance(found.leaf, MatchLeaf)
    hashes = [json.loads(line)["hash"] for line in content.splitlines()[1:-1]]
    shorter = replace(found, leaf=replace(found.leaf, version=len(hashes) - 1, head=hashes[-2]))
    with pytest.raises(BrokenFileError, match="and this file has more facts"):
        verify(content, keys_of(service), log=shorter)
    old = replace(found, leaf=replace(found.leaf, end=False))
    assert verify(content, keys_of(service), log=old).checkpoint == kept.size, "a leaf of an older log"


def test_a_rewritten_match_whose_old_leaf_is_kept_is_refused(
    service: Kontor, finished_match: str, ann: LocalPlayer, ben: LocalPlayer
) -> None:
    kept = take_checkpoint(service)
    other = rewritten(service, finished_match, ann, ben)
    other.checkpoints.take()
    content = other.exports.export(None, finished_match)
    assert verify(content, keys_of(other)).status == "finished", "without a checkpoint it looks right"
    with pytest.raises(BrokenFileError, match="the service has signed another history: the kept checkpoint"):
        verify(content, keys_of(other), log=evidence(other, finished_match, kept))
    other.close()


def test_a_match_that_was_cut_short_is_refused(service: Kontor, finished_match: str) -> None:
    found = evidence(service, finished_match, take_checkpoint(service))
    longer = replace(found, leaf=replace(found.leaf, version=999))
    with pytest.raises(BrokenFileError, match="holds version 999 of this match: facts were taken away"):
        verify(service.exports.export(None, finished_match), keys_of(service), log=longer)


def test_a_file_that_is_older_than_the_checkpoint_cannot_be_compared_with_it(
    service: Kontor, ann: LocalPlayer, ben: LocalPlayer
) -> None:
    match_id = start_match(ann, ben)
    early = service.exports.export(None, match_id)
    ann.play(match_id)
    kept = take_checkpoint(service)
    with pytest.raises(UncheckableFileError, match="and this file is older: export the match again"):
        verify(early, keys_of(service), log=evidence(service, match_id, kept))


# --- keys ---------------------------------------------------------------------------------------------------


def test_a_key_added_afterwards_with_an_early_date_signs_nothing(
    service: Kontor, finished_match: str, clock: SettableClock
) -> None:
    kept = take_checkpoint(service)
    added = backdated_key(service, valid_from=1)
    other = Kontor(service.settings, clock)
    content = other.exports.export(None, finished_match)
    assert verify(content, keys_of(other)).keys == (added,), "without a checkpoint it looks right"
    with pytest.raises(
        BrokenFileError, match=f"signed with the key {added}, which the log did not bind before"
    ):
        verify(content, keys_of(other), log=evidence(other, finished_match, kept))
    assert other.checkpoints.take() is not None, "the key is bound now, but after the match"
    later = other.checkpoints.latest()
    assert later is not None
    with pytest.raises(BrokenFileError, match="which the log did not bind before"):
        verify(content, keys_of(other), log=evidence(other, finished_match, later))
    other.close()


def test_a_key_added_afterwards_disowns_no_receipt(
    service: Kontor, ann: LocalPlayer, ben: LocalPlayer, clock: SettableClock
) -> None:
    match_id = start_match(ann, ben)
    receipt = asdict(ann.play(match_id).answer.receipt)
    play_to_the_end(match_id, ann, ben)
    content, kept = service.exports.export(None, match_id), take_checkpoint(service)
    backdated_key(service, valid_from=1)
    other = Kontor(service.settings, clock)
    with pytest.raises(BrokenFileError, match="which was not the service's at that moment"):
        verify(content, keys_of(other), [receipt])
    verdict = verify(content, keys_of(other), [receipt], evidence(other, match_id, kept))
    assert verdict.receipts == 1
    other.close()


def test_a_key_that_came_honestly_after_the_checkpoint_needs_a_later_one(
    service: Kontor, ann: LocalPlayer, ben: LocalPlayer, clock: SettableClock
) -> None:
    match_id = start_match(ann, ben)
    kept = take_checkpoint(service)
    made = service.signer.rotate()
    take_checkpoint(service)
    clock.advance(120_000)
    play_to_the_end(match_id, ann, ben)
    content = service.exports.export(None, match_id)
    with pytest.raises(
        UncheckableFileError, match=f"does not bind the key {made.id}: use a later checkpoint"
    ):
        verify(content, keys_of(service), log=evidence(service, match_id, kept))
    later = take_checkpoint(service)
    assert verify(content, keys_of(service), log=evidence(service, match_id, later)).checkpoint == later.size


def test_a_checkpoint_that_the_service_never_signed_shows_nothing(
    service: Kontor, finished_match: str, tmp_path: Any
) -> None:
    kept = take_checkpoint(service)
    found = evidence(service, finished_match, kept)
    content = service.exports.export(None, finished_match)
    unsigned = LogEvidence(
        read_kept_note(kept.note.replace("— localhost", "— elsewhere"))[0],
        *(found.head, found.leaf, found.bound, found.bound_before),
    )
    with pytest.raises(BrokenFileError, match="the checkpoint cannot be trusted: it is not signed"):
        verify(content, keys_of(service), log=unsigned)


# --- proofs -------------------------------------------------------------------------------------------------


def test_a_proof_that_is_not_right_is_refused(
    service: Kontor, finished_match: str, ann: LocalPlayer, ben: LocalPlayer
) -> None:
    start_match(ann, ben)
    kept = take_checkpoint(service)
    note, head = read_kept_note(kept.note)
    good = inclusion_answer(service, finished_match, kept.size)
    leaf = good["leaf"]
    wrong: list[tuple[Any, str]] = [
        (None, "is not for the tree of 3 leaves"),
        ({**good, "size": 2}, "is not for the tree of 3 leaves"),
        ({**good, "proof": "x"}, "this is not an inclusion proof"),
        ({**good, "proof": ["x"]}, "the proof is a list of hashes"),
        ({**good, "index": True}, "this is not an inclusion proof"),
        ({**good, "index": 9}, "the leaf lies outside the tree"),
        ({**good, "index": 0}, "does not lead to the root"),
        ({**good, "proof": good["proof"][:-1]}, "the proof is too short"),
        ({**good, "proof": ["0" * 64, *good["proof"][1:]]}, "does not lead to the root"),
        ({**good, "leaf": {**leaf, "head": "0" * 64}}, "does not lead to the root"),
        ({**good, "leaf": {**leaf, "more": 1}}, "not a match, tournament, key or outage"),
        ({**good, "keys": None}, "does not show a match or tournament and the keys"),
        ({**good, "keys": [{}]}, "this is not an inclusion proof"),
        ({**good, "keys": [{**good}]}, "a leaf that should be a key is not one"),
        ({**good["keys"][0], "size": 3, "keys": []}, "does not show a match or tournament and the keys"),
    ]
    assert read_inclusion(good, note, head).leaf.subject == finished_match
    for data, problem in wrong:
        with pytest.raises(LogEvidenceError, match=problem):
            read_inclusion(data, note, head)


def test_the_proof_of_another_match_is_refused(
    service: Kontor, finished_match: str, ann: LocalPlayer, ben: LocalPlayer
) -> None:
    other = start_match(ann, ben)
    kept = take_checkpoint(service)
    with pytest.raises(BrokenFileError, match="the proof is for another match"):
        verify(
            service.exports.export(None, finished_match), keys_of(service), log=evidence(service, other, kept)
        )


def test_a_checkpoint_needs_as_many_witnesses_as_are_required(service: Kontor) -> None:
    note, _ = read_kept_note(take_checkpoint(service).note)
    three = [witness(f"w.example/{number}", number) for number in range(3)]
    cosigned = with_signatures(
        note,
        [cosign(note.text, one.public, one.private, NOW_S + place) for place, one in enumerate(three[:2])],
    )
    known = [one.public for one in three]
    found = require_witnesses(cosigned, known, 2)
    assert found == [("w.example/0", NOW_S), ("w.example/1", NOW_S + 1)]
    with pytest.raises(LogEvidenceError, match="cosigned by 2 of the known witnesses, and 3 are required"):
        require_witnesses(cosigned, known, 3)
    with pytest.raises(LogEvidenceError, match="cosigned by 0"):
        require_witnesses(note, known, 1)


@pytest.mark.parametrize("at_s", [0, NOW_S + 301, 4_102_444_800])
def test_a_cosignature_with_an_impossible_time_is_refused(service: Kontor, at_s: int) -> None:
    note, _ = read_kept_note(take_checkpoint(service).note)
    one = witness("w.example/0", 0)
    cosigned = with_signatures(note, [cosign(note.text, one.public, one.private, at_s)])
    with pytest.raises(LogEvidenceError, match="has an impossible time"):
        require_witnesses(cosigned, [one.public], 1, NOW_S)


def test_a_match_that_demands_witnesses_is_accepted_only_with_their_cosignatures(
    service: Kontor, ann: LocalPlayer, ben: LocalPlayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    three = [witness(f"w.example/{number}", number) for number in range(3)]
    known = replace(service.matches.defaults, witnesses=tuple(one.public.text for one in three))
    monkeypatch.setattr(service.matches, "defaults", known)
    match_id = start_match(ann, ben, required_witnesses=2)
    play_to_the_end(match_id, ann, ben)
    kept, export = take_checkpoint(service), service.exports.export(None, match_id)
    assert verify(export).required_witnesses == 2, "without a checkpoint the verdict says what is missing"
    alone = replace(evidence(service, match_id, kept), now_s=NOON_S)
    cosignatures = [cosign(alone.note.text, one.public, one.private, NOON_S) for one in three]
    for count in (0, 1):
        few = replace(alone, note=with_signatures(alone.note, cosignatures[:count]))
        with pytest.raises(BrokenFileError, match=f"cosigned by {count} of the known witnesses, and 2 are"):
            verify(export, keys_of(service), log=few)
    stranger = witness("w.example/0", 9)
    forged = [cosignatures[0], cosign(alone.note.text, stranger.public, stranger.private, NOON_S)]
    with pytest.raises(BrokenFileError, match="cosigned by 1 of the known witnesses, and 2 are"):
        verify(export, keys_of(service), log=replace(alone, note=with_signatures(alone.note, forged)))
    enough = replace(alone, note=with_signatures(alone.note, cosignatures[1:]))
    verdict = verify(export, keys_of(service), log=enough)
    assert (verdict.checkpoint, verdict.cosigners) == (
        kept.size,
        (("w.example/1", NOON_S), ("w.example/2", NOON_S)),
    )
    backdated = [cosign(alone.note.text, one.public, one.private, NOON_S - 3600) for one in three[:2]]
    early = replace(alone, note=with_signatures(alone.note, backdated))
    with pytest.raises(BrokenFileError, match="has a time before the fact that the checkpoint binds"):
        verify(export, keys_of(service), log=early)


def test_time_given_back_lies_in_an_outage_of_the_log_or_reaches_a_little_further(
    service: Kontor, finished_match: str
) -> None:
    found = evidence(service, finished_match, take_checkpoint(service))
    logged = replace(found, outages=(OutageLeaf(1000, 2000), OutageLeaf(5000, 6000))).logged
    assert logged([(1000, 2000), (1500, 1600), (5000, 6000 + RETRY_MS)]) == 3
    assert logged([(999, 2000)]) == logged([(1500, 2001 + RETRY_MS)]) == logged([(4100, 4200)]) == 0


def test_signatures_up_to_the_leaf_count_only_with_keys_that_were_bound_before(
    service: Kontor, finished_match: str, clock: SettableClock
) -> None:
    take_checkpoint(service)
    service.signer.rotate()
    clock.advance(120_000)
    kept = take_checkpoint(service)
    found, keys = evidence(service, finished_match, kept), service.signer.public_keys()
    assert found.keys_at(found.leaf.version, keys) == keys[:1]
    assert found.keys_at(found.leaf.version + 1, keys) == keys


@pytest.mark.parametrize(
    ("change", "detail"),
    [
        ({"size": 1}, "not for the tree"),
        ({"index": True}, "not an inclusion proof"),
        ({"index": "0"}, "not an inclusion proof"),
        ({"proof": None}, "not an inclusion proof"),
        ({"proof": ["no hash"]}, "list of hashes"),
        ({"index": 0}, "not lead to the root"),
        ({"index": 99}, "is not right"),
        ({"leaf": {"key": "x"}}, "is not right"),
        ({"keys": None}, "and the keys of the service"),
        ({"keys": [{}]}, "not an inclusion proof"),
    ],
)
def test_a_proof_that_proves_nothing_is_refused(
    service: Kontor, finished_match: str, change: dict[str, Plain], detail: str
) -> None:
    kept = take_checkpoint(service)
    answer = inclusion_answer(service, finished_match, kept.size) | change
    with pytest.raises(LogEvidenceError, match=detail):
        read_inclusion(answer, *read_kept_note(kept.note))


def test_a_leaf_that_is_no_key_is_not_taken_for_one(service: Kontor, finished_match: str) -> None:
    kept = take_checkpoint(service)
    answer = inclusion_answer(service, finished_match, kept.size)
    of_match = {name: answer[name] for name in ("leaf", "index", "proof")}
    with pytest.raises(LogEvidenceError, match="should be a key"):
        read_inclusion(answer | {"keys": [*answer["keys"], of_match]}, *read_kept_note(kept.note))
    of_key = answer["keys"][0]
    with pytest.raises(LogEvidenceError, match="does not show a match"):
        read_inclusion(answer | of_key, *read_kept_note(kept.note))
