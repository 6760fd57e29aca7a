"""The JSON Schema of the view, with a description of every field."""

from kontor_games.domain.toolkit.view_schema import (
    Schema,
    either,
    flag,
    listed,
    number,
    or_null,
    parts,
    seat,
)

_CARD = number("Id of a card: its index in the data set.")
_OFFER = parts(
    "What the holder of the fair offers; null if nothing is offered.",
    {"price": number("What the card costs.")},
    {"card": number("The card; for the holder and the arbiter only.")},
)
_PLAYER = parts(
    "What a player has.",
    {
        "cards": number("How many cards are in the hand."),
        "coins": number("Coins."),
        "points": number("Points so far."),
        "laid": flag("Whether a card is laid in this round."),
    },
    {
        "hand": listed("The hand, sorted; for the player and the arbiter only.", _CARD),
        "card": or_null(
            number("The laid card, or null; once all have laid one, everybody sees it."),
        ),
    },
)

VIEW_SCHEMA: Schema = parts(
    "The table as one viewer may see it.",
    {
        "round": number("Number of the round, from 1."),
        "rounds": number("How many rounds there are."),
        "pile": either(
            "How many cards are in the pile; for the arbiter, which ones, the top last.",
            number("How many cards."),
            listed("The cards.", _CARD),
        ),
        "holder": or_null(seat("The seat that holds the fair; null while cards are laid.")),
        "offers": number("How many offers have been made in this round."),
        "offer": or_null(_OFFER),
        "waits_for": listed("The seats that have to move.", seat("Number of a seat.")),
        "seats": listed("What each player has, by seat.", _PLAYER),
    },
)
