"""`kontor watch`: one match between bots, or a live match on a service, described move by move."""

import re
import time
from dataclasses import dataclass
from urllib.parse import urlsplit

import click
from rich.cells import cell_len
from rich.console import Console
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from kontor_games.domain.codec import ARBITER, SPECTATOR, Plain
from kontor_games.domain.game import Game, Result
from kontor_games.domain.narration import MESSAGES
from kontor_games.domain.toolkit.messages import phrase
from kontor_games.service.arena import BotFaultError, Contest, Played, is_own, label_of
from kontor_games.service.cli.arguments import (
    Decimal,
    complete_game,
    find_game,
    language_option,
    viewer_of,
    viewer_option,
)
from kontor_games.service.cli.bot_table_options import BotTable, table_options
from kontor_games.service.cli.command_groups import command
from kontor_games.service.cli.service_client import ServiceClient
from kontor_games.service.cli.simulation_report import fault_words
from kontor_games.service.cli.terminal import (
    console,
    heading,
    name_styles,
    names_for,
    print_scene,
    seat_styles,
    simple_table,
    with_names,
    word,
)


class MatchNarration:
    """Folds the facts of a match into its own state and prints them as sentences for a viewer."""

    def __init__(self, screen: Console, game: Game, contest: Contest, viewer: int, language: str) -> None:
        self._language = language
        self._words = MESSAGES[language]
        self._screen = screen
        self._game = game
        self._contest = contest
        self._rules = contest.rules
        self._viewer = viewer
        self._names = names_for([label_of(bot) if is_own(bot) else None for bot in contest.bots])
        self._state = self._rules.table(len(contest.bots), contest.options)
        self._styles = seat_styles(self._rules.view(self._state, SPECTATOR), len(contest.bots))
        self._coloured = dict(zip(self._names, self._styles, strict=True))
        self._position: tuple[Plain, Plain] = (None, None)
        self._scene_due = True

    def begin(self) -> None:
        """Print the title and the players."""
        seats = Text("   ").join(
            Text.assemble((f"● {name}", f"bold {self._styles[seat]}"), f" {bot.partition('=')[2] or bot}")
            for seat, (name, bot) in enumerate(zip(self._names, self._contest.bots, strict=True))
        )
        data = f"{self._game.data_option} {self._contest.data.name}"
        subtitle = f"{data} · seed {self._contest.seed} · {self._point_of_view()}"
        seats.pad_right(max(0, min(cell_len(subtitle), self._screen.width - 6) - seats.cell_len))
        title = Text(self._game.titles.get(self._language, self._game.titles["en"]), "bold")
        about = Text(subtitle)
        self._screen.print(Panel(seats, title=title, subtitle=about, padding=(1, 2), expand=False))

    def _point_of_view(self) -> str:
        if self._viewer < 0:
            key = "everything" if self._viewer == ARBITER else "spectator"
            return self._words.show(phrase(f"headings.{key}"))
        return self._words.show(phrase("headings.seat", who=self._names[self._viewer]))

    def tell(self, played: Played) -> None:
        """Print one move, then the facts that followed from it."""
        if self._scene_due and played.seat is not None:
            self._scene()
        mover = played.seat
        for index, fact in enumerate(played.facts):
            fact.fold(self._state)
            self._print_headings()
            sentence = self._rules.tell(self._state, fact, self._viewer, self._names, self._language)
            if sentence:
                # If the first fact has no sentence, the next sentence about the same seat gets the mark.
                own = index == 0 or getattr(fact, "seat", None) == mover
                self._print(sentence, mover if own else None)
                mover = None

    def _print(self, sentence: str, seat: int | None) -> None:
        """Print a move with the mark of its seat, or a consequence of it indented."""
        mark = Text("    ") if seat is None else Text("● ", self._styles[seat])
        self._print_indented(mark, with_names(sentence, self._coloured, "dim" if seat is None else ""))

    def _print_indented(self, mark: Text, text: Text, deeper: int = 0) -> None:
        """Print a text after a mark; further lines are indented like the first, or deeper."""
        width = self._screen.width - len(mark)
        for line in text.wrap(self._screen, width if len(text) <= width else width - deeper):
            line.rstrip()
            self._screen.print(mark, line, sep="")
            mark = Text(" " * (len(mark) + deeper))
            deeper = 0

    def _print_headings(self) -> None:
        """Print a rule before a new round, and an empty line before a new turn if the game counts turns."""
        view = self._rules.view(self._state, SPECTATOR)
        before, self._position = self._position, (view.get("round"), view.get("turn"))
        if not self._position[0] or self._position == before:
            return
        self._screen.print()
        if self._position[0] != before[0]:
            begins = phrase("headings.round", round=view["round"], rounds=view.get("rounds", 0))
            self._screen.print(heading(self._words.show(begins)))
            # The table is printed before the first move of the round.
            self._scene_due = True

    def _scene(self) -> None:
        self._scene_due = False
        scene = self._rules.scene(self._state, self._viewer, self._names, self._language)
        if scene:
            self._screen.print()
            for line in scene.splitlines():
                self._print_indented(Text("  "), with_names(line, self._coloured), deeper=6)
            self._screen.print()

    def end(self) -> None:
        """Print the final table and the scores."""
        self._screen.print()
        self._screen.print(heading(self._words.show(phrase("headings.end"))))
        self._scene()
        result = self._rules.result(self._state)
        if result is not None:
            self._screen.print(self._final(result))
            winners = tuple(self._names[seat] for seat in result.winners)
            winners_text = self._words.sentence(phrase("headings.winners", winners=winners))
            self._screen.print(with_names(winners_text, self._coloured, "bold"))

    def _final(self, result: Result) -> Table:
        table = simple_table("")
        table.title, table.title_justify = self._words.show(phrase("headings.scores")), "left"
        order = sorted(range(len(result.places)), key=lambda seat: (result.places[seat], seat))
        for seat in order:
            table.add_column(Text(self._names[seat], f"bold {self._styles[seat]}"), justify="right")
        for kind in result.scores[0]:
            table.add_row(
                word(self._game, kind, self._language), *(str(result.scores[seat][kind]) for seat in order)
            )
        table.add_section()
        place = self._words.show(phrase("headings.place"))
        table.add_row(place, *(str(result.places[seat]) for seat in order), style="bold")
        return table


_MATCH = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class _MatchAddress:
    """The base URL of a service, and the id of a match on it."""

    url: str
    match: str


def _find_game_or_match(text: str) -> Game | _MatchAddress:
    """Return the installed game with this id, or the address of the match with this URL (page or API)."""
    if not text.startswith(("http://", "https://")):
        return find_game(text)
    found, parts = _MATCH.search(text), urlsplit(text)
    if found is None:
        raise click.BadParameter(f"{text!r} is not the URL of a match: it contains no match id.")
    return _MatchAddress(f"{parts.scheme}://{parts.netloc}", found[0])


@command()
@click.argument("game", type=_find_game_or_match, shell_complete=complete_game, metavar="GAME|URL")
@table_options
@click.option("--delay", type=Decimal(min=0), default=0.0, metavar="SECONDS", help="Pause after each move.")
@viewer_option
@language_option
def watch(
    *, game: Game | _MatchAddress, table: BotTable, delay: float, viewer: str | None, language: str
) -> None:
    """Watch a match between house bots, or a live match.

    Everything that happens is described in sentences.

    With the URL of a match, such as http://127.0.0.1:8000/v1/matches/ID, the command follows this match
    until it ends; of the options, only --language is then used.

    Without --bots, all seats are played by the last bot that the game lists. The seed is printed, so that you
    can watch the same match again. A match that is created through the API with the same "seed" has the same
    deal.
    """
    if isinstance(game, _MatchAddress):
        _follow(console(), game, language)
        return
    contest = table.contest(game, list(game.bots)[-1:])
    match = contest.single_match()
    narration = MatchNarration(console(), game, contest, viewer_of(viewer, len(contest.bots)), language)
    narration.begin()
    try:
        for played in match:
            narration.tell(played)
            time.sleep(delay)
    except KeyboardInterrupt:
        click.echo(f"\nStopped. To watch the same match again, use --seed {contest.seed}.", err=True)
        raise SystemExit(130) from None
    except BotFaultError as fault:
        raise click.ClickException(f"A bot of {game.id} failed: {fault}") from fault
    narration.end()
    faults = contest.take_faults(contest.bots)
    if faults.first is not None:
        replaced = f"Moves of your own bots that were replaced by random ones: {fault_words(faults.kinds)}."
        click.echo(f"{replaced} The first: {faults.first}", err=True)


def _follow(screen: Console, address: _MatchAddress, language: str) -> None:
    """Print all facts of a live match, past ones first and new ones as they happen, until it is over."""
    client = ServiceClient(address.url, language=language)
    path, seen = f"/v1/matches/{address.match}", 0
    try:
        while True:
            now = client.get(f"{path}?tell={language}")
            styles = name_styles(now["names"])
            if now["status"] in ("finished", "aborted") and seen >= now["version"]:
                break
            for event in client.lines(f"{path}/events?after={seen}&tell={language}"):
                seen = event["version"]
                if event["text"]:
                    screen.print(with_names(event["text"], styles))
    except KeyboardInterrupt:
        click.echo(f"\nStopped. To continue: kontor watch {address.url}{path}", err=True)
        raise SystemExit(130) from None
    print_scene(screen, now["scene"], styles)
