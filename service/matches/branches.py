"""Branches: new matches that start in a position of another one.

Anyone who may see a finished match can branch from any version of it; hidden cards are as they really were.
From a running match only its players can, if the match allows practice; everything that is hidden from the
player is then drawn again at random.
"""

import secrets
from dataclasses import dataclass, replace

from kontor_games.domain.chance import Seeded
from kontor_games.domain.clock import ClockSettings
from kontor_games.domain.codec import SPECTATOR, Fault, MalformedError, Plain
from kontor_games.domain.commands import Create
from kontor_games.domain.games import installed_games
from kontor_games.domain.match import Match
from kontor_games.domain.match_facts import SALT_VERSION, MatchCreated, PositionSet, SeatPlan
from kontor_games.domain.match_refusals import NothingToPlayError, NotSeatedError, PracticeForbiddenError
from kontor_games.domain.position import dump_position
from kontor_games.domain.seed import commitment_of
from kontor_games.service.matches.answers import CommandAnswer
from kontor_games.service.matches.match_spec import MatchDefaults
from kontor_games.service.matches.presentation import VisibleMatch
from kontor_games.service.matches.queries import Queries
from kontor_games.service.matches.use_cases import Call, Matches, match_uuid
from kontor_games.service.store.match_cache import MatchCache

_NO_POSITION = "There is no position to continue from at this version. Choose a version during the game."


@dataclass(frozen=True, slots=True)
class BranchSpec:
    """The version to start from, the caller's seat, and the house bot on the other seats."""

    version: int
    seat: int | None = None
    bot: str | None = None


class Branches:
    """Creates matches that start in a position of another match."""

    def __init__(self, matches: Matches, queries: Queries, cache: MatchCache) -> None:
        self._matches = matches
        self._queries = queries
        self._cache = cache

    def branch(self, call: Call, match_id: str, spec: BranchSpec) -> CommandAnswer:
        """Create a match in that position: the caller on one seat, house bots on the others.

        The new match is marked as a branch and never rated.
        """
        now = self._queries.visible_match(call.caller, match_id)
        _check(spec, now)
        version = self._last_complete_version(match_id, spec.version)
        if not version:
            raise NothingToPlayError(_NO_POSITION)
        then = self._queries.visible_match(call.caller, match_id, version)
        position = _position(now.match, then.match, now.viewer)
        created = _announcement(then.match, call.by, spec, now.viewer, self._matches.defaults)
        command = Create(takes_seat=True, bot=call.caller.bot, contribution="")
        start = PositionSet(match_id, version, position)
        with self._matches.quotas.creating(call.by):
            return self._matches.announce(call, command, lambda: self._within_quota(created), start)

    def _within_quota(self, created: MatchCreated) -> MatchCreated:
        self._matches.quotas.require_within_quota(created.creator)
        return created

    def _last_complete_version(self, match_id: str, version: int) -> int:
        """The newest version, up to the given one, after which a command was complete; 0 if there is none."""
        entries = self._cache.get(match_uuid(match_id)).entries
        return max((entry.last for entry in entries if entry.last <= version), default=0)


def _check(spec: BranchSpec, now: VisibleMatch) -> None:
    """Raise MalformedError with all faults of the request."""
    match, faults = now.match, list[Fault]()
    bots = installed_games()[match.created.game].all_bots
    if not 1 <= spec.version <= match.version:
        faults.append(Fault("/version", f"must be between 1 and {match.version}"))
    if spec.bot is not None and spec.bot not in bots:
        faults.append(Fault("/bot", "must be one of " + ", ".join(bots)))
    if spec.seat is not None and not 0 <= spec.seat < len(match.seats):
        faults.append(Fault("/seat", f"must be between 0 and {len(match.seats) - 1}"))
    elif spec.seat not in (None, now.viewer) and now.viewer != SPECTATOR and not match.revealed:
        faults.append(Fault("/seat", "must be your own while the match runs"))
    if faults:
        raise MalformedError(faults)


def _position(now: Match, then: Match, viewer: int) -> Plain:
    """Return the position as it was, if nothing in the match is hidden any more.

    Otherwise everything that is hidden from the viewer is drawn again at random.
    """
    if not now.revealed and viewer == SPECTATOR:
        raise NotSeatedError("While a match is running, only its players can branch from it.")
    if not now.revealed and not now.created.practice:
        raise PracticeForbiddenError("This match does not allow practice while it is running.")
    if not then.begun or not then.to_act:
        raise NothingToPlayError(_NO_POSITION)
    if now.revealed:
        return dump_position(then.state)
    return dump_position(then.rules.resample(then.state, viewer, Seeded(secrets.token_bytes(32))))


def _announcement(
    then: Match, creator: str, spec: BranchSpec, viewer: int, defaults: MatchDefaults
) -> MatchCreated:
    """The announcement: the same rules, the caller on one seat, house bots on the others, and no clock."""
    created, secret = then.created, secrets.token_hex(32)
    bots = installed_games()[created.game].all_bots
    bot = spec.bot or list(bots)[-1]
    seat = spec.seat if spec.seat is not None else max(viewer, 0)
    plans = [SeatPlan("bot", bot=bot, bot_version=bots[bot].version)] * len(then.seats)
    plans[seat] = SeatPlan("invited", player=creator)
    return replace(
        created,
        seats=tuple(plans),
        clock=ClockSettings(),
        autostart=True,
        private=True,
        meet_bots=True,
        creator=creator,
        commitment=commitment_of(secret),
        sealed=False,
        signed=False,
        witnesses=(),
        required_witnesses=0,
        open_seed=None,
        practice=True,  # there is no other player who could object
        branch=True,
        server_secret=secret,
        abort_withholds=False,
        in_block=False,
        rated=False,
        tags=(),
        open_for_ms=defaults.open_for_ms,
        idle_ms=defaults.idle_ms,
        house_untimed=False,
        salt_version=SALT_VERSION,
        max_returned_ms=None,
    )
