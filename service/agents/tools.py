"""The tools: few, made by hand, the same for the hosted and the local form."""

import json
import time
from collections.abc import Callable
from typing import Any

from kontor_games.domain.codec import Plain
from kontor_games.domain.data import read_json
from kontor_games.service.agents.arguments import ToolFaultError, read_arguments
from kontor_games.service.agents.calls import CallRefusedError, Calls
from kontor_games.service.agents.position import (
    ToolResult,
    describe,
    is_over,
    must_act,
    player_words,
)
from kontor_games.service.agents.rule_texts import chapters, outline, rule_text
from kontor_games.service.agents.untrusted import NOTICE, NameMarker

MAX_WAIT_S = 25
_MAX_TEXT = 20_000
_OPEN_TRIES = 3
_EARLIER = 20
"""How many facts before the present are told if the model doesn't say what it has seen."""
_MOST_FACTS = 300
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.1, 1.0
"""Pauses after the moves of others, so that waiting for a turn costs few calls."""
_TAKEN = (403, 404, 409, 412)


def _refused(problem: dict[str, Any]) -> ToolResult:
    code, rule = problem.get("code", "error"), problem.get("rule")
    lines = [f"Refused ({code}{f', rule {rule}' if rule else ''}): {problem.get('detail', '')}"]
    lines += [": ".join(map(str, fault.values())) for fault in problem.get("errors", ())[:10]]
    advice = _ADVICE.get(code) or ("Call rules with this number to read the rule." if rule else None)
    return ToolResult("\n".join([*lines, *([advice] if advice else [])]), {"problem": problem}, is_error=True)


_ADVICE = {
    "stale_version": "Somebody has acted since, or you have. Call wait_for_turn and choose again.",
    "signature_required": "Signed commands are needed: the program `kontor mcp` can send them.",
    "unauthorised": "The token is missing, expired or revoked: the person who set you up can replace it.",
    "rate_limited": "Wait before the next call.",
    "not_your_turn": "Call wait_for_turn.",
}
"""What a model should do after a refusal, by its code."""


# --- finding a match ----------------------------------------------------------------------------------------


def find_match(
    calls: Calls,
    *,
    game: str,
    against: str = "house_bots",
    players: int | None = None,
    bot: str | None = None,
    private: bool = False,
) -> ToolResult:
    """Join an open match, or create one."""
    about = _game(calls, game)
    seats = min(about["seats"]) if players is None else players
    if seats not in about["seats"]:
        raise ToolFaultError(f"{game} is for {', '.join(map(str, about['seats']))} players.")
    if bot is not None and bot not in about["bots"]:
        raise ToolFaultError(f"{game} has no house bot {bot!r}; it has {', '.join(about['bots'])}.")
    if against == "house_bots":
        other = {"type": "bot", "bot": bot or about["bots"][-1]}
    else:
        other = {"type": "open"}
        if not private and (joined := _join_open_match(calls, game, players)):
            return describe(calls.match(joined), [], before="You have joined an open match.")
    body = {"game": game, "seats": [{"type": "me"}, *[other] * (seats - 1)], "private": private}
    made = calls.create(body)
    before = "The match is created, and you have a seat."
    if key := made.get("link_key"):
        before += f" Others join it with take_seat, match {made['id']} and link_key {key}."
    return describe(calls.match(made["id"]), [], before=before)


def _game(calls: Calls, game: str) -> dict[str, Any]:
    games = {one["id"]: one for one in calls.get("/v1/games")["games"]}
    if game not in games:
        raise ToolFaultError(f"There is no game {game!r}; the games are {', '.join(games)}.")
    return dict(games[game])


def _join_open_match(calls: Calls, game: str, players: int | None) -> str | None:
    """Join the newest open match that has a free seat; others may be quicker, so several are tried."""
    me = calls.get("/v1/me")
    fitting = [
        one
        for one in calls.get("/v1/matches", game=game, status="open", limit=50)["matches"]
        if _is_joinable(one, me, signs=calls.signs) and players in (None, len(one["seats"]))
    ]
    for one in fitting[:_OPEN_TRIES]:
        try:
            calls.join(one["id"], None, None)
        except CallRefusedError as refusal:
            if refusal.problem.get("status") not in _TAKEN:
                raise
        else:
            return str(one["id"])
    return None


def _is_joinable(match: dict[str, Any], me: dict[str, Any], *, signs: bool) -> bool:
    held = [seat["player"]["id"] for seat in match["seats"] if seat["player"]]
    free = any(seat["type"] == "open" and seat["player"] is None for seat in match["seats"])
    allowed = (match["meet_bots"] or not me["bot"]) and (signs or not match["signed"])
    return free and allowed and me["id"] not in held


def take_seat(
    calls: Calls, *, match: str, seat: int | None = None, link_key: str | None = None
) -> ToolResult:
    """Take a seat in a match that has not started."""
    calls.join(match, seat, link_key)
    return describe(calls.match(match), [], before="You have taken your seat.")


def my_matches(calls: Calls) -> ToolResult:
    """List the caller's matches that are not over."""
    me = calls.get("/v1/me")["id"]
    found = [
        one
        for status in ("running", "open")
        for one in calls.get("/v1/matches", player=me, status=status, limit=50)["matches"]
    ]
    lines = [f"- {_match_line(one)}" for one in found]
    text = (
        "\n".join(["Your matches that are not over:", *lines, NOTICE])
        if lines
        else ("You have no match that is not over. Call find_match.")
    )
    return ToolResult(text, {"matches": [_match_data(one) for one in found]})


def _match_data(match: dict[str, Any]) -> dict[str, Any]:
    names = ("id", "game", "status", "version", "you", "to_act")
    return {name: match[name] for name in names} | {
        "your_turn": must_act(match),
        "invited": match["you"] is None,
    }


def _match_line(match: dict[str, Any]) -> str:
    if match["you"] is None:
        state = "you are invited: take_seat"
    elif must_act(match):
        state = "YOUR TURN"
    else:
        state = "not started" if match["status"] == "open" else "waiting for others"
    players = "; ".join(player_words(seat, match) for seat in match["seats"])
    return f"{match['id']} ({match['game']}, version {match['version']}): {state}. {players}"


# --- playing ------------------------------------------------------------------------------------------------


def wait_for_turn(
    calls: Calls, *, match: str, after: int | None = None, seconds: int = 20, moves_from: int = 1
) -> ToolResult:
    """Wait until the match waits for the caller, is over, or time is up."""
    until, pause = time.monotonic() + min(seconds, MAX_WAIT_S), _FIRST_PAUSE_S
    now = calls.match(match)
    while _is_waiting(now, after) and (left := int(until - time.monotonic())) >= 1:
        if not calls.wait(match, now["version"], left):
            break
        time.sleep(max(min(pause, until - time.monotonic()), 0))
        pause = min(2 * pause, _LONGEST_PAUSE_S)
        now = calls.match(match)
    return _with_news(calls, now, after, moves_from)


def _is_waiting(now: dict[str, Any], after: int | None) -> bool:
    if is_over(now) or must_act(now):
        return False
    may_act_anew = now["legal_moves"] and (after is None or now["version"] > after)
    return not may_act_anew


def _with_news(calls: Calls, now: dict[str, Any], after: int | None, moves_from: int) -> ToolResult:
    start = max(now["version"] - _EARLIER, 0) if after is None else min(after, now["version"])
    first = max(start, now["version"] - _MOST_FACTS)
    path = f"/v1/matches/{now['id']}/events"
    events = (
        calls.get(path, after=first, limit=_MOST_FACTS, tell="en")["events"] if first < now["version"] else []
    )
    earlier = first - start if after is not None else first
    return describe(now, events, earlier=earlier, moves_from=moves_from)


def play(
    calls: Calls,
    *,
    match: str,
    version: int,
    number: int | None = None,
    move: dict[str, Any] | None = None,
    dry_run: bool = False,
) -> ToolResult:
    """Make a move that was listed at a version, or check it."""
    if (number is None) == (move is None):
        raise ToolFaultError("Give either `number` or `move`.")
    at = calls.match(match, version)
    chosen = move if number is None else _move_of(at, number)
    if dry_run:
        return _tried(at, calls.dry_run(match, chosen, version))
    answer = calls.play(match, chosen, version)
    texts = answer.get("texts") or [None] * len(answer["facts"])
    events = [{"fact": fact, "text": text} for fact, text in zip(answer["facts"], texts, strict=True)]
    return describe({**at, **answer}, events, before="The move is made.")


def _move_of(at: dict[str, Any], number: int) -> Plain:
    moves = at["legal_moves"]
    if not moves:
        raise ToolFaultError("You could not act at this version. Call wait_for_turn.")
    if not 1 <= number <= len(moves):
        raise ToolFaultError(f"At version {at['version']} the moves have the numbers 1 to {len(moves)}.")
    chosen = moves[number - 1]
    if "schema" in chosen:
        schema = json.dumps(chosen["schema"])
        raise ToolFaultError(
            f"Number {number} is a kind of move: fill it in and send it as `move`. Its schema: {schema}"
        )
    return chosen


def _tried(at: dict[str, Any], tried: dict[str, Any]) -> ToolResult:
    mark = NameMarker(at.get("names") or (), at["seats"], at["you"])
    effects = [mark(text) for text in tried.get("texts") or () if text]
    label = mark(tried.get("label") or "")
    rest = "" if tried["complete"] else "\nMore would happen that can't be told beforehand."
    text = "\n".join([f"Legal, and nothing was done: {label}", *(f"- {effect}" for effect in effects)]) + rest
    data = {"legal": True, "version": at["version"], "label": label, "effects": effects}
    return ToolResult(text, data | {"complete": tried["complete"], "view": tried["view"]})


def resign(calls: Calls, *, match: str) -> ToolResult:
    """Resign from a running match."""
    calls.resign(match)
    return describe(calls.match(match), [], before="You have resigned.")


# --- rules --------------------------------------------------------------------------------------------------


def rules(
    calls: Calls, *, game: str | None = None, rule: str | None = None, chapter: str | None = None
) -> ToolResult:
    """List the games; or show a game in short, one rule, or one chapter."""
    if game is None:
        games = calls.get("/v1/games")["games"]
        lines = [
            f"- {one['id']}: {one['title']}, {', '.join(map(str, one['seats']))} players, "
            f"house bots {', '.join(one['bots'])}"
            for one in games
        ]
        return ToolResult("\n".join(["Games:", *lines]), {"games": games})
    _game(calls, game)
    about = calls.get(f"/v1/games/{game}")
    text = about["rules_text"]
    if rule is not None:
        return _rule(text, rule)
    parts = chapters(text)
    if chapter is not None:
        if chapter not in parts:
            raise ToolFaultError(
                "There is no such chapter; the chapters are " + ", ".join(filter(None, parts)) + "."
            )
        return ToolResult(f"{chapter}\n\n{parts[chapter]}", {"chapter": chapter})
    moves = sorted(about["moves"])
    told = [f"{about['title']}.", outline(text), "Kinds of moves: " + ", ".join(moves) + "."]
    told += ["Call rules with `chapter` (a title above) or `rule` (a number)."]
    return ToolResult(
        "\n\n".join(told), {"title": about["title"], "chapters": [*filter(None, parts)], "moves": moves}
    )


def _rule(text: str, rule: str) -> ToolResult:
    found = rule_text(text, rule)
    if found is None:
        raise ToolFaultError(f"There is no rule {rule!r}. Call rules with the game alone for the chapters.")
    return ToolResult(found, {"rule": rule, "text": found})


_RUN: dict[str, Callable[..., ToolResult]] = {
    one.__name__: one for one in (find_match, take_seat, my_matches, wait_for_turn, play, rules, resign)
}
LISTED: list[dict[str, Any]] = read_json("kontor_games", "service/agents/tools.json")
"""All tools in the form of `tools/list`; their order never changes, so that clients can cache it."""
_SCHEMAS: dict[str, dict[str, Any]] = {tool["name"]: tool["inputSchema"] for tool in LISTED}


def call_tool(name: str, calls: Calls, arguments: Plain) -> ToolResult:
    """Call a tool; a refusal becomes a result that tells the model what was wrong."""
    try:
        found = _RUN[name](calls, **read_arguments(_SCHEMAS[name], arguments))
    except ToolFaultError as fault:
        return ToolResult(str(fault), {"error": str(fault)}, is_error=True)
    except CallRefusedError as refusal:
        return _refused(refusal.problem)
    return found if len(found.text) <= _MAX_TEXT else found._replace(text=found.text[:_MAX_TEXT] + " …")
