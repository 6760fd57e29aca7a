"""A rule changes: matches of both versions are played, stored, exported and verified in one database."""

from collections.abc import Callable

from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.codec import Plain
from kontor_games.service.kontor import Kontor
from kontor_games.service.trust.verifier import verify
from tests.service.tables import ME, OPEN, Guest
from tests.support.auditing import audit_all
from tests.support.forging import lines_of
from tests.support.releases import Drill, Release, every_drill, release

__all__ = ["release"]

MOVES = 60


def begin(drill: Drill, guests: list[Guest]) -> str:
    """A match with a known deal, under the current version of the rules."""
    match_id = guests[0].create(ME, *[OPEN] * (len(guests) - 1), game=drill.game.id, seed="drill")
    for guest in guests[1:]:
        guest.join(match_id)
    return match_id


def play_on(match_id: str, guests: list[Guest], moves: int = MOVES) -> None:
    """Legal moves drawn at random, the same ones wherever the same moves are legal."""
    for number in range(moves):
        match = guests[0].look(match_id).match
        if match.over:
            return
        legal = guests[match.to_act[0]].legal(match_id)
        draws = Seeded(seed_from("moves")).draws("walk", number)
        guests[match.to_act[0]].play(match_id, legal[draws.below(len(legal))])


def break_off(match_id: str, guests: list[Guest]) -> None:
    for guest in guests:
        if not guest.look(match_id).match.over:
            guest.abort(match_id)


def lines_of_verified(service: Kontor, match_id: str) -> list[Plain]:
    """The lines of the public export, which the verifier accepts whole."""
    content = service.exports.export(None, match_id)
    assert verify(content, [key.plain() for key in service.signer.public_keys()]).complete
    return lines_of(content)


@every_drill
def test_both_versions_are_played_and_verified_side_by_side(
    drill: Drill, release: Release, serve: Callable[..., Kontor], store_url: str
) -> None:
    release(drill, drill.first)
    before = serve(store_url)
    old_guests = [Guest(before) for _ in range(drill.game.rules().seat_counts[0])]
    whole, interrupted = begin(drill, old_guests), begin(drill, old_guests)
    play_on(whole, old_guests)
    play_on(interrupted, old_guests, moves=3)
    break_off(whole, old_guests)

    release(drill, drill.first, drill.second)
    after = serve(store_url)
    guests = [guest.at(after) for guest in old_guests]
    new = begin(drill, guests)
    for match_id in (new, interrupted):
        play_on(match_id, guests)
        break_off(match_id, guests)

    files = [lines_of_verified(after, match_id) for match_id in (whole, interrupted, new)]
    assert [lines[0]["ruleset"]["version"] for lines in files] == [1, 1, 2]
    facts = [[line["fact"] for line in lines[2:-1]] for lines in files]
    assert facts[0] != facts[2], "the rule that changed made no difference"
    report = audit_all(after)
    assert (report.games, report.problems) == ({drill.game.id: 3}, [])

    release(drill, drill.edited, drill.second)
    noticed = {match_id for match_id, _ in audit_all(after).problems}
    assert noticed == {whole, interrupted}, (
        "a rule that is edited in place spoils the matches played by it, and no others"
    )
