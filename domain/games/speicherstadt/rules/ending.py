"""The end, the score and the winner: S-30 to S-33."""

from functools import lru_cache

from kontor_games.domain.games.speicherstadt.data.cards import (
    CHURCHES,
    CONTRACT_POINTS,
    KIND,
    MERCHANTS,
    OFFICE_POINTS,
)
from kontor_games.domain.games.speicherstadt.facts.ending import GameEnded
from kontor_games.domain.games.speicherstadt.rules.turn import TableLedger
from kontor_games.domain.games.speicherstadt.state import Score, Table
from kontor_games.domain.games.speicherstadt.state.cubes import unpack
from kontor_games.domain.toolkit.ranking import places


def end(ledger: TableLedger) -> None:
    """Carry out the fires that are left, then count the score (S-30 to S-33)."""
    state, steps = ledger.state, ledger.steps
    for card in state.unrevealed():
        steps.fire(ledger, card)
    scores = tuple([steps.score(state, seat) for seat in range(state.seats)])
    coins = tuple(state.coins)
    ledger.emit(GameEnded(scores, coins, ranked(scores, coins)))


def ranked(scores: tuple[Score, ...], coins: tuple[int, ...]) -> tuple[int, ...]:
    """The places: by score, then by coins; seats that are still equal share a place (S-33)."""
    return places([(score.total, money) for score, money in zip(scores, coins, strict=True)])


def score(state: Table, seat: int) -> Score:
    """The points that the seat would have if the match ended now (S-32)."""
    cards = state.cards[seat]
    complete = [card for card in state.contracts[seat] if not state.open_places[card]]
    offices, merchants, churches, port = _points_of_cards(cards)
    parts = (
        state.points[seat],
        sum([CONTRACT_POINTS[len(state.deck.goods[card])] for card in complete]),
        offices,
        merchants,
        churches,
        port,
        state.coins[seat] if "chamber_of_commerce" in cards else 0,
        len(unpack(state.warehouse[seat])),
    )
    return Score(*parts, total=sum(parts))


@lru_cache(512)
def _points_of_cards(cards: tuple[str, ...]) -> tuple[int, int, int, int]:
    """The points of counting offices, merchants, churches and port. Cached, because every view needs them."""
    kinds = [KIND[card] for card in cards]
    return (
        OFFICE_POINTS[kinds.count("counting_office")],
        sum(kind in MERCHANTS for kind in kinds),
        sum(CHURCHES.get(kind, 0) for kind in kinds),
        kinds.count("ship") if "port" in cards else 0,
    )
