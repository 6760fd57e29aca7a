"""The facts as sentences."""

from collections.abc import Callable, Sequence

from kontor_games.domain.codec import Plain


def tell(fact: Plain, values: Sequence[int], names: Sequence[str]) -> str:
    """Say what happened, given the fact as its viewer may see it."""

    def who(key: str) -> str:
        return names[int(fact[key])]

    def card() -> str:
        return f"a {values[fact['card']]}" if "card" in fact else "a card"

    def shown() -> str:
        return ", ".join(f"{name} a {values[card]}" for name, card in zip(names, fact["cards"], strict=False))

    sentences: dict[str, Callable[[], str]] = {
        "deck_shuffled": lambda: "The cards are shuffled.",
        "card_drawn": lambda: f"{who('seat')} draws {card()}.",
        "round_begun": lambda: f"Round {fact['round']} begins.",
        "card_laid": lambda: f"{who('seat')} lays {card()}.",
        "cards_turned_up": lambda: f"The cards are turned up: {shown()}.",
        "tie_broken": lambda: f"Among equals {who('seat')} is drawn.",
        "round_taken": lambda: f"{who('seat')} takes the round and {fact['points']} points.",
        "offer_made": lambda: f"{who('seat')} offers {card()} for {fact['price']}.",
        "card_sold": lambda: f"{who('buyer')} buys {card()} from {who('seller')} for {fact['price']}.",
        "fair_closed": lambda: f"{who('seat')} closes the fair.",
        "match_scored": lambda: f"The match is over; {names[fact['places'].index(1)]} wins.",
    }
    return sentences[fact["type"]]()
