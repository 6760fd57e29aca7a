from kontor_games.domain.game import Fact, record
from kontor_games.domain.toolkit.message_values import MessageValues
from kontor_games.domain.toolkit.messages import Phrase


@record
class CoinFound(Fact):
    """A fact with a field of each sort."""

    seat: int
    coin: str
    worth: int


def test_fields_are_shown_by_their_names_and_further_values_by_the_kind_of_fact() -> None:
    sentences: MessageValues[tuple[str, ...]] = MessageValues(
        shown={"seat": lambda names, seat: names[seat], "coin": lambda _, coin: coin.upper()},
        more={CoinFound: lambda names, fact: {"players": len(names), "worth": fact.worth + 1}},
    )
    assert sentences.phrase("facts", CoinFound(1, "penny", 5), ("Ada", "Bela")) == Phrase(
        "facts.coin_found", {"who": "Bela", "coin": "PENNY", "worth": 6, "players": 2}
    )


def test_without_a_table_fields_are_shown_as_they_are() -> None:
    sentences: MessageValues[None] = MessageValues({}, {})
    assert sentences.phrase("facts", CoinFound(1, "penny", 5), None) == Phrase(
        "facts.coin_found", {"who": 1, "coin": "penny", "worth": 5}
    )
