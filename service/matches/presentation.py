"""Builds answers about matches: views, facts and legal moves leave the service only through this module."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Protocol

import msgspec
from msgspec import UNSET, UnsetType

from kontor_games.domain.codec import ARBITER, SPECTATOR, Plain
from kontor_games.domain.game import Fact, Move, Rules
from kontor_games.domain.match import Match
from kontor_games.domain.match_facts import SeatLeft, SeatTaken
from kontor_games.domain.narration.narrator import Narrator
from kontor_games.domain.stream import HOUSE, Entry
from kontor_games.service.answer_fields import Moment, moment
from kontor_games.service.matches import answers
from kontor_games.service.matches.event_answers import EventPage, RecordedEvent
from kontor_games.service.matches.private_links import PrivateLinks
from kontor_games.service.people.players import Player, Players


class VisibleMatch(msgspec.Struct, frozen=True):
    """A match at a version, and its reader.

    It holds everything that is hidden, so it never leaves the service.
    """

    id: str
    match: Match
    viewer: int
    at: int
    """The time at which the clocks of the seats are read."""
    head: str
    truth: bool = False
    """Whether the reader sees everything: they asked for it, and the match is over."""
    reader: str = ""
    """The id of the reading player; empty for anybody else."""


class Outcome(VisibleMatch, frozen=True, kw_only=True):
    """The outcome of a command, before redaction."""

    first: int
    facts: tuple[Fact, ...]
    replayed: bool = False
    before: Match | None = None
    """The match before these facts, if texts are wanted."""


class Signer(Protocol):
    """Signs what the service answers for, with the current signing key."""

    def receipt(self, match_id: str, version: int, head: str, at: int) -> answers.Receipt:
        """Sign the version and the head of a match."""

    def commitment(self, match_id: str, commitment: str, at: int) -> tuple[str, str]:
        """Sign the commitment to the server's secret; return the key's id and the signature."""


class Presenter:
    """Builds the answers about matches, redacted for their reader."""

    def __init__(self, players: Players, signer: Signer, links: PrivateLinks) -> None:
        self._players = players
        self._signer = signer
        self._links = links

    def answer(self, outcome: Outcome, language: str | None) -> answers.MoveAnswer:
        """The answer to moves, with texts if the reader asked for them."""
        narrator = self.narrator(outcome.match, outcome.facts, language)
        return answers.MoveAnswer(position(outcome, narrator), *self._effects(outcome, narrator))

    def brief_answer(self, outcome: Outcome, language: str | None) -> answers.BriefMoveAnswer:
        """The answer to moves, without view and legal moves."""
        narrator = self.narrator(outcome.match, outcome.facts, language)
        return answers.BriefMoveAnswer(brief_position(outcome), *self._effects(outcome, narrator))

    def command_answer(self, outcome: Outcome, language: str | None) -> answers.CommandAnswer:
        """The answer to any other command."""
        narrator = self.narrator(outcome.match, outcome.facts, language)
        effects = self._effects(outcome, narrator)
        return answers.CommandAnswer(position(outcome, narrator), *effects, details=self.details(outcome))

    def _effects(
        self, outcome: Outcome, narrator: Narrator | None
    ) -> tuple[int, list[Plain], answers.Receipt, bool, list[str | None] | UnsetType]:
        match = outcome.match
        viewer = match.fact_viewer(outcome.viewer)
        facts = [match.redacted(fact, viewer) for fact in outcome.facts]
        receipt = self._signer.receipt(outcome.id, match.version, outcome.head, outcome.at)
        texts = UNSET if narrator is None else _texts(narrator, outcome, viewer)
        return outcome.first, facts, receipt, outcome.replayed, texts

    def narrator(self, match: Match, facts: Iterable[Fact], language: str | None) -> Narrator | None:
        """The narrator of a match, with the current names of its players; None if no language is wanted."""
        if language is None:
            return None
        ids = {taken.player for taken in match.seats if taken and taken.house is None}
        ids |= {fact.player for fact in facts if isinstance(fact, SeatTaken | SeatLeft)} - {HOUSE}
        known = self._players.get_many(ids) if ids else {}
        names = {player: account.name for player, account in known.items() if account.name}
        return Narrator.of(match, names, language)

    def full(self, visible: VisibleMatch, language: str | None) -> answers.Match:
        """A match with everything that its reader may know."""
        narrator = self.narrator(visible.match, (), language)
        return answers.Match(position(visible, narrator), self.details(visible))

    def details(self, visible: VisibleMatch) -> answers.Details:
        """The announcement, the seats, and the sources of chance."""
        match, created = visible.match, visible.match.created
        secret = created.server_secret if match.revealed or visible.truth else None
        return answers.Details(
            **_announcement(match, self.seats(match)),
            ruleset=answers.Ruleset(created.game, created.rules_version, created.data, created.data_hash),
            options=created.options,
            creator=created.creator,
            on_timeout=created.on_timeout,
            autostart=created.autostart,
            max_returned_ms=created.max_returned_ms,
            required_witnesses=created.required_witnesses,
            witnesses=created.witnesses,
            expires_at=moment(match.expiry),
            chance=answers.Chance(
                created.commitment,
                self._signed_commitment(visible),
                created.sealed,
                moment(match.due),
                created.open_seed,
                created.in_block,
                secret,
            ),
            link_key=self._links.key_for(visible.id, match, visible.reader),
        )

    def _signed_commitment(self, visible: VisibleMatch) -> answers.SignedCommitment | None:
        """The commitment with a signature, as long as players can contribute to the seed."""
        match = visible.match
        if match.status != "open":
            return None
        return answers.SignedCommitment(
            match.at, *self._signer.commitment(visible.id, match.created.commitment, match.at)
        )

    def seats(self, match: Match) -> tuple[answers.Seat, ...]:
        """The seats of a match, with the names that their players have now."""
        return self._seats([match])[0]

    def summaries(self, visible: Sequence[VisibleMatch]) -> tuple[answers.MatchSummary, ...]:
        """The matches as items of a list."""
        return tuple(map(_summary, visible, self._seats([one.match for one in visible])))

    def _seats(self, matches: Sequence[Match]) -> list[tuple[answers.Seat, ...]]:
        """The seats of some matches, with one query for all names."""
        taken = {seat.player for match in matches for seat in match.seats if seat and seat.house is None}
        invited = {plan.player for match in matches for plan in match.created.seats if plan.player}
        known = self._players.get_many(taken | invited) if taken or invited else {}
        return [tuple(_seat(match, number, known) for number in range(len(match.seats))) for match in matches]


def _texts(narrator: Narrator, outcome: Outcome, viewer: int) -> list[str | None]:
    before = outcome.before
    past = Match() if before is None or not before.version else before.copy()
    return list(narrator.story(past, outcome.facts, viewer))


def events(visible: VisibleMatch, facts: Iterable[tuple[int, Entry, Fact]], after: int) -> EventPage:
    """The facts after a version, with their versions and entries, as the reader may see them now."""
    match = visible.match
    viewer = match.fact_viewer(visible.viewer)
    shown = tuple(
        RecordedEvent(version, Moment(entry.at), entry.by, match.redacted(fact, viewer))
        for version, entry, fact in facts
    )
    last = shown[-1].version if shown else after
    more = None if match.over and last >= match.version else last
    return EventPage(visible.id, match.status, match.version, shown, more, match.over)


def position(visible: VisibleMatch, narrator: Narrator | None = None) -> answers.Position:
    """The position, with the legal moves of the reader's seat, labelled by the narrator."""
    match, viewer = visible.match, visible.viewer
    view_of = ARBITER if visible.truth else match.fact_viewer(viewer)
    listed, kinds = moves_of(match, viewer)
    told = {} if narrator is None else _told(narrator, match, viewer, view_of, listed, kinds)
    return answers.Position(
        **_status(visible),
        legal_moves=legal_moves(match, listed, kinds),
        view=match.rules.view(match.state, view_of) if match.begun else None,
        clock=_clocks(match, visible.at),
        result=_result(match),
        head=visible.head,
        **told,
    )


def _told(
    narrator: Narrator,
    match: Match,
    viewer: int,
    view_of: int,
    listed: Sequence[Move],
    kinds: Sequence[type[Move]],
) -> dict[str, Any]:
    """The position in words."""
    labels = narrator.labels(match, viewer, listed, kinds)
    return {"names": narrator.names, "labels": labels, "scene": narrator.scene(match, view_of)}


def brief_position(visible: VisibleMatch) -> answers.BriefPosition:
    """The position, without view and legal moves."""
    match = visible.match
    return answers.BriefPosition(
        **_status(visible), clock=_clocks(match, visible.at), result=_result(match), head=visible.head
    )


def _status(visible: VisibleMatch) -> dict[str, Any]:
    """The fields of a `MatchStatus`."""
    match = visible.match
    return {
        "id": visible.id,
        "status": match.status,
        "version": match.version,
        "at": Moment(match.at),
        "you": None if visible.viewer == SPECTATOR else visible.viewer,
        "to_act": tuple(match.to_act),
    }


def moves_of(match: Match, viewer: int) -> tuple[Sequence[Move], Sequence[type[Move]]]:
    """The moves of the viewer's own seat, and the kinds of move of which there are too many to list."""
    if not match.has_move(viewer):
        return (), ()
    return match.rules.offered_moves(match.state, viewer), match.rules.open_moves(match.state, viewer)


def legal_moves(match: Match, moves: Sequence[Move], kinds: Sequence[type[Move]]) -> list[Plain]:
    """Moves as plain data; a kind of which there are too many to list is given by its schema."""
    if not moves and not kinds:
        return []
    encode = match.rules.move_codec.encode
    return [encode(move) for move in moves] + [_open_move(match.rules, kind.type) for kind in kinds]


@cache
def _open_move(rules: Rules[Any], kind: str) -> Plain:
    return {"type": kind, "schema": rules.move_codec.schema(kind)}


def _clocks(match: Match, at: int) -> answers.Clock:
    clock, settings = match.clock, match.clock.settings
    if settings.kind == "none":
        return answers.Clock(settings.kind, settings.ms, settings.increment_ms)
    seats = tuple(
        answers.SeatClock(seat, clock.left(seat, at), moment(clock.deadline(seat)))
        for seat in range(len(match.seats))
    )
    return answers.Clock(settings.kind, settings.ms, settings.increment_ms, Moment(at), seats)


def _result(match: Match) -> answers.Result | None:
    outcome = match.outcome
    return None if outcome is None else answers.Result(outcome.places, outcome.scores, outcome.reason)


def _summary(visible: VisibleMatch, seats: tuple[answers.Seat, ...]) -> answers.MatchSummary:
    match, created = visible.match, visible.match.created
    return answers.MatchSummary(
        **_status(visible),
        announcement=answers.Announcement(**_announcement(match, seats)),
        clock=answers.ClockKind(created.clock.kind, created.clock.ms, created.clock.increment_ms),
        result=_result(match),
    )


def _announcement(match: Match, seats: tuple[answers.Seat, ...]) -> dict[str, Any]:
    created = match.created
    return {
        "game": created.game,
        "seats": seats,
        "private": created.private,
        "meet_bots": created.meet_bots,
        "practice": created.practice,
        "branch": created.branch,
        "signed": created.signed,
        "rated": created.rated,
        "tags": created.tags,
        "spectator_delay": created.spectator_delay,
    }


def _seat(match: Match, number: int, players: Mapping[str, Player]) -> answers.Seat:
    plan, taken, reserved = match.created.seats[number], match.seats[number], match.reserved_for(number)
    return answers.Seat(
        seat=number,
        type="bot" if match.is_house(number) else "open" if number in match.declined else plan.kind,
        player=None if taken is None else _seat_holder(taken.player, taken.house, players, bot=taken.bot),
        invited=None if reserved is None else _seat_holder(reserved, None, players, bot=False),
        absent=number in match.absent,
        key=None if taken is None else taken.key,
    )


def _seat_holder(
    player_id: str, house: str | None, players: Mapping[str, Player], *, bot: bool
) -> answers.SeatHolder:
    """Who has a seat. House bots have the name of their kind; a player whose account was deleted has none."""
    account = players.get(player_id)
    name = house if player_id == HOUSE else account.name if account else None
    return answers.SeatHolder(player_id, name, account.bot if account else bot)
