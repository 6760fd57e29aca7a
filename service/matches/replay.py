"""Replays: the positions of a match, one after each command, as a viewer could see them then.

The match is folded once through the whole span. Views differ little from one position to the next, so all but
the first of an answer are sent as a JSON Patch.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec
from msgspec import UNSET, UnsetType

from kontor_games.domain.codec import Plain, pointer_step
from kontor_games.domain.match import Match
from kontor_games.domain.narration.narrator import Narrator
from kontor_games.domain.stream import Entry
from kontor_games.service.answer_fields import Moment
from kontor_games.service.matches.event_answers import PatchOperation, Replay, ReplayPosition
from kontor_games.service.slices import in_slices
from kontor_games.service.store.match_cache import CachedMatch


def json_patch(before: Plain, after: Plain) -> list[Plain]:
    """The operations `add`, `replace` and `remove` that turn one value into the other, in order."""
    return list(_operations(before, after, ""))


def _operations(before: Plain, after: Plain, pointer: str) -> Iterator[Plain]:
    if before == after:
        return
    if isinstance(before, dict) and isinstance(after, dict):
        yield from _of_objects(before, after, pointer)
    elif isinstance(before, list) and isinstance(after, list) and len(before) <= len(after):
        yield from _of_lists(before, after, pointer)
    else:
        yield {"op": "replace", "path": pointer, "value": after}


def _of_objects(before: dict[str, Plain], after: dict[str, Plain], pointer: str) -> Iterator[Plain]:
    for name in before:
        if name not in after:
            yield {"op": "remove", "path": f"{pointer}/{pointer_step(name)}"}
    for name, value in after.items():
        place = f"{pointer}/{pointer_step(name)}"
        if name in before:
            yield from _operations(before[name], value, place)
        else:
            yield {"op": "add", "path": place, "value": value}


def _of_lists(before: list[Plain], after: list[Plain], pointer: str) -> Iterator[Plain]:
    """Changes of existing items, and new items at the end."""
    changed = [index for index, item in enumerate(before) if item != after[index]]
    if _is_replaced(before, after, changed):
        yield {"op": "replace", "path": pointer, "value": after}
        return
    for index in changed:
        yield from _operations(before[index], after[index], f"{pointer}/{index}")
    for item in after[len(before) :]:
        yield {"op": "add", "path": f"{pointer}/-", "value": item}


def _is_replaced(before: list[Plain], after: list[Plain], changed: list[int]) -> bool:
    """Whether to send the whole list, because that is shorter.

    It is if items changed in a list that grew, or if several items that are no containers differ.
    """
    grown = len(after) > len(before)
    return bool(changed) if grown else len(changed) > 1 and not isinstance(after[0], dict | list)


@dataclass(frozen=True, slots=True)
class Span:
    """An inclusive range of versions, and the maximum number of positions."""

    first: int
    last: int | None
    limit: int


def replay(
    cached: CachedMatch,
    match: Match,
    span: Span,
    viewer: int | None,
    player: str | None,
    narrator: Narrator | None = None,
) -> Replay:
    """The positions of a match; if `viewer` is None, as the player sees them, or else a spectator."""
    last = match.version if span.last is None else min(span.last, match.version)
    past, view, found = Match(), None, list[ReplayPosition]()
    for entry in in_slices(cached.entries):
        if entry.last > last or len(found) == span.limit:
            break
        match_before = past.copy() if narrator and past.version and entry.last >= span.first else Match()
        past.fold(entry)
        if entry.last >= span.first:
            seen_by = past.fact_viewer(past.seat_of(player) if viewer is None else viewer)
            before, view = view, past.rules.view(past.state, seen_by) if past.begun else None
            texts = list(narrator.story(match_before, entry.facts, seen_by)) if narrator else UNSET
            found.append(_position(past, entry, seen_by, before, view, texts))
    more = len(found) == span.limit and past.version < last
    return Replay(
        match=cached.name,
        status=match.status,
        version=match.version,
        positions=tuple(found),
        next=past.version + 1 if more else None,
        names=narrator.names if narrator else UNSET,
    )


def _position(
    past: Match, entry: Entry, seen_by: int, before: Plain, view: Plain, texts: list[str | None] | UnsetType
) -> ReplayPosition:
    """The match after an entry; `before` is the view of the previous position, if it was sent."""
    whole = before is None or view is None
    clock = past.clock
    return ReplayPosition(
        version=past.version,
        first=entry.first,
        at=Moment(entry.at),
        by=entry.by,
        seat=entry.seat,
        facts=[past.redacted(fact, seen_by) for fact in entry.facts],
        status=past.status,
        to_act=tuple(past.to_act),
        remaining_ms=tuple(clock.left(seat, entry.at) for seat in range(len(past.seats)))
        if clock.settings.kind != "none"
        else None,
        view=view if whole else UNSET,
        patch=UNSET if whole else msgspec.convert(json_patch(before, view), list[PatchOperation]),
        texts=texts,
    )
