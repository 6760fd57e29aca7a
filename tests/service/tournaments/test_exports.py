import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from kontor_games.domain.codec import canonical
from kontor_games.domain.tournaments import commands
from kontor_games.service.kontor import Kontor
from kontor_games.service.settings import Settings
from kontor_games.service.trust.tournament_check import verify_tournament
from kontor_games.service.trust.verifier import BrokenFileError
from tests.api.conftest import toys_installed
from tests.service.conftest import SettableClock
from tests.service.tournaments.cup import Cup
from tests.support.tournament_forging import Lines, reforged


def final_cup(service: Kontor, clock: SettableClock) -> Cup:
    """A tournament that is final, with a ruling, a replay and a no-show in it."""
    cup = Cup(service, 4, rounds=3, rotated=True, no_show_ms=1000).start()
    cup.worker.step_all()
    matches = cup.open_matches()
    cup.act(commands.VoidMatch(matches[0], "power cut"))
    cup.worker.step_all()
    absent = cup.open_matches()[-1]
    cup.guests_of(absent)[0].join(absent)
    for match in cup.open_matches()[:-1]:
        cup.play_match(match)
    clock.pass_by(1000)
    cup.play_on()
    cup.act(commands.Rule(matches[1], (1, 1), "a draw was agreed"))
    for guest in cup.players:
        cup.act(commands.Acknowledge(), guest)
    cup.act(commands.SignOff())
    return cup


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cup]:
    """A final tournament that all tests of this module share; none of them changes it."""
    clock = SettableClock()
    with toys_installed():
        kontor = Kontor(Settings(database_url=f"sqlite:///{tmp_path_factory.mktemp('cup')}/kontor.db"), clock)
        kontor.migrate()
        yield final_cup(kontor, clock)
        kontor.close()


def test_a_final_tournament_verifies_offline_with_published_keys(
    service: Kontor, clock: SettableClock
) -> None:
    cup = final_cup(service, clock)
    keys = [key.plain() for key in cup.kontor.signer.public_keys()]
    content = cup.kontor.tournament_exports.export(cup.id)
    verdict = verify_tournament(content, keys)
    assert (verdict.title, verdict.status, verdict.rounds, verdict.entrants) == ("Cup", "final", 3, 4)
    assert (verdict.matches, verdict.edition, verdict.trusted, verdict.contributions) == (
        len(cup.state.slots) - 1,  # the match that does not count is still open
        1,
        True,
        4,
    )
    assert verdict.facts == cup.state.version


def test_a_running_tournament_is_not_complete(service: Kontor) -> None:
    cup = Cup(service, 2, rounds=1).start()
    with pytest.raises(BrokenFileError, match="not over"):
        verify_tournament(service.tournament_exports.export(cup.id))


def change(lines: Lines, kind: str, alter: Callable[[dict[str, Any]], None]) -> None:
    """Alter the first fact of a kind, and its command, if that names the same things."""
    record = next(one for one in lines.records if one["fact"]["type"] == kind)
    alter(record["fact"])
    if "command" in record:
        alter(record["command"])


def _result(lines: Lines) -> None:
    change(lines, "result_recorded", lambda data: data.update(places=data["places"][::-1]))


def _scores(lines: Lines) -> None:
    change(lines, "result_recorded", lambda data: data.update(scores=[9, 9]))


def _pairing(lines: Lines) -> None:
    def alter(data: dict[str, Any]) -> None:
        if data.get("tables"):
            data["tables"][0]["entrants"].reverse()

    change(lines, "round_paired", alter)


def _bye(lines: Lines) -> None:
    change(lines, "round_paired", lambda data: data.update(byes=[0]) if "byes" in data else None)


def _ruling(lines: Lines) -> None:
    change(lines, "result_ruled", lambda data: data.update(places=[1, 2]))


def _ruler(lines: Lines) -> None:
    record = next(one for one in lines.records if one["fact"]["type"] == "result_ruled")
    record["by"] = record["fact"]["by"] = "somebody"


def _points(lines: Lines) -> None:
    change(lines, "tournament_announced", lambda data: data.get("terms", {}).update(points=[9, 0]))


def _tie_breaks(lines: Lines) -> None:
    change(lines, "tournament_announced", lambda data: data.get("terms", {}).update(tie_breaks=["score"]))


def _missing_match(lines: Lines) -> None:
    del lines.matches[next(iter(lines.matches))]


def _swapped_matches(lines: Lines) -> None:
    first, second, *_ = lines.matches
    lines.matches[first], lines.matches[second] = lines.matches[second], lines.matches[first]


def _foreign_match(lines: Lines) -> None:
    lines.matches["00000000-0000-4000-8000-000000000000"] = next(iter(lines.matches.values()))


def _standings(lines: Lines) -> None:
    lines.footer["standings"][0]["points"] += 60


def _edition(lines: Lines) -> None:
    lines.footer["edition"] = 2


def _entry(lines: Lines) -> None:
    change(lines, "entrant_entered", lambda data: data.update(contribution="f" * 64))


def _dropped_protest(lines: Lines) -> None:
    index = next(i for i, one in enumerate(lines.records) if one["fact"]["type"] == "standings_acknowledged")
    del lines.records[index]


def _secret(lines: Lines) -> None:
    change(
        lines,
        "edition_signed",
        lambda data: data.update(server_secret="a" * 64) if "digest" in data else None,
    )


def _digest(lines: Lines) -> None:
    change(lines, "edition_signed", lambda data: data.update(digest="a" * 64) if "digest" in data else None)


def _no_show(lines: Lines) -> None:
    change(lines, "no_show_recorded", lambda data: data.update(absent=[data["absent"][0] ^ 1]))


def _time(lines: Lines) -> None:
    lines.records[3]["at"] = 0


def _service(lines: Lines) -> None:
    record = next(one for one in lines.records if one["fact"]["type"] == "result_recorded")
    record["by"] = lines.records[0]["by"]


FORGERIES = [
    _result, _scores, _pairing, _bye, _ruling, _ruler, _points, _tie_breaks, _missing_match, _swapped_matches,
    _foreign_match, _standings, _edition, _entry, _secret, _digest, _no_show, _time, _service,
]  # fmt: skip


@pytest.mark.parametrize("forge", FORGERIES, ids=lambda forge: forge.__name__.strip("_"))
def test_a_forged_file_is_refused_though_all_hashes_were_made_anew(
    cup: Cup, forge: Callable[[Lines], None]
) -> None:
    """The operator forges the file and signs it with the true key of the service."""
    content = cup.kontor.tournament_exports.export(cup.id)
    lines = Lines.read(content)
    forge(lines)
    forged = reforged(lines, cup.kontor.signer)
    assert forged != content
    with pytest.raises(BrokenFileError):
        verify_tournament(forged)


def test_changed_bytes_are_refused_wherever_they_are(cup: Cup) -> None:
    content = cup.kontor.tournament_exports.export(cup.id)
    step = len(content) // 100
    for index in range(0, step * 100, step):
        changed = bytearray(content)
        changed[index] ^= 1
        with pytest.raises(BrokenFileError):
            verify_tournament(bytes(changed))


def test_a_ruling_that_was_not_made_cannot_be_added(cup: Cup) -> None:
    """A forger who appends a fact has to give it a command, which the organiser never gave: only their receipt shows it."""
    lines = Lines.read(cup.kontor.tournament_exports.export(cup.id))
    ruled = next(one for one in lines.records if one["fact"]["type"] == "result_ruled")
    lines.records.append(json.loads(canonical(ruled)))
    with pytest.raises(BrokenFileError, match="not allowed"):
        verify_tournament(reforged(lines, cup.kontor.signer))
