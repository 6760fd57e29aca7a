"""The table as a few lines of text."""

from collections.abc import Sequence

from kontor_games.domain.codec import Plain
from kontor_games.domain.game import View
from kontor_games.domain.toolkit.sentences import counted, listed


def scene(view: View, values: Sequence[int], names: Sequence[str]) -> str:
    """Describe what a view shows: the round, then each player."""
    players = [_player(name, seat, values) for name, seat in zip(names, view["seats"], strict=True)]
    return "\n".join([f"Round {view['round']} of {view['rounds']}", *players])


def _player(name: str, seat: Plain, values: Sequence[int]) -> str:
    hand = f" ({listed(values[card] for card in seat['hand'])})" if seat.get("hand") else ""
    counts = [
        counted(seat["points"], "point"),
        counted(seat["coins"], "coin"),
        counted(seat["cards"], "card") + hand,
    ]
    laid = f"a {values[seat['card']]}" if seat.get("card") is not None else "a card"
    return f"  {name}: {', '.join(counts)}{f', has laid {laid}' if seat['laid'] else ''}"
