"""The documents beside the page: every text exists in every language, and every text is used."""

import re
from collections import Counter
from pathlib import Path
from typing import get_args

import pytest

from kontor_games.api.answers import answer_schemas
from kontor_games.domain.tournaments.terms import Format
from kontor_games.domain.tournaments.tournament import Reason
from kontor_games.service.documents.texts import LANGUAGE_NAMES, texts_in
from kontor_games.service.tournaments.answers import Standings
from kontor_games.service.tournaments.report_figures import LISTED_FACTS
from kontor_games.service.trust.audit_report import AuditReport
from kontor_games.service.trust.fairness_page import fairness_page

ROOT = Path(__file__).parents[2]
SOURCES = [
    *(ROOT / "service").rglob("*.py"),
    *(ROOT / "service" / "documents" / "templates").iterdir(),
    *(ROOT / "api" / "routes").glob("*.py"),
]
STATUSES = answer_schemas([Standings])["Standings"]["properties"]["status"]["x-extensible-enum"]
GUIDE = ("sentence", "bars", "p")
PLACES = ("header", "path", "query")
"""Where a parameter of an operation can be."""
STREAMS = set(re.findall(r'"stream": "(\w+)"', (ROOT / "docs" / "draws.json").read_text(encoding="utf-8")))
"""The streams of chance of all games; `absent` is the stream of a match in place of an absent player."""


def test_every_text_is_used_and_every_used_text_exists() -> None:
    sources = "\n".join(path.read_text(encoding="utf-8") for path in SOURCES)
    used = set(
        re.findall(
            r"""["']((?:frame|fairness|audit|chart|standings|checkpoint|report|docs)\.[a-z_.]*[a-z])["']""",
            sources,
        )
    )
    used |= {f"fairness.guide.{name}{end}" for name in GUIDE for end in ("", "_text")}
    script = (ROOT / "api" / "docs" / "docs.js").read_text(encoding="utf-8")
    used |= {f"docs.{name}" for name in re.findall(r"WORDS\.(\w+)", script)}
    used |= {f"docs.in_{place}" for place in PLACES}
    used |= {f"standings.status.{status}" for status in STATUSES}
    used |= {f"report.how.{reason}" for reason in (*get_args(Reason), "none")}
    used |= {f"report.format.{name}" for name in get_args(Format)}
    used |= {f"report.incident.{fact}" for fact in LISTED_FACTS}
    used |= {f"fairness.stream.{stream}" for stream in (*STREAMS, "absent")}
    known = set(texts_in("en").group(""))
    files = {name for name in used if name.endswith((".css", ".html", ".js"))}
    assert used - files == known


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
def test_the_fairness_report_is_translated_into_every_language(language: str) -> None:
    report = AuditReport()
    for match in range(1200):
        problem = None if match else "a fault"
        report.add(f"match-{match}", "fair", 17, problem, Counter({("dice", 6, match % 6): 1}))
    page = fairness_page(report, "Title", "now", "/v1/fairness", language)
    assert f'<html lang="{language}">' in page
    body = page.partition("</style>")[2]
    assert re.findall(r"[{}]|fairness\.[a-z]", body) == []
    thousand = texts_in(language).number(1200)
    assert thousand == {"en": "1,200", "fr": "1\u202f200"}.get(language, "1.200")
    assert thousand in body


def test_an_unknown_language_is_english() -> None:
    assert texts_in("tlh").language == "en"
    assert texts_in(None)("frame.matches") == "Matches"
