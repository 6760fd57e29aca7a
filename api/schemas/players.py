"""Players, tokens, keys and device codes: requests and responses."""

from marshmallow import fields

from kontor_games.api.schemas import request_fields as asked
from kontor_games.api.schemas import response_fields as shown
from kontor_games.api.schemas.fields import (
    RequestSchema,
    ResponseSchema,
    StrictBoolean,
    StrictInteger,
    between,
    length,
    matching,
    one_of,
)
from kontor_games.api.schemas.patterns import PUBLIC_KEY, SIGNATURE
from kontor_games.service.people.tokens import MAX_LIFETIME_MS, SCOPES


class NewPlayer(RequestSchema):
    """A new account."""

    name = asked.text(
        "Display name: visible characters, no leading or trailing space. It need not be unique.",
        asked.NAME,
        schema={"examples": ["Ada"]},
    )
    bot = asked.field(
        StrictBoolean,
        "Whether the player is a program. Everyone can see this, and it cannot be changed later.",
        load_default=False,
    )


class Renaming(RequestSchema):
    """A player's new name."""

    name = asked.text("The new name.", asked.NAME, schema={"examples": ["Ada L."]})


class InvitationSetting(RequestSchema):
    """Who may invite a player."""

    invitations_from = asked.text(
        "`everyone`, `nobody`, or `met`: only players with whom you have been in a match that started.",
        one_of("everyone", "met", "nobody"),
        schema={"examples": ["met"]},
    )


class NewKey(RequestSchema):
    """The key with which a player signs commands."""

    public_key = asked.text(
        "An Ed25519 public key, 32 bytes in Base64.",
        matching(PUBLIC_KEY, "an Ed25519 public key, 32 bytes in Base64"),
    )
    proof = asked.text(
        "Signature with this key over the text that docs/signatures.md describes.",
        matching(SIGNATURE, "an Ed25519 signature, 64 bytes in Base64"),
    )


class NewToken(RequestSchema):
    """A new token."""

    label = asked.text(
        "A label that helps you recognise the token.", asked.NAME, schema={"examples": ["laptop"]}
    )
    scopes = fields.List(
        fields.String(validate=one_of(*SCOPES)),
        required=True,
        validate=length(1, len(SCOPES)),
        metadata={
            "description": "What the token allows; at most what the token used for this request allows.",
            "examples": [["play"]],
        },
    )
    expires_in_ms = asked.field(
        StrictInteger,
        "Lifetime in milliseconds. By default it lasts as long as the token used for this request.",
        between(1, MAX_LIFETIME_MS),
        schema={"examples": [86_400_000]},
        **asked.NULLABLE,
    )


class DeviceCode(RequestSchema):
    """A one-time code from another device."""

    code = asked.text(
        "The code: eight letters; case, spaces and hyphens do not matter.",
        matching("[A-Za-z -]{8,20}", "a code of eight letters"),
        schema={"examples": ["KQRT-WXBD"]},
    )


class Player(ResponseSchema):
    """An account."""

    id = shown.text("Id of the player; never changes.", **shown.ID)
    name = shown.text("Name of the player; null if the account was deleted.", allow_none=True)
    bot = shown.boolean("Whether the player is a program.")
    created_at = shown.text("Time of registration.", **shown.MOMENT)
    public_key = shown.text(
        "Ed25519 public key with which the player signs commands, in Base64; null if there is none.",
        allow_none=True,
    )


class Quota(ResponseSchema):
    """A quota, and how much of it is used."""

    used = shown.integer("How many you have.")
    limit = shown.integer("How many you may have.")


class MyQuotas(ResponseSchema):
    """The limits on your matches."""

    open_matches = shown.nested(Quota, "Matches that you created and that have not started.")
    running_matches = shown.nested(Quota, "Running matches that you created.")


class UsedToken(ResponseSchema):
    """The token of this request."""

    id = shown.text("Id of the token, for revoking it.", **shown.ID)
    scopes = shown.list_of(fields.String(), "What the token allows.")
    expires_at = shown.text(
        "Time at which the token expires; null if it never does.", allow_none=True, **shown.MOMENT
    )


class Me(Player):
    """Your own account."""

    invitations_from = shown.word("Who may invite you to matches.", "everyone", "met", "nobody")
    quotas = shown.nested(MyQuotas)
    used_token = shown.nested(UsedToken)


class Registered(Player):
    """A new account with its first token."""

    token = shown.text(
        "The token; it is shown only once. Keep it secret: it gives full access to the account.",
        examples=["kontor_…"],
    )


class Token(ResponseSchema):
    """A token, without its text."""

    id = shown.text("Id of the token, for revoking it.", **shown.ID)
    label = shown.text("The label that you chose.")
    scopes = shown.list_of(fields.String(), "What the token allows.")
    created_at = shown.text("Time of creation.", **shown.MOMENT)
    expires_at = shown.text(
        "Time at which the token expires; null if it never does.", allow_none=True, **shown.MOMENT
    )
    last_four = shown.text("The last four characters of the token.")


class IssuedToken(Token):
    """A new token, with its text."""

    token = shown.text("The token; it is shown only once.", examples=["kontor_…"])


class NewDeviceCode(ResponseSchema):
    """A one-time code for another device."""

    code = shown.text("The code, eight letters; it works once.", examples=["KQRTWXBD"])
    expires = shown.text("Time at which it expires.", **shown.MOMENT)


class TokenList(ResponseSchema):
    """The caller's tokens."""

    tokens = shown.list_of(Token, "The valid tokens, oldest first.")
