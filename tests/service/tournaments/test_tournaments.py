from collections.abc import Callable
from uuid import UUID

import pytest
from eventsourcing.persistence import IntegrityError

from kontor_games.domain.codec import MalformedError
from kontor_games.domain.commands import Abort
from kontor_games.domain.match_refusals import SignatureRequiredError
from kontor_games.domain.stream import HOUSE, Command, Entry
from kontor_games.domain.tournaments import commands, refusals
from kontor_games.domain.tournaments.facts import EntryOpened
from kontor_games.domain.tournaments.stream import TOURNAMENTS
from kontor_games.service.errors import KeyReusedError, NotFoundError, RecordDamagedError
from kontor_games.service.kontor import Kontor
from kontor_games.service.store import streams
from kontor_games.service.store.streams import StreamCache
from kontor_games.service.trust.tournament_check import verify_tournament
from tests.service.conftest import SettableClock
from tests.service.store.test_damage import edit_row
from tests.service.tables import stored_rows
from tests.service.tournaments.cup import Cup, register_player
from tests.support.entries import append_to


def test_a_tournament_runs_automatically_from_the_start_to_provisional_standings(service: Kontor) -> None:
    cup = Cup(service, 4, rounds=2).start()
    cup.play_on()
    assert cup.state.status == "provisional"
    assert [len(paired.tables) for paired in cup.state.rounds] == [2, 2]
    lines = service.tournaments.standings(cup.id).lines
    assert sum(line.points for line in lines) == 8
    assert {line.player.name for line in lines} == {f"Player {number}" for number in range(4)}
    assert all(line.played == 2 for line in lines)


def test_every_match_is_created_with_the_announced_terms(service: Kontor) -> None:
    clock = {"kind": "per_move", "ms": 60_000, "increment_ms": 0}
    cup = Cup(service, 2, rounds=1, clock=clock, on_timeout="forfeit").start()
    cup.worker.step_all()
    match = cup.players[0].read_match(cup.open_matches()[0]).match
    assert (match.created.creator, match.created.on_timeout, match.created.clock.ms) == (
        HOUSE,
        "forfeit",
        60_000,
    )
    seated = cup.state.unfinished[0].entrants
    assert [plan.player for plan in match.created.seats] == [cup.players[number].id for number in seated]


def test_entrants_find_their_matches_in_the_list_of_matches(service: Kontor) -> None:
    cup = Cup(service, 2, rounds=1).start()
    cup.worker.step_all()
    page = service.queries.page(
        cup.players[1].caller, game=None, status="open", player=cup.players[1].id, cursor=None, limit=5
    )
    assert [one.id for one in page.matches] == cup.open_matches()


def test_a_no_show_is_recorded_after_the_announced_time_and_not_before(
    service: Kontor, clock: SettableClock
) -> None:
    cup = Cup(service, 2, rounds=1, no_show_ms=60_000).start()
    cup.worker.step_all()
    match = cup.open_matches()[0]
    present = cup.players_of(match)[0]
    present.join(match)
    clock.advance(59_999)
    cup.worker.step_all()
    assert cup.state.unfinished != []
    clock.advance(1)
    cup.worker.step_all()
    winner = service.tournaments.standings(cup.id).lines[0]
    assert (winner.player.id, winner.points) == (present.id, 2)
    assert present.read_match(match).match.status == "aborted"


def test_a_match_created_by_a_process_that_then_died_is_used_by_the_next_one(
    service: Kontor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process crash after creating a match, before the tournament records it; the next one records it."""
    cup = Cup(service, 2, rounds=1).start()
    execute = service.tournaments.execute_for_service

    def crash(*given: object) -> None:
        raise KeyboardInterrupt

    cup.worker._next_round(UUID(cup.id))
    monkeypatch.setattr(service.tournaments, "execute_for_service", crash)
    with pytest.raises(KeyboardInterrupt):
        cup.worker.step_all()
    monkeypatch.setattr(service.tournaments, "execute_for_service", execute)
    cup.worker.step_all()
    cup.worker.step_all()
    matches = service.queries.page(
        cup.players[0].caller, game=None, status=None, player=cup.players[0].id, cursor=None, limit=9
    )
    assert [one.id for one in matches.matches] == cup.open_matches()


def test_a_no_show_that_was_only_half_recorded_is_completed(service: Kontor, clock: SettableClock) -> None:
    """A process aborted the match and died before it was recorded in the tournament."""
    cup = Cup(service, 2, rounds=1).start()
    cup.worker.step_all()
    match = cup.open_matches()[0]
    clock.advance(10**9)
    cup.worker._attempt("no-show", match, Abort())
    assert cup.state.unfinished != []
    cup.worker.step_all()
    assert cup.state.status == "provisional"


def test_a_match_aborted_by_its_players_waits_for_an_arbiter(service: Kontor) -> None:
    cup = Cup(service, 2, rounds=1).start()
    cup.worker.step_all()
    match = cup.open_matches()[0]
    players = cup.players_of(match)
    for player in players:
        player.join(match)
    for player in players:
        player.do(match, Abort())
    cup.worker.step_all()
    assert cup.open_matches() == [match]
    cup.act(commands.VoidMatch(match, "both wanted a break"))
    cup.worker.step_all()
    again = cup.open_matches()
    assert len(again) == 1
    assert again != [match]
    cup.play_on()
    assert cup.state.status == "provisional"


def test_the_same_key_gives_the_first_answer_again_and_another_request_is_refused(service: Kontor) -> None:
    cup = Cup(service, 3)
    first = cup.act(commands.OpenEntry(), key="open")
    again = cup.act(commands.OpenEntry(), key="open")
    assert (again.replayed, again.facts, again.receipt) == (True, first.facts, first.receipt)
    other = cup.organiser.call("open", body="other")
    with pytest.raises(KeyReusedError):
        service.tournaments.execute(other, cup.id, commands.OpenEntry())
    announced = service.tournaments.announce(cup.organiser.call("announce"), {})
    assert (announced.details.id, announced.replayed) == (cup.id, True)


def test_two_processes_share_a_tournament(service: Kontor, serve: object, store_url: str) -> None:
    other = serve(store_url)  # type: ignore[operator]
    cup = Cup(service, 3)
    cup.act(commands.OpenEntry())
    for number, player in enumerate(cup.players):
        kontor = (service, other)[number % 2]
        kontor.tournaments.execute(player.call(), cup.id, commands.Enter(bot=False, contribution=""))
    assert other.tournaments.get(None, cup.id).entrants == 3
    assert service.tournaments.get(None, cup.id).entrants == 3


def test_a_refused_command_changes_nothing(service: Kontor) -> None:
    cup = Cup(service, 3)
    before = service.tournaments.get(None, cup.id)
    with pytest.raises(refusals.EntryClosedError):
        cup.act(commands.Enter(bot=False, contribution=""), cup.players[0])
    assert service.tournaments.get(None, cup.id) == before


@pytest.mark.parametrize(
    ("terms", "pointer"),
    [
        ({"game": "nope"}, "/game"),
        ({"seats": 9}, "/seats"),
        ({"points": [1, 2, 3]}, "/points"),
        ({"options": {"cards": "nope"}}, "/options/cards"),
        ({"options": {"nonsense": 1}}, "/options/nonsense"),
        ({"clock": {"kind": "per_move"}}, "/clock/ms"),
        ({"required_witnesses": 3}, "/required_witnesses"),
        ({"rated": True, "admits": "both"}, "/rated"),
        ({"title": ""}, "/title"),
        ({"surprise": 1}, "/surprise"),
    ],
)
def test_impossible_terms_are_refused_with_the_faulty_field(
    service: Kontor, terms: dict[str, object], pointer: str
) -> None:
    organiser = register_player(service, "Olga")
    with pytest.raises(MalformedError) as refused:
        service.tournaments.announce(
            organiser.call(), {"title": "Cup", "game": "fair", "seats": 2, "points": [2, 0], **terms}
        )
    assert pointer in [fault.pointer for fault in refused.value.faults]


def test_a_clock_below_the_smallest_one_is_refused(serve: Callable[..., Kontor], store_url: str) -> None:
    service = serve(store_url, smallest_clock_ms=5000)
    with pytest.raises(MalformedError) as refused:
        Cup(service, 2, clock={"kind": "per_move", "ms": 4999, "increment_ms": 0})
    [fault] = refused.value.faults
    assert (fault.pointer, fault.detail) == ("/clock/ms", "must be at least 5000")


def test_no_answer_contains_the_secret_before_the_end(service: Kontor) -> None:
    cup = Cup(service, 2, rounds=1).start()
    secret = cup.state.announced.server_secret
    cup.worker.step_all()
    tournaments = service.tournaments
    for shown in (
        tournaments.get(cup.organiser.caller, cup.id),
        tournaments.events(cup.id, 0, 1000),
        tournaments.standings(cup.id),
        tournaments.round(cup.id, 1),
    ):
        assert secret not in repr(shown)
    cup.play_on()
    cup.act(commands.Cancel("rain"))
    assert tournaments.get(None, cup.id).chance.server_secret == secret


def test_tournaments_are_listed_newest_first_with_filters_and_cursors(
    service: Kontor, clock: SettableClock
) -> None:
    cups = []
    for _ in range(3):
        cups.append(Cup(service, 2))
        clock.advance(1)
    cups[0].act(commands.OpenEntry())
    cups[0].act(commands.Enter(bot=False, contribution=""), cups[0].players[0])
    every = {"game": None, "status": None, "player": None, "cursor": None, "limit": 2}

    def listed(**changes: object) -> list[str]:
        return [one.id for one in service.tournaments.page(**{**every, **changes}).tournaments]  # type: ignore[arg-type]

    first = service.tournaments.page(**every)  # type: ignore[arg-type]
    assert [one.id for one in first.tournaments] == [cups[2].id, cups[1].id]
    assert listed(cursor=first.next) == [cups[0].id]
    assert listed(status="open") == [cups[0].id]
    assert listed(player=cups[0].players[0].id) == [cups[0].id]
    assert listed(player=cups[1].organiser.id) == [cups[1].id]
    assert listed(game="europe") == []


@pytest.mark.parametrize(
    ("number", "old", "new"),
    [
        pytest.param(0, b'"title":"Cup"', b'"title":"Cop"', id="announcement"),
        pytest.param(2, b'"head":"', b'"head":"0', id="hash"),
        pytest.param(2, b'"type":"enter', b'"type":"inter', id="kind of fact"),
        pytest.param(2, b"{", b"", id="no JSON"),
    ],
)
def test_an_edited_row_stops_the_tournament_until_it_is_repaired(
    service: Kontor, number: int, old: bytes, new: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    damaged, sound = Cup(service, 2).start(), Cup(service, 2).start()
    edit_row(service, damaged.id, number, lambda state: state.replace(old, new, 1))
    version = stored_rows(service, damaged.id)[number]["version"]
    cache = StreamCache(service.store, TOURNAMENTS, 10, 10**6)
    for _ in range(2):
        with pytest.raises(RecordDamagedError) as found:
            cache.get_fresh(damaged.uuid)
        assert found.value.version in (1, version)
    assert cache.get_fresh(sound.uuid).state.status == "running"
    edit_row(service, damaged.id, number, lambda state: state.replace(new, old, 1) if new else b"{" + state)
    monkeypatch.setattr(streams, "DAMAGED_RETRY_S", 0.0)
    assert cache.get_fresh(damaged.uuid).state.version == damaged.state.version


def test_a_row_that_its_author_cannot_have_given_stops_the_tournament(service: Kontor) -> None:
    """Its hash fits: whoever has the password of the service's role can append such a row."""
    cup = Cup(service, 2)
    cached = service.tournaments._cached(cup.id)
    state, organiser = cached.state.copy(), cup.organiser.id
    command, facts = commands.CloseOpening(), (EntryOpened(),)
    entry = Entry(state.version + 1, state.at, organiser, None, command, "key", "", facts)
    state.fold(entry)
    append_to(cached, entry, state)
    with pytest.raises(RecordDamagedError) as found:
        StreamCache(service.store, TOURNAMENTS, 10, 10**6).get(cup.uuid)
    assert (found.value.version, found.value.reason) == (
        entry.first,
        "only the service can give this command",
    )


def test_worker_checkpoints_and_lists_omit_a_damaged_tournament(
    service: Kontor, serve: Callable[[str], Kontor], store_url: str
) -> None:
    damaged, sound = Cup(service, 2).start(), Cup(service, 2).start()
    edit_row(service, damaged.id, 2, lambda state: state.replace(b"{", b"", 1))
    rows, after = stored_rows(service, damaged.id), serve(store_url)
    after.tournament_worker().step_all()
    assert after.tournaments.current(sound.uuid).slots
    assert after.checkpoints.take() is not None
    listed = after.tournaments.page(game=None, status=None, player=None, cursor=None, limit=10)
    assert {one.id for one in listed.tournaments} == {sound.id}
    assert stored_rows(service, damaged.id) == rows


def test_an_unknown_tournament_or_round_is_not_found(service: Kontor) -> None:
    cup = Cup(service, 2)
    for unknown in ("nonsense", "00000000-0000-0000-0000-000000000000"):
        with pytest.raises(NotFoundError):
            service.tournaments.get(None, unknown)
    with pytest.raises(NotFoundError):
        service.tournaments.round(cup.id, 1)


def test_checkpoints_do_not_take_tournaments_for_matches(service: Kontor) -> None:
    cup = Cup(service, 2, rounds=1).start()
    cup.play_on()
    assert service.checkpoints.take() is not None
    leaves = [leaf for leaf in service.checkpoints.leaves() if hasattr(leaf, "match")]
    assert [leaf.match for leaf in leaves] == [*cup.state.slots]


def test_all_matches_of_a_rated_tournament_count_for_the_ladder_except_those_that_were_not_played(
    service: Kontor, clock: SettableClock
) -> None:
    cup = Cup(service, 4, rounds=2, rated=True, admits="people", no_show_ms=1000).start()
    cup.worker.step_all()
    played, absent = cup.open_matches()
    cup.play_match(played)
    clock.advance(1000)
    cup.worker.step_all()
    second_round = cup.open_matches()
    cup.play_on()
    service.rating_projection.count_new()
    rows = service.database.read("SELECT match_id FROM rated_matches WHERE counted = 1")
    assert {row["match_id"] for row in rows} == {played, *second_round}
    assert absent not in second_round
    for player in cup.players:
        cup.act(commands.Acknowledge(), player)
    cup.act(commands.SignOff())
    assert verify_tournament(service.tournament_exports.export(cup.id)).matches == 4


def test_a_ruling_during_a_step_of_the_worker_is_no_error(
    service: Kontor, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = Cup(service, 2, rounds=1).start()
    cup.worker.step_all()
    (match,) = cup.open_matches()
    for player in cup.players_of(match):
        player.join(match)
    execute = service.tournaments.execute_for_service

    def rule_before(tournament_id: UUID, key: str, command: Command) -> None:
        monkeypatch.setattr(service.tournaments, "execute_for_service", execute)
        cup.act(commands.Rule(match, (1, 2), "as agreed"))
        execute(tournament_id, key, command)

    monkeypatch.setattr(service.tournaments, "execute_for_service", rule_before)
    cup.worker.step_all()
    cup.worker.step_all()
    assert (cup.state.status, cup.state.began) == ("provisional", frozenset())


def test_a_version_can_be_stored_only_once(service: Kontor) -> None:
    cup = Cup(service, 2)
    cached = service.tournaments._cached(cup.id)
    with pytest.raises(IntegrityError):
        append_to(cached, cached.entries[0], cached.state)


def test_a_tournament_can_require_signatures_in_all_matches_but_no_witnesses_that_the_service_lacks(
    service: Kontor,
) -> None:
    cup = Cup(service, 2, rounds=1, signed=True)
    with pytest.raises(SignatureRequiredError):
        cup.start()
    cup = Cup(service, 2, rounds=1, signed=True).sign_with_keys().start()
    cup.worker.step_all()
    match = cup.open_matches()[0]
    assert cup.players[0].read_match(match).match.created.signed is True
    with pytest.raises(SignatureRequiredError):
        cup.players[0].join(match)
    with pytest.raises(MalformedError, match="required_witnesses"):
        Cup(service, 2, required_witnesses=1)


@pytest.mark.parametrize("limit", [0, 9000, None])
def test_the_organiser_limits_the_time_that_outages_give_back(service: Kontor, limit: int | None) -> None:
    chosen = {} if limit is None else {"max_returned_ms": limit}
    cup = Cup(service, 2, rounds=1, **chosen).start()
    cup.worker.step_all()
    created = cup.players[0].read_match(cup.open_matches()[0]).match.created
    assert created.max_returned_ms == (24 * 3600_000 if limit is None else limit)


def test_the_organiser_delays_spectators_in_all_matches_and_says_what_it_is_and_when(service: Kontor) -> None:
    about = {"description": "The finals.", "starts_at": 1_772_366_400_000}
    cup = Cup(service, 2, rounds=1, spectator_delay=300, **about).start()
    cup.worker.step_all()
    assert cup.players[0].read_match(cup.open_matches()[0]).match.created.spectator_delay == 300
    terms = cup.state.terms
    assert (terms.description, terms.starts_at) == tuple(about.values())
    with pytest.raises(MalformedError, match="description"):
        Cup(service, 2, description="x" * 1001)
