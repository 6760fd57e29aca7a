"""Replay: folding stored entries gives the same match, and secrets are not shown before the end."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.clock import ClockSettings
from kontor_games.domain.codec import ARBITER, SPECTATOR
from kontor_games.domain.commands import Join, Play, Resign
from kontor_games.domain.game import Refusal
from kontor_games.domain.match import Match
from kontor_games.domain.match_facts import MatchCreated, MatchFact, fact_codec
from kontor_games.domain.seed import commitment_of, seed_of
from kontor_games.domain.stream import HOUSE, Entry
from tests.domain.fair_matches import (
    ANN,
    BEN,
    BOT,
    CID,
    OPEN,
    SECRET,
    Table,
    announcement,
    snapshot,
    table_of,
    the_fair_is_installed,
)
from tests.domain.toy.games.fair.facts.set_up import CardDrawn, DeckShuffled

__all__ = ["the_fair_is_installed"]


def replayed(table: Table) -> list[tuple[object, ...]]:
    """Return a snapshot after each entry of a match that is rebuilt only from stored facts."""
    match, pictures = Match(), []
    for entry in table.entries:
        codec = fact_codec(table.match.rules)
        stored = [codec.encode(fact) for fact in entry.facts]
        facts = tuple(codec.decode(data) for data in stored)
        match.fold(
            Entry(
                entry.first,
                entry.at,
                entry.by,
                entry.seat,
                entry.command,
                entry.key,
                entry.request_digest,
                facts,
            )
        )
        pictures.append(snapshot(match))
    return pictures


def test_a_whole_match_is_rebuilt_from_its_facts() -> None:
    table = table_of(ANN, BEN, CID)
    table.play_on()
    assert table.match.status == "finished"
    assert replayed(table) == table.pictures


def test_versions_count_facts_without_a_gap() -> None:
    table = table_of(ANN, BEN)
    table.play_on()
    assert [entry.first for entry in table.entries] == [1] + [entry.last + 1 for entry in table.entries[:-1]]
    assert table.entries[-1].last == table.match.version


_STEPS = st.lists(
    st.tuples(
        st.integers(0, 700), st.sampled_from(["move", "late", "resign", "abort", "again"]), st.integers(0, 3)
    ),
    max_size=60,
)
_CLOCKS = st.sampled_from([ClockSettings(), ClockSettings("per_move", 900), ClockSettings("bank", 1500, 50)])


@pytest.mark.slow
@given(_STEPS, _CLOCKS, st.sampled_from(["bot", "forfeit"]), st.integers(2, 4))
def test_every_history_is_rebuilt_at_every_version(
    steps: list[tuple[int, str, int]], clock: ClockSettings, on_timeout: str, seats: int
) -> None:
    players = [f"player {seat}" for seat in range(seats)]
    table, at = table_of(*players, clock=clock, on_timeout=on_timeout), 0
    for passed, step, seat in steps:
        at += passed
        try:
            take(table, step, players[seat % seats], seat % seats, at)
        except Refusal:
            assert snapshot(table.match) == table.pictures[-1]
    assert replayed(table) == table.pictures


def take(table: Table, step: str, player: str, seat: int, at: int) -> None:
    """One step of a random history; many are refused."""
    if step in ("move", "again"):
        legal = table.match.rules.legal_moves(table.match.state, seat)
        if legal:
            table.play(player, *legal[:1], at=at)
    elif step == "late":
        for flagged in table.match.clock.flagged(at):
            table.time_out(flagged, at)
    elif step == "resign":
        table.resign(player, at=at)
    else:
        table.abort(player, at=at)


def test_facts_can_be_folded_one_by_one() -> None:
    table = table_of(ANN, BEN)
    table.play_on(3)
    match = Match()
    for entry in table.entries:
        for fact in entry.facts:
            match.fold_fact(fact)
    assert match.version == table.match.version
    assert match.state.digest() == table.match.state.digest()


# --- copies -------------------------------------------------------------------------------------------------


def test_a_copy_of_an_open_match_is_independent() -> None:
    table = Table(announcement(OPEN, OPEN))
    twin = table.match.copy()
    Join(None, False, "").decide(twin, BEN, 5)
    assert (table.match.seats, table.match.version, table.match.at) == ([None, None], 1, 0)
    assert twin.seat_of(BEN) == 0


def test_a_copy_of_a_running_match_is_independent() -> None:
    table = table_of(ANN, BEN, clock=ClockSettings("bank", 1000))
    before = snapshot(table.match)
    twin = table.match.copy()
    assert snapshot(twin) == before
    assert [name for name in Match.__slots__ if hasattr(twin, name) != hasattr(table.match, name)] == []
    Play((table.quiet(0),), 0).decide(twin, HOUSE, 400)
    Resign().decide(twin, BEN, 500)
    assert snapshot(table.match) == before


# --- chance -------------------------------------------------------------------------------------------------


def test_the_commitment_is_the_hash_of_the_secret_bytes() -> None:
    assert commitment_of("00ff") == hashlib.sha256(b"\x00\xff").hexdigest()


def test_the_seed_follows_from_the_secret_and_every_contribution_in_order() -> None:
    parts = b"kontor.seed.1\n" + bytes.fromhex(SECRET) + b"\x00\x03luc" + b"\x00\x00" + b"\x00\x02\xc3\xa9"
    assert seed_of(SECRET, ["luc", "", "é"]) == hashlib.sha256(parts).digest()


def test_contributions_cannot_be_shifted_between_seats() -> None:
    seeds = {seed_of(SECRET, parts) for parts in (["ab", ""], ["a", "b"], ["", "ab"], ["ab"], ["ba", ""])}
    assert len(seeds) == 5


def deck_of(table: Table) -> DeckShuffled:
    (deck,) = [fact for entry in table.entries for fact in entry.facts if isinstance(fact, DeckShuffled)]
    return deck


def test_the_deal_can_be_recomputed_from_the_revealed_secret_and_the_contributions() -> None:
    table = Table(announcement(OPEN, BOT, OPEN, open_seed=None))
    table.join(BEN, contribution="from ben")
    table.join(CID, contribution="from cid")
    chance = Seeded(seed_of(SECRET, ["from ben", "", "from cid"]))
    assert list(deck_of(table).order) == chance.draws("deck", 0).shuffled(range(len(table.rules.values)))


def test_the_contribution_of_a_player_who_left_does_not_count() -> None:
    table = Table(announcement(OPEN, OPEN, open_seed=None))
    table.join(CID, contribution="gone")
    table.leave(CID)
    table.join(ANN, contribution="a")
    table.join(BEN, contribution="b")
    chance = Seeded(seed_of(SECRET, ["a", "b"]))
    assert list(deck_of(table).order) == chance.draws("deck", 0).shuffled(range(len(table.rules.values)))


def test_an_open_seed_alone_decides_the_deal() -> None:
    decks = []
    for secret in (SECRET, "77" * 32):
        table = Table(announcement(OPEN, OPEN, open_seed="duplicate", server_secret=secret))
        table.join(ANN, contribution=secret)
        table.join(BEN)
        decks.append(deck_of(table))
    chance = Seeded(seed_from("duplicate"))
    expected = tuple(chance.draws("deck", 0).shuffled(range(len(table.rules.values))))
    assert decks == [DeckShuffled(expected), DeckShuffled(expected)]


# --- secrets ------------------------------------------------------------------------------------------------


def shown(table: Table, kind: type, viewer: int) -> dict[str, object]:
    """The first fact of a kind, as a viewer may see it now."""
    facts = [fact for entry in table.entries for fact in entry.facts if isinstance(fact, kind)]
    return table.match.redacted(facts[0], table.match.fact_viewer(viewer))


@pytest.mark.parametrize("viewer", [SPECTATOR, 0, 1])
def test_the_secret_of_the_server_is_hidden_from_everyone_while_the_match_runs(viewer: int) -> None:
    table = table_of(ANN, BEN)
    created = shown(table, MatchCreated, viewer)
    assert "server_secret" not in created
    assert created["hidden"] == ["server_secret"]
    assert created["commitment"] == commitment_of(SECRET)


def test_a_drawn_card_is_visible_to_its_own_seat_only() -> None:
    table = table_of(ANN, BEN)
    assert "card" in shown(table, CardDrawn, 0)
    assert shown(table, CardDrawn, 1) == {"type": "card_drawn", "seat": 0, "hidden": ["card"]}
    assert shown(table, CardDrawn, SPECTATOR) == {"type": "card_drawn", "seat": 0, "hidden": ["card"]}


@pytest.mark.parametrize("viewer", [SPECTATOR, 0, 1])
@pytest.mark.parametrize("ending", ["played", "resigned", "aborted"])
def test_once_the_match_is_over_everything_is_public(viewer: int, ending: str) -> None:
    table = table_of(ANN, BEN)
    if ending == "played":
        table.play_on()
    elif ending == "resigned":
        table.resign(BEN)
    else:
        table.abort(ANN)
    assert table.match.fact_viewer(viewer) == ARBITER
    assert shown(table, MatchCreated, viewer)["server_secret"] == SECRET
    assert "hidden" not in shown(table, DeckShuffled, viewer)


def test_no_viewer_is_treated_as_the_arbiter_while_the_match_runs() -> None:
    table = table_of(ANN, BEN)
    assert [table.match.fact_viewer(viewer) for viewer in (SPECTATOR, 0, 1)] == [SPECTATOR, 0, 1]


def test_without_a_player_there_is_no_seat() -> None:
    assert table_of(ANN, BEN).match.seat_of(None) == SPECTATOR


def test_a_match_fact_without_a_fold_is_an_error() -> None:
    class Nothing(MatchFact):
        """Says nothing."""

    with pytest.raises(LookupError, match="nothing does not implement fold"):
        Nothing().fold(Match())
