"""The errors that use cases raise. `code` derives from the class name; api/ maps each class to a status."""

from kontor_games.domain.codec import key_of


class ServiceError(Exception):
    """Base class of the errors that are reported to the caller."""

    def __init__(self, detail: str) -> None:
        """`detail` is a sentence for the caller; it must not reveal a secret or hidden information."""
        super().__init__(detail)
        self.detail = detail

    @property
    def code(self) -> str:
        """The stable name of this kind of error."""
        return key_of(type(self))


class NotFoundError(ServiceError):
    """It does not exist, or you may not see it."""


class UnauthorisedError(ServiceError):
    """The token is missing or not valid."""


class ForbiddenError(ServiceError):
    """Your token does not allow this."""


class KeyReusedError(ServiceError):
    """The Idempotency-Key was already used for a different request."""


class StaleVersionError(ServiceError):
    """The match has changed since the version in If-Match."""

    def __init__(self, wanted: int, current: int) -> None:
        """Says where the match stands now, so that the caller can catch up."""
        super().__init__(f"You sent version {wanted}, but the match is at version {current}.")
        self.current = current


class RateLimitedError(ServiceError):
    """Too many requests."""

    def __init__(self, detail: str, *, retry_after_ms: int, limit: int, reset_ms: int) -> None:
        super().__init__(detail)
        self.retry_after_ms = retry_after_ms
        self.limit = limit
        self.reset_ms = reset_ms


class UnavailableError(ServiceError):
    """The service is temporarily unavailable; retry with the same Idempotency-Key."""
