"""Which matches count for a ladder, and with what result. A ladder is a game and a kind of player."""

from collections.abc import Iterable
from typing import Literal, NamedTuple

from kontor_games.domain.match import Match
from kontor_games.domain.match_facts import MatchCreated

Kind = Literal["people", "programs"]
KINDS: tuple[Kind, ...] = ("people", "programs")


class Ladder(NamedTuple):
    """A ladder: people and programs are rated separately, and so is each game."""

    game: str
    kind: Kind


class RatedResult(NamedTuple):
    """The result of one rated match."""

    ladder: Ladder
    players: tuple[str, ...]
    """By seat."""
    places: tuple[int, ...]
    """Of each of them; 1 is best, and ties share a place."""


def kind_of(*, bot: bool) -> Kind:
    """The kind of ladder for a player."""
    return "programs" if bot else "people"


def rated_result(match: Match) -> RatedResult | None:
    """The result of a match that counts: announced as rated, played to an end, all players of one kind.

    Open seeds, branches, practice, private matches and house bots never count, whatever was announced.
    """
    created, outcome = match.created, match.outcome
    if not created.rated or outcome is None:
        return None
    if created.open_seed is not None or created.branch or created.practice or created.private:
        return None
    seats = [taken for taken in match.seats if taken is not None]
    if len(seats) < len(match.seats) or any(taken.house is not None for taken in seats):
        return None
    kinds = {taken.bot for taken in seats}
    if len(kinds) > 1:
        return None
    ladder = Ladder(created.game, kind_of(bot=kinds.pop()))
    return RatedResult(ladder, tuple(taken.player for taken in seats), outcome.places)


def unrated_because_of(created: MatchCreated) -> Iterable[tuple[str, str]]:
    """Yield the reasons why a match that was announced as rated cannot be."""
    if not created.rated:
        return ()
    return unrated_because(
        house=any(plan.kind == "bot" for plan in created.seats),
        open_seed=created.open_seed is not None,
        practice=created.practice,
        private=created.private,
    )


def unrated_because(
    *, house: bool, open_seed: bool, practice: bool, private: bool
) -> Iterable[tuple[str, str]]:
    """Yield the reasons why a match cannot be rated: field of the announcement, and sentence."""
    if house:
        yield "seats", "must have no house bots in a rated match"
    if open_seed:
        yield "seed", "must not be set openly in a rated match"
    if practice:
        yield "practice", "must be false in a rated match"
    if private:
        yield "private", "must be false in a rated match: its result is public"
