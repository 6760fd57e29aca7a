"""The use cases that change a match. Each command is stored completely, once, or not at all."""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any, NamedTuple
from uuid import UUID, uuid4, uuid5

import msgspec
from eventsourcing.persistence import IntegrityError

from kontor_games.domain.codec import SPECTATOR, Fault, MalformedError, Plain, key_of
from kontor_games.domain.commands import Command, Create, Entry, Join, Play
from kontor_games.domain.game import Fact, Move, Refusal, Rules
from kontor_games.domain.match import Match
from kontor_games.domain.match_facts import HOUSE, MatchCreated, PositionSet, SeatTaken
from kontor_games.domain.match_refusals import SignatureRequiredError
from kontor_games.domain.player_signatures import Place, in_signed_form, play_command
from kontor_games.service.ed25519 import is_signed
from kontor_games.service.errors import KeyReusedError, MatchDamagedError, NotFoundError, StaleVersionError
from kontor_games.service.matches.answers import Answer, CommandAnswer, DryRun
from kontor_games.service.matches.dry_run import try_moves
from kontor_games.service.matches.invitations import require_welcome
from kontor_games.service.matches.listing import listing_rows, require_listed
from kontor_games.service.matches.match_spec import MatchDefaults, MatchSpec, plan_match
from kontor_games.service.matches.presentation import Outcome, Presenter
from kontor_games.service.matches.private_links import PrivateLinks
from kontor_games.service.matches.quotas import Quotas
from kontor_games.service.people.players import Players
from kontor_games.service.people.tokens import ORGANISE, PLAY, Caller
from kontor_games.service.store.database import Database, Statement
from kontor_games.service.store.match_cache import CachedMatch, MatchCache

_MATCH_NAMESPACE = UUID("6b6f6e74-6f72-4d61-8463-686573000000")
_DIGEST_DIGITS = 32
"""Number of stored hex digits of a request's digest: 128 bits."""
_COMPARED = 4
"""With how many of the last commands an invalid signature is compared, to say what is wrong with it."""
ATTEMPTS = 20
"""How often a command is decided again because other commands were stored first."""

Decide = Callable[[Match, int], list[Fact]]
"""Executes a command on a copy of a match at a given time; returns its facts."""
REFUSED_MOVE = (Refusal, MalformedError, StaleVersionError, KeyReusedError)
"""The errors of moves for which the player is responsible, not the service."""


class Call(msgspec.Struct, frozen=True):
    """The envelope of a command: caller, key, digest of the request, and the version that it is based on."""

    caller: Caller
    key: str | None = None
    """The Idempotency-Key, if the caller sent one."""
    request_digest: str = ""
    if_version: int | None = None
    signature: str | None = None
    """The signature of the player under the command, if they play with a key."""
    language: str | None = None
    """The language of the texts in the answer, if the caller wants texts."""
    brief: bool = False
    """Whether the caller needs neither view nor legal moves in the answer."""

    @property
    def by(self) -> str:
        """The player id of the caller."""
        return self.caller.player

    @property
    def stored_digest(self) -> str:
        """The part of the digest that is stored."""
        return self.request_digest[:_DIGEST_DIGITS]


class Draft(NamedTuple):
    """A command that was executed on a copy of a match and is not stored yet."""

    entry: Entry
    match: Match
    statements: Sequence[Statement]
    before: Match
    """The match before the command."""


@lru_cache(maxsize=4096)
def match_uuid(text: str) -> UUID:
    """The id of a match; anything else is treated like the id of a missing match."""
    try:
        parsed = UUID(text)
    except ValueError:
        raise NotFoundError("There is no such match.") from None
    if str(parsed) != text:
        raise NotFoundError("There is no such match.")
    return parsed


class Matches:
    """Executes the commands on all matches of this service."""

    def __init__(
        self,
        cache: MatchCache,
        database: Database,
        players: Players,
        presenter: Presenter,
        announce_change: Callable[[UUID, Match], None],
        clock: Callable[[], int],
        quotas: Quotas,
        defaults: MatchDefaults,
        links: PrivateLinks,
        on_refused: Callable[[UUID, str, str], None],
    ) -> None:
        """`announce_change` is called after each commit; `defaults` are the operator's settings.

        `on_refused` is called for refused moves in matches of the service, with match, player and code of the
        problem.
        """
        self.defaults = defaults
        self.record_deadlines: Callable[[CachedMatch, Call, Command], None]
        """Records a match's passed deadlines before a command is decided, if the timekeeper has not yet."""
        self.links = links
        self.quotas = quotas
        self._cache = cache
        self._database = database
        self._players = players
        self._presenter = presenter
        self._announce_change = announce_change
        self._on_refused = on_refused
        self._clock = clock

    # --- commands of players --------------------------------------------------------------------------------

    def create(self, call: Call, spec: MatchSpec) -> CommandAnswer:
        """Create a match; the same key gives the same match."""
        call.caller.require(PLAY if spec.has_seat_for(call.by) else ORGANISE)
        takes_seat = any(seat.kind == "me" for seat in spec.seats)
        command = Create(takes_seat, call.caller.bot, contribution="")
        with self.quotas.creating(call.by):
            return self.announce(call, command, lambda: self.plan(call.by, spec))

    def plan(self, creator: str, spec: MatchSpec) -> MatchCreated:
        """The first fact of a match, if the creator may have one more and those invited accept."""
        created = plan_match(spec, creator, secrets.token_hex(32), self._players.exists, self.defaults)
        for invited in {plan.player for plan in created.seats if plan.player}:
            require_welcome(self._database, self._players, creator, invited)
        self.quotas.require_within_quota(creator)
        return created

    def announce(
        self,
        call: Call,
        command: Create,
        plan: Callable[[], MatchCreated],
        position: PositionSet | None = None,
        shared_id: UUID | None = None,
    ) -> CommandAnswer:
        """Create a match as planned, optionally in a position; checks neither quotas nor invitations.

        Several callers with the same `shared_id` create one match.
        """
        own_id = uuid5(_MATCH_NAMESPACE, f"{call.by} {call.key}") if call.key else uuid4()
        log = self._cache.get_or_new(shared_id or own_id)
        if call.key or shared_id:
            log.refresh()
        if log.match.version:
            outcome = _replayed(log, call, log.entries[0]) if shared_id else self.replay(log, call)
        else:
            outcome = self._create(log, call, command, plan(), position)
            self._cache.add(log)
        return self._presenter.command_answer(outcome, call.language)

    def _create(
        self,
        log: CachedMatch,
        call: Call,
        command: Create,
        planned: MatchCreated,
        position: PositionSet | None,
    ) -> Outcome:
        def decide(match: Match, at: int) -> list[Fact]:
            if match.version:  # another caller with the same shared id was quicker
                raise StaleVersionError(0, match.version)
            return command.create(match, planned, call.by, at, position)

        try:
            return self.carry_out(log, call, command, decide)
        except (Refusal, StaleVersionError):
            if not log.match.version:
                raise
            return _replayed(log, call, log.entries[0])

    def execute(self, call: Call, match_id: str, command: Command) -> CommandAnswer:
        """Execute any command except moves."""
        if call.signature is not None:
            # Records are dataclasses.
            command = replace(command, signature=call.signature)  # type: ignore[type-var]
        outcome = self._execute_on(self.visible_log(call.caller, match_id), call, command)
        return self._presenter.command_answer(outcome, call.language)

    def join(self, call: Call, match_id: str, join: Join) -> CommandAnswer:
        """Take a seat. A player with a registered key must play with it: a stolen token alone is useless."""
        key = self._players.get(call.by).public_key
        if join.key != key:
            raise SignatureRequiredError(
                "You have registered no key: send no `key`."
                if key is None
                else "Join with the public key that you have registered, and sign the request.",
                "",
            )
        return self.execute(call, match_id, join)

    def play(self, call: Call, match_id: str, moves: Sequence[Plain], pointer: str = "") -> Answer:
        """Make a move, or several as one.

        `pointer` is the JSON pointer to the move in the request or, if it ends with a slash, to the list of
        moves; the faults of malformed moves refer to it.
        """
        log = self.visible_log(call.caller, match_id)
        try:
            command = read_play(log.match.rules, moves, pointer, call.signature)
            outcome = self._execute_on(log, call, command)
        except REFUSED_MOVE as error:
            self.report_refusal(log, call, error)
            raise
        return self._presenter.answer(outcome, call.language)

    def report_refusal(self, log: CachedMatch, call: Call, error: Exception) -> None:
        """Report a refused move of a player, only in matches that the service created."""
        match = log.match
        if match.created.creator == HOUSE and match.seat_of(call.by) != SPECTATOR:
            self._on_refused(log.id, call.by, key_of(type(error)))

    def dry_run(self, call: Call, match_id: str, moves: Sequence[Plain]) -> DryRun:
        """Check moves without storing anything; return their effect, as far as the caller may know it."""
        log = self.visible_log(call.caller, match_id)
        log.refresh()
        match = self.links.require_visible(match_id, log.match, call.caller)
        _require_version(call, match)
        parsed = parse_moves(match.rules, moves, "")
        narrator = self._presenter.narrator(match, (), call.language)
        return try_moves(match, call.by, parsed, self._now(match), narrator)

    def _execute_on(self, log: CachedMatch, call: Call, command: Command) -> Outcome:
        self.record_time_outs(log, call, command)
        return self.carry_out(log, call, command)

    def visible_log(self, caller: Caller, match_id: str) -> CachedMatch:
        """A match that the caller may see, with its log; it may be behind the store."""
        try:
            log = self._cache.get(match_uuid(match_id))
            if log.match.created.private and not self.links.may_see(match_id, log.match, caller):
                log.refresh()
                self.links.require_visible(match_id, log.match, caller)
        except MatchDamagedError:
            require_listed(self._database, caller, match_id)
            raise
        return log

    def record_time_outs(self, log: CachedMatch, call: Call, command: Command) -> None:
        """Record passed deadlines, if the match has any."""
        if log.match.next_deadline is not None:
            self.record_deadlines(log, call, command)

    # --- carrying a command out -----------------------------------------------------------------------------

    def carry_out(
        self, log: CachedMatch, call: Call, command: Command, decide: Decide | None = None
    ) -> Outcome:
        """Decide a command on the cached match and store it.

        The store is read only after a refusal or a conflict; then the command is decided again.
        """
        with log.lock:
            for attempt in range(ATTEMPTS):
                if (call.by, call.key) in log.keys:
                    return self.replay(log, call, publish=attempt > 0)
                try:
                    return self._try(log, call, command, decide)
                except IntegrityError:
                    log.refresh()
                except (Refusal, StaleVersionError):
                    if attempt:
                        raise
                    log.refresh()
            raise StaleVersionError(call.if_version or 0, log.match.version)

    def _try(self, log: CachedMatch, call: Call, command: Command, decide: Decide | None) -> Outcome:
        draft = self.draft(log, call, command, decide)
        log.append(draft.entry, draft.match, draft.statements)
        return self.publish(log, call, draft)

    def draft(self, log: CachedMatch, call: Call, command: Command, decide: Decide | None = None) -> Draft:
        """Execute a command on a copy of the match, or raise the refusal."""
        before = log.match
        _require_version(call, before)
        match = before.copy() if before.version else Match()
        at, by = self._now(before), call.by
        signs = command.signature is not None or isinstance(command, Join)
        if before.version and (signs or before.key_of(by) is not None):
            *earlier, place = _last_places(log)
            command = in_signed_form(before, place, earlier, by, command, is_signed)
        facts = tuple(decide(match, at) if decide else command.decide(match, by, at))
        key = call.key or secrets.token_hex(8)
        entry = Entry(before.version + 1, at, by, match.acted, command, key, call.stored_digest, facts)
        same_listing = before.version and _listed_as(before) == _listed_as(match)
        statements = () if same_listing else listing_rows(log.id, before, match, at)
        return Draft(entry, match, statements, before)

    def publish(self, log: CachedMatch, call: Call, draft: Draft) -> Outcome:
        """Notify listeners of a stored command, and return its outcome."""
        self._publish(log)
        return _outcome(log, call, draft.entry, draft.match, log.heads[-1], draft.before)

    def _publish(self, log: CachedMatch) -> None:
        log.notified_version = log.match.version
        self._announce_change(log.id, log.match)

    def replay(self, log: CachedMatch, call: Call, *, publish: bool = False) -> Outcome:
        """The first answer again, computed from the stored facts.

        With `publish`, listeners are notified again: perhaps this process stored the command but lost the
        answer of the database, so that nobody was notified.
        """
        if publish:
            self._publish(log)
        entry = log.keys.get((call.by, call.key or ""))
        if entry is None or entry.request_digest != call.stored_digest:
            raise KeyReusedError("This Idempotency-Key was already used for a different request.")
        return _replayed(log, call, entry)

    def _now(self, match: Match) -> int:
        return max(self._clock(), match.at)


def _replayed(log: CachedMatch, call: Call, entry: Entry) -> Outcome:
    """The outcome of a stored command, computed again."""
    match = log.match if log.match.version == entry.last else log.at_version(entry.last)
    before = log.at_version(entry.first - 1) if call.language else None
    return _outcome(log, call, entry, match, log.head_at(entry.last), before, replayed=True)


def _outcome(
    log: CachedMatch,
    call: Call,
    entry: Entry,
    match: Match,
    head: str,
    before: Match | None,
    *,
    replayed: bool = False,
) -> Outcome:
    return Outcome(
        *(log.name, match, match.seat_of(call.by), entry.at, head),
        reader=call.by,
        first=entry.first,
        facts=entry.facts,
        replayed=replayed,
        before=before,
    )


def _listed_as(match: Match) -> tuple[str, list[SeatTaken | None], tuple[int, ...]]:
    """The parts of a match on which its rows in lists depend."""
    return match.status, match.seats, match.declined


def _require_version(call: Call, match: Match) -> None:
    if call.if_version is not None and call.if_version != match.version:
        raise StaleVersionError(call.if_version, match.version)


def _last_places(log: CachedMatch) -> list[Place]:
    """The places in the history of a match for which its players have signed recently, or sign now."""
    last = zip(log.entries[-_COMPARED:], log.heads[-_COMPARED:], strict=True)
    return [Place(log.name, entry.last, head) for entry, head in last]


def read_play(rules: Rules[Any], moves: Sequence[Plain], pointer: str, signature: str | None) -> Play:
    """Parse untrusted moves into a command; raise MalformedError with every fault of every move."""
    parsed = parse_moves(rules, moves, pointer)
    return Play(parsed) if signature is None else play_command(rules, parsed, moves, signature)


def parse_moves(rules: Rules[Any], moves: Sequence[Plain], pointer: str) -> tuple[Move, ...]:
    """Parse untrusted moves; raise MalformedError with every fault of every move."""
    faults: list[Fault] = []
    parse = partial(rules.move_codec.parse_into, faults=faults)
    parsed = tuple(
        [
            parse(data, f"{pointer}{index}" if pointer.endswith("/") else pointer)
            for index, data in enumerate(moves)
        ]
    )
    if faults:
        raise MalformedError(faults)
    return parsed
