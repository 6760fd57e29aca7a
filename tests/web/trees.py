"""Pages and dialogs as screen readers find them, as text files: `python -m tests.web.trees` renews them."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, Locator, expect, sync_playwright

from tests.support.serving import served
from tests.web.browser import Visitor, launched, visiting
from tests.web.matches import ApiPlayer
from tests.web.test_tournaments import Cup

FOLDER = Path(__file__).parent / "trees"
SEED = "trees"
"""The open seed of the matches that are shown, so that every run is the same."""
CHANGING = {
    "ID": r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
    "HASH": r"\b[0-9a-f]{64}\b",
    "MOMENT": r"\d{1,2} \w{3,4} \d{4}, \d{2}:\d{2}",
    "BLOB": r"blob:\S+",
    "#": r"(?<!level=)\b\d+",
}
"""Replacements for values that differ between runs: only roles, names and states are compared."""

State = Callable[[Visitor, ApiPlayer], Locator]


def waiting(visitor: Visitor, ada: ApiPlayer) -> Locator:
    """The list of matches of a player who is to act in one."""
    ada.create_and_join("speicherstadt", seed=SEED)
    return ada.open_page(visitor, "#/lobby?show=turn").locator(".matches")


def confirmation(visitor: Visitor, _ada: ApiPlayer) -> Locator:
    """The effect and cost of a chosen move in this match."""
    visitor.page.get_by_role("link", name=re.compile("^Play The Speicherstadt")).click()
    visitor.page.locator("button.card").first.click()
    expect(visitor.page.locator("#confirm")).to_be_enabled()
    return visitor.page.locator(".confirm")


def result(visitor: Visitor, ada: ApiPlayer) -> Locator:
    """The result of a match, as the winner sees it."""
    ben = ada.register("Ben")
    match = ada.create_and_join("speicherstadt", {"type": "open"}, seed=SEED)
    ben.join(match, 1)
    ben.post(f"/v1/matches/{match}/resignation")
    return visitor.open(f"#/match/{match}").locator(".result")


def replay(visitor: Visitor, ada: ApiPlayer) -> Locator:
    """The controls of a replay, in the middle of a match."""
    match = ada.play_bot_match("speicherstadt", seed=SEED)
    page = visitor.open(f"#/match/{match}/replay?at=60")
    expect(page.locator(".graph")).to_be_visible()
    return page.locator(".controls")


def graph(visitor: Visitor, _ada: ApiPlayer) -> Locator:
    """The graph in the same replay."""
    return visitor.page.locator(".graph")


def check(visitor: Visitor, _ada: ApiPlayer) -> Locator:
    """The result of the verification of the same match."""
    visitor.page.get_by_role("link", name="Check this match").click()
    expect(visitor.page.locator(".verdict")).to_be_visible()
    return visitor.page.locator("article.check")


def tournament(visitor: Visitor, ada: ApiPlayer) -> Locator:
    """A tournament that can be entered."""
    cup = Cup(ada.register("Otto"), "Hanse Cup")
    cup.enter("Ben", "Chloe")
    return visitor.open(cup.address).locator("article.tournament")


STATES: tuple[State, ...] = (waiting, confirmation, result, replay, graph, check, tournament)


def trees(browser: Browser, url: str) -> Iterator[tuple[str, str]]:
    """The accessibility tree of each state, with the name of its file."""
    ada = ApiPlayer(url).register("Ada")
    with visiting(browser, url) as visitor:
        for state in STATES:
            yield f"{state.__name__}.txt", mask_changing_values(state(visitor, ada).aria_snapshot()) + "\n"


def mask_changing_values(tree: str) -> str:
    """Replace the values that differ between runs; the terms of a tournament have tests of their own."""
    tree = tree.partition('\n  - heading "Announcement"')[0]
    for name, pattern in CHANGING.items():
        tree = re.sub(pattern, name, tree)
    return tree


def kept() -> dict[str, str]:
    """Return the stored trees."""
    return {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.txt")}


def main() -> None:
    """Write the trees as they are now."""
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    with (
        TemporaryDirectory() as folder,
        served(f"sqlite:///{folder}/kontor.db", workers=1) as server,
        sync_playwright() as playwright,
    ):
        for name, tree in trees(launched(playwright), f"http://127.0.0.1:{server.port}"):
            (FOLDER / name).write_text(tree, encoding="utf-8")


if __name__ == "__main__":
    main()
