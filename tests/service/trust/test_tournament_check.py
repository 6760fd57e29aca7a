"""Exports of tournaments: what the operator could forge in them is refused by both verifiers."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from kontor_games.domain.codec import Plain, canonical
from kontor_games.domain.commands import Resign
from kontor_games.domain.tournaments import commands
from kontor_games.service.kontor import Kontor
from kontor_games.service.settings import Settings
from kontor_games.service.trust.tournament_check import verify_tournament
from kontor_games.service.trust.verifier import BrokenFileError, UncheckableFileError
from tests.api.conftest import toy_games_installed
from tests.domain.tournaments.tournaments import chain_of
from tests.service.conftest import SettableClock
from tests.service.tournaments.cup import Cup
from tests.support.node import refused, verdicts
from tests.support.tournament_forgeries import FORGERIES, forged
from tests.support.tournament_forging import Lines, reforged
from tests.support.walks import sample_size


def final_cup(service: Kontor, clock: SettableClock) -> Cup:
    """Play a tournament with a ruling, a replayed match and a no-show until it is final."""
    cup = Cup(service, 4, rounds=3, rotated=True, no_show_ms=1000).start()
    cup.worker.step_all()
    matches = cup.open_matches()
    cup.act(commands.VoidMatch(matches[0], "power cut"))
    cup.worker.step_all()
    absent = cup.open_matches()[-1]
    cup.players_of(absent)[0].join(absent)
    for match in cup.open_matches()[:-1]:
        cup.play_match(match)
    clock.advance(1000)
    cup.play_on()
    cup.act(commands.Rule(matches[1], (1, 1), "a draw was agreed"))
    for player in cup.players:
        cup.act(commands.Acknowledge(), player)
    cup.act(commands.SignOff())
    return cup


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cup]:
    """A final tournament that all tests of this module share; none of them changes it."""
    clock = SettableClock()
    with toy_games_installed():
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
        len(cup.state.slots),
        1,
        True,
        4,
    )
    assert verdict.facts == cup.state.version


def test_a_running_tournament_is_not_complete(service: Kontor) -> None:
    cup = Cup(service, 2, rounds=1).start()
    with pytest.raises(UncheckableFileError, match="not over"):
        verify_tournament(service.tournament_exports.export(cup.id))


FORGED = sample_size(150, 500)
CROSS_CHECKED = sample_size(3 * len(FORGERIES), 500)
FLIPPED = sample_size(40, 100)


@pytest.mark.sampled
def test_forged_files_are_refused_although_all_hashes_were_recomputed(
    cup: Cup, stop_tracing: Callable[[], None]
) -> None:
    """The operator forges the file and signs it with the true key of the service."""
    content = cup.kontor.tournament_exports.export(cup.id)
    accepted = []
    for number in range(FORGED):
        if number == 2 * len(FORGERIES):
            stop_tracing()
        name, file = forged(content, number, cup.kontor.signer)
        assert file != content, name
        try:
            verify_tournament(file)
            accepted.append(name)
        except BrokenFileError:
            pass
    assert accepted == []


@pytest.mark.e2e
@pytest.mark.sampled
@pytest.mark.untraced
def test_the_second_verifier_accepts_the_file_and_refuses_the_same_forgeries(
    cup: Cup, tmp_path: Path
) -> None:
    content = cup.kontor.tournament_exports.export(cup.id)
    [good] = verdicts(tmp_path, [content])
    assert (good["good"], good["status"], good["edition"], good["contributions"]) == (True, "final", 1, 4)
    assert (good["facts"], good["matches"]) == (cup.state.version, len(cup.state.slots))
    forgeries = dict(forged(content, number, cup.kontor.signer) for number in range(CROSS_CHECKED))
    assert [name for name, problem in refused(tmp_path, forgeries).items() if problem is None] == []


@pytest.mark.e2e
@pytest.mark.parametrize("rotated", [False, True])
def test_both_verifiers_accept_a_knockout_with_byes(cup: Cup, tmp_path: Path, *, rotated: bool) -> None:
    knockout = Cup(cup.kontor, 5, format="knockout", rotated=rotated, correction_ms=0).start()
    knockout.play_on()
    knockout.act(commands.SignOff())
    content = knockout.kontor.tournament_exports.export(knockout.id)
    assert [(len(one.tables), len(one.byes)) for one in knockout.state.rounds] == [(2, 1), (1, 1), (1, 0)]
    assert verify_tournament(content).status == "final"
    [verdict] = verdicts(tmp_path, [content])
    assert (verdict["good"], verdict.get("problem")) == (True, None)


@pytest.mark.e2e
def test_the_second_verifier_knows_who_is_eliminated(cup: Cup, tmp_path: Path) -> None:
    """A Swiss tournament that is said to be a knockout: everybody plays on after the first round."""
    lines = Lines.read(cup.kontor.tournament_exports.export(cup.id))
    lines.records[0]["fact"]["terms"]["format"] = "knockout"
    found = refused(tmp_path, {"knockout": reforged(lines, cup.kontor.signer)})
    assert "an eliminated entrant is paired" in str(found["knockout"])


@pytest.mark.e2e
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("no_show", "nobody"), ("on_timeout", "wait"), ("admits", "nobody"), ("format", "ladder"),
        ("tie_breaks", ["wins", "wins"]), ("tie_breaks", ["age"]), ("points", [0, 2]), ("late_entry", True),
    ],
)  # fmt: skip
def test_both_verifiers_refuse_impossible_terms(cup: Cup, tmp_path: Path, name: str, value: object) -> None:
    lines = Lines.read(cup.kontor.tournament_exports.export(cup.id))
    terms = lines.records[0]["fact"]["terms"]
    terms[name] = value
    if name == "late_entry":
        terms["format"] = "complete"
    content = reforged(lines, cup.kontor.signer)
    with pytest.raises(BrokenFileError):
        verify_tournament(content)
    assert "these terms are impossible" in str(refused(tmp_path, {name: content})[name])


@pytest.mark.sampled
def test_changed_bytes_are_refused_wherever_they_are(cup: Cup) -> None:
    content = cup.kontor.tournament_exports.export(cup.id)
    step = len(content) // FLIPPED
    for index in range(0, step * FLIPPED, step):
        changed = bytearray(content)
        changed[index] ^= 1
        with pytest.raises(BrokenFileError):
            verify_tournament(bytes(changed))


def test_a_ruling_that_was_not_made_cannot_be_added(cup: Cup) -> None:
    """An additional fact needs a command that the organiser never gave; it is not allowed at that place."""
    lines = Lines.read(cup.kontor.tournament_exports.export(cup.id))
    ruled = next(one for one in lines.records if one["fact"]["type"] == "result_ruled")
    lines.records.append(json.loads(canonical(ruled)))
    with pytest.raises(BrokenFileError, match="not allowed"):
        verify_tournament(reforged(lines, cup.kontor.signer))


def test_a_match_that_was_given_up_has_no_scores(service: Kontor) -> None:
    cup = Cup(service, 2, rounds=1).start()
    cup.worker.step_all()
    [match] = cup.open_matches()
    for player in cup.players:
        player.join(match)
    cup.players[0].do(match, Resign())
    cup.worker.step_all()
    for player in cup.players:
        cup.act(commands.Acknowledge(), player)
    cup.act(commands.SignOff())
    content = service.tournament_exports.export(cup.id)
    [ended] = [one["fact"] for one in Lines.read(content).records if one["fact"]["type"] == "result_recorded"]
    assert (ended["reason"], ended["scores"]) == ("forfeit", [0, 0])
    assert verify_tournament(content).status == "final"


# --- kept receipts ------------------------------------------------------------------------------------------


@pytest.fixture
def cancelled(service: Kontor) -> tuple[Cup, list[Plain]]:
    """A cancelled tournament, and the receipts of two entries."""
    cup = Cup(service, 2, rounds=1)
    cup.act(commands.OpenEntry())
    entries = [cup.enter(player, number) for number, player in enumerate(cup.players)]
    cup.act(commands.Cancel("rain"))
    return cup, [msgspec.structs.asdict(entry.receipt) for entry in entries]


def test_kept_receipts_of_a_tournament_are_those_of_its_file(cancelled: tuple[Cup, list[Plain]]) -> None:
    cup, receipts = cancelled
    content = cup.kontor.tournament_exports.export(cup.id)
    verdict = verify_tournament(content, receipts=receipts)
    assert (verdict.receipts, verdict.entrants, verdict.contributions) == (2, 2, 0)
    assert [one["version"] for one in receipts] == [3, 4]


@pytest.mark.parametrize(
    ("change", "detail", "line"),
    [
        ({"signature": "A" * 86 + "=="}, "the signature is not right", 5),
        ({"key": "0" * 16}, "which was not the service.s at that moment", 5),
        ({"version": 0}, "which is not here", 1),
        ({"version": 6}, "which is not here", 1),
        ({"tournament": "another"}, "which is not here", 1),
    ],
)
def test_a_receipt_that_the_service_did_not_sign_or_that_is_of_another_file_is_refused(
    cancelled: tuple[Cup, list[Plain]], change: dict[str, Plain], detail: str, line: int
) -> None:
    cup, receipts = cancelled
    content = cup.kontor.tournament_exports.export(cup.id)
    with pytest.raises(BrokenFileError, match=detail) as refused:
        verify_tournament(content, receipts=[receipts[0], receipts[1] | change])
    assert refused.value.line == line


def test_a_rewritten_entry_contradicts_the_receipt_that_its_player_kept(
    cancelled: tuple[Cup, list[Plain]],
) -> None:
    cup, receipts = cancelled
    lines = Lines.read(cup.kontor.tournament_exports.export(cup.id))
    lines.records[2]["command"]["sealed"] = lines.records[2]["fact"]["sealed"] = chain_of(7)[0]
    forged = reforged(lines, cup.kontor.signer)
    assert verify_tournament(forged).status == "cancelled", "without receipts it looks right"
    with pytest.raises(BrokenFileError, match="the service has signed another history") as refused:
        verify_tournament(forged, receipts=receipts)
    assert refused.value.line == 4
