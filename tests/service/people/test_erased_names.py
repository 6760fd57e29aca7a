"""Erased names do not stay in the files of the database."""

from collections.abc import Callable
from pathlib import Path

from kontor_games.service.kontor import Kontor


def test_the_name_of_an_erased_player_is_not_in_the_bytes_of_a_sqlite_file(
    serve: Callable[..., Kontor], tmp_path: Path
) -> None:
    kontor = serve(f"sqlite:///{tmp_path}/kontor.db")
    made = kontor.players.register("Zerubbabel Quaritch", bot=False, key=None, body="b0d1")
    caller = kontor.tokens.authenticate(made.token)
    for number in range(50):
        kontor.players.register(f"Player {number}", bot=False, key=None, body="b0d1")
    kontor.players.rename(caller, "Zerubbabel Pemberton")

    def stored() -> bytes:
        return b"".join(path.read_bytes() for path in tmp_path.glob("kontor.db*"))

    assert b"Zerubbabel" in stored()
    kontor.players.erase(caller)
    assert b"erubbabel" not in stored().lower()
