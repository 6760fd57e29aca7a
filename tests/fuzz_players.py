"""The players of the fuzz test: they have valid tokens, and some of their requests are about real matches."""

from typing import Any

from kontor_games.service.errors import UnauthorisedError
from kontor_games.service.kontor import Kontor
from tests.fuzz_prepared import PreparedRequests
from tests.service.tables import ME, LocalPlayer, bot

_NEWEST_MATCHES = 5
"""Among this many of the player's newest matches, one is chosen in which it is their turn."""

PLAYING = ("play_moves", "dry_run_moves")
"""Operations that are sent a legal move in a real match."""


class FuzzPlayers:
    """Two players: one for all requests, and one for the operation that erases its caller."""

    def __init__(self, kontor: Kontor, prepared: PreparedRequests | None) -> None:
        self._kontor = kontor
        self._prepared = prepared
        self._tokens: dict[str, str] = {}
        self._changed = 0

    def token(self, name: str) -> str:
        """A valid token of the player; registers a new player if the old token was revoked."""
        try:
            self._kontor.tokens.authenticate(self._tokens.get(name, ""))
        except UnauthorisedError:
            self._tokens[name] = self._kontor.players.register(name, bot=False, key=None, body="").token
        return self._tokens[name]

    def bearer(self) -> type:
        """The class with which schemathesis adds a token to each request; it creates the instance itself."""
        token, prepared = self.token, self._prepared.tokens if self._prepared else {}

        class Bearer:
            def get(self, case: Any, context: Any) -> str:
                return prepared.get(case.id) or token(
                    "to erase" if case.operation.definition.raw.get("operationId") == "erase_me" else "main"
                )

            def set(self, case: Any, data: str, context: Any) -> None:
                case.headers["Authorization"] = f"Bearer {data}"

        return Bearer

    def map_case(self, case: Any) -> Any:
        """Make about every second request to create a match valid, and send others to real matches.

        With random values alone, no match would ever start.
        """
        if case.meta is not None and not case.meta.generation.mode.is_positive:
            return case
        name = case.operation.definition.raw.get("operationId")
        if self._prepared is not None and self._prepared.prepare(case, name):
            return case
        if name == "create_match" and isinstance(case.body, dict) and len(case.body.get("game", "")) % 2:
            seats = [{"type": "me"}, {"type": "bot", "bot": "greedy"}]
            case.body = {
                **case.body,
                "game": "fair",
                "seats": seats,
                "options": {},
                "clock": {"kind": "none"},
                "sealed": False,
            }
        elif name == "play_many_moves" and isinstance(case.body, dict):
            case.body = {"commands": [self._command(one) for one in case.body.get("commands", [])]}
        elif "match_id" in (case.path_parameters or {}):
            self._changed += 1
            if self._changed % 2 or name in PLAYING:
                self._use_real_match(case, name)
        return case

    def _command(self, command: Any) -> Any:
        """Replace every second command by a legal move in one of the player's matches."""
        self._changed += 1
        if not self._changed % 2:
            return command
        match, legal = self._find_match()
        move = {"move": legal[self._changed % len(legal)]} if legal else {"moves": [{"type": "none"}]}
        return (
            {name: command[name] for name in ("key", "version") if name in command} | move | {"match": match}
        )

    def _use_real_match(self, case: Any, operation: str) -> None:
        """Send the request to one of the player's matches, with a legal move if the operation plays one."""
        case.path_parameters["match_id"], legal = self._find_match()
        if operation in PLAYING and legal:
            case.body = legal[self._changed % len(legal)]
            if self._prepared is not None:
                case.query = {}
                case.headers.pop("If-Match", None)
        if operation == "dry_run_moves" and self._changed % 2:
            case.headers["If-Match"] = '"1"'  # an old version, which is refused with 412

    def _find_match(self) -> tuple[str, list[Any]]:
        """A match of the player, if possible one in which it is their turn, and the legal moves in it."""
        guest = LocalPlayer(self._kontor, self._kontor.tokens.authenticate(self.token("main")))
        current = self._kontor.queries.of_player(guest.id)[-_NEWEST_MATCHES:] or [guest.create(ME, bot())]
        for match_id in reversed(current):
            if self._is_to_act(guest, match_id):
                return match_id, guest.legal(match_id)
        return current[-1], []

    def _is_to_act(self, guest: LocalPlayer, match_id: str) -> bool:
        look = guest.read_match(match_id)
        return look.match.status == "running" and look.viewer in look.match.to_act
