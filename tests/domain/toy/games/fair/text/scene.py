"""The table as a few lines of text."""

from collections.abc import Sequence

from kontor_games.domain.codec import Plain
from kontor_games.domain.game import View
from kontor_games.domain.toolkit.messages import Messages, Phrase, phrase


def scene(view: View, values: Sequence[int], names: Sequence[str], words: Messages) -> str:
    """Describe what a view shows: the round, then each player."""
    heading = words.show(phrase("scene.round", round=view["round"], rounds=view["rounds"]))
    players = [
        words.show(_player(name, seat, values)) for name, seat in zip(names, view["seats"], strict=True)
    ]
    return "\n".join([heading, *(f"  {player}" for player in players)])


def _player(name: str, seat: Plain, values: Sequence[int]) -> Phrase:
    laid = seat.get("card")
    card = phrase("hidden_card") if laid is None else phrase("card", value=values[laid])
    return phrase(
        "scene.player",
        who=name,
        points=seat["points"],
        coins=seat["coins"],
        cards=seat["cards"],
        hand=tuple(values[card] for card in seat.get("hand", ())),
        laid=(card,) if seat["laid"] else (),
    )
