"""Writes the table of docs/trust.md: every kind of forgery with the checks that detect it.

All checks are run. `python -m tests.service.trust.forgery_table` updates the table in the page.
"""

from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from kontor_games.domain.games import installed_games
from tests.domain.toy.games.fair import GAME
from tests.service.trust.forgeries.case import Forgery
from tests.service.trust.forgeries.checks import caught_by, contents
from tests.service.trust.forgeries.deals import BOTS, DEALS
from tests.service.trust.forgeries.files import FILES
from tests.service.trust.forgeries.histories import AFTERWARDS
from tests.service.trust.forgeries.keys import SIGNING_KEYS
from tests.service.trust.forgeries.lies import AT_ONCE
from tests.service.trust.forgeries.logs import LOG
from tests.service.trust.forgeries.rules import RULES
from tests.support.node import problems
from tests.support.tournament_forgeries import FORGERIES as TOURNAMENTS

PAGE = Path(__file__).parents[3] / "docs/trust.md"
BEGIN, END = "<!-- forgeries: begin -->\n", "<!-- forgeries: end -->\n"
GROUPS = (AFTERWARDS, AT_ONCE, DEALS, BOTS, SIGNING_KEYS, LOG, FILES, RULES)
FORGERIES = [forgery for group in GROUPS for forgery in group.forgeries]
NOTHING = "nothing: you must trust the operator"
WORDS = {
    "alone": "`verify` alone",
    "keys": "kept keys",
    "receipt": "receipt",
    "client": "`kontor_client`",
    "checkpoint": "checkpoint",
    "search": "search of the log",
    "witness": "witness",
    "signature": "player's signature",
}


def detected_by(forgery: Forgery) -> str:
    """Return the text of the column “detected by”."""
    found = caught_by(forgery)
    words = {**WORDS, "warns": f"`verify` says: {found.get('warns')}"}
    return ", ".join(words[name] for name in found) or NOTHING


def refused_by_javascript() -> list[bool]:
    """Whether the second verifier refuses the file of each forgery, without further evidence."""
    with TemporaryDirectory() as folder:
        return [problem is not None for problem in problems(Path(folder), contents(FORGERIES))]


def table() -> str:
    """Return the table in Markdown: every kind of forgery with the checks that detect it, by group."""
    lines, javascript, number = list[str](), iter(refused_by_javascript()), 0
    for group in GROUPS:
        lines += [f"### {group.title}", "", "| | forgery | detected by | JavaScript |", "|---|---|---|---|"]
        for forgery in group.forgeries:
            number += 1
            refused = "refuses" if next(javascript) else "–"
            lines.append(f"| {number} | {forgery.name} | {detected_by(forgery)} | {refused} |")
        lines.append("")
    lines += ["### Files of tournaments", "", "| | forgery | detected by | JavaScript |", "|---|---|---|---|"]
    for place, name in enumerate(TOURNAMENTS, number + 1):
        lines.append(f"| {place} | {name} | {WORDS['alone']} | refuses |")
    lines.append("")
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
