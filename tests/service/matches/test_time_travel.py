"""Earlier versions: each viewer sees what they could know then; everything is shown after the end."""

from collections.abc import Callable

import pytest

from kontor_games.domain.codec import ARBITER, Plain
from kontor_games.service.errors import NotFoundError
from kontor_games.service.kontor import Kontor
from kontor_games.service.matches.presentation import VisibleMatch
from tests.service.tables import OPEN, LocalPlayer, play_to_the_end, start_match


@pytest.fixture
def read_as(
    service: Kontor, ann: LocalPlayer, ben: LocalPlayer
) -> dict[str, Callable[[str, int | None], VisibleMatch]]:
    """Functions that read a match, by viewer: two players, a spectator and an anonymous caller."""
    stranger = LocalPlayer(service)
    return {
        "ann": ann.read_match,
        "ben": ben.read_match,
        "stranger": stranger.read_match,
        "nobody": lambda match_id, version: service.queries.visible_match(None, match_id, version),
    }


def view(look: VisibleMatch) -> Plain:
    """Return the version, the status, the view and the head that are shown of a match."""
    match = look.match
    return (
        match.version,
        match.status,
        match.rules.view(match.state, match.fact_viewer(look.viewer)) if match.begun else None,
        look.head,
    )


def test_every_version_is_shown_later_as_it_was_shown_then(
    ann: LocalPlayer, ben: LocalPlayer, read_as: dict[str, Callable[..., VisibleMatch]]
) -> None:
    match_id = start_match(ann, ben)
    then: dict[tuple[str, int], Plain] = {}
    while True:
        match = ann.read_match(match_id).match
        for who, look in read_as.items():
            then[who, match.version] = view(look(match_id, None))
        if match.over:
            break
        next(player for player in (ann, ben) if match.seat_of(player.id) in match.to_act).play(match_id)
    for (who, version), seen in then.items():
        assert view(read_as[who](match_id, version)) == seen, (who, version)


def test_hands_stay_hidden_in_the_past_even_when_the_match_is_over(
    ann: LocalPlayer, ben: LocalPlayer, read_as: dict[str, Callable[..., VisibleMatch]]
) -> None:
    match_id = start_match(ann, ben)
    dealt = ann.read_match(match_id).match.version
    play_to_the_end(match_id, ann, ben)
    hands = {
        who: [seat.get("hand") for seat in view(look(match_id, dealt))[2]["seats"]]
        for who, look in read_as.items()
    }
    assert (hands["ann"][0] is not None, hands["ann"][1]) == (True, None)
    assert (hands["ben"][0], hands["ben"][1] is not None) == (None, True)
    assert hands["stranger"] == hands["nobody"] == [None, None]


def test_the_end_shows_everything_to_everybody(
    ann: LocalPlayer, ben: LocalPlayer, read_as: dict[str, Callable[..., VisibleMatch]]
) -> None:
    match_id = start_match(ann, ben)
    last = play_to_the_end(match_id, ann, ben)
    truth = last.rules.view(last.state, ARBITER)
    for look in read_as.values():
        assert view(look(match_id, None))[2] == view(look(match_id, last.version))[2] == truth


def test_a_card_laid_face_down_stays_hidden_at_its_version_although_it_was_turned_up_later(
    ann: LocalPlayer, ben: LocalPlayer
) -> None:
    match_id = start_match(ann, ben)
    laid = ann.play(match_id).match.version
    ben.play(match_id)
    assert "card" in view(ben.read_match(match_id))[2]["seats"][0], "it is face up now"
    assert "card" not in view(ben.read_match(match_id, laid))[2]["seats"][0]
    assert "card" in view(ann.read_match(match_id, laid))[2]["seats"][0]


def test_players_see_the_versions_before_they_joined_as_spectators(
    ann: LocalPlayer, ben: LocalPlayer, service: Kontor
) -> None:
    match_id = ann.create(OPEN, OPEN)
    ann.join(match_id)
    ben.join(match_id)
    assert ben.read_match(match_id, 2).viewer == service.queries.visible_match(None, match_id, 2).viewer == -1
    assert ann.read_match(match_id, 2).viewer == 0


def test_a_version_within_a_command_can_be_read(ann: LocalPlayer, ben: LocalPlayer) -> None:
    match_id = start_match(ann, ben)
    last = ann.read_match(match_id).match.version
    cards = [
        sum(seat["cards"] for seat in seen["seats"])
        for version in range(6, last + 1)
        if (seen := view(ann.read_match(match_id, version))[2])
    ]
    assert cards == sorted(cards)
    assert (cards[0], cards[-1]) == (1, 6)


def test_the_head_of_every_version_is_the_one_that_was_signed(ann: LocalPlayer, ben: LocalPlayer) -> None:
    match_id = start_match(ann, ben)
    answers = [ann.play(match_id), ben.play(match_id)]
    play_to_the_end(match_id, ann, ben)
    for answer in answers:
        assert ben.read_match(match_id, answer.match.version).head == answer.head
    heads = [
        ann.read_match(match_id, version).head
        for version in range(1, ann.read_match(match_id).match.version + 1)
    ]
    assert len(set(heads)) == len(heads)


@pytest.mark.parametrize("version", [0, -1, 9999])
def test_missing_versions_are_not_found(ann: LocalPlayer, ben: LocalPlayer, version: int) -> None:
    match_id = start_match(ann, ben)
    with pytest.raises(NotFoundError, match="The match has versions 1 to"):
        ann.read_match(match_id, version)
