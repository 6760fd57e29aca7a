"""The use cases that change a match. Each command is stored completely, once, or not at all."""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any
from uuid import UUID, uuid4, uuid5

import msgspec

from kontor_games.domain.codec import SPECTATOR, Fault, MalformedError, Plain, key_of
from kontor_games.domain.commands import Create, Join, Play, SeatBot
from kontor_games.domain.game import Fact, Move, Refusal, Rules
from kontor_games.domain.games import installed_games
from kontor_games.domain.match import Match
from kontor_games.domain.match_facts import MatchCreated, PositionSet
from kontor_games.domain.match_refusals import NotSeatedError, SignatureRequiredError
from kontor_games.domain.player_signatures import Place, in_signed_form, play_command
from kontor_games.domain.stream import HOUSE, Command
from kontor_games.service.ed25519 import is_signed
from kontor_games.service.errors import KeyReusedError, NotFoundError, RecordDamagedError, StaleVersionError
from kontor_games.service.matches.answers import CommandAnswer, DryRun, MoveAnswer
from kontor_games.service.matches.dry_run import try_moves
from kontor_games.service.matches.invitations import require_welcome
from kontor_games.service.matches.listing import require_listed
from kontor_games.service.matches.match_spec import MatchDefaults, MatchSpec, plan_match
from kontor_games.service.matches.presentation import Outcome, Presenter
from kontor_games.service.matches.private_links import PrivateLinks
from kontor_games.service.matches.quotas import Quotas
from kontor_games.service.people.players import Players
from kontor_games.service.people.tokens import ORGANISE, PLAY, Caller
from kontor_games.service.store.command_handler import CommandHandler, Done, replayed, require_version
from kontor_games.service.store.database import Database
from kontor_games.service.store.match_cache import CachedMatch, MatchCache

_MATCH_NAMESPACE = UUID("6b6f6e74-6f72-4d61-8463-686573000000")
_DIGEST_DIGITS = 32
"""Number of stored hex digits of a request's digest: 128 bits."""
_COMPARED = 4
"""With how many of the last commands an invalid signature is compared, to say what is wrong with it."""
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


@lru_cache(maxsize=512)
def match_uuid(text: str) -> UUID:
    """The id of a match; anything else is treated like the id of a missing match."""
    try:
        parsed = UUID(text)
    except ValueError:
        raise NotFoundError("There is no such match.") from None
    if str(parsed) != text:
        raise NotFoundError("There is no such match.")
    return parsed


@dataclass(eq=False, repr=False)
class Matches:
    """Executes the commands on all matches of this service."""

    _cache: MatchCache
    _handler: CommandHandler[Match]
    _record_time_outs: Callable[[CachedMatch, Call, Command], None]
    """Called before a command in a match with deadlines."""
    _database: Database
    _players: Players
    _presenter: Presenter
    quotas: Quotas
    defaults: MatchDefaults
    """The settings of the operator."""
    links: PrivateLinks
    _on_refused: Callable[[UUID, str, str], None]
    """Called for refused moves in matches of the service, with match, player and code of the problem."""

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
        cached = self._cache.get_or_new(shared_id or own_id)
        if call.key or shared_id:
            cached.refresh()
        if not cached.state.version:
            done = self._create(cached, call, command, plan(), position)
            self._cache.add(cached)
        else:
            done = replayed(cached, cached.entries[0]) if shared_id else self._handler.replay(cached, call)
        return self._presenter.command_answer(outcome(done, call), call.language)

    def _create(
        self,
        cached: CachedMatch,
        call: Call,
        command: Create,
        planned: MatchCreated,
        position: PositionSet | None,
    ) -> Done[Match]:
        def decide(match: Match, at: int) -> list[Fact]:
            if match.version:  # another caller with the same shared id was quicker
                raise StaleVersionError(0, match.version)
            return command.create(match, planned, call.by, at, position)

        try:
            return self._handler.carry_out(cached, call, command, decide)
        except (Refusal, StaleVersionError):
            if not cached.state.version:
                raise
            return replayed(cached, cached.entries[0])

    def execute(self, call: Call, match_id: str, command: Command) -> CommandAnswer:
        """Execute any command except moves."""
        if call.signature is not None:
            # Records are dataclasses.
            command = replace(command, signature=call.signature)  # type: ignore[type-var]
        done = self._execute_on(self.visible_match(call.caller, match_id), call, command)
        return self._presenter.command_answer(outcome(done, call), call.language)

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

    def seat_bot(self, call: Call, match_id: str, seat: int, bot: str, version: int | None) -> CommandAnswer:
        """Give a free seat to a house bot in its current version, which a creator who signs has named."""
        bots = installed_games()[self.visible_match(call.caller, match_id).state.created.game].all_bots
        if bot not in bots:
            raise MalformedError([Fault("/bot", "must be one of " + ", ".join(bots))])
        current = bots[bot].version
        if version not in (None, current):
            raise MalformedError([Fault("/bot_version", f"must be {current}, the current version")])
        return self.execute(call, match_id, SeatBot(seat, bot, current))

    def play(self, call: Call, match_id: str, moves: Sequence[Plain], pointer: str = "") -> MoveAnswer:
        """Make a move, or several as one.

        `pointer` is the JSON pointer to the move in the request or, if it ends with a slash, to the list of
        moves; the faults of malformed moves refer to it.
        """
        cached = self.visible_match(call.caller, match_id)
        try:
            command = read_play(cached.state.rules, moves, pointer, call.signature)
            done = self._execute_on(cached, call, command)
        except REFUSED_MOVE as error:
            self.report_refusal(cached, call, error)
            raise
        return self._presenter.answer(outcome(done, call), call.language)

    def report_refusal(self, cached: CachedMatch, call: Call, error: Exception) -> None:
        """Report a refused move of a player, only in matches that the service created."""
        match = cached.state
        if match.created.creator == HOUSE and match.seat_of(call.by) != SPECTATOR:
            self._on_refused(cached.id, call.by, key_of(type(error)))

    def dry_run(self, call: Call, match_id: str, moves: Sequence[Plain], pointer: str = "") -> DryRun:
        """Check moves without storing anything; return their effect, as far as the caller may know it."""
        cached = self.visible_match(call.caller, match_id)
        cached.refresh()
        match = self.links.require_visible(match_id, cached.state, call.caller)
        require_version(call, match)
        parsed = parse_moves(match.rules, moves, pointer)
        narrator = self._presenter.narrator(match, (), call.language)
        return try_moves(match, call.by, parsed, self._handler.now(match), narrator)

    def _execute_on(self, cached: CachedMatch, call: Call, command: Command) -> Done[Match]:
        self.record_time_outs(cached, call, command)
        return self._handler.carry_out(cached, call, command)

    def visible_match(self, caller: Caller, match_id: str) -> CachedMatch:
        """A match that the caller may see, as it is cached: it may be behind the store."""
        try:
            cached = self._cache.get(match_uuid(match_id))
            if cached.state.created.private and not self.links.may_see(match_id, cached.state, caller):
                cached.refresh()
                self.links.require_visible(match_id, cached.state, caller)
        except RecordDamagedError:
            require_listed(self._database, caller, match_id)
            raise
        if cached.state.is_delayed_for(caller.player):  # a refusal of anything else could tell what is hidden
            raise NotSeatedError("You have no seat in this match.")
        return cached

    def record_time_outs(self, cached: CachedMatch, call: Call, command: Command) -> None:
        """Record passed deadlines, if the match has any."""
        if cached.state.next_deadline is not None:
            self._record_time_outs(cached, call, command)


def outcome(done: Done[Match], call: Call) -> Outcome:
    """The outcome of a command for its author."""
    cached, entry, match, head, before = done
    is_replayed = before is None
    if is_replayed and call.language:
        before = cached.at_version(entry.first - 1)
    return Outcome(
        *(cached.name, match, match.seat_of(call.by), entry.at, head),
        reader=call.by,
        first=entry.first,
        facts=entry.facts,
        replayed=is_replayed,
        before=before,
    )


def sign(cached: CachedMatch, by: str, command: Command) -> Command:
    """A command in the form that its author signed, if they have to sign."""
    match = cached.state
    if command.signature is None and not isinstance(command, Join) and match.key_of(by) is None:
        return command
    last = zip(cached.entries[-_COMPARED:], cached.heads[-_COMPARED:], strict=True)
    *earlier, place = [Place(cached.name, entry.last, head) for entry, head in last]
    return in_signed_form(match, place, earlier, by, command, is_signed)


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
