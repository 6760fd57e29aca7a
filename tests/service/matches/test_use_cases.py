"""Every use case of a match, on both stores: what it stores, what it answers, what it refuses."""

from functools import partial
from typing import Any

import msgspec
import pytest

from kontor_games.domain.codec import SPECTATOR, MalformedError
from kontor_games.domain.commands import Abort, Leave, Resign, Start
from kontor_games.domain.game import NotYourTurnError, Refusal
from kontor_games.domain.match import Match
from kontor_games.domain.match_facts import AbortWanted, MatchAborted, MatchFinished, SeatResigned
from kontor_games.domain.match_refusals import MatchNotRunningError, NotSeatedError
from kontor_games.domain.stream import Command
from kontor_games.service.errors import NotFoundError, StaleVersionError
from kontor_games.service.matches.match_spec import SeatSpec
from kontor_games.service.matches.use_cases import Call
from tests.domain.toy.games.fair.facts.rounds import CardLaid
from tests.domain.toy.games.fair.refusals import NotYourCardError
from tests.service.conftest import SettableClock
from tests.service.tables import (
    ME,
    OPEN,
    LocalPlayer,
    fair_state,
    logged_facts,
    play_to_the_end,
    start_match,
    stored_rows,
)

NOBODY = "aaaaaaaa-0000-4000-8000-00000000000a"


def test_a_move_answers_with_its_facts_and_the_match_after_them(one: LocalPlayer, other: LocalPlayer) -> None:
    match_id = start_match(one, other)
    before = one.read_match(match_id).match
    card = one.legal(match_id)[0]["card"]
    answer = one.play(match_id, {"type": "lay_card", "card": card})
    assert answer.facts == (CardLaid(0, card),)
    assert (answer.first, answer.match.version, answer.viewer) == (before.version + 1, before.version + 1, 0)
    assert answer.head == one.read_match(match_id).head
    assert fair_state(before).laid == [None, None], "a match that was returned never changes"


def test_several_moves_are_one_command(one: LocalPlayer, other: LocalPlayer) -> None:
    match_id = start_match(one, other)
    one.play(match_id)
    other.play(match_id)
    holder = next(
        g
        for g in (one, other)
        if fair_state(one.read_match(match_id).match).holder == g.read_match(match_id).viewer
    )
    hand = fair_state(holder.read_match(match_id).match).hands[holder.read_match(match_id).viewer]
    rows = len(stored_rows(one.kontor, match_id))
    offers = [{"type": "offer_card", "card": hand[0], "price": price} for price in (3, 2)]
    assert [fact.type for fact in holder.play(match_id, *offers).facts] == ["offer_made", "offer_made"]
    assert len(stored_rows(one.kontor, match_id)) == rows + 1


def test_several_moves_are_made_together_or_not_at_all(one: LocalPlayer, other: LocalPlayer) -> None:
    match_id = start_match(one, other)
    version = one.read_match(match_id).match.version
    good = one.legal(match_id)[0]
    with pytest.raises(NotYourTurnError) as refused:
        one.play(match_id, good, good)
    assert refused.value.index == 1
    assert one.read_match(match_id).match.version == version


def test_a_refused_move_says_which_rule_and_stores_nothing(one: LocalPlayer, other: LocalPlayer) -> None:
    match_id = start_match(one, other)
    rows = stored_rows(one.kontor, match_id)
    with pytest.raises(NotYourCardError) as refused:
        one.play(match_id, {"type": "lay_card", "card": 999})
    assert (refused.value.code, refused.value.rule) == ("not_your_card", "T-3")
    assert stored_rows(one.kontor, match_id) == rows


def test_every_fault_of_every_move_is_named(one: LocalPlayer, other: LocalPlayer) -> None:
    match_id = start_match(one, other)
    moves = [{"type": "lay_card"}, {"type": "fly"}]
    with pytest.raises(MalformedError) as refused:
        one.kontor.matches.play(one.call(), match_id, moves, "/moves/")
    assert [fault.pointer for fault in refused.value.faults] == ["/moves/0/card", "/moves/1/type"]


def test_only_seated_players_can_move(one: LocalPlayer, other: LocalPlayer) -> None:
    match_id = start_match(one, other)
    with pytest.raises(NotSeatedError):
        LocalPlayer(one.kontor).play(match_id, {"type": "close_fair"})


def test_nobody_can_move_before_the_start(one: LocalPlayer) -> None:
    match_id = one.create(ME, OPEN)
    with pytest.raises(MatchNotRunningError):
        one.play(match_id, {"type": "close_fair"})


def test_a_move_decided_on_an_old_version_is_refused_with_the_current_one(
    one: LocalPlayer, other: LocalPlayer
) -> None:
    match_id = start_match(one, other)
    version = one.read_match(match_id).match.version
    one.play(match_id, if_version=version)
    with pytest.raises(StaleVersionError) as refused:
        other.play(match_id, if_version=version)
    assert refused.value.current == version + 1
    other.play(match_id, if_version=version + 1)


@pytest.mark.parametrize("command", [Leave(), Start(), Resign(), Abort()])
def test_every_command_can_be_tied_to_a_version(one: LocalPlayer, command: Command) -> None:
    match_id = one.create(ME, OPEN)
    with pytest.raises(StaleVersionError):
        one.do(match_id, command, if_version=1)


def test_if_one_of_two_players_resigns_the_other_wins(one: LocalPlayer, other: LocalPlayer) -> None:
    match_id = start_match(one, other)
    answer = one.do(match_id, Resign())
    secret = answer.match.created.server_secret
    assert answer.facts == (SeatResigned(0), MatchFinished((2, 1), None, "forfeit", secret))


def test_the_creator_can_abort_before_the_first_move(one: LocalPlayer, other: LocalPlayer) -> None:
    match_id = start_match(one, other)
    assert one.do(match_id, Abort()).facts == (MatchAborted("creator"),)
    with pytest.raises(MatchNotRunningError):
        one.do(match_id, Abort())


def test_after_the_first_move_all_players_must_agree_to_abort(one: LocalPlayer, other: LocalPlayer) -> None:
    match_id = start_match(one, other)
    one.play(match_id)
    with pytest.raises(NotSeatedError):
        LocalPlayer(one.kontor).do(match_id, Abort())
    assert one.do(match_id, Abort()).facts == (AbortWanted(0),)
    assert other.do(match_id, Abort()).facts == (AbortWanted(1), MatchAborted("consent"))


def test_a_whole_match_is_played_and_its_secret_revealed(one: LocalPlayer, other: LocalPlayer) -> None:
    match = play_to_the_end(start_match(one, other), one, other)
    assert match.status == "finished"
    assert match.outcome is not None
    assert match.outcome.server_secret == match.created.server_secret


@pytest.mark.parametrize("wrong", [NOBODY, "nonsense", "", "{" + NOBODY + "}", NOBODY.upper()])
def test_an_unknown_match_is_not_found(one: LocalPlayer, wrong: str) -> None:
    for request in (
        lambda: one.read_match(wrong),
        lambda: one.play(wrong, {"type": "close_fair"}),
        lambda: one.join(wrong),
        lambda: one.kontor.queries.events(one.caller, wrong, 0, 10),
        lambda: one.kontor.matches.dry_run(one.call(), wrong, []),
    ):
        with pytest.raises(NotFoundError, match="There is no such match"):
            request()


def test_a_private_match_of_others_looks_like_a_missing_one(one: LocalPlayer, other: LocalPlayer) -> None:
    match_id = one.create(ME, OPEN, private=True)
    matches, queries = one.kontor.matches, one.kontor.queries
    for who in (other.caller, None):
        for request in (
            partial(queries.show, who, match_id),
            partial(queries.show, who, match_id, 1),
            partial(queries.events, who, match_id, 0, 10),
        ):
            with pytest.raises(NotFoundError, match="There is no such match"):
                request()
    for command in (Leave(), Start(), Resign(), Abort()):
        with pytest.raises(NotFoundError, match="There is no such match"):
            other.do(match_id, command)
    for call in (
        lambda: other.join(match_id),
        lambda: other.play(match_id, {"type": "close_fair"}),
        lambda: matches.dry_run(other.call(), match_id, [{"type": "close_fair"}]),
    ):
        with pytest.raises(NotFoundError, match="There is no such match"):
            call()


def test_the_players_of_a_private_match_see_it(one: LocalPlayer) -> None:
    ada = one.kontor.players.register("Ada", bot=False, key=None, body="")
    player = LocalPlayer(one.kontor, one.kontor.tokens.authenticate(ada.token))
    match_id = one.create(OPEN, SeatSpec("invited", player=player.id), private=True)
    assert one.read_match(match_id).viewer == SPECTATOR
    assert player.read_match(match_id).viewer == SPECTATOR
    assert player.join(match_id).viewer == 1


def test_a_dry_run_stores_nothing(one: LocalPlayer, other: LocalPlayer) -> None:
    match_id = start_match(one, other)
    rows = stored_rows(one.kontor, match_id)
    before = one.read_match(match_id).match
    assert one.kontor.matches.dry_run(one.call(), match_id, one.legal(match_id)[:1]).version == before.version
    assert one.read_match(match_id).match is before
    assert stored_rows(one.kontor, match_id) == rows
    with pytest.raises(NotYourCardError):
        one.kontor.matches.dry_run(one.call(), match_id, [{"type": "lay_card", "card": 999}])
    with pytest.raises(StaleVersionError):
        one.kontor.matches.dry_run(one.call(if_version=1), match_id, one.legal(match_id)[:1])


def test_a_dry_run_shows_certain_facts_and_stops_before_hidden_ones(
    one: LocalPlayer, other: LocalPlayer
) -> None:
    match_id = start_match(one, other)
    one.play(match_id)
    laying = other.legal(match_id)[0]
    tried = other.kontor.matches.dry_run(_in_english(other), match_id, [laying])
    laid = [{"type": "card_laid", "seat": 1, "card": laying["card"]}]
    assert (tried.facts, len(tried.texts or ()), tried.complete) == (laid, 1, False), (
        "the cards are turned up after it"
    )
    view: Any = tried.view
    assert view["seats"][1]["card"] == laying["card"]
    assert "card" not in view["seats"][0], "what the other has laid is not shown yet"


def _in_english(player: LocalPlayer) -> Call:
    return msgspec.structs.replace(player.call(), language="en")


def test_a_dry_run_of_several_moves_reveals_no_random_values(one: LocalPlayer, other: LocalPlayer) -> None:
    match_id = start_match(one, other)
    one.play(match_id)
    other.play(match_id)
    match = one.read_match(match_id).match
    holder = one if fair_state(match).holder == 0 else other
    seat = match.seat_of(holder.id)
    drawn = fair_state(match).pile[-1 - seat]  # the card that closing the fair would bring
    tries = [
        _is_allowed(holder, match_id, {"type": "close_fair"}, {"type": "lay_card", "card": drawn})
        for _ in range(30)
    ]
    assert not all(tries), "the redrawn card is the true one only sometimes"


def _is_allowed(player: LocalPlayer, match_id: str, *moves: dict[str, object]) -> bool:
    try:
        player.kontor.matches.dry_run(player.call(), match_id, moves)
    except Refusal:
        return False
    return True


def test_every_earlier_version_can_be_read(one: LocalPlayer, other: LocalPlayer) -> None:
    match_id = start_match(one, other)
    end = play_to_the_end(match_id, one, other)
    growing = Match()
    for logged in logged_facts(one.kontor, match_id):
        growing.fold_fact(logged.fact)
        look = one.read_match(match_id, logged.version)
        assert (look.match.version, look.match.status) == (logged.version, growing.status)
        if growing.begun:
            assert look.match.state.digest() == growing.state.digest()
    assert growing.state.digest() == end.state.digest()
    for wrong in (0, end.version + 1, -1):
        with pytest.raises(NotFoundError, match=f"versions 1 to {end.version}"):
            one.read_match(match_id, wrong)


def test_events_come_in_pages_without_gaps(one: LocalPlayer, other: LocalPlayer) -> None:
    match_id = start_match(one, other)
    end = play_to_the_end(match_id, one, other)
    seen: list[int] = []
    while page := one.kontor.queries.events(None, match_id, seen[-1] if seen else 0, 4).events:
        assert len(page) <= 4
        seen += [event.version for event in page]
    assert seen == list(range(1, end.version + 1))


def test_times_never_go_backwards_even_if_the_clock_does(
    one: LocalPlayer, other: LocalPlayer, clock: SettableClock
) -> None:
    match_id = start_match(one, other)
    began = one.read_match(match_id).match.at
    clock.advance(-5000)
    assert one.play(match_id).at == began
