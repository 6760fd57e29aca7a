"""The specification of a new tournament, and the check whether its game allows it."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from kontor_games.domain.codec import Fault, MalformedError, Plain, Shape
from kontor_games.domain.game import Refusal, Rules
from kontor_games.domain.games import installed_games
from kontor_games.domain.match_facts import find_rules
from kontor_games.domain.tournaments.terms import PAIRING_VERSION, SEED_VERSION, Terms, faults_of_terms
from kontor_games.service.matches.match_spec import MAX_RETURNED_MS, MatchDefaults

DEFAULTS: dict[str, Plain] = {
    "options": {},
    "clock": {},
    "on_timeout": "forfeit",
    "format": "swiss",
    "rounds": 5,
    "tie_breaks": ["wins", "score_share", "opponents", "lot"],
    "bye_points": 0,
    "rotated": False,
    "advance": 1,
    "duration_ms": 0,
    "automatic": True,
    "no_show_ms": 300_000,
    "no_show": "walkover",
    "correction_ms": 1_800_000,
    "open_entry": True,
    "invited": [],
    "admits": "both",
    "late_entry": False,
    "most_entrants": 1000,
    "forbidden": [],
    "signed": False,
    "required_witnesses": 0,
    "arbiters": [],
    "rated": False,
    "max_returned_ms": MAX_RETURNED_MS,
    "spectator_delay": 0,
    "description": "",
    "starts_at": None,
}
POINTS = {2: [2, 0], 3: [4, 2, 0], 4: [6, 3, 1, 0], 5: [8, 5, 3, 1, 0]}
"""The points by place that are the default, by number of seats."""
_SHAPE = Shape(Terms)
_PINNED = (
    "rules_version",
    "data",
    "data_hash",
    "organiser",
    "secret_blocks",
    "pairing_version",
    "seed_version",
)
"""Terms that the service adds itself."""
_NAMES = tuple(one.name for one in fields(Terms) if one.name not in _PINNED)
"""Terms that a request may contain."""


def plan_terms(request: Plain, organiser: str, defaults: MatchDefaults) -> Terms:
    """Return the terms of a new tournament; raise MalformedError with all faults of what was asked for."""
    if not isinstance(request, dict):
        raise MalformedError([Fault("", "must be an object")])
    faults = [Fault.unknown("", name, _NAMES) for name in _PINNED if name in request]
    rules, options = _rules_of(request)
    chosen = rules.options_shape.parse(options, "/options", faults)
    asked = request.get("seats")
    seats = asked if type(asked) is int else max(rules.seat_counts)
    pinned = {
        "rules_version": rules.version,
        "data": rules.data.name,
        "data_hash": rules.data.hash,
        "organiser": organiser,
        "secret_blocks": True,
        "pairing_version": PAIRING_VERSION,
        "seed_version": SEED_VERSION,
        "options": rules.options_shape.encode(chosen) if chosen is not None else {},
    }
    derived = {
        "seats": seats,
        "least_seats": min(seats, *rules.seat_counts),
        "points": POINTS.get(seats, []),
    }
    derived["least_entrants"] = request.get("least_seats", derived["least_seats"])
    terms: Terms | None = _SHAPE.parse({**DEFAULTS, **derived, **request, **pinned}, "", faults)
    if terms is not None:
        faults += [
            Fault(f"/{name}", sentence) for name, sentence in faults_of_terms(terms, rules.seat_counts)
        ]
        faults += _limit_faults(terms, defaults)
    if faults or terms is None:
        raise MalformedError(faults)
    _require_tables(rules, terms, chosen)
    return terms


def _rules_of(request: Mapping[str, Plain]) -> tuple[Rules[Any], dict[str, Plain]]:
    """Return the newest rules of the game and data asked for, and the other options."""
    game = installed_games().get(str(request.get("game", "")))
    if game is None:
        raise MalformedError([Fault("/game", "must be one of " + ", ".join(installed_games()))])
    options = request.get("options", {})
    if not isinstance(options, dict):
        raise MalformedError([Fault("/options", "must be an object")])
    names = [known.name for known in game.data_sets]
    data = options.get(game.data_option, names[0])
    if data not in names:
        raise MalformedError([Fault(f"/options/{game.data_option}", "must be one of " + ", ".join(names))])
    rest = {name: value for name, value in options.items() if name != game.data_option}
    return find_rules(game.id, None, data), rest


def _limit_faults(terms: Terms, defaults: MatchDefaults) -> list[Fault]:
    found = []
    if terms.clock.kind != "none" and terms.clock.ms < defaults.smallest_clock_ms:
        found.append(Fault("/clock/ms", f"must be at least {defaults.smallest_clock_ms}"))
    if terms.required_witnesses > len(defaults.witnesses):
        found.append(Fault("/required_witnesses", f"must be at most {len(defaults.witnesses)}"))
    return found


def _require_tables(rules: Any, terms: Terms, chosen: Any) -> None:
    """Raise MalformedError if the options do not allow every possible number of seats."""
    for seats in range(terms.least_seats, terms.seats + 1):
        try:
            rules.table(seats, chosen)
        except Refusal as refusal:
            raise MalformedError(
                [Fault("/options", f"does not fit tables of {seats}: {refusal.detail}")]
            ) from None


def announcement_schema() -> dict[str, Plain]:
    """JSON Schema of the terms that an organiser can choose; the service sets the others."""
    schema = _SHAPE.schema()
    properties = {name: value for name, value in schema["properties"].items() if name not in _PINNED}
    for name, default in DEFAULTS.items():
        properties[name] = {**properties[name], "default": default}
    return {**schema, "properties": properties, "required": ["title", "game"]}
