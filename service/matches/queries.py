"""The use cases that read matches: view one, read its events, list them."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import islice
from typing import Any
from uuid import UUID

from msgspec.structs import replace

from kontor_games.domain.codec import SPECTATOR, Fault, MalformedError
from kontor_games.domain.match import Match
from kontor_games.domain.match_refusals import StillHiddenError
from kontor_games.domain.narration.narrator import Narrator
from kontor_games.domain.toolkit.languages import DEFAULT_LANGUAGE
from kontor_games.service.cursor import row_cursor
from kontor_games.service.errors import NotFoundError, RecordDamagedError
from kontor_games.service.matches import answers
from kontor_games.service.matches.delays import Delays
from kontor_games.service.matches.event_answers import EventPage, Replay, ReplayTag
from kontor_games.service.matches.listing import MatchFilter, listing_filters, require_listed
from kontor_games.service.matches.presentation import Presenter, VisibleMatch, events, position
from kontor_games.service.matches.private_links import PrivateLinks, is_listed
from kontor_games.service.matches.recent_events import RecentEvents
from kontor_games.service.matches.replay import Span, replay
from kontor_games.service.matches.stories import Story, opening_facts
from kontor_games.service.matches.use_cases import Call, match_uuid
from kontor_games.service.people.tokens import Caller
from kontor_games.service.read_cache import ReadCache
from kontor_games.service.slices import in_slices
from kontor_games.service.store.database import Database
from kontor_games.service.store.match_cache import CachedMatch, MatchCache

_MAX_STORIES = 128
_MAX_ENDED = 300
"""Ended matches in lists that are kept without their entries; loading one again takes ten milliseconds."""


class Queries:
    """Reads the matches of this service for callers."""

    def __init__(
        self,
        cache: MatchCache,
        database: Database,
        presenter: Presenter,
        clock: Callable[[], int],
        links: PrivateLinks,
        delays: Delays,
    ) -> None:
        self._cache = cache
        self._delays = delays
        self._database = database
        self._presenter = presenter
        self._clock = clock
        self._links = links
        self._recent: RecentEvents[EventPage] = RecentEvents()
        self._ended: ReadCache[UUID, VisibleMatch] = ReadCache(_MAX_ENDED, lambda _: False)
        # Readers share a story if they have the same view and language.
        self._story = lru_cache(_MAX_STORIES)(lambda match_id, narrator, viewer: Story(narrator, viewer))

    def visible_match(
        self, caller: Caller | None, match_id: str, version: int | None = None, *, truth: bool = False
    ) -> VisibleMatch:
        """A match that the caller may see, not yet redacted: for use inside the service only."""
        cached, match, at = self._shown(caller, match_id)
        if truth:
            _require_over(match)
        if version is not None and version != match.version:
            if not 1 <= version <= match.version:
                raise NotFoundError(f"The match has versions 1 to {match.version}.")
            match = cached.at_version(version)
        viewer = match.seat_of(caller.player if caller else None)
        reader = caller.player if caller and version is None else ""
        head = cached.head_at(match.version)
        return VisibleMatch(cached.name, match, viewer, at, head, truth, reader)

    def _shown(
        self, caller: Caller | None, match_id: str, at_least: int | None = None
    ) -> tuple[CachedMatch, Match, int]:
        """A match, its position as the caller may see it now, and the time of this position."""
        cached = self._cached(caller, match_id, at_least)
        match = self._links.require_visible(match_id, cached.state, caller)
        return cached, *self._delays.shown(cached, match, caller.player if caller else None)

    def _cached(self, caller: Caller | None, match_id: str, at_least: int | None = None) -> CachedMatch:
        """The match, up to date or, with `at_least`, at that version or later."""
        try:
            return self._cache.get_at_least(match_uuid(match_id), at_least)
        except RecordDamagedError:
            require_listed(self._database, caller, match_id)
            raise

    def show(
        self,
        caller: Caller | None,
        match_id: str,
        version: int | None = None,
        *,
        truth: bool = False,
        is_known: Callable[[int, tuple[answers.Seat, ...]], bool] | None = None,
        language: str | None = None,
    ) -> answers.Match | answers.NotModified:
        """A match as the caller may see it, now or at a version.

        `truth` includes everything that was hidden then; the match must be over. `is_known` returns whether
        the caller already has this version with these seats, whose players may have been renamed or erased.
        """
        visible = self.visible_match(caller, match_id, version, truth=truth)
        if is_known is not None:
            found, seats = visible.match.version, self._presenter.seats(visible.match)
            if is_known(found, seats):
                return answers.NotModified(found, seats, visible.match.created.private)
        return self._presenter.full(visible, language)

    def obstacles(self, caller: Caller | None, match_id: str, language: str | None) -> answers.ObstacleList:
        """What the caller lacks for each kind of move that a player wants to make now, in a language."""
        visible = self.visible_match(caller, match_id)
        match, seat = visible.match, visible.viewer
        has_turn = match.status == "running" and match.begun and seat in match.to_act
        found = match.rules.obstacles(match.state, seat) if has_turn else {}
        say = match.rules.messages[language or DEFAULT_LANGUAGE].sentence
        texts = [
            answers.Obstacle(type=kind.type, code=one.code, rule=one.rule, text=say(one.phrase))
            for kind, obstacles in found.items()
            for one in obstacles
        ]
        return answers.ObstacleList(version=match.version, obstacles=texts)

    def times_of(self, caller: Caller | None, match_id: str) -> tuple[int, int]:
        """Return the times of the first and the newest fact of a match that the caller may see."""
        cached, match, _ = self._shown(caller, match_id)
        return cached.entries[0].at, match.at

    def require_visible(self, caller: Caller | None, match_id: str) -> None:
        """Raise NotFoundError if the caller may not see the match."""
        cached = self._cached(caller, match_id)
        self._links.require_visible(match_id, cached.state, caller)

    def renew_link(self, call: Call, match_id: str) -> answers.LinkKey:
        """Replace the key of a private match, as its creator, and return the new one."""
        match = self.visible_match(call.caller, match_id).match
        return answers.LinkKey(self._links.renew(match_id, match, call.by, call.key))

    def events(
        self,
        caller: Caller | None,
        match_id: str,
        after: int,
        limit: int,
        at_least: int | None = None,
        language: str | None = None,
    ) -> EventPage:
        """Facts after a version, in a language if the caller wants one.

        With `at_least`, a version known to be stored, the store is read only if the cache is behind it.
        """
        cached, match, _ = self._shown(caller, match_id, at_least)
        viewer = match.seat_of(caller.player if caller else None)
        visible = VisibleMatch(match_id, match, viewer, match.at, "")
        narrator = self._presenter.narrator(match, opening_facts(cached), language)
        return self._recent.get(
            (match_id, match.version, viewer, after, limit, narrator),
            lambda: self._events(cached, visible, after, limit, narrator),
        )

    def _events(
        self, cached: CachedMatch, visible: VisibleMatch, after: int, limit: int, narrator: Narrator | None
    ) -> EventPage:
        entries = (
            (entry, enumerate(entry.facts, entry.first)) for entry in in_slices(cached.entries_after(after))
        )
        last = visible.match.version
        facts = (
            (version, entry, fact)
            for entry, known in entries
            for version, fact in known
            if after < version <= last
        )
        found = events(visible, islice(facts, limit), after)
        if narrator is None or not found.events:
            return found
        return self._narrated(cached, visible, found, narrator)

    def _narrated(
        self, cached: CachedMatch, visible: VisibleMatch, found: EventPage, narrator: Narrator
    ) -> EventPage:
        viewer = visible.match.fact_viewer(visible.viewer)
        story = self._story(cached.id, narrator, viewer)
        texts = story.texts(cached, found.events[0].version, found.events[-1].version)
        narrated = tuple(
            replace(event, text=text) for event, text in in_slices(zip(found.events, texts, strict=True))
        )
        return replace(found, events=narrated, rendered={})

    def turn(
        self, caller: Caller, match_id: str, version: int, language: str | None = None
    ) -> answers.Position | None:
        """The position of the caller at a version that is known to be stored, in a language if one is wanted.

        None if it is not the caller's turn, or if the match has changed since.
        """
        try:
            cached = self._cached(caller, match_id, version)
        except (RecordDamagedError, NotFoundError):
            return None
        match, viewer = cached.state, cached.state.seat_of(caller.player)
        if match.version != version or not match.has_move(viewer):
            return None
        narrator = self._presenter.narrator(match, (), language)
        return position(
            VisibleMatch(cached.name, match, viewer, self._clock(), cached.head_at(version)), narrator
        )

    def replay(
        self,
        caller: Caller | None,
        match_id: str,
        span: Span,
        viewer: int | None = None,
        is_known: Callable[[ReplayTag], bool] = lambda _: False,
        language: str | None = None,
    ) -> tuple[ReplayTag, Replay | None]:
        """The positions of a match in a span of versions, as the caller or another viewer sees them.

        `is_known` returns whether the caller already has this answer; the replay is None then.
        """
        cached, match, _ = self._shown(caller, match_id)
        player = caller.player if caller else None
        _require_revealed(match, match.seat_of(player), viewer)
        narrator = self._presenter.narrator(match, opening_facts(cached), language)
        names = narrator.names if narrator else None
        tag = ReplayTag(match.version, match.revealed, match.created.private, names)
        if is_known(tag):
            return tag, None
        return tag, replay(cached, match, span, viewer, player, narrator)

    def page(
        self, caller: Caller | None, cursor: str | None, limit: int, **filters: Any
    ) -> answers.MatchPage:
        """Matches that the caller may see, newest first; `filters` are fields of a `MatchFilter`."""
        where, values = listing_filters(caller, MatchFilter(**filters), cursor)
        rows = self._database.read(
            f"SELECT m.id, m.created_at FROM matches m WHERE {' AND '.join(where)}"  # noqa: S608
            " ORDER BY m.created_at DESC, m.id DESC LIMIT ?",
            [*values, limit + 1],
        )
        found = self._listed([UUID(row["id"]) for row in rows[:limit]], caller)
        # The caller may have left a private match since its row was read.
        visible = [one for one in found if is_listed(one.match, caller)]
        last = rows[limit - 1] if len(rows) > limit else None
        return answers.MatchPage(self._presenter.summaries(visible), row_cursor(last) if last else None)

    def _listed(self, ids: Sequence[UUID], caller: Caller | None) -> list[VisibleMatch]:
        """Matches for a list, without damaged ones; those of which nothing follows are loaded once."""
        ended = {match_id: one for match_id in ids if (one := self._ended.get(match_id)) is not None}
        listed = {match_id: self._seen_by(caller, one) for match_id, one in ended.items()}
        for cached in self._cache.load_many([match_id for match_id in ids if match_id not in ended]):
            listed[cached.id] = self._visible_now(cached, caller)
            public = self._visible_now(cached, None)
            if public.match.revealed:
                self._ended.put(cached.id, public, removals=0)
        return [listed[match_id] for match_id in ids if match_id in listed]

    def _visible_now(self, cached: CachedMatch, caller: Caller | None) -> VisibleMatch:
        player = caller.player if caller else None
        match, at = self._delays.shown(cached, cached.state, player)
        return VisibleMatch(cached.name, match, match.seat_of(player), at, cached.head_at(match.version))

    @staticmethod
    def _seen_by(caller: Caller | None, one: VisibleMatch) -> VisibleMatch:
        return replace(one, viewer=one.match.seat_of(caller.player if caller else None))

    def current(self, caller: Caller) -> tuple[answers.MatchSummary, ...]:
        """The caller's matches that are not over."""
        return self._presenter.summaries(self.visible_matches(caller, self.of_player(caller.player)))

    def current_versions(self, caller: Caller) -> dict[str, int]:
        """The caller's matches that are not over, with their versions."""
        visible = self.visible_matches(caller, self.of_player(caller.player))
        return {one.id: one.match.version for one in visible}

    def visible_matches(self, caller: Caller, match_ids: Iterable[str]) -> list[VisibleMatch]:
        """Matches that the caller may see, without damaged ones."""
        visible = []
        for match_id in match_ids:
            with suppress(RecordDamagedError):
                visible.append(self.visible_match(caller, match_id))
        return visible

    def of_player(self, player: str) -> list[str]:
        """The matches that are not over in which a player takes part, or which they created."""
        rows = self._database.read(
            "SELECT m.id FROM matches m JOIN match_players p ON p.match_id = m.id"
            " WHERE p.player = ? AND m.status IN ('open', 'running') ORDER BY m.created_at, m.id",
            [player],
        )
        return [row["id"] for row in rows]


def _require_revealed(match: Match, own: int, viewer: int | None) -> None:
    """Refuse to show an unfinished match from another player's point of view."""
    if viewer is not None and viewer >= len(match.seats):
        raise MalformedError([Fault("/viewer", f"must be a seat from 0 to {len(match.seats) - 1}")])
    if viewer not in (None, SPECTATOR, own):
        _require_over(match)


def _require_over(match: Match) -> None:
    if not match.revealed:
        when = "when its block is over" if match.created.in_block else "when it is over"
        raise StillHiddenError(f"The match is {match.status}. Hidden information is shown only {when}.")
