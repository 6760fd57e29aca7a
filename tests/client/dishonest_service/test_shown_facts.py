"""An operator who shows a player something else than is recorded: the client signs nothing and stops."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from kontor_client import Kontor, RefusedError, UntrustedServiceError
from kontor_games.domain.commands import Join
from kontor_games.domain.games import installed_games
from kontor_games.domain.match_refusals import NotDueError
from kontor_games.service.matches import rematches
from kontor_games.service.store.match_cache import CachedMatch
from tests.client.dishonest_service.cheating_operator import Operator
from tests.client.tables import GAMES, create_bot_match, create_open_match, fewest_seats

GAME = GAMES[-1]
Records = list[dict[str, Any]]


def another_fact(records: Records) -> Records:
    return [*records[:-1], {**records[-1], "fact": {**records[-1]["fact"], "seat": 99}}]


def another_author(records: Records) -> Records:
    return [*records[:-1], {**records[-1], "by": "00000000-0000-4000-8000-000000000000"}]


def one_dropped(records: Records) -> Records:
    return records[:1] + records[2:]


def without_record(records: Records) -> Records:
    return [None, *records[1:]]  # type: ignore[list-item]


def another_commitment(records: Records) -> Records:
    return [{**one, "sealed": dict.fromkeys(one["sealed"], "0" * 64)} for one in records]


def other_terms(records: Records) -> Records:
    if records[0]["version"] != 1:
        return records
    return [{**records[0], "fact": {**records[0]["fact"], "practice": True}}, *records[1:]]


MODES: dict[str, tuple[Callable[[Records], Records], str]] = {
    "another fact": (another_fact, "does not match its record|another fact than it records"),
    "another author": (another_author, "does not match its record"),
    "a fact dropped": (one_dropped, "do not form a chain|names a version|another fact"),
    "no record": (without_record, "does not show the record"),
    "another commitment": (another_commitment, "does not match its"),
    "other terms": (other_terms, "the terms that were announced"),
}


@pytest.mark.parametrize("mode", MODES)
def test_a_player_signs_only_what_follows_from_the_facts(operator: Operator, ben: Kontor, mode: str) -> None:
    change, problem = MODES[mode]
    honest = operator.kontor.exports.records

    def records(*given: Any) -> Records:
        shown = change(honest(*given))
        return shown + shown[-1:] * (len(honest(*given)) - len(shown))

    operator.patch.setattr(operator.kontor.exports, "records", records)
    with pytest.raises(UntrustedServiceError, match=problem):
        create_bot_match(ben, GAME)


def test_another_fact_in_the_stream_than_in_the_record_is_noticed(operator: Operator, ben: Kontor) -> None:
    match = create_bot_match(ben, GAME)
    honest = operator.kontor.queries.events

    def events(*given: Any) -> Any:
        found = honest(*given)
        for one in found.events:
            one.fact["type"] = "seat_left" if one.fact["type"] == "seat_taken" else one.fact["type"]
        return found

    operator.patch.setattr(operator.kontor.queries, "events", events)
    turn = ben.match(match.id)
    with pytest.raises(UntrustedServiceError, match="another fact than it records"):
        ben.resign(turn.id)


def test_a_head_of_another_history_is_not_signed(operator: Operator, ben: Kontor) -> None:
    """The operator shows true facts, and asks for a signature over the head of other ones."""
    match = create_bot_match(ben, GAME)
    turn = next(ben.turns(match.id))
    ben._positions[match.id] = turn.version, "0" * 64
    with pytest.raises(UntrustedServiceError, match="does not follow from the facts"):
        ben.play(turn.id, turn.legal_moves[-1])


def test_the_facts_that_were_shown_are_kept_and_checked_again(operator: Operator, ben: Kontor) -> None:
    match = create_bot_match(ben, GAME)
    turn = next(ben.turns(match.id))
    ben.play(turn.id, turn.legal_moves[-1])
    evidence = ben._checks.evidence(match.id)
    assert evidence is not None
    kept = list(evidence.lines("facts.ndjson"))
    assert [one["version"] for one in kept] == list(range(1, len(kept) + 1))
    assert len(kept) >= turn.version
    with Kontor(operator.url) as again:  # another run, with the same files
        again.sign_in("Ben")
        turn = next(again.turns(match.id))
        again.play(turn.id, turn.legal_moves[-1])
        again.resign(match.id)


TERMS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "unsigned": ({"signed": True}, {"signed": False}),
    "public": ({"private": True}, {"private": False}),
    "without a clock": ({"clock": {"kind": "per_move", "ms": 60_000}}, {"clock": {"kind": "none"}}),
    "another clock": (
        {"clock": {"kind": "per_move", "ms": 60_000}},
        {"clock": {"kind": "per_move", "ms": 30_000}},
    ),
    "a clock": ({}, {"clock": {"kind": "per_move", "ms": 30_000}}),
    "practice": ({}, {"practice": True}),
    "no forfeits": ({"on_timeout": "forfeit"}, {"on_timeout": "bot"}),
    "private": ({}, {"private": True}),
    "no programs": ({"meet_bots": True}, {"meet_bots": False}),
    "tags": ({"tags": ["mine"]}, {"tags": ["theirs"]}),
    "started by hand": ({"autostart": True}, {"autostart": False}),
}


@pytest.mark.parametrize("mode", TERMS)
def test_other_terms_than_were_requested_are_refused(operator: Operator, ben: Kontor, mode: str) -> None:
    requested, made = TERMS[mode]
    create_open_match(ben, GAME, **requested)
    honest = operator.kontor.matches.create
    operator.patch.setattr(
        operator.kontor.matches, "create", lambda call, spec: honest(call, replace(spec, **made))
    )
    with pytest.raises(UntrustedServiceError, match="other terms than you requested"):
        create_open_match(ben, GAME, **requested)


def test_other_terms_of_a_rematch_are_refused(operator: Operator, ben: Kontor) -> None:
    match = create_bot_match(ben, GAME)
    ben.resign(match.id)
    honest = rematches._spec
    operator.patch.setattr(rematches, "_spec", lambda *given: replace(honest(*given), practice=True))
    with pytest.raises(UntrustedServiceError, match="other terms than you requested: practice"):
        ben.rematch(match.id)


def test_other_terms_of_one_of_many_matches_are_refused(operator: Operator, ben: Kontor) -> None:
    seats = [{"type": "me"}, {"type": "open"}, {"type": "bot", "bot": "random"}]
    wanted = {"game": GAME, "seats": seats[: fewest_seats(GAME)], "signed": False}
    assert [one["status"] for one in ben.create_matches([wanted] * 2)] == [201, 201]
    honest = operator.kontor.matches.create
    operator.patch.setattr(
        operator.kontor.matches, "create", lambda call, spec: honest(call, replace(spec, practice=True))
    )
    with pytest.raises(UntrustedServiceError, match="other terms than you requested: practice"):
        ben.create_matches([wanted])


def test_a_data_set_is_requested_as_an_option(operator: Operator, ben: Kontor) -> None:
    game = installed_games()["europe"]
    create_open_match(ben, game.id, options={game.data_option: "short"})
    honest = operator.kontor.matches.create
    operator.patch.setattr(
        operator.kontor.matches,
        "create",
        lambda call, spec: honest(call, replace(spec, options={game.data_option: "expert"})),
    )
    with pytest.raises(UntrustedServiceError, match="other terms than you requested: options"):
        create_open_match(ben, game.id, options={game.data_option: "short"})


CHANGED: dict[str, tuple[Callable[[Operator, Any, Any], Any], str]] = {
    "open seed": (
        lambda _, seen, chance: msgspec.structs.replace(chance, open_seed="chosen"),
        "other terms than when you first wanted to join",
    ),
    "another secret": (
        lambda operator, seen, chance: operator.with_commitment(seen, chance, "0" * 64),
        "not the one that it signed before you joined",
    ),
}


@pytest.mark.parametrize("mode", CHANGED)
def test_after_a_refusal_the_contribution_is_not_sent_to_a_match_with_other_terms(
    operator: Operator, ada: Kontor, ben: Kontor, mode: str
) -> None:
    """The service knows the contribution already, and would choose the deal."""
    change, problem = CHANGED[mode]
    match = create_open_match(ada, GAME).id

    def be_busy(log: CachedMatch, _: Join) -> None:
        raise NotDueError("Please try again.")

    operator.before_joining(be_busy)
    with pytest.raises(RefusedError):
        ben.join(match)
    operator.change_chance(lambda seen, chance: change(operator, seen, chance))
    attempts = len(operator.joined)
    with pytest.raises(UntrustedServiceError, match=problem):
        ben.join(match)
    assert len(operator.joined) == attempts
