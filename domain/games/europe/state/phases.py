"""The phases of a match."""

PHASES = (
    "dealing",
    "set_up_post",
    "set_up_neutral",
    "set_up_route",
    "roll",
    "discard",
    "robber",
    "theft",
    "action",
    "chain",
    "bonus_route",
    "free_route",
    "token",
    "go_on",
    "over",
)
"""The names that views show."""

DEALING, SET_UP_POST, SET_UP_NEUTRAL, SET_UP_ROUTE, ROLL, DISCARD, ROBBER, THEFT = range(8)
ACTION, CHAIN, BONUS_ROUTE, FREE_ROUTE, TOKEN, GO_ON, OVER = range(8, len(PHASES))
