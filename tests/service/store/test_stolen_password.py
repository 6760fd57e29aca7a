"""What somebody can do who has stolen the password of the service's role on PostgreSQL, and what not."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from kontor_games.domain.commands import Join, Play
from kontor_games.domain.player_signatures import signed_text
from kontor_games.domain.stream import Command
from kontor_games.service.errors import RecordDamagedError
from kontor_games.service.kontor import Kontor
from kontor_games.service.matches import use_cases
from kontor_games.service.people.tokens import THE_SERVICE
from tests.service.store.conftest import address_of
from tests.service.tables import ME, OPEN, LocalPlayer, start_match
from tests.support.players import PlayerKey

Start = Callable[..., Kontor]


class SigningPlayer(LocalPlayer):
    """A player who signs every command."""

    key = PlayerKey("ada")

    def signed(self, match_id: str, command: Command) -> Command:
        """Sign a command for the current version of a match."""
        look = self.read_match(match_id)
        text = signed_text(
            match_id, look.match.rules, look.match.version, look.head, self.caller.player, command
        )
        return replace(command, signature=self.key.sign(text))  # type: ignore[type-var]

    def join_signed(self, match_id: str) -> None:
        """Take a seat with the key."""
        self.do(match_id, self.signed(match_id, Join(None, self.caller.bot, "", key=self.key.public)))

    def first_move(self, match_id: str) -> Play:
        """Return a legal move, unsigned."""
        look = self.read_match(match_id)
        return Play((look.match.rules.legal_moves(look.match.state, look.viewer)[0],))


@contextmanager
def without_checks() -> Iterator[None]:
    """Let processes of the thief store commands that the service would refuse; hashes are always right."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(use_cases, "in_signed_form", lambda *given: given[4])
        yield


@pytest.fixture
def thief(start: Start, database_url: str, role: str) -> Kontor:
    """A process of the thief, who knows the password of the role and nothing else."""
    start(database_url, service_role=role)
    return start(address_of(role, database_url))


def begun(kontor: Kontor) -> tuple[str, SigningPlayer, LocalPlayer]:
    """Start a match in which Ada signs and Bela does not, and Ada may move."""
    ada, bela = SigningPlayer(kontor), LocalPlayer(kontor)
    match_id = bela.create(OPEN, ME)
    ada.join_signed(match_id)
    assert 0 in ada.read_match(match_id).match.to_act
    return match_id, ada, bela


def unsigned(match_id: str, ada: SigningPlayer, thief: Kontor) -> None:
    ada.at(thief).do(match_id, ada.first_move(match_id))


def signed_by_the_thief(match_id: str, ada: SigningPlayer, thief: Kontor) -> None:
    impostor = SigningPlayer(ada.kontor, ada.caller)
    impostor.key = PlayerKey("thief")
    ada.at(thief).do(match_id, impostor.signed(match_id, ada.first_move(match_id)))


def by_the_service(match_id: str, ada: SigningPlayer, thief: Kontor) -> None:
    LocalPlayer(thief, THE_SERVICE).do(match_id, replace(ada.first_move(match_id), seat=0))


@pytest.mark.parametrize("forge", [unsigned, signed_by_the_thief, by_the_service])
def test_a_move_that_a_signing_player_did_not_sign_stops_the_match_and_no_other(
    thief: Kontor,
    start: Start,
    database_url: str,
    role: str,
    forge: Callable[[str, SigningPlayer, Kontor], None],
) -> None:
    kontor = start(address_of(role, database_url))
    match_id, ada, bela = begun(kontor)
    sound = start_match(bela, LocalPlayer(kontor))
    with without_checks():
        forge(match_id, ada, thief)
    for process in (kontor, start(address_of(role, database_url))):  # one has it in its cache
        with pytest.raises(RecordDamagedError):
            process.cache.get_fresh(use_cases.match_uuid(match_id))
        with pytest.raises(RecordDamagedError):
            bela.at(process).play(match_id)
        bela.at(process).read_match(sound)


def test_a_match_of_players_who_sign_is_read_by_other_processes(
    thief: Kontor, start: Start, database_url: str, role: str
) -> None:
    kontor = start(address_of(role, database_url))
    match_id, ada, bela = begun(kontor)
    ada.do(match_id, ada.signed(match_id, ada.first_move(match_id)))
    assert bela.at(thief).read_match(match_id).match.version == ada.read_match(match_id).match.version
