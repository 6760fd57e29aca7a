"""What a seat's possessions are worth at the end (S-32), and who wins (S-33)."""

from kontor_games.domain.games.speicherstadt.cards import (
    CHURCHES,
    CONTRACT_POINTS,
    KIND,
    MERCHANTS,
    OFFICE_POINTS,
    Deck,
)
from kontor_games.domain.games.speicherstadt.cubes import size
from kontor_games.domain.games.speicherstadt.state import Score, Table


def score(deck: Deck, state: Table, seat: int) -> Score:
    """The points that the seat would have if the match ended now."""
    cards = state.cards[seat]
    kinds = [KIND[card] for card in cards]
    complete = [card for card in state.contracts[seat] if not state.open_places[card]]
    parts = {
        "fires": state.points[seat],
        "contracts": sum(CONTRACT_POINTS[len(deck.goods[card])] for card in complete),
        "counting_offices": OFFICE_POINTS[kinds.count("counting_office")],
        "merchants": sum(kind in MERCHANTS for kind in kinds),
        "churches": sum(CHURCHES.get(kind, 0) for kind in kinds),
        "port": kinds.count("ship") if "port" in cards else 0,
        "chamber_of_commerce": state.coins[seat] if "chamber_of_commerce" in cards else 0,
        "warehouse": size(state.warehouse[seat]),
    }
    return Score(**parts, total=sum(parts.values()))


def places(scores: tuple[Score, ...], coins: tuple[int, ...]) -> tuple[int, ...]:
    """1 for the highest score, among equals for more coins; who is still equal shares the place (S-33)."""
    worth = [(score.total, money) for score, money in zip(scores, coins, strict=True)]
    return tuple(1 + sum(other > mine for other in worth) for mine in worth)


def firemen(deck: Deck, state: Table, seat: int) -> int:
    """The sum of the values of a seat's firemen (S-12)."""
    return sum(deck.value.get(card, 0) for card in state.cards[seat])


def fire_points(sums: tuple[int, ...], points: int) -> tuple[int, ...]:
    """What each seat gains or loses in a fire (S-12): nobody anything where all are equal."""
    most, least = max(sums), min(sums)
    return tuple(points * ((total == most) - (total == least)) for total in sums)
