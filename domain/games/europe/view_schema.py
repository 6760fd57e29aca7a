"""The JSON Schema of the view, with a description of every field."""

from kontor_games.domain.games.europe.data.board import COLOURS, RESOURCES
from kontor_games.domain.games.europe.data.components import CARDS, TERMS
from kontor_games.domain.games.europe.state.phases import PHASES
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

_SEAT = seat("Number of a seat.")
_COUNT = number("How many of them.")
_HEX = text("Id of a hex.")
_PATH = text("Id of a path.")
_CHAIN = listed("The routes of a chain.", _PATH)
_TERMS: dict[str, Schema] = {name: number(f"How much {name}.", least=1) for name in TERMS}

_TURN: dict[str, Schema] = {
    "phase": one_of("What the match is waiting for.", PHASES),
    "turn": number("Number of the turn, from 1; 0 during the set-up."),
    "turn_limit": number("After this turn the match ends."),
    "round": number("Number of the round, from 1; 0 during the set-up."),
    "first": or_null(seat("The seat that begins; null before it is decided.")),
    "active": or_null(seat("The seat whose turn it is; null before the set-up.")),
    "rolled": flag("Whether the dice have been rolled in this turn."),
    "dice": or_null(
        listed("The dice of this turn; null before they are rolled.", number("One die.", least=1))
    ),
    "card_played": flag("Whether a development card has been played in this turn."),
    "card_bought": flag("Whether a development card has been bought in this turn."),
    "gold_buys": number("How many cards have been bought with gold in this turn."),
    "neutral": or_null(one_of("The colour of the neutral posts; null if there are none.", COLOURS)),
    "set_up": one_of("Whether the set-up is fixed or free.", ("fixed", "free")),
    "goods_to_deliver": number("How many goods each player has to deliver."),
    "ended": or_null(text("Why the match has ended; null while it is running.")),
}
_BOARD: dict[str, Schema] = {
    "robber": text("Id of the hex on which the robber stands."),
    "numbers": mapped("The number of each hex that has one, by the id of the hex.", number("A number.")),
    "tokens": listed("The hexes on which number tokens lie.", _HEX),
    "sea": mapped(
        "How many number tokens lie in the sea, by the resource of their colour.", _COUNT, RESOURCES
    ),
    "posts": mapped(
        "The trading posts, by the id of their city.",
        parts(
            "A trading post.",
            {
                "owner": or_null(seat("The seat that it belongs to; null if it is neutral.")),
                "good": or_null(seat("The seat whose good was delivered here; null if there is none.")),
            },
        ),
    ),
    "routes": mapped("The seat that each route belongs to, by the id of its path.", _SEAT),
}
_PLAYER = parts(
    "What a player has.",
    {
        "colour": one_of("The player's colour.", COLOURS),
        "gold": number("Gold."),
        "hand_size": number("How many resource cards the player holds."),
        "card_count": number("How many development cards the player holds."),
        "posts_left": number("Posts that the player has not built yet."),
        "offers_made": number("Offers that the player has made in this turn."),
        "routes_left": number("Routes that the player has not built yet."),
        "goods": parts(
            "The player's goods.",
            {
                "covered": number("Goods still under posts that are not built."),
                "free": number("Goods that can be delivered."),
                "delivered": number("Goods that were delivered."),
            },
        ),
        "merchants": listed(
            "Where each merchant stands.",
            or_null(text("Id of a crossroads; null if the merchant is not on the board.")),
        ),
        "caravans": listed(
            "Where each caravan stands.",
            or_null(text("Id of a path; null if the caravan is not on the board.")),
        ),
    },
    {
        "resources": mapped(
            "The player's resource cards; for the player and the arbiter only.", _COUNT, RESOURCES
        ),
        "cards": mapped(
            "The player's development cards that can be played; for the player and the arbiter only.",
            _COUNT,
            CARDS,
        ),
        "new_card": or_null(
            one_of(
                "The card bought in this turn, which can't be played yet, or null; "
                "for the player and the arbiter only.",
                CARDS,
            )
        ),
    },
)
_CHOICE = parts(
    "Pending choices; a field is present only if it applies.",
    {},
    {
        "due": listed("How many cards each seat must still discard.", _COUNT),
        "victims": listed("The seats that can be robbed.", _SEAT),
        "chains": listed("The chains from which one must be chosen.", _CHAIN),
        "double_arrow": text("Id of the path whose double arrow gives a further route."),
        "free_routes": number("Routes that may still be built without payment."),
        "hexes": listed("The hexes of which one can get a number token.", _HEX),
        "moving": parts(
            "The caravan that is moving.",
            {
                "caravan": number("Which of the player's caravans."),
                "steps": number("Steps that it has left."),
                "toll_free": flag("Whether it pays no toll in this turn."),
            },
        ),
        "tolls_paid": listed(
            "For each caravan, whom it has paid toll in this turn.",
            listed("The seats that were paid.", _SEAT),
        ),
    },
)
_OFFER = parts(
    "An offer to trade.",
    {
        "offer": number("Number of the offer, for accepting it."),
        "maker": seat("The seat that made it."),
        "to": listed("The seats that may accept it.", _SEAT),
        "give": parts("What the maker gives.", {}, _TERMS),
        "want": parts("What the maker wants.", {}, _TERMS),
    },
)

VIEW_SCHEMA: Schema = parts(
    "The table as one viewer may see it.",
    {
        **_TURN,
        **_BOARD,
        "supply": mapped("Resource cards in the supply.", _COUNT, RESOURCES),
        "pile": number("Development cards in the pile."),
        "played_cards": mapped("Development cards that were played, by kind.", _COUNT, CARDS),
        "players": listed("What each player has, by seat.", _PLAYER),
        "choice": _CHOICE,
        "offers": listed("The open offers, oldest first.", _OFFER),
    },
)
