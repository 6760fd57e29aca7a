"""Records matches for the corpus: `python -m tests.corpus.record GAME`. Existing files are left alone."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import click

from kontor_games.domain.chance import Draws, Seeded, seed_from
from kontor_games.domain.clock import ClockSettings
from kontor_games.domain.commands import Abort, GiveUpWaiting, Leave, Open, Resign, Start, TimeOut
from kontor_games.domain.game import Move, Rules
from kontor_games.domain.games import installed_games
from kontor_games.domain.match import Match
from kontor_games.domain.match_facts import find_rules
from tests.domain.toy.games import toy_games
from tests.support.matches import guessed, passes
from tests.support.recording import OPEN, PLAYERS, Recording, announcement, house_bot, pinned_bot, table_of

CORPUS = Path(__file__).parent
MANIFEST = CORPUS / "manifest.txt"
_CURIOUS, _GUESSES = 900, 60
"""Moves of a match in which everything is to happen, and guesses at a move that is not listed."""
_AGAINST_BOTS = 150
"""Moves of a match against house bots."""


def _some(game: str) -> int:
    """So many moves before a match that is only to be short is broken off; the toy game would be over."""
    return 5 if game in toy_games() else 60


def _sealed(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def broken_off(recording: Recording) -> Recording:
    """Everybody who is left agrees to stop; the creator last, who could do so alone before the first move."""
    for player in (*PLAYERS[1:], PLAYERS[0]):
        seat = recording.match.seat_of(player)
        if not recording.match.over and seat >= 0 and seat not in recording.match.absent:
            recording.do(player, Abort())
    return recording


def _whole(game: str, seats: int) -> Recording:
    """A match between the game's best bots, to its end."""
    bots = installed_games()[game].bots
    names = list(bots)
    recording = Recording(
        announcement(game, *[house_bot(names[-1 - seat % len(names)]) for seat in range(seats)])
    )
    players = [bots[names[-1 - seat % len(names)]](recording.match.rules) for seat in range(seats)]
    while recording.match.to_act:
        for seat in recording.match.may_act:
            rules, state = recording.match.rules, recording.match.state
            draws = Seeded(seed_from("corpus")).draws(f"bot-{seat}", recording.match.version)
            legal = rules.legal_moves(state, seat)
            # The view is asked for at once.
            chosen = players[seat].choose(seat, lambda: rules.view(state, seat), legal, draws)  # noqa: B023
            if chosen is not None:
                recording.play(seat, chosen)
                break
        else:
            recording.play(
                seat := recording.match.to_act[0],
                recording.match.rules.quiet_moves(recording.match.state, seat)[0],
            )
    return recording


def _broken_off(game: str, seats: int) -> Recording:
    return broken_off(table_of(game, seats).play_on(_some(game)))


def _with_bots(game: str, names: Sequence[str], seats: int) -> Recording:
    """Ann against house bots of one kind, for some moves; with several kinds, house bots alone to the end."""
    others = [pinned_bot(game, names[seat % len(names)]) for seat in range(seats)]
    if len(names) > 1:
        return Recording(announcement(game, *others)).play_with_bots()
    recording = Recording(announcement(game, OPEN, *others[1:]))
    recording.join(PLAYERS[0], contribution="against bots")
    return broken_off(recording.play_with_bots(_AGAINST_BOTS))


def _curious(game: str, data: str, seats: int) -> Recording:
    """Whoever may act mostly does what was done least so far, also what no list holds.

    So everything happens, until everybody has had enough.
    """
    recording, done = table_of(game, seats, data=data), Counter[str]()
    chance = Seeded(seed_from(f"curious {data}2"))
    for number in range(_CURIOUS):
        if recording.match.to_act:
            seat, move = _least_done(recording.match, done, chance.draws("walk", number))
            done[move.type] += 1
            recording.play(seat, move)
    return broken_off(recording)


def _least_done(match: Match, done: Counter[str], draws: Draws) -> tuple[int, Move]:
    rules, state = match.rules, match.state
    acting = [
        (seat, move)
        for seat in match.may_act
        for move in (*rules.legal_moves(state, seat), *_guesses(rules, state, seat, draws))
    ]
    rarest = min(done[move.type] for _, move in acting)
    # Now and then anything: what is left lying long enough lapses, and that is to happen too.
    found = [(seat, move) for seat, move in acting if done[move.type] == rarest] if draws.below(4) else acting
    return found[draws.below(len(found))]


def _guesses(rules: Rules[Any], state: Any, seat: int, draws: Draws) -> Iterator[Move]:
    """Moves that are described but not listed, and that pass: many guesses, since most of them don't."""
    for kind in rules.open_moves(state, seat):
        schema = rules.move_codec.schema(kind.type)
        guesses = (guessed(rules, schema, draws, thin=True) for _ in range(_GUESSES))
        yield from islice(
            (guess for guess in guesses if guess is not None and passes(rules, state, seat, guess)), 1
        )


def _timed(game: str, seats: int, on_timeout: str) -> Recording:
    """Everybody lets the clock run out now and then."""
    clock = (
        ClockSettings("per_move", 60_000) if on_timeout == "bot" else ClockSettings("bank", 600_000, 1_000)
    )
    recording = table_of(game, seats, clock=clock, on_timeout=on_timeout)
    for number in range(3):
        recording.play_on(_some(game) // 5, seed=str(number))
        while (
            (deadline := recording.match.clock.next_deadline()) is not None
            and not number % 2
            and not recording.match.over
        ):
            flagged = recording.match.clock.flagged(deadline)[0]
            recording.do("house", TimeOut(flagged), after=deadline - recording.at)
            if not recording.match.clock.flagged(recording.at):
                break
    return broken_off(recording)


def _resigned(game: str, seats: int) -> Recording:
    """All but one give up, one after the other."""
    recording = table_of(game, seats)
    for player in PLAYERS[: seats - 1]:
        recording.play_on(_some(game) // 5, seed=player)
        if not recording.match.over:
            recording.do(player, Resign())
    return recording


def _opened(game: str, seats: int, *, withheld: bool) -> Recording:
    """Sealed contributions, opened by all or by all but one."""
    recording = Recording(announcement(game, *[OPEN] * seats, sealed=True))
    for player in PLAYERS[:seats]:
        recording.join(player, contribution=_sealed(f"{player}'s own"))
    for player in PLAYERS[withheld:seats]:
        recording.do(player, Open(f"{player}'s own"))
    if withheld:
        recording.do("house", GiveUpWaiting(), after=60_000)
        return recording
    return broken_off(recording.play_on(_some(game)))


def _left_and_started(game: str, seats: int) -> Recording:
    """Somebody leaves before the start, and the creator begins by hand, with an open seed."""
    recording = Recording(announcement(game, *[OPEN] * seats, autostart=False, open_seed="duplicate 7"))
    recording.join(PLAYERS[-1], contribution="gone again")
    recording.do(PLAYERS[-1], Leave())
    for player in PLAYERS[:seats]:
        recording.join(player, bot=player == PLAYERS[1])
    recording.do("ann", Start())
    return broken_off(recording.play_on(_some(game)))


def kinds_of(game: str) -> dict[str, Callable[[], Recording]]:
    """What is recorded of a game: name to how it is made."""
    counts = find_rules(game, None, None).seat_counts
    few, many = counts[0], counts[-1]
    kinds: dict[str, Callable[[], Recording]] = {
        f"whole-{seats}": partial(_whole, game, seats) for seats in {few, many}
    }
    kinds |= {f"broken-off-{seats}": partial(_broken_off, game, seats) for seats in counts}
    for place, data in enumerate(installed_games()[game].data_sets):
        seats = counts[-1 - place % len(counts)]
        kinds[f"curious-{data.name}-{seats}"] = partial(_curious, game, data.name, seats)
    versions = {name: kind.version for name, kind in installed_games()[game].bots.items()}
    for name, version in versions.items():
        kinds[f"bot-{name}-{version}-{few}"] = partial(_with_bots, game, [name], few)
    everyone = "-".join(f"{name}-{version}" for name, version in versions.items())
    kinds[f"bots-{everyone}-{many}"] = partial(_with_bots, game, list(versions), many)
    return kinds | {
        f"time-outs-{many}": lambda: _timed(game, many, "bot"),
        f"forfeits-{many}": lambda: _timed(game, many, "forfeit"),
        f"resigned-{many}": lambda: _resigned(game, many),
        f"sealed-{few}": lambda: _opened(game, few, withheld=False),
        f"withheld-{few}": lambda: _opened(game, few, withheld=True),
        f"open-seed-{few}": lambda: _left_and_started(game, few),
    }


def write_manifest() -> None:
    """Notes the hash of every file."""
    files = sorted(CORPUS.glob("*/*.ndjson"))
    text = "".join(
        f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.relative_to(CORPUS)}\n" for file in files
    )
    MANIFEST.write_text(text, encoding="utf-8")


@click.command()
@click.argument("game")
@click.option("--list", "only_list", is_flag=True, help="Say what would be recorded.")
def main(*, game: str, only_list: bool) -> None:
    """Record a handful of matches of GAME under the current version of its rules."""
    installed_games().update(toy_games())  # type: ignore[attr-defined]  # it is a dict
    version = find_rules(game, None, None).version
    for name, make in kinds_of(game).items():
        file = CORPUS / game / f"v{version}-{name}.ndjson"
        if file.exists() or only_list:
            click.echo(f"{file.name}: {'there already' if file.exists() else 'would be recorded'}")
            continue
        file.parent.mkdir(exist_ok=True)
        recording = make()
        file.write_bytes(recording.export())
        click.echo(
            f"{file.name}: {recording.match.version} facts, {recording.match.status}, "
            f"{file.stat().st_size:,} bytes"
        )
    if not only_list:
        write_manifest()


if __name__ == "__main__":
    main()
