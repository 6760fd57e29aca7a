"""Audits of stored entries: every command is carried out again, and the first error is reported."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from kontor_games.domain.audit import BrokenRecordError, UnknownRulesError, read_stored_command
from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.clock import ClockSettings
from kontor_games.domain.commands import Create, command_codec
from kontor_games.domain.game import Fact
from kontor_games.domain.games import installed_games
from kontor_games.domain.match_audit import Draw, MatchAuditor, RecordingChance
from kontor_games.domain.match_facts import PositionSet, SeatTaken, find_rules
from kontor_games.domain.position import dump_position
from kontor_games.domain.stream import Command, Entry
from kontor_games.service.ed25519 import is_signed
from tests.domain.installed_fair import the_fair_is_installed
from tests.domain.toy.games.fair.facts.rounds import RoundTaken
from tests.domain.toy.games.fair.moves import LayCard
from tests.support.recording import OPEN, PLAYERS, Recording, announcement, house_bot, table_of

__all__ = ["the_fair_is_installed"]


def audit(recording: Recording, entries: list[Entry] | None = None) -> tuple[list[str], list[Draw]]:
    """All hashes and draws of a match."""
    auditor = MatchAuditor(recording.id, is_signed)
    hashes: list[str] = []
    draws: list[Draw] = []
    for entry in recording.entries if entries is None else entries:
        command: Any = entry.command
        if not isinstance(command, Command):  # plain data, as a forged store might contain it
            entry = entry._replace(command=read_stored_command(entry.first, auditor.command_codec, command))
        hashes += auditor.take(entry)
        draws += auditor.match.collect_draws()
    return hashes, draws


def forged(fact: Any, **changed: Any) -> Fact:
    """A fact with other values in some of its fields."""
    made: Fact = replace(fact, **changed)
    return made


def error_after_change(recording: Recording, place: int, **changed: Any) -> str:
    """Return the error that an audit reports after one entry was changed."""
    entries = [*recording.entries]
    entries[place] = entries[place]._replace(**changed)
    with pytest.raises(BrokenRecordError) as caught:
        audit(recording, entries)
    return str(caught.value)


@pytest.fixture
def match() -> Recording:
    """A match with four seats, one of them a house bot's; all have laid a card."""
    recording = Recording(
        announcement("fair", OPEN, OPEN, OPEN, house_bot("random"), clock=ClockSettings("per_move", 60_000))
    )
    for player in PLAYERS[:3]:
        recording.join(player)
    for seat in (3, 0, 1, 2):
        recording.play(seat, LayCard(recording.match.state.hands[seat][0]))  # type: ignore[attr-defined]
    return recording


@pytest.mark.parametrize("game", ["fair", *installed_games()])
def test_an_audit_gives_the_recorded_hashes(game: str) -> None:
    recording = table_of(game, 3).play_on(200)
    hashes, draws = audit(recording)
    assert hashes == recording.heads()
    assert draws


def test_every_draw_is_recorded_with_its_bounds_and_values() -> None:
    recording = table_of("fair", 2).play_on()
    (deck,) = (draw for draw in audit(recording)[1] if draw.stream == "deck")
    fresh = recording.match.chance.draws("deck", 0)
    assert deck.values == tuple((bound, fresh.below(bound)) for bound in range(20, 1, -1))
    assert deck.plain() == {"stream": "deck", "index": 0, "values": [list(pair) for pair in deck.values]}


def test_recording_changes_nothing_about_chance() -> None:
    plain, kept = Seeded(seed_from("7")), RecordingChance(seed_from("7"))
    assert kept.draws("deck", 0).shuffled(range(40)) == plain.draws("deck", 0).shuffled(range(40))
    assert kept.draws("dice", 3).below(6) == plain.draws("dice", 3).below(6)
    assert [(draw.stream, draw.index, len(draw.values)) for draw in kept.collect()] == [
        ("deck", 0, 39),
        ("dice", 3, 1),
    ]
    assert kept.collect() == []


def test_facts_that_are_missing_duplicated_or_out_of_order_are_reported(match: Recording) -> None:
    for entries in (
        match.entries[1:],
        [*match.entries[:3], *match.entries[2:]],
        [*match.entries[:2], *match.entries[3:]],
    ):
        with pytest.raises(BrokenRecordError, match="facts are missing or duplicated; expected version"):
            audit(match, entries)


def plain(entry: Entry) -> dict[str, Any]:
    """The command of an entry as it is stored."""
    return command_codec(find_rules("fair", None, None)).encode(entry.command)


CASES: list[tuple[int, Callable[[Entry], dict[str, Any]], str]] = [
    (5, lambda e: {"at": e.at - 100_000}, "its time is earlier than that of the previous command"),
    (5, lambda e: {"by": "zoe"}, "the command was not allowed: You have no seat in this match."),
    (5, lambda e: {"by": "house"}, "the service acted for a player"),
    (5, lambda e: {"command": {**plain(e), "seat": 0}}, "a player can only move for their own seat"),
    (4, lambda e: {"command": {**plain(e), "seat": 0}}, "the service acted for a player"),
    (4, lambda e: {"command": {**plain(e), "seat": 9}}, "the service acted for a player"),
    (4, lambda e: {"by": "ann"}, "a player can only move for their own seat"),
    (
        5,
        lambda e: {"command": {"type": "time_out", "seat": 0}},
        "only the service can record that time is up",
    ),
    (
        5,
        lambda e: {"command": {"type": "time_out", "seat": 0}, "by": "house"},
        "the command was not allowed: Seat 0 still has time left.",
    ),
    (
        5,
        lambda e: {"command": {"type": "give_up_waiting"}, "by": "house"},
        "The time for opening contributions is not over yet.",
    ),
    (
        5,
        lambda e: {
            "command": {"type": "join", "seat": None, "bot": False, "contribution": ""},
            "by": "house",
        },
        "the service acted for a player",
    ),
    (5, lambda e: {"seat": 2}, "the clock of the wrong seat was stopped"),
    (5, lambda e: {"facts": ()}, "the command causes 1 facts, not 0"),
    (5, lambda e: {"facts": (*e.facts, RoundTaken(0, 3))}, "the command causes 1 facts, not 2"),
    (
        7,
        lambda e: {"facts": (*e.facts[:-1], forged(e.facts[-1], points=4))},
        "round_taken says points 4, the rules give 3",
    ),
    (
        1,
        lambda e: {"facts": (SeatTaken(0, "zoe", bot=False, house=None, contribution=""),)},
        'seat_taken says player "zoe", the rules give "ann"',
    ),
    (5, lambda e: {"command": {"type": "play"}}, "the command is malformed: /moves: is missing"),
    (
        5,
        lambda e: {"command": {**plain(e), "moves": [{"type": "lay_card"}]}},
        "the command is malformed: /moves/0/card: is missing",
    ),
    (
        5,
        lambda e: {"command": {**plain(e), "moves": [{"type": "lay_card", "card": True}]}},
        "/moves/0/card: must be an integer",
    ),
    (
        1,
        lambda e: {"command": {**plain(e), "more": 1}},
        "the command is malformed: /more: is not a known field",
    ),
    (5, lambda e: {"command": {**plain(e), "seat": None}}, "the command is not in its canonical form"),
    (0, lambda e: {"command": {"type": "start"}}, "the record does not begin with the creation of a match"),
    (0, lambda e: {"by": "ben"}, "the creator in the fact is not the author of the command"),
    (
        0,
        lambda e: {"facts": (forged(e.facts[0], commitment="0" * 64), *e.facts[1:])},
        "the server's secret does not match its commitment",
    ),
    (
        0,
        lambda e: {"facts": (forged(e.facts[0], branch=True), *e.facts[1:])},
        "the branch has no starting position",
    ),
    (0, lambda e: {"facts": (forged(e.facts[0], seats=()), *e.facts[1:])}, "/seats: must not be 0"),
]


@pytest.mark.parametrize(("place", "change", "words"), CASES)
def test_impossible_records_are_reported(
    place: int, change: Callable[[Entry], dict[str, Any]], words: str, match: Recording
) -> None:
    entry = match.entries[place]
    told = error_after_change(match, place, **change(entry))
    assert words in told
    assert entry.first <= int(told.split(":")[0].removeprefix("at version ")) <= entry.last


def test_rules_that_are_not_installed_are_reported_as_unknown(match: Recording) -> None:
    created = match.entries[0].facts[0]
    for changed in ({"game": "chess"}, {"rules_version": 2}, {"data": "none"}, {"data_hash": "0" * 64}):
        with pytest.raises(UnknownRulesError, match="installed"):
            audit(match, [match.entries[0]._replace(facts=(forged(created, **changed),))])


def test_a_branch_from_a_malformed_position_is_reported() -> None:
    source = table_of("fair", 2)
    good = dump_position(source.match.state)
    branch = Recording(
        announcement("fair", OPEN, house_bot("random"), branch=True),
        Create(takes_seat=True, bot=False, contribution=""),
        position=PositionSet(source.id, source.match.version, good),
    ).play_on()
    assert audit(branch)[0] == branch.heads()
    created, position = branch.entries[0].facts[:2]
    for nonsense in (
        {**good, "round": "list"},
        {"hands": 5},
        "nonsense",
        {**good, "pile": ["named", "Nothing"]},
    ):
        told = error_after_change(
            branch, 0, facts=(created, forged(position, position=nonsense), *branch.entries[0].facts[2:])
        )
        assert ": the command cannot be carried out: " in told, "there or later, but never a crash"
