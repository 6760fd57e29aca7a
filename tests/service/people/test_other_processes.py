"""What another process has just changed about a player decides here at once, whatever is cached here."""

from base64 import b64encode
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from threading import Barrier

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from kontor_games.api import create_app
from kontor_games.domain.codec import MalformedError, canonical
from kontor_games.domain.commands import Join
from kontor_games.domain.game import Refusal
from kontor_games.domain.match_refusals import SignatureRequiredError
from kontor_games.service.errors import (
    BannedError,
    NotFoundError,
    RateLimitedError,
    ServiceError,
    UnauthorisedError,
)
from kontor_games.service.kontor import Kontor
from kontor_games.service.matches.invitations import InvitationNotWelcomeError
from kontor_games.service.matches.match_spec import SeatSpec
from kontor_games.service.people.device_codes import CodeNotValidError
from kontor_games.service.people.tokens import Caller
from kontor_games.service.seeks.use_cases import SeekSpec
from tests.service.tables import ME, OPEN, LocalPlayer, fair_spec

UNSIGNED = Join(None, bot=False, contribution="")
Operation = Callable[[Kontor, Caller], object]


@pytest.fixture
def both(serve: Callable[..., Kontor], store_url: str) -> tuple[Kontor, Kontor]:
    """Two processes on one database; neither of them polls for what the other changes."""
    return serve(store_url), serve(store_url)


def register(kontor: Kontor, name: str = "Ada") -> tuple[LocalPlayer, str]:
    token = kontor.players.register(name, bot=False, key=None, body=name).token
    return LocalPlayer(kontor, kontor.tokens.authenticate(token)), token


def known_here(kontor: Kontor, player: LocalPlayer, token: str) -> None:
    """Let a process read everything about a player that it keeps."""
    kontor.tokens.authenticate(token)
    assert kontor.players.get_many([player.id])[player.id].name == "Ada"


def register_key(kontor: Kontor, caller: Caller) -> str:
    private = Ed25519PrivateKey.generate()
    public = b64encode(private.public_key().public_bytes_raw()).decode()
    text = b"kontor.player-key.1\n" + canonical({"player": caller.player, "public_key": public})
    kontor.players.set_key(caller, public, b64encode(private.sign(text)).decode())
    return public


def test_a_key_registered_elsewhere_must_be_used_here_and_one_removed_must_not(
    both: tuple[Kontor, Kontor],
) -> None:
    there, here = both
    ada, token = register(there)
    known_here(here, ada, token)
    match = LocalPlayer(there).create(OPEN, OPEN)
    public = register_key(there, ada.caller)
    with pytest.raises(SignatureRequiredError, match="Join with the public key"):
        here.matches.join(ada.call(), match, UNSIGNED)
    with pytest.raises(Refusal) as refused:  # the key is the right one, and the signature is missing
        here.matches.join(ada.call(), match, replace(UNSIGNED, key=public))
    assert "sign each command" in refused.value.detail
    there.players.remove_key(ada.caller)
    here.matches.join(ada.call(), match, UNSIGNED)
    assert here.players.get(ada.id).public_key is None


def test_a_player_erased_elsewhere_can_no_longer_be_invited_here(both: tuple[Kontor, Kontor]) -> None:
    there, here = both
    ada, token = register(there)
    known_here(here, ada, token)
    there.erase(ada.caller)
    with pytest.raises(MalformedError):
        here.matches.create(LocalPlayer(here).call(), fair_spec(ME, SeatSpec("invited", player=ada.id)))


def test_invitations_refused_elsewhere_are_refused_here(both: tuple[Kontor, Kontor]) -> None:
    there, here = both
    ada, token = register(there)
    known_here(here, ada, token)
    there.players.accept_invitations_from(ada.caller, "nobody")
    with pytest.raises(InvitationNotWelcomeError):
        here.matches.create(LocalPlayer(here).call(), fair_spec(ME, SeatSpec("invited", player=ada.id)))


def test_the_key_of_a_private_match_renewed_elsewhere_replaces_the_old_one_here(
    both: tuple[Kontor, Kontor],
) -> None:
    there, here = both
    ada, _ = register(there)
    bob, _ = register(here, "Bob")
    made = there.matches.create(ada.call(), fair_spec(ME, OPEN, private=True))
    match = made.position.id
    old = here.matches.links.key_of(match)
    guest = Caller(bob.id, bot=False, scopes=bob.caller.scopes, token=bob.caller.token, match_key=old)
    here.queries.visible_match(guest, match)
    there.queries.renew_link(ada.call(), match)
    with pytest.raises(NotFoundError):
        here.queries.visible_match(guest, match)


@pytest.mark.parametrize(
    "end",
    [
        pytest.param(lambda kontor, caller: kontor.erase(caller), id="erased"),
        pytest.param(lambda kontor, caller: kontor.bans.ban(caller.player, ""), id="banned"),
    ],
)
def test_a_seek_of_somebody_erased_or_banned_elsewhere_is_not_paired_here(
    both: tuple[Kontor, Kontor], end: Operation
) -> None:
    there, here = both
    ada, token = register(there)
    bob, _ = register(there, "Bob")
    known_here(here, ada, token)
    seeks = [there.seeks.create(player.call(), SeekSpec("fair", 2)).seek for player in (ada, bob)]
    end(there, ada.caller)
    assert here.matchmaker().step() == 0
    assert here.seeks.get(ada.caller, seeks[0].id).status == "cancelled"
    assert here.seeks.get(bob.caller, seeks[1].id).status == "waiting"


@pytest.mark.parametrize("code_is_right", [False, True])
def test_twenty_wrong_codes_are_twenty_however_many_are_tried_at_once_in_two_processes(
    both: tuple[Kontor, Kontor], *, code_is_right: bool
) -> None:
    there, here = both
    ada, _ = register(there)
    code = there.device_codes.create(ada.caller, None, "b").text
    wrong = "ABCDEFGH" if code != "ABCDEFGH" else "HGFEDCBA"
    if code_is_right:  # a right code is not counted
        there.device_codes.redeem(code, None, "right", "192.0.2.1")
    start = Barrier(8)

    def try_codes(kontor: Kontor) -> list[type[Exception]]:
        start.wait()
        refused: list[type[Exception]] = []
        for _ in range(5):
            with pytest.raises(Exception) as error:  # noqa: PT011
                kontor.device_codes.redeem(wrong, None, "b", "192.0.2.1")
            refused.append(error.type)
        return refused

    with ThreadPoolExecutor(8) as threads:
        answers = [one for refused in threads.map(try_codes, [there, here] * 4) for one in refused]
    assert Counter(answers) == {CodeNotValidError: 20, RateLimitedError: 20}


STORED_ABOUT_PLAYERS = (
    ("player_names", "player"),
    ("player_keys", "player"),
    ("player_settings", "player"),
    ("tokens", "player"),
    ("device_codes", "player"),
    ("device_parcels", "player"),
    ("push_devices", "player"),
)
WRITES: dict[str, Operation] = {
    "rename": lambda kontor, caller: kontor.players.rename(caller, "Ada again"),
    "register a key": register_key,
    "choose who may invite": lambda kontor, caller: kontor.players.accept_invitations_from(caller, "met"),
    "create a token": lambda kontor, caller: kontor.tokens.create(caller, "x", ["play"], None, None, "b"),
    "create a device code": lambda kontor, caller: kontor.device_codes.create(caller, None, "b", "sealed"),
}


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_a_request_that_overlaps_an_erasure_elsewhere_stores_nothing_about_the_player(
    both: tuple[Kontor, Kontor], write: Operation
) -> None:
    there, here = both
    ada, _ = register(there)
    there.erase(ada.caller)
    with suppress(ServiceError):  # it may be refused, or have no effect
        write(here, ada.caller)  # a request whose token was checked before the erasure
    for table, column in STORED_ABOUT_PLAYERS:
        found = here.database.read(f"SELECT * FROM {table} WHERE {column} = ?", [ada.id])  # noqa: S608
        assert not found, table
    assert here.players.get(ada.id).name is None


@pytest.mark.parametrize(
    ("end", "status"),
    [
        pytest.param(lambda kontor, caller: kontor.tokens.revoke(caller, caller.token), 401, id="revoked"),
        pytest.param(lambda kontor, caller: kontor.erase(caller), 401, id="erased"),
        pytest.param(lambda kontor, caller: kontor.bans.ban(caller.player, "spam"), 403, id="banned"),
    ],
)
def test_a_token_that_ended_elsewhere_changes_nothing_here_however_fresh_its_cached_copy_is(
    both: tuple[Kontor, Kontor], end: Operation, status: int
) -> None:
    there, here = both
    ada, token = register(there)
    known_here(here, ada, token)
    end(there, ada.caller)
    here.tokens.authenticate(token)  # a read may still be answered from the cache
    with pytest.raises((UnauthorisedError, BannedError)):
        here.tokens.authenticate(token, anew=True)
    client = create_app(here).test_client()
    headers = {"Authorization": f"Bearer {token}"}
    body = {"game": "fair", "seats": [{"type": "me"}, {"type": "open"}]}
    assert client.post("/v1/matches", json=body, headers=headers).status_code == status
    assert client.post("/v1/tokens", json={"label": "x"}, headers=headers).status_code == status
