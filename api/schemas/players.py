"""Players, tokens, keys and device codes: requests and responses."""

from marshmallow import fields

from kontor_games.api.schemas import request_fields as req
from kontor_games.api.schemas import response_fields as res
from kontor_games.api.schemas.fields import RequestSchema, ResponseSchema, between, length, matching, one_of
from kontor_games.api.schemas.patterns import PUBLIC_KEY, SIGNATURE
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


class DeviceCodeRequest(RequestSchema):
    """A request for a one-time code."""

    sealed = req.text(
        "What the other device gets with the account, encrypted so that the service cannot read it.",
        length(40, 32_768),
        **req.NULLABLE,
    )


class Player(ResponseSchema):
    """An account."""

    id = res.text("Id of the player; never changes.", **res.ID)
    name = res.text("Name of the player; null if the account was deleted.", allow_none=True)
    bot = res.boolean("Whether the player is a program.")
    created_at = res.moment("Time of registration.")
    public_key = res.text(
        "Ed25519 public key with which the player signs commands, in Base64; null if there is none.",
        allow_none=True,
    )


class Quota(ResponseSchema):
    """A quota, and how much of it is used."""

    used = res.integer("Current number.")
    limit = res.integer("Maximum number.")


class MyQuotas(ResponseSchema):
    """The limits on the matches that you created."""

    open_matches = res.nested(Quota, "Matches that you created and that have not started.")
    running_matches = res.nested(Quota, "Running matches that you created.")


class UsedToken(ResponseSchema):
    """The token with which this request was sent."""

    id = res.text("Id of the token, for revoking it.", **res.ID)
    scopes = res.list_of(fields.String(), "The scopes of the token.")
    expires_at = res.moment("Time at which the token expires; null if it never does.", allow_none=True)


class Me(Player):
    """Your own account."""

    invitations_from = res.word("Who may invite you to matches.", "everyone", "met", "nobody")
    quotas = res.nested(MyQuotas)
    used_token = res.nested(UsedToken)


class Registered(Player):
    """A new account with its first token."""

    token = res.text(
        "The token; it is shown only once. Keep it secret: it gives full access to the account.",
        examples=["kontor_…"],
    )


class Token(ResponseSchema):
    """A token, without its text."""

    id = res.text("Id of the token, for revoking it.", **res.ID)
    label = res.text("The label that you chose.")
    scopes = res.list_of(fields.String(), "The scopes of the token.")
    created_at = res.moment("Time of creation.")
    expires_at = res.moment("Time at which the token expires; null if it never does.", allow_none=True)
    last_four = res.text("The last four characters of the token.")


class IssuedToken(Token):
    """A new token, with its text."""

    token = res.text("The token; it is shown only once.", examples=["kontor_…"])


class RedeemedAccount(Registered):
    """The account of another device with a new token."""

    sealed = res.text("What the other device has sealed for this one; null if nothing.", allow_none=True)


class IssuedDeviceCode(ResponseSchema):
    """A one-time code for another device."""

    code = res.text("The code, eight letters; it works once.", examples=["KQRTWXBD"])
    expires = res.moment("Time at which the code expires.")


class TokenList(ResponseSchema):
    """The caller's tokens."""

    tokens = res.list_of(Token, "The valid tokens, oldest first.")
