"""Writes the table of docs/trust.md: every kind of forgery with the checks that detect it.

All checks are run. `python -m tests.service.trust.forgery_table` updates the table in the page.
"""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from kontor_games.domain.games import installed_games
from tests.domain.toy.games.fair import GAME
from tests.service.trust.forgeries.case import Forgery
from tests.service.trust.forgeries.checks import caught_by, client_notices, contents
from tests.service.trust.forgeries.deals import BOTS, DEALS
from tests.service.trust.forgeries.files import FILES
from tests.service.trust.forgeries.histories import AFTERWARDS
from tests.service.trust.forgeries.keys import SIGNING_KEYS
from tests.service.trust.forgeries.lies import AT_ONCE
from tests.service.trust.forgeries.logs import LOG
from tests.service.trust.forgeries.page import said_by_page
from tests.service.trust.forgeries.rules import RULES
from tests.support.node import problems
from tests.support.tournament_forgeries import FORGERIES as TOURNAMENTS

PAGE = Path(__file__).parents[3] / "docs/trust.md"
BEGIN, END = "<!-- forgeries: begin -->\n", "<!-- forgeries: end -->\n"
GROUPS = (AFTERWARDS, AT_ONCE, DEALS, BOTS, SIGNING_KEYS, LOG, FILES, RULES)
FORGERIES = [forgery for group in GROUPS for forgery in group.forgeries]
COLUMNS = ("forgery", "`kontor verify`", "JavaScript", "`kontor_client`", "page", "kept evidence")
KEPT = {
    "keys": "kept keys",
    "receipt": "receipt",
    "checkpoint": "checkpoint",
    "search": "search of the log",
    "witness": "witness",
    "signature": "player's signature",
}
"""What each kept evidence is called; the other checks have columns of their own."""
NO = "–"


def row_of(forgery: Forgery, *others: bool) -> list[str]:
    """The cells of a forgery; `others` are whether the second verifier and the page notice it."""
    found = caught_by(forgery)
    verify = "refuses" if "alone" in found else f"says: {found['warns']}" if "warns" in found else NO
    javascript = "refuses" if others[0] else NO
    clients = ("notices" if noticed else NO for noticed in (client_notices(forgery), others[1]))
    kept = ", ".join(KEPT[name] for name in found if name in KEPT) or NO
    return [forgery.name, verify, javascript, *clients, kept]


def refused_by_javascript() -> list[bool]:
    """Whether the second verifier refuses the file of each forgery, without further evidence."""
    with TemporaryDirectory() as folder:
        return [problem is not None for problem in problems(Path(folder), contents(FORGERIES))]


def noticed_by_the_page() -> list[bool]:
    """Whether the page says that something is wrong, with what it has kept."""
    return [said is not None for said in said_by_page([forgery.make(False) for forgery in FORGERIES])]


def section(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], first: int) -> list[str]:
    """A numbered table in Markdown."""
    lines = [f"### {title}", "", f"| | {' | '.join(columns)} |", "|---" * (len(columns) + 1) + "|"]
    return [*lines, *(f"| {number} | {' | '.join(row)} |" for number, row in enumerate(rows, first)), ""]


def table() -> str:
    """Return the tables in Markdown: every kind of forgery with the checks that notice it, by group."""
    lines, others, first = list[str](), zip(refused_by_javascript(), noticed_by_the_page(), strict=True), 1
    for group in GROUPS:
        rows = [row_of(forgery, *next(others)) for forgery in group.forgeries]
        lines += section(group.title, COLUMNS, rows, first)
        first += len(rows)
    both = [[name, "refuses", "refuses", "notices"] for name in TOURNAMENTS]
    lines += section("Files of tournaments", [*COLUMNS[:3], "page"], both, first)
    return "\n".join(lines)


def page_with(new: str) -> str:
    """Return the page with a new table."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    return before + BEGIN + new + END + rest.partition(END)[2]


def main() -> None:
    """Write the table into the page."""
    with patch.dict(installed_games(), {"fair": GAME}):
        PAGE.write_text(page_with(table()), encoding="utf-8")


if __name__ == "__main__":
    main()
