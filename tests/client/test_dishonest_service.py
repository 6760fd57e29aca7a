"""A service whose operator cheats: the client gives it nothing to cheat with, and notices the rest."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kontor_client import Kontor, Match, RefusedError, UntrustedServiceError
from kontor_client.evidence import Evidence
from kontor_games.domain.chance import Seeded
from kontor_games.service.matches.answers import SignedCommitment
from tests.client.dishonest import Operator, operated
from tests.client.tables import GAMES, OPEN, with_house_bots

GAME = GAMES[-1]


@pytest.fixture
def operator(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Operator]:
    with operated(tmp_path, monkeypatch) as running:
        yield running


@pytest.fixture
def ada(operator: Operator) -> Iterator[Kontor]:
    with Kontor(operator.url) as client:
        client.register("Ada")
        yield client


def the_bot_begins(seed: bytes) -> bool:
    """The deal that the operator wants."""
    return Seeded(seed).draws("first_player", 0).below(2) == 1 and seed[0] < 16


def played_out(player: Kontor, match: Match) -> None:
    """One move and the end."""
    for turn in player.turns(match.id):
        player.play(turn.id, turn.legal_moves[-1], turn.version)
        player.resign(turn.id)


def evidence_of(folder: Path, match: str) -> Evidence:
    [file] = folder.glob(f"*.matches/{match}/*/match.json")
    held = Evidence.read(file.parent)
    assert held is not None
    return held


def test_an_honest_service_passes(operator: Operator, ada: Kontor, state_folder: Path) -> None:
    match = with_house_bots(ada, GAME)
    played_out(ada, match)
    held = evidence_of(state_folder, match.id)
    assert held.checked is not None
    assert [joining.contribution for joining in operator.joined] == [held.contribution]


def test_without_checks_an_operator_who_grinds_has_every_deal_he_wants(operator: Operator) -> None:
    """The attack works: this is what the checks are there for."""
    operator.grind(the_bot_begins)
    operator.hide_swapped_commitments()
    with Kontor(operator.url, check_deals=False) as trusting:
        trusting.register("Ada")
        for _ in range(5):
            match = with_house_bots(trusting, GAME)
            played_out(trusting, match)
            assert the_bot_begins(operator.seed_of(match.id))


def test_an_operator_who_grinds_is_caught_at_once(
    operator: Operator, ada: Kontor, state_folder: Path
) -> None:
    operator.grind(the_bot_begins)
    with pytest.raises(UntrustedServiceError, match="swapped the commitment") as caught:
        with_house_bots(ada, GAME)
    [answer] = state_folder.rglob("answer.json")
    assert caught.value.evidence == answer.parent
    assert str(caught.value).endswith(f"The evidence is in {answer.parent}.")
    held = Evidence.read(answer.parent)
    assert held is not None
    assert held.signed is not None
    assert json.loads(answer.read_bytes())["chance"]["commitment"] != held.commitment


def test_an_operator_who_hides_the_swap_is_caught_when_the_match_is_over(
    operator: Operator, ada: Kontor, state_folder: Path
) -> None:
    operator.grind(the_bot_begins)
    operator.hide_swapped_commitments()
    match = with_house_bots(ada, GAME)
    with pytest.raises(UntrustedServiceError, match="swapped the commitment"):
        played_out(ada, match)
    held = evidence_of(state_folder, match.id)
    shown = json.loads((held.folder / "export.ndjson").read_bytes().splitlines()[1])["fact"]
    assert shown["commitment"] != held.commitment
    with pytest.raises(UntrustedServiceError, match="swapped the commitment"):
        ada.match(match.id)


UNSIGNED: dict[str, Any] = {
    "no signature": lambda seen, chance: msgspec.structs.replace(chance, signed=None),
    "a signature for another commitment": lambda seen, chance: msgspec.structs.replace(
        chance, commitment="0" * 64
    ),
    "a signature at another time": lambda seen, chance: msgspec.structs.replace(
        chance, signed=msgspec.structs.replace(chance.signed, at=chance.signed.at + 1)
    ),
    "an unknown key": lambda seen, chance: msgspec.structs.replace(
        chance, signed=msgspec.structs.replace(chance.signed, key="0123456789abcdef")
    ),
    "no Base64": lambda seen, chance: msgspec.structs.replace(
        chance, signed=SignedCommitment(chance.signed.at, chance.signed.key, "signed")
    ),
}


@pytest.mark.parametrize("change", UNSIGNED.values(), ids=UNSIGNED)
def test_without_a_signed_commitment_nothing_is_contributed(
    operator: Operator, ada: Kontor, change: Any
) -> None:
    with Kontor(operator.url) as creator:
        creator.register("Ben")
        match = creator.create_match(GAME, [OPEN, OPEN])
    operator.change_chance(change)
    for attempt in (lambda: with_house_bots(ada, GAME), lambda: ada.join(match.id)):
        with pytest.raises(UntrustedServiceError, match=r"signed|signature"):
            attempt()
    assert operator.joined == []


def test_a_match_that_is_said_to_run_gets_no_contribution(operator: Operator, ada: Kontor) -> None:
    match = with_house_bots(ada, GAME)
    with Kontor(operator.url) as late:
        late.register("Ben")
        with pytest.raises(RefusedError, match="The match is running") as refused:
            late.join(match.id)
    assert refused.value.code == "match_not_open"
    assert len(operator.joined) == 1
