"""The end, the score and the winner: S-30 to S-33."""

from kontor_games.domain.games.speicherstadt.data.cards import (
    CHURCHES,
    CONTRACT_POINTS,
    KIND,
    MERCHANTS,
    OFFICE_POINTS,
)
from kontor_games.domain.games.speicherstadt.facts.ending import GameEnded
from kontor_games.domain.games.speicherstadt.rules.turn import Book
from kontor_games.domain.games.speicherstadt.state import Score, Table
from kontor_games.domain.games.speicherstadt.state.cubes import unpack
from kontor_games.domain.toolkit.ranking import places


def end(ledger: Book) -> None:
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
    kinds = [KIND[card] for card in cards]
    complete = [card for card in state.contracts[seat] if not state.open_places[card]]
    parts = {
        "fires": state.points[seat],
        "contracts": sum(CONTRACT_POINTS[len(state.deck.goods[card])] for card in complete),
        "counting_offices": OFFICE_POINTS[kinds.count("counting_office")],
        "merchants": sum(kind in MERCHANTS for kind in kinds),
        "churches": sum(CHURCHES.get(kind, 0) for kind in kinds),
        "port": kinds.count("ship") if "port" in cards else 0,
        "chamber_of_commerce": state.coins[seat] if "chamber_of_commerce" in cards else 0,
        "warehouse": len(unpack(state.warehouse[seat])),
    }
    return Score(**parts, total=sum(parts.values()))
