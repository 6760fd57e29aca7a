"""Follows a live match on a service in the terminal."""

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

import click
from rich.console import Console

from kontor_games.domain.game import Game
from kontor_games.service.cli.arguments import find_game
from kontor_games.service.cli.service_client import ServiceClient
from kontor_games.service.cli.terminal import name_styles, print_scene, with_names

_MATCH = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class MatchAddress:
    """The base URL of a service, and the id of a match on it."""

    url: str
    match: str


def find_game_or_match(text: str) -> Game | MatchAddress:
    """Return the installed game with this id, or the address of the match with this URL (page or API)."""
    if not text.startswith(("http://", "https://")):
        return find_game(text)
    found, parts = _MATCH.search(text), urlsplit(text)
    if found is None:
        raise click.BadParameter(f"{text!r} is not the URL of a match: it contains no match id.")
    return MatchAddress(f"{parts.scheme}://{parts.netloc}", found[0])


def follow(screen: Console, address: MatchAddress, language: str) -> None:
    """Print all facts as sentences, past ones first and new ones as they happen, until the match is over."""
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
