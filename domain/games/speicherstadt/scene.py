"""The table as a few lines of text, for a person at a terminal."""

from collections.abc import Sequence

from kontor_games.domain.games.speicherstadt.cards import KIND, MERCHANTS, Deck
from kontor_games.domain.games.speicherstadt.cubes import unpack
from kontor_games.domain.games.speicherstadt.prose import coins, goods, points
from kontor_games.domain.games.speicherstadt.scoring import firemen, score
from kontor_games.domain.games.speicherstadt.state import Table
from kontor_games.domain.games.speicherstadt.telling import Teller


def scene(deck: Deck, teller: Teller, state: Table, names: Sequence[str]) -> str:
    """The players, the row with its lines, and what lies beside it."""
    width = max(map(len, names))
    lines = [_player(deck, teller, state, seat, names[seat].ljust(width)) for seat in range(state.seats)]
    lines += [_offer(teller, state, place, names) for place in range(len(state.row))]
    lines.append(
        f"pile {len(state.unrevealed())} · bag {len(state.bag) - state.drawn} · stock {_heap(state.stock)}"
    )
    return "\n".join(lines)


def _player(deck: Deck, teller: Teller, state: Table, seat: int, name: str) -> str:
    worth = score(deck, state, seat).total
    parts = [
        f"{'◆' if seat == state.first else ' '} {name}  {coins(state.coins[seat])}, {points(worth)}",
        *_possessions(deck, teller, state, seat),
    ]
    return " · ".join(parts)


def _possessions(deck: Deck, teller: Teller, state: Table, seat: int) -> list[str]:
    kinds = [KIND[card] for card in state.cards[seat]]
    parts = [_contract(deck, state, card) for card in state.contracts[seat]]
    if strength := firemen(deck, state, seat):
        parts.append(f"firemen {strength}")
    parts += [
        f"{word} {kinds.count(kind)}"
        for kind, word in (("counting_office", "offices"), ("ship", "ships"))
        if kind in kinds
    ]
    parts += [teller.bare(kind) for kind in kinds if kind in MERCHANTS or kind in _SINGLES]
    if state.warehouse_owner == seat:
        parts.append(f"warehouse ({_heap(state.warehouse[seat])})")
    if state.market_hall[seat]:
        parts.append(f"market hall ({_heap(state.market_hall[seat])})")
    if state.quay[seat]:
        parts.append(f"quay ({_heap(state.quay[seat])})")
    return parts


def _heap(cubes: int) -> str:
    return goods(unpack(cubes)) if cubes else "empty"


_SINGLES = ("bank", "port", "chamber_of_commerce", "boatsmen_church", "st_michaelis")


def _contract(deck: Deck, state: Table, card: str) -> str:
    """The goods of a contract; those still to come in brackets."""
    missing = list(unpack(state.open_places[card]))
    goods = []
    for good in reversed(deck.goods[card]):
        if good in missing:
            missing.remove(good)
            goods.append(f"[{good}]")
        else:
            goods.append(good)
    return "contract " + "+".join(reversed(goods))


def _offer(teller: Teller, state: Table, place: int, names: Sequence[str]) -> str:
    line = " ".join(names[seat] for seat in state.lines[place])
    return f"  {place + 1}. {teller.a(state.row[place], unpack(state.cargo[place]))}" + (
        f"  ← {line}" if line else ""
    )
