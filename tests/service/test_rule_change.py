"""A rule changes: matches of both versions are played, stored, exported and verified in one database."""

from collections.abc import Callable

import pytest

from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.codec import Plain
from kontor_games.service.kontor import Kontor
from kontor_games.service.trust.verifier import verify
from tests.service.tables import ME, OPEN, LocalPlayer
from tests.support.auditing import audit_all
from tests.support.forging import lines_of
from tests.support.releases import Release, RuleChange, for_each_rule_change, release

pytestmark = [pytest.mark.slow, pytest.mark.untraced]

__all__ = ["release"]

MOVES = 60


def create_match(rule_change: RuleChange, players: list[LocalPlayer]) -> str:
    """Start a match with an open seed, under the newest version of the rules."""
    match_id = players[0].create(ME, *[OPEN] * (len(players) - 1), game=rule_change.game.id, seed="drill")
    for player in players[1:]:
        player.join(match_id)
    return match_id


def play_on(match_id: str, players: list[LocalPlayer], moves: int = MOVES) -> None:
    """Make pseudo-random legal moves: the same ones wherever the same moves are legal."""
    for number in range(moves):
        match = players[0].read_match(match_id).match
        if match.over:
            return
        legal = players[match.to_act[0]].legal(match_id)
        draws = Seeded(seed_from("moves")).draws("walk", number)
        players[match.to_act[0]].play(match_id, legal[draws.below(len(legal))])


def abort_match(match_id: str, players: list[LocalPlayer]) -> None:
    for player in players:
        if not player.read_match(match_id).match.over:
            player.abort(match_id)


def verified_lines(service: Kontor, match_id: str) -> list[Plain]:
    """Return the lines of the public export, after the verifier has accepted it."""
    content = service.exports.export(None, match_id)
    assert verify(content, [key.plain() for key in service.signer.public_keys()]).complete
    return lines_of(content)


@for_each_rule_change
def test_both_versions_are_played_and_verified_side_by_side(
    rule_change: RuleChange, release: Release, serve: Callable[..., Kontor], store_url: str
) -> None:
    release(rule_change, rule_change.first)
    before = serve(store_url)
    old_players = [LocalPlayer(before) for _ in range(rule_change.game.rules().seat_counts[0])]
    whole, interrupted = create_match(rule_change, old_players), create_match(rule_change, old_players)
    play_on(whole, old_players)
    play_on(interrupted, old_players, moves=3)
    abort_match(whole, old_players)

    release(rule_change, rule_change.first, rule_change.second)
    after = serve(store_url)
    players = [player.at(after) for player in old_players]
    new = create_match(rule_change, players)
    for match_id in (new, interrupted):
        play_on(match_id, players)
        abort_match(match_id, players)

    files = [verified_lines(after, match_id) for match_id in (whole, interrupted, new)]
    assert [lines[0]["ruleset"]["version"] for lines in files] == [1, 1, 2]
    facts = [[line["fact"] for line in lines[2:-1]] for lines in files]
    assert facts[0] != facts[2], "the rule that changed made no difference"
    report = audit_all(after)
    assert (report.games, report.problems) == ({rule_change.game.id: 3}, [])

    release(rule_change, rule_change.edited, rule_change.second)
    noticed = {match_id for match_id, _ in audit_all(after).problems}
    assert noticed == {whole, interrupted}, (
        "a rule that is edited in place invalidates the matches played with it, and no others"
    )
