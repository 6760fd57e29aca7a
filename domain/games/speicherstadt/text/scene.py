"""The table as a few lines of text, for a person at a terminal."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kontor_games.domain.games.speicherstadt.data.cards import KIND, MERCHANTS
from kontor_games.domain.games.speicherstadt.state import Table
from kontor_games.domain.games.speicherstadt.state.cubes import unpack
from kontor_games.domain.games.speicherstadt.text.phrases import a, bare, goods
from kontor_games.domain.toolkit.sentences import counted

if TYPE_CHECKING:
    from kontor_games.domain.games.speicherstadt.rules import Steps

_SHOWN_BY_NAME = (*MERCHANTS, "bank", "port", "chamber_of_commerce", "boatsmen_church", "st_michaelis")


def scene(steps: "Steps", state: Table, names: Sequence[str]) -> str:
    """Return the players, the row with its lines, and what lies beside it."""
    width = max(map(len, names))
    lines = [_player(steps, state, seat, names[seat].ljust(width)) for seat in range(state.seats)]
    lines += [_offer(state, place, names) for place in range(len(state.row))]
    lines.append(
        f"pile {len(state.unrevealed())} · bag {len(state.bag) - state.drawn} · stock {_heap(state.stock)}"
    )
    return "\n".join(lines)


def _player(steps: "Steps", state: Table, seat: int, name: str) -> str:
    coins, points = counted(state.coins[seat], "coin"), counted(steps.score(state, seat).total, "point")
    first = "◆" if seat == state.first else " "
    return " · ".join([f"{first} {name}  {coins}, {points}", *_possessions(state, seat)])


def _possessions(state: Table, seat: int) -> list[str]:
    kinds = [KIND[card] for card in state.cards[seat]]
    parts = [_contract(state, card) for card in state.contracts[seat]]
    if strength := state.firemen(seat):
        parts.append(f"firemen {strength}")
    counts = (("counting_office", "offices"), ("ship", "ships"))
    parts += [f"{word} {kinds.count(kind)}" for kind, word in counts if kind in kinds]
    parts += [bare(state, kind) for kind in kinds if kind in _SHOWN_BY_NAME]
    if state.warehouse_owner == seat:
        parts.append(f"warehouse ({_heap(state.warehouse[seat])})")
    if state.market_hall[seat]:
        parts.append(f"market hall ({_heap(state.market_hall[seat])})")
    if state.quay[seat]:
        parts.append(f"quay ({_heap(state.quay[seat])})")
    return parts


def _heap(cubes: int) -> str:
    return goods(unpack(cubes)) or "empty"


def _contract(state: Table, card: str) -> str:
    """The goods of a contract; those still to come in brackets."""
    missing = list(unpack(state.open_places[card]))
    shown = []
    for good in reversed(state.deck.goods[card]):
        if good in missing:
            missing.remove(good)
            shown.append(f"[{good}]")
        else:
            shown.append(good)
    return "contract " + "+".join(reversed(shown))


def _offer(state: Table, place: int, names: Sequence[str]) -> str:
    line = " ".join(names[seat] for seat in state.lines[place])
    card = a(state, state.row[place], unpack(state.cargo[place]))
    return f"  {place + 1}. {card}" + (f"  ← {line}" if line else "")
