import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kontor_games.service.cli import main


def duel(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["duel", "speicherstadt", "--seed", "duel", *arguments])


@pytest.mark.slow
def test_the_stronger_bot_is_found_after_few_deals() -> None:
    found = duel("greedy", "random", "--json")
    assert found.exit_code == 0, found.output
    result = json.loads(found.output)
    assert (result["a"], result["b"], result["better"]) == ("greedy", "random", True)
    assert result["matches"] == 2 * result["deals"]
    assert result["score"] > 0.9


@pytest.mark.slow
def test_the_weaker_bot_is_not_better() -> None:
    assert duel("random", "greedy", "--json").exit_code == 1


def test_an_undecided_duel_says_so(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(
        "class Odd:\n    def choose(self, seat, view, legal):\n        return legal[-1]\n"
    )
    shown = duel(f"odd={tmp_path}/bot.py:Odd", "random", "--most", "3")
    assert shown.exit_code == 3
    assert "undecided so far" in shown.output
    assert "A = odd, B = random" in shown.output


def test_every_duel_has_a_seed_of_its_own_unless_one_is_named() -> None:
    without = [
        CliRunner().invoke(main, ["duel", "speicherstadt", "greedy", "random", "--most", "1", "--json"])
        for _ in range(3)
    ]
    assert len({json.loads(found.output)["seed"] for found in without}) > 1
    assert json.loads(duel("greedy", "random", "--most", "1", "--json").output)["seed"] == "duel"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("greedy", "nobody"), "no bot 'nobody'"),
        (("greedy", "random", "--bots", "greedy"), "No such option '--bots'"),
        (("greedy", "random", "--worse", "0.6"), "must be less than --better"),
        (("mine=nowhere.py:X", "random"), "nowhere.py: there is no such file."),
    ],
)
def test_errors_are_reported_in_one_sentence(arguments: tuple[str, ...], words: str) -> None:
    refused = duel(*arguments)
    assert refused.exit_code != 0
    assert words in refused.output


def test_without_variance_there_is_no_likelihood_ratio() -> None:
    result = json.loads(duel("greedy", "random", "--most", "1", "--json").output)
    assert (result["llr"], result["interval"]) == (None, [0.0, 1.0])
    assert "LLR not defined, since all scores are equal" in duel("greedy", "random", "--most", "1").output
