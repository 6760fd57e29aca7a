"""Checks each draw of a complete export against its fact, only by docs/chance.md and docs/draws.json.

It shares no code with the rules.
"""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DOCUMENT: dict[str, Any] = json.loads((Path(__file__).parents[2] / "docs/draws.json").read_bytes())


class UnboundError(Exception):
    """A draw without a fact, a fact without its draw, or a field that does not follow from the values."""


@dataclass(frozen=True)
class Bound:
    """A draw, and the fact to which it belongs; for `absent`, the first fact of the quiet move."""

    stream: str
    index: int
    version: int
    fact: str


def require(condition: object, what: str) -> None:
    if not condition:
        raise UnboundError(what)


def elements(value: Any, path: str) -> list[Any]:
    """Return the values of a path such as `rolls[].dice[]` in a fact."""
    found = [value]
    for step in path.split("."):
        name = step.removesuffix("[]")
        found = [one[name] for one in found]
        if step.endswith("[]"):
            found = [item for items in found for item in items]
    return found


def shuffled(items: list[Any], values: list[list[int]]) -> list[Any]:
    """Return the items in the order that the values of a shuffle give."""
    order = list(items)
    require([bound for bound, _ in values] == list(range(len(items), 1, -1)), "bounds of the shuffle")
    for (bound, value), last in zip(values, range(len(items) - 1, 0, -1), strict=True):
        assert bound == last + 1
        order[last], order[value] = order[value], order[last]
    return order


def nth(counts: list[tuple[str, int]], value: int) -> str:
    """Return the kind of the nth card, counting the cards in the order of the kinds."""
    return [kind for kind, count in counts for _ in range(count)][value]


class Binder:
    """Walks the facts of one match and takes the draws that belong to each."""

    def __init__(self, lines: list[dict[str, Any]], data_set: Mapping[str, Any]) -> None:
        header, *self.facts, _ = lines
        self.game = DOCUMENT[header["ruleset"]["game"]]
        require(header["ruleset"]["version"] in self.game["versions"], "the version is not in the document")
        created = self.facts[0]["fact"]
        self.seats = len(created["seats"])
        position = self.facts[1]["fact"]["position"] if created["branch"] else {}
        bindings = self.game["facts"].values()
        self.counts = {b["stream"]: position.get(b["branch"], 0) for b in bindings if "branch" in b}
        self.branch: bool = created["branch"]
        self.hands: list[Counter[str]] = [Counter() for _ in range(self.seats)]
        self.pile = Counter(self.game.get("pile", {}).get("kinds", {}))
        self.discarded: Counter[str] = Counter()
        self.tokens = {terrain: list(left) for terrain, left in self.game.get("tokens", {}).items()}
        self.terrain = {land["at"]: land["terrain"] for land in data_set.get("land", ())}
        self.absent: set[int] = set()
        self.draws: list[dict[str, Any]] = []
        self.bound: list[Bound] = []
        self.quiet = 0
        """How many quiet moves have begun in this command whose outcome has not been seen yet."""
        self.timed_out: int | None = None

    def run(self) -> list[Bound]:
        """Bind every draw; raise UnboundError at the first that does not fit."""
        for line in self.facts:
            if "seat" in line:
                require(not self.draws, "a draw belongs to no fact")
                self.draws, self.quiet, self.timed_out = list(line.get("draws", ())), 0, None
            else:
                require("draws" not in line, "draws are listed at the first fact of a command only")
            self._take_absent(line["version"], line["fact"])
            self._take_bound(line["version"], line["fact"])
            self._fold(line["fact"])
        require(not self.draws, "a draw belongs to no fact")
        return self.bound

    def _take_absent(self, version: int, fact: dict[str, Any]) -> None:
        following = bool(self.draws) and self.draws[0]["stream"] == "absent"
        if following and self.draws[0]["index"] == version - 1:
            draw = self.draws.pop(0)
            require(self.absent or self.timed_out is not None, "a quiet move although nobody is absent")
            require(len(draw["values"]) == 1, "a quiet move takes one value")
            self.bound.append(Bound("absent", version - 1, version, fact["type"]))
            self.quiet += 1
        wanted = self.game["moves"].get(fact["type"])
        moved = wanted is not None and all(fact[name] == value for name, value in wanted.items())
        if moved and (fact["seat"] in self.absent or fact["seat"] == self.timed_out):
            require(self.quiet, f"the quiet move of seat {fact['seat']} was not drawn")
            self.quiet -= 1

    def _take_bound(self, version: int, fact: dict[str, Any]) -> None:
        binding = self.game["facts"].get(fact["type"])
        if binding is None or not fact.get(binding.get("when"), True):
            return
        stream, drawn = binding["stream"], []
        parts = len(binding.get("items", [()]))
        for part in range(parts):
            index = part if binding["index"] == "part" else self.counts[stream]
            require(self.draws, f"{fact['type']} lacks draw {index} of {stream}")
            draw = self.draws.pop(0)
            require((draw["stream"], draw["index"]) == (stream, index), f"not draw {index} of {stream}")
            self.bound.append(Bound(stream, index, version, fact["type"]))
            drawn.append(draw["values"])
        if binding["index"] == "count":
            self.counts[stream] += 1
        getattr(self, f"_check_{binding['form']}")(binding, fact, drawn)

    def _check_die(self, binding: Any, fact: Any, drawn: list[Any]) -> None:
        dice = elements(fact, binding["field"])
        require(drawn[0] == [[6, die - 1] for die in dice], "the dice are not those drawn")

    def _check_seat(self, binding: Any, fact: Any, drawn: list[Any]) -> None:
        require(drawn[0] == [[self.seats, fact[binding["field"]]]], "the seat is not the one drawn")

    def _check_shuffle(self, binding: Any, fact: Any, drawn: list[Any]) -> None:
        removed = fact[binding["without"]] if "without" in binding else ()
        order: list[Any] = []
        for items, values in zip(binding["items"], drawn, strict=True):
            order += shuffled([item for item in items if item not in removed], values)
        require(fact[binding["field"]] == order, "the order is not the one drawn")

    def _check_hand(self, binding: Any, fact: Any, drawn: list[Any]) -> None:
        hand = self.hands[fact[binding["owner"]]]
        self._check_one([(kind, hand[kind]) for kind in self.game["hands"]["kinds"]], binding, fact, drawn)

    def _check_pile(self, binding: Any, fact: Any, drawn: list[Any]) -> None:
        counts = [(kind, self.pile[kind]) for kind in self.game["pile"]["kinds"]]
        self._check_one(counts, binding, fact, drawn)
        self.pile[fact[binding["field"]]] -= 1

    def _check_token(self, binding: Any, fact: Any, drawn: list[Any]) -> None:
        left = self.tokens[self.terrain[fact[binding["place"]]]]
        self._check_one([(number, 1) for number in sorted(left)], binding, fact, drawn)
        if not self.branch:
            left.remove(fact[binding["field"]])

    def _check_one(self, counts: list[tuple[str, int]], binding: Any, fact: Any, drawn: list[Any]) -> None:
        require(len(drawn[0]) == 1, "one value is drawn")
        ((bound, value),) = drawn[0]
        if not self.branch:  # the position of a branch is not part of the document
            require(bound == sum(count for _, count in counts), "the value was drawn below another bound")
            require(fact[binding["field"]] == nth(counts, value), f"{binding['field']} is not the one drawn")

    def _fold(self, fact: dict[str, Any]) -> None:
        kind = fact["type"]
        if kind == "seat_resigned" or (kind == "seat_timed_out" and fact["consequence"] == "forfeit"):
            self.absent.add(fact["seat"])
        elif kind == "seat_timed_out":
            self.timed_out = fact["seat"]
        pile = self.game.get("pile", {"played": {}, "renewed": None})
        if kind in pile["played"]:
            self.discarded[pile["played"][kind]] += 1
        if kind == pile["renewed"]:
            self.pile, self.discarded = self.discarded, Counter()
        for change in self.game.get("hands", {"changes": {}})["changes"].get(kind, ()):
            for part in fact[change["each"]] if "each" in change else [fact]:
                self._move_cards(change, part)

    def _move_cards(self, change: dict[str, str], part: dict[str, Any]) -> None:
        if "cards" in change:
            cards = Counter(part[change["cards"]])
        elif "only" in change:
            cards = Counter({change["only"]: part[change["only"]]})
        else:
            cards = Counter({part[change["kind"]]: part.get(change.get("count", ""), 1)})
        if "from" in change:
            self.hands[part[change["from"]]].subtract(cards)
        if "to" in change:
            self.hands[part[change["to"]]].update(cards)
