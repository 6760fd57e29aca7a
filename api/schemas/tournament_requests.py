"""Requests about tournaments: the announcement, commands and queries."""

from typing import Any

from marshmallow import fields

from kontor_games.api.schemas import fields as req
from kontor_games.api.schemas.fields import (
    HEX_32_BYTES,
    SIGNATURE,
    UUID,
    RequestSchema,
    StrictInteger,
    between,
    describe_default,
    length,
    matching,
    one_of,
)
from kontor_games.service.tournaments.spec import announcement_schema
from kontor_games.service.tournaments.template import TERM_TEXTS

_LAST_ENTRANT, _MOST_SEATS = 10_000, 5


def new_tournament() -> dict[str, Any]:
    """JSON Schema of an announcement, with a description of each field."""
    schema, properties = announcement_schema(), dict[str, Any]()
    for name, value in schema["properties"].items():
        properties[name] = {"description": TERM_TEXTS[name], **value}
        describe_default(properties[name])
    return {**schema, "properties": properties, "description": "A new tournament."}


def _why(description: str = "The reason. It is public.") -> fields.String:
    return req.field(fields.String, description, length(1, 400))


def _match() -> fields.String:
    is_match = matching(UUID, "the id of a match")
    return req.text("Id of the match.", is_match, schema={"format": "uuid"})


class Entering(RequestSchema):
    """An entry in a tournament."""

    sealed = req.text(
        "Your sealed contribution to the seed of pairings and deals: the hash that a chain of hashes of a "
        "random value ends with (docs/tournaments.md). You open it when no more entries are accepted; if you "
        "do not, you are removed.",
        matching(f"({HEX_32_BYTES})?", "64 hex digits in lower case"),
        load_default="",
    )
    contribution = req.text(
        "Only for tournaments with open contributions (`chance.sealed` is false), as all were before "
        "November 2026: 32 random bytes in hex.",
        matching(f"({HEX_32_BYTES})?", "64 hex digits in lower case: 32 random bytes"),
        load_default="",
    )
    key = req.text(
        "Your registered public key; then `signature` is required, too.",
        length(44, 44),
        load_default=None,
        allow_none=True,
    )
    signature = req.text(
        "Your signature of this entry (docs/tournaments.md).",
        matching(SIGNATURE, "an Ed25519 signature in Base64"),
        load_default=None,
        allow_none=True,
    )


class TournamentOpening(RequestSchema):
    """The value of a sealed contribution to a tournament."""

    value = req.text(
        "The value whose hash you sent or, after an earlier opening, opened then.",
        matching(HEX_32_BYTES, "64 hex digits in lower case"),
    )
    digest = req.text(
        "`chance.digest` of the tournament: what you answer to.",
        matching(HEX_32_BYTES, "64 hex digits in lower case"),
    )
    signature = req.text(
        "Your signature of this command, if you entered with a key.",
        matching(SIGNATURE, "an Ed25519 signature in Base64"),
        load_default=None,
        allow_none=True,
    )


class Withdrawal(RequestSchema):
    """The withdrawal of an entrant by the organiser or an arbiter."""

    entrant = req.integer("Number of the entrant.", between(0, 10_000))
    why = _why()


class _Tables(fields.List[Any]):
    """Lists of numbers of entrants; correct ones are recognised at a tenth of the cost of the general way."""

    def _deserialize(self, value: Any, *args: Any, **options: Any) -> list[Any]:
        correct = isinstance(value, list) and all(
            isinstance(table, list)
            and 2 <= len(table) <= _MOST_SEATS
            and all(type(number) is int and 0 <= number <= _LAST_ENTRANT for number in table)
            for table in value
        )
        found: list[Any] = value if correct else super()._deserialize(value, *args, **options)
        return found


class RoundRequest(RequestSchema):
    """The next round."""

    tables = req.field(
        _Tables,
        "Your own tables: for each, the numbers of the entrants in the order of seats. "
        "Without them, the service pairs the round by the announced format.",
        length(1, 5000),
        cls_or_instance=fields.List(
            StrictInteger(validate=between(0, _LAST_ENTRANT)), validate=length(2, _MOST_SEATS)
        ),
        **req.NULLABLE,
    )


class ReplayRequest(RequestSchema):
    """The order to replay a match, whose result then does not count."""

    match = _match()
    why = _why()


class RulingRequest(RequestSchema):
    """A result decided by the organiser or an arbiter."""

    match = _match()
    places = req.list_of(
        StrictInteger(validate=between(1, 5)),
        "Place of each seat; 1 is best, and ties share a place, such as 1, 2, 2, 4.",
        length(2, 5),
    )
    why = _why()


class ProtestRequest(RequestSchema):
    """A protest against provisional standings."""

    why = _why("What is wrong with the standings. It is public and cannot be erased.")


class SignOffRequest(RequestSchema):
    """The sign-off of the standings."""

    despite_protests = req.flag("Whether you have reviewed all protests and confirm the standings.")


class CancellationRequest(RequestSchema):
    """The cancellation of a tournament, which then has no standings."""

    why = _why()


class TournamentsQuery(RequestSchema):
    """Which tournaments to list."""

    game = req.game("Only tournaments of this game.", load_default=None)
    status = req.text(
        "Only tournaments with this status.",
        one_of("announced", "open", "running", "provisional", "final", "cancelled"),
        load_default=None,
    )
    player = req.id_of("Only tournaments that this player organises or entered.", load_default=None)
    cursor = req.cursor()
    limit = req.limit("Maximum number of tournaments on a page.", 50, 100)


class TournamentEventsQuery(RequestSchema):
    """Which facts of a tournament to return."""

    after = req.after()
    limit = req.limit("Maximum number of facts.", 200, 1000)
    wait = req.wait()
