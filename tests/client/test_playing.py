"""Everything that a bot needs of the client, tested with the real service."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from hashlib import sha256
from itertools import islice
from typing import Any

import pytest

from kontor_client import Kontor, KontorError, Match, RefusedError
from kontor_games.domain.games import installed_games
from tests.client.service import ROOT, Service
from tests.client.tables import GAMES, ME, OPEN, create_bot_match, create_open_match, fewest_seats


def test_the_client_stays_within_its_limits_of_lines() -> None:
    folder = ROOT / "kontor_client"
    lines = {path.name: len(path.read_text(encoding="utf-8").splitlines()) for path in folder.glob("*.py")}
    assert lines.pop("example_bot.py") <= 75
    assert lines.pop("ed25519.py") <= 200, "needed only without the library `cryptography`"
    checking = ("checks.py", "evidence.py", "export_check.py", "service_keys.py", "shown_facts.py")
    assert sum(lines.pop(name) for name in (*checking, "tournament_checks.py")) <= 1102
    assert sum(lines.values()) < 1674


def test_the_client_needs_nothing_but_python() -> None:
    program = "import sys, kontor_client, kontor_client.example_bot as _; print(*sys.modules, sep='\\n')"
    command = [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r}); {program}"]
    loaded = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    with_startup = subprocess.run(
        [sys.executable, "-I", "-c", "import sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    foreign = {name.partition(".")[0] for name in loaded} - {
        name.partition(".")[0] for name in with_startup.stdout.split()
    }
    assert foreign - {"kontor_client"} <= sys.stdlib_module_names


def test_a_registered_player_acts_with_the_token_from_the_registration(service: Service) -> None:
    with closing(Kontor(service.url)) as first:
        player = first.register("Ada", bot=False)
    assert (player.name, player.bot) == ("Ada", False)
    with closing(Kontor(service.url + "/", player.token)) as later:
        assert create_bot_match(later).data["creator"] == player.id


def test_an_invalid_address_is_refused_at_once() -> None:
    with pytest.raises(ValueError, match="must begin with http"):
        Kontor("localhost:8000")


def test_a_data_set_comes_with_the_data_and_picture_needed_to_draw_it(ada: Kontor) -> None:
    game = next(name for name, title in installed_games().items() if title.draw)
    data = ada.data_set(game, ada.game(game)["data_sets"][0]["name"])
    assert data["derived"].keys() & {"picture", "cards"}
    assert ada.picture(game, data["name"]).startswith("<svg ")


def test_a_repr_is_short_and_contains_no_token(service: Service) -> None:
    with Kontor(service.url) as client:
        player = client.register("Ada")
        match = create_bot_match(client)
        event = next(client.events(match.id))
    assert repr(client) == f"Kontor('{service.url}')"
    assert repr(player) == f"Player(id='{player.id}', name='Ada', bot=True)"
    assert repr(match) == f"Match('{match.id}', 'running', version={match.version}, you=0)"
    assert repr(event) == f"Event('{match.id}', version=1, {event.fact['type']})"


def test_an_error_names_the_wrong_value(ada: Kontor) -> None:
    with pytest.raises(KontorError, match=r" /seats/1/bot: must be one of \w+") as refused:
        ada.create_match(GAMES[0], [{"type": "me"}, {"type": "bot", "bot": "nobody"}])
    assert refused.value.status == 422


def test_an_answer_to_a_move_says_what_can_be_done_next(ada: Kontor) -> None:
    match = create_bot_match(ada)
    turn = next(ada.turns(match.id))
    assert turn.your_turn
    assert turn.view is not None
    after = ada.play(turn.id, turn.legal_moves[-1], turn.version)
    assert after.version == after.data["first"] - 1 + len(after.data["facts"]) > turn.version
    assert ada.last_answers[match.id] == after


def test_the_last_receipt_of_a_match_is_kept(ada: Kontor) -> None:
    turn = next(ada.turns(create_bot_match(ada).id))
    after = ada.play(turn.id, turn.legal_moves[-1], turn.version)
    kept = ada.last_answers[turn.id].receipt
    assert kept is not None
    assert (kept["match"], kept["version"], kept["head"]) == (turn.id, after.version, after.data["head"])
    assert kept["signature"]


def test_two_turns_in_a_row_need_no_request_for_the_match_in_between(ada: Kontor) -> None:
    answers: list[Match] = []
    for turn in islice(ada.turns(create_bot_match(ada, GAMES[-1]).id), 40):
        if answers and answers[-1].your_turn:
            assert turn is answers[-1]
            return
        answers.append(ada.play(turn.id, turn.legal_moves[-1], turn.version))
    pytest.fail("no player moved twice in a row")


@pytest.mark.parametrize("game", GAMES)
def test_a_refusal_says_which_rule_forbids_the_move(ada: Kontor, game: str) -> None:
    turn = next(ada.turns(create_bot_match(ada, game).id))
    plain = [name for name, schema in ada.game(game)["moves"].items() if schema["required"] == ["type"]]
    wrong = next(name for name in plain if name not in {move["type"] for move in turn.legal_moves})
    with pytest.raises(RefusedError) as refused:
        ada.play(turn.id, {"type": wrong})
    assert refused.value.status == 409
    assert refused.value.rule in ada.game(game)["rules_text"]
    assert str(refused.value) == refused.value.problem["detail"]


def test_a_move_that_comes_too_late_is_refused(ada: Kontor) -> None:
    turn = next(ada.turns(create_bot_match(ada).id))
    ada.play(turn.id, turn.legal_moves[-1], turn.version)
    with pytest.raises(RefusedError) as late:
        ada.play(turn.id, turn.legal_moves[-1], turn.version)
    assert (late.value.status, late.value.code) == (412, "stale_version")


def test_an_earlier_version_of_a_match_can_be_read(ada: Kontor) -> None:
    turn = next(ada.turns(create_bot_match(ada).id))
    ada.play(turn.id, turn.legal_moves[-1], turn.version)
    then = ada.match(turn.id, turn.version)
    assert (then.view, then.legal_moves, then.head) == (turn.view, turn.legal_moves, turn.head)


def test_the_positions_of_a_match_can_be_iterated(ada: Kontor) -> None:
    match = create_bot_match(ada, GAMES[-1])
    for turn in ada.turns(match.id):
        ada.play(turn.id, turn.legal_moves[-1], turn.version)
    positions = list(ada.positions(match.id))
    assert [fact for one in positions for fact in one.facts][-1]["type"] == "match_finished"
    for one in positions[:: len(positions) // 5]:
        seen = ada.match(match.id, one.version)
        assert (one.view, one.status, one.to_act) == (seen.view, seen.status, seen.data["to_act"])
    middle = positions[len(positions) // 2].version
    assert [one.version for one in ada.positions(match.id, middle, middle, "arbiter")] == [middle]


def test_a_missing_match_is_an_error_with_a_code(ada: Kontor) -> None:
    with pytest.raises(KontorError) as missing:
        ada.match("00000000-0000-0000-0000-000000000000")
    assert (missing.value.status, missing.value.code) == (404, "not_found")


def test_seats_can_be_taken_left_and_given_up(ada: Kontor, ben: Kontor) -> None:
    match = create_open_match(ada)
    assert ben.join(match.id).you == 1
    assert ben.resign(match.id).over == (fewest_seats(GAMES[0]) == 2)
    other = create_open_match(ada, autostart=False)
    assert ben.join(other.id, 1).you == 1
    assert ben.leave(other.id).you is None
    assert ben.join(other.id).you == 1
    assert ada.start(other.id).status == "running"
    wanted = ada.abort(other.id)  # once a bot has moved, both players must agree
    assert (wanted if wanted.over else ben.abort(other.id)).status == "aborted"


def test_an_invitation_can_be_declined_and_forbidden(ada: Kontor, ben: Kontor) -> None:
    game = GAMES[0]
    seats = [{"type": "me"}, {"type": "invited", "player": ben.me().id}]
    seats += [{"type": "bot", "bot": "greedy"}] * (fewest_seats(game) - 2)
    match = ada.create_match(game, seats)
    declined = ben.decline(match.id)
    assert (declined.data["seats"][1]["type"], declined.data["seats"][1]["invited"]) == ("open", None)
    assert ada.abort(match.id).over
    ben.accept_invitations_from("nobody")
    with pytest.raises(RefusedError) as refused:
        ada.create_match(game, seats)
    assert (refused.value.code, ben.settings()["invitations_from"]) == ("invitation_not_welcome", "nobody")
    ben.accept_invitations_from("everyone")


def test_remote_bots_need_one_request_for_each_decision(service: Service) -> None:
    game = GAMES[-1]
    with ExitStack() as stack:
        bots = [stack.enter_context(service.player(f"Bot {number}")) for number in range(4)]
        match = bots[0].create_match(game, [ME, *[OPEN] * 3])
        for bot in bots[1:]:
            bot.join(match.id)
        requests = [record_requests(bot) for bot in bots]
        with ThreadPoolExecutor(len(bots)) as pool:
            moves = sum(pool.map(lambda bot: play_first_moves(bot, match.id), bots))
    assert moves > 100
    gets = [path for sent in requests for method, path in sent if method == "GET"]
    assert len(gets) <= 5 * len(bots), (
        gets
    )  # the match, its stream (twice if it broke off), the end, the export
    posts = [path for sent in requests for method, path in sent if method == "POST"]
    assert len(posts) <= moves + len(bots)  # if all act at once, a late client signs its move again


def record_requests(bot: Kontor) -> list[tuple[str, str]]:
    """Return a list to which the method and path of every further request of a client are added."""
    sent: list[tuple[str, str]] = []
    send = bot.connection._send

    def record(connection: Any, method: str, path: str, *rest: Any) -> Any:
        sent.append((method, path))
        return send(connection, method, path, *rest)

    bot.connection.__dict__["_send"] = record
    return sent


def play_first_moves(bot: Kontor, match: str) -> int:
    """Make the first move in each turn until the match is over; return how many were made."""
    made = 0
    for turn in bot.turns(match):
        with suppress(RefusedError):  # another player has acted at the same time
            bot.play(match, turn.legal_moves[0], turn.version)
            made += 1
    return made


def test_one_connection_brings_the_turns_of_all_matches(ada: Kontor) -> None:
    matches = {create_bot_match(ada).id for _ in range(2)}
    played = dict.fromkeys(matches, 0)
    with closing(ada.my_turns()) as turns:
        for turn in turns:
            if turn.id in matches:
                ada.play(turn.id, turn.legal_moves[0], turn.version)
                played[turn.id] += 1
            if min(played.values()) >= 5:
                break
    assert min(played.values()) == 5


def test_a_bot_plays_many_matches_over_one_stream_with_few_requests(ada: Kontor) -> None:
    ada.sign_in("Ada of many matches")
    matches = {create_bot_match(ada).id for _ in range(6)}
    played, requests = dict.fromkeys(matches, 0), 0
    with closing(ada.turn_batches()) as batches:
        for turns in batches:
            results = ada.play_many(
                ((turn, turn.legal_moves[0]) for turn in turns), tell="de", brief=requests % 2 == 0
            )
            requests += 1
            for turn, result in zip(turns, results, strict=True):
                assert isinstance(result, Match), result
                assert (result.id, result.receipt is not None) == (turn.id, True)
                assert ("texts" in result.data, result.view is None) == (True, result.brief)
                played[turn.id] += 1
            if min(played.values()) >= 4:
                break
    assert played.keys() == matches
    assert requests < sum(played.values())


def test_refused_moves_of_a_batch_have_a_reason(ada: Kontor) -> None:
    one, two, three = (ada.match(create_bot_match(ada).id) for _ in range(3))
    turns = [next(ada.turns(match.id)) for match in (one, two, three)]
    ada.play(two.id, turns[1].legal_moves[0], turns[1].version)
    many: list[tuple[Match, Any]] = [
        (turns[0], [turns[0].legal_moves[0]]),
        (turns[1], turns[1].legal_moves[0]),
        (turns[2], {"type": "fly"}),
    ]
    made, stale, malformed = ada.play_many(many)
    assert isinstance(made, Match)
    assert made.version > turns[0].version
    assert (type(stale), getattr(stale, "code", "")) == (RefusedError, "stale_version")
    assert (type(malformed), getattr(malformed, "code", "")) == (KontorError, "malformed")
    assert made.your_turn is False or made.legal_moves


def test_lists_of_matches_continue_over_several_pages(ada: Kontor) -> None:
    mine = [create_open_match(ada).id for _ in range(7)]
    me = ada.connection.get("/v1/me")["id"]
    assert [match["id"] for match in ada.matches(player=me, status="open", limit=3)] == mine[::-1]


def test_every_player_contributes_to_the_seed(ada: Kontor, ben: Kontor) -> None:
    match = create_open_match(ada)
    ben.join(match.id, contribution="be" * 32)
    taken = [
        event.fact
        for event in islice(ada.events(match.id), 8)
        if event.fact["type"] == "seat_taken" and not event.fact["bot"]
    ]
    assert len({fact["contribution"] for fact in taken} - {""}) == len(taken)


def test_sealed_contributions_are_opened_as_soon_as_they_are_due(ada: Kontor, ben: Kontor) -> None:
    match = create_open_match(ada, sealed=True, contribution="ad" * 32)
    assert ben.join(match.id).status == "open"
    assert ada.match(match.id).status == "running"
    facts = [event.fact for event in islice(ada.events(match.id), match.version + 4)]
    assert sha256(b"ad" * 32).hexdigest() in [
        fact["contribution"] for fact in facts if fact["type"] == "seat_taken"
    ]
    assert [fact["type"] for fact in facts[-3:]] == [
        "contributions_due",
        "contribution_opened",
        "contribution_opened",
    ]
    assert facts[-1] == {"type": "contribution_opened", "seat": 0, "contribution": "ad" * 32}


def test_a_player_who_follows_a_match_opens_the_contribution_in_time(ada: Kontor, ben: Kontor) -> None:
    match = create_open_match(ada, sealed=True)
    ben.join(match.id)
    with closing(ada.events(match.id, match.version)) as events:
        assert "match_started" in [event.fact["type"] for event in islice(events, 5)]


def test_a_player_who_waits_for_a_turn_opens_the_contribution_in_time(ada: Kontor, ben: Kontor) -> None:
    match = create_open_match(
        ada, sealed=True, clock={"kind": "per_move", "ms": 1000}
    )  # if Ben is first, the service moves for him when his time is up
    ben.join(match.id)
    assert next(ada.turns(match.id)).status == "running"


def test_a_creator_who_starts_a_sealed_match_opens_the_contribution_at_once(ada: Kontor, ben: Kontor) -> None:
    match = create_open_match(ada, sealed=True, autostart=False)
    ben.join(match.id)
    assert ada.start(match.id).status == "open"
    assert ben.match(match.id).status == "running"


def test_a_stream_shows_every_fact_up_to_the_end_and_then_ends(ada: Kontor) -> None:
    match = create_bot_match(ada, GAMES[-1])
    for turn in ada.turns(match.id):
        ada.play(turn.id, turn.legal_moves[-1], turn.version)
    facts = list(ada.events(match.id))
    assert [event.version for event in facts] == list(range(1, ada.match(match.id).version + 1))
    assert facts[-1].fact["type"] == "match_finished"
    assert list(ada.events(match.id, facts[-1].version)) == []
    assert list(ada.turns(match.id)) == []
