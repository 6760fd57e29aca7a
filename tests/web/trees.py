"""Pages and dialogs as screen readers find them, as text files: `python -m tests.web.trees` renews them."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, Locator, expect, sync_playwright

from tests.support.serving import served
from tests.web.browser import Visitor, launched, visiting
from tests.web.matches import Service
from tests.web.test_tournaments import Cup

FOLDER = Path(__file__).parent / "trees"
SEED = "trees"
"""Chance of the matches that are shown: with it, the same happens in every run."""
CHANGING = {
    "ID": r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
    "HASH": r"\b[0-9a-f]{64}\b",
    "MOMENT": r"\d{1,2} \w{3,4} \d{4}, \d{2}:\d{2}",
    "BLOB": r"blob:\S+",
    "#": r"(?<!level=)\b\d+",
}
"""What may differ without harm: ids, times and numbers. A tree is about roles, names and states."""

State = Callable[[Visitor, Service], Locator]


def waiting(visitor: Visitor, ada: Service) -> Locator:
    """The matches of somebody who is to move in one."""
    ada.sitting_down("speicherstadt", seed=SEED)
    return ada.enter(visitor, "#/lobby?show=turn").locator(".matches")


def confirmation(visitor: Visitor, _ada: Service) -> Locator:
    """What a move that is chosen in this match will do and cost."""
    visitor.page.get_by_role("link", name=re.compile("^Play The Speicherstadt")).click()
    visitor.page.locator("button.card").first.click()
    expect(visitor.page.locator("#confirm")).to_be_enabled()
    return visitor.page.locator(".confirm")


def result(visitor: Visitor, ada: Service) -> Locator:
    """The end of a match for the winner."""
    ben = ada.registered("Ben")
    match = ada.sitting_down("speicherstadt", {"type": "open"}, seed=SEED)
    ben.sit(match, 1)
    ben.post(f"/v1/matches/{match}/resignation")
    return visitor.open(f"#/match/{match}").locator(".result")


def replay(visitor: Visitor, ada: Service) -> Locator:
    """The controls of a replay, in the middle of a match."""
    match = ada.played_by_bots("speicherstadt", seed=SEED)
    page = visitor.open(f"#/match/{match}/replay?at=60")
    expect(page.locator(".graph")).to_be_visible()
    return page.locator(".controls")


def graph(visitor: Visitor, _ada: Service) -> Locator:
    """The graph of the same replay."""
    return visitor.page.locator(".graph")


def check(visitor: Visitor, _ada: Service) -> Locator:
    """What was proved about the same match."""
    visitor.page.get_by_role("link", name="Check this match").click()
    expect(visitor.page.locator(".verdict")).to_be_visible()
    return visitor.page.locator("article.check")


def tournament(visitor: Visitor, ada: Service) -> Locator:
    """A tournament that can be entered."""
    cup = Cup(ada.registered("Otto"), "Hanse Cup")
    cup.enter("Ben", "Chloe")
    return visitor.open(cup.address).locator("article.tournament")


STATES: tuple[State, ...] = (waiting, confirmation, result, replay, graph, check, tournament)


def trees(browser: Browser, url: str) -> Iterator[tuple[str, str]]:
    """The accessibility tree of each state, with the name of its file."""
    ada = Service(url).registered("Ada")
    with visiting(browser, url) as visitor:
        for state in STATES:
            yield f"{state.__name__}.txt", steady(state(visitor, ada).aria_snapshot()) + "\n"


def steady(tree: str) -> str:
    """A tree without what may differ; the terms of a tournament have tests of their own."""
    tree = tree.partition('\n  - heading "Announcement"')[0]
    for name, pattern in CHANGING.items():
        tree = re.sub(pattern, name, tree)
    return tree


def kept() -> dict[str, str]:
    """The trees that were accepted."""
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
