"""`kontor ratings` and `kontor players` against a service in this process."""

from pathlib import Path

from click.testing import CliRunner

from kontor_games.domain.commands import Resign
from kontor_games.service.cli import main
from kontor_games.service.kontor import Kontor
from tests.service.cli.commands.test_tournament import served_kontor
from tests.service.ratings.test_projection import register_player
from tests.service.tables import start_match

__all__ = ["served_kontor"]


def run(*arguments: str) -> str:
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    return result.output


def test_the_ladder_and_the_players_are_tables(served_kontor: tuple[Kontor, str], tmp_path: Path) -> None:
    kontor, url = served_kontor
    assert "No rated match" in run("ratings", "show", "fair", "--url", url)
    ann, ben = register_player(kontor, "Ann"), register_player(kontor, "Ben")
    ben.do(start_match(ann, ben, rated=True), Resign())
    database = f"sqlite:///{tmp_path}/kontor.db"
    assert "1 rated matches counted." in run("ratings", "rebuild", "--database", database)
    shown = run("ratings", "show", "fair", "--url", url).splitlines()
    ranks = [line.split()[:2] for line in shown if line.split()[1:2] in (["Ann"], ["Ben"])]
    assert ranks == [["1", "Ann"], ["2", "Ben"]]
    listed = run("players", "an", "--url", url)
    assert ann.id in listed
    assert ben.id not in listed
    assert "No player was found." in run("players", "--online", "--url", url)
