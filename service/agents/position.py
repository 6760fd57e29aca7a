"""A match as a model reads it: in words and as data, with its legal moves numbered, and of limited size."""

import json
from typing import Any, NamedTuple

from kontor_games.domain.codec import Plain
from kontor_games.service.agents.untrusted import NOTICE, NameMarker, is_of_another_user, marked

MAX_MOVES, MAX_NEWS, MAX_VIEW = 100, 40, 16_000
"""The longest lists, and the longest view in characters of JSON; what is left out is said."""
_OVER = ("finished", "aborted")
_ABOUT_SEATS = {"seat_taken": "Seat {} was taken.", "seat_left": "Seat {} was left."}
"""Facts whose sentences may name somebody who holds no seat any more."""


class ToolResult(NamedTuple):
    """The result of a tool call, as words for the model and as data."""

    text: str
    data: dict[str, Any]
    is_error: bool = False


def is_over(match: dict[str, Any]) -> bool:
    """Whether a match is finished or aborted."""
    return match["status"] in _OVER


def must_act(match: dict[str, Any]) -> bool:
    """Whether the match waits for the reader."""
    return match["you"] is not None and match["you"] in match["to_act"]


def describe(
    match: dict[str, Any],
    events: list[dict[str, Any]],
    *,
    earlier: int = 0,
    before: str = "",
    moves_from: int = 1,
) -> ToolResult:
    """Describe a match with what has happened; `earlier` events are not in `events`."""
    mark = NameMarker(match.get("names") or (), match["seats"], match["you"])
    told = [sentence for event in events if (sentence := _sentence(event, mark))]
    left_out, told = earlier + len(told[:-MAX_NEWS]), told[-MAX_NEWS:]
    moves = numbered_moves(match, mark)[moves_from - 1 : moves_from - 1 + MAX_MOVES]
    parts = [
        before,
        _headline(match),
        _players(match),
        _news(told, left_out),
        _scene(match, mark),
        _moves(match, moves),
    ]
    parts += [
        _end(match),
        NOTICE if any(is_of_another_user(seat, match["you"]) for seat in match["seats"]) else "",
    ]
    return ToolResult("\n\n".join(filter(None, parts)), _data(match, told, left_out, mark, moves))


def _data(
    match: dict[str, Any], told: list[str], left_out: int, mark: NameMarker, moves: list[dict[str, Any]]
) -> dict[str, Any]:
    view = match.get("view")
    shown = {
        "match": match["id"],
        "game": match["game"],
        "status": match["status"],
        "version": match["version"],
        "you": match["you"],
        "your_turn": must_act(match),
        "you_may_act": bool(match["legal_moves"]),
        "to_act": match["to_act"],
        "players": [player(seat, match) for seat in match["seats"]],
        "news": told,
        "news_left_out": left_out,
        "scene": mark(match.get("scene") or ""),
        "view": view if len(json.dumps(view)) <= MAX_VIEW else None,
        "legal_moves": moves,
        "legal_moves_in_all": len(match["legal_moves"]),
        "clock": match["clock"],
        "result": match["result"],
    }
    shown |= {"link_key": match["link_key"]} if match.get("link_key") else {}
    return shown | {"untrusted": ["players[].name", "text between ‹ and › in news, scene and labels"]}


def player(seat: dict[str, Any], match: dict[str, Any]) -> dict[str, Any]:
    """Who holds a seat, with the name that the texts of the match use."""
    holder, you, names = seat["player"], match["you"], match.get("names") or ()
    kind = (
        "you"
        if seat["seat"] == you
        else "free"
        if holder is None
        else "house bot"
        if holder["id"] == "house"
        else "program"
        if holder["bot"]
        else "person"
    )
    name = names[seat["seat"]] if seat["seat"] < len(names) else holder and holder["name"]
    return {"seat": seat["seat"], "kind": kind, "name": name, "absent": seat["absent"]}


def player_words(seat: dict[str, Any], match: dict[str, Any]) -> str:
    """One seat in words."""
    shown = player(seat, match)
    name = shown["name"] or ""
    words = marked(name) if name and is_of_another_user(seat, match["you"]) else name
    return f"seat {seat['seat']}: " + ", ".join(filter(None, (words, shown["kind"])))


def numbered_moves(match: dict[str, Any], mark: NameMarker) -> list[dict[str, Any]]:
    """The legal moves with numbers from 1; a kind of move that can't be listed has a schema."""
    labels = match.get("labels") or [move["type"] for move in match["legal_moves"]]
    return [
        {
            "number": number,
            "label": mark(label),
            ("schema" if "schema" in move else "move"): move.get("schema", move),
        }
        for number, (move, label) in enumerate(zip(match["legal_moves"], labels, strict=True), 1)
    ]


def _headline(match: dict[str, Any]) -> str:
    yours = "You have no seat." if match["you"] is None else f"You have seat {match['you']}."
    if match["status"] == "open":
        turn = "It starts when all seats are taken. Call wait_for_turn."
    elif is_over(match):
        turn = "It is over."
    elif must_act(match):
        turn = "IT IS YOUR TURN."
    else:
        waits = ", ".join(f"seat {seat}" for seat in match["to_act"]) or "nobody"
        may = " You may act now, but need not." if match["legal_moves"] else ""
        turn = f"It waits for {waits}.{may} Call wait_for_turn with after={match['version']}."
    what = f"Match {match['id']} of {match['game']}, {match['status']}, version {match['version']}."
    return f"{what} {yours} {turn}"


def _players(match: dict[str, Any]) -> str:
    return "Players: " + "; ".join(player_words(seat, match) for seat in match["seats"]) + "."


def _sentence(event: dict[str, Any], mark: NameMarker) -> str | None:
    fact = event["fact"]
    if fact["type"] in _ABOUT_SEATS:
        return _ABOUT_SEATS[fact["type"]].format(fact["seat"])
    text = event.get("text")
    return mark(text) if text else None


def _news(told: list[str], left_out: int) -> str:
    if not told:
        return ""
    first = [f"({left_out} earlier events are left out.)"] if left_out else []
    return "\n".join(["What has happened:", *first, *(f"- {sentence}" for sentence in told)])


def _scene(match: dict[str, Any], mark: NameMarker) -> str:
    return f"The table:\n{mark(match['scene'])}" if match.get("scene") else ""


def _moves(match: dict[str, Any], moves: list[dict[str, Any]]) -> str:
    if not moves:
        return ""
    lines = [f"{one['number']}. {one['label']}" + _form(one.get("schema")) for one in moves]
    if (last := moves[-1]["number"]) < (count := len(match["legal_moves"])):
        lines.append(f"({count - last} more: wait_for_turn with seconds=0, moves_from={last + 1}.)")
    how = f"Your legal moves; send one with play, version={match['version']} and its number:"
    return "\n".join([how, *lines])


def _form(schema: dict[str, Any] | None) -> str:
    return (
        ""
        if schema is None
        else f" – not by number: fill in and send as `move`: {json.dumps(skeleton(schema))}"
    )


def skeleton(schema: dict[str, Any]) -> Plain:
    """The simplest value of a schema, for somebody to fill in."""
    for word in ("const", "default", "minimum"):
        if word in schema:
            return schema[word]
    if "enum" in schema:
        return schema["enum"][0]
    if schema.get("type") == "object":
        return {name: skeleton(inner) for name, inner in schema.get("properties", {}).items()}
    return {"array": [], "string": "", "boolean": False}.get(schema.get("type", ""), 0)


def _end(match: dict[str, Any]) -> str:
    result = match["result"]
    if result is None:
        return ""
    places = ", ".join(f"seat {seat}: place {place}" for seat, place in enumerate(result["places"]))
    return f"Result ({result['reason']}): {places}."
