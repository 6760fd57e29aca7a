"""The specification of a new match, and the check whether its game allows it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from kontor_games.domain.clock import ClockSettings
from kontor_games.domain.codec import Fault, MalformedError, Plain, Shape
from kontor_games.domain.game import Game, Rules
from kontor_games.domain.games import installed_games
from kontor_games.domain.ladders import unrated_because
from kontor_games.domain.match_facts import SALT_VERSION, MatchCreated, SeatPlan, find_rules
from kontor_games.domain.seed import commitment_of
from kontor_games.domain.toolkit.sentences import join_words
from kontor_games.service.settings import Settings

_CLOCK = Shape(ClockSettings)
_HOUR_MS = 3_600_000
MAX_RETURNED_MS = 24 * _HOUR_MS
"""The most time that outages give back in a match whose creator has chosen no other limit."""


@dataclass(frozen=True, slots=True)
class SeatSpec:
    """One seat of a new match: open, for an invited player, for a house bot, or for the creator (`me`)."""

    kind: Literal["open", "invited", "bot", "me"]
    player: str | None = None
    bot: str | None = None


@dataclass(frozen=True, slots=True)
class MatchSpec:
    """The specification of a new match."""

    game: str
    seats: tuple[SeatSpec, ...]
    options: dict[str, Plain]
    clock: dict[str, Plain]
    on_timeout: Literal["bot", "forfeit"] = "bot"
    autostart: bool = True
    private: bool = False
    meet_bots: bool = True
    seed: str | None = None
    """An open seed, for practice and duplicate play: everyone can know the deal beforehand."""
    sealed: bool = False
    """Whether players send hashes of their contributions when they join and open them when all seats are
    taken."""
    practice: bool = False
    """Whether players may branch from the match while it runs."""
    required_witnesses: int = 0
    """How many witnesses of the service must cosign a checkpoint that covers the match."""
    signed: bool = False
    """Whether every player must sign their commands."""
    rated: bool = False
    """Whether the result counts for the ladder of the game."""
    max_returned_ms: int | None = None
    """The most time that outages can give back in all; None for `MAX_RETURNED_MS`."""
    spectator_delay: int = 0
    """By how many seconds spectators are behind while the match runs."""
    tags: tuple[str, ...] = ()
    """Words for finding the match in lists."""

    def has_seat_for(self, player: str) -> bool:
        """Whether a seat is for this player, who creates the match."""
        return any(seat.kind == "me" or seat.player == player for seat in self.seats)


@dataclass(frozen=True, slots=True)
class MatchDefaults:
    """The operator's settings for all new matches."""

    witnesses: tuple[str, ...] = ()
    """The public keys of the witnesses of the log."""
    open_for_ms: int = 0
    """Period without a command after which an open match is aborted; 0: never."""
    idle_ms: int = 0
    """Time without a command after which, in a match without a clock, seats to act forfeit; 0: never."""
    smallest_clock_ms: int = 1

    @classmethod
    def of(cls, settings: Settings) -> "MatchDefaults":
        return cls(
            tuple(key.text for key in settings.witnesses),
            settings.open_match_hours * _HOUR_MS,
            settings.idle_match_hours * _HOUR_MS,
            settings.smallest_clock_ms,
        )


def plan_match(
    spec: MatchSpec,
    creator: str,
    server_secret: str,
    known_player: Callable[[str], bool],
    defaults: MatchDefaults,
) -> MatchCreated:
    """Return the first fact of the new match; raise MalformedError with all faults of the specification."""
    game = installed_games().get(spec.game)
    if game is None:
        raise MalformedError([Fault("/game", "must be one of " + ", ".join(installed_games()))])
    faults: list[Fault] = []
    data, options = _options(game, spec.options, faults)
    clock = _CLOCK.parse(spec.clock, "/clock", faults)
    seats = tuple(
        _seat(game, seat, creator, f"/seats/{i}", faults, known_player) for i, seat in enumerate(spec.seats)
    )
    rules = find_rules(game.id, None, data or game.data_sets[0].name)
    faults += [*_seats_for_me(spec), *_why_unrated(spec), *_beyond_limits(spec, clock, rules, defaults)]
    if faults:
        raise MalformedError(faults)
    rules.table(len(seats), options)  # raises if the options do not allow this number of seats
    timed = clock.kind != "none"
    return MatchCreated(
        game=game.id,
        rules_version=rules.version,
        data=rules.data.name,
        data_hash=rules.data.hash,
        options=rules.options_shape.encode(options),
        seats=seats,
        clock=clock,
        on_timeout=spec.on_timeout,
        autostart=spec.autostart,
        private=spec.private,
        meet_bots=spec.meet_bots,
        creator=creator,
        commitment=commitment_of(server_secret),
        sealed=spec.sealed,
        open_seed=spec.seed,
        practice=spec.practice,
        branch=False,
        server_secret=server_secret,
        signed=spec.signed,
        witnesses=defaults.witnesses if spec.required_witnesses else (),
        required_witnesses=spec.required_witnesses,
        abort_withholds=spec.sealed,
        open_for_ms=defaults.open_for_ms,
        idle_ms=0 if timed else defaults.idle_ms,
        house_untimed=timed and not spec.rated,
        rated=spec.rated,
        salt_version=SALT_VERSION,
        max_returned_ms=MAX_RETURNED_MS if spec.max_returned_ms is None else spec.max_returned_ms,
        spectator_delay=spec.spectator_delay,
        tags=tuple(dict.fromkeys(spec.tags)),
    )


def _beyond_limits(
    spec: MatchSpec, clock: ClockSettings | None, rules: Rules[Any], defaults: MatchDefaults
) -> Iterator[Fault]:
    """The faults of values outside the limits: a short clock, too many witnesses, the number of seats."""
    if clock is not None and clock.kind != "none" and clock.ms < defaults.smallest_clock_ms:
        yield Fault("/clock/ms", f"must be at least {defaults.smallest_clock_ms}")
    if spec.required_witnesses > len(defaults.witnesses):
        most = f"must be at most {len(defaults.witnesses)}: this service has no more witnesses"
        yield Fault("/required_witnesses", most)
    if len(spec.seats) not in rules.seat_counts:
        yield Fault("/seats", f"must have {join_words(rules.seat_counts, 'or')} seats")


def _seats_for_me(spec: MatchSpec) -> Iterator[Fault]:
    """The faults of seats of type `me`, which are taken before there is a commitment."""
    mine = [index for index, seat in enumerate(spec.seats) if seat.kind == "me"]
    if len(mine) > 1:
        yield Fault("/seats", "must contain at most one seat of type `me`")
    reason = "every player signs" if spec.signed else "contributions are sealed"
    if mine and (spec.sealed or spec.signed):
        yield Fault(
            f"/seats/{mine[0]}/type",
            f"must not be `me` if {reason}: reserve the seat for yourself with `invited`, then join",
        )


def _why_unrated(spec: MatchSpec) -> Iterator[Fault]:
    house = any(seat.kind == "bot" for seat in spec.seats)
    reasons = unrated_because(
        house=house, open_seed=spec.seed is not None, practice=spec.practice, private=spec.private
    )
    for name, reason in reasons if spec.rated else ():
        yield Fault(f"/{name}", reason)


def _options(game: Game, options: dict[str, Plain], faults: list[Fault]) -> tuple[str | None, Any]:
    """The chosen data set, and the other options."""
    rest = dict(options)
    data = rest.pop(game.data_option, game.data_sets[0].name)
    names = [known.name for known in game.data_sets]
    if data not in names:
        faults.append(Fault(f"/options/{game.data_option}", "must be one of " + ", ".join(names)))
        data = None
    shape = find_rules(game.id, None, data or names[0]).options_shape
    return data, shape.parse(rest, "/options", faults)


def _seat(
    game: Game,
    spec: SeatSpec,
    creator: str,
    pointer: str,
    faults: list[Fault],
    known_player: Callable[[str], bool],
) -> SeatPlan:
    bot = game.all_bots.get(spec.bot or "")
    if spec.kind == "bot" and bot is None:
        faults.append(Fault(f"{pointer}/bot", "must be one of " + ", ".join(game.all_bots)))
    if spec.kind == "invited" and not (spec.player and known_player(spec.player)):
        faults.append(Fault(f"{pointer}/player", "must be the id of an existing player"))
    if spec.kind == "me":
        return SeatPlan("invited", player=creator)
    return SeatPlan(
        spec.kind,
        player=spec.player if spec.kind == "invited" else None,
        bot=spec.bot if spec.kind == "bot" else None,
        bot_version=bot.version if bot and spec.kind == "bot" else None,
    )
