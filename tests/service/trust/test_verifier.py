"""The offline verifier: good files pass, and every forgery is refused in words that name the right place."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from kontor_games.domain.commands import Abort, Resign, TimeOut
from kontor_games.domain.games import installed_games
from kontor_games.service.trust.verifier import UncheckableFileError, verify
from tests.domain.installed_fair import the_fair_is_installed
from tests.domain.toy.games.fair.moves import LayCard
from tests.support.exports import CLOCK, fair_match, refusal
from tests.support.forging import Lines, drop, find, forge, forge_around, lines_of
from tests.support.recording import KEYS, NOON, OPEN, KnownKeys, Recording, announcement, house_bot, table_of

__all__ = ["the_fair_is_installed"]


@pytest.fixture
def good() -> bytes:
    return fair_match().export()


# Good files


def test_a_good_file_passes_and_what_was_checked_is_said(good: bytes) -> None:
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


def test_an_open_seed_is_marked_in_the_verdict() -> None:
    assert verify(fair_match(open_seed="duplicate 7").export()).open_seed
    assert not verify(fair_match().export()).open_seed


# Forgeries by the holder of the key: everything fits, but it can't have happened so


def change_command(kind: str, nth: int, **values: Any) -> Callable[[Lines], None]:
    """Other moves than those that were made."""

    def change(facts: Lines) -> None:
        find(facts, kind, nth)["command"] = {**find(facts, kind, nth)["command"], **values}

    return change


def change_fact(kind: str, nth: int, **values: Any) -> Callable[[Lines], None]:
    """Other outcomes than the rules give."""
    return lambda facts: find(facts, kind, nth)["fact"].update(values)


def change_line(kind: str, nth: int, **values: Any) -> Callable[[Lines], None]:
    """Another time, author or seat."""
    return lambda facts: find(facts, kind, nth).update(values)


def from_here(facts: Lines, kind: str, nth: int, later: int) -> None:
    """Moves a command and all after it in time."""
    place = facts.index(find(facts, kind, nth))
    for line in facts[place:]:
        line["at"] += later


def insert_early_time_out(facts: Lines) -> None:
    first = find(facts, "card_laid")
    command = {"type": "time_out", "seat": 0}
    fact = {"type": "seat_timed_out", "seat": 0, "consequence": "bot"}
    line = {**first, "fact": fact, "sealed": {}, "by": "house", "command": command, "seat": 0}
    line.pop("sealed_command")
    facts.insert(facts.index(first), line)


def swap_places(facts: Lines) -> None:
    find(facts, "match_finished")["fact"]["places"].reverse()


def double(facts: Lines) -> None:
    laid = find(facts, "card_laid")
    facts.insert(facts.index(laid), json.loads(json.dumps(laid)))


FORGERIES: list[tuple[str, Callable[[Lines], object], str]] = [
    (
        "a card that is not in the hand",
        change_command("card_laid", 0, moves=[{"type": "lay_card", "card": 999}]),
        "the command was not allowed: Card 999 is not in your hand. (T-3)",
    ),
    ("a move of another phase", change_command("card_laid", 0, moves=[{"type": "close_fair"}]), "(T-5)"),
    (
        "no move at all",
        change_command("card_laid", 0, moves=[]),
        "the command is malformed: /moves: must have between 1 and 1000 items",
    ),
    (
        "an unknown move",
        change_command("card_laid", 0, moves=[{"type": "cheat"}]),
        "the command is malformed: /moves/0/type: must be one of",
    ),
    (
        "a move with more in it",
        change_command("card_laid", 0, moves=[{"type": "lay_card", "card": 1, "x": 1}]),
        "/moves/0/x: is not a known field",
    ),
    ("someone else's move", change_line("card_laid", 0, by="ben"), "the command was not allowed: Card"),
    (
        "a stranger's move",
        change_line("card_laid", 0, by="zoe"),
        "the command was not allowed: You have no seat in this match.",
    ),
    ("a move by the house", change_line("card_laid", 0, by="house"), "the service acted for a player"),
    (
        "a move for another seat",
        change_command("fair_closed", 0, seat=1),
        "a player can only move for their own seat",
    ),
    (
        "a clock that is stopped for another",
        change_line("card_laid", 0, seat=2),
        "another seat's clock was stopped",
    ),
    (
        "points out of nowhere",
        change_fact("round_taken", 0, points=30),
        "round_taken says points 30, the rules give 3",
    ),
    (
        "a fact that lacks something",
        lambda facts: find(facts, "round_taken")["fact"].pop("points"),
        "round_taken lacks its points",
    ),
    ("a fact with more in it", change_fact("round_taken", 0, bonus=1), "round_taken has no bonus"),
    (
        "another kind of fact",
        change_fact("round_taken", 0, type="round_lost"),
        "the rules give round_taken here, not round_lost",
    ),
    (
        "a price that was not agreed",
        change_fact("card_sold", 0, price=0),
        "card_sold says price 0, the rules give 2",
    ),
    (
        "a card that was not drawn",
        change_fact("card_drawn", 4, card=0),
        "card_drawn says card 0, the rules give",
    ),
    (
        "another order of the deck",
        lambda f: find(f, "deck_shuffled")["fact"]["order"].reverse(),
        "deck_shuffled says order [",
    ),
    (
        "a move before the one before",
        change_line("fair_closed", 0, at=NOON),
        "its time is earlier than that of the previous command",
    ),
    (
        "a move after the time was up",
        lambda f: from_here(f, "card_laid", 0, 60_000),
        "Your time ran out before this move arrived.",
    ),
    (
        "a time-out too early",
        insert_early_time_out,
        "the command was not allowed: Seat 0 still has time left.",
    ),
    (
        "a time-out by a player",
        change_line("card_laid", 0, command={"type": "time_out", "seat": 0}),
        "only the service can record that time is up",
    ),
    ("a wrong result", swap_places, "match_finished says places"),
    (
        "a move that was made twice",
        double,
        "the command was not allowed: You have already laid your card. (T-3)",
    ),
    (
        "a command that nobody knows",
        change_line("fair_closed", 0, command={"type": "bribe"}),
        "the command is malformed: /type: must be one of",
    ),
    (
        "a contribution that was not made",
        change_fact("seat_taken", 1, contribution="other"),
        'seat_taken says contribution "other"',
    ),
    (
        "no announcement",
        change_line("match_created", 0, command={"type": "start"}),
        "does not begin with the creation of a match",
    ),
    (
        "an announcement by another",
        change_line("match_created", 0, by="ben"),
        "the creator in the fact is not the author of the command",
    ),
    (
        "too many seats",
        lambda f: f[0]["fact"]["seats"].extend(f[0]["fact"]["seats"]),
        "/seats: must not be 6",
    ),
    (
        "options that there are not",
        lambda f: f[0]["fact"]["options"].update(rounds=99),
        "/options/rounds: must be one of 1, 2, 3",
    ),
    (
        "options that are left out",
        lambda f: f[0]["fact"]["options"].pop("rounds"),
        "/options: must have all defaults written out",
    ),
    (
        "a branch from nowhere",
        change_fact("match_created", 0, branch=True),
        "the branch has no starting position",
    ),
    (
        "an announcement of nonsense",
        change_fact("match_created", 0, clock=5),
        "the announcement of the match can't be read: /clock",
    ),
    (
        "a field sealed that is not hidden",
        lambda f: find(f, "round_taken")["sealed"].update(points=""),
        "points of round_taken is sealed but",
    ),
    (
        "a hidden field that is not sealed",
        lambda f: find(f, "card_laid")["sealed"].pop("card"),
        "card of card_laid is sealed but not hidden, or",
    ),
    (
        "a command sealed that names nothing hidden",
        change_line("seat_taken", 0, sealed_command=""),
        "is not sealed, or one that does not is",
    ),
    (
        "a command that names a card in the clear",
        lambda f: find(f, "card_laid").pop("sealed_command"),
        "names what is hidden is not sealed, or",
    ),
    (
        "a moment within a command",
        change_line("round_taken", 0, at=NOON + 1),
        "the facts of one command happened at different moments",
    ),
    (
        "an author within a command",
        change_line("round_taken", 0, by="zoe"),
        "the facts of one command have different authors",
    ),
]


@pytest.mark.parametrize(
    ("change", "words"), [case[1:] for case in FORGERIES], ids=[case[0] for case in FORGERIES]
)
def test_a_forgery_that_is_hashed_and_signed_anew_is_refused_in_words(
    change: Callable[[Lines], object], words: str, good: bytes
) -> None:
    forged = forge(good, change)
    assert forged != good
    told = refusal(forged, KEYS.published())
    assert words in told
    line = int(told.partition(":")[0].removeprefix("line "))
    different = next(
        n
        for n, (old, new) in enumerate(zip(good.splitlines(), forged.splitlines(), strict=False), 1)
        if n > 1 and old != new
    )
    assert different <= line <= different + 1, (
        "the place named is where the file first differs, or the fact right after"
    )


def test_forging_nothing_gives_the_very_file_back(good: bytes) -> None:
    assert forge(good, lambda facts: None) == good
    assert forge_around(good, lambda lines: None) == good


def test_a_dropped_command_is_refused_where_it_is_missed(good: bytes) -> None:
    facts = lines_of(good)[1:-1]
    laid = find(facts, "card_laid", 1)
    told = refusal(forge(good, lambda f: drop(f, laid["version"])))
    assert told == f"line {laid['version'] + 2}: no command caused this fact", (
        "the last card turns nothing up: one is missing"
    )
    sold = find(facts, "card_sold")
    told = refusal(forge(good, lambda f: drop(f, sold["version"] - 1)))
    assert told == f"line {sold['version']}: the command was not allowed: No card is offered. (T-6)"


def test_a_dropped_fact_is_missed_at_its_place(good: bytes) -> None:
    turned = find(lines_of(good)[1:-1], "cards_turned_up")
    told = refusal(forge(good, lambda facts: drop(facts, turned["version"])))
    assert told.startswith(f"line {turned['version'] + 1}: the rules give cards_turned_up here")


def test_a_fact_more_than_the_command_causes_is_refused(good: bytes) -> None:
    def more(facts: Lines) -> None:
        taken = find(facts, "round_taken")
        facts.insert(facts.index(taken) + 1, json.loads(json.dumps(taken)))

    assert "no command caused this fact" in refusal(forge(good, more))


def test_a_fact_fewer_at_the_end_of_a_command_is_refused(good: bytes) -> None:
    taken = find(lines_of(good)[1:-1], "round_taken")
    told = refusal(forge(good, lambda facts: drop(facts, taken["version"])))
    assert (
        told == f"line {taken['version'] + 1}: the command before causes another fact, which is missing here"
    )


def test_a_match_cut_off_before_its_end_is_not_complete(good: bytes) -> None:
    def cut(facts: Lines) -> None:
        del facts[facts.index(find(facts, "card_laid")) :]

    assert "not over" in refusal(forge(forge_around(good, lambda lines: lines[-1].update(result=None)), cut))


def test_a_file_that_ends_within_a_command_is_refused(good: bytes) -> None:
    def cut(facts: Lines) -> None:
        del facts[facts.index(find(facts, "round_taken")) :]

    told = refusal(forge(forge_around(good, lambda lines: lines[-1].update(result=None)), cut))
    assert "the file ends before the" in told


# Chance: nobody picks a deal after the commitment


def test_another_secret_is_not_the_one_committed_to(good: bytes) -> None:
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


def test_a_history_written_anew_is_found_by_whoever_kept_a_receipt() -> None:
    true = table_of("fair", 2)
    true.play(0, LayCard(true.match.state.hands[0][0]))  # type: ignore[attr-defined]
    kept = true.receipt()
    false = table_of("fair", 2)
    false.play(0, LayCard(false.match.state.hands[0][1]))  # type: ignore[attr-defined]
    content = false.play_on().export()
    assert verify(content, KEYS.published()).complete, "by itself it is a good file"
    told = refusal(content, KEYS.published(), [kept])
    assert (
        told
        == f"line {kept['version'] + 1}: the service has signed another history: a kept receipt names another hash here"
    )
    assert verify(true.play_on().export(), KEYS.published(), [kept]).receipts == 1


def test_another_deal_is_found_by_whoever_kept_the_receipt_for_sitting_down() -> None:
    true = Recording(announcement("fair", OPEN, OPEN))
    true.join("ann", contribution="from ann")
    kept = true.receipt()
    false = table_of("fair", 2, server_secret="ab" * 32).play_on()
    assert verify(false.export()).complete
    assert "the service has signed another history" in refusal(false.export(), None, [kept])


# Keys


def test_a_file_signed_with_keys_of_its_own_is_refused_by_whoever_knows_the_service(good: bytes) -> None:
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


def test_rules_that_are_not_installed_are_not_a_forgery(good: bytes) -> None:
    for changed in ({"rules_version": 9}, {"game": "chess"}, {"data": "none"}, {"data_hash": "0" * 64}):
        with pytest.raises(UncheckableFileError, match="installed"):
            verify(forge(good, change_fact("match_created", 0, **changed)))
