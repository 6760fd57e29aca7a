"""What a use case may answer instead of a result. `code` derives from the class name; api/ gives each its status."""

from kontor_games.domain.codec import key_of


class ServiceError(Exception):
    """One base for everything a caller is told in words."""

    def __init__(self, detail: str) -> None:
        """The sentence is for the caller: no secret, no hidden information."""
        super().__init__(detail)
        self.detail = detail

    @property
    def code(self) -> str:
        """The stable name of this kind of error."""
        return key_of(type(self))


class NotFoundError(ServiceError):
    """There is no such thing, or none that this caller may know of."""


class UnauthorisedError(ServiceError):
    """The caller did not say who they are, or not credibly."""


class ForbiddenError(ServiceError):
    """The caller is known but may not do this."""


class KeyReusedError(ServiceError):
    """The same Idempotency-Key came with another request."""


class StaleVersionError(ServiceError):
    """The match has moved on since the version that the caller decided on."""

    def __init__(self, wanted: int, current: int) -> None:
        """Says where the match stands now, so that the caller can catch up."""
        super().__init__(f"you decided on version {wanted}, but the match stands at version {current}")
        self.current = current


class RateLimitedError(ServiceError):
    """The caller has used up what its token may ask for now."""

    def __init__(self, detail: str, *, retry_after_ms: int, limit: int, reset_ms: int) -> None:
        """Says when to come back."""
        super().__init__(detail)
        self.retry_after_ms = retry_after_ms
        self.limit = limit
        self.reset_ms = reset_ms


class UnavailableError(ServiceError):
    """The database can't be reached; nothing was changed, or a retry with the same key tells."""
