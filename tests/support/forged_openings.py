"""Kinds of forged contributions in exports of tournaments."""

from random import Random
from typing import Any

from tests.support.tournament_forging import Lines, one_of


def exchange_openings(lines: Lines, chance: Random) -> None:
    opened = [one for one in lines.records if one["fact"]["type"] == "contribution_opened"]
    one, other = chance.sample(opened, 2)
    first, second = one["fact"]["contribution"], other["fact"]["contribution"]
    for record, value in ((one, second), (other, first)):
        record["fact"]["contribution"] = value
        record["command"].update(
            {name: value for name in ("value", "contribution") if name in record["command"]}
        )


def drop_opening(lines: Lines, chance: Random) -> None:
    lines.records.remove(one_of(lines, chance, "contribution_opened"))


def change_due(lines: Lines, chance: Random) -> None:
    fact = one_of(lines, chance, "contributions_due")["fact"]
    changes: list[dict[str, Any]] = [
        {"opening": fact["opening"] + 1},
        {"deadline": fact["deadline"] + 1},
        {"digest": f"{chance.getrandbits(256):064x}"},
        {"entrants": fact["entrants"][1:]},
    ]
    fact.update(chance.choice(changes))


def change_opening(lines: Lines, chance: Random) -> None:
    """Open another value than was sealed, for other entries, or in another entrant's name."""
    record, value = one_of(lines, chance, "contribution_opened"), f"{chance.getrandbits(256):064x}"
    match chance.randrange(3):
        case 0:
            record["fact"]["contribution"] = record["command"]["value"] = value
        case 1:
            record["command"]["digest"] = value
        case _:
            record["by"] = chance.choice(["house", "somebody"])


def say_withheld(lines: Lines, chance: Random) -> None:
    """Say before the deadline that an opened contribution was withheld."""
    record = one_of(lines, chance, "contribution_opened")
    entrant = record["fact"]["entrant"]
    record.update(by="house", command={"type": "close_opening"})
    record["fact"] = {"type": "contribution_withheld", "entrant": entrant}
