"""Players, tokens, keys and device codes: requests and responses."""

from marshmallow import fields

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
from kontor_games.api.schemas.request_fields import NAME, NULLABLE, request_field, request_text
from kontor_games.api.schemas.response_fields import (
    ID,
    MOMENT,
    boolean_field,
    extensible_enum_field,
    integer_field,
    list_field,
    nested_field,
    text_field,
)
from kontor_games.service.people.tokens import LONGEST_MS, SCOPES


class NewPlayer(RequestSchema):
    """A new account."""

    name = request_text(
        "Display name: visible characters, no leading or trailing space. It need not be unique.",
        NAME,
        schema={"examples": ["Ada"]},
    )
    bot = request_field(
        StrictBoolean,
        "Whether the player is a program. Everyone can see this, and it cannot be changed later.",
        load_default=False,
    )


class Renaming(RequestSchema):
    """A player's new name."""

    name = request_text("The new name.", NAME, schema={"examples": ["Ada L."]})


class InvitationSetting(RequestSchema):
    """Who may invite a player."""

    invitations_from = request_text(
        "`everyone`, `nobody`, or `met`: only players with whom you have been in a match that started.",
        one_of("everyone", "met", "nobody"),
        schema={"examples": ["met"]},
    )


class NewKey(RequestSchema):
    """The key with which a player signs commands."""

    public_key = request_text(
        "An Ed25519 public key, 32 bytes in Base64.",
        matching(PUBLIC_KEY, "an Ed25519 public key, 32 bytes in Base64"),
    )
    proof = request_text(
        "Signature with this key over the text that docs/signatures.md describes.",
        matching(SIGNATURE, "an Ed25519 signature, 64 bytes in Base64"),
    )


class NewToken(RequestSchema):
    """A new token."""

    label = request_text("A label that helps you recognise the token.", NAME, schema={"examples": ["laptop"]})
    scopes = fields.List(
        fields.String(validate=one_of(*SCOPES)),
        required=True,
        validate=length(1, len(SCOPES)),
        metadata={
            "description": "What the token allows; at most what the token used for this request allows.",
            "examples": [["play"]],
        },
    )
    expires_in_ms = request_field(
        StrictInteger,
        "Lifetime in milliseconds. By default it lasts as long as the token used for this request.",
        between(1, LONGEST_MS),
        schema={"examples": [86_400_000]},
        **NULLABLE,
    )


class DeviceCode(RequestSchema):
    """A one-time code from another device."""

    code = request_text(
        "The code: eight letters; case, spaces and hyphens do not matter.",
        matching("[A-Za-z -]{8,20}", "a code of eight letters"),
        schema={"examples": ["KQRT-WXBD"]},
    )


class Player(ResponseSchema):
    """An account."""

    id = text_field("Id of the player; never changes.", **ID)
    name = text_field("Name of the player; null if the account was deleted.", allow_none=True)
    bot = boolean_field("Whether the player is a program.")
    created_at = text_field("Time of registration.", **MOMENT)
    public_key = text_field(
        "Ed25519 public key with which the player signs commands, in Base64; null if there is none.",
        allow_none=True,
    )


class Quota(ResponseSchema):
    """A quota, and how much of it is used."""

    used = integer_field("How many you have.")
    limit = integer_field("How many you may have.")


class MyQuotas(ResponseSchema):
    """The limits on your matches."""

    open_matches = nested_field(Quota, "Matches that you created and that have not started.")
    running_matches = nested_field(Quota, "Running matches that you created.")


class UsedToken(ResponseSchema):
    """The token of this request."""

    id = text_field("Id of the token, for revoking it.", **ID)
    scopes = list_field(fields.String(), "What the token allows.")
    expires_at = text_field(
        "Time at which the token expires; null if it never does.", allow_none=True, **MOMENT
    )


class Me(Player):
    """Your own account."""

    invitations_from = extensible_enum_field("Who may invite you to matches.", "everyone", "met", "nobody")
    quotas = nested_field(MyQuotas)
    used_token = nested_field(UsedToken)


class Registered(Player):
    """A new account with its first token."""

    token = text_field(
        "The token; it is shown only once. Keep it secret: it gives full access to the account.",
        examples=["kontor_…"],
    )


class Token(ResponseSchema):
    """A token, without its text."""

    id = text_field("Id of the token, for revoking it.", **ID)
    label = text_field("The label that you chose.")
    scopes = list_field(fields.String(), "What the token allows.")
    created_at = text_field("Time of creation.", **MOMENT)
    expires_at = text_field(
        "Time at which the token expires; null if it never does.", allow_none=True, **MOMENT
    )
    last_four = text_field("The last four characters of the token.")


class IssuedToken(Token):
    """A new token, with its text."""

    token = text_field("The token; it is shown only once.", examples=["kontor_…"])


class NewDeviceCode(ResponseSchema):
    """A one-time code for another device."""

    code = text_field("The code, eight letters; it works once.", examples=["KQRTWXBD"])
    expires = text_field("Time at which it expires.", **MOMENT)


class TokenList(ResponseSchema):
    """The caller's tokens."""

    tokens = list_field(fields.Nested(Token), "The valid tokens, oldest first.")
