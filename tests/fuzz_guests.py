"""Who sends the requests of the fuzz: players with good tokens, at matches that can be played."""

from typing import Any

from kontor_games.service.errors import UnauthorisedError
from kontor_games.service.kontor import Kontor
from tests.fuzz_prepared import PreparedRequests
from tests.service.tables import ME, LocalPlayer, bot

_LOOKED_AT = 5
"""Among so many of the player's matches, one is looked for in which they are to act."""


class Guests:
    """Who sends the requests: one player, and another who is allowed to vanish."""

    def __init__(self, kontor: Kontor, prepared: PreparedRequests | None) -> None:
        self._kontor = kontor
        self._prepared = prepared
        self._tokens: dict[str, str] = {}
        self._asked = 0

    def token(self, name: str) -> str:
        """A token that is good."""
        try:
            self._kontor.tokens.authenticate(self._tokens.get(name, ""))
        except UnauthorisedError:
            self._tokens[name] = self._kontor.players.register(name, bot=False, key=None, body="").token
        return self._tokens[name]

    def bearer(self) -> type:
        """Gives every call a token, as schemathesis wants it: by a class that it makes itself."""
        token, prepared = self.token, self._prepared.tokens if self._prepared else {}

        class Bearer:
            def get(self, case: Any, context: Any) -> str:
                return prepared.get(case.id) or token(
                    "doomed" if case.operation.definition.raw.get("operationId") == "erase_me" else "main"
                )

            def set(self, case: Any, data: str, context: Any) -> None:
                case.headers["Authorization"] = f"Bearer {data}"

        return Bearer

    def map_case(self, case: Any) -> Any:
        """Make some requests sensible: every second match can be played, and every second call is about one.

        From random letters alone no match would ever begin.
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
            self._asked += 1
            if self._asked % 2 or name == "play_moves":
                self._sit_down(case, name)
        return case

    def _command(self, command: Any) -> Any:
        """Every second command with a legal move in a match of the player's."""
        self._asked += 1
        if not self._asked % 2:
            return command
        match, listed = self._seat()
        move = {"move": listed[self._asked % len(listed)]} if listed else {"moves": [{"type": "none"}]}
        return (
            {name: command[name] for name in ("key", "version") if name in command} | move | {"match": match}
        )

    def _sit_down(self, case: Any, operation: str) -> None:
        """At a match of the player's that is not over, with a legal move there if a move is to be made."""
        case.path_parameters["match_id"], listed = self._seat()
        if operation == "play_moves" and listed:
            case.body = listed[self._asked % len(listed)]
            if self._prepared is not None:
                case.query = {}
                case.headers.pop("If-Match", None)

    def _seat(self) -> tuple[str, list[Any]]:
        """A match of the player's that is not over, if possible with a move of theirs; its legal moves."""
        guest = LocalPlayer(self._kontor, self._kontor.tokens.authenticate(self.token("main")))
        current = self._kontor.queries.of_player(guest.id)[-_LOOKED_AT:] or [guest.create(ME, bot())]
        for match_id in reversed(current):
            if self._is_to_act(guest, match_id):
                return match_id, guest.legal(match_id)
        return current[-1], []

    def _is_to_act(self, guest: LocalPlayer, match_id: str) -> bool:
        look = guest.look(match_id)
        return look.match.status == "running" and look.viewer in look.match.to_act
