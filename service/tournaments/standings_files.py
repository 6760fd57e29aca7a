"""The standings of a tournament as files: CSV for spreadsheets, NDJSON for programs, HTML for people."""

import csv
import io

import msgspec

from kontor_games.domain.codec import Plain, canonical
from kontor_games.service.documents.pages import render
from kontor_games.service.documents.texts import Texts, texts_in
from kontor_games.service.tournaments.answers import Standings, Tournament

_COLUMNS = (
    "place", "entrant", "player", "name", "bot", "active", "points", "sixtieths", "played", "wins", "byes",
    "low", "high", "strength", "strength_low", "strength_high", "best_rank", "worst_rank", "separated",
)  # fmt: skip


def _rows(standings: Standings) -> list[dict[str, Plain]]:
    """Return each line with plain values: the player by id and name, and one field for each tie-break."""
    rows = []
    for line in standings.lines:
        known: dict[str, Plain] = msgspec.structs.asdict(line)
        known |= {"player": line.player.id, "name": line.player.name, "bot": line.player.bot}
        ties = {f"tie_break_{name}": value for name, value in line.tie_breaks.items()}
        rows.append({**{name: known[name] for name in _COLUMNS}, **ties})
    return rows


def standings_ndjson(standings: Standings) -> str:
    """Return one line of JSON for each entrant."""
    return "".join(canonical(row).decode() + "\n" for row in _rows(standings))


def standings_csv(standings: Standings) -> str:
    """Return a header and one row for each entrant (RFC 4180)."""
    rows = _rows(standings)
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]) if rows else list(_COLUMNS), lineterminator="\r\n")
    writer.writeheader()
    writer.writerows({name: _cell(value) for name, value in row.items()} for row in rows)
    return out.getvalue()


def _cell(value: Plain) -> Plain:
    """Quote a text that begins like a formula, which a spreadsheet would execute."""
    return f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t")) else value


def standings_html(details: Tournament, standings: Standings, sheet: str, language: str) -> str:
    """Return a page without scripts, styled like the others; `sheet` is the address of its style sheet."""
    return render(
        "standings.html", details.title, language, address="/#/tournaments", sheet=sheet,
        standings=standings, rows=_rows(standings), stage=_stage(details, standings, texts_in(language)),
    )  # fmt: skip


def _stage(details: Tournament, standings: Standings, texts: Texts) -> str:
    """The status and the round of the tournament, in one sentence."""
    status, edition = texts(f"standings.status.{standings.status}"), standings.edition
    return texts(
        "standings.stage", status=status, round=details.round, rounds=details.rounds, edition=edition
    )
