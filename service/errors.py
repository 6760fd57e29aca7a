"""Errors of use cases.

Their docstrings are the titles of problems, `code` is derived from the class name, and api/problems.py has
their status.
"""

from kontor_games.domain.codec import key_of


class ServiceError(Exception):
    """The base of all errors that a caller gets as a problem."""

    def __init__(self, detail: str) -> None:
        """The detail is sent to the caller, so it must not contain anything hidden."""
        super().__init__(detail)
        self.detail = detail

    @property
    def code(self) -> str:
        """The stable name of this kind of error."""
        return key_of(type(self))


class OperatorError(Exception):
    """A command cannot be executed; the command line prints the message. No client request can cause it."""


class NotFoundError(ServiceError):
    """The resource does not exist, or you may not see it."""


class UnauthorisedError(ServiceError):
    """The token is missing or not valid."""

    challenge = 'Bearer realm="kontor"'
    """How the caller can authenticate, for the header WWW-Authenticate."""


class ForbiddenError(ServiceError):
    """Your token does not allow this."""


class BannedError(ForbiddenError):
    """The operator has banned your account."""


class RegistrationClosedError(ForbiddenError):
    """The service accepts no new accounts at the moment."""


class KeyProofInvalidError(ServiceError):
    """The proof is not a valid signature of the player's id and the public key."""

    def __init__(self, expected: str) -> None:
        super().__init__("The proof must be the signature of the key over the text in `expected`.")
        self.expected = expected


class KeyReusedError(ServiceError):
    """The Idempotency-Key was already used for a different request."""


class StaleVersionError(ServiceError):
    """The match has changed since the version in If-Match."""

    def __init__(self, sent: int, current: int) -> None:
        super().__init__(f"You sent version {sent}, but the match is at version {current}.")
        self.current = current


class UnknownWitnessError(ServiceError):
    """The cosignature is not a valid signature of this checkpoint by a known witness."""


class RateLimitedError(ServiceError):
    """Too many requests."""

    def __init__(self, detail: str, *, retry_after_ms: int, limit: int, reset_ms: int) -> None:
        super().__init__(detail)
        self.retry_after_ms = retry_after_ms
        self.limit = limit
        self.reset_ms = reset_ms


class TooManyStreamsError(ServiceError):
    """Too many streams are open."""


class RecordDamagedError(ServiceError):
    """The stored record of the match or tournament is damaged, so it is stopped."""

    KEY = "match_damaged"

    def __init__(self, version: int, reason: str, *, kind: str = "match") -> None:
        """Takes the first version that is damaged, and the reason, which is logged but not sent."""
        super().__init__(
            f"The stored record of this {kind} does not match its hash chain, or cannot be read. "
            f"The {kind} is stopped, and nothing in it is signed, "
            "until the operator has repaired the record. Others are not affected."
        )
        self.version = version
        self.reason = reason


class UnavailableError(ServiceError):
    """The service is temporarily unavailable; retry with the same Idempotency-Key."""
