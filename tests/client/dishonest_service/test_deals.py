"""An operator who manipulates deals and keys: the client prevents or detects it."""

import json
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kontor_client import Kontor, Match, RefusedError, UntrustedServiceError
from kontor_client.evidence import Evidence
from kontor_games.domain.chance import Seeded
from kontor_games.domain.commands import Join
from kontor_games.service.matches.answers import SignedCommitment
from kontor_games.service.store.match_cache import CachedMatch
from kontor_games.service.trust import signing
from tests.client.dishonest_service.cheating_operator import Operator
from tests.client.tables import GAMES, OPEN, create_bot_match
from tests.support.recording import KEYS

GAME = GAMES[-1]


def the_bot_begins(seed: bytes) -> bool:
    """Whether the seed gives a deal that the operator wants: one in which the house bot begins."""
    return Seeded(seed).draws("first_player", 0).below(2) == 1 and seed[0] < 16


def play_one_move_and_resign(player: Kontor, match: Match) -> None:
    """Make one move, and resign."""
    for turn in player.turns(match.id):
        player.play(turn.id, turn.legal_moves[-1], turn.version)
        player.resign(turn.id)


def evidence_of(folder: Path, match: str) -> Evidence:
    [file] = folder.glob(f"*.matches/{match}/*/match.json")
    evidence = Evidence.read(file.parent)
    assert evidence is not None
    return evidence


def test_an_honest_service_passes(operator: Operator, ada: Kontor, state_folder: Path) -> None:
    match = create_bot_match(ada, GAME)
    play_one_move_and_resign(ada, match)
    evidence = evidence_of(state_folder, match.id)
    assert evidence.checked is not None
    assert [joining.contribution for joining in operator.joined] == [evidence.contribution]


def test_a_service_that_announces_a_new_key_in_time_passes(
    operator: Operator, ada: Kontor, state_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signing, "_DELAY_MS", 50)
    match = create_bot_match(ada, GAME)
    key = operator.signer.rotate()
    time.sleep(0.1)
    play_one_move_and_resign(ada, match)
    assert evidence_of(state_folder, match.id).checked is not None
    [file] = state_folder.glob("*.service-keys.json")
    assert [pinned["id"] for pinned in json.loads(file.read_bytes())["keys"]][1:] == [key.id]


def test_a_service_that_adds_a_backdated_key_is_caught(
    operator: Operator, ada: Kontor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Signatures that the old key has made since then would become invalid."""
    match = create_bot_match(ada, GAME)
    monkeypatch.setattr(signing, "_DELAY_MS", -1000)
    operator.signer.rotate()
    with pytest.raises(UntrustedServiceError, match="it could disown what it has signed"):
        play_one_move_and_resign(ada, match)


def test_another_service_at_the_same_address_is_detected(
    operator: Operator, ada: Kontor, state_folder: Path
) -> None:
    """The pinned keys are those of a service that used this address before."""
    create_bot_match(ada, GAME)
    [file] = state_folder.glob("*.service-keys.json")
    file.write_text(json.dumps({"keys": KEYS.published()}), encoding="utf-8")
    with Kontor(operator.url, ada.connection.token) as later:
        with pytest.raises(
            UntrustedServiceError, match="another service answers at this address now"
        ) as caught:
            create_bot_match(later, GAME)
        assert str(caught.value).endswith(f"delete {file}.")
    assert len(operator.joined) == 1


def test_without_checks_a_grinding_operator_gets_every_deal_he_wants(operator: Operator) -> None:
    """Without the checks the attack succeeds."""
    operator.grind(the_bot_begins)
    operator.hide_swapped_commitments()
    with Kontor(operator.url, check_deals=False) as trusting:
        trusting.register("Ada")
        for _ in range(5):
            match = create_bot_match(trusting, GAME)
            play_one_move_and_resign(trusting, match)
            assert the_bot_begins(operator.seed_of(match.id))


def test_an_operator_who_grinds_is_caught_at_once(
    operator: Operator, ada: Kontor, state_folder: Path
) -> None:
    operator.grind(the_bot_begins)
    with pytest.raises(UntrustedServiceError, match="not the one that it signed before you joined") as caught:
        create_bot_match(ada, GAME)
    [answer] = state_folder.rglob("answer.json")
    assert caught.value.evidence == answer.parent
    assert str(caught.value).endswith(f"The evidence is in {answer.parent}.")
    evidence = Evidence.read(answer.parent)
    assert evidence is not None
    assert evidence.signed is not None
    assert json.loads(answer.read_bytes())["chance"]["commitment"] != evidence.commitment


def test_an_operator_who_hides_the_swap_is_caught_when_the_match_is_over(
    operator: Operator, ada: Kontor, state_folder: Path
) -> None:
    operator.grind(the_bot_begins)
    operator.hide_swapped_commitments()
    match = create_bot_match(ada, GAME)
    with pytest.raises(UntrustedServiceError, match="not the one that it signed before you joined"):
        play_one_move_and_resign(ada, match)
    evidence = evidence_of(state_folder, match.id)
    shown = json.loads((evidence.folder / "export.ndjson").read_bytes().splitlines()[1])["fact"]
    assert shown["commitment"] != evidence.commitment
    with pytest.raises(UntrustedServiceError, match="not the one that it signed before you joined"):
        ada.match(match.id)


def test_an_operator_who_deals_from_an_open_seed_is_caught(operator: Operator, ada: Kontor) -> None:
    """With an open seed contributions have no effect, and the commitment stays the same."""

    def add_open_seed(log: CachedMatch, _: Join) -> None:
        operator.rewrite(log, replace(log.state.created, open_seed="chosen"))

    operator.before_joining(add_open_seed)
    operator.change_chance(lambda seen, chance: msgspec.structs.replace(chance, open_seed=None))
    match = create_bot_match(ada, GAME)
    with pytest.raises(UntrustedServiceError, match="a way to determine the seed, that it did not announce"):
        play_one_move_and_resign(ada, match)


def test_an_operator_who_claims_afterwards_that_a_tournament_fixed_the_deal_is_caught(
    operator: Operator, ada: Kontor
) -> None:
    """In a block of a tournament contributions have no effect, and finished matches stay hidden."""

    def move_into_a_block(log: CachedMatch, _: Join) -> None:
        operator.rewrite(log, replace(log.state.created, in_block=True))

    operator.before_joining(move_into_a_block)
    operator.change_chance(lambda seen, chance: msgspec.structs.replace(chance, in_block=False))
    match = create_bot_match(ada, GAME)
    with pytest.raises(UntrustedServiceError):
        play_one_move_and_resign(ada, match)


def test_a_match_with_an_open_seed_that_nobody_asked_for_gets_no_contribution(
    operator: Operator, ada: Kontor
) -> None:
    operator.change_chance(lambda seen, chance: msgspec.structs.replace(chance, open_seed="chosen"))
    with pytest.raises(UntrustedServiceError, match="not determined in the way that you requested"):
        create_bot_match(ada, GAME)
    assert operator.joined == []


def test_a_requested_open_seed_is_accepted(ada: Kontor) -> None:
    play_one_move_and_resign(ada, create_bot_match(ada, GAME, seed="7"))


def test_a_new_match_with_the_id_of_an_earlier_one_gets_no_contribution(
    operator: Operator, ada: Kontor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The service already knows the contribution to the earlier match."""
    create_bot_match(ada, GAME)
    honest = ada.connection.command

    def repeat(method: str, path: str, *rest: Any) -> Any:
        return first if path == "/v1/matches" else honest(method, path, *rest)

    first = ada.last_answers.popitem()[1].data
    monkeypatch.setattr(ada.connection, "command", repeat)
    with pytest.raises(UntrustedServiceError, match="a new match the id of an earlier one"):
        create_bot_match(ada, GAME)
    assert len(operator.joined) == 1


def test_a_match_with_another_id_than_requested_gets_no_contribution(
    operator: Operator, ada: Kontor, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted, other = (ada.create_match(GAME, [OPEN, OPEN]).id for _ in range(2))
    honest = ada.connection.get
    monkeypatch.setattr(
        ada.connection, "get", lambda path, **query: honest(path.replace(wanted, other), **query)
    )
    with pytest.raises(UntrustedServiceError, match=f"a match other than {wanted}"):
        ada.join(wanted)
    assert operator.joined == []


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
    "not Base64": lambda seen, chance: msgspec.structs.replace(
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
    for attempt in (partial(create_bot_match, ada, GAME), partial(ada.join, match.id)):
        with pytest.raises(UntrustedServiceError, match=r"signed|signature"):
            attempt()
    assert operator.joined == []


def test_a_running_match_gets_no_contribution(operator: Operator, ada: Kontor) -> None:
    match = create_bot_match(ada, GAME)
    with Kontor(operator.url) as late:
        late.register("Ben")
        with pytest.raises(RefusedError, match="The match is running") as refused:
            late.join(match.id)
    assert refused.value.code == "match_not_open"
    assert len(operator.joined) == 1
