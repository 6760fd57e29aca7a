"""Devices on which players are called."""

from kontor_games.api.schemas import request_fields as req
from kontor_games.api.schemas.fields import RequestSchema, matching, one_of
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
