"""The table as a few lines of text, for a person at a terminal."""

from collections.abc import Iterator, Sequence

from kontor_games.domain.games.speicherstadt.data.cards import KIND, MERCHANTS
from kontor_games.domain.games.speicherstadt.rules.turn import Steps
from kontor_games.domain.games.speicherstadt.state import Table
from kontor_games.domain.games.speicherstadt.state.cubes import unpack
from kontor_games.domain.games.speicherstadt.text.phrases import card_with_cubes, goods
from kontor_games.domain.toolkit.messages import Messages, Phrase, Value, phrase

_SHOWN_BY_NAME = (*MERCHANTS, "bank", "port", "chamber_of_commerce", "boatsmen_church", "st_michaelis")


def scene(steps: Steps, state: Table, names: Sequence[str], words: Messages) -> str:
    """Return the players, the row with its lines, the stock and the pile."""
    width = max(map(len, names))
    lines = [_player(steps, state, seat, names[seat].ljust(width), words) for seat in range(state.seats)]
    lines += [_offer(state, place, names, words) for place in range(len(state.row))]
    pile, bag = len(state.unrevealed()), len(state.bag) - state.drawn
    lines.append(words.show(phrase("scene.beside", pile=pile, bag=bag, stock=_heap(state.stock))))
    return "\n".join(lines)


def _player(steps: Steps, state: Table, seat: int, name: str, words: Messages) -> str:
    wealth = phrase("scene.player", coins=state.coins[seat], points=steps.score(state, seat).total)
    first = "◆" if seat == state.first else " "
    parts = map(words.show, (wealth, *_possessions(state, seat, words)))
    return f"{first} {name}  {' · '.join(parts)}"


def _possessions(state: Table, seat: int, words: Messages) -> Iterator[Phrase]:
    kinds = [KIND[card] for card in state.cards[seat]]
    for card in state.contracts[seat]:
        yield phrase("scene.contract", goods=_contract(state, card, words))
    if strength := state.firemen(seat):
        yield phrase("scene.firemen", n=strength)
    for kind in ("counting_office", "ship"):
        if kind in kinds:
            yield phrase(f"scene.{kind}s", n=kinds.count(kind))
    yield from (phrase(f"words.{kind}") for kind in kinds if kind in _SHOWN_BY_NAME)
    if state.warehouse_owner == seat:
        yield phrase("scene.warehouse", goods=_heap(state.warehouse[seat]))
    if state.market_hall[seat]:
        yield phrase("scene.market_hall", goods=_heap(state.market_hall[seat]))
    if state.quay[seat]:
        yield phrase("scene.quay", goods=_heap(state.quay[seat]))


def _heap(cubes: int) -> Value:
    return goods(unpack(cubes)) or phrase("scene.empty")


def _contract(state: Table, card: str, words: Messages) -> str:
    """The goods of a contract; those still to come in brackets."""
    missing = list(unpack(state.open_places[card]))
    shown = []
    for good in reversed(state.deck.goods[card]):
        name = words.show(phrase(f"words.{good}"))
        if good in missing:
            missing.remove(good)
            name = f"[{name}]"
        shown.append(name)
    return "+".join(reversed(shown))


def _offer(state: Table, place: int, names: Sequence[str], words: Messages) -> str:
    line = " ".join(names[seat] for seat in state.lines[place])
    card = words.show(card_with_cubes(state, state.row[place], unpack(state.cargo[place])), "a")
    return f"  {place + 1}. {card}" + (f"  ← {line}" if line else "")
