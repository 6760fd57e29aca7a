"""Records matches for the corpus: `python -m tests.corpus.record GAME`. Existing files are not changed."""

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
from kontor_games.domain.game import Move, Rules, Sight
from kontor_games.domain.games import installed_games
from kontor_games.domain.match import Match
from kontor_games.domain.match_facts import find_rules
from tests.domain.toy.games import toy_games
from tests.support.matches import passes, random_move
from tests.support.recording import OPEN, PLAYERS, Recording, announcement, house_bot, pinned_bot, table_of

CORPUS = Path(__file__).parent
MANIFEST = CORPUS / "manifest.txt"
_MANY_MOVES, _GUESSES = 900, 60
"""The moves of a match with every kind of move, and the number of guesses at an open move."""
_AGAINST_BOTS = 150
"""How many moves a match against house bots has."""


def _moves_before_abort(game: str) -> int:
    """How many moves a short match has before it is aborted; few in the toy game, which ends soon."""
    return 5 if game in toy_games() else 60


def _sealed(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def aborted(recording: Recording) -> Recording:
    """Let all remaining players abort; the creator last, who could abort alone before the first move."""
    for player in (*PLAYERS[1:], PLAYERS[0]):
        seat = recording.match.seat_of(player)
        if not recording.match.over and seat >= 0 and seat not in recording.match.absent:
            recording.do(player, Abort())
    return recording


def _whole(game: str, seats: int) -> Recording:
    """A match between the game's best bots, played to its end."""
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
            chosen = players[seat].choose(seat, Sight(rules, state, seat), legal, draws)
            if chosen is not None:
                recording.play(seat, chosen)
                break
        else:
            recording.play(
                seat := recording.match.to_act[0],
                recording.match.rules.quiet_moves(recording.match.state, seat)[0],
            )
    return recording


def _short_and_aborted(game: str, seats: int) -> Recording:
    return aborted(table_of(game, seats).play_on(_moves_before_abort(game)))


def _with_bots(game: str, names: Sequence[str], seats: int) -> Recording:
    """With one kind of house bot: some moves of Ann against it; with several: only bots, to the end."""
    others = [pinned_bot(game, names[seat % len(names)]) for seat in range(seats)]
    if len(names) > 1:
        return Recording(announcement(game, *others)).play_with_bots()
    recording = Recording(announcement(game, OPEN, *others[1:]))
    recording.join(PLAYERS[0], contribution="against bots")
    return aborted(recording.play_with_bots(_AGAINST_BOTS))


def _with_every_move(game: str, data: str, seats: int) -> Recording:
    """A match in which the rarest kind of move so far is preferred, open moves included.

    So every kind of move and fact occurs. The match is aborted after many moves.
    """
    recording, done = table_of(game, seats, data=data), Counter[str]()
    chance = Seeded(seed_from(f"curious {data}2"))
    for number in range(_MANY_MOVES):
        if recording.match.to_act:
            seat, move = _rarest_move(recording.match, done, chance.draws("walk", number))
            done[move.type] += 1
            recording.play(seat, move)
    return aborted(recording)


def _rarest_move(match: Match, done: Counter[str], draws: Draws) -> tuple[int, Move]:
    rules, state = match.rules, match.state
    acting = [
        (seat, move)
        for seat in match.may_act
        for move in (*rules.legal_moves(state, seat), *_guesses(rules, state, seat, draws))
    ]
    rarest = min(done[move.type] for _, move in acting)
    # Sometimes any move, so that offers and the like are also left unanswered until they lapse.
    found = [(seat, move) for seat, move in acting if done[move.type] == rarest] if draws.below(4) else acting
    return found[draws.below(len(found))]


def _guesses(rules: Rules[Any], state: Any, seat: int, draws: Draws) -> Iterator[Move]:
    """Legal open moves, found by many guesses from their schemas, since most guesses are illegal."""
    for kind in rules.open_moves(state, seat):
        schema = rules.move_codec.schema(kind.type)
        guesses = (random_move(rules, schema, draws, thin=True) for _ in range(_GUESSES))
        yield from islice(
            (guess for guess in guesses if guess is not None and passes(rules, state, seat, guess)), 1
        )


def _timed(game: str, seats: int, on_timeout: str) -> Recording:
    """A match in which every player sometimes runs out of time."""
    clock = (
        ClockSettings("per_move", 60_000) if on_timeout == "bot" else ClockSettings("bank", 600_000, 1_000)
    )
    recording = table_of(game, seats, clock=clock, on_timeout=on_timeout)
    for number in range(3):
        recording.play_on(_moves_before_abort(game) // 5, seed=str(number))
        while (
            (deadline := recording.match.clock.next_deadline()) is not None
            and not number % 2
            and not recording.match.over
        ):
            flagged = recording.match.clock.flagged(deadline)[0]
            recording.do("house", TimeOut(flagged), after=deadline - recording.at)
            if not recording.match.clock.flagged(recording.at):
                break
    return aborted(recording)


def _resigned(game: str, seats: int) -> Recording:
    """A match in which all players but one resign, one after the other."""
    recording = table_of(game, seats)
    for player in PLAYERS[: seats - 1]:
        recording.play_on(_moves_before_abort(game) // 5, seed=player)
        if not recording.match.over:
            recording.do(player, Resign())
    return recording


def _opened(game: str, seats: int, *, withheld: bool) -> Recording:
    """A match with sealed contributions, opened by all players or by all but one."""
    recording = Recording(announcement(game, *[OPEN] * seats, sealed=True))
    for player in PLAYERS[:seats]:
        recording.join(player, contribution=_sealed(f"{player}'s own"))
    for player in PLAYERS[withheld:seats]:
        recording.do(player, Open(f"{player}'s own"))
    if withheld:
        recording.do("house", GiveUpWaiting(), after=60_000)
        return recording
    return aborted(recording.play_on(_moves_before_abort(game)))


def _left_and_started(game: str, seats: int) -> Recording:
    """A match with an open seed that a player leaves before the start, and that the creator starts."""
    recording = Recording(announcement(game, *[OPEN] * seats, autostart=False, open_seed="duplicate 7"))
    recording.join(PLAYERS[-1], contribution="gone again")
    recording.do(PLAYERS[-1], Leave())
    for player in PLAYERS[:seats]:
        recording.join(player, bot=player == PLAYERS[1])
    recording.do("ann", Start())
    return aborted(recording.play_on(_moves_before_abort(game)))


def kinds_of(game: str) -> dict[str, Callable[[], Recording]]:
    """The matches to record for a game: a function that records each, by the name of its file."""
    counts = find_rules(game, None, None).seat_counts
    few, many = counts[0], counts[-1]
    kinds: dict[str, Callable[[], Recording]] = {
        f"whole-{seats}": partial(_whole, game, seats) for seats in {few, many}
    }
    kinds |= {f"broken-off-{seats}": partial(_short_and_aborted, game, seats) for seats in counts}
    for place, data in enumerate(installed_games()[game].data_sets):
        seats = counts[-1 - place % len(counts)]
        kinds[f"curious-{data.name}-{seats}"] = partial(_with_every_move, game, data.name, seats)
    versions = {name: kind.version for name, kind in installed_games()[game].bots.items()}
    for name, version in versions.items():
        kinds[f"bot-{name.replace(':', '-')}-{version}-{few}"] = partial(_with_bots, game, [name], few)
    everyone = "-".join(f"{name.replace(':', '-')}-{version}" for name, version in versions.items())
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
    """Write the hash of every file to the manifest."""
    files = sorted(CORPUS.glob("*/*.ndjson"))
    text = "".join(
        f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.relative_to(CORPUS)}\n" for file in files
    )
    MANIFEST.write_text(text, encoding="utf-8")


@click.command()
@click.argument("game")
@click.option("--list", "only_list", is_flag=True, help="Only list what would be recorded.")
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
