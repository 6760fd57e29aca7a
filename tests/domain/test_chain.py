"""The hash chain: published vectors, links, and commitments that can't be guessed."""

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kontor_games.domain.chain import COMMAND, GENESIS, Link, commitment_to, links_of
from kontor_games.domain.codec import SPECTATOR, canonical
from kontor_games.domain.commands import Open, Play, command_codec
from kontor_games.domain.game import Fact
from kontor_games.domain.games import installed_games
from kontor_games.domain.match_facts import fact_codec
from kontor_games.domain.match_stream import MATCHES
from kontor_games.domain.seed import Salts
from kontor_games.domain.stream import Command, Entry
from kontor_games.service.ed25519 import is_signed, key_id
from tests.domain import chain_by_the_document as document
from tests.domain.installed_fair import the_fair_is_installed
from tests.domain.toy.games.fair.facts.rounds import CardLaid
from tests.domain.toy.games.fair.facts.set_up import CardDrawn, DeckShuffled
from tests.domain.toy.games.fair.moves import LayCard
from tests.support.recording import Recording, table_of

__all__ = ["the_fair_is_installed"]

DOCS = Path(__file__).parents[2] / "docs"
VECTORS = json.loads((DOCS / "vectors/chain.json").read_text(encoding="utf-8"))


def links(recording: Recording, entries: list[Entry] | None = None) -> list[Link]:
    """Every fact of a match, linked."""
    linked: list[Link] = []
    for entry in recording.entries if entries is None else entries:
        before = linked[-1].hash if linked else GENESIS
        linked += links_of(MATCHES, recording.id, recording.match, entry, before)
    return linked


def record(linked: Link) -> dict[str, Any]:
    """The record that was hashed."""
    return dict(json.loads(linked.write(linked.public, linked.command)))


# The document


def test_the_document_alone_is_enough_to_compute_the_published_vectors() -> None:
    assert document.vectors() == VECTORS


def test_the_document_describes_every_part_of_the_vectors() -> None:
    text = (DOCS / "chain.md").read_text(encoding="utf-8")
    assert [part for part in VECTORS if part != "versions" and f"`{part}`" not in text] == []
    assert [version for version in VECTORS["versions"] if f"`{version}`" not in text] == []


@pytest.mark.parametrize("vector", VECTORS["canonical"])
def test_values_have_the_published_canonical_form(vector: dict[str, Any]) -> None:
    assert canonical(vector["value"]).decode() == vector["text"]


@pytest.mark.parametrize("vector", VECTORS["salts"])
def test_salts_are_the_published_ones(vector: dict[str, Any]) -> None:
    assert Salts(vector["secret"]).of(vector["version"], vector["field"]).hex() == vector["salt"]


@pytest.mark.parametrize("vector", VECTORS["match_salts"])
def test_salts_of_a_match_are_the_published_ones(vector: dict[str, Any]) -> None:
    salts = Salts(vector["secret"], vector["match"])
    assert salts.of(vector["version"], vector["field"]).hex() == vector["salt"]


@pytest.mark.parametrize("vector", VECTORS["commitments"])
def test_commitments_are_the_published_ones(vector: dict[str, Any]) -> None:
    assert commitment_to(vector["value"], bytes.fromhex(vector["salt"])) == vector["commitment"]


def test_the_records_of_a_match_have_the_published_form_and_hash() -> None:
    for line in VECTORS["records"]:
        assert hashlib.sha256(canonical(line["record"])).hexdigest() == line["hash"]
    known = {frozenset(line["record"]) for line in VECTORS["records"]}
    assert {frozenset(record(one)) for one in links(table_of("fair", 2).play_on())} == known


@pytest.mark.parametrize("vector", VECTORS["receipts"])
def test_a_published_receipt_is_signed(vector: dict[str, Any]) -> None:
    receipt = vector["receipt"]
    message = MATCHES.receipt_text(receipt["match"], receipt["version"], receipt["head"], receipt["at"])
    assert is_signed(vector["public_key"], receipt["signature"], message)
    assert not is_signed(vector["public_key"], receipt["signature"], message + b" ")
    assert key_id(document.PUBLIC) == receipt["key"]


# Links


@pytest.mark.parametrize("game", ["fair", *installed_games()])
def test_every_record_is_written_in_canonical_form_and_hashed(game: str) -> None:
    before = GENESIS
    for one in links(table_of(game, 3).play_on(150)):
        written = one.write(one.public, one.command)
        assert written == document.canonical(record(one)).encode()
        assert record(one)["before"] == before
        assert one.hash == hashlib.sha256(written).hexdigest()
        before = one.hash


def test_any_change_of_one_fact_changes_every_hash_from_there_on() -> None:
    recording = table_of("fair", 2).play_on()
    hashes = [one.hash for one in links(recording)]
    for place, entry in enumerate(recording.entries):
        changes: list[dict[str, Any]] = [
            {"at": entry.at + 1},
            {"by": "somebody"},
            {"seat": 7},
            {"command": Open("another command")},
            {"facts": (*entry.facts[:-1], CardLaid(1, 99))},
        ]
        for change in changes:
            entries = [*recording.entries[:place], entry._replace(**change), *recording.entries[place + 1 :]]
            changed = [one.hash for one in links(recording, entries)]
            first = entry.last if "facts" in change else entry.first
            assert changed[: entry.first - 1] == hashes[: entry.first - 1]
            assert not set(changed[first - 1 :]) & set(hashes[first - 1 :])


def test_the_same_facts_in_another_match_have_other_hashes() -> None:
    recording = table_of("fair", 2)
    hashes = {one.hash for one in links(recording)}
    recording.id = "another match"
    assert not hashes & {one.hash for one in links(recording)}


# What is hidden


def swapped(happened: Fact) -> Fact:
    """The same fact with other hidden cards."""
    match happened:
        case DeckShuffled(order):
            return DeckShuffled(tuple(reversed(order)))
        case CardDrawn(seat, card):
            return CardDrawn(seat, 23 - card)
        case CardLaid(seat, card):
            return CardLaid(seat, 23 - card)
    return happened


def swapped_command(command: Command) -> Command:
    """The same command with other hidden cards."""
    if not isinstance(command, Play):
        return command
    return replace(
        command, moves=tuple(LayCard(23 - move.card) for move in command.moves if isinstance(move, LayCard))
    )


def two_worlds() -> tuple[Recording, list[Entry], list[Entry]]:
    """One history in two worlds that differ only in what a spectator may not know."""
    recording = table_of("fair", 3)
    for seat in (2, 0):
        recording.play(seat, LayCard(recording.match.state.hands[seat][0]))  # type: ignore[attr-defined]
    other = [
        entry._replace(facts=tuple(map(swapped, entry.facts)), command=swapped_command(entry.command))
        for entry in recording.entries
    ]
    return recording, recording.entries, other


def test_two_worlds_with_other_hidden_cards_differ_in_salted_commitments_only() -> None:
    recording, one, other = two_worlds()
    hidden = 0
    for here, there in zip(links(recording, one), links(recording, other), strict=True):
        a, b = record(here), record(there)
        assert {name for name in a if a[name] != b[name]} <= {"sealed", "sealed_command", "before"}
        assert a["fact"] == b["fact"]
        assert set(a["sealed"]) == set(b["sealed"])
        if a["fact"]["type"] != "match_created":
            hidden += sum(a["sealed"][name] != b["sealed"][name] for name in a["sealed"])
    assert hidden == 1 + 9 + 2


def test_a_move_that_names_a_hidden_card_is_in_the_record_only_as_a_commitment() -> None:
    recording, entries, _ = two_worlds()
    laid = record(links(recording, entries)[-1])
    assert "command" not in laid
    assert laid["fact"] == {"type": "card_laid", "seat": 0}
    salts = MATCHES.salts(recording.id, recording.match)
    command = command_codec(recording.match.rules).encode(entries[-1].command)
    assert laid["sealed_command"] == commitment_to(command, salts.of(laid["version"], COMMAND))


def test_a_hidden_card_cannot_be_found_by_brute_force_without_the_secret() -> None:
    recording, entries, _ = two_worlds()
    linked = links(recording, entries)
    laid, salts = linked[-1], MATCHES.salts(recording.id, recording.match)
    # What the player of another seat knows besides the records: the salts of all that they were shown.
    own = [
        salts.of(one.version, name)
        for one in linked
        if one.fact.type == "card_drawn" and record(one)["fact"]["seat"] == 2
        for name in one.sealed
    ]
    public = [
        b"",
        bytes(32),
        bytes.fromhex(recording.match.created.commitment),
        *(bytes.fromhex(one.hash) for one in linked),
    ]
    guesses = {commitment_to(card, salt) for card in range(24) for salt in (*own, *public)}
    assert laid.sealed["card"] not in guesses
    opened = [
        card
        for card in range(24)
        if commitment_to(card, salts.of(laid.version, "card")) == laid.sealed["card"]
    ]
    assert opened == [entries[-1].facts[0].card], "with the secret exactly one card opens it"  # type: ignore[attr-defined]


def test_the_same_card_hidden_twice_has_two_commitments() -> None:
    found = {
        Salts("5e" * 32, match).of(version, field)
        for match in ("one", "other", None)
        for version in range(50)
        for field in ("card", "cards", COMMAND)
    }
    assert len(found) == 450
    assert len({commitment_to(17, salt) for salt in found}) == 450


def test_the_first_record_commits_to_the_secret_before_anybody_joins() -> None:
    first = record(links(table_of("fair", 2))[0])
    assert "server_secret" not in first["fact"]
    assert first["fact"]["commitment"] == hashlib.sha256(bytes.fromhex(document.SECRET)).hexdigest()
    assert set(first["sealed"]) == {"server_secret"}


def test_the_record_contains_what_a_spectator_may_see() -> None:
    recording = table_of("fair", 2).play_on()
    codec = fact_codec(recording.match.rules)
    for one in links(recording):
        shown = codec.redacted(one.fact, SPECTATOR)
        assert set(shown.pop("hidden", ())) == set(one.sealed)
        assert record(one)["fact"] == json.loads(canonical(shown))
