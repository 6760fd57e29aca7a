"""Why a move is refused: one named class for each condition, besides those that every game shares."""

from kontor_games.domain.game import Refusal


class SeatCountError(Refusal):
    """The game is for 2 to 5 players."""


class CardNotInRowError(Refusal):
    """The row holds no such card."""


class LineFullError(Refusal):
    """Eight workers stand in that line already."""


class CubeNotThereError(Refusal):
    """The player has no such cube in that place."""


class NotYourContractError(Refusal):
    """The player owns no such contract."""


class NoOpenPlaceError(Refusal):
    """The contract has no open place for that good."""


class NoSuchMerchantError(Refusal):
    """The player owns no merchant who trades in that good."""


class NoWarehouseError(Refusal):
    """The player does not own the warehouse."""


class WarehouseFullError(Refusal):
    """The warehouse holds four cubes."""


class MarketHallFullError(Refusal):
    """The market hall holds a cube."""


class NotInStockError(Refusal):
    """The stock held no such cube before the exchange."""
