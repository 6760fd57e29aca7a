"""Pictures of both boards in every state: `python -m tests.web.gallery FOLDER [GAME] [PART OF A NAME]`.

The page and its service are real; only the position in the answers is replaced by a sampled one.
"""

import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Route, sync_playwright

from tests.support.serving import served
from tests.web.boards.positions import MATCHES, Position, sampled
from tests.web.browser import Visitor, launched
from tests.web.matches import ASKED_OR_SENT, ApiPlayer

WIDE = {"width": 1440, "height": 900}
LAPTOP = {"width": 1100, "height": 760}
PHONE = {"width": 360, "height": 740}
LOW_MS = 9_000


@dataclass(frozen=True)
class Variant:
    """A way to show a position, such as on a phone or as a spectator."""

    name: str
    options: dict[str, Any] = field(default_factory=lambda: {"viewport": WIDE})
    watching: bool = False
    hurry: bool = False
    chosen: bool = False
    cut: bool = False


VARIANTS = (
    Variant("wide"),
    Variant("chosen", chosen=True),
    Variant("laptop", {"viewport": LAPTOP}),
    Variant("watched", watching=True),
    Variant("hurry", hurry=True),
    Variant("cut", cut=True),
    Variant("phone", {"viewport": PHONE, "has_touch": True}),
    Variant("phone-chosen", {"viewport": PHONE, "has_touch": True}, chosen=True),
    Variant("dark", {"viewport": LAPTOP, "color_scheme": "dark"}),
    Variant("forced", {"viewport": LAPTOP, "forced_colors": "active"}),
    Variant("german", {"viewport": PHONE, "locale": "de-DE"}),
)
EVERYWHERE = ("wide", "phone")


class Gallery:
    """Opens a real match as its first player, and shows any position of its game in it."""

    def __init__(self, browser: Browser, url: str, folder: Path) -> None:
        self.browser, self.url, self.folder = browser, url, folder
        self.player = ApiPlayer(url).register("Ada")

    def start_match_with_seats_of(self, game: str, position: Position) -> str:
        """Start a match with as many seats, and return its id."""
        bots = [{"type": "bot", "bot": "greedy"}] * (len(position["names"]) - 1)
        return self.player.create_and_join(game, *bots, clock={"kind": "bank", "ms": 600_000})

    def take(self, game: str, name: str, position: Position, variant: Variant) -> None:
        """Take one picture."""
        visitor = Visitor(self.browser, self.url, **variant.options)
        page = visitor.page
        match = self.start_match_with_seats_of(game, position)
        page.route(f"**/v1/matches/{match}?*", lambda route: answer(route, position, variant))
        page.route(f"**/v1/matches/{match}/events*", lambda route: answer_events(route, variant))
        self.player.open_page(visitor, f"#/match/{match}")
        if variant.chosen:
            choose(page)
        page.wait_for_timeout(400)
        page.screenshot(
            path=self.folder / f"{game}-{name}-{variant.name}.png", full_page="phone" in variant.name
        )
        visitor.context.close()


def answer(route: Route, position: Position, variant: Variant) -> None:
    """Answer with the real match, but in another position."""
    match = route.fetch().json()
    you = None if variant.watching else position["you"]
    for seat, name in zip(match["seats"], position["names"], strict=True):
        seat["player"] = {
            "id": seat["player"]["id"] if seat["player"] else "x",
            "bot": seat["seat"] % 2 == 1,
            "name": name,
        }
    legal = [] if variant.watching else position["moves"]
    match |= {"you": you, "to_act": position["to_act"], "view": position["view"]}
    match |= {"legal_moves": [one["move"] for one in legal], "labels": [one["label"] for one in legal]}
    match["ruleset"]["data"] = position["data_set"]
    for clock in match["clock"].get("seats", []) if variant.hurry else []:
        clock["remaining_ms"] = LOW_MS
    if not position["to_act"]:
        places = position["view"].get("places") or list(range(1, len(position["names"]) + 1))
        match |= {"status": "finished", "result": {"places": places, "scores": None, "reason": "played"}}
    route.fulfill(json=match)


def answer_events(route: Route, variant: Variant) -> None:
    """Answer with the facts of the match; leave its stream open, or abort it."""
    if route.request.headers.get("accept") != "text/event-stream":
        route.continue_()
    elif variant.cut:
        route.abort()


def choose(page: Page) -> None:
    """Choose the first move in the list."""
    buttons = page.locator(".move-buttons button")
    if buttons.count():
        buttons.first.click()
        page.wait_for_function(ASKED_OR_SENT)


def states(game: str) -> Iterator[tuple[str, Position]]:
    """Yield all sampled positions, named by number, phase and kinds of moves."""
    for number, position in enumerate(sampled(game)):
        kinds = sorted({entry["move"]["type"] for entry in position["moves"]})
        yield f"{number:02}-{position['view']['phase']}-{'-'.join(kinds)[:60]}", position


def main() -> None:
    """Take all pictures, or those whose name contains a given part."""
    folder, wanted, part = Path(sys.argv[1]), sys.argv[2:3] or list(MATCHES), "".join(sys.argv[3:4])
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as store,
        served(f"sqlite:///{store}/kontor.db", workers=1) as server,
        sync_playwright() as playwright,
    ):
        gallery = Gallery(launched(playwright), f"http://127.0.0.1:{server.port}", folder)
        for game in wanted:
            for name, position in states(game):
                for variant in variants(name, part):
                    gallery.take(game, name, position, variant)


def variants(name: str, part: str) -> list[Variant]:
    """Return the requested variants of a position; by default the usual ones and one more per position."""
    if part:
        return [variant for variant in VARIANTS if part in f"{name}-{variant.name}"]
    turn = VARIANTS[int(name[:2]) % len(VARIANTS)]
    return [variant for variant in VARIANTS if variant.name in EVERYWHERE or variant == turn]


if __name__ == "__main__":
    main()
