"""Shows matches to readers: views, facts and legal moves leave the service only through this module."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Protocol

import msgspec

from kontor_games.domain.codec import ARBITER, SPECTATOR, Plain
from kontor_games.domain.commands import Entry
from kontor_games.domain.game import Fact, Rules
from kontor_games.domain.match import Match
from kontor_games.domain.match_facts import HOUSE
from kontor_games.service.matches import answers
from kontor_games.service.people.players import Player, Players


class SeenMatch(msgspec.Struct, frozen=True):
    """A match at a version, and who looks at it.

    It holds everything that is hidden, so it never leaves the service.
    """

    id: str
    match: Match
    viewer: int
    at: int
    """The time for which clocks are read."""
    head: str
    truth: bool = False
    """Whether the reader sees everything: they asked for it, and the match is over."""


class Outcome(SeenMatch, frozen=True, kw_only=True):
    """What a command did, before anything is hidden."""

    first: int
    facts: tuple[Fact, ...]
    replayed: bool = False


class SignedReceipt(Protocol):
    """A receipt with its signature."""

    def plain(self) -> Plain:
        """The receipt as it is sent."""


class Signer(Protocol):
    """Signs receipts."""

    def receipt(self, match_id: str, version: int, head: str, at: int) -> SignedReceipt:
        """Sign where a match stood."""

    def commitment(self, match_id: str, commitment: str, at: int) -> tuple[str, str]:
        """Sign the commitment to the server's secret; return the key's id and the signature."""


class Presenter:
    """Makes answers from matches, without what their reader may not know."""

    def __init__(self, players: Players, signer: Signer) -> None:
        """Names come from the accounts, receipts are signed."""
        self._players = players
        self._signer = signer

    def answer(self, outcome: Outcome) -> answers.Answer:
        """What moves did."""
        return answers.Answer(*self._answered(outcome))

    def command_answer(self, outcome: Outcome) -> answers.CommandAnswer:
        """What a command did."""
        return answers.CommandAnswer(*self._answered(outcome), self.details(outcome))

    def _answered(self, outcome: Outcome) -> tuple[answers.Position, int, list[Plain], Plain, bool]:
        match = outcome.match
        viewer = match.fact_viewer(outcome.viewer)
        facts = [match.redacted(fact, viewer) for fact in outcome.facts]
        receipt = self._signer.receipt(outcome.id, match.version, outcome.head, outcome.at).plain()
        return position(outcome), outcome.first, facts, receipt, outcome.replayed

    def full(self, seen: SeenMatch) -> answers.FullMatch:
        """A match with everything that its reader may know."""
        return answers.FullMatch(position(seen), self.details(seen))

    def details(self, seen: SeenMatch) -> answers.Details:
        """What was announced, who has a seat, and what chance is made of."""
        match, created = seen.match, seen.match.created
        secret = created.server_secret if match.over or seen.truth else None
        return answers.Details(
            ruleset=answers.Ruleset(created.game, created.rules_version, created.data, created.data_hash),
            seats=self.seats(match),
            options=created.options,
            creator=created.creator,
            on_timeout=created.on_timeout,
            autostart=created.autostart,
            private=created.private,
            meet_bots=created.meet_bots,
            practice=created.practice,
            branch=created.branch,
            signed=created.signed,
            required_witnesses=created.required_witnesses,
            witnesses=created.witnesses,
            expires_at=match.expiry,
            chance=answers.Chance(
                created.commitment,
                self._signed_commitment(seen),
                created.sealed,
                match.due,
                created.open_seed,
                secret,
            ),
        )

    def _signed_commitment(self, seen: SeenMatch) -> answers.SignedCommitment | None:
        """The commitment with a signature, as long as players can contribute to the seed."""
        match = seen.match
        if match.status != "open":
            return None
        return answers.SignedCommitment(
            match.at, *self._signer.commitment(seen.id, match.created.commitment, match.at)
        )

    def seats(self, match: Match) -> tuple[answers.Seat, ...]:
        """The seats of a match, with the names that their players have now."""
        return self._seats([match])[0]

    def summaries(self, seen: Sequence[SeenMatch]) -> tuple[answers.Summary, ...]:
        """Matches in a list."""
        return tuple(map(_summary, seen, self._seats([one.match for one in seen])))

    def _seats(self, matches: Sequence[Match]) -> list[tuple[answers.Seat, ...]]:
        """The seats of some matches; all names are looked up at once."""
        taken = {seat.player for match in matches for seat in match.seats if seat and seat.house is None}
        invited = {plan.player for match in matches for plan in match.created.seats if plan.player}
        known = self._players.get_many(taken | invited) if taken or invited else {}
        return [tuple(_seat(match, number, known) for number in range(len(match.seats))) for match in matches]


def events(seen: SeenMatch, facts: Iterable[tuple[int, Entry, Fact]]) -> answers.Events:
    """Facts with their versions and entries, as the reader may see them now."""
    match = seen.match
    viewer = match.fact_viewer(seen.viewer)
    shown = tuple(
        answers.Event(version, entry.at, entry.by, match.redacted(fact, viewer))
        for version, entry, fact in facts
    )
    return answers.Events(seen.id, match.status, match.version, match.over, shown)


def position(seen: SeenMatch) -> answers.Position:
    """Where the match stands, with the legal moves of the reader's own seat."""
    match, viewer = seen.match, seen.viewer
    view_of = ARBITER if seen.truth else match.fact_viewer(viewer)
    return answers.Position(
        id=seen.id,
        status=match.status,
        version=match.version,
        at=match.at,
        you=None if viewer == SPECTATOR else viewer,
        to_act=tuple(match.to_act),
        legal_moves=_legal_moves(match, viewer),
        view=match.rules.view(match.state, view_of) if match.begun else None,
        clock=_clocks(match, seen.at),
        result=_result(match),
        head=seen.head,
    )


def _legal_moves(match: Match, viewer: int) -> list[Plain]:
    """The moves of the viewer's own seat.

    A type of which there are too many to list is given by its schema.
    """
    if viewer == SPECTATOR or viewer not in match.may_act:
        return []
    rules = match.rules
    listed = [rules.move_codec.encode(move) for move in rules.offered_moves(match.state, viewer)]
    return listed + [_open_move(rules, kind.type) for kind in rules.open_moves(match.state, viewer)]


@cache
def _open_move(rules: Rules[Any], kind: str) -> Plain:
    return {"type": kind, "schema": rules.move_codec.schema(kind)}


def _clocks(match: Match, at: int) -> answers.Clocks:
    clock, settings = match.clock, match.clock.settings
    if settings.kind == "none":
        return answers.Clocks(settings.kind, settings.ms, settings.increment_ms)
    seats = tuple(
        answers.SeatClock(seat, clock.left(seat, at), clock.deadline(seat))
        for seat in range(len(match.seats))
    )
    return answers.Clocks(settings.kind, settings.ms, settings.increment_ms, at, seats)


def _result(match: Match) -> answers.Result | None:
    outcome = match.outcome
    return None if outcome is None else answers.Result(outcome.places, outcome.scores, outcome.reason)


def _summary(seen: SeenMatch, seats: tuple[answers.Seat, ...]) -> answers.Summary:
    match, created = seen.match, seen.match.created
    return answers.Summary(
        id=seen.id,
        game=created.game,
        status=match.status,
        version=match.version,
        at=match.at,
        you=None if seen.viewer == SPECTATOR else seen.viewer,
        to_act=tuple(match.to_act),
        seats=seats,
        private=created.private,
        meet_bots=created.meet_bots,
        practice=created.practice,
        branch=created.branch,
        signed=created.signed,
        clock=answers.Clocks(created.clock.kind, created.clock.ms, created.clock.increment_ms),
    )


def _seat(match: Match, number: int, known: Mapping[str, Player]) -> answers.Seat:
    plan, taken, reserved = match.created.seats[number], match.seats[number], match.reserved_for(number)
    return answers.Seat(
        seat=number,
        type="open" if number in match.declined else plan.kind,
        player=None if taken is None else _sitter(taken.player, taken.house, known, bot=taken.bot),
        invited=None if reserved is None else _sitter(reserved, None, known, bot=False),
        absent=number in match.absent,
        key=None if taken is None else taken.key,
    )


def _sitter(player_id: str, house: str | None, known: Mapping[str, Player], *, bot: bool) -> answers.Sitter:
    """Who has a seat. House bots have the name of their kind; a player whose account was deleted has none."""
    account = known.get(player_id)
    name = house if player_id == HOUSE else account.name if account else None
    return answers.Sitter(player_id, name, account.bot if account else bot)
