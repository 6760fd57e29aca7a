"""Runs the page's check of matches in Node.js, with what a browser would have kept."""

import base64
import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from kontor_client.evidence import Evidence
from tests.service.trust.forgeries.case import Case

PROGRAM = Path(__file__).parent / "page_check.mjs"


def _kept(evidence: Evidence) -> dict[str, Any]:
    """The evidence of `kontor_client` as the page stores it."""
    names = ("match", "player", "commitment", "signed", "announced", "contribution", "sent", "opened")
    return {**{name: getattr(evidence, name) for name in names}, "keys": [evidence.key]}


def _case(case: Case, folder: Path) -> str:
    folder.mkdir()
    evidence = case.kept.original.evidence(folder)
    return json.dumps(
        {
            "content": base64.b64encode(case.shown.content).decode(),
            "kept": _kept(evidence),
            "keys": case.kept.keys,
            "published": case.shown.keys,
            "receipts": list(evidence.lines("receipts.ndjson")),
            "refused": [],
        }
    )


def said_by_page(cases: Sequence[Case]) -> list[str | None]:
    """What the page says is wrong in each case; None if nothing is."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        file = folder / "cases.ndjson"
        lines = [_case(case, folder / str(number)) for number, case in enumerate(cases)]
        file.write_text("\n".join(lines), encoding="utf-8")
        done = subprocess.run(
            ["node", PROGRAM, file], capture_output=True, text=True, check=True, timeout=300
        )
    return [json.loads(line) for line in done.stdout.splitlines()]
