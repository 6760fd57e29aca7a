"""Forgeries for which no rules are needed: the JavaScript verifier refuses each of them.

After each change all hashes and signatures are recomputed, which only the holder of the
service's key can do.
"""

import json
from collections.abc import Callable, Iterator
from functools import partial
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.corpus.record import CORPUS
from tests.domain.chain_by_the_document import canonical
from tests.domain.installed_fair import the_fair_is_installed
from tests.service.trust import test_verifier_forms as forms
from tests.service.trust.test_verifier_flips import paths, whole_match
from tests.service.trust.test_verifier_signed_forgeries import FORGERIES, from_here
from tests.support.exports import fair_match
from tests.support.forging import Lines, drop, file_of, find, forge, forge_around, lines_of
from tests.support.node import problems, refused
from tests.support.recording import KEYS, KnownKeys, table_of

pytestmark = [pytest.mark.slow, pytest.mark.untraced]

__all__ = ["the_fair_is_installed"]

Change = Callable[[Lines], object]
ONLY_BY_THE_RULES = {
    "a card that is not in the hand",
    "a move of the wrong phase",
    "an unknown move",
    "a move with an extra field",
    "points that nobody scored",
    "a fact without one of its fields",
    "a fact with an extra field",
    "a fact of another type",
    "a wrong price",
    "a card other than the one drawn",
    "another order of the deck",
    "a move after the time was up",
    "a time-out too early",
    "a wrong result",
    "a move recorded twice",
    "unknown options",
    "missing options",
    "a public field that is sealed",
}
"""Forgeries from the tests of the first verifier that only the rules of the toy game reveal."""


def test_it_refuses_every_forgery_that_needs_no_rules(tmp_path: Path) -> None:
    good = fair_match().export()
    found = refused(tmp_path, {name: forge(good, change) for name, change, _ in FORGERIES})
    assert {name for name, problem in found.items() if problem is None} == ONLY_BY_THE_RULES


def test_it_refuses_every_wrong_form(tmp_path: Path) -> None:
    good = fair_match().export()
    (mark,) = forms.test_wrong_fields_in_a_file_are_named.pytestmark  # type: ignore[attr-defined]
    forged = {words: forge_around(good, change) for change, words in mark.args[1]}
    assert [name for name, problem in refused(tmp_path, forged).items() if problem is None] == []


def test_it_refuses_files_that_are_no_exports(tmp_path: Path) -> None:
    (mark,) = forms.test_files_that_are_no_exports_are_refused.pytestmark  # type: ignore[attr-defined]
    good = fair_match().export()
    lines = good.split(b"\n")
    others = [good[:-1], *(b"".join(line + b"\n" for line in lines[:count]) for count in (1, 2, 3, 10))]
    others += [good.replace(b":", b": ", 1), good.replace(b'"round":1', b'"round":1.0', 1)]
    assert None not in problems(tmp_path, [*mark.args[1], *others])


# The first and the last line


def on_line(place: int, **values: Any) -> Change:
    """Return a change of values in a line."""
    return lambda lines: lines[place].update(values)


def in_ruleset(**values: Any) -> Change:
    """Return a change of values in the ruleset."""
    return lambda lines: lines[0]["ruleset"].update(values)


def less(place: int, key: str) -> Change:
    """Return a change that removes a key from a line."""
    return lambda lines: lines[place].pop(key)


def edits(*values: tuple[int, str, Any]) -> dict[str, Change]:
    """Return changes of single values in lines, each with a name."""
    return {f"line {place}: {key} {value!r}": on_line(place, **{key: value}) for place, key, value in values}


AROUND: dict[str, Change] = {
    **edits((0, "complete", False), (0, "viewer", 0), (0, "viewer", -1), (0, "format", "kontor.export.2")),
    **edits((0, "match", "other"), (0, "exported_at", "now"), (0, "keys", {}), (0, "complete", 1)),
    **edits((-1, "end", "aborted"), (-1, "end", "running"), (-1, "end", None), (-1, "result", None)),
    **edits((-1, "result", {}), (-1, "version", 1), (-1, "head", "0" * 64), (-1, "at", 0)),
    "another game": in_ruleset(game="europe"),
    "another version": in_ruleset(version=2),
    "another data set": in_ruleset(data="x"),
    "another hash of the data set": in_ruleset(data_hash="0" * 64),
    "more in the ruleset": in_ruleset(more=1),
    "no data hash": lambda lines: lines[0]["ruleset"].pop("data_hash"),
    "a key with more in it": lambda lines: lines[0]["keys"][0].update(owner="us"),
    "a key of another kind": lambda lines: lines[0]["keys"][0].update(algorithm="RSA"),
    "other places": lambda lines: lines[-1]["result"]["places"].reverse(),
    "other scores": lambda lines: lines[-1]["result"].update(scores=None),
    "another reason": lambda lines: lines[-1]["result"].update(reason="forfeit"),
    "more in the result": lambda lines: lines[-1]["result"].update(winner=1),
}


def test_it_refuses_another_first_or_last_line(tmp_path: Path) -> None:
    good = fair_match().export()
    found = refused(tmp_path, {name: forge_around(good, change) for name, change in AROUND.items()})
    assert [name for name, problem in found.items() if problem is None] == []


def test_it_refuses_a_running_match_with_another_end_or_for_another_viewer(tmp_path: Path) -> None:
    good = table_of("fair", 2).play_on(1).export(0)
    spectator = table_of("fair", 2).play_on(1).export()
    changes = edits((0, "complete", True), (0, "viewer", 2), (0, "viewer", None), (-1, "end", "finished"))
    changes |= edits(
        (-1, "end", "open"), (-1, "result", {"places": [1, 2], "scores": None, "reason": "played"})
    )
    forged = {name: forge_around(good, change) for name, change in changes.items()}
    assert [name for name, problem in refused(tmp_path, forged).items() if problem is None] == []
    assert problems(tmp_path, [good, spectator]) == [None, None]


def every_key(content: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the file with one key removed, added or of another type, on each kind of line."""
    lines = lines_of(content)
    drawn = next(place for place, line in enumerate(lines) if "draws" in line)
    sealed = next(place for place, line in enumerate(lines) if "sealed_command" in line)
    for place in (0, 1, drawn, sealed, len(lines) - 2, len(lines) - 1):
        changes = {"more": on_line(place, more=1), "constructor": on_line(place, constructor=1)}
        for key in lines[place]:
            if place != len(lines) - 1 or key not in (
                "at",
                "file",
                "key",
                "signature",
            ):  # these are made anew
                changes |= {
                    f"without {key}": less(place, key),
                    f"{key} as a list": on_line(place, **{key: [[1]]}),
                }
        for name, change in changes.items():
            yield f"{place} {name}", forge_around(content, change)


def test_it_refuses_a_key_too_many_too_few_or_of_another_type_on_every_kind_of_line(tmp_path: Path) -> None:
    forged = dict(every_key(fair_match().export()))
    assert len(forged) > 80
    good = [name for name, problem in refused(tmp_path, forged).items() if problem is None]
    assert good == ["4 without draws"], "what the toy game draws is not in docs/draws.json"


def resealed(lines: list[bytes]) -> bytes:
    """Return the file of these lines, with the last line signed anew."""
    *before, last = lines
    footer = {name: value for name, value in json.loads(last).items() if name not in ("key", "signature")}
    footer["file"] = sha256(b"".join(line + b"\n" for line in before)).hexdigest()
    key, signature = KEYS.sign(f"kontor.export.1\n{canonical(footer)}".encode(), footer["at"])
    return b"".join(line + b"\n" for line in before) + file_of(
        [{**footer, "key": key, "signature": signature}]
    )


def test_it_refuses_a_last_line_without_its_time_hash_or_signature(tmp_path: Path) -> None:
    *before, last = lines_of(fair_match().export())
    forged = {}
    for key in ("at", "file", "key", "signature"):
        for name, change in (("less", {}), ("of another type", {key: [[1]]})):
            footer = {**{k: v for k, v in last.items() if k != key}, **change}
            claimed = {k: v for k, v in footer.items() if k not in ("key", "signature")}
            signer, signature = KEYS.sign(f"kontor.export.1\n{canonical(claimed)}".encode(), last["at"])
            made = {"key": signer, "signature": signature}
            footer |= {k: v for k, v in made.items() if k != key}
            forged[f"{key} {name}"] = file_of([*before, footer])
    assert len(forged) == 8
    assert [name for name, problem in refused(tmp_path, forged).items() if problem is None] == []


def test_it_refuses_doubled_keys_and_keys_in_another_order(tmp_path: Path) -> None:
    lines = fair_match().export().splitlines()
    assert resealed(lines) == fair_match().export()
    forged = {}
    for place in (0, 1, 4, len(lines) - 2):
        for name, old, new in (
            ("doubled", b'"match":', b'"match":"other","match":'),
            ("doubled within", b'{"', b'{"type":"x","type":"x","'),
            ("another order", lines[place], canonical_backwards(lines[place])),
        ):
            changed = [*lines]
            changed[place] = changed[place].replace(old, new, 1)
            forged[f"{name} {place}"] = resealed(changed)
    found = refused(tmp_path, forged)
    assert [name for name, problem in found.items() if problem is None] == []
    for name, problem in found.items():
        assert ("a key occurs twice" if "doubled" in name else "this is not canonical JSON") in str(problem)


def canonical_backwards(line: bytes) -> bytes:
    """Return the JSON object with its keys in reverse order."""
    data = json.loads(line)
    return json.dumps(dict(reversed(data.items())), separators=(",", ":"), ensure_ascii=False).encode()


# Files that are cut off, and what "complete" demands


def cut(end: int) -> Change:
    """Return a change that removes all facts after a version."""
    return lambda facts: facts.__delitem__(slice(end, None))


def test_it_refuses_a_complete_file_that_is_cut_off_after_any_command(tmp_path: Path) -> None:
    good = fair_match().export()
    facts = lines_of(good)[1:-1]
    ends = [line["version"] - 1 for line in facts[1:] if "seat" in line]
    unfinished = forge_around(good, on_line(-1, result=None))
    forged = {f"{end}": forge(unfinished, cut(end)) for end in [*ends, facts[-1]["version"] - 1]}
    forged |= {
        f"{name}, said to have a result": forge_around(
            content, on_line(-1, result=lines_of(good)[-1]["result"])
        )
        for name, content in forged.items()
    }
    assert len(forged) > len(ends) > 5
    assert [name for name, problem in refused(tmp_path, forged).items() if problem is None] == []


def test_it_refuses_facts_after_the_end_and_a_fact_dropped_where_all_games_share_it(tmp_path: Path) -> None:
    good = fair_match().export()
    started = find(lines_of(good)[1:-1], "match_started")["version"]
    taken = find(lines_of(good)[1:-1], "seat_taken", 1)["version"]

    def twice(facts: Lines) -> None:
        facts.append(json.loads(json.dumps(facts[-1])))

    forged = {
        "the end twice": forge(good, twice),
        "no start": forge(good, lambda facts: drop(facts, started)),
        "a player who never joined": forge(good, lambda facts: drop(facts, taken)),
    }
    assert [name for name, problem in refused(tmp_path, forged).items() if problem is None] == []


def test_it_refuses_decreasing_times(tmp_path: Path) -> None:
    good = fair_match().export()
    kinds = ("seat_taken", "card_laid", "fair_closed", "match_finished")
    forged = {kind: forge(good, partial(from_here, kind=kind, nth=0, later=-60_000)) for kind in kinds}
    found = refused(tmp_path, forged)
    assert [name for name, problem in found.items() if "time is earlier" not in str(problem)] == []


OTHERS: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    7,
    2**53 - 1,
    "",
    "play",
    "house",
    "0" * 64,
    [],
    [1],
    {},
    {"type": "play"},
)


def set_at(path: tuple[Any, ...], value: Any) -> Change:
    """Return a change of the value at a path in the file: line, key, key …"""

    def change(lines: Lines) -> None:
        holder: Any = lines
        for step in path[:-1]:
            holder = holder[step]
        holder[path[-1]] = value

    return change


def value_at(lines: Any, path: tuple[Any, ...]) -> Any:
    return value_at(lines[path[0]], path[1:]) if path else lines


@pytest.mark.parametrize("name", ["europe/v2-resigned-4", "speicherstadt/v1-time-outs-5"])
def test_it_refuses_a_changed_value_anywhere_without_failing(name: str, tmp_path: Path) -> None:
    good = (CORPUS / f"{name}.ndjson").read_bytes()
    lines = lines_of(good)
    last = len(lines) - 1
    made_anew = {(last, key) for key in ("at", "file", "key", "signature")}
    places = [
        path for path in paths(lines) if len(path) > 1 and path[:2] not in {*made_anew, (0, "exported_at")}
    ]
    chosen, forged = Random(name), {}
    for path in chosen.sample(places, 80):
        value = chosen.choice([one for one in OTHERS if json.dumps(one) != json.dumps(value_at(lines, path))])
        forged[f"{path} {value!r}"] = forge_around(good, set_at(path, value))
    found = refused(tmp_path, forged)
    assert [place for place, problem in found.items() if problem is None] == []
    assert [place for place, problem in found.items() if "can't be read" in str(problem)] == []


# Keys


def test_it_refuses_a_key_that_was_not_valid_at_the_time(tmp_path: Path) -> None:
    late, keys = KnownKeys(("old", 0)), KnownKeys(("old", 0), ("new", 1))
    own = forge_around(whole_match("fair"), lambda lines: lines[0].update(keys=keys.published()), late)
    (problem,) = problems(tmp_path, [forge(own, lambda facts: None, late)])
    assert "which was not the service's at that moment" in str(problem)
