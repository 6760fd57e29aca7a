"""Both boards as screen readers find them, as text files: `python -m tests.web.boards.trees` renews them."""

from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.web.boards.harness import harness
from tests.web.boards.positions import MATCHES, Position, samples
from tests.web.boards.test_boards import one_of_each, show
from tests.web.browser import launched

FOLDER = Path(__file__).parent / "trees"


def states(game: str) -> Iterator[tuple[str, Position, bool]]:
    """Yield the main states of a board: a position of each phase, and one as a spectator sees it."""
    positions = one_of_each(samples(game, *MATCHES[game][0]))
    for position in positions:
        yield position["view"]["phase"], position, True
    chosen = next(one for one in reversed(positions) if one["moves"])
    yield "watched", chosen, False


def trees(page: Page, game: str) -> dict[str, str]:
    """Return the accessibility tree of each state, by the name of its file."""
    found = {}
    for name, position, interactive in states(game):
        show(page, game, position, interactive=interactive)
        found[f"{game}-{name}.txt"] = page.locator("#place").aria_snapshot() + "\n"
    return found | dialogs(page, game)


def dialogs(page: Page, game: str) -> dict[str, str]:
    """Return the tree of the dialog for trade offers, if the game has one."""
    offering = [one for one in samples(game, *MATCHES[game][0]) if has_offer(one)]
    if not offering:
        return {}
    show(page, game, offering[0])
    page.get_by_role("button", name="Offer a trade").click()
    page.get_by_role("group", name="You give").locator("button:enabled").first.click()
    page.get_by_role("group", name="You get").get_by_role("button", name="More").last.click()
    tree = page.locator("dialog").aria_snapshot() + "\n"
    page.get_by_role("button", name="Cancel").click()
    return {f"{game}-trade.txt": tree}


def has_offer(position: Position) -> bool:
    """Whether the player on turn may offer a trade."""
    return position["you"] == position["view"].get("active") and any(
        entry["move"]["type"] == "offer_trade" for entry in position["moves"]
    )


def kept(game: str) -> dict[str, str]:
    """Return the stored trees."""
    return {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob(f"{game}-*.txt")}


def main() -> None:
    """Write the trees of both boards as they are now."""
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    with harness() as address, sync_playwright() as playwright:
        page = launched(playwright).new_page()
        page.goto(address)
        page.wait_for_function("() => Boolean(window.show)")
        for game in MATCHES:
            for name, text in trees(page, game).items():
                (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
