"""Fuzz tests of the verifier: at least a thousand exports with one flipped bit are refused."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.commands import Abort
from kontor_games.domain.games import installed_games
from kontor_games.service.trust.verifier import BrokenFileError, verify
from tests.domain.installed_fair import the_fair_is_installed
from tests.support.forging import Lines, forge, forge_around
from tests.support.recording import KEYS, PLAYERS, table_of

pytestmark = pytest.mark.untraced

__all__ = ["the_fair_is_installed"]

FLIPS = {"fair": 500, "speicherstadt": 250, "europe": 250}
"""The number of flipped bits for each game; 250 for any other game."""


def whole_match(game: str) -> bytes:
    """Return the export of a finished match: of the toy game to its end, of the others aborted early."""
    recording = table_of(game, 3).play_on(1000 if game == "fair" else 60)
    for player in PLAYERS[:3]:
        if not recording.match.over:
            recording.do(player, Abort())
    return recording.export()


def flipped(content: bytes, count: int) -> Iterator[tuple[int, bytes]]:
    """Yield the file with one bit changed, and the position; every fifth change is in the last line."""
    draws = Seeded(seed_from("flips")).draws("places", 0)
    last = content.rindex(b"\n", 0, -1) + 1
    for number in range(count):
        low = last if number % 5 == 0 else 0
        place = low + draws.below(len(content) - low)
        changed = bytearray(content)
        changed[place] ^= 1 << draws.below(8)
        yield place, bytes(changed)


@pytest.mark.parametrize("game", ["fair", *installed_games()])
def test_every_flipped_byte_is_refused_at_its_place(game: str) -> None:
    content = whole_match(game)
    assert verify(content, KEYS.published()).complete
    last = content.count(b"\n")
    for place, changed in flipped(content, FLIPS.get(game, 250)):
        with pytest.raises(BrokenFileError) as caught:
            verify(changed, KEYS.published())
        line = content.count(b"\n", 0, place) + 1
        # A byte of the first line that nothing else depends on is noticed only by the hash of the whole file.
        assert caught.value.line in (line, line + 1, last), str(caught.value)


def test_at_least_a_thousand_bytes_are_flipped() -> None:
    assert sum(FLIPS.get(game, 250) for game in ("fair", *installed_games())) >= 1000


def test_every_byte_of_a_running_export_counts_too() -> None:
    content = table_of("fair", 2).export(1)
    assert not verify(content).complete
    for _, changed in flipped(content, 300):
        with pytest.raises(BrokenFileError):
            verify(changed, KEYS.published())


VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.text(max_size=6)
    | st.sampled_from(["play", "house", "ann", "0" * 64]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["type", "moves", "seat", "card", "x"]), inner, max_size=3)
    ),
    max_leaves=6,
)


def paths(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the paths of all values in plain data."""
    yield at
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        yield from paths(part, (*at, key))


@pytest.mark.slow
@settings(max_examples=300)
@given(st.data())
def test_whatever_the_holder_of_the_key_writes_is_refused_and_never_breaks_the_verifier(
    data: st.DataObject,
) -> None:
    content = table_of("fair", 2).play_on(4).export() if data.draw(st.booleans()) else whole_match("fair")
    around = data.draw(st.booleans())

    def change(lines: Lines) -> None:
        line = data.draw(st.sampled_from(lines[: -1 if around else None]))
        changeable = [
            path
            for path in paths(line)
            if path and (around or path[0] in ("fact", "command", "at", "by", "draws"))
        ]
        *way, key = data.draw(st.sampled_from(changeable))
        holder: Any = line
        for step in way:
            holder = holder[step]
        holder[key] = data.draw(VALUES.filter(lambda value: json.dumps(value) != json.dumps(holder[key])))

    try:
        forged = forge_around(content, change) if around else forge(content, change)
    except (AttributeError, KeyError, TypeError, ValueError):
        return  # a value that cannot be hashed cannot be forged
    try:
        verify(forged, KEYS.published())
    except BrokenFileError:
        return
    # Only the time of the file and the time of an untimed move may differ.
    assert {"exported_at", "at"} & {
        name
        for old, new in zip(content.splitlines(), forged.splitlines(), strict=True)
        for name in differing(old, new)
    }


def differing(old: bytes, new: bytes) -> set[str]:
    one, other = json.loads(old), json.loads(new)
    return {name for name in {*one, *other} if one.get(name) != other.get(name)}
