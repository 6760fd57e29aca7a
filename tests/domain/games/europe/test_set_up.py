"""Before the first turn: E-1 to E-14."""

from dataclasses import fields

import pytest

from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.codec import Plain
from kontor_games.domain.game import DataSet, Refusal
from kontor_games.domain.games.europe import GAME
from kontor_games.domain.games.europe.data.board import COLOURS
from kontor_games.domain.games.europe.data.components import DECK, TOKENS, Cards
from kontor_games.domain.games.europe.facts.set_up import (
    ColourPlaced,
    FirstPlayerFound,
    NeutralPostPlaced,
    NeutralPostsPlaced,
    PlacementOpened,
    StartCardsTaken,
    StartPostPlaced,
    StartRoll,
    StartRolled,
    StartRoutePlaced,
)
from kontor_games.domain.games.europe.facts.turn import TurnBegan
from kontor_games.domain.games.europe.moves import PlaceNeutralPost, PlaceStartPost, PlaceStartRoute, RollDice
from kontor_games.domain.games.europe.options import EuropeOptions
from kontor_games.domain.games.europe.refusals import (
    BadOptionsError,
    CityTakenError,
    JoinsCitiesError,
    NoSuchPlaceError,
    NotBesideError,
    NotVioletError,
    PathTakenError,
    VioletError,
)
from kontor_games.domain.games.europe.rules import VERSION_1, EuropeRules
from kontor_games.domain.games.europe.state import NEUTRAL
from kontor_games.service.arena import Contest
from tests.domain.games.europe.installed import europe, options_of
from tests.domain.games.europe.small import (
    DOCUMENT,
    DOUBLE,
    EXPERT,
    FIRST_IS_SEAT_0,
    RULES,
    RULES_2,
    Small,
    north,
    south,
)
from tests.support.scripted_chance import Scripted


@pytest.mark.parametrize("seats", [0, 2, 5])
def test_e1_the_game_is_for_three_or_four(seats: int) -> None:
    with pytest.raises(BadOptionsError) as caught:
        RULES.table(seats, EuropeOptions())
    assert caught.value.rule == "E-1"


def test_e1_every_match_has_a_table_of_its_own() -> None:
    before = RULES.table(3, EuropeOptions()).dump()
    played = RULES.table(3, EuropeOptions())
    RULES.deal(played, Seeded(seed_from("1")))
    assert played.dump() != before
    assert RULES.table(3, EuropeOptions()).dump() == before


def test_e1_there_are_two_drawings_of_two_boards_and_the_short_one_is_the_default() -> None:
    assert [data.name for data in GAME.data_sets] == ["short-2", "expert-2", "short", "expert"]


def test_e2_terrain_gives_its_resource() -> None:
    game = Small()
    assert game.state.tables.yields[:7] == (0, 1, 2, 3, 4, 0, 3)
    assert set(game.state.tables.yields[14:]) == {-1}


@pytest.mark.parametrize(
    ("kind", "seats", "posts", "goods"),
    [("short", 3, 8, 6), ("short", 4, 7, 5), ("expert", 3, 12, 10), ("expert", 4, 10, 8)],
)
def test_e3_pieces_depend_on_board_and_players(kind: str, seats: int, posts: int, goods: int) -> None:
    state = (RULES if kind == "short" else EXPERT).table(seats, EuropeOptions())
    assert state.posts_left == [posts] * seats
    assert state.setting.goods == goods
    assert state.routes_left == [30] * seats
    assert state.gold == [3] * seats


def test_e4_one_good_is_free_and_one_lies_under_each_post_that_is_not_on_the_board() -> None:
    for player, left in zip(
        Small().rules.view(Small().state, 0)["players"], Small().state.posts_left, strict=True
    ):
        assert player["goods"] == {"covered": 4, "free": 1, "delivered": 0}
        assert left == 4


def test_e5_and_e7_the_stock() -> None:
    state = RULES.table(4, EuropeOptions())
    assert state.supply == [19] * 5
    assert state.pile == list(DECK) == [10, 5, 5, 5]


def test_e6_five_tokens_start_on_the_rings_and_ten_lie_in_the_sea() -> None:
    game = Small()
    tokens = {game.board.hexes[h].id: game.state.number[h] for h, lies in enumerate(game.state.token) if lies}
    assert tokens == {"5,0": 4, "0,1": 10, "1,1": 9, "2,1": 5, "3,1": 5}
    assert game.state.sea == [(9, 11), (4, 11), (3, 9), (3, 10), (10, 11)]
    assert sorted(sum(TOKENS, ())) == [3, 3, 4, 4, 5, 5, 9, 9, 9, 10, 10, 10, 11, 11, 11]


def test_e8_the_robber_starts_where_the_board_says() -> None:
    game = Small()
    assert game.board.hexes[game.state.robber].id == "5,1"
    assert game.state.number[game.state.robber] == 0


def test_e10_the_fixed_set_up_places_three_posts_a_route_and_a_caravan_and_gives_first_cards() -> None:
    game = Small()
    assert game.dealt == [
        StartRolled(tuple(StartRoll(seat, (6, 6) if seat == 0 else (1, 1)) for seat in range(4))),
        FirstPlayerFound(0),
        ColourPlaced(0, ("n0", "s2", "n4"), north(0), Cards(lumber=1, grain=1, salt=1)),
        ColourPlaced(1, ("s0", "n1", "s4"), south(0), Cards(salt=1, wool=1, ore=1)),
        ColourPlaced(2, ("n2", "s1", "n5"), north(5), Cards(lumber=1, grain=1, wool=1)),
        ColourPlaced(3, ("n3", "s3", "s5"), south(7), Cards(ore=1, salt=1, grain=1)),
        TurnBegan(0, 1),
    ]
    assert game.hand(0) == {"lumber": 1, "grain": 1, "salt": 1}
    assert game.rules.view(game.state, 0)["players"][1]["caravans"] == [south(0), None]


def test_e11_with_three_players_the_fourth_colour_stands_as_neutral_posts() -> None:
    game = Small(seats=3)
    assert game.dealt[-2:] == [NeutralPostsPlaced(("n3", "s3", "s5")), TurnBegan(0, 1)]
    assert game.state.post.count(NEUTRAL) == 3
    assert game.rules.view(game.state, 0)["posts"]["n3"] == {"owner": None, "good": None}
    assert south(7) not in game.rules.view(game.state, 0)["routes"]


def test_e11_the_colour_nobody_chose_is_the_neutral_one() -> None:
    game = Small(seats=3, colours=("orange", "white", "red"))
    assert game.dealt[-2] == NeutralPostsPlaced(("s0", "n1", "s4"))
    assert game.rules.view(game.state, 0)["neutral"] == "blue"
    assert isinstance(game.dealt[2], ColourPlaced)
    assert game.dealt[2].posts == ("n3", "s3", "s5")


@pytest.mark.parametrize("colours", [("red",), ("red", "red", "blue", "white"), ("red", "blue", "white")])
def test_e13_colours_are_one_for_each_seat(colours: tuple[str, ...]) -> None:
    with pytest.raises(BadOptionsError) as caught:
        Small(colours=colours)
    assert caught.value.rule == "E-13"


def test_e13_without_a_choice_seats_are_red_blue_white_orange() -> None:
    assert Small().state.setting.colours == COLOURS


def test_e13_those_tied_for_highest_roll_again_until_one_is_left() -> None:
    state = RULES.table(4, EuropeOptions())
    facts = RULES.deal(state, Scripted({"first_player": [0, 0, 5, 4, 4, 5, 0, 0, 2, 2, 3, 1, 3, 0, 0, 0]}))
    assert facts[:4] == [
        StartRolled((StartRoll(0, (1, 1)), StartRoll(1, (6, 5)), StartRoll(2, (5, 6)), StartRoll(3, (1, 1)))),
        StartRolled((StartRoll(1, (3, 3)), StartRoll(2, (4, 2)))),
        StartRolled((StartRoll(1, (4, 1)), StartRoll(2, (1, 1)))),
        FirstPlayerFound(1),
    ]
    assert facts[-1] == TurnBegan(1, 1)


def test_e10_and_e12_each_board_has_its_usual_set_up_and_either_can_be_chosen() -> None:
    assert not RULES.table(4, EuropeOptions()).setting.free
    assert EXPERT.table(4, EuropeOptions()).setting.free
    assert RULES.table(4, EuropeOptions(set_up="free")).setting.free
    assert not EXPERT.table(4, EuropeOptions(set_up="fixed")).setting.free


def placed(game: Small, *cities: str) -> None:
    for city in cities:
        game.play(game.state.active, PlaceStartPost(city))


def test_e12_posts_go_round_clockwise_then_back_then_clockwise_again() -> None:
    game = Small(set_up="free")
    seats = []
    for city in ("n0", "n1", "n2", "n3", "n4", "n5", "s0", "s1", "s2", "s3", "s4", "s5"):
        seats.append(game.state.active)
        game.play(game.state.active, PlaceStartPost(city))
    assert seats == [0, 1, 2, 3, 3, 2, 1, 0, 0, 1, 2, 3]


def test_e12_the_third_post_gives_a_card_for_each_land_hex_beside_it_numbered_or_not() -> None:
    game = Small(set_up="free")
    placed(game, "n0", "n1", "n2", "n3", "n4", "n5", "s0", "s1")
    assert game.play(0, PlaceStartPost("s4")) == [
        StartPostPlaced(0, "s4"),
        StartCardsTaken(0, Cards(lumber=1)),
        PlacementOpened(1, "post"),
    ]
    assert game.hand(0) == {"lumber": 1}


def test_e12_with_four_players_routes_follow_counter_clockwise_from_the_last() -> None:
    game = Small(set_up="free")
    placed(game, "n0", "n1", "n2", "n3", "n4", "n5", "s0", "s1", "s2", "s3", "s4")
    assert game.play(3, PlaceStartPost("s5"))[-1] == PlacementOpened(3, "route")
    seats = []
    for path in (south(11), south(9), south(7), south(5)):
        seats.append(game.state.active)
        facts = game.play(game.state.active, PlaceStartRoute(path))
        assert facts[0] == StartRoutePlaced(seats[-1], path)
    assert seats == [3, 2, 1, 0]
    assert facts[-1] == TurnBegan(0, 1)
    assert game.rules.view(game.state, 0)["players"][0]["caravans"] == [south(5), None]


def test_e12_with_three_players_everybody_places_a_neutral_post_counter_clockwise_from_the_last() -> None:
    game = Small(seats=3, set_up="free")
    placed(game, "n0", "n1", "n2", "n3", "n4", "n5", "s0", "s1")
    assert game.play(2, PlaceStartPost("s2"))[-1] == PlacementOpened(2, "neutral_post")
    assert game.play(2, PlaceNeutralPost("s3")) == [
        NeutralPostPlaced(2, "s3"),
        PlacementOpened(1, "neutral_post"),
    ]
    game.play(1, PlaceNeutralPost("s4"))
    assert game.play(0, PlaceNeutralPost("s5")) == [NeutralPostPlaced(0, "s5"), PlacementOpened(2, "route")]
    assert game.state.post[game.board.city_index["s3"]] == NEUTRAL


@pytest.mark.parametrize(
    ("city", "kind", "rule"),
    [("n6", NotVioletError, "E-12"), ("n0", CityTakenError, "E-12"), ("rome", NoSuchPlaceError, "E-2")],
)
def test_e12_posts_go_to_free_violet_cities(city: str, kind: type[Refusal], rule: str) -> None:
    game = Small(set_up="free")
    placed(game, "n0")
    refusal = game.refuse(1, PlaceStartPost(city))
    assert (type(refusal), refusal.rule) == (kind, rule)


def test_e12_neutral_posts_go_to_free_violet_cities() -> None:
    game = Small(seats=3, set_up="free")
    placed(game, "n0", "n1", "n2", "n3", "n4", "n5", "s0", "s1", "s2")
    assert type(game.refuse(2, PlaceNeutralPost("m2"))) is NotVioletError
    assert [move.city for move in game.legal(PlaceNeutralPost, 2)] == ["s3", "s4", "s5"]


def routes_open() -> Small:
    game = Small(set_up="free")
    placed(game, "n0", "n1", "n2", "n3", "n4", "n5", "s0", "s1", "s2", "s3", "s4", "s5")
    return game


def test_e12_a_first_route_lies_on_a_free_path_beside_a_post_of_ones_own() -> None:
    game = routes_open()
    game.play(3, PlaceStartRoute(south(11)))
    assert type(game.refuse(2, PlaceStartRoute(south(11)))) is PathTakenError
    assert type(game.refuse(2, PlaceStartRoute(south(13)))) is NotBesideError
    assert type(game.refuse(2, PlaceStartRoute("0,0"))) is NoSuchPlaceError


def test_e12_no_chain_of_first_routes_of_anyone_may_join_two_cities() -> None:
    game = routes_open()
    game.play(3, PlaceStartRoute(south(10)))
    refusal = game.refuse(2, PlaceStartRoute(south(9)))
    assert (type(refusal), refusal.rule) == (JoinsCitiesError, "E-12")


def crowded_document() -> Plain:
    """A board that is one row of cities, each a path away from the next."""
    cities = [
        {**city, "at": f"{i // 2},0N" if i % 2 else f"{i // 2},-1S"}
        for i, city in enumerate(DOCUMENT["cities"][:12])
    ]
    paths = {"land": [north(step) for step in range(11)], "sea": [], "double": []}
    return {
        **DOCUMENT,
        "cities": [{**city, "violet": True} for city in cities],
        "paths": paths,
        "fixed": _any_start(cities),
    }


def _any_start(cities: list[Plain]) -> Plain:
    return {colour: {"posts": [cities[3 * i]["id"]], "route": north(0)} for i, colour in enumerate(COLOURS)}


def test_e12_the_ban_is_waived_for_a_player_who_has_no_other_path_and_no_gold_is_paid() -> None:
    document = crowded_document()
    game = Small(set_up="free", rules=EuropeRules(VERSION_1, DataSet("crowded", document)))
    placed(game, *(city["id"] for city in document["cities"]))
    assert PlaceStartRoute(north(10)) in game.legal(PlaceStartRoute, 3)
    facts = game.play(3, PlaceStartRoute(north(10)))
    assert facts == [StartRoutePlaced(3, north(10)), PlacementOpened(2, "route")]
    assert game.state.gold == [3, 3, 3, 3]


def test_e12_on_a_board_where_a_player_has_no_free_path_at_all_the_others_go_on() -> None:
    document = crowded_document()
    game = Small(set_up="free", rules=EuropeRules(VERSION_1, DataSet("crowded", document)))
    placed(game, *(city["id"] for city in document["cities"]))
    for path in game.board.paths:
        if game.state.index.own_paths[2] >> game.board.path_index[path.id] & 1:
            game.route(0, path.id)
    game.state.routes_left[0] = 30
    assert game.play(3, PlaceStartRoute(game.legal(PlaceStartRoute, 3)[0].path))[-1] == PlacementOpened(
        1, "route"
    )


def test_e14_set_up_pieces_free_no_good_pay_nothing_place_no_token_and_open_no_route() -> None:
    game = Small(set_up="free")
    placed(game, "n0", "n1", "n2", "n4", "n3", "n5", "s0", "s1", "s2", "s3", "s4", "s5")
    assert game.play(3, PlaceStartRoute(DOUBLE[0])) == [
        StartRoutePlaced(3, DOUBLE[0]),
        PlacementOpened(2, "route"),
    ]
    assert game.state.gold == [3] * 4
    assert game.state.free_goods == [1] * 4
    assert sum(game.state.token) == 5
    assert game.state.bonus == -1


def test_the_first_turn_belongs_to_whoever_rolled_highest() -> None:
    state = RULES.table(3, EuropeOptions())
    facts = RULES.deal(state, Scripted({"first_player": [0, 0, 1, 1, 5, 5]}))
    assert facts[-1] == TurnBegan(2, 1)
    assert list(RULES.to_act(state)) == [2]
    assert RULES.legal_moves(state, 2) == [RollDice()]


def test_a_set_up_by_chance_is_the_same_for_the_same_seed() -> None:
    states = [RULES.table(4, EuropeOptions()) for _ in range(2)]
    facts = [RULES.deal(state, Seeded(seed_from("same"))) for state in states]
    assert facts[0] == facts[1]
    assert len(FIRST_IS_SEAT_0) == 8


# Version 2: the first posts by option

SHORT_2 = europe("short", 2)
VIOLET = {city.id for city in SHORT_2.board.cities if city.violet}
BROWN = {city.id for city in SHORT_2.board.cities} - VIOLET


def first_sites(game: Small) -> set[str]:
    return {move.city for move in game.legal(PlaceStartPost)}


def test_e12_in_version_2_the_first_posts_go_to_cities_that_are_not_violet() -> None:
    game = Small(set_up="free", rules=SHORT_2)
    assert first_sites(game) == BROWN
    refusal = game.refuse(0, PlaceStartPost("cologne"))
    assert (type(refusal), refusal.rule) == (VioletError, "E-12")
    placed(game, "brussels")
    assert type(game.refuse(1, PlaceStartPost("brussels"))) is CityTakenError


def test_e12_in_version_2_neutral_posts_still_go_to_violet_cities() -> None:
    game = Small(seats=3, set_up="free", rules=SHORT_2)
    placed(game, *sorted(BROWN)[:9])
    assert {move.city for move in game.legal(PlaceNeutralPost, 2)} == VIOLET
    assert type(game.refuse(2, PlaceNeutralPost("varna"))) is NotVioletError


def test_e12_in_version_2_the_option_brings_the_first_posts_back_to_violet_cities() -> None:
    game = Small(set_up="free", rules=SHORT_2, start_cities="violet")
    assert first_sites(game) == VIOLET
    assert type(game.refuse(0, PlaceStartPost("brussels"))) is NotVioletError


def test_e12_version_1_has_no_such_option_and_starts_in_violet_cities() -> None:
    assert VERSION_1.options is EuropeOptions
    assert [part.name for part in fields(EuropeOptions)] == ["set_up", "turn_limit", "colours"]
    assert first_sites(Small(set_up="free", rules=europe("short", 1))) == VIOLET


def test_e12_a_board_with_too_few_cities_of_that_kind_needs_the_other_option() -> None:
    with pytest.raises(BadOptionsError) as caught:
        Small(set_up="free", rules=RULES_2)
    assert caught.value.rule == "E-12"
    assert len(first_sites(Small(set_up="free", rules=RULES_2, start_cities="violet"))) == 12
    assert Small(rules=RULES_2).state.turn == 1


@pytest.mark.parametrize(("board", "seats"), [("short", 3), ("short", 4), ("expert", 3), ("expert", 4)])
def test_e12_such_matches_end_by_delivery_as_the_ruling_says(board: str, seats: int) -> None:
    """The ruling counts 100 matches of each kind; the first of each is played again."""
    rules = europe(board, 2)
    contest = Contest(GAME.id, ("greedy",) * seats, "2026", options_of(rules, set_up="free"), rules.data)
    match = contest.match(0)
    assert all(played.facts for played in match)
    assert (match.state.ended, match.state.turn <= 94) == ("delivered", True)
