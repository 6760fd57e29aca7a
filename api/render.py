"""Turns answers of the service into JSON."""

import time
from collections.abc import Iterable
from functools import lru_cache

import msgspec
from flask import Response

from kontor_games.domain.codec import Plain
from kontor_games.service.matches.answers import Answer, Clocks, Details, Event, Events, Position, Summary
from kontor_games.service.people.players import Player
from kontor_games.service.people.tokens import Token

encode = msgspec.json.encode
PRIVATE = "private, no-cache"
"""Clients may keep it, but must revalidate it, which is cheap with If-None-Match."""
UNSTORED = "no-store"
LASTING = "max-age=86400, immutable"
"""A past version never changes, but a player's name can be deleted, so it is cached for a day and not for
ever."""


@lru_cache(maxsize=64)
def _second(seconds: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))


def moment(ms: int) -> str:
    """Milliseconds since 1970 as RFC 3339 in UTC."""
    return f"{_second(ms // 1000)}.{ms % 1000:03d}Z"


def json_response(data: Plain, status: int = 200, cache_control: str = UNSTORED) -> Response:
    """Plain data as a response."""
    response = Response(encode(data), status, content_type="application/json")
    response.headers["Cache-Control"] = cache_control
    return response


# --- players and tokens -------------------------------------------------------------------------------------


def player(known: Player) -> dict[str, Plain]:
    """An account as everybody sees it."""
    return {
        "id": known.id,
        "name": known.name,
        "bot": known.bot,
        "created_at": moment(known.created_at),
        "public_key": known.public_key,
    }


def token(known: Token) -> dict[str, Plain]:
    """A token without its text."""
    return {
        "id": known.id,
        "label": known.label,
        "scopes": list(known.scopes),
        "created_at": moment(known.created_at),
        "expires_at": None if known.expires_at is None else moment(known.expires_at),
        "last_four": known.last_four,
    }


# --- matches ------------------------------------------------------------------------------------------------


def full_match(at: Position, details: Details) -> dict[str, Plain]:
    """A match with everything that its reader may know."""
    ruleset, chance = details.ruleset, details.chance
    return {
        "id": at.id,
        "game": ruleset.game,
        "ruleset": ruleset,
        **position(at),
        "seats": details.seats,
        "options": details.options,
        "creator": details.creator,
        "on_timeout": details.on_timeout,
        "autostart": details.autostart,
        "private": details.private,
        "meet_bots": details.meet_bots,
        "practice": details.practice,
        "branch": details.branch,
        "signed": details.signed,
        "chance": {
            "commitment": chance.commitment,
            "signed": chance.signed,
            "sealed": chance.sealed,
            "due": _moment(chance.due),
            "open_seed": chance.open_seed,
            "server_secret": chance.server_secret,
        },
    }


def summary(known: Summary) -> dict[str, Plain]:
    """A match in a list: who plays what, and which seats it waits for."""
    return {
        "id": known.id,
        "game": known.game,
        "status": known.status,
        "version": known.version,
        "at": moment(known.at),
        "you": known.you,
        "to_act": known.to_act,
        "seats": known.seats,
        "private": known.private,
        "meet_bots": known.meet_bots,
        "practice": known.practice,
        "branch": known.branch,
        "signed": known.signed,
        "clock": _clock(known.clock),
    }


def position(at: Position) -> dict[str, Plain]:
    """Where a match stands, and what its reader can do next."""
    return {
        "id": at.id,
        "status": at.status,
        "version": at.version,
        "at": moment(at.at),
        "you": at.you,
        "to_act": at.to_act,
        "legal_moves": at.legal_moves,
        "view": at.view,
        "clock": _clock(at.clock),
        "result": at.result,
        "head": at.head,
    }


def turn(answer: Answer) -> dict[str, Plain]:
    """What a player needs after a move."""
    return {**position(answer.position), **effects(answer)}


def effects(answer: Answer) -> dict[str, Plain]:
    """The facts that a command caused and the receipt; the fact at index i has the version `first` + i."""
    return {"first": answer.first, "facts": answer.facts, "receipt": answer.receipt}


def _clock(clock: Clocks) -> Plain:
    shown: dict[str, Plain] = {"kind": clock.kind, "ms": clock.ms, "increment_ms": clock.increment_ms}
    if clock.server_time is not None:
        shown["server_time"] = moment(clock.server_time)
        shown["seats"] = [
            {"seat": one.seat, "remaining_ms": one.remaining_ms, "deadline": _moment(one.deadline)}
            for one in clock.seats
        ]
    return shown


def _moment(ms: int | None) -> str | None:
    return None if ms is None else moment(ms)


# --- events -------------------------------------------------------------------------------------------------


def event(known: Event) -> dict[str, Plain]:
    """A fact with its version, its time and its author."""
    return {"version": known.version, "at": moment(known.at), "by": known.by, "fact": known.fact}


def events_page(found: Events, after: int) -> Plain:
    """A page of a match's log.

    `next` is where the following page begins, whether or not there is more yet.
    """
    last = found.events[-1].version if found.events else after
    return {
        "match": found.match,
        "status": found.status,
        "version": found.version,
        "events": [event(one) for one in found.events],
        "next": None if found.over and last >= found.version else last,
    }


def lines(items: Iterable[Plain]) -> bytes:
    """Items as NDJSON."""
    return b"".join(encode(item) + b"\n" for item in items)
