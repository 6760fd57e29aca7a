"""The sentences about matches, kept so that each fact is folded and rendered once for many readers."""

from collections.abc import Iterator
from threading import Lock
from typing import Any

from kontor_games.domain.game import Fact
from kontor_games.domain.match_facts import MatchStarted
from kontor_games.domain.narration.narrator import Narrator
from kontor_games.service.store.match_cache import CachedMatch


class Story:
    """The sentences of one match for one kind of reader, from some version on."""

    def __init__(self, narrator: Narrator, viewer: int) -> None:
        self._narrator = narrator
        self._viewer = viewer
        self._lock = Lock()
        self._first = 0
        self._texts: list[str | None] = []
        self._match: Any = None

    def texts(self, cached: CachedMatch, first: int, last: int) -> list[str | None]:
        """Return the sentences about the facts from one version to another, both included."""
        with self._lock:
            if self._match is None or first < self._first:
                self._first, self._texts, self._match = first, [], cached.at_version(first - 1)
            known = self._match.version
            facts = (
                fact
                for entry in cached.entries_after(known)
                for fact in entry.facts[max(0, known + 1 - entry.first) :]
            )
            missing = last - known
            if missing > 0:
                sentences = self._narrator.story(self._match, facts, self._viewer)
                self._texts += [next(sentences) for _ in range(missing)]
            return self._texts[first - self._first : last - self._first + 1]


def opening_facts(cached: CachedMatch) -> Iterator[Fact]:
    """The facts before the start of a match: only then do players come and go."""
    for entry in cached.entries:
        for fact in entry.facts:
            if isinstance(fact, MatchStarted):
                return
            yield fact
