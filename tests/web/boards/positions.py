"""Positions of matches as a player's page gets them, with every kind of move and every phase."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kontor_games.api.render import encode
from kontor_games.domain.chance import Draws, Seeded, seed_from
from kontor_games.domain.codec import Plain
from kontor_games.domain.game import Move, Rules, Sight
from kontor_games.domain.games import installed_games
from kontor_games.service.catalogue import data_set_details, game_details

Position = dict[str, Any]
"""The data that the function `draw` of a board gets."""

NAMES = ("Ada", "Bela", "Carla", "Dan", "Eve")
MATCHES: Mapping[str, Sequence[tuple[str, int, dict[str, Plain]]]] = {
    "speicherstadt": (
        ("standard", 4, {}),
        ("standard", 2, {"simultaneous_loading": True}),
        ("standard", 5, {}),
    ),
    "europe": (
        ("short-2", 4, {}),
        ("short", 3, {"set_up": "free"}),
        ("expert-2", 4, {"start_cities": "violet"}),
    ),
}
"""The data set, the number of seats and the options of the sampled matches."""
SAMPLES = 1
"""How many positions of each match are sampled for each kind of move and each phase."""


def page_data(game_id: str, data_set: str, language: str = "en") -> dict[str, Plain]:
    """Return what the page loads about a game and one of its data sets."""
    game = json.loads(encode(game_details(game_id, language)))
    data = json.loads(encode(data_set_details(game_id, data_set)))
    return {"game": game, "words": game["words"], "data": data}


class Table:
    """A match of house bots, with random moves and trade offers of all kinds."""

    def __init__(self, game_id: str, data_set: str, seats: int, chosen: Mapping[str, Plain]) -> None:
        """Deal."""
        game = installed_games()[game_id]
        self.rules: Rules[Any] = game.rules(data_set)
        self.bots = {name: game.bots[name](self.rules) for name in ("greedy", "random")}
        self.state = self.rules.table(seats, self.rules.options(**chosen))
        self.chance = Seeded(seed_from(f"{game_id} {data_set} {seats}"))
        self.rules.deal(self.state, self.chance)
        self.turns = 0

    def walk(self) -> Iterator[tuple[int, Move]]:
        """Play the match; yield the seat and the move before each move is made."""
        while seats := self.rules.to_act(self.state):
            draws = self.chance.draws("whims", self.turns)
            offering = self.offer(seats[0], draws)
            if offering is not None:
                yield from self.play(seats[0], offering)
            for seat in tuple(self.rules.may_act(self.state)):
                if seat in self.rules.may_act(self.state) and (move := self.choice(seat, draws)) is not None:
                    yield from self.play(seat, move)
            self.turns += 1

    def play(self, seat: int, move: Move) -> Iterator[tuple[int, Move]]:
        """Yield the move, then make it."""
        yield seat, move
        self.rules.play(self.state, seat, move, self.chance)

    def choice(self, seat: int, draws: Draws) -> Move | None:
        """Return the move of the greedy bot, or sometimes of the random bot."""
        bot = self.bots["random" if draws.below(5) == 0 else "greedy"]
        legal = self.rules.legal_moves(self.state, seat)
        return bot.choose(seat, Sight(self.rules, self.state, seat), legal, draws)

    def offer(self, seat: int, draws: Draws) -> Move | None:
        """Return a trade offer of something that the seat has, or usually None."""
        resources = (
            self.rules.view(self.state, seat).get("players", [{}] * (seat + 1))[seat].get("resources", {})
        )
        kinds = [kind for kind, count in resources.items() if count]
        open_kinds = [kind.type for kind in self.rules.open_moves(self.state, seat)]
        if "offer_trade" not in open_kinds or not kinds or draws.below(6):
            return None
        give = kinds[draws.below(len(kinds))]
        want = next(kind for kind in sorted(resources, key=lambda kind: resources[kind]) if kind != give)
        plain = {"type": "offer_trade", "give": {give: 1}, "want": {want: 1}, "to": []}
        offered: Move = self.rules.move_codec.parse(plain)
        return offered

    def seen_by(self, seat: int) -> Position:
        """Return the position as the seat sees it."""
        rules, state = self.rules, self.state
        listed = [rules.move_codec.encode(move) for move in rules.offered_moves(state, seat)]
        listed += [
            {"type": kind.type, "schema": rules.move_codec.schema(kind.type)}
            for kind in rules.open_moves(state, seat)
        ]
        view = rules.view(state, seat)
        labels = [
            *(
                rules.tell_move(state, seat, move, NAMES[: state.seats])
                for move in rules.offered_moves(state, seat)
            ),
            *(rules.tell_open_move(kind) for kind in rules.open_moves(state, seat)),
        ]
        return {
            "view": view,
            "moves": [{"index": i, "move": move, "label": labels[i]} for i, move in enumerate(listed)],
            "you": seat,
            "names": list(NAMES[: state.seats]),
            "to_act": list(rules.to_act(state)),
        }


def samples(game_id: str, data_set: str, seats: int, chosen: Mapping[str, Plain]) -> list[Position]:
    """Return positions of a match that include every kind of move and every phase that occur in it."""
    table = Table(game_id, data_set, seats, chosen)
    found, seen, last = list[Position](), Counter[str](), dict[int, Plain]()
    for seat, _ in table.walk():
        position = table.seen_by(seat)
        kinds = {entry["move"]["type"] for entry in position["moves"]} | {
            "phase " + position["view"]["phase"]
        }
        if any(seen[kind] < SAMPLES for kind in kinds):
            seen.update(kinds)
            found.append({**position, "previous": last.get(seat), "data_set": data_set})
        last[seat] = position["view"]
    over = table.seen_by(0)
    return [*found, {**over, "previous": last.get(0), "data_set": data_set}]


def sampled(game_id: str) -> list[Position]:
    """The samples of all matches of a game."""
    return [position for match in MATCHES[game_id] for position in samples(game_id, *match)]
