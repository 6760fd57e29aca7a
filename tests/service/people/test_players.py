"""Players: registration, names, erasure."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from uuid import UUID

import pytest
from eventsourcing.persistence import IntegrityError

from kontor_games.domain.codec import MalformedError
from kontor_games.service.answer_fields import Moment
from kontor_games.service.errors import (
    ForbiddenError,
    KeyProofInvalidError,
    KeyReusedError,
    NotFoundError,
    RateLimitedError,
    UnauthorisedError,
)
from kontor_games.service.kontor import Kontor
from kontor_games.service.people.names import NameNotAllowedError
from kontor_games.service.people.players import Player, Registered
from kontor_games.service.people.token_requests import REPLAY_MS, TokenIds
from kontor_games.service.people.tokens import Caller, hash_token
from tests.service.conftest import NOON, SettableClock
from tests.support.players import PlayerKey

KEY = "a key that is hard to guess"


def register(
    kontor: Kontor, name: str = "Ada", *, bot: bool = False, key: str | None = None, body: str = "b0d1"
) -> Registered:
    return kontor.players.register(name, bot=bot, key=key, body=body)


def caller_of(kontor: Kontor, made: Registered) -> Caller:
    return kontor.tokens.authenticate(made.token)


# --- registration -------------------------------------------------------------------------------------------


def test_a_new_player_gets_an_id_and_a_token_to_play_and_organise(kontor: Kontor) -> None:
    made = register(kontor)
    assert made.player == Player(
        str(UUID(made.player.id, version=4)), "Ada", bot=False, created_at=Moment(NOON), public_key=None
    )
    assert not made.replayed
    assert (caller_of(kontor, made).player, caller_of(kontor, made).bot) == (made.player.id, False)
    assert caller_of(kontor, made).scopes == {"play", "organise", "account"}


def test_names_need_not_be_unique(kontor: Kontor) -> None:
    first, second = register(kontor), register(kontor)
    assert first.player.id != second.player.id
    assert first.token != second.token


def test_a_bot_is_marked_as_a_bot(kontor: Kontor) -> None:
    made = register(kontor, bot=True)
    assert kontor.players.get(made.player.id).bot
    assert caller_of(kontor, made).bot


def test_an_invalid_name_registers_nobody(kontor: Kontor) -> None:
    with pytest.raises(NameNotAllowedError):
        register(kontor, "a\u202eb")
    assert kontor.database.read("SELECT * FROM players") == []


def test_names_are_not_interpreted_as_sql(kontor: Kontor) -> None:
    made = register(kontor, "%s ? '; DROP TABLE players")
    assert kontor.players.get(made.player.id).name == "%s ? '; DROP TABLE players"


def test_a_retry_gets_the_same_player_and_the_same_token(kontor: Kontor) -> None:
    first = register(kontor, key=KEY)
    again = register(kontor, key=KEY)
    assert again == Registered(first.player, first.token, replayed=True)
    assert len(kontor.database.read("SELECT * FROM players")) == 1


def test_a_retry_reaches_another_process_and_survives_a_restart(processes: Callable[[], Kontor]) -> None:
    first = register(processes(), key=KEY)
    assert register(processes(), key=KEY) == Registered(first.player, first.token, replayed=True)


def test_a_retry_gets_the_first_answer_even_after_another_name(kontor: Kontor) -> None:
    first = register(kontor, key=KEY)
    kontor.players.rename(caller_of(kontor, first), "Grace")
    assert register(kontor, key=KEY).player == first.player


def test_the_same_key_for_another_request_is_refused(kontor: Kontor) -> None:
    register(kontor, key=KEY, body="one")
    with pytest.raises(KeyReusedError):
        register(kontor, key=KEY, body="two")


def test_a_short_idempotency_key_is_refused(kontor: Kontor) -> None:
    with pytest.raises(MalformedError) as refused:
        register(kontor, key="k" * 15)
    assert refused.value.faults[0].pointer == "/headers/Idempotency-Key"
    assert register(kontor, key="k" * 16).player.name == "Ada"


def test_a_retry_is_answered_for_a_day_and_no_longer(kontor: Kontor, clock: SettableClock) -> None:
    first = register(kontor, key=KEY)
    clock.advance(REPLAY_MS - 1)
    assert register(kontor, key=KEY).token == first.token
    clock.advance(1)
    later = register(kontor, key=KEY)
    assert not later.replayed
    assert (later.player.id != first.player.id, later.token != first.token) == (True, True)
    assert len(kontor.database.read("SELECT * FROM token_requests")) == 1


def test_concurrent_retries_register_one_player(kontor: Kontor) -> None:
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda _: register(kontor, key=KEY), range(8)))
    assert len({(answer.player, answer.token) for answer in answers}) == 1
    assert sorted(answer.replayed for answer in answers) == [False] + [True] * 7
    assert len(kontor.database.read("SELECT * FROM players")) == 1


def test_of_two_stored_retries_the_first_is_the_answer(kontor: Kontor) -> None:
    requests = kontor.tokens.requests
    request = requests.identify("player", "", KEY, "b0d1")
    first = requests.store(request, TokenIds("token 1", "player 1"))
    assert requests.store(request, TokenIds("token 2", "player 2")) == first


def test_another_violated_unique_key_is_not_taken_for_a_retry(kontor: Kontor) -> None:
    made = register(kontor)
    requests = kontor.tokens.requests
    request = requests.identify("player", "", KEY, "b0d1")
    twice = (
        "INSERT INTO players (id, name, bot, created_at) VALUES (?, ?, ?, ?)",
        (made.player.id, "Ada", 0, 0),
    )
    with pytest.raises(IntegrityError):
        requests.store(request, TokenIds("token 2", "player 2"), twice)
    assert requests.find(request) is None


def test_tokens_and_idempotency_keys_are_stored_only_as_hashes(kontor: Kontor) -> None:
    made = register(kontor, key=KEY)
    tables = ("players", "tokens", "token_requests", "settings")
    stored = str([kontor.database.read(f"SELECT * FROM {table}") for table in tables])  # noqa: S608
    assert made.token not in stored
    assert made.token[7:20] not in stored
    assert KEY not in stored
    assert hash_token(made.token) in stored


# --- looking up ---------------------------------------------------------------------------------------------


def test_players_are_looked_up_many_at_once(kontor: Kontor) -> None:
    ada, bob = register(kontor).player, register(kontor, "Bob").player
    assert kontor.players.get_many([ada.id, bob.id, ada.id, "house"]) == {ada.id: ada, bob.id: bob}
    assert kontor.players.get_many([]) == {}


def test_more_ids_than_a_query_takes_are_looked_up_too(kontor: Kontor) -> None:
    ada = register(kontor).player
    assert kontor.players.get_many([*(f"nobody {number}" for number in range(1200)), ada.id]) == {ada.id: ada}


def test_a_missing_player_is_not_found(kontor: Kontor) -> None:
    with pytest.raises(NotFoundError):
        kontor.players.get("nobody")
    assert not kontor.players.exists("nobody")


def test_the_cache_of_names_is_bounded(kontor: Kontor) -> None:
    kontor.players._cache._size = 3
    for number in range(10):
        assert kontor.players.get(register(kontor, f"player {number}").player.id).name == f"player {number}"
        assert len(kontor.players._cache) <= 3


def test_a_clock_set_back_does_not_keep_an_old_name(kontor: Kontor, clock: SettableClock) -> None:
    ada = register(kontor, "Ada").player.id
    assert kontor.players.get_many([ada])[ada].name == "Ada"
    kontor.database.write(("UPDATE players SET name = 'Ada L.'", ()))
    assert kontor.players.get_many([ada])[ada].name == "Ada"
    clock.advance(-3_600_000)
    assert kontor.players.get_many([ada])[ada].name == "Ada L."


# --- renaming and erasing -----------------------------------------------------------------------------------


def test_a_player_can_be_renamed(kontor: Kontor) -> None:
    made = register(kontor)
    renamed = kontor.players.rename(caller_of(kontor, made), "Gra\u0301ce")
    assert renamed == Player(
        made.player.id, "Gr\u00e1ce", bot=False, created_at=Moment(NOON), public_key=None
    )
    assert kontor.players.get(made.player.id) == renamed


def test_an_invalid_new_name_changes_nothing(kontor: Kontor) -> None:
    made = register(kontor)
    with pytest.raises(NameNotAllowedError):
        kontor.players.rename(caller_of(kontor, made), "")
    assert kontor.players.get(made.player.id).name == "Ada"


def test_another_process_shows_a_new_name_within_five_seconds_and_knows_it_at_once(
    processes: Callable[[], Kontor], clock: SettableClock
) -> None:
    here, there = processes(), processes()
    made = register(here)
    player = made.player.id
    assert there.players.get_many([player])[player].name == "Ada"
    here.players.rename(caller_of(here, made), "Grace")
    assert there.players.get(player).name == "Grace"
    clock.advance(5000)
    assert there.players.get_many([player])[player].name == "Grace"


def test_an_erased_player_is_an_id_without_a_name(kontor: Kontor) -> None:
    made = register(kontor)
    kontor.players.erase(caller_of(kontor, made))
    assert kontor.players.get(made.player.id) == Player(
        made.player.id, None, bot=False, created_at=Moment(NOON), public_key=None
    )
    assert not kontor.players.exists(made.player.id)


def test_the_tokens_of_an_erased_player_end_at_once(kontor: Kontor) -> None:
    made = register(kontor)
    kontor.players.erase(caller_of(kontor, made))
    with pytest.raises(UnauthorisedError):
        kontor.tokens.authenticate(made.token)
    assert kontor.database.read("SELECT * FROM tokens") == []


def test_another_process_notices_an_erasure_within_five_seconds(
    processes: Callable[[], Kontor], clock: SettableClock
) -> None:
    here, there = processes(), processes()
    made = register(here)
    caller_of(there, made)
    here.players.erase(caller_of(here, made))
    clock.advance(5000)
    with pytest.raises(UnauthorisedError):
        there.tokens.authenticate(made.token)


def test_a_retry_of_an_erased_registration_is_a_new_one(kontor: Kontor) -> None:
    made = register(kontor, key=KEY)
    kontor.players.erase(caller_of(kontor, made))
    again = register(kontor, key=KEY)
    assert not again.replayed
    assert again.player.id != made.player.id


def test_an_erased_player_cannot_be_renamed(kontor: Kontor) -> None:
    made = register(kontor)
    caller = caller_of(kontor, made)
    kontor.players.erase(caller)
    assert kontor.players.rename(caller, "Back").name is None


def test_others_are_erased_by_an_admin_only(kontor: Kontor) -> None:
    made, other = register(kontor), register(kontor, "Rude")
    with pytest.raises(ForbiddenError, match="lacks the scope admin"):
        kontor.players.erase(caller_of(kontor, made), other.player.id)
    admin = kontor.tokens.authenticate(kontor.tokens.issue_admin(made.player.id, "desk", None).text)
    with pytest.raises(NotFoundError):
        kontor.players.erase(admin, "nobody")
    kontor.players.erase(admin, other.player.id)
    assert kontor.players.get(other.player.id).name is None
    assert kontor.players.get(made.player.id).name == "Ada"


# --- accounts per address -----------------------------------------------------------------------------------


def register_from(kontor: Kontor, address: str, key: str | None = None) -> None:
    kontor.players.register("Ada", bot=False, key=key, body="", address=address)


def test_accounts_per_address_and_hour_are_limited_over_all_processes(
    store_url: str, serve: Callable[..., Kontor], clock: SettableClock
) -> None:
    kontors = [serve(store_url, accounts_per_hour=3) for _ in range(2)]
    for number in range(3):
        register_from(kontors[number % 2], "192.0.2.1")
        clock.advance(1000)
    for kontor in kontors:
        with pytest.raises(RateLimitedError, match="At most 3 accounts can be created per hour") as refused:
            register_from(kontor, "192.0.2.1")
        assert refused.value.retry_after_ms == 3_600_000 - 3000
    register_from(kontors[0], "192.0.2.2")
    clock.advance(3_600_000 - 3000)
    register_from(kontors[0], "192.0.2.1")


def test_a_retry_is_neither_counted_nor_limited(store_url: str, serve: Callable[..., Kontor]) -> None:
    kontor = serve(store_url, accounts_per_hour=1)
    for _ in range(3):
        register_from(kontor, "192.0.2.1", key="a key that is hard to guess")


def test_addresses_are_stored_as_keyed_hashes_for_an_hour(
    store_url: str, serve: Callable[..., Kontor], clock: SettableClock
) -> None:
    kontor = serve(store_url)
    register_from(kontor, "192.0.2.1")
    clock.advance(3_600_000)
    register_from(kontor, "2001:db8::1")
    rows = kontor.database.read("SELECT address FROM registrations")
    assert [len(row["address"]) for row in rows] == [64]


def test_a_key_is_registered_with_a_proof_that_names_its_player(kontor: Kontor) -> None:
    ada, key = caller_of(kontor, register(kontor)), PlayerKey("Ada")
    with pytest.raises(KeyProofInvalidError):
        kontor.players.set_key(ada, key.public, key.proof("somebody else"))
    assert kontor.players.get(ada.player).public_key is None
    assert kontor.players.set_key(ada, key.public, key.proof(ada.player)).public_key == key.public
    assert kontor.players.remove_key(ada).public_key is None
