"""Accounts, tokens, keys, device codes, and devices on which players are called."""

from marshmallow import fields

from kontor_games.api.schemas import fields as req
from kontor_games.api.schemas.fields import (
    PUBLIC_KEY,
    SIGNATURE,
    RequestSchema,
    between,
    length,
    matching,
    one_of,
)
from kontor_games.domain.toolkit.languages import LANGUAGES
from kontor_games.service.people.tokens import MAX_LIFETIME_MS, SCOPES


class PlayerRequest(RequestSchema):
    """A new account."""

    name = req.text(
        "Display name: visible characters, no leading or trailing space. It need not be unique.",
        req.NAME,
        schema={"examples": ["Ada"]},
    )
    bot = req.flag("Whether the player is a program. Everyone can see this, and it cannot be changed later.")


class Renaming(RequestSchema):
    """A player's new name."""

    name = req.text("The new name.", req.NAME, schema={"examples": ["Ada L."]})


class InvitationSetting(RequestSchema):
    """Who may invite a player."""

    invitations_from = req.text(
        "`everyone`, `nobody`, or `met`: only players who have been in a started match with you.",
        one_of("everyone", "met", "nobody"),
        schema={"examples": ["met"]},
    )


class KeyRequest(RequestSchema):
    """The key with which a player signs commands."""

    public_key = req.text(
        "An Ed25519 public key, 32 bytes in Base64.",
        matching(PUBLIC_KEY, "an Ed25519 public key, 32 bytes in Base64"),
    )
    proof = req.text(
        "Signature with this key of the text that docs/signatures.md specifies.",
        matching(SIGNATURE, "an Ed25519 signature, 64 bytes in Base64"),
    )


class TokenRequest(RequestSchema):
    """A new token."""

    label = req.text("A label that helps you recognise the token.", req.NAME, schema={"examples": ["laptop"]})
    scopes = req.list_of(
        fields.String(validate=one_of(*SCOPES)),
        "The scopes of the new token; the token of this request must have all of them.",
        length(1, len(SCOPES)),
        schema={"examples": [["play"]]},
    )
    expires_in_ms = req.integer(
        "Lifetime in milliseconds. By default, the new token expires when the token of this request does.",
        between(1, MAX_LIFETIME_MS),
        schema={"examples": [86_400_000]},
        **req.NULLABLE,
    )


class DeviceCode(RequestSchema):
    """A one-time code from another device."""

    code = req.text(
        "The code: eight letters; case, spaces and hyphens do not matter.",
        matching("[A-Za-z -]{8,20}", "a code of eight letters"),
        schema={"examples": ["KQRT-WXBD"]},
    )


_RECOVERY = matching("[A-Za-z -]{12,20}", "twelve letters")


class RecoveryCode(RequestSchema):
    """The first half of a recovery phrase."""

    code = req.text(
        "The first twelve letters of the phrase; case, spaces and hyphens do not matter.",
        _RECOVERY,
        schema={"examples": ["KQRT-WXBD-MNPQ"]},
    )


class RecoveryRequest(RecoveryCode):
    """A recovery phrase, which the client has drawn at random."""

    sealed = req.text(
        "What whoever has the whole phrase gets with the account, such as signing keys, encrypted with the "
        "other half of the phrase.",
        length(40, 32_768),
        **req.NULLABLE,
    )


class DeviceCodeRequest(RequestSchema):
    """A request for a one-time code."""

    sealed = req.text(
        "What the other device gets with the account, encrypted so that the service cannot read it.",
        length(40, 32_768),
        **req.NULLABLE,
    )


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
