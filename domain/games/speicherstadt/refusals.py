"""The refusals of this game: one class for each condition, besides those that all games share."""

from kontor_games.domain.game import Refusal


class SeatCountError(Refusal):
    """The game is for 2 to 5 players."""


class CardNotInRowError(Refusal):
    """There is no such card in the row."""


class LineFullError(Refusal):
    """The line of this card is full."""


class CubeNotThereError(Refusal):
    """You have no such cube in that place."""


class NotYourContractError(Refusal):
    """You do not own this contract."""


class NoOpenPlaceError(Refusal):
    """The contract has no open place for this good."""


class NoSuchMerchantError(Refusal):
    """You own no merchant who buys this good."""


class NoWarehouseError(Refusal):
    """You do not own the warehouse."""


class WarehouseFullError(Refusal):
    """Your warehouse is full."""


class MarketHallFullError(Refusal):
    """Your market hall is full."""


class NotInStockError(Refusal):
    """There is no cube of this good in the stock."""
