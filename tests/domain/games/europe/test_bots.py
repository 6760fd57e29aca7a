"""House bots: they use only their view and the legal moves, and the greedy one plays sensibly."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.game import Bot, Fact, Move, Rules, Sight, View
from kontor_games.domain.games.europe import GAME
from kontor_games.domain.games.europe import moves as m
from kontor_games.domain.games.europe.bots.features import Features
from kontor_games.domain.games.europe.bots.greedy import GreedyBot, Seen
from kontor_games.domain.games.europe.bots.greedy_1 import GreedyBot1
from kontor_games.domain.games.europe.bots.roads import Roads
from kontor_games.domain.games.europe.bots.settling import opening_worth
from kontor_games.domain.games.europe.bots.terrain import EXPECTED_TOKEN, Terrain
from kontor_games.domain.games.europe.data.components import Cards, Terms
from kontor_games.domain.games.europe.facts.buying import CardBought
from kontor_games.domain.games.europe.facts.caravans import CaravanMoved
from kontor_games.domain.games.europe.facts.delivery import GoodDelivered
from kontor_games.domain.games.europe.facts.merchants import PostFounded
from kontor_games.domain.games.europe.facts.production import DiceRolled, Gain, ResourcesProduced
from kontor_games.domain.games.europe.facts.robber import CardsDiscarded, RobberMoved, RobberWoken
from kontor_games.domain.games.europe.facts.routes import RouteBuilt
from kontor_games.domain.games.europe.facts.trade import OfferMade
from kontor_games.domain.games.europe.facts.turn import TurnBegan, TurnEnded
from kontor_games.domain.toolkit.random_bot import RandomBot
from kontor_games.service.arena import Contest
from tests.domain.games.europe.installed import europe, options_of
from tests.support.scripted_chance import Scripted

SHORT, EXPERT = (europe(data) for data in ("short", "expert"))
GREEDY = GreedyBot(SHORT)
DRAWS = Seeded(seed_from("bot")).draws("bot", 0)


def played(rules: Rules[Any], bots: Sequence[Bot], seed: str, **options: Any) -> Any:
    """Return the final state of a match between bots; bots that may answer are asked once after each move."""
    state, chance, asked = rules.table(len(bots), rules.options(**options)), Seeded(seed_from(seed)), 0
    rules.deal(state, chance)
    while waited := rules.to_act(state):
        for seat in (waited[0], *(seat for seat in rules.may_act(state) if seat != waited[0])):
            asked += 1
            legal = rules.legal_moves(state, seat)
            chosen = bots[seat].choose(seat, Sight(rules, state, seat), legal, chance.draws("bots", asked))
            if chosen is not None:
                assert chosen in legal or isinstance(chosen, m.OfferTrade)
                rules.play(state, seat, chosen, chance)
                break
    return state


def winners(rules: Rules[Any], state: Any) -> tuple[int, ...]:
    result = rules.result(state)
    assert result is not None
    return result.winners


@pytest.mark.untraced  # plays dozens of matches
@pytest.mark.parametrize(
    ("rules", "seats", "matches"), [(SHORT, 4, 20), (SHORT, 3, 6), (EXPERT, 4, 4), (EXPERT, 3, 3)]
)
def test_greedy_beats_randoms_in_nine_of_ten_matches_from_every_seat(
    rules: Rules[Any], seats: int, matches: int
) -> None:
    greedy, won = GreedyBot(rules), 0
    for number in range(matches):
        bots: list[Bot] = [RandomBot(SHORT) for _ in range(seats)]
        bots[number % seats] = greedy
        won += winners(rules, played(rules, bots, f"beats/{number}")) == (number % seats,)
    assert won >= 0.9 * matches


@pytest.mark.untraced
@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize(("board", "seats"), [("short", 4), ("short", 3), ("expert", 4), ("expert", 3)])
def test_greedy_bots_among_themselves_finish_by_delivering(board: str, seats: int, version: int) -> None:
    rules = GAME.rules(board, version)
    state = played(rules, [GreedyBot(rules)] * seats, "equals")
    assert state.ended == "delivered"
    assert state.turn < 200


@pytest.mark.parametrize("start_cities", ["not_violet", "violet"])
@pytest.mark.parametrize("seats", [3, 4])
def test_e12_bots_play_the_free_set_up_with_either_option(seats: int, start_cities: str) -> None:
    bots: list[Bot] = [GreedyBot(SHORT), *[RandomBot(SHORT)] * (seats - 1)]
    state = played(SHORT, bots, "option", set_up="free", start_cities=start_cities)
    assert winners(SHORT, state) == (0,)


def test_random_chooses_among_the_legal_moves_without_reading_the_view() -> None:
    def unseen() -> View:
        raise AssertionError("the bot read its view")

    legal = [m.RollDice(), m.EndTurn(), m.BuyCard()]
    draws = Scripted({"bot": [1, 2]}).draws("bot", 0)
    assert [RandomBot(SHORT).choose(0, unseen, legal, draws) for _ in range(2)] == [m.EndTurn(), m.BuyCard()]
    assert RandomBot(SHORT).choose(0, unseen, [], draws) is None


def test_greedy_takes_the_only_move_without_reading_the_view_and_none_if_there_is_none() -> None:
    def unseen() -> View:
        raise AssertionError("the bot read its view")

    assert GREEDY.choose(0, unseen, [m.RollDice()], DRAWS) == m.RollDice()
    assert GREEDY.choose(0, unseen, [], DRAWS) is None


# --- single decisions on the short board, red on turn -------------------------------------------------------


class Scene:
    """Red's turn on the short board after the fixed set-up, changed by facts until it is red's decision."""

    def __init__(self, *facts: Fact, rolled: bool = True) -> None:
        self.state: Any = SHORT.table(4, options_of(SHORT))
        chance = Scripted({"start": [5, 5, 0, 0, 0, 0, 0, 0]}, Seeded(seed_from("scene")))
        SHORT.deal(self.state, chance)
        begin: list[Fact] = [TurnEnded(self.state.active), TurnBegan(0, 2)]
        if rolled:
            begin.append(DiceRolled(0, (1, 2)))
        for fact in (*begin, *facts):
            fact.fold(self.state)

    def choice(self, seat: int = 0) -> Move | None:
        legal = SHORT.legal_moves(self.state, seat)
        return GREEDY.choose(seat, lambda: SHORT.view(self.state, seat), legal, DRAWS)


def cards_gained(seat: int, **cards: int) -> Fact:
    return ResourcesProduced((Gain(seat, Cards(**cards)),), (), ())


def first_posts(seat: int) -> list[str]:
    return [
        SHORT.board.cities[i].id for i in SHORT.board.fixed[("red", "blue", "white", "orange")[seat]].posts
    ]


def path_at(city: str) -> str:
    """A path that ends at a city of the short board."""
    board = SHORT.board
    return str(board.paths[board.paths_at[board.cities[board.city_index[city]].crossroads][0]].id)


def test_greedy_delivers_as_soon_as_it_can() -> None:
    customer = first_posts(1)[0]
    door = path_at(customer)
    there = [RouteBuilt(0, door, "paid", Cards(), False), CaravanMoved(0, 0, (door,), 0, (), 0, False)]
    assert Scene(*there).choice() == m.Deliver(customer)


def test_greedy_sends_a_merchant_to_found_a_post() -> None:
    scene = Scene(cards_gained(0, wool=1, grain=2, lumber=1))
    hired = scene.choice()
    assert isinstance(hired, m.HireMerchant)
    SHORT.play(scene.state, 0, hired, Seeded(seed_from("hire")))
    walk = scene.choice()
    assert isinstance(walk, m.MoveMerchant)
    city = SHORT.board.city_at[SHORT.board.crossroads_index[walk.to]]
    assert city >= 0
    assert scene.state.post[city] == -1


def test_greedy_buys_missing_cards_for_its_goal_with_gold() -> None:
    """Red begins with lumber, grain and salt, and 3 gold."""
    assert Scene().choice() == m.BuyResource("wool")


def test_greedy_trades_what_it_has_too_much_of() -> None:
    scene = Scene(cards_gained(0, salt=4, grain=1))
    scene.state.gold[0] = 0
    assert scene.choice() == m.TradeWithSupply("salt", "wool")


def test_greedy_ends_its_turn_if_no_move_is_useful() -> None:
    scene = Scene()
    scene.state.gold[0] = 0
    scene.state.offers_made[0] = 1
    assert scene.choice() == m.EndTurn()


def test_greedy_gives_back_what_it_has_most_of() -> None:
    scene = Scene(cards_gained(0, ore=7, wool=1), RobberWoken((5, 0, 0, 0)))
    assert scene.choice() == m.DiscardCard("ore")


def test_greedy_sends_the_robber_where_others_are_and_steals_from_the_richest() -> None:
    scene = Scene(RobberWoken((0, 0, 0, 0)))
    move = scene.choice()
    assert isinstance(move, m.MoveRobber)
    board = SHORT.board
    owners = [scene.state.post[city] for city in board.posts_beside[board.hex_index[move.hex]]]
    assert 0 not in owners
    assert max(owners) > 0
    rich = Scene(cards_gained(2, ore=3), RobberMoved(0, "9,5", (1, 2)))
    assert rich.choice() == m.StealCard(2)


def test_greedy_drives_the_robber_from_its_own_land_before_the_roll() -> None:
    board = SHORT.board
    home = board.cities[board.city_index[first_posts(0)[0]]]
    hexagon = board.hexes[board.hexes_at[home.crossroads][0]].id
    cards = [TurnBegan(0, 2), CardBought(0, Cards(), "lancer"), TurnEnded(0), TurnBegan(0, 6)]
    assert Scene(*cards, RobberMoved(1, hexagon, ()), rolled=False).choice() == m.PlayLancer()
    assert Scene(*cards, rolled=False).choice() == m.RollDice()


def test_greedy_accepts_a_good_offer_and_declines_a_bad_one() -> None:
    """Bela, in blue, wants a merchant: wool, grain and lumber."""
    good = OfferMade(1, 0, (1, 2, 3), Terms(grain=1, lumber=1), Terms(ore=1), None)
    bad = OfferMade(1, 0, (1, 2, 3), Terms(salt=1), Terms(wool=1, ore=1), None)
    assert Scene(good).choice(1) == m.AcceptOffer(1)
    assert Scene(bad).choice(1) == m.DeclineOffer(1)


def test_greedy_does_not_trade_with_somebody_about_to_win() -> None:
    posts = [PostFounded(0, 0, city, 0, ()) for city in ("athens", "moscow", "bergen", "odessa")]
    delivered = [GoodDelivered(0, city) for city in (*first_posts(1), first_posts(2)[0])]
    good = OfferMade(1, 0, (1, 2, 3), Terms(grain=1, lumber=1), Terms(ore=1), None)
    assert Scene(*posts, *delivered, good).choice(1) == m.DeclineOffer(1)


def one_card_short() -> Scene:
    """Red wants a route or merchant and holds wool to spare, but one card is missing and there is no gold."""
    scene = Scene(CardsDiscarded(0, Cards(lumber=1, grain=1, salt=1)), cards_gained(0, wool=2, ore=1))
    scene.state.gold[0] = 0
    return scene


def test_greedy_offers_spare_cards_for_a_missing_one_before_it_ends_its_turn_and_only_once() -> None:
    scene = one_card_short()
    offered = scene.choice()
    assert offered == m.OfferTrade(Terms(wool=1), Terms(lumber=1))
    SHORT.play(scene.state, 0, offered, Seeded(seed_from("offer")))
    for seat in (1, 2, 3):
        SHORT.play(scene.state, seat, m.DeclineOffer(1), Seeded(seed_from("offer")))
    assert scene.choice() == m.EndTurn()


def test_version_1_of_greedy_made_no_offers() -> None:
    scene = one_card_short()
    legal = SHORT.legal_moves(scene.state, 0)
    old = GreedyBot1(SHORT).choose(0, lambda: SHORT.view(scene.state, 0), legal, DRAWS)
    assert old == m.EndTurn()
    assert [GAME.bot("greedy", version) for version in (1, 2)] == [GreedyBot1, GreedyBot]


@pytest.mark.untraced
def test_trades_are_made_between_greedy_bots() -> None:
    contest = Contest(GAME.id, ("greedy",) * 4, "trades", SHORT.options(), SHORT.data)
    kinds = Counter(
        fact.type for number in range(10) for move in contest.match(number) for fact in move.facts
    )
    assert kinds["trade_made"] > 5
    assert kinds["offer_made"] <= kinds["turn_began"]


def test_greedy_opens_the_free_set_up_in_several_ways_with_good_cities() -> None:
    rules = europe("short-2")
    state, greedy = rules.table(4, options_of(rules, set_up="free")), GreedyBot(rules)
    rules.deal(state, Seeded(seed_from("opening")))
    legal = rules.legal_moves(state, state.active)
    chosen = {
        greedy.choose(
            state.active, lambda: rules.view(state, state.active), legal, Scripted({"b": [n]}).draws("b", 0)
        )
        for n in range(2)
    }
    features = Features(Terrain(rules), rules.view(state, state.active), state.active)
    index = rules.board.city_index
    worth: dict[Any, float] = {
        move: opening_worth(features, index[move.city])
        for move in legal
        if isinstance(move, m.PlaceStartPost)
    }
    assert len(chosen) == 2
    assert min(worth[move] for move in chosen) >= sorted(worth.values())[-2]


def test_greedy_without_routes_left_plans_roads_on_routes_that_lie_there() -> None:
    scene = Scene()
    view = SHORT.view(scene.state, 0)
    planned = Roads(Seen(Terrain(SHORT), view, 0)).best()
    assert planned is not None
    assert planned.build
    view["players"][0]["routes_left"] = 0
    left = Roads(Seen(Terrain(SHORT), view, 0)).best()
    assert left is None or not left.build


def test_greedy_answers_an_offer_made_to_it_in_its_own_turn() -> None:
    scene = Scene(OfferMade(1, 1, (0,), Terms(wool=1), Terms(salt=1), None))
    scene.state.gold[0] = 0
    assert scene.choice() == m.AcceptOffer(1)


def test_greedy_knows_what_a_token_from_the_sea_is_worth_on_average() -> None:
    """Forests: 9 and 11 are left of 4, 9 and 11 (E-6)."""
    assert EXPECTED_TOKEN == (3.0, 2.5, 3.0, 2.5, 2.5)


def test_greedy_lays_a_free_route_towards_a_customer() -> None:
    cards = [
        TurnBegan(0, 2),
        CardBought(0, Cards(), "safe_conduct"),
        TurnEnded(0),
        TurnBegan(0, 6),
        DiceRolled(0, (1, 2)),
    ]
    free = Scene(*cards, CardsDiscarded(0, Cards(lumber=1, grain=1, salt=1)))
    free.state.gold[0] = 0
    assert free.choice() == m.PlaySafeConduct()
    SHORT.play(free.state, 0, m.PlaySafeConduct(), Seeded(seed_from("free")))
    assert isinstance(free.choice(), m.BuildRoute)


# --- a board of a group's own -------------------------------------------------------------------------------


def changed(document: Any) -> Any:
    """The short board with other numbers, other names, one city moved and one path less."""
    cities = [{**entry, "name": f"New {entry['name']}"} for entry in document["cities"]]
    land = [
        {**entry, "number": 14 - entry["number"]} if entry.get("number") else entry
        for entry in document["land"]
    ]
    paths = {**document["paths"], "double": document["paths"]["double"][1:]}
    return {**document, "name": "Our table's own", "cities": cities, "land": land, "paths": paths}


@pytest.mark.untraced
def test_a_board_of_a_group_is_accepted_and_playable() -> None:
    data = GAME.admit("ours", changed(GAME.data_sets[0].document))
    assert data.hash not in {known.hash for known in GAME.data_sets}
    rules = GAME.rules(data)
    state = played(rules, [RandomBot(SHORT)] * 4, "ours")
    assert winners(rules, state)
    assert "New Bern" in rules.scene(state, 0, ("Ada", "Bela", "Caro", "Dario"))
    assert winners(rules, played(rules, [GreedyBot(rules), RandomBot(SHORT), RandomBot(SHORT)], "ours")) == (
        0,
    )
    assert "New Bern" in (GAME.draw or str)(data)
