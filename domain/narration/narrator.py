"""Describes one match in one language: a sentence for each fact, a label for each legal move."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from kontor_games.domain.codec import Plain
from kontor_games.domain.game import Fact, Move
from kontor_games.domain.match import Match
from kontor_games.domain.match_facts import MatchFact, MatchFinished, SeatLeft, SeatTaken, SeatTimedOut
from kontor_games.domain.narration import MESSAGES
from kontor_games.domain.stream import HOUSE
from kontor_games.domain.toolkit.languages import DEFAULT_LANGUAGE
from kontor_games.domain.toolkit.messages import Phrase, Value, phrase


@dataclass(frozen=True)
class Narrator:
    """Renders facts and moves in a language, with the names of the players.

    Names are never part of a fact, so that a player's name can be erased.
    """

    language: str
    names: tuple[str, ...]
    """By seat, no two alike."""
    players: tuple[str | None, ...]
    """The ids of the players who have these names."""
    departed: tuple[tuple[str, str], ...] = ()
    """Ids and names of players who left their seats before the match started."""

    @classmethod
    def of(
        cls, match: Match, player_names: Mapping[str, str], language: str = DEFAULT_LANGUAGE
    ) -> "Narrator":
        """Return the narrator of a match; `player_names` are by player id."""
        players = tuple(None if seat is None else seat.player for seat in match.seats)
        names = [
            None if seat is None else seat.house if seat.player == HOUSE else player_names.get(seat.player)
            for seat in match.seats
        ]
        departed = sorted((player, name) for player, name in player_names.items() if player not in players)
        return cls(language, seat_names(names, language), players, tuple(departed))

    def tell(self, match: Match, fact: Fact, viewer: int) -> str | None:
        """Return the sentence, if any, about a fact as a viewer may read it; `match` is as after the fact."""
        if isinstance(fact, MatchFact):
            sentence = _sentence(fact, self._subject(fact), self.names)
            return MESSAGES[self.language].sentence(sentence)
        return match.rules.tell(match.state, fact, viewer, self.names, self.language) or None

    def _subject(self, fact: MatchFact) -> str:
        """Return the name of the player whom a fact of the match is about."""
        seat: int | None = getattr(fact, "seat", None)
        if isinstance(fact, SeatTaken | SeatLeft) and fact.player != self.players[fact.seat]:
            somebody = MESSAGES[self.language].show(phrase("names.departed"))
            return dict(self.departed).get(fact.player, somebody)
        return "" if seat is None else self.names[seat]

    def story(self, match: Match, facts: Iterable[Fact], viewer: int) -> Iterator[str | None]:
        """Fold facts into a match and yield a sentence for each; the caller must not use `match` again."""
        for fact in facts:
            match.fold_fact(fact)
            yield self.tell(match, fact, viewer)

    def scene(self, match: Match, viewer: int) -> str:
        """Return the table as a few lines of text; empty before the match starts."""
        return match.rules.scene(match.state, viewer, self.names, self.language) if match.begun else ""

    def labels(
        self, match: Match, seat: int, moves: Sequence[Move], open_moves: Sequence[type[Move]]
    ) -> list[str]:
        """Return a unique label for each legal move of a seat, and one for each kind that is not listed."""
        rules = match.rules
        labels = [rules.tell_move(match.state, seat, move, self.names, self.language) for move in moves]
        if len(set(labels)) < len(labels):
            labels = _make_unique(labels, [rules.move_codec.encode(move) for move in moves])
        return labels + [rules.tell_open_move(kind, self.language) for kind in open_moves]


def _sentence(fact: MatchFact, who: str, names: Sequence[str]) -> Phrase:
    """Return the sentence about a fact; `who` is the player concerned, if any."""
    values: dict[str, Value] = {"who": who}
    if isinstance(fact, SeatTaken):
        values["house"] = () if fact.house is None else (fact.house,)
    elif isinstance(fact, SeatTimedOut):
        values["consequence"] = fact.consequence
    elif isinstance(fact, MatchFinished):
        values["winners"] = tuple(names[seat] for seat, place in enumerate(fact.places) if place == 1)
    return Phrase(f"facts.{fact.type}", values)


def seat_names(names: Sequence[str | None], language: str) -> tuple[str, ...]:
    """Return what to call the seats: by number if unnamed, and with a number added to equal names."""
    shown = [
        MESSAGES[language].show(phrase("names.seat", number=seat + 1)) if name is None else name
        for seat, name in enumerate(names)
    ]
    counts, seen = Counter(shown), Counter[str]()
    for seat, name in enumerate(shown):
        if counts[name] > 1:
            seen[name] += 1
            shown[seat] = f"{name} {seen[name]}"
    return tuple(shown)


def _make_unique(labels: Sequence[str], moves: Sequence[Mapping[str, Plain]]) -> list[str]:
    """Return unique labels: equal ones get the values in which their moves differ."""
    groups: dict[str, list[int]] = {}
    for index, label in enumerate(labels):
        groups.setdefault(label, []).append(index)
    unique = list(labels)
    for group in groups.values():
        for name in moves[group[0]] if len(group) > 1 else ():
            values = [_shown(moves[index].get(name)) for index in group]
            if len(set(values)) > 1:
                for index, value in zip(group, values, strict=True):
                    unique[index] += f" ({value})"
    return unique


def _shown(value: Plain) -> str:
    return " → ".join(map(str, value)) if isinstance(value, list) else str(value)
