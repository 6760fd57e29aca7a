"""What `kontor verify` says about the results of a tournament that were not played: who decided what."""

from collections.abc import Mapping, Sequence

from kontor_games.domain.toolkit.sentences import count_phrase
from kontor_games.domain.tournaments.decisions import Decision
from kontor_games.service.cli.player_names import read_player_names
from kontor_games.service.trust.tournament_check import TournamentVerdict

Check = tuple[str, bool | None, str]
"""Name, state (True: passed, None: with a caveat, False: not possible yet) and description of a check."""


def decision_checks(verdict: TournamentVerdict, given: str | None) -> list[Check]:
    """Return the number of rulings, protests and no-shows, and each ruling and protest in words."""
    named = {} if given is None else read_player_names(given, verdict.players)
    names = [named.get(player) or player[:8] for player in verdict.players]
    by_type: dict[str, list[Decision]] = {}
    for one in verdict.decisions:
        by_type.setdefault(one.type, []).append(one)
    ruled, protests = by_type.get("result_ruled", []), by_type.get("standings_protested", [])
    voided = by_type.get("match_voided", [])
    no_shows = by_type.get("no_show_recorded", [])
    missing = count_phrase(sum(len(one.absent) for one in no_shows), "no-show")
    walkovers = {one.match for one in no_shows if one.after is not None}
    won = count_phrase(len(walkovers - {one.match for one in ruled + voided}), "match", "matches")
    return [
        ("no-shows", None if no_shows else True, f"{missing} decided {won}" if no_shows else "none"),
        ("rulings", None if ruled else True, f"{count_phrase(len(ruled), 'ruling')}:" if ruled else "none"),
        *(("", None, _ruling(verdict, one, names, named)) for one in ruled),
        *(
            [("replays", None, f"{count_phrase(len(voided), 'match', 'matches')} discarded:")]
            if voided
            else []
        ),
        *(("", None, _ruling(verdict, one, names, named)) for one in voided),
        ("protests", None if protests else True, f"{len(protests)}:" if protests else "none"),
        *(("", None, f"{names[one.entrants[0]]}: “{one.why}”") for one in protests),
    ]


def _ruling(verdict: TournamentVerdict, one: Decision, names: Sequence[str], named: Mapping[str, str]) -> str:
    """Return who decided or discarded which match, the places before and after, and the reason."""
    role = "the organiser" if one.by == verdict.organiser else "the arbiter"
    who = named.get(one.by) or one.by[:8]
    slot = one.slot or (0, 0, 0)
    where = f"match {one.match} (round {slot[0]}, table {slot[1] + 1})"
    before, after = (_places(one.entrants, places, names) for places in (one.before, one.after))
    if one.type == "match_voided":
        return f"{role} {who} discarded {where}: {before}: “{one.why}”"
    return f"{role} {who} decided {where}: {before} → {after}: “{one.why}”"


def _places(entrants: Sequence[int], places: Sequence[int] | None, names: Sequence[str]) -> str:
    if places is None:
        return "no result"
    return ", ".join(f"{names[number]} {place}." for number, place in zip(entrants, places, strict=True))
