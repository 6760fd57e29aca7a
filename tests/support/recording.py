"""Records matches of any game without a database: decided as by the service, signed with known keys."""

from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import asdict

from kontor_games.domain.chain import GENESIS, link
from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.clock import ClockSettings
from kontor_games.domain.codec import SPECTATOR, Plain
from kontor_games.domain.commands import Create, Join, Play
from kontor_games.domain.game import Fact, Move
from kontor_games.domain.games import installed_games
from kontor_games.domain.house_bots import house_move
from kontor_games.domain.match import Match
from kontor_games.domain.match_facts import SALT_VERSION, MatchCreated, PositionSet, SeatPlan, find_rules
from kontor_games.domain.match_stream import MATCHES
from kontor_games.domain.seed import commitment_of
from kontor_games.domain.stream import HOUSE, Command, Entry
from kontor_games.service.ed25519 import key_id
from kontor_games.service.trust.exports import write_export
from kontor_games.service.trust.notes import PublicKey, key_at
from kontor_games.service.trust.signing import Signer

NOON = 1_800_000_000_000
MATCH = "3f2b8a54-52a7-4a6c-9f6e-0c5d2d1e8b77"
OPEN = SeatPlan("open")
_CREATE = Create(takes_seat=False, bot=False, contribution="")


def house_bot(name: str, version: int | None = None) -> SeatPlan:
    """A seat for a house bot; without a version, as in old matches, none is pinned."""
    return SeatPlan("bot", bot=name, bot_version=version)


def pinned_bot(game: str, name: str) -> SeatPlan:
    """A seat for the current version of a house bot, as the service reserves it."""
    return house_bot(name, installed_games()[game].all_bots[name].version)


class KnownKeys(Signer):
    """Signs like the service, with known keys: each is derived from a text and valid from a given time."""

    def __init__(self, *keys: tuple[str, int]) -> None:
        self._private = {
            text: Ed25519PrivateKey.from_private_bytes(sha256(text.encode()).digest()) for text, _ in keys
        }
        self._texts: dict[str, str] = {}
        self._public: list[PublicKey] = []
        for text, valid_from in keys:
            raw = self._private[text].public_key().public_bytes_raw()
            self._public.append(PublicKey(key_id(raw), b64encode(raw).decode(), valid_from))
            self._texts[key_id(raw)] = text

    def public_keys(self) -> list[PublicKey]:
        return list(self._public)

    def published(self) -> list[Plain]:
        """The keys as published at the well-known address."""
        return [key.plain() for key in self._public]

    def sign(self, message: bytes, at: int) -> tuple[str, str]:
        key = key_at(self._public, at)
        assert key is not None
        return key.id, b64encode(self._private[self._texts[key.id]].sign(message)).decode()


KEYS = KnownKeys(("a key that everybody knows", 0))


class Recording:
    """One match, recorded command by command."""

    def __init__(
        self,
        created: MatchCreated,
        command: Create = _CREATE,
        *,
        position: PositionSet | None = None,
        match_id: str = MATCH,
        signer: KnownKeys = KEYS,
    ) -> None:
        self.id = match_id
        self.signer = signer
        self.at = NOON
        self.match = Match()
        self.entries: list[Entry] = []
        facts = command.create(self.match, created, created.creator, self.at, position)
        self._note(created.creator, command, facts)

    def _note(self, by: str, command: Command, facts: Sequence[Fact]) -> None:
        first = self.entries[-1].last + 1 if self.entries else 1
        self.entries.append(
            Entry(first, self.at, by, self.match.acted, command, f"key {first}", "", tuple(facts))
        )

    def do(self, by: str, command: Command, *, after: int = 1000) -> Entry:
        """Record a command, `after` milliseconds after the one before."""
        trial = self.match.copy()
        facts = command.decide(trial, by, self.at + after)
        self.match, self.at = trial, self.at + after
        self._note(by, command, facts)
        return self.entries[-1]

    def join(
        self,
        player: str,
        contribution: str = "",
        *,
        seat: int | None = None,
        bot: bool = False,
        after: int = 1000,
    ) -> Entry:
        return self.do(player, Join(seat, bot, contribution), after=after)

    def play(self, seat: int, *moves: Move, after: int = 1000) -> Entry:
        """Record moves of a seat, by its player or, for a house bot, by the house."""
        taken = self.match.seats[seat]
        assert taken is not None
        by, command = (taken.player, Play(moves)) if taken.house is None else (HOUSE, Play(moves, seat))
        return self.do(by, command, after=after)

    def play_on(self, moves: int = 100_000, seed: str = "", *, after: int = 1000) -> "Recording":
        """Record at most this many random legal moves of any seat that may act."""
        draws = Seeded(seed_from(f"moves {seed}")).draws("walk", len(self.entries))
        for _ in range(moves):
            if not self.match.to_act:
                break
            acting = self.match.may_act if draws.below(3) == 0 else self.match.to_act
            seat = acting[draws.below(len(acting))]
            legal = self.match.rules.legal_moves(self.match.state, seat)
            if legal:
                self.play(seat, legal[draws.below(len(legal))], after=after)
        return self

    def play_with_bots(self, moves: int = 100_000, seed: str = "", *, after: int = 1000) -> "Recording":
        """Record at most this many moves: house bots choose theirs as in the service, players at random."""
        for _ in range(moves):
            if not self.match.to_act:
                break
            if not self.play_bot(after=after):
                people = [seat for seat in self.match.to_act if not self.match.is_house(seat)]
                draws = Seeded(seed_from(f"people {seed}")).draws("walk", self.match.version)
                seat = people[draws.below(len(people))]
                legal = self.match.rules.legal_moves(self.match.state, seat)
                self.play(seat, legal[draws.below(len(legal))], after=after)
        return self

    def play_bot(self, *, after: int = 1000) -> bool:
        """Record the next move of a house bot; return whether there is one."""
        for seat in self.match.may_act:
            if self.match.is_house(seat) and (move := house_move(self.match, seat).move) is not None:
                self.play(seat, move, after=after)
                return True
        return False

    def export(self, viewer: int = SPECTATOR) -> bytes:
        """The export of the match for a viewer."""
        return write_export(self.id, self.match, self.entries, viewer, self.signer, self.at + 1)

    def receipt(self) -> Plain:
        """The receipt for the current version of the match."""
        head = self.heads()[-1]
        return asdict(self.signer.receipt(self.id, self.match.version, head, self.at))

    def heads(self) -> list[str]:
        """The hash of every fact."""
        hashes = [GENESIS]
        for entry in self.entries:
            hashes += link(MATCHES, self.id, self.match, entry, hashes[-1])
        return hashes[1:]


def announcement(
    game: str, *seats: SeatPlan, data: str | None = None, version: int | None = None, **other: Any
) -> MatchCreated:
    """The first fact of a match created by Ann; public and with autostart, unless `other` says otherwise."""
    rules = find_rules(game, version, data)
    usual: dict[str, Any] = {
        "options": rules.options_shape.encode(rules.options()),
        "clock": ClockSettings(),
        "on_timeout": "bot",
        "autostart": True,
        "private": False,
        "meet_bots": True,
        "creator": "ann",
        "sealed": False,
        "open_seed": None,
        "practice": False,
        "branch": False,
        "salt_version": SALT_VERSION,
        "server_secret": sha256(b"a secret that everybody knows").hexdigest(),
    }
    wanted = usual | other
    wanted.setdefault("commitment", commitment_of(wanted["server_secret"]))
    return MatchCreated(
        game=game,
        rules_version=rules.version,
        data=rules.data.name,
        data_hash=rules.data.hash,
        seats=tuple(seats),
        **wanted,
    )


PLAYERS = ("ann", "ben", "cid", "dot", "eve")


def table_of(game: str, seats: int, **other: Any) -> Recording:
    """A started match with this many players, each with their own contribution."""
    recording = Recording(announcement(game, *[OPEN] * seats, **other))
    for player in PLAYERS[:seats]:
        recording.join(player, contribution=f"from {player}")
    return recording
