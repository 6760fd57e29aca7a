"""Simulated tournaments with organisers and entrants, and players who seek rated matches."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from kontor_games.domain.codec import Plain
from kontor_games.domain.commands import Decline, Join
from kontor_games.domain.stream import Command
from kontor_games.domain.tournaments import commands
from kontor_games.service.errors import UnavailableError
from kontor_games.service.kontor import Kontor
from kontor_games.service.matches.use_cases import Call
from kontor_games.service.people.tokens import Caller
from kontor_games.service.seeks.store import Seek
from kontor_games.service.seeks.use_cases import SeekOverError, SeekSpec
from kontor_games.service.tournaments.answers import TournamentAnswer
from kontor_games.service.trust.tournament_check import verify_tournament
from tests.domain.tournaments.tournaments import chain_of
from tests.simulation.clients import REFUSED, Player, new_caller
from tests.simulation.nodes import ConnectionLost
from tests.simulation.referee import Intent, Violation
from tests.simulation.scheduler import Task

if TYPE_CHECKING:
    from tests.simulation.world import World

T = TypeVar("T")
CLOCK = {"kind": "per_move", "ms": 5000}


def call_until_answered(world: "World", work: Callable[[Kontor], T]) -> T:
    """Send a request to random processes until one of them answers."""
    while True:
        node = world.random.choice(world.nodes)
        world.scheduler.sleep(world.random.random() * 0.02)
        try:
            return node.call(work)
        except (ConnectionLost, UnavailableError):
            world.count("requests without an answer")
            world.scheduler.sleep(world.random.random() * 2)


def take_seat(world: "World", caller: Caller, match_id: str) -> Task | None:
    """Join a match that the player is invited to, and play it; None if joining is refused."""
    join = Join(None, caller.bot, world.random.randbytes(4).hex())
    intent = Intent(match_id, caller.player, f"join-{caller.player[:8]}-{match_id[:8]}")
    call = Call(caller, intent.key, "join")
    if world.sender.send(intent, lambda kontor: kontor.matches.join(call, match_id, join)) is None:
        return None
    return world.scheduler.spawn(Player(world, caller, match_id).reader.run, "read")


class Organiser:
    """An organiser who runs one tournament after the other, up to the signed standings."""

    def __init__(self, world: "World", name: str) -> None:
        self.world = world
        self.name = name
        self._number = 0

    def run(self) -> None:
        while True:
            self._number += 1
            self._run_tournament(f"{self.name}-{self._number}")

    def _run_tournament(self, name: str) -> None:
        world, random = self.world, self.world.random
        organiser = new_caller(world)
        entrants = [new_caller(world) for _ in range(random.randrange(3, 6))]
        terms = self._terms(name)
        announce = Call(organiser, f"{name}-announce", "announce")
        tournament = self._send(announce, lambda kontor: kontor.tournaments.announce(announce, terms))
        if tournament is None:
            raise Violation(f"the tournament {name} was not announced")
        act = TournamentSender(self, tournament.details.id, name)
        act(organiser, commands.OpenEntry())
        chains = {caller: chain_of(random.getrandbits(200)) for caller in entrants}
        for caller, chain in chains.items():
            act(caller, commands.Enter(bot=False, contribution="", sealed=chain[0]))
        act(organiser, commands.StartTournament())
        due = world.tournaments.records[act.tournament].tournament.due
        for caller, chain in chains.items():
            act(caller, commands.OpenContribution(chain[1], due.digest if due else ""))
        self._play(act, organiser, entrants)
        records = world.referee.records
        planned = world.tournaments.records[act.tournament].tournament.planned
        while not all(records[str(one.match)].match.revealed for one in planned.values()):
            world.scheduler.sleep(1.0)  # the service ends matches that the organiser decided by a ruling
        verdict = call_until_answered(
            world, lambda kontor: verify_tournament(kontor.tournament_exports.export(act.tournament))
        )
        if verdict.matches != len(planned):
            raise Violation(f"tournament {act.tournament}: {verdict.matches} of {len(planned)} in the file")
        world.count("tournaments verified")

    def _terms(self, name: str) -> dict[str, Any]:
        random = self.world.random
        return {
            "title": name, "game": "fair", "seats": 2, "least_seats": 2, "points": [2, 0], "clock": CLOCK,
            "format": random.choice(["swiss", "complete", "knockout"]), "rounds": random.randrange(1, 3),
            "automatic": random.random() < 0.7, "no_show_ms": 20_000, "correction_ms": 0,
            "options": {"rounds": 1},
        }  # fmt: skip

    def _play(self, act: "TournamentSender", organiser: Caller, entrants: list[Caller]) -> None:
        """Let entrants play their matches and the organiser act, until the standings are signed."""
        world, seen = self.world, set[str]()
        state = world.tournaments.records[act.tournament].tournament
        while not state.over:
            world.scheduler.sleep(1.0)
            for match_id in [match for match in state.slots if match not in seen]:
                seen.add(match_id)
                for number in state.planned[state.slots[match_id]].entrants:
                    self._take_seat_or_not(entrants[number], match_id)
            self._organise(act, organiser)

    def _take_seat_or_not(self, caller: Caller, match_id: str) -> None:
        if self.world.random.random() < 0.9:  # the others are no-shows
            self.world.scheduler.spawn(lambda: take_seat(self.world, caller, match_id), "sit")

    def _organise(self, act: "TournamentSender", organiser: Caller) -> None:
        state, random = self.world.tournaments.records[act.tournament].tournament, self.world.random
        if state.status == "provisional":
            act(organiser, commands.SignOff())
        elif state.status == "running" and not state.terms.automatic and not state.unfinished:
            if act(organiser, commands.PairRound()) is None:
                act(organiser, commands.PostStandings())
        elif state.unfinished and random.random() < 0.02:
            planned = random.choice(state.unfinished)
            if planned.match is not None:
                act(organiser, commands.Rule(planned.match, (1, 2), "by lot"))

    def _send(self, call: Call, serve: Callable[[Kontor], TournamentAnswer]) -> TournamentAnswer | None:
        """Send a command until it is answered, and let the referee check the answer; None if refused."""
        world = self.world

        def checked(kontor: Kontor) -> TournamentAnswer | None:
            try:
                answer = serve(kontor)
            except REFUSED as refusal:
                world.tournaments.refused(call, str(refusal))
                world.count("refusals")
                return None
            world.tournaments.acknowledged(call, answer)
            return answer

        world.tournaments.sent(call)
        if world.random.random() < 0.05:
            world.scheduler.spawn(lambda: call_until_answered(world, checked), "send again")
        return call_until_answered(world, checked)


class TournamentSender:
    """Sends the commands of one tournament, each with its own idempotency key."""

    def __init__(self, organiser: Organiser, tournament: str, name: str) -> None:
        self._organiser = organiser
        self.tournament = tournament
        self._name = name
        self._number = 0

    def __call__(self, caller: Caller, command: Command) -> TournamentAnswer | None:
        self._number += 1
        call = Call(caller, f"{self._name}-{self._number}", command.type)
        return self._organiser._send(
            call, lambda kontor: kontor.tournaments.execute(call, self.tournament, command)
        )


class Seeker:
    """A player who seeks one rated match after the other, accepts most offers, and plays."""

    def __init__(self, world: "World", name: str) -> None:
        self.world = world
        self.name = name
        self.caller = new_caller(world)
        self._number = 0

    def run(self) -> None:
        while True:
            self._number += 1
            self._seek(f"{self.name}-{self._number}")
            self.world.scheduler.sleep(self.world.random.random() * 5)

    def _seek(self, key: str) -> None:
        call, world = Call(self.caller, key, "seek"), self.world
        spec = SeekSpec("fair", 2, rated=True, clock=dict[str, Plain](CLOCK), lifetime_ms=60_000)
        ids = {
            call_until_answered(world, lambda kontor: kontor.seeks.create(call, spec)).seek.id
            for _ in range(2)
        }
        if len(ids) != 1:
            raise Violation(f"the idempotency key {key} created two seeks")
        [seek_id], answered = ids, set[str]()
        while (seek := self._read(seek_id)).status in ("waiting", "offered"):
            if seek.match_id is not None and seek.status == "offered" and seek.match_id not in answered:
                answered.add(seek.match_id)
                self._answer(seek.match_id)
            elif seek.status == "waiting" and world.random.random() < 0.01:
                self._cancel(seek_id)
            world.scheduler.sleep(1.0)
        world.count(f"seeks {seek.status}")

    def _read(self, seek_id: str) -> Seek:
        return call_until_answered(self.world, lambda kontor: kontor.seeks.get(self.caller, seek_id))

    def _cancel(self, seek_id: str) -> None:
        def cancel(kontor: Kontor) -> None:
            try:
                kontor.seeks.cancel(self.caller, seek_id)
            except SeekOverError:
                self.world.count("refusals")

        call_until_answered(self.world, cancel)

    def _answer(self, match_id: str) -> None:
        """Accept most offers; decline some, and ignore some."""
        world, chosen = self.world, self.world.random.random()
        if match_id not in world.referee.records:
            world.scheduler.sleep(3.0)
        if match_id not in world.referee.records or chosen < 0.05:
            return
        if chosen < 0.15:
            intent = Intent(match_id, self.caller.player, f"decline-{match_id[:8]}")
            call = Call(self.caller, intent.key, "decline")
            world.sender.send(intent, lambda kontor: kontor.matches.execute(call, match_id, Decline()))
            return
        playing = take_seat(world, self.caller, match_id)
        while playing is not None and not playing.is_done:
            world.scheduler.sleep(1.0)
            if world.referee.records[match_id].match.status == "open":
                return  # the other player has not joined; the state of the seek decides what to do
