"""The table as a few lines of text, for a person at a terminal."""

from collections.abc import Iterator, Sequence

from kontor_games.domain.codec import ARBITER
from kontor_games.domain.games.europe.data.board import RESOURCES
from kontor_games.domain.games.europe.data.components import CARDS, kind_of
from kontor_games.domain.games.europe.state import NEUTRAL, NOBODY, EuropeState
from kontor_games.domain.games.europe.text.phrases import amount, word
from kontor_games.domain.games.europe.text.place_names import place_names
from kontor_games.domain.toolkit.messages import Messages, Phrase, Value, phrase


def scene(state: EuropeState, viewer: int, names: Sequence[str], words: Messages) -> str:
    """Return three lines for each player, then the robber and the supply."""
    table = _Table(state, words)
    lines = [line for seat in range(state.seats) for line in table.player(seat, viewer, names)]
    if neutral := table.posts(NEUTRAL):
        lines.append(f"  {words.show(phrase('scene.neutral_posts', names=', '.join(neutral)))}")
    return "\n".join([*lines, f"  {words.show(table.supply())}"])


class _Table:
    """The parts of a scene."""

    def __init__(self, state: EuropeState, words: Messages) -> None:
        self.state = state
        self.words = words
        self.places = place_names(state.tables)

    def player(self, seat: int, viewer: int, names: Sequence[str]) -> Iterator[str]:
        state = self.state
        wealth = phrase(
            "scene.player",
            who=names[seat],
            colour=word(state.setting.colours[seat]),
            delivered=state.delivered[seat],
            goods=state.setting.goods,
            free=state.free_goods[seat],
            gold=state.gold[seat],
            hand=self.hand(seat, viewer),
            cards=self.cards(seat, viewer),
        )
        posts, laid = self.posts(seat), state.route.count(seat)
        built = phrase("scene.posts", posts=tuple(posts), names=", ".join(posts), routes=laid)
        yield f"{'◆' if seat == state.active else ' '} {self.words.show(wealth)}"
        yield f"    {self.words.show(built)}"
        if under_way := self.under_way(seat):
            yield f"    {' · '.join(map(self.words.show, under_way))}"

    def hand(self, seat: int, viewer: int) -> Value:
        """The cards in a hand, or only how many."""
        if viewer not in (seat, ARBITER) or not self.state.sizes[seat]:
            return phrase("scene.resources", n=self.state.sizes[seat])
        held = zip(RESOURCES, self.state.hand(seat), strict=True)
        return tuple(amount(name, count) for name, count in held if count)

    def cards(self, seat: int, viewer: int) -> Value:
        """The development cards of a player, or only how many."""
        held = [kind_of(card) for card in self.state.cards[seat]]
        if self.state.fresh != NOBODY and seat == self.state.active:
            held.append(kind_of(self.state.fresh))
        if not held or viewer not in (seat, ARBITER):
            return phrase("scene.cards", n=len(held))
        return tuple(word(CARDS[kind]) for kind in sorted(held))

    def posts(self, owner: int) -> list[str]:
        """The cities with posts of an owner; those that hold a good already with a dot."""
        cities = self.places.board.cities
        return [
            self.words.show(self.places.city(cities[i].id)) + ("•" if self.state.good[i] != NOBODY else "")
            for i, whose in enumerate(self.state.post)
            if whose == owner
        ]

    def under_way(self, seat: int) -> list[Phrase]:
        """The merchants and caravans of a player that are on the board."""
        merchants = [self.places.board.crossroads[at] for at in self.state.merchants_of(seat) if at >= 0]
        caravans = [self.state.tables.path_ids[at] for at in self.state.caravans_of(seat) if at >= 0]
        return [
            *(phrase("scene.merchant", place=self.places.crossroads(at)) for at in merchants),
            *(phrase("scene.caravan", path=self.places.path(at)) for at in caravans),
        ]

    def supply(self) -> Phrase:
        held = zip(RESOURCES, self.state.supply, strict=True)
        supply = ", ".join(self.words.show(amount(name, count)) for name, count in held)
        hexagon = self.places.hex(self.state.tables.hex_ids[self.state.robber])
        return phrase("scene.table", hex=hexagon, supply=supply, pile=sum(self.state.pile))
