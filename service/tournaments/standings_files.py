"""The standings of a tournament as files: CSV for spreadsheets, NDJSON for programs, HTML for people."""

import csv
import io
from collections.abc import Mapping
from html import escape

import msgspec

from kontor_games.domain.codec import Plain, canonical
from kontor_games.service.documents.texts import Texts, texts_in
from kontor_games.service.page_frame import site_footer, site_header, style_of
from kontor_games.service.tournaments.answers import Standings, TournamentDetails

_COLUMNS = (
    "place", "entrant", "player", "name", "bot", "active", "points", "sixtieths", "played", "wins", "byes",
    "low", "high", "strength", "strength_low", "strength_high", "best_rank", "worst_rank", "separated",
)  # fmt: skip
_HEADINGS = (
    "standings.place", "standings.player", "standings.points", "standings.share", "standings.played",
    "standings.wins", "standings.strength", "standings.rank",
)  # fmt: skip
_OWN_STYLE = """
.standings td:not(:nth-child(2)), .standings th:not(:nth-child(2)) { text-align: right; }
"""


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


def standings_style() -> str:
    """Return the style of the page."""
    return style_of(_OWN_STYLE)


def standings_html(details: TournamentDetails, standings: Standings, sheet: str, language: str) -> str:
    """Return a page without scripts, styled like the others; `sheet` is the address of its style sheet."""
    title, texts = escape(details.title), texts_in(language)
    head = "".join(f'<th scope="col">{escape(texts(name))}</th>' for name in _HEADINGS)
    body = "".join(_html_row(row, texts) for row in _rows(standings))
    digest = texts("standings.digest", version=standings.version, digest=f"<code>{standings.digest}</code>")
    return (
        f'<!doctype html>\n<html lang="{texts.language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<title>{title} · Kontor</title><link rel="stylesheet" href="{sheet}"></head>\n<body>\n'
        f'{site_header("/#/tournaments", language, translated=True)}<main id="content" tabindex="-1">\n'
        f"<h1>{title}</h1>\n<p>{escape(_stage(details, standings, texts))}</p>\n"
        f'<div class="wide sheet" tabindex="0" role="group" aria-label="{escape(texts("standings.title"))}">'
        f'<table class="standings"><thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table></div>\n'
        f"<p>* {escape(texts('standings.overlap'), quote=False)}</p>\n"
        f'<p class="faint">{digest}</p></main>\n{site_footer(language)}</body></html>\n'
    )


def _stage(details: TournamentDetails, standings: Standings, texts: Texts) -> str:
    """The status and the round of the tournament, in one sentence."""
    status, edition = texts(f"standings.status.{standings.status}"), standings.edition
    return texts(
        "standings.stage", status=status, round=details.round, rounds=details.rounds, edition=edition
    )


def _html_row(row: Mapping[str, Plain], texts: Texts) -> str:
    name = escape(row["name"] or row["player"][:8])
    program = f" ({escape(texts('standings.program'))})" if row["bot"] else ""
    mark = "" if row["separated"] or row["strength"] is None else " *"
    points_each, strength, rank = "", "", ""
    if row["low"] is not None:
        points_each = texts.interval(row["low"], row["high"])
    if row["strength"] is not None:
        span = texts.interval(row["strength_low"], row["strength_high"])
        strength = f"{texts.number(row['strength'], '+.2f')} ({span})"
        rank = f"{row['best_rank']} – {row['worst_rank']}"
    cells = (
        row["place"], f"{name}{program}{mark}", texts.short(row["points"]), points_each, row["played"],
        texts.short(row["wins"]), strength, rank,
    )  # fmt: skip
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>\n"
