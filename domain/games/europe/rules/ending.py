"""The end of the match (E-70)."""

from kontor_games.domain.game import Result
from kontor_games.domain.games.europe.facts.ending import GameEnded
from kontor_games.domain.games.europe.rules.steps import EuropeLedger, Steps
from kontor_games.domain.games.europe.state import EuropeState
from kontor_games.domain.toolkit.ranking import places


def end_if_delivered(ledger: EuropeLedger, seat: int) -> None:
    """End the match if the player has delivered all their goods."""
    state = ledger.state
    if state.delivered[seat] == state.setting.goods:
        ledger.emit(GameEnded("delivered", places_of(ledger)))


def worth(state: EuropeState, seat: int) -> tuple[int, int, int]:
    """Return the criteria of the ranking: goods delivered, then posts on the board, then gold."""
    return state.delivered[seat], state.post.count(seat), state.gold[seat]


def places_of(ledger: EuropeLedger) -> tuple[int, ...]:
    """Return the place of each seat."""
    return places([ledger.steps.worth(ledger.state, seat) for seat in range(ledger.state.seats)])


def result_of(state: EuropeState, steps: Steps) -> Result:
    """Return the result of a match that is over."""
    worths = [steps.worth(state, seat) for seat in range(state.seats)]
    return Result(
        tuple(dict(zip(("goods", "posts", "gold"), each, strict=True)) for each in worths), state.places
    )
