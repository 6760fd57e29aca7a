"""Calls to players who are away: requests and responses."""

from marshmallow import fields

from kontor_games.api.schemas import request_fields as req
from kontor_games.api.schemas import response_fields as res
from kontor_games.api.schemas.fields import RequestSchema, ResponseSchema, matching, one_of
from kontor_games.domain.toolkit.languages import LANGUAGES

_URL = r"https?://[!-~]{1,1000}"


class PushSubscription(RequestSchema):
    """A push subscription of a browser (W3C Push API)."""

    endpoint = req.text(
        "The address of the push service that belongs to this browser: https, on the usual port.",
        matching(_URL, "an address that begins with https://"),
        schema={"examples": ["https://push.example/send/a1b2"]},
    )
    p256dh = req.text(
        "The public key of the browser, in Base64url: an uncompressed point of P-256.",
        matching("[A-Za-z0-9_-]{87}=?", "65 bytes in Base64url"),
        schema={
            "examples": [
                "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
            ]
        },
    )
    auth = req.text(
        "The authentication secret of the browser, 16 bytes in Base64url.",
        matching("[A-Za-z0-9_-]{22}(==)?", "16 bytes in Base64url"),
        schema={"examples": ["BTBZMqHH6r4Tts7J_aSIgg"]},
    )
    language = req.text(
        "The language of the messages.", one_of(*LANGUAGES), schema={"examples": ["en"]}, load_default="en"
    )


class Calls(ResponseSchema):
    """How you are called when a match waits for you and you are away."""

    push_key = res.text(
        "The key to which browsers subscribe (`applicationServerKey`), in Base64url; null if this service"
        " sends no push messages.",
        allow_none=True,
    )
    devices = res.list_of(fields.String(), "The ids of your devices that get push messages.")
