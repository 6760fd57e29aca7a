"""The use cases of a match: create, join, play, look. Each command is stored whole, once, or not at all."""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Protocol
from uuid import UUID, uuid4, uuid5

from eventsourcing.persistence import IntegrityError

from kontor_games.domain.chance import Seeded
from kontor_games.domain.codec import SPECTATOR, Fault, MalformedError, Plain
from kontor_games.domain.commands import acting_seat, create, obey
from kontor_games.domain.entry import HOUSE, Entry
from kontor_games.domain.game import Fact, Move, Refusal, Rules
from kontor_games.domain.match import Decide, Match
from kontor_games.domain.match_facts import MatchCreated, PositionSet
from kontor_games.domain.match_refusals import StillHiddenError, TimeIsUpError
from kontor_games.service.errors import KeyReusedError, NotFoundError, StaleVersionError
from kontor_games.service.matches.answers import Answer, Events, Happening, Look, Page
from kontor_games.service.matches.listing import listing_cursor, listing_filters, listing_rows
from kontor_games.service.matches.match_spec import MatchSpec, plan_match
from kontor_games.service.people.players import Players
from kontor_games.service.people.tokens import Caller
from kontor_games.service.store.database import Database
from kontor_games.service.store.match_cache import CachedMatch, MatchCache

_MATCH_NAMESPACE = UUID("6b6f6e74-6f72-4d61-8463-686573000000")
_BODY_DIGITS = 32
"""So much of a request's digest is kept: 128 bits."""
_ATTEMPTS = 20
"""How often a command is decided anew when others keep getting in first."""


@dataclass(frozen=True, slots=True)
class Command:
    """Who wants what, under which key, decided on which version."""

    by: str
    intent: Plain
    key: str
    body: str
    if_version: int | None = None

    def decide(self, match: Match, at: int) -> list[Fact]:
        """The facts this command causes."""
        return obey(match, self.intent, self.by, at)


class Herald(Protocol):
    """Whom to tell that something was stored."""

    def publish(self, match_id: UUID, match: Match) -> None:
        """Called after the commit, and only then."""


def match_uuid(text: str) -> UUID:
    """The id of a match; anything else is as good as a missing match."""
    try:
        parsed = UUID(text)
    except ValueError:
        raise NotFoundError("There is no such match.") from None
    if str(parsed) != text:
        raise NotFoundError("There is no such match.")
    return parsed


class Matches:
    """All matches of this service."""

    def __init__(self, cache: MatchCache, database: Database, players: Players, herald: Herald, clock: Callable[[], int]) -> None:
        """Takes everything it works with as arguments."""
        self._cache = cache
        self._database = database
        self._players = players
        self._herald = herald
        self._clock = clock

    # --- commands ----------------------------------------------------------------------------------------------------------

    def create(self, caller: Caller, spec: MatchSpec, key: str | None, body: str) -> Answer:
        """Announces a match; the same key gives the same match."""
        takes_seat = any(wish.kind == "me" for wish in spec.seats)
        intent = {"type": "create", "takes_seat": takes_seat, "bot": caller.bot, "contribution": spec.contribution}
        return self.announce(caller, intent, lambda: plan_match(spec, caller.player, secrets.token_hex(32), self._is_player), key, body)

    def announce(
        self,
        caller: Caller,
        intent: Plain,
        plan: Callable[[], MatchCreated],
        key: str | None,
        body: str,
        position: PositionSet | None = None,
    ) -> Answer:
        """Creates a match as planned, to begin in a position if one is given."""
        match_id = uuid5(_MATCH_NAMESPACE, f"{caller.player} {key}") if key else uuid4()
        log = self._cache.get_or_new(match_id)
        if key:
            log.refresh()
        command = Command(caller.player, intent, key or secrets.token_hex(8), body[:_BODY_DIGITS])
        if log.match.version:
            return self._replay(log, command, caller)
        planned = plan()
        answer = self._carry_out(log, command, caller, lambda match, at: create(match, intent, planned, caller.player, at, position))
        self._cache.add(log)
        return answer

    def join(
        self, caller: Caller, match_id: str, seat: int | None, contribution: str, key: str | None, body: str, if_version: int | None
    ) -> Answer:
        """Sits down."""
        intent = {"type": "join", "seat": seat, "bot": caller.bot, "contribution": contribution}
        return self._command(caller, match_id, intent, key, body, if_version)

    def leave(self, caller: Caller, match_id: str, key: str | None, body: str, if_version: int | None) -> Answer:
        """Stands up before the start."""
        return self._command(caller, match_id, {"type": "leave"}, key, body, if_version)

    def open_contribution(self, caller: Caller, match_id: str, value: str, key: str | None, body: str, if_version: int | None) -> Answer:
        """Opens the contribution that was sealed when joining."""
        return self._command(caller, match_id, {"type": "open", "value": value}, key, body, if_version)

    def start(self, caller: Caller, match_id: str, key: str | None, body: str, if_version: int | None) -> Answer:
        """Starts a full match that does not start by itself."""
        return self._command(caller, match_id, {"type": "start"}, key, body, if_version)

    def resign(self, caller: Caller, match_id: str, key: str | None, body: str, if_version: int | None) -> Answer:
        """Gives up."""
        return self._command(caller, match_id, {"type": "resign"}, key, body, if_version)

    def abort(self, caller: Caller, match_id: str, key: str | None, body: str, if_version: int | None) -> Answer:
        """Breaks the match off, or agrees to."""
        return self._command(caller, match_id, {"type": "abort"}, key, body, if_version)

    def play(
        self, caller: Caller, match_id: str, moves: Sequence[Plain], key: str | None, body: str, if_version: int | None, at: str = ""
    ) -> Answer:
        """Makes a move, or several as one; `at` is where in the request they stand, for the faults of malformed ones."""
        log = self._seen(caller, match_id)
        rules = log.match.rules
        intent = {"type": "play", "moves": [rules.move_codec.encode(move) for move in parse_moves(rules, moves, at)]}
        return self._command_on(log, caller, intent, key, body, if_version)

    def dry_run(self, caller: Caller, match_id: str, moves: Sequence[Plain], if_version: int | None, at: str = "") -> Answer:
        """What a move would do as far as the caller may know: nothing is stored; a refusal is raised as for the move itself."""
        log = self._cache.get_fresh(match_uuid(match_id))
        match = self._visible(log.match, caller)
        if if_version is not None and if_version != match.version:
            raise StaleVersionError(if_version, match.version)
        trial, moment = match.copy(), self._now(match)
        if trial.begun:
            # Tried in a world that the caller can't tell from the real one: a second move could else show what chance brings after the first.
            trial.chance = Seeded(secrets.token_bytes(32))
            trial.state = match.rules.resample(match.state, match.seat_of(caller.player), trial.chance)
        trial.play(caller.player, parse_moves(match.rules, moves, at), moment)
        return Answer(match_id, match, match.seat_of(caller.player), match.version + 1, (), moment, log.heads[-1])

    def play_for_house(self, match_id: UUID, version: int, seat: int, chosen: Move) -> None:
        """A house bot's move, decided on a version; StaleVersionError where the match has moved on."""
        log = self._cache.get(match_id)
        intent = {"type": "play", "seat": seat, "moves": [log.match.rules.move_codec.encode(chosen)]}
        self._carry_out(log, Command(HOUSE, intent, f"bot.{version}.{seat}", "", version))

    def expire(self, match_id: UUID) -> int | None:
        """Records what is due at this moment; answers when the next thing will be."""
        log = self._cache.get_fresh(match_id)
        while (deadline := log.match.next_deadline) is not None and deadline <= self._clock():
            self._record_deadline(log)
        return deadline

    def _record_deadline(self, log: CachedMatch) -> None:
        match, version = log.match, log.match.version
        if match.due is not None:
            command = Command(HOUSE, {"type": "give_up_waiting"}, f"due.{version}", "", version)
        else:
            seat = match.clock.flagged(self._now(match))[0]
            command = Command(HOUSE, {"type": "time_out", "seat": seat}, f"clock.{version}.{seat}", "", version)
        try:
            self._carry_out(log, command)
        except (StaleVersionError, Refusal):
            log.refresh()  # somebody else recorded it, or the player moved in time after all

    def _command(self, caller: Caller, match_id: str, intent: Plain, key: str | None, body: str, if_version: int | None) -> Answer:
        return self._command_on(self._seen(caller, match_id), caller, intent, key, body, if_version)

    def _command_on(self, log: CachedMatch, caller: Caller, intent: Plain, key: str | None, body: str, if_version: int | None) -> Answer:
        command = Command(caller.player, intent, key or secrets.token_hex(8), body[:_BODY_DIGITS], if_version)
        deadline = log.match.next_deadline
        if deadline is not None and deadline <= self._clock():
            self._record_time_outs(log, command)
        return self._carry_out(log, command, caller)

    def _record_time_outs(self, log: CachedMatch, command: Command) -> None:
        """Time that is up is recorded before a command is looked at, whether or not the timekeeper was there first."""
        log.refresh()
        if (command.by, command.key) in log.keys:
            return
        late = log.match.seat_of(command.by) in log.match.clock.flagged(self._clock())
        self.expire(log.id)
        if late and command.intent["type"] == "play":
            raise TimeIsUpError("your time ran out before this move arrived")

    # --- carrying a command out --------------------------------------------------------------------------------------------

    def _carry_out(self, log: CachedMatch, command: Command, caller: Caller | None = None, decide: Decide | None = None) -> Answer:
        """Decides on what this process knows, and stores. Only a refusal or a lost race makes it look at the store first."""
        with log.lock:
            for attempt in range(_ATTEMPTS):
                if (command.by, command.key) in log.keys:
                    if attempt:
                        self._publish(log)  # stored by us perhaps, and only the answer was lost: then nobody has heard of it
                    return self._replay(log, command, caller)
                try:
                    return self._try(log, command, decide or command.decide)
                except IntegrityError:
                    log.refresh()
                except (Refusal, StaleVersionError):
                    if attempt:
                        raise
                    log.refresh()
            raise StaleVersionError(command.if_version or 0, log.match.version)

    def _try(self, log: CachedMatch, command: Command, decide: Decide) -> Answer:
        before = log.match
        if command.if_version is not None and command.if_version != before.version:
            raise StaleVersionError(command.if_version, before.version)
        match = before.copy() if before.version else Match()
        at = self._now(before)
        facts = tuple(decide(match, at))
        entry = Entry(
            before.version + 1,
            at,
            command.by,
            acting_seat(match, command.intent, command.by),
            command.intent,
            command.key,
            command.body,
            facts,
        )
        log.append(entry, match, listing_rows(log.id, before, match, at))
        self._publish(log)
        return Answer(log.name, match, match.seat_of(command.by), entry.first, facts, at, log.heads[-1])

    def _publish(self, log: CachedMatch) -> None:
        log.notified_version = log.match.version
        self._herald.publish(log.id, log.match)

    def _replay(self, log: CachedMatch, command: Command, caller: Caller | None) -> Answer:
        """The first answer again, recomputed from the facts."""
        player = caller.player if caller else command.by
        entry = log.keys.get((command.by, command.key))
        if entry is None or entry.body != command.body:
            raise KeyReusedError("this Idempotency-Key was used for another request")
        match = log.match if log.match.version == entry.last else log.at_version(entry.last)
        return Answer(log.name, match, match.seat_of(player), entry.first, entry.facts, entry.at, log.head_at(entry.last), replayed=True)

    def _is_player(self, player: str) -> bool:
        return self._players.exists(player)

    def _now(self, match: Match) -> int:
        return max(self._clock(), match.at)

    # --- looking -----------------------------------------------------------------------------------------------------------

    def _seen(self, caller: Caller | None, match_id: str) -> CachedMatch:
        log = self._cache.get(match_uuid(match_id))
        try:
            self._visible(log.match, caller)
        except NotFoundError:
            log.refresh()
            self._visible(log.match, caller)
        return log

    def _visible(self, match: Match, caller: Caller | None) -> Match:
        """A foreign private match looks like a missing one."""
        if not _may_see(match, caller):
            raise NotFoundError("There is no such match.")
        return match

    def look(self, caller: Caller | None, match_id: str, version: int | None = None, *, truth: bool = False) -> Look:
        """A match as the caller may see it, now or as it stood at a version; with all that was hidden then, once it is over."""
        log = self._cache.get_fresh(match_uuid(match_id))
        match = self._visible(log.match, caller)
        if truth and not match.over:
            raise StillHiddenError(f"the match is {match.status}: what is hidden in it is shown when it is over")
        if version is not None and version != match.version:
            if not 1 <= version <= match.version:
                raise NotFoundError(f"the match has versions 1 to {match.version}")
            match = log.at_version(version)
        return self._look_at(log, match, caller, truth=truth)

    def _look_at(self, log: CachedMatch, match: Match, caller: Caller | None, *, truth: bool = False) -> Look:
        viewer = match.seat_of(caller.player if caller else None)
        return Look(log.name, match, viewer, self._clock(), log.head_at(match.version), truth)

    def events(self, caller: Caller | None, match_id: str, after: int, limit: int, at_least: int | None = None) -> Events:
        """Facts beyond a version, one happening each: all there are, or at least those up to a version that is known to be there."""
        parsed = match_uuid(match_id)
        log = self._cache.get_fresh(parsed) if at_least is None else self._cache.get_at_least(parsed, at_least)
        match = self._visible(log.match, caller)
        facts = ((v, entry, fact) for entry in log.entries_after(after) for v, fact in enumerate(entry.facts, entry.first))
        news = islice(((v, entry, fact) for v, entry, fact in facts if v > after), limit)
        happenings = tuple(Happening(version, entry.at, entry.by, fact) for version, entry, fact in news)
        return Events(match_id, match, match.seat_of(caller.player if caller else None), happenings)

    def page(self, caller: Caller | None, game: str | None, status: str | None, player: str | None, cursor: str | None, limit: int) -> Page:
        """Matches that the caller may know of, newest first."""
        where, values = listing_filters(caller, game, status, player, cursor)
        rows = self._database.read(
            f"SELECT m.id, m.created_at FROM matches m WHERE {' AND '.join(where)} ORDER BY m.created_at DESC, m.id DESC LIMIT ?",  # noqa: S608
            [*values, limit + 1],
        )
        logs = self._cache.load_many([UUID(row["id"]) for row in rows[:limit]])
        # One that the caller left since its row was read is theirs to see no more.
        looks = tuple(self._look_at(log, log.match, caller) for log in logs if _may_see(log.match, caller))
        last = rows[limit - 1] if len(rows) > limit else None
        return Page(looks, listing_cursor(last) if last else None)

    def running(self, kind: str) -> dict[UUID, int]:
        """The matches that are not over and have house bots (`bots`) or deadlines (`clock`), with the version of their newest entry."""
        column = {"bots": "bots", "clock": "clock"}[kind]
        rows = self._database.read(f"SELECT id FROM matches WHERE status IN ('open', 'running') AND {column} = 1")  # noqa: S608
        return self._cache.newest([UUID(row["id"]) for row in rows])

    def of_player(self, player: str) -> list[str]:
        """The matches a player sits in or has created that are not over."""
        rows = self._database.read(
            "SELECT m.id FROM matches m JOIN match_players p ON p.match_id = m.id"
            " WHERE p.player = ? AND m.status IN ('open', 'running') ORDER BY m.created_at, m.id",
            [player],
        )
        return [row["id"] for row in rows]


def parse_moves(rules: Rules[Any], moves: Sequence[Plain], at: str) -> list[Move]:
    """Untrusted moves as objects; every fault of every move is named."""
    codec = rules.move_codec
    parsed: list[Move] = []
    faults: list[Fault] = []
    for index, data in enumerate(moves):
        try:
            parsed.append(codec.parse(data, f"{at}/{index}" if at else ""))
        except MalformedError as error:
            faults += error.faults
    if faults:
        raise MalformedError(faults)
    return parsed


def _may_see(match: Match, caller: Caller | None) -> bool:
    """A private match is for those who have part in it: as creator, at the table, or by invitation."""
    if not match.created.private:
        return True
    if caller is None:
        return False
    invited = any(plan.player == caller.player for plan in match.created.seats)
    return invited or caller.player == match.created.creator or match.seat_of(caller.player) != SPECTATOR
