"""Forged chance and moves: the JavaScript verifier refuses wrong draws, and commands without signature.

After each change all hashes and signatures are recomputed, which only the holder of the
service's key can do.
"""

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.corpus.record import CORPUS
from tests.domain.installed_fair import the_fair_is_installed
from tests.service.trust import test_player_signatures as signing
from tests.service.trust.test_player_signatures import _dishonest_operator
from tests.service.trust.test_verifier_flips import whole_match
from tests.support.exports import fair_match
from tests.support.forging import Lines, find, forge, lines_of
from tests.support.node import problems, refused

pytestmark = [pytest.mark.slow, pytest.mark.untraced]

__all__ = ["_dishonest_operator", "the_fair_is_installed"]

Change = Callable[[Lines], object]


# Chance


def swap_contributions(facts: Lines) -> None:
    for line, text in (
        (find(facts, "seat_taken", 0), "from ben"),
        (find(facts, "seat_taken", 1), "from ann"),
    ):
        line["fact"]["contribution"] = line["command"]["contribution"] = text


def replace_secret(facts: Lines) -> None:
    for line in facts:
        if "server_secret" in line["fact"]:
            line["fact"]["server_secret"] = "ab" * 32


def replace_secret_and_commitment(facts: Lines) -> None:
    replace_secret(facts)
    facts[0]["fact"]["commitment"] = sha256(bytes.fromhex("ab" * 32)).hexdigest()


def on_draws(change: Callable[[list[Any], Lines], object], stream: str) -> Change:
    """Change the draws of the last command that took one of the stream."""

    def changed(facts: Lines) -> None:
        line = [one for one in facts if any(d["stream"] == stream for d in one.get("draws", ()))][-1]
        change(line["draws"], facts)
        if not line["draws"]:
            del line["draws"]

    return changed


def other_value(draws: list[Any], _: Lines) -> None:
    bound, value = draws[-1]["values"][0]
    draws[-1]["values"][0] = [bound, (value + 1) % bound]


def other_index(draws: list[Any], _: Lines) -> None:
    draws[-1]["index"] += 1


def later(draws: list[Any], facts: Lines) -> None:
    first = [line for line in facts if "seat" in line and "draws" not in line][-1]
    first["draws"] = [draws.pop()]


DRAWS: dict[str, Callable[[list[Any], Lines], object]] = {
    "another value": other_value,
    "another index": other_index,
    "another stream": lambda draws, _: draws[-1].update(stream="other"),
    "the same twice": lambda draws, _: draws.append(json.loads(json.dumps(draws[-1]))),
    "a bound of nought": lambda draws, _: draws[-1].update(values=[[0, 0]]),
    "values of another form": lambda draws, _: draws[-1].update(values=[[6, "1"]]),
    "more in a draw": lambda draws, _: draws[-1].update(more=1),
    "a stream that is no text": lambda draws, _: draws[-1].update(stream=5),
}


@pytest.mark.parametrize("game", ["fair", "speicherstadt", "europe"])
def test_it_refuses_chance_that_was_tampered_with(game: str, tmp_path: Path) -> None:
    good, stream = whole_match(game), "dice" if game == "europe" else "deck"
    changes: dict[str, Change] = {name: on_draws(change, stream) for name, change in DRAWS.items()}
    changes |= {
        "contributions swapped": swap_contributions,
        "another secret": replace_secret,
        "another secret and commitment": replace_secret_and_commitment,
        "an open seed afterwards": lambda facts: facts[0]["fact"].update(open_seed="7"),
    }
    found = refused(tmp_path, {name: forge(good, change) for name, change in changes.items()})
    assert [name for name, problem in found.items() if problem is None] == []


BOUND: dict[str, dict[str, Change]] = {
    "europe": {
        "a draw removed": on_draws(lambda draws, _: draws.pop(), "dice"),
        "all draws removed": lambda facts: [line.pop("draws", None) for line in facts],
        "a draw listed later": on_draws(later, "dice"),
        "other dice": lambda facts: find(facts, "dice_rolled")["fact"].update(dice=[6, 6]),
        "another stolen card": lambda facts: find(facts, "card_stolen")["fact"].update(
            resource={"wool": "ore"}.get(find(facts, "card_stolen")["fact"]["resource"], "wool")
        ),
        "another card from the pile": lambda facts: find(facts, "card_bought")["fact"].update(
            card={"bribe": "lancer"}.get(find(facts, "card_bought")["fact"]["card"], "bribe")
        ),
        "more cards paid than held": lambda facts: find(facts, "card_bought")["fact"]["paid"].update(wool=19),
        "cards for a seat that there is not": lambda facts: find(facts, "resources_produced", 3)["fact"][
            "gains"
        ].append({"seat": 7, "cards": {"ore": 1}}),
        "another first roll": lambda facts: find(facts, "start_rolled")["fact"]["rolls"].reverse(),
    },
    "speicherstadt": {
        "a draw removed": on_draws(lambda draws, _: draws.pop(), "deck"),
        "draws in another order": on_draws(lambda draws, _: draws.reverse(), "deck"),
        "another first player": lambda facts: find(facts, "first_player_chosen")["fact"].update(
            seat=1 - find(facts, "first_player_chosen")["fact"]["seat"]
        ),
        "not by lot": lambda facts: find(facts, "first_player_chosen")["fact"].update(by_lot=False),
        "another pile": lambda facts: find(facts, "pile_stacked")["fact"]["pile"].reverse(),
        "another bag": lambda facts: find(facts, "bag_filled")["fact"]["cubes"].reverse(),
    },
}


@pytest.mark.parametrize("game", sorted(BOUND))
def test_it_refuses_draws_that_are_not_those_of_the_facts(game: str, tmp_path: Path) -> None:
    name = "europe/v2-curious-short-4" if game == "europe" else "speicherstadt/v1-whole-2"
    good = (CORPUS / f"{name}.ndjson").read_bytes()
    assert forge(good, lambda facts: None) == good
    found = refused(tmp_path, {name: forge(good, change) for name, change in BOUND[game].items()})
    assert [name for name, problem in found.items() if problem is None] == []


@pytest.mark.parametrize(
    "name", ["europe/v2-resigned-4", "speicherstadt/v1-resigned-5", "speicherstadt/v1-time-outs-5"]
)
def test_it_refuses_a_move_for_an_absent_player_without_its_draw(name: str, tmp_path: Path) -> None:
    good = (CORPUS / f"{name}.ndjson").read_bytes()
    places = [
        line["version"] - 1
        for line in lines_of(good)[1:-1]
        if any(draw["stream"] == "absent" for draw in line.get("draws", ()))
    ]
    forged = {}
    for place in places[:3]:

        def removed(facts: Lines, place: int = place) -> None:
            facts[place]["draws"] = [d for d in facts[place]["draws"] if d["stream"] != "absent"]
            if not facts[place]["draws"]:
                del facts[place]["draws"]

        forged[f"removed {place}"] = forge(good, removed)
    assert [name for name, problem in refused(tmp_path, forged).items() if problem is None] == []


# Players' signatures


@pytest.mark.parametrize(
    "change",
    [
        signing.invented,
        signing.signed_by_another,
        signing.signed_for_an_earlier_place,
        signing.signed_for_another_match,
        signing.resigned_for,
    ],
)
def test_it_refuses_a_command_that_the_player_did_not_sign(
    change: Callable[[signing.Signed], None], tmp_path: Path
) -> None:
    match = signing.begun()
    change(match)
    running = match.export(0), match.export(1)
    found = problems(tmp_path, [signing.finished(match), *running])
    assert "sign" in str(found[0])
    assert [problem for problem in found[1:] if problem is not None and "sign" not in problem] == []
    assert any(found[1:]), "one of the two players sees the command while the match runs"


def test_it_refuses_a_signature_under_another_command_or_where_there_is_no_key(tmp_path: Path) -> None:
    good = signing.finished(signing.begun())
    signature = find(lines_of(good)[1:-1], "card_laid")["command"]["signature"]

    def other_move(facts: Lines) -> None:
        find(facts, "card_laid")["command"]["moves"][0]["card"] += 1

    def unsigned_join(facts: Lines) -> None:
        for part in (find(facts, "seat_taken")["fact"], find(facts, "seat_taken")["command"]):
            part.pop("key")

    forged = {
        "another move": forge(good, other_move),
        "a seat without its key": forge(good, unsigned_join),
        "another contribution": forge(
            good,
            lambda facts: [
                find(facts, "seat_taken")[part].update(contribution="x") for part in ("fact", "command")
            ],
        ),
        "a signature without a key": forge(
            fair_match().export(),
            lambda facts: find(facts, "card_laid")["command"].update(signature=signature),
        ),
        "everybody must sign": forge(
            fair_match().export(), lambda facts: facts[0]["fact"].update(signed=True)
        ),
    }
    found = refused(tmp_path, forged)
    assert [name for name, problem in found.items() if problem is None] == []
    assert [name for name, problem in found.items() if "sign" not in str(problem)] == ["another contribution"]
