"""Matches of a block share the server's secret, but nothing that opens a commitment of another match."""

import json
import re
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest

from kontor_games.domain.chain import COMMAND, GENESIS, commitment_to, links_of
from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.match_facts import fact_codec
from kontor_games.domain.match_stream import MATCHES
from kontor_games.service.kontor import Kontor
from tests.service.tables import LocalPlayer
from tests.service.tournaments.cup import Cup

TABLE = {"seats": 3, "least_seats": 3, "points": [2, 1, 0]}
GAMES = ["fair", "europe"]
"""The games in which players have salts of their own while a match runs."""
DERIVATION = "kontor_games.service.matches.match_spec.SALT_VERSION"
_MANY = 100_000


def block_of(service: Kontor, game: str) -> tuple[Cup, list[str]]:
    """Start the matches of a block, with all seats taken."""
    cup = Cup(service, 3, game=game, rounds=1, rotated=True, **TABLE).start()
    cup.worker.step_all()
    matches = cup.open_matches()
    for match in matches:
        for player in cup.players_of(match):
            player.join(match)
    return cup, matches


def play_some(cup: Cup, match: str) -> None:
    """Make random moves until more is hidden in a running match, besides the server's secret, than before."""
    stranger = LocalPlayer(cup.kontor)
    draws = Seeded(seed_from(match)).draws("moves", cup.players[0].read_match(match).match.version)
    hidden = len(list(hidden_from(cup, stranger, match)))
    while len(list(hidden_from(cup, stranger, match))) <= hidden + 1:
        state = cup.players[0].read_match(match).match
        assert state.to_act, "the match ended before anything was hidden"
        player = cup.players_of(match)[state.to_act[0]]
        legal = player.legal(match)
        player.play(match, legal[draws.below(len(legal))])


def candidates(cup: Cup, reader: LocalPlayer, match: str) -> set[bytes]:
    """Every salt in any answer about a match to a reader, and everything else of the form of a salt."""
    queries, who = cup.kontor.queries, reader.caller
    answers = cup.kontor.exports.export(who, match).decode()
    answers += repr(queries.show(who, match)) + repr(queries.events(who, match, 0, _MANY))
    return {bytes.fromhex(found) for found in re.findall(r"\b[0-9a-f]{64}\b", answers)}


def hidden_from(cup: Cup, reader: LocalPlayer, match: str) -> Iterator[tuple[str, Any, str]]:
    """The place, the true value and the commitment of everything in a match that the reader may not see."""
    log = cup.kontor.cache.get_fresh(UUID(match))
    codec, head = fact_codec(log.state.rules), GENESIS
    shown = [json.loads(line) for line in cup.kontor.exports.export(reader.caller, match).splitlines()[1:-1]]
    for entry in log.entries:
        for one in links_of(MATCHES, match, log.state, entry, head):
            head, line, fact = one.hash, shown[one.version - 1], codec.encode(one.fact)
            for field, commitment in one.sealed.items():
                if field not in line["fact"]:
                    yield f"{one.version}:{field}", fact[field], commitment
            if "sealed_command" in line and "command" not in line:
                yield f"{one.version}:{COMMAND}", json.loads(one.command_text), line["sealed_command"]


def all_opened(cup: Cup, matches: list[str]) -> list[str]:
    """Everything hidden that some player can open in some match with the answers about all matches."""
    found = []
    for reader in cup.players:
        salts = set[bytes]().union(*(candidates(cup, reader, match) for match in matches))
        for match in matches:
            for place, value, commitment in hidden_from(cup, reader, match):
                if commitment in {commitment_to(value, salt) for salt in salts}:
                    found.append(place)
    return found


@pytest.mark.parametrize("game", GAMES)
def test_at_once_no_answer_about_a_match_opens_what_is_hidden_in_another(service: Kontor, game: str) -> None:
    cup, matches = block_of(service, game)
    for _ in range(2):
        for match in matches:
            play_some(cup, match)
        assert all_opened(cup, matches) == []


def test_one_after_the_other_a_finished_match_opens_nothing_in_those_that_follow(service: Kontor) -> None:
    cup, (first, second, third) = block_of(service, "fair")
    for match in (first, second):
        cup.play_match_on(match)
        cup.worker.step_all()
        play_some(cup, third)
        assert all_opened(cup, [first, second, third]) == []


def test_with_the_first_derivation_players_open_hidden_values_of_others(
    service: Kontor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(DERIVATION, 1)
    cup, matches = block_of(service, "fair")
    for match in matches:
        play_some(cup, match)
    assert all_opened(cup, matches) != []
