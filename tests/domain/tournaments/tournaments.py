"""Tournaments for tests: terms, and a driver that plays one to its end with made-up results."""

import json
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest

from kontor_games.domain.chain import GENESIS, links_of
from kontor_games.domain.clock import ClockSettings
from kontor_games.domain.seed import commitment_of
from kontor_games.domain.stream import HOUSE, Command, Entry
from kontor_games.domain.tournaments import commands
from kontor_games.domain.tournaments.facts import TournamentAnnounced
from kontor_games.domain.tournaments.rounds import is_last
from kontor_games.domain.tournaments.stream import TOURNAMENTS
from kontor_games.domain.tournaments.terms import Terms
from kontor_games.domain.tournaments.tournament import PlannedMatch, Tournament

SECRET = "5e" * 32
ORGANISER = "olga"
TERMS = Terms(
    title="Autumn cup", game="fair", rules_version=1, data="standard", data_hash="0" * 64, options={},
    clock=ClockSettings(), on_timeout="bot", seats=4, least_seats=3, format="swiss", rounds=3,
    points=(6, 4, 2, 0), tie_breaks=("wins", "score", "lot"), bye_points=3, rotated=False, advance=2,
    duration_ms=0, automatic=True, no_show_ms=60_000, no_show="walkover", correction_ms=1000,
    open_entry=True, invited=(), admits="both", late_entry=False, least_entrants=3, most_entrants=10_000,
    forbidden=(), signed=False, required_witnesses=0, organiser=ORGANISER, arbiters=("anton",),
)  # fmt: skip

Result = Callable[[PlannedMatch], tuple[tuple[int, ...], tuple[int, ...]]]
"""Places and scores of a match."""


def by_number(planned: PlannedMatch) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The entrant with the lower number is always better."""
    ranked = sorted(planned.entrants)
    places = tuple(1 + ranked.index(entrant) for entrant in planned.entrants)
    return places, tuple(10 * (5 - place) for place in places)


def chain_of(number: int) -> list[str]:
    """The hash that an entrant seals, and the values of the first openings: each hash is the value before."""
    values = [f"{number:064x}"]
    for _ in range(4):
        values.append(sha256(values[-1].encode()).hexdigest())
    return values[::-1]


class Played:
    """A tournament with its facts, driven by commands as the service drives it."""

    def __init__(self, **changes: Any) -> None:
        self.tournament, self.facts, self.at = Tournament(), list[Any](), 0
        terms = replace(TERMS, **changes)
        announced = TournamentAnnounced(terms, commitment_of(SECRET), SECRET)
        self.entries = list[Entry]()
        self._note(
            commands.Announce(), ORGANISER, commands.Announce().announce(self.tournament, announced, 0)
        )

    def act(self, command: Command, by: str = ORGANISER) -> list[Any]:
        """Carry a command out on a copy, as the service does."""
        self.at += 1
        copy = self.tournament.copy()
        facts: list[Any] = command.decide(copy, by, self.at)
        self.tournament = copy
        self._note(command, by, facts)
        return facts

    def _note(self, command: Command, by: str, facts: list[Any]) -> None:
        first = len(self.facts) + 1
        self.entries.append(Entry(first, self.at, by, None, command, "", "", tuple(facts)))
        self.facts += facts

    def records(self) -> list[dict[str, Any]]:
        """The records of all facts, as they are exported."""
        head, found = GENESIS, list[Any]()
        for entry in self.entries:
            linked = links_of(TOURNAMENTS, "t", self.tournament, entry, head)
            found += [json.loads(one.line) for one in linked]
            head = linked[-1].hash
        return found

    def entered(self, count: int, *, bot: bool = False) -> "Played":
        """Open the entry and let `count` players enter."""
        self.act(commands.OpenEntry())
        for number in range(count):
            self.act(self.entry(number, bot=bot), f"p{number}")
        return self

    def started(self, count: int) -> "Played":
        """Let `count` players enter, and start."""
        self.entered(count).act(commands.StartTournament())
        return self

    def entry(self, number: int, *, bot: bool = False) -> commands.Enter:
        """The entry of a player, with a contribution of the announced kind."""
        if self.tournament.seals_contributions:
            return commands.Enter(bot, "", sealed=chain_of(number)[0])
        return commands.Enter(bot, f"{number:064x}")

    def open_contribution(self, number: int, opening: int = 1) -> list[Any]:
        """Open the contribution of a player, for the first or a later opening."""
        due = self.tournament.due
        assert due is not None
        return self.act(commands.OpenContribution(chain_of(number)[opening], due.digest), f"p{number}")

    def open_matches(self) -> None:
        """Create a match for every slot that has none."""
        for planned in self.tournament.unfinished:
            if planned.match is None:
                round_, table, number = planned.slot
                match = f"m{round_}.{table}.{number}.{planned.attempts}"
                self.act(commands.OpenMatch(round_, table, number, match), HOUSE)

    def play_round(self, result: Result = by_number) -> None:
        """Pair a round and play all its matches."""
        self.act(commands.PairRound(), HOUSE)
        self.finish_matches(result)

    def finish_matches(self, result: Result = by_number) -> None:
        """Play all open matches."""
        self.open_matches()
        for planned in self.tournament.unfinished:
            places, scores = result(planned)
            assert planned.match is not None
            self.act(commands.RecordResult(planned.match, places, scores, "played"), HOUSE)

    def play_to_the_end(self, result: Result = by_number) -> "Played":
        """Play all rounds, and post and sign the standings."""
        while not is_last(self.tournament):
            self.play_round(result)
        self.act(commands.PostStandings(), HOUSE)
        self.at += TERMS.correction_ms
        self.act(commands.SignOff())
        return self


def refused(played: Played, command: Command, by: str, why: type[Exception]) -> None:
    """Check that a command is refused and changes nothing."""
    before = played.tournament
    with pytest.raises(why):
        played.act(command, by)
    assert played.tournament is before


def first_match(played: Played) -> str:
    """Pair the first round, open its matches and return the id of one."""
    played.act(commands.PairRound())
    played.open_matches()
    match = next(iter(played.tournament.planned.values())).match
    assert match is not None
    return match
