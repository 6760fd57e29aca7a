"""A trial version 2 of the rules for the tests of rule changes, made by replacing one entry of version 1.

In these tests it takes the place of the released version 2.
"""

from typing import ClassVar

from kontor_games.domain.games.europe.moves import BuyResource
from kontor_games.domain.games.europe.rules import VERSION_1
from kontor_games.domain.games.europe.rules.trade import BuyResourceRule


class DearResourceRule(BuyResourceRule):
    """A resource costs 3 gold."""

    price: ClassVar = 3


VERSION_2 = VERSION_1.revised(2, moves={BuyResource: DearResourceRule()})
"""For 3 gold, not 2, you buy any card from the supply (E-31)."""

NOTICED = "resource_bought says gold 2, the rules give 3"
"""What the verifier says of a match of version 1 if this change is made in place."""
