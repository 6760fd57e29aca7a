"""The use cases of seeks: create, list, cancel."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, field

from kontor_games.domain.codec import Plain
from kontor_games.domain.game import Refusal
from kontor_games.domain.games import installed_games
from kontor_games.domain.matchmaking import Opponents
from kontor_games.service.errors import KeyReusedError, NotFoundError
from kontor_games.service.matches.match_spec import MatchDefaults, MatchSpec, SeatSpec, plan_match
from kontor_games.service.matches.use_cases import Call
from kontor_games.service.people.tokens import PLAY, Caller
from kontor_games.service.seeks.store import Seek, SeekStore, SeekTerms

MAX_SEEKS = 10
"""Maximum number of waiting or offered seeks per player."""


class TooManySeeksError(Refusal):
    """You have reached the limit of open seeks."""

    def __init__(self) -> None:
        super().__init__(f"You can have {MAX_SEEKS} seeks at a time. Cancel one first.", rule="")


class SeekOverError(Refusal):
    """The seek is no longer waiting."""

    def __init__(self, status: str) -> None:
        super().__init__(
            f"The seek is {status}. To turn an offered match down, decline the invitation to it.", rule=""
        )


@dataclass(frozen=True, slots=True)
class SeekSpec:
    """The terms of a seek."""

    game: str
    seats: int
    opponents: Opponents = "both"
    rated: bool = False
    clock: dict[str, Plain] = field(default_factory=dict)
    options: dict[str, Plain] = field(default_factory=dict)
    on_timeout: str = "bot"
    lifetime_ms: int = 600_000


@dataclass(frozen=True, slots=True)
class CreatedSeek:
    """A seek, and whether it already existed under the same key."""

    seek: Seek
    replayed: bool


@dataclass(eq=False, repr=False)
class Seeks:
    """What players do with their seeks: create, read, cancel."""

    _store: SeekStore
    _defaults: MatchDefaults
    _on_new: Callable[[], None]

    def create(self, call: Call, spec: SeekSpec) -> CreatedSeek:
        """Create a seek; the same key gives the same seek."""
        call.caller.require(PLAY)
        known = self._store.find(call.by, call.key)
        if known is not None:
            return _replayed(known, call)
        opponents = spec.opponents
        if spec.rated:  # people and programs have separate ladders
            opponents = "programs" if call.caller.bot else "people"
        terms = self._checked(spec)
        if self._store.count(call.by) >= MAX_SEEKS:
            raise TooManySeeksError
        seek, existed = self._store.add(call, terms, opponents, spec.lifetime_ms)
        if existed:
            return _replayed(seek, call)
        self._on_new()
        return CreatedSeek(seek, replayed=False)

    def _checked(self, spec: SeekSpec) -> SeekTerms:
        """Return the terms with all defaults filled in; raise MalformedError for invalid terms."""
        match_spec = match_spec_of(spec, (SeatSpec("open"),) * spec.seats)
        created = plan_match(match_spec, "", "0" * 64, lambda _: True, self._defaults)
        options = {**created.options, installed_games()[spec.game].data_option: created.data}
        return SeekTerms(spec.game, spec.seats, options, asdict(created.clock), spec.rated, spec.on_timeout)

    def waiting(self, game: str | None, limit: int) -> list[Seek]:
        """All waiting seeks, the oldest first."""
        return self._store.with_status("waiting", game, limit)

    def of_caller(self, caller: Caller) -> list[Seek]:
        """The caller's seeks, including those that ended in the last day."""
        return self._store.of_player(caller.player)

    def get(self, caller: Caller, seek_id: str) -> Seek:
        found = self._store.get(seek_id)
        if found is None or found.player != caller.player:
            raise NotFoundError("You have no such seek.")
        return found

    def cancel(self, caller: Caller, seek_id: str) -> Seek:
        """Cancel a waiting seek; cancelling it again changes nothing."""
        seek = self.get(caller, seek_id)
        if seek.status == "waiting":
            self._store.take([seek], "cancelled")
            seek = self.get(caller, seek_id)
        if seek.status != "cancelled":
            raise SeekOverError("offered" if seek.status == "waiting" else seek.status)
        return seek


def match_spec_of(terms: SeekSpec | SeekTerms, seats: tuple[SeatSpec, ...]) -> MatchSpec:
    """The specification of a match on the terms of a seek."""
    return MatchSpec(
        game=terms.game,
        seats=seats,
        options=terms.options,
        clock=terms.clock,
        on_timeout=terms.on_timeout,  # type: ignore[arg-type]  # the API has checked it
        rated=terms.rated,
    )


def _replayed(seek: Seek, call: Call) -> CreatedSeek:
    if seek.request != call.stored_digest:
        raise KeyReusedError("This Idempotency-Key was already used for a different request.")
    return CreatedSeek(seek, replayed=True)
