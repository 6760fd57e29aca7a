"""The terms of a tournament in words, and a TOML file to announce one from, with every field."""

import json
from textwrap import wrap

from kontor_games.domain.codec import Plain
from kontor_games.domain.games import installed_games
from kontor_games.service.tournaments.spec import POINTS, announcement_schema

TERM_TEXTS = {
    "title": "Title of the tournament.",
    "game": "Id of the game; `GET /v1/games` lists them.",
    "options": "Options of the game, as described by `GET /v1/games/{game}`; the same in all matches.",
    "clock": "The time control of all matches.",
    "on_timeout": "What happens when a player's time is up. `bot`: the service makes a quiet move for the "
    "seat (a harmless one, drawn at random); `forfeit`: the seat forfeits.",
    "seats": "Seats at a full table; by default the maximum of the game.",
    "least_seats": "Fewest seats of a table, if the number of entrants does not fill all tables.",
    "format": "`complete`: every combination of entrants plays once. "
    "`balanced`: everybody meets everybody about equally often. "
    "`swiss`: entrants with equal points meet. `knockout`: the best of each table advance. "
    "`arena`: for a set time, free entrants are paired again and again. "
    "`own`: the organiser uploads the tables.",
    "rounds": "Number of rounds, in the formats `balanced`, `swiss` and `own`.",
    "points": "Points by place, best first; entrants who share a place share the points.",
    "tie_breaks": "Criteria that decide between equal points, in this order. "
    "`wins`; `score_share`: share of the scores at the table; `score`; "
    "`opponents`: sum of the opponents' points; `median_opponents`: the same without the best and the worst "
    "opponent; `direct`: points in matches against each other; `lot`: drawn from the seed.",
    "bye_points": "Points for a round without a table.",
    "rotated": "Whether each table plays its deal once from every seat (duplicate deals).",
    "advance": "Knockout: how many of each table advance.",
    "duration_ms": "Arena: how long new tables are paired, in milliseconds.",
    "automatic": "Whether the service pairs the next round as soon as all results are in.",
    "no_show_ms": "How long an entrant has to take a seat, in milliseconds.",
    "no_show": "What happens after a no-show. `walkover`: the players who are present win; `without`: they "
    "play without the absent ones if there are enough of them.",
    "correction_ms": "How long entrants can protest against provisional standings, in milliseconds.",
    "open_entry": "Whether anyone may enter; otherwise only `invited` players.",
    "invited": "Ids of the invited players.",
    "admits": "Who may enter.",
    "late_entry": "Whether players may enter, or return, while the tournament is running.",
    "least_entrants": "Fewest entrants with which the tournament can start.",
    "most_entrants": "Maximum number of entrants.",
    "forbidden": "Groups of player ids; members of a group are never seated at the same table.",
    "signed": "Whether entrants must sign their commands in all matches.",
    "required_witnesses": "How many witnesses must cosign a checkpoint that covers a match before verifiers "
    "accept the match.",
    "max_returned_ms": "The most time, in milliseconds, that outages of the service can give back in each "
    "match, in all; 0: none.",
    "arbiters": "Ids of players who, besides the organiser, can decide results.",
    "rated": "Whether all matches count for the ladder of the game; "
    "then only people or only programs may enter.",
}
"""What each term means; the contract of the API and the template have these sentences."""
_HEAD = """\
# A tournament, announced with: kontor tournament announce cup.toml --open
# `title` and `game` are enough. The lines that begin with `# name =` show the other fields with their
# defaults: remove the `# ` to choose another value. Times are in milliseconds.
"""
_WIDTH = 100


def _examples() -> dict[str, Plain]:
    """Values of the fields without a default, or with one that shows nothing."""
    name, game = next(iter(installed_games().items()))
    fewest, most = min(game.rules().seat_counts), max(game.rules().seat_counts)
    return {
        "title": "Autumn cup",
        "game": name,
        "clock": {"kind": "per_move", "ms": 60_000},
        "seats": most,
        "least_seats": fewest,
        "points": POINTS[most],
        "least_entrants": fewest,
    }


def announcement_template() -> str:
    """Return a commented TOML file with every field of an announcement."""
    schema, examples = announcement_schema(), _examples()
    parts = [_HEAD]
    for name, field in schema["properties"].items():
        value = examples.get(name, field.get("default"))
        choice = field.get("enum") or field.get("items", {}).get("enum")
        text = TERM_TEXTS[name] + (f" One of: {', '.join(choice)}." if choice else "")
        mark = "" if name in schema["required"] else "# "
        comment = "".join(f"# {line}\n" for line in wrap(text, _WIDTH))
        parts.append(f"{comment}{mark}{name} = {_toml(value)}\n")
    return "\n".join(parts)


def _toml(value: Plain) -> str:
    """Return a value in TOML: that of JSON, apart from tables."""
    if isinstance(value, dict):
        inside = ", ".join(f"{name} = {_toml(one)}" for name, one in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    return json.dumps(value, ensure_ascii=False)
