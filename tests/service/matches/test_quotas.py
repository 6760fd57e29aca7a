"""Quotas of open and running matches, and who may invite whom."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from kontor_games.domain.commands import Abort, Resign
from kontor_games.service.errors import ForbiddenError
from kontor_games.service.kontor import Kontor
from kontor_games.service.matches.branches import BranchSpec
from kontor_games.service.matches.invitations import InvitationNotWelcomeError
from kontor_games.service.matches.match_spec import SeatSpec
from kontor_games.service.matches.quotas import Quota, QuotaReachedError
from kontor_games.service.people.players import InvitationsFrom
from kontor_games.service.people.tokens import Caller
from tests.service.tables import ME, OPEN, LocalPlayer, bot, fair_spec, new_caller, start_match


@pytest.fixture
def kontor(new_process: Callable[..., Kontor]) -> Kontor:
    """A service in which a player may have two open and three running matches."""
    return new_process(open_matches=2, running_matches=3)


def register_player(kontor: Kontor, name: str) -> LocalPlayer:
    token = kontor.players.register(name, bot=False, key=None, body="").token
    return LocalPlayer(kontor, kontor.tokens.authenticate(token))


# --- quotas -------------------------------------------------------------------------------------------------


def test_open_matches_are_counted_until_they_start_or_end(kontor: Kontor) -> None:
    ann = LocalPlayer(kontor)
    first, _ = (ann.create(ME, OPEN) for _ in range(2))
    assert kontor.matches.quotas.of(ann.caller.player) == (Quota("open", 2, 2), Quota("running", 0, 3))
    with pytest.raises(QuotaReachedError, match="2 matches that are open, and may have 2"):
        ann.create(ME, OPEN)
    LocalPlayer(kontor).create(ME, OPEN)
    kontor.matches.execute(ann.call(), first, Abort())
    ann.create(ME, OPEN)


def test_running_matches_are_counted_branches_too(kontor: Kontor) -> None:
    ann = LocalPlayer(kontor)
    matches = [ann.create(ME, bot()) for _ in range(3)]
    with pytest.raises(QuotaReachedError, match="3 matches that are running, and may have 3"):
        ann.create(ME, bot())
    ann.do(matches[0], Resign())
    match = ann.read_match(matches[0]).match
    branch = kontor.branches.branch(ann.call(), matches[0], BranchSpec(match.version - 1))
    assert branch.position.status == "running"
    with pytest.raises(QuotaReachedError):
        kontor.branches.branch(ann.call(), matches[0], BranchSpec(match.version - 1))


def test_a_retry_is_answered_although_the_quota_is_used_up(kontor: Kontor) -> None:
    ann = LocalPlayer(kontor)
    first = ann.create(ME, OPEN, key="the same")
    ann.create(ME, OPEN)
    assert ann.create(ME, OPEN, key="the same") == first


def test_requests_at_the_same_time_do_not_exceed_a_quota(kontor: Kontor) -> None:
    ann = LocalPlayer(kontor)

    def create(_: int) -> bool:
        try:
            ann.create(ME, OPEN)
        except QuotaReachedError:
            return False
        return True

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(create, range(16)))
    used = kontor.matches.quotas.of(ann.caller.player)[0].used
    assert used <= 2, "all can be refused if they overlap"
    assert kontor.matches.quotas._creating == {}
    assert [create(number) for number in range(3 - used)] == [True] * (2 - used) + [False]


# --- scopes -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("scope", "seats"), [("play", (OPEN, OPEN)), ("organise", (ME, OPEN))])
def test_a_match_for_oneself_needs_play_and_one_for_others_organise(
    kontor: Kontor, scope: str, seats: tuple[SeatSpec, ...]
) -> None:
    player = LocalPlayer(kontor, Caller(new_caller().player, bot=False, scopes=frozenset({scope}), token=""))
    with pytest.raises(ForbiddenError, match="lacks the scope"):
        kontor.matches.create(player.call(), fair_spec(*seats))


# --- invitations --------------------------------------------------------------------------------------------


def invite(inviter: LocalPlayer, invited: LocalPlayer) -> str:
    return inviter.create(ME, SeatSpec("invited", player=invited.caller.player))


def accept(player: LocalPlayer, whom: InvitationsFrom) -> None:
    player.kontor.players.accept_invitations_from(player.caller, whom)


def test_everyone_may_invite_unless_the_player_says_otherwise(kontor: Kontor) -> None:
    ann, ben = register_player(kontor, "Ann"), register_player(kontor, "Ben")
    invite(ann, ben)
    accept(ben, "nobody")
    with pytest.raises(InvitationNotWelcomeError, match="accepts no invitations"):
        invite(ann, ben)
    accept(ben, "everyone")
    invite(ann, ben)


def test_players_have_met_if_they_took_part_in_a_match_that_started(kontor: Kontor) -> None:
    ann, ben, cid = (register_player(kontor, name) for name in ("Ann", "Ben", "Cid"))
    accept(ben, "met")
    with pytest.raises(InvitationNotWelcomeError, match="only from those they have played with"):
        invite(ann, ben)
    start_match(cid, ben)
    invite(cid, ben)
    with pytest.raises(InvitationNotWelcomeError):
        invite(ann, ben)
    ann.join(waiting := ben.create(ME, OPEN, OPEN))
    with pytest.raises(InvitationNotWelcomeError):
        invite(ann, ben)
    cid.join(waiting)
    invite(ann, ben)


def test_a_player_may_always_reserve_a_seat_for_themselves(kontor: Kontor) -> None:
    ann = register_player(kontor, "Ann")
    accept(ann, "nobody")
    ann.create(SeatSpec("invited", player=ann.caller.player), OPEN)


def test_erasure_resets_the_setting(kontor: Kontor) -> None:
    ann = register_player(kontor, "Ann")
    accept(ann, "nobody")
    kontor.erase(ann.caller)
    assert kontor.players.invitations_from(ann.caller.player) == "everyone"
