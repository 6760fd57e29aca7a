"""Commands of the service itself: moves of house bots, passed deadlines, expiry, seats of erased players."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Literal
from uuid import UUID

from kontor_games.domain.codec import SPECTATOR
from kontor_games.domain.commands import (
    RETRY_MS,
    Expire,
    GiveUpWaiting,
    Play,
    ResignErased,
    ReturnTime,
    TimeOut,
)
from kontor_games.domain.game import Move, Refusal
from kontor_games.domain.match import Match
from kontor_games.domain.match_refusals import TimeIsUpError
from kontor_games.domain.stream import Command
from kontor_games.service.errors import NotFoundError, RecordDamagedError, StaleVersionError
from kontor_games.service.matches.outages import Outages
from kontor_games.service.matches.use_cases import Call
from kontor_games.service.people.tokens import THE_SERVICE
from kontor_games.service.store.command_handler import ATTEMPTS, CommandHandler
from kontor_games.service.store.database import Database
from kontor_games.service.store.match_cache import CachedMatch, MatchCache

_EXPIRY_BATCH = 100
_DAMAGED_MS = 24 * 3600 * 1000
"""Time until a damaged match is checked again for its expiry."""
_ERASED = (
    "SELECT m.id, p.player FROM matches m JOIN match_players p ON p.match_id = m.id"
    " JOIN players a ON a.id = p.player WHERE m.status IN ('open', 'running') AND a.name IS NULL"
)


@dataclass(eq=False, repr=False)
class HouseCommands:
    """Executes the commands that the service itself gives in matches."""

    _handler: CommandHandler[Match]
    _cache: MatchCache
    _database: Database
    _clock: Callable[[], int]
    _outages: Outages
    """Their time is credited to clocks."""
    _resigned: set[tuple[str, str]] = field(default_factory=set, init=False)
    """Matches and erased players for which nothing is left to do, such as creators without a seat."""

    def play_for_house(self, match_id: UUID, version: int, seat: int, move: Move) -> None:
        """Make a house bot's move, decided at a version; StaleVersionError if the match has changed since."""
        call = Call(THE_SERVICE, f"bot.{version}.{seat}", "", version)
        self._handler.carry_out(self._cache.get(match_id), call, Play((move,), seat))

    def expire(self, match_id: UUID) -> int | None:
        """Record every deadline that has passed; return the next one."""
        cached = self._cache.get_fresh(match_id)
        self._return_time(cached)
        while (deadline := cached.state.next_deadline) is not None and deadline <= self._clock():
            self._record_deadline(cached)
        return deadline

    def end_expired(self) -> int:
        """End the matches that have expired (docs/time.md); return the number of checked matches.

        Commands do not update the stored expiry of their match, so most matches found here have been played
        since it was written. Their rows get the new time.
        """
        query = "SELECT match_id FROM match_expiries WHERE due <= ? ORDER BY due LIMIT ?"
        rows = self._database.read(query, (self._clock(), _EXPIRY_BATCH))
        for row in rows:
            self._end_if_expired(row["match_id"])
        return len(rows)

    def _end_if_expired(self, match_id: str) -> None:
        try:
            cached = self._cache.get_fresh(UUID(match_id))
            expiry = cached.state.expiry
            if expiry is not None and expiry <= self._clock():
                self._try_for_service(cached, f"expired.{cached.state.version}", Expire())
            due = cached.state.expiry
        except RecordDamagedError:
            due = self._clock() + _DAMAGED_MS
        except NotFoundError:
            due = None
        if due is None:
            self._database.write(("DELETE FROM match_expiries WHERE match_id = ?", (match_id,)))
        else:
            self._database.write(("UPDATE match_expiries SET due = ? WHERE match_id = ?", (due, match_id)))

    def _return_time(self, cached: CachedMatch) -> None:
        """Credit the time of outages since the last command, before any clock decides anything."""
        self._outages.check()
        for _ in range(ATTEMPTS):
            outage = self._outages.uncredited_outage(cached.state)
            if outage is None:
                return
            until = min(outage.until, self._handler.now(cached.state)) + RETRY_MS
            if (limit := cached.state.returnable_ms) is not None:
                until = min(until, outage.since + limit)
            self._try_for_service(cached, f"outage.{cached.state.version}", ReturnTime(outage.since, until))

    def resign_all_erased(self, player: str | None = None) -> int:
        """Resign for one erased player, or for all of them; return in how many matches.

        Otherwise a match without a clock would wait for them for ever. The leading process repeats it, in
        case the process that erased a player could not finish it.
        """
        condition, values = ("", []) if player is None else (" AND p.player = ?", [player])
        rows = self._database.read(_ERASED + condition, values)
        found = {(row["id"], row["player"]) for row in rows}
        self._resigned = {pair for pair in self._resigned if player is not None or pair in found}
        return sum(
            self._try_to_resign(match_id, erased) for match_id, erased in sorted(found - self._resigned)
        )

    def _try_to_resign(self, match_id: str, player: str) -> bool:
        with suppress(RecordDamagedError, Refusal, StaleVersionError):
            resigned = self.resign_erased(UUID(match_id), player)
            self._resigned.add((match_id, player))
            return resigned
        return False

    def resign_erased(self, match_id: UUID, player: str) -> bool:
        """Resign the seat of an erased player; return whether there was one."""
        cached = self._cache.get_fresh(match_id)
        seat = cached.state.seat_of(player)
        if seat == SPECTATOR or seat in cached.state.absent or cached.state.over:
            return False
        self._handler.carry_out(
            cached, Call(THE_SERVICE, f"erased.{seat}.{cached.state.version}"), ResignErased(seat)
        )
        return True

    def mark_as_searched(self, match_id: UUID) -> None:
        """Mark a match as one with bots that search, so that those who play them find it."""
        self._database.write(("UPDATE matches SET bots = 2 WHERE id = ?", (str(match_id),)))

    def running(
        self, kind: Literal["bots", "clock"], known: Mapping[UUID, int], marked: int = 1
    ) -> dict[UUID, tuple[int, str]]:
        """The open and running matches with `bots` or a `clock`: version of the newest entry, and creator.

        Versions that are `known` save reading older entries. In the column `bots`, matches with bots that
        search are marked with 2.
        """
        query = f"SELECT id, creator FROM matches WHERE status IN ('open', 'running') AND {kind} = ?"  # noqa: S608
        creators = {UUID(row["id"]): row["creator"] for row in self._database.read(query, (marked,))}
        newest = self._cache.newest(list(creators), known)
        return {match_id: (version, creators[match_id]) for match_id, version in newest.items()}

    def _record_deadline(self, cached: CachedMatch) -> None:
        match, version = cached.state, cached.state.version
        command: Command = GiveUpWaiting()
        key = f"due.{version}"
        if match.due is None:
            command = TimeOut(match.clock.flagged(self._handler.now(match))[0])
            key = f"clock.{version}.{command.seat}"
        self._try_for_service(cached, key, command)

    def _try_for_service(self, cached: CachedMatch, key: str, command: Command) -> None:
        try:
            self._handler.carry_out(cached, Call(THE_SERVICE, key, "", cached.state.version), command)
        except (StaleVersionError, Refusal):
            cached.refresh()  # another process recorded it, or the player moved in time after all

    def record_time_outs(self, cached: CachedMatch, call: Call, command: Command) -> None:
        """Record passed deadlines before a command is decided: it is too late if its player's time is up."""
        self._return_time(cached)
        deadline = cached.state.next_deadline
        if deadline is None or deadline > self._clock():
            return
        cached.refresh()
        if (call.by, call.key) in cached.keys:
            return
        late = cached.state.seat_of(call.by) in cached.state.clock.flagged(self._clock())
        self.expire(cached.id)
        cached.refresh()
        stored_elsewhere = (
            call.by,
            call.key,
        ) in cached.keys  # by a process that received this request in time
        if late and isinstance(command, Play) and not stored_elsewhere:
            raise TimeIsUpError("Your time ran out before this move arrived.")
