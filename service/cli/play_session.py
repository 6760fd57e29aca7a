"""Plays one match at the terminal: shows the table, prompts for moves, and prints what happens."""

import re
from collections.abc import Callable
from typing import Any

import click
from rich.console import Console
from rich.text import Text

from kontor_games.domain.codec import Plain
from kontor_games.service.agents.rule_texts import rule_text
from kontor_games.service.cli.play_table import PlayerPosition, RefusedMoveError, Table
from kontor_games.service.cli.terminal import heading, name_styles, print_scene, with_names

Ask = Callable[[str], str]


class FormError(ValueError):
    """The text that the player typed is not valid for the field."""


def fill(move: Plain, ask: Ask) -> Plain:
    """Return the move with a value for each field of its schema; raise FormError if an answer is invalid."""
    filled: dict[str, Plain] = {"type": move["type"]}
    schema = move["schema"]
    for name, field in schema["properties"].items():
        if "const" not in field:
            answer = ask(f"{name.replace('_', ' ')} ({_hint(field)})").strip()
            if answer or name in schema.get("required", ()):
                filled[name] = _value(field, answer)
    return filled


def _hint(field: dict[str, Any]) -> str:
    if "properties" in field:
        return f"such as `2 {next(iter(field['properties']))}`; there are {', '.join(field['properties'])}"
    if field.get("type") == "array":
        return "numbers with spaces between them, or nothing"
    if "enum" in field:
        return " or ".join(map(str, field["enum"]))
    return "a number" if field.get("type") == "integer" else "text"


def _value(field: dict[str, Any], answer: str) -> Plain:
    if "properties" in field:
        return _counts(field["properties"], answer)
    if field.get("type") == "array":
        return [_value(field.get("items", {}), part) for part in re.split(r"[\s,]+", answer) if part]
    if field.get("type") == "integer":
        if not re.fullmatch(r"-?\d{1,15}", answer):
            raise FormError(f"{answer!r} is not a number.")
        return int(answer)
    return answer


def _counts(known: dict[str, Any], answer: str) -> Plain:
    """Parse `2 wool, 1 ore`; `wool` alone means 1."""
    counts: dict[str, int] = {}
    for part in filter(None, (part.strip() for part in re.split(r",|\band\b", answer))):
        found = re.fullmatch(r"(?:(\d{1,3})\s*)?(\w+)", part)
        if found is None or found[2] not in known:
            raise FormError(f"{part!r} is not an amount; write for example `2 {next(iter(known))}`.")
        counts[found[2]] = counts.get(found[2], 0) + int(found[1] or 1)
    return counts


HELP = """Type the number of a move, and confirm it: a move can't be taken back.
  Enter      do nothing now, if the match is not waiting for you
  t          show the table again
  r NUMBER   read a rule, such as: r {example}
  q          leave the match (or Ctrl-C)"""


class PlayerLeftError(Exception):
    """The player left the match before its end."""


class PlaySession:
    """Plays a match to its end; with `confirm`, the player must confirm each move."""

    def __init__(self, screen: Console, table: Table, *, confirm: bool = True) -> None:
        self._screen = screen
        self._table = table
        self._confirm = confirm
        self._passed = 0
        """The version at which the player last chose to do nothing; at the next one, ask again."""

    def run(self) -> None:
        """Play until the match is over; raise PlayerLeftError if the player leaves before."""
        self._screen.print(heading(self._table.title))
        self._screen.print("Type ? for help.\n", style="dim")
        wait = False
        while True:
            sentences = self._table.new_sentences(wait=wait)
            now = self._table.position()
            for sentence in sentences:
                self._screen.print(with_names(sentence, name_styles(now.names)))
            if now.over:
                self._show(now)
                return
            wait = not now.moves or (now.version == self._passed and not now.must_act)
            if not wait:
                self._turn(now)

    def _show(self, now: PlayerPosition) -> None:
        print_scene(self._screen, now.scene, name_styles(now.names))
        self._screen.print()

    def _turn(self, now: PlayerPosition) -> None:
        """Prompt for one move and make it, or remember that the player does nothing at this version."""
        self._show(now)
        move = self._choose(now)
        if move is None:
            self._passed = now.version
            return
        try:
            self._table.play(move, now.version)
        except RefusedMoveError as refused:
            self._screen.print(Text(str(refused), "bold red"))
            if refused.rule:
                self._read_rule(refused.rule)

    def _choose(self, now: PlayerPosition) -> Plain | None:
        self._list(now)
        while True:
            typed = self._ask("> ")
            if typed.isdigit() and 1 <= int(typed) <= len(now.moves):
                move = self._filled(now, int(typed) - 1)
                if move is not None:
                    return move
            elif not typed and not now.must_act:
                return None
            elif not self._handle_input(typed, now):
                self._screen.print(f"Type a number from 1 to {len(now.moves)}, or ? for help.")

    def _list(self, now: PlayerPosition) -> None:
        if now.left_ms is not None:
            seconds = now.left_ms // 1000
            self._screen.print(f"You have {seconds // 60}:{seconds % 60:02d} left.", style="dim")
        for number, label in enumerate(now.labels, 1):
            self._screen.print(Text.assemble((f"{number:>3} ", "bold"), label))

    def _filled(self, now: PlayerPosition, index: int) -> Plain | None:
        """Return the chosen move, filled in if it is a form, once the player has confirmed it."""
        move, label = now.moves[index], now.labels[index]
        if "schema" in move:
            for seat, name in enumerate(now.names):
                self._screen.print(f"  seat {seat}: {name}", style="dim")
            try:
                move = fill(move, lambda question: self._ask(f"  {question}: "))
            except FormError as error:
                self._screen.print(Text(str(error), "bold red"))
                return None
            fields = [_shown(name, value) for name, value in move.items() if name != "type"]
            label = f"{label}: {'; '.join(fields)}"
        if self._confirm and self._ask(f"{label}? [Y/n] ").lower() not in ("", "y", "yes"):
            return None
        return move

    def _handle_input(self, typed: str, now: PlayerPosition) -> bool:
        """Run a command that was typed instead of a move; return False if there is no such command."""
        word, _, rest = typed.partition(" ")
        match word:
            case "?":
                self._screen.print(HELP.replace("{example}", self._example_rule()))
            case "t":
                self._show(now)
                self._list(now)
            case "r":
                self._read_rule(rest.strip().upper())
            case "q":
                raise PlayerLeftError
            case _:
                return False
        return True

    def _read_rule(self, number: str) -> None:
        found = rule_text(self._table.rules_text, number)
        self._screen.print(Text(found or "There is no rule with this number.", "dim"))

    def _example_rule(self) -> str:
        start = self._table.rules_text.find("- **")
        return self._table.rules_text[start + 4 :].split("*")[0].split()[0] if start >= 0 else "1"

    def _ask(self, question: str) -> str:
        try:
            answer: str = click.prompt(question, default="", show_default=False, prompt_suffix="")
        except click.Abort as error:
            raise PlayerLeftError from error
        return answer.strip()


def _shown(name: str, value: Plain) -> str:
    """Return the name and the value of one field as text, for the confirmation."""
    if isinstance(value, dict):
        value = ", ".join(f"{count} {what}" for what, count in value.items()) or "nothing"
    elif isinstance(value, list):
        value = ", ".join(map(str, value))
    return f"{name.replace('_', ' ')} {value}"
