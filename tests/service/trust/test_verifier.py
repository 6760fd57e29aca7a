"""The offline verifier: valid files pass, and every forgery is refused with the line and the reason."""

from dataclasses import replace
from typing import Any

import pytest

from kontor_games.domain.commands import Abort, Resign, TimeOut
from kontor_games.domain.games import installed_games
from kontor_games.service.trust.verifier import UncheckableFileError, verify
from tests.domain.installed_fair import the_fair_is_installed
from tests.domain.toy.games.fair.moves import LayCard
from tests.support.exports import CLOCK, fair_match, refusal
from tests.support.forging import Lines, find, forge, forge_around, lines_of
from tests.support.recording import KEYS, NOON, OPEN, KnownKeys, Recording, announcement, house_bot, table_of

__all__ = ["the_fair_is_installed"]


@pytest.fixture
def good() -> bytes:
    return fair_match().export()


# Good files


def test_a_valid_file_passes_and_the_verdict_lists_what_was_checked(good: bytes) -> None:
    verdict = verify(good, KEYS.published())
    header, *facts, footer = lines_of(good)
    assert (verdict.match, verdict.game, verdict.complete, verdict.status) == (
        header["match"],
        "fair",
        True,
        "finished",
    )
    assert (verdict.facts, verdict.entries) == (len(facts), sum("command" in line for line in facts))
    assert verdict.draws == sum(len(line.get("draws", [])) for line in facts) > 0
    assert (verdict.places, verdict.trusted) == (tuple(footer["result"]["places"]), True)
    assert verdict.keys == (KEYS.public_keys()[0].id,)


def test_a_verdict_says_whether_a_player_did_not_sign(good: bytes) -> None:
    verdict = verify(good)
    assert verdict.unsigned
    for players, keys, unsigned in (
        (("ann", "ben"), ("k", "l"), False),
        (("ann", "ben"), ("k", None), True),
        (("ann", None), ("k", None), False),
    ):
        assert replace(verdict, players=players, player_keys=keys).unsigned is unsigned


@pytest.mark.parametrize("game", ["fair", *installed_games()])
def test_matches_of_every_game_and_number_of_seats_pass(game: str) -> None:
    for seats in (installed_games()[game]).rules().seat_counts:
        recording = table_of(game, seats).play_on(120, seed=str(seats))
        for player in ("ann", "ben", "cid", "dot", "eve")[:seats]:
            if not recording.match.over:
                recording.do(player, Abort())
        assert verify(recording.export(), KEYS.published()).complete


def test_a_running_match_passes_for_every_viewer_as_far_as_it_can_be_checked() -> None:
    recording = table_of("fair", 3)
    recording.play(1, LayCard(recording.match.state.hands[1][0]))  # type: ignore[attr-defined]
    for viewer in (-1, 0, 1, 2):
        verdict = verify(recording.export(viewer), KEYS.published())
        assert (verdict.complete, verdict.status, verdict.places, verdict.draws) == (
            False,
            "running",
            None,
            0,
        )


def test_time_outs_resignations_aborts_and_house_bots_pass() -> None:
    recording = Recording(announcement("fair", OPEN, OPEN, OPEN, house_bot("greedy"), clock=CLOCK))
    for player in ("ann", "ben", "cid"):
        recording.join(player)
    recording.do("house", TimeOut(0), after=60_000)
    for seat in (1, 2, 3):
        recording.do("house", TimeOut(seat))
    recording.do("ben", Resign())
    verdict = verify(recording.play_on().export(), KEYS.published())
    assert (verdict.status, verdict.complete) == ("finished", True)


def test_a_verdict_names_players_house_bots_and_keys_by_seat() -> None:
    recording = Recording(announcement("fair", OPEN, house_bot("greedy")))
    recording.join("ann")
    verdict = verify(recording.play_on().export())
    assert (verdict.players, verdict.house_bots) == (("ann", None), (None, "greedy"))
    assert (verdict.player_keys, verdict.in_block, verdict.branch) == ((None, None), False, False)
    assert (verdict.outages, verdict.returned_ms, verdict.logged_outages) == (0, 0, None)
    assert (verdict.checkpoint, verdict.checkpoint_version, verdict.checkpoint_end) == (None, None, False)


def test_the_receipt_for_the_announcement_counts_too() -> None:
    recording = Recording(announcement("fair", OPEN, OPEN))
    kept = recording.receipt()
    assert kept["version"] == 1
    for player in ("ann", "ben"):
        recording.join(player)
    assert verify(recording.play_on().export(), None, [kept]).receipts == 1


@pytest.mark.parametrize("version", [0, 99_999])
def test_a_receipt_for_a_version_that_the_file_does_not_have_is_refused(good: bytes, version: int) -> None:
    kept = {**fair_match().receipt(), "version": version}
    last = len(lines_of(good))
    assert refusal(good, None, [kept]).startswith(f"line {last}: a kept receipt is for version {version}")


def test_a_receipt_with_a_wrong_signature_is_refused_at_its_line(good: bytes) -> None:
    kept = fair_match().receipt()
    wrong = {**kept, "at": kept["at"] + 1}
    assert refusal(good, None, [wrong]) == f"line {kept['version'] + 1}: the signature is not right"


def test_an_open_seed_is_marked_in_the_verdict() -> None:
    assert verify(fair_match(open_seed="duplicate 7").export()).open_seed
    assert not verify(fair_match().export()).open_seed


# Chance: nobody can choose a deal after the commitment


def test_another_secret_than_the_committed_one_is_refused(good: bytes) -> None:
    def other(facts: Lines) -> None:
        for line in facts:
            if "server_secret" in line["fact"]:
                line["fact"]["server_secret"] = "ab" * 32

    assert refusal(forge(good, other)) == "line 2: the server's secret does not match its commitment"


@pytest.mark.parametrize("secret", ["", "ab", "AB" * 32, "ab" * 32 + " ", "ab" * 33, "zz" * 32])
def test_a_secret_of_another_form_is_refused(secret: str, good: bytes) -> None:
    changed = forge_around(good, lambda lines: lines[1]["fact"].update(server_secret=secret))
    assert refusal(changed).startswith("line 2: ")


def test_another_secret_with_its_own_commitment_gives_another_deal() -> None:
    recording, other = fair_match(), fair_match(server_secret="ab" * 32)
    facts = lines_of(other.export())[1:-1]

    def swap(mine: Lines) -> None:
        mine[0]["fact"] = facts[0]["fact"]

    assert "the draws are not those of the seed" in refusal(forge(recording.export(), swap))


def test_contributions_in_another_order_give_another_deal(good: bytes) -> None:
    def swap(facts: Lines) -> None:
        one, two = find(facts, "seat_taken", 0), find(facts, "seat_taken", 1)
        for line, text in ((one, "from ben"), (two, "from ann")):
            line["fact"]["contribution"] = line["command"]["contribution"] = text

    assert "the draws are not those of the seed" in refusal(forge(good, swap))


def test_a_draw_that_the_seed_does_not_give_is_refused(good: bytes) -> None:
    def change(facts: Lines) -> None:
        line = next(line for line in facts if "draws" in line)
        bound, value = line["draws"][0]["values"][0]
        line["draws"][0]["values"][0] = [bound, (value + 1) % bound]

    assert "the draws are not those of the seed" in refusal(forge(good, change))
    assert "the draws are not those of the seed" in refusal(
        forge(good, lambda f: [line.pop("draws", None) for line in f])
    )


def test_a_rewritten_history_is_detected_with_a_kept_receipt() -> None:
    true = table_of("fair", 2)
    true.play(0, LayCard(true.match.state.hands[0][0]))  # type: ignore[attr-defined]
    kept = true.receipt()
    false = table_of("fair", 2)
    false.play(0, LayCard(false.match.state.hands[0][1]))  # type: ignore[attr-defined]
    content = false.play_on().export()
    assert verify(content, KEYS.published()).complete, "without the receipt the file is valid"
    problem = refusal(content, KEYS.published(), [kept])
    assert (
        problem == f"line {kept['version'] + 1}: the service has signed another history: "
        "a kept receipt names another hash here"
    )
    assert verify(true.play_on().export(), KEYS.published(), [kept]).receipts == 1


def test_another_deal_is_detected_with_a_kept_receipt_for_joining() -> None:
    true = Recording(announcement("fair", OPEN, OPEN))
    true.join("ann", contribution="from ann")
    kept = true.receipt()
    false = table_of("fair", 2, server_secret="ab" * 32).play_on()
    assert verify(false.export()).complete
    assert "the service has signed another history" in refusal(false.export(), None, [kept])


# Keys


def test_a_file_signed_with_keys_of_its_own_is_refused_if_the_published_keys_are_given(good: bytes) -> None:
    forger = KnownKeys(("a forger", 0))
    own = forge_around(good, lambda lines: lines[0].update(keys=forger.published()), forger)
    forged = forge(own, lambda facts: None, forger)
    assert not verify(forged).trusted
    assert (
        refusal(forged, KEYS.published())
        == f"line 1: the key {forger.public_keys()[0].id} is not one that the service publishes"
    )


def test_a_key_signs_only_in_its_time() -> None:
    keys = KnownKeys(("old", 0), ("new", NOON + 4000))
    recording = fair_match()
    recording.signer = keys
    content = recording.export()
    assert len(verify(content, keys.published()).keys) == 1
    late = KnownKeys(("old", 0))
    leaked = forge(forge_around(content, lambda lines: None, late), lambda facts: None, late)
    assert "which was not the service's at that moment" in refusal(leaked, keys.published())


def test_a_key_that_is_not_named_by_its_own_hash_is_refused(good: bytes) -> None:
    assert "named by its own hash" in refusal(
        forge_around(good, lambda lines: lines[0]["keys"][0].update(id="0" * 16))
    )
    assert "no keys" in refusal(forge_around(good, lambda lines: lines[0].update(keys=[])))


# Rules that are not here


@pytest.mark.parametrize(
    "changed", [{"rules_version": 9}, {"game": "chess"}, {"data": "none"}, {"data_hash": "0" * 64}]
)
def test_rules_that_are_not_installed_are_not_a_forgery(changed: dict[str, Any], good: bytes) -> None:
    forged = forge(good, lambda facts: facts[0]["fact"].update(changed))
    with pytest.raises(UncheckableFileError, match="installed"):
        verify(forged)
