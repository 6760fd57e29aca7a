"""Rewrites history, as an operator with code, keys and database can."""

from uuid import UUID

from kontor_games.service.kontor import Kontor
from kontor_games.service.trust.signing import _INSERT, _new_row
from tests.service.tables import LocalPlayer


def rewritten(service: Kontor, match_id: str, *players: LocalPlayer) -> Kontor:
    """Replace the end of a match by different moves; return a process that knows only this history."""
    match = service.cache.get_fresh(UUID(match_id))
    firsts = [entry.first for entry in match.entries][-6:]
    own = match_id if service.database.is_postgres else match_id.replace("-", "")
    service.database.write(
        # The operator owns the database and can remove the protection against deleting evidence.
        *([] if service.database.is_postgres else [("DROP TRIGGER IF EXISTS kontor_events_no_delete", ())]),
        ("DELETE FROM kontor_events WHERE originator_id = ? AND originator_version >= ?", [own, firsts[0]]),
    )
    other = Kontor(service.settings, service.clock)
    guests = [player.at(other) for player in players]
    while not (now := guests[0].read_match(match_id).match).over:
        mover = next(guest for guest in guests if now.seat_of(guest.id) in now.to_act)
        mover.play(match_id, mover.legal(match_id)[-1])
    return other


def backdated_key(service: Kontor, valid_from: int) -> str:
    """Add a signing key with a `valid_from` in the past; return its id."""
    row = _new_row(valid_from)
    service.database.write((f"{_INSERT} VALUES (?, ?, ?, ?)", row))
    return str(row[0])
