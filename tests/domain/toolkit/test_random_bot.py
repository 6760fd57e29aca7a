"""The bot that plays at random."""

from typing import Any

from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.toolkit.random_bot import RandomBot
from tests.domain.toy.games.fair import GAME
from tests.domain.toy.games.fair.moves import LayCard
from tests.support.scripted_chance import Scripted

LEGAL = [LayCard(card) for card in range(3)]


def unseen() -> Any:
    raise AssertionError("the bot read its view")


def test_all_legal_moves_are_equally_likely() -> None:
    bot, chance = RandomBot(GAME.rules()), Seeded(seed_from("random"))
    chosen = [bot.choose(0, unseen, LEGAL, chance.draws("bot", index)) for index in range(3000)]
    assert all(900 < chosen.count(move) < 1100 for move in LEGAL)


def test_one_number_is_drawn_for_each_move() -> None:
    bot, draws = RandomBot(GAME.rules()), Scripted({"bot": [2, 0]}).draws("bot", 0)
    assert [bot.choose(0, unseen, LEGAL, draws) for _ in range(2)] == [LayCard(2), LayCard(0)]


def test_without_a_legal_move_the_bot_makes_none() -> None:
    assert RandomBot(GAME.rules()).choose(0, unseen, [], Scripted({}).draws("bot", 0)) is None
