"""The validator reports every violation of the requirements of a board, with its place in the document."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from kontor_games.domain.codec import Fault, MalformedError
from kontor_games.domain.data import read_json
from kontor_games.domain.games.europe.data.check import admit

Document = dict[str, Any]
Edit = Callable[[Document], object]


@pytest.fixture
def short() -> Document:
    document: Document = read_json("kontor_games.domain.games.europe.data", "short.json")
    return document


def faults_of(document: Any) -> list[tuple[str, str]]:
    with pytest.raises(MalformedError) as caught:
        admit("mine", document)
    return [(fault.pointer, fault.detail) for fault in caught.value.faults]


def edited(document: Document, *edits: Edit) -> Document:
    copy = deepcopy(document)
    for edit in edits:
        edit(copy)
    return copy


def city(document: Document, name: str) -> Any:
    return next(entry for entry in document["cities"] if entry["id"] == name)


def land(document: Document, at: str) -> Any:
    return next(entry for entry in document["land"] if entry["at"] == at)


ONE_FAULT: dict[str, tuple[Edit, Fault]] = {
    "an invalid hex": (
        lambda d: d["sea"].append("here"),
        Fault("/sea/34", "must name a hex, such as 7,4"),
    ),
    "an invalid corner": (
        lambda d: d["cities"][0].update(at="8,4E"),
        Fault("/cities/0/at", "must name a corner, such as 7,4N (N, NE, SE, S, SW or NW)"),
    ),
    "an invalid side": (
        lambda d: d["paths"]["double"].append("8,4N"),
        Fault("/paths/double/6", "must name a side, such as 7,4E (E, SE, SW, W, NW or NE)"),
    ),
    "a hex that is land and sea": (
        lambda d: d["sea"].append("10,0"),
        Fault("/sea/34", "names this hex a second time, after /land/0/at"),
    ),
    "a printed seven": (
        lambda d: land(d, "9,3").update(number=7),
        Fault("/land/16/number", "can't be 7, which wakes the robber (E-24)"),
    ),
    "a ring around a number": (
        lambda d: land(d, "11,3").update(number=4),
        Fault("/land/18/ringed", "can't be true beside a printed number: a ring marks an empty space (E-6)"),
    ),
    "a terrain with two rings": (
        lambda d: land(d, "14,3").update(ringed=True),
        Fault("/land", "must have one ring-marked field, not 2 (E-6)"),
    ),
    "a terrain without ring": (
        lambda d: land(d, "11,3").update(ringed=False),
        Fault("/land", "must have one ring-marked field, not 0 (E-6)"),
    ),
    "a path that leaves the board": (
        lambda d: d["paths"]["land"].append("11,0W"),
        Fault("/paths/land/146", "ends where not all three hexes are on the board: missing 11,-1 (E-2)"),
    ),
    "a path named twice": (
        lambda d: d["paths"]["land"].append("11,1NW"),
        Fault("/paths/land/146", "names this path a second time, after /paths/land/1"),
    ),
    "a path by land at sea": (
        lambda d: d["paths"]["land"].append(d["paths"]["sea"].pop()),
        Fault("/paths/land/146", "runs between two sea hexes, so it is a path by sea"),
    ),
    "a path by sea on land": (
        lambda d: d["paths"]["sea"].append(d["paths"]["land"].pop(0)),
        Fault("/paths/sea/8", "runs between two land hexes, so it is a path by land"),
    ),
    "a double arrow without path": (
        lambda d: d["paths"]["double"].append("13,0E"),
        Fault("/paths/double/6", "is not a path of this board (E-42)"),
    ),
    "two cities at one crossroads": (
        lambda d: city(d, "moscow").update(at=city(d, "kiev")["at"]),
        Fault("/cities/29/at", "names this crossroads a second time, after /cities/22/at"),
    ),
    "a city without path": (
        lambda d: city(d, "moscow").update(at="15,1NE"),
        Fault("/cities/29/at", "is a crossroads where no path ends"),
    ),
    "a city in the open sea": (
        lambda d: city(d, "moscow").update(at="12,6SE"),
        Fault("/cities/29/at", "lies in the open sea"),
    ),
    "a city id with a space": (
        lambda d: city(d, "moscow").update(id="Moscow City"),
        Fault("/cities/29/id", "must be up to 40 lower-case letters, digits and underscores, a letter first"),
    ),
    "a city id used twice": (
        lambda d: city(d, "moscow").update(id="kiev"),
        Fault("/cities/29/id", "is taken by another city: kiev"),
    ),
    "gold far from the coast": (
        lambda d: city(d, "moscow").update(gold=3),
        Fault("/cities/29/gold", "must be 0: only a coastal city pays gold (E-2)"),
    ),
    "too few cities for the kind of board": (
        lambda d: d.update(kind="expert"),
        Fault("/cities", "must be at least 41 on a board of kind expert, not 30 (E-3)"),
    ),
    "too few violet cities": (
        lambda d: city(d, "bern").update(violet=False),
        Fault("/cities", "must have at least 12 violet ones, not 11 (E-12)"),
    ),
    "a robber at sea": (
        lambda d: d.update(robber="8,0"),
        Fault("/robber", "must be a land hex of this board (E-8)"),
    ),
    "a robber on a number": (
        lambda d: d.update(robber="9,3"),
        Fault("/robber", "must be a hex with neither number nor ring (E-8)"),
    ),
    "a robber on a ring": (
        lambda d: d.update(robber="11,3"),
        Fault("/robber", "must be a hex with neither number nor ring (E-8)"),
    ),
    "a start in an unknown city": (
        lambda d: d["fixed"]["red"]["posts"].__setitem__(2, "atlantis"),
        Fault("/fixed/red/posts/2", "is not a city of this board: atlantis"),
    ),
    "a start in a city of another colour": (
        lambda d: d["fixed"]["white"]["posts"].__setitem__(0, d["fixed"]["red"]["posts"][2]),
        Fault("/fixed/white/posts/0", "has a post already: budapest"),
    ),
    "a first route that is not on a path": (
        lambda d: d["fixed"]["red"].update(route="13,0E"),
        Fault("/fixed/red/route", "is not a path of this board"),
    ),
    "a first route without a post at its end": (
        lambda d: d["fixed"]["red"].update(route="13,3E"),
        Fault("/fixed/red/route", "must end at a post of this colour (E-10)"),
    ),
}


@pytest.mark.parametrize(("edit", "fault"), ONE_FAULT.values(), ids=ONE_FAULT.keys())
def test_each_violation_is_named(short: Document, edit: Edit, fault: Fault) -> None:
    assert (fault.pointer, fault.detail) in faults_of(edited(short, edit))


def test_the_form_is_checked_first_and_each_fault_named(short: Document) -> None:
    def misshape(document: Document) -> None:
        document["kind"] = "long"
        del document["robber"]
        document["land"][3]["terrain"] = "desert"
        document["cities"][5]["gold"] = 4
        document["fixed"]["blue"]["posts"].pop()
        document["colour"] = "green"

    assert faults_of(edited(short, misshape)) == [
        ("/colour", "is not a known field"),
        ("/kind", 'must be one of "short", "expert"'),
        ("/land/3/terrain", 'must be one of "forest", "pasture", "field", "mountain", "salt_works"'),
        ("/cities/5/gold", "must be between 0 and 3"),
        ("/robber", "is missing"),
        ("/fixed/blue/posts", "must be a list of 3 items"),
    ]


def test_all_violations_are_named_at_once(short: Document) -> None:
    several = (
        "a printed seven",
        "gold far from the coast",
        "a robber at sea",
        "a start in an unknown city",
        "a double arrow without path",
    )
    found = faults_of(edited(short, *(ONE_FAULT[name][0] for name in several)))
    assert {(ONE_FAULT[name][1].pointer, ONE_FAULT[name][1].detail) for name in several} == set(found)


def test_a_city_that_cannot_be_reached_is_named(short: Document) -> None:
    """Bergen and Stockholm are cut off together with all of Scandinavia."""
    north = {"10,2E", "9,2E", "12,1SW", "12,1E", "13,0SE"}

    def cut(document: Document) -> None:
        for kind in ("land", "sea", "double"):
            document["paths"][kind] = [path for path in document["paths"][kind] if path not in north]

    assert faults_of(edited(short, cut)) == [
        ("/cities/27", "can't be reached from Cologne by any paths"),
        ("/cities/28", "can't be reached from Cologne by any paths"),
    ]


def test_a_set_up_that_joins_two_cities_is_refused(short: Document) -> None:
    """Brussels is one path from Cologne."""
    document = edited(
        short, lambda d: d["fixed"]["blue"].update(posts=["cologne", "warsaw", "budapest"], route="7,5NE")
    )
    document["fixed"]["red"], document["fixed"]["white"], document["fixed"]["orange"] = (
        {"posts": ["vienna", "turin", "prague"], "route": "10,5SW"},
        {"posts": ["venice", "wroclaw", "lubeck"], "route": "11,3SW"},
        {"posts": ["brunswick", "bern", "nuremberg"], "route": "6,6E"},
    )
    assert faults_of(document) == [
        ("/fixed", "must leave all cities isolated, but its routes join Cologne and Brussels (E-12)")
    ]


def test_an_admitted_board_has_every_field_written_out(short: Document) -> None:
    """Then two files with the same meaning have the same hash."""
    written = admit("mine", short)
    terse = edited(
        short, lambda d: city(d, "moscow").update(violet=False), lambda d: land(d, "9,3").update(number=10.0)
    )
    assert admit("other", terse).hash == written.hash
    assert written.document["cities"][29] == {
        "id": "moscow",
        "name": "Moscow",
        "at": "15,1S",
        "violet": False,
        "gold": 0,
    }
