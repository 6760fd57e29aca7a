"""The JSON Schema of the view, with a description of every field."""

from typing import get_args

from kontor_games.domain.games.speicherstadt.data.cards import COUNTS, GOODS, SEASONS
from kontor_games.domain.games.speicherstadt.state import Phase
from kontor_games.domain.toolkit.view_schema import (
    Schema,
    flag,
    listed,
    mapped,
    number,
    one_of,
    or_null,
    parts,
    seat,
    text,
)

_GOOD = one_of("A kind of goods.", GOODS)
_CARD = text("Id of a card; the data set describes it.")
_SEAT = seat("Number of a seat.")
_COUNT = number("How many of them.")
_PRINTED = {
    "card": _CARD,
    "kind": one_of("Kind of the card.", COUNTS),
    "season": one_of("Season of the card.", SEASONS),
}
_GOODS_OF_CONTRACT = listed("The goods that a contract asks for.", _GOOD)
_POINTS_OF_CONTRACT = number("Points of a contract when it is complete.")

_OFFER = parts(
    "A card of the row.",
    {
        **_PRINTED,
        "cubes": listed("The cubes on a ship.", _GOOD),
        "line": listed("The workers in the line of the card, by seat, the first in line first.", _SEAT),
        "price": number("What the card costs the first in line, in coins."),
    },
    {
        "goods": _GOODS_OF_CONTRACT,
        "points": _POINTS_OF_CONTRACT,
        "value": number("Value of a fireman."),
    },
)
_CONTRACT = parts(
    "A contract of a player.",
    {
        **_PRINTED,
        "goods": _GOODS_OF_CONTRACT,
        "points": _POINTS_OF_CONTRACT,
        "open": listed("The goods that are still missing.", _GOOD),
    },
)
_PLAYER = parts(
    "What a player has.",
    {
        "coins": number("Coins."),
        "points": number("Points won or lost so far.", least=None),
        "score": number("Points if the match ended now.", least=None),
        "workers": number("Workers that can still be placed in this round."),
        "cards": listed("All cards that the player has bought.", _CARD),
        "firemen": number("Sum of the values of the player's firemen."),
        "bought": flag("Whether the player has bought a card in this round."),
        "contracts": listed("The player's contracts, complete or not.", _CONTRACT),
        "quay": listed("Cubes on the quay, which wait to be loaded.", _GOOD),
        "market_hall": listed("Cubes in the market hall.", _GOOD),
        "warehouse": or_null(
            listed("Cubes in the warehouse; null if the player does not have the card.", _GOOD)
        ),
        "steps": number("Loading steps that the player has taken in this round."),
    },
)

VIEW_SCHEMA: Schema = parts(
    "The table as one viewer may see it.",
    {
        "phase": one_of("What the match is waiting for.", get_args(Phase)),
        "round": number("Number of the round, from 1; 0 before the first."),
        "rounds": number("How many rounds the match has."),
        "first_player": or_null(seat("The seat that begins the round; null before the first round.")),
        "simultaneous_loading": flag("Whether all who load do it at the same time."),
        "row": listed("The cards on offer in this round that are not yet sold or discarded.", _OFFER),
        "buyer": or_null(seat("The seat that must buy or decline the first card; null in other phases.")),
        "loading": listed("The seats that are loading now or have still to load, in order.", _SEAT),
        "seats": listed("What each player has, by seat.", _PLAYER),
        "stock": mapped("Cubes beside the bag, by good.", _COUNT, GOODS),
        "bag": mapped("Cubes in the bag, by good; their order is hidden.", _COUNT, GOODS),
        "pile": mapped(
            "The cards still in the pile, by season, sorted; their order is hidden.",
            listed("Cards of one season.", _CARD),
            SEASONS,
        ),
        "discarded": listed("The cards that nobody has, in the order in which they were discarded.", _CARD),
        "removed": listed("The cards that stay in the box in this match.", _CARD),
        "places": listed(
            "Place of each seat once the match is over, 1 is best; empty before.",
            number("A place; those who are equal share one.", least=1),
        ),
    },
    {
        "pile_order": listed("The pile, the next card first; for the arbiter only.", _CARD),
        "bag_order": listed("The bag, the next cube first; for the arbiter only.", _GOOD),
    },
)
