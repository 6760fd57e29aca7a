from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.codec import digest
from kontor_games.domain.tournaments.pairing.entrants import History, TableSize, pair_of, pairs_of
from kontor_games.domain.tournaments.pairing.formats import (
    advancing,
    arena,
    balanced,
    complete_rounds,
    knockout,
    swiss,
)
from kontor_games.domain.tournaments.pairing.search import keep_apart
from kontor_games.domain.tournaments.pairing.tables import (
    FORBIDDEN,
    REPEAT,
    Pairing,
    Table,
    described,
    seat,
    table_cost,
)
from kontor_games.domain.tournaments.refusals import PairingImpossibleError

CHANCE = Seeded(seed_from("pairing"))
sizes = st.sampled_from([TableSize(2, 2), TableSize(3, 2), TableSize(4, 3), TableSize(4, 4), TableSize(5, 3)])


@given(size=sizes, entrants=st.integers(0, 60))
def test_as_few_entrants_as_possible_have_byes(size: TableSize, entrants: int) -> None:
    tables, idle = size.cut(entrants)
    assert sum(tables) + idle == entrants
    assert all(size.least <= count <= size.seats for count in tables)
    assert max(tables, default=0) - min(tables, default=0) <= 1
    possible = {t * s for t in range(1, entrants + 1) for s in (size.seats,)} | {
        n for n in range(entrants + 1) for t in range(1, n + 1) if t * size.least <= n <= t * size.seats
    }
    assert idle == entrants - max((n for n in possible if n <= entrants), default=0)


def history_after(history: History, pairing: Pairing, idle: Iterable[int]) -> History:
    """The history after a round in which some were idle, without its points."""
    byes = Counter(history.byes) + Counter(idle)
    return replace(history.after(table.entrants for table in pairing.tables), byes=byes)


def rounds_of(
    pair: object,
    entrants: int,
    size: TableSize,
    rounds: int,
    seed: int,
    forbidden: frozenset[tuple[int, int]] = frozenset(),
) -> list[Pairing]:
    """Play rounds in which the lower number wins, and return their pairings."""
    history, points, found = History(forbidden=forbidden), Counter[int](), []
    for number in range(rounds):
        pairing: Pairing = pair(range(entrants), size, history, CHANCE.draws(f"{seed}", number))  # type: ignore[operator]
        for table in pairing.tables:
            for place, entrant in enumerate(sorted(table.entrants)):
                points[entrant] += 60 * (5 - place)
        history = history_after(replace(history, points=dict(points)), pairing, pairing.byes)
        found.append(pairing)
    return found


@pytest.mark.parametrize("pair", [swiss, pytest.param(balanced, marks=pytest.mark.untraced)])
@settings(max_examples=25)
@given(size=sizes, entrants=st.integers(2, 40), seed=st.integers(0, 99))
def test_everybody_is_paired_once_and_byes_are_spread_evenly(
    pair: object, size: TableSize, entrants: int, seed: int
) -> None:
    byes = Counter[int]()
    for pairing in rounds_of(pair, entrants, size, 4, seed):
        seated = [entrant for table in pairing.tables for entrant in table.entrants]
        assert sorted([*seated, *pairing.byes]) == list(range(entrants))
        assert len(pairing.byes) == size.cut(entrants)[1]
        byes.update(pairing.byes)
    if seated:
        assert max(byes.values(), default=0) - min(byes[entrant] for entrant in range(entrants)) <= 1


def test_a_swiss_of_a_hundred_has_no_repeated_meeting_and_balanced_seats() -> None:
    pairings = rounds_of(swiss, 100, TableSize(4, 3), 8, 1)
    met = Counter(pair for p in pairings for table in p.tables for pair in pairs_of(table.entrants))
    assert max(met.values()) == 1
    seats = Counter((e, s) for p in pairings for table in p.tables for s, e in enumerate(table.entrants))
    spread = [max(seats[e, s] for s in range(4)) - min(seats[e, s] for s in range(4)) for e in range(100)]
    assert max(spread) <= 2
    assert sum(spread) / 100 <= 1


def test_entrants_with_equal_points_meet_in_a_swiss() -> None:
    last = rounds_of(swiss, 400, TableSize(4, 3), 4, 2)[-1]
    spread = [max(table.points) - min(table.points) for table in last.tables]
    assert sum(spread) / len(spread) < 60, "on average less than one point apart"


@pytest.mark.slow
@pytest.mark.untraced
@pytest.mark.parametrize(
    ("entrants", "size", "rounds", "bound"),
    [
        (16, TableSize(4, 4), 5, 12),
        (25, TableSize(5, 5), 5, 16),
        (9, TableSize(3, 3), 4, 0),
        (12, TableSize(3, 3), 4, 3),
    ],
)
def test_balanced_rounds_repeat_few_meetings(entrants: int, size: TableSize, rounds: int, bound: int) -> None:
    """In each of these fields a schedule without repetition exists; the search comes within this bound."""
    pairings = rounds_of(balanced, entrants, size, rounds, 3)
    met = Counter(pair for p in pairings for table in p.tables for pair in pairs_of(table.entrants))
    assert sum(count - 1 for count in met.values()) <= bound
    assert max(met.values()) <= 2


@pytest.mark.parametrize(("entrants", "seats"), [(2, 2), (5, 2), (8, 2), (6, 3), (7, 4), (5, 5)])
def test_complete_rounds_have_every_combination_once(entrants: int, seats: int) -> None:
    rounds = complete_rounds(entrants, seats)
    tables = sorted(tuple(sorted(table)) for tables in rounds for table in tables)
    assert tables == sorted(combinations(range(entrants), seats))
    for tables_of_round in rounds:
        seated = [entrant for table in tables_of_round for entrant in table]
        assert len(set(seated)) == len(seated)


def test_a_round_robin_of_two_takes_one_round_less_than_there_are_entrants() -> None:
    assert len(complete_rounds(8, 2)) == 7
    assert len(complete_rounds(7, 2)) == 7


def test_too_many_combinations_are_refused() -> None:
    with pytest.raises(ValueError, match="more than 2000 tables"):
        complete_rounds(40, 4)


@pytest.mark.parametrize("pair", [swiss, balanced, knockout])
def test_forbidden_pairs_are_not_paired(pair: object) -> None:
    forbidden = frozenset(combinations((0, 1, 2, 3), 2))
    history = History(points={number: 60 * (number < 4) for number in range(16)}, forbidden=forbidden)
    for index in range(10):
        pairing: Pairing = pair(range(16), TableSize(4, 4), history, CHANCE.draws("forbidden", index))  # type: ignore[operator]
        met = {pair for table in pairing.tables for pair in pairs_of(table.entrants)}
        assert not met & forbidden


def test_the_refusal_of_an_impossible_pairing_names_the_two_entrants() -> None:
    history = History(forbidden=frozenset([(0, 1)]))
    with pytest.raises(PairingImpossibleError, match="Entrants 0 and 1 must not meet"):
        swiss(range(3), TableSize(3, 3), history, CHANCE.draws("impossible", 0))


def test_missing_a_round_does_not_bring_a_bye() -> None:
    """Entrant 8 is last and missed a round; the bye goes to the last of those who missed none."""
    history = History(points={number: 60 * (9 - number) for number in range(9)}, byes={8: 1})
    assert swiss(range(9), TableSize(4, 4), history, CHANCE.draws("bye", 0)).byes == (7,)


@pytest.mark.parametrize("missed", [0, 1, 3])
def test_an_entrant_who_missed_a_round_gets_no_bye_before_all_others_had_one(missed: int) -> None:
    history, after = History(), list[int]()
    for number in range(6):
        present = [entrant for entrant in range(9) if entrant != 8 or number != missed]
        pairing = swiss(present, TableSize(4, 4), history, CHANCE.draws("trick", number))
        after += pairing.byes if number > missed else ()
        idle = [*pairing.byes, *({8} - set(present))]
        history = history_after(history, pairing, idle)
    assert after
    assert 8 not in after


def partitions(items: Sequence[int], sizes: Sequence[int]) -> Iterator[list[tuple[int, ...]]]:
    """Every way to seat entrants at tables of these sizes."""
    if not sizes:
        yield []
        return
    for size in set(sizes):
        left = list(sizes)
        left.remove(size)
        for others in combinations(items[1:], size - 1):
            rest = [item for item in items[1:] if item not in others]
            for tables in partitions(rest, left):
                yield [(items[0], *others), *tables]


def repeats(tables: Iterable[Sequence[int]], history: History) -> int:
    """The repeated meetings of a round, a second repetition of the same two counted four times, and so on."""
    return sum(history.met.get(pair, 0) ** 2 for table in tables for pair in pairs_of(table))


small = st.sampled_from(
    [
        (6, TableSize(2, 2)),
        (7, TableSize(2, 2)),
        (8, TableSize(4, 4)),
        (7, TableSize(4, 3)),
        (8, TableSize(3, 2)),
    ]
)


@pytest.mark.slow
@pytest.mark.parametrize("pair", [pytest.param(swiss, marks=pytest.mark.untraced), balanced])
@settings(max_examples=8)
@given(
    field=small,
    forbidden=st.sets(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=6),
    seed=st.integers(0, 99),
)
def test_small_fields_repeat_no_more_than_the_best_round_and_are_refused_only_if_no_round_is_allowed(
    pair: Callable[..., Pairing],
    field: tuple[int, TableSize],
    forbidden: set[tuple[int, int]],
    seed: int,
) -> None:
    entrants, size = field
    history = History(forbidden=frozenset(pair_of(a, b) for a, b in forbidden if a != b))
    for number in range(5):
        draws = CHANCE.draws(f"small {seed}", number)
        try:
            pairing = pair(range(entrants), size, history, draws)
        except PairingImpossibleError:
            assert not any(allowed_rounds(range(entrants), size, history))
            return
        tables = [table.entrants for table in pairing.tables]
        playing = [entrant for entrant in range(entrants) if entrant not in pairing.byes]
        best = min(repeats(other, history) for other in allowed_rounds(playing, size, history))
        assert repeats(tables, history) == best
        history = history_after(history, pairing, pairing.byes)


def allowed_rounds(
    entrants: Sequence[int], size: TableSize, history: History
) -> Iterator[list[tuple[int, ...]]]:
    """Yield every round without forbidden pairs, for any choice of byes."""
    sizes, idle = size.cut(len(entrants))
    for playing in combinations(entrants, len(entrants) - idle):
        for tables in partitions(playing, sizes):
            if not any(pair in history.forbidden for table in tables for pair in pairs_of(table)):
                yield tables


@pytest.mark.slow
@pytest.mark.untraced
@pytest.mark.parametrize("size", [TableSize(2, 2), TableSize(3, 3), TableSize(4, 3), TableSize(5, 3)])
def test_nobody_sits_in_a_seat_more_than_once_beyond_a_fair_share(size: TableSize) -> None:
    pairings = rounds_of(swiss, 3 * size.seats + 2, size, 9, 4)
    played, seats = Counter[int](), Counter[tuple[int, int]]()
    for pairing in pairings:
        for table in pairing.tables:
            for place, entrant in enumerate(table.entrants):
                played[entrant] += 1
                seats[entrant, place] += 1
                assert seats[entrant, place] <= -(-played[entrant] // size.seats) + 1


@given(size=sizes, free=st.integers(0, 40))
def test_as_few_entrants_as_possible_wait_in_an_arena(size: TableSize, free: int) -> None:
    pairing = arena(range(free), size, History(), CHANCE.draws("arena", free))
    assert [len(table.entrants) for table in pairing.tables] == size.cut(free)[0]


def test_older_tournaments_are_paired_by_the_pinned_version_of_pairing() -> None:
    """What version 1 drew is in signed files, so it never changes."""
    history = History(
        points={number: number % 5 for number in range(14)}, forbidden=frozenset([(0, 5), (1, 6)])
    )
    drawn = [
        pair(range(14), TableSize(4, 3), history, CHANCE.draws("before", 0), 1)
        for pair in (swiss, balanced, knockout, arena)
    ]
    assert (
        digest([[table.entrants for table in one.tables] for one in drawn])
        == "60751c9979e3f032064f4f5ac9a4ec701152b6d62fbb75428ecb23c821a39b1a"
    )


def test_tournaments_are_paired_by_the_newest_version_of_pairing_as_they_were_when_it_was_new() -> None:
    """What version 2 drew is in signed files, too, so it never changes."""
    forbidden = frozenset([(0, 1), (0, 2), (3, 4), (5, 6), (7, 8), (9, 11)])
    drawn = list[Pairing]()
    for pair, entrants, size in (
        (swiss, 13, TableSize(3, 3)),
        (swiss, 30, TableSize(4, 3)),
        (swiss, 9, TableSize(2, 2)),
        (balanced, 10, TableSize(3, 2)),
        (knockout, 14, TableSize(4, 3)),
        (arena, 15, TableSize(4, 4)),
    ):
        drawn += rounds_of(pair, entrants, size, 6, 7, forbidden)
    assert (
        digest([[[*table.entrants, *table.points] for table in one.tables] for one in drawn])
        == "f5021347b6fd720c7c16fad0da0c8249202e99c851562743f053d98ac8fc8fb6"
    )


def test_a_bye_goes_to_another_entrant_if_forbidden_pairs_cannot_be_avoided_otherwise() -> None:
    """The last of five would rest, but entrant 2 must not meet anybody."""
    forbidden = frozenset([(0, 2), (1, 2), (2, 3), (2, 4)])
    history = History(points={number: 60 * (5 - number) for number in range(5)}, forbidden=forbidden)
    pairing = swiss(range(5), TableSize(2, 2), history, CHANCE.draws("rest", 0))
    assert pairing.byes == (2,)
    assert {frozenset(table.entrants) for table in pairing.tables} == {frozenset((0, 1)), frozenset((3, 4))}


@pytest.mark.parametrize(
    ("forbidden", "tables"),
    [
        ([(2, 3)], [[0, 2], [1, 3], [4, 5]]),
        ([(0, 1), (0, 2), (0, 3), (0, 4)], [[0, 5], [1, 2], [3, 4]]),
        ([(0, 1), (0, 2), (1, 2)], [[0, 3], [1, 4], [2, 5]]),
        ([(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (4, 5)], [[0, 4], [1, 5], [2, 3]]),
        ([(0, 1), (0, 2), (0, 3), (0, 4), (0, 5)], None),
        ([(0, 1), (0, 2), (1, 2), (3, 4), (3, 5), (4, 5), (0, 3), (0, 4)], [[0, 5], [1, 3], [2, 4]]),
    ],
)
def test_the_search_finds_tables_without_forbidden_pairs_if_there_are_any(
    forbidden: list[tuple[int, int]], tables: list[list[int]] | None
) -> None:
    given = [[0, 1], [2, 3], [4, 5]]
    found = keep_apart([*given], History(forbidden=frozenset(forbidden)))
    assert sorted(sorted(table) for table in found) == (tables or given)


def test_an_entrant_sits_where_the_squares_of_earlier_seats_are_least() -> None:
    seated = {0: {0: 3, 1: 2, 2: 9}, 1: {0: 9, 1: 0, 2: 2}, 2: {0: 2, 1: 9, 2: 0}}
    assert seat([0, 1, 2], History(seated=seated), CHANCE.draws("seats", 0)) == (0, 1, 2)


def test_a_table_says_how_often_its_entrants_met_and_had_these_seats() -> None:
    history = History(points={0: 120, 1: 60}).after([(0, 1, 2), (1, 0, 3)])
    assert described((1, 0, 2), history) == Table((1, 0, 2), points=(60, 120, 0), repeats=3, seat_repeats=3)
    assert described((3, 4, 0), history) == Table((3, 4, 0), points=(0, 0, 120), repeats=1, seat_repeats=0)


@pytest.mark.parametrize(
    ("table", "cost"),
    [((0, 1), 60 + 4 * REPEAT), ((0, 2), 120 + REPEAT), ((2, 3), 0), ((1, 3), 60 + FORBIDDEN)],
)
def test_the_cost_of_a_table_is_its_spread_its_repeats_squared_and_its_forbidden_pairs(
    table: tuple[int, int], cost: int
) -> None:
    history = History(points={0: 120, 1: 60}, forbidden=frozenset([(1, 3)])).after([(0, 1, 2), (1, 0)])
    assert table_cost(history, table) == cost


def test_the_same_seed_gives_the_same_pairing_and_another_one_another() -> None:
    def paired(seed: int) -> list[Pairing]:
        return rounds_of(swiss, 20, TableSize(4, 3), 3, seed)

    assert paired(5) == paired(5)
    assert paired(5) != paired(6)


def test_a_knockout_spreads_the_best_and_gives_them_the_byes() -> None:
    pairing = knockout(range(9), TableSize(4, 4), History(), CHANCE.draws("knockout", 0))
    assert pairing.byes == (0,)
    assert {frozenset(table.entrants) for table in pairing.tables} == {
        frozenset((1, 4, 5, 8)),
        frozenset((2, 3, 6, 7)),
    }


def test_the_best_of_each_table_advance_all_winners_before_all_second_places() -> None:
    finishes = [((5, 6, 7), (2, 1, 3), (10, 20, 0)), ((8, 9), (1, 1), (7, 9))]
    assert advancing(finishes, 1) == [6, 9]
    assert advancing(finishes, 2) == [6, 9, 5, 8]


def test_an_arena_pairs_full_tables_and_those_who_played_most_wait() -> None:
    seated = {number: {0: 3} for number in range(2)}
    pairing = arena(range(10), TableSize(4, 4), History(seated=seated), CHANCE.draws("arena", 0))
    assert [len(table.entrants) for table in pairing.tables] == [4, 4]
    assert pairing.byes == (0, 1)
