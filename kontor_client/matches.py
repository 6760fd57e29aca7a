"""Commands in matches: create, join, play, resign and others. They are signed if the player has a key."""

import hashlib
import re
import secrets
import time
from collections.abc import Iterable, Sequence
from typing import Any

from kontor_client.account import Account
from kontor_client.checks import Checks, SeekChecks
from kontor_client.connection import KontorError, RefusedError
from kontor_client.ed25519 import sign, to_base64
from kontor_client.evidence import Evidence, command_text
from kontor_client.export_check import listed
from kontor_client.model import Json, Match
from kontor_client.tournament_checks import TournamentChecks, TournamentWatch

_SIGNING_TRIES, _BUSY_TRIES = 8, 5
_MAX_COMMANDS = 100  # in one request


class Matches(Account):
    """The methods of `Kontor` for commands in matches."""

    _checks: Checks
    _entries: TournamentChecks
    _seeks: SeekChecks
    _watch: TournamentWatch
    last_answers: dict[str, Match]
    """The answer to your last command in each match, with its receipt."""
    _positions: dict[str, tuple[int, str]]  # the newest version and head of each match

    def create_match(
        self, game: str, seats: list[Json], contribution: str | None = None, **more: Any
    ) -> Match:
        """Create a match; your seat is `{"type": "me"}`; `more` has further fields of `POST /v1/matches`.

        Your seat is reserved first, and taken as with `join` after the service has signed its commitment.
        """
        mine = {"type": "invited", "player": self._me().id}
        filled = [mine if seat == {"type": "me"} else seat for seat in seats]
        data = self.connection.command("POST", "/v1/matches", {"game": game, "seats": filled, **more})
        self._checks.check_created(data, {"game": game, "seats": filled, **more})
        created = self._answered(data["id"], data, {"type": "create"})
        return self._join(created, filled.index(mine), contribution) if mine in filled else created

    def rematch(self, match: str, contribution: str | None = None) -> Match:
        """Create or join the rematch of a finished match, in which everyone is moved on by one seat."""
        data = self.connection.command("POST", f"/v1/matches/{match}/rematch", {})
        self._checks.check_rematch(match, data)
        created = self._answered(data["id"], data, {"type": "create"})
        return self._join(self._fetch_match(created.id), None, contribution)

    def show_key(self, match: str, key: str) -> None:
        """Send the `link_key` of a private match with requests about it, so that you may see and join it."""
        self.connection.match_keys[match] = key

    def renew_link_key(self, match: str) -> str:
        """Replace the key of a private match that you created, and return the new one."""
        return str(self.connection.command("POST", f"/v1/matches/{match}/link-key", {})["link_key"])

    def join(self, match: str, seat: int | None = None, *, contribution: str | None = None) -> Match:
        """Take a seat, with a contribution to the seed, so that nobody else can choose the deal.

        The contribution has 64 lower-case hex digits; by default it is random. It is sent only after the
        service has signed the commitment to its own secret. If contributions are sealed, the SHA-256 of the
        contribution is sent, and this object opens it when it is due.
        """
        return self._join(self.match(match), seat, contribution)

    def _join(self, match: Match, seat: int | None, contribution: str | None) -> Match:
        if match.status != "open":
            detail = f"The match is {match.status}; seats can only be taken before it starts."
            raise RefusedError({"status": 409, "code": "match_not_open", "detail": detail})
        with self._checks.alone(match.id) as earlier:
            return self._contribute(match, seat, contribution, earlier)

    def _contribute(
        self, match: Match, seat: int | None, contribution: str | None, earlier: Evidence | None
    ) -> Match:
        chance = match.data["chance"]
        self._seeks.check(match.id, match.data)
        if chance["in_block"]:
            self._entries.require_block(match.id)
        self._checks.check_commitment("match", match.id, chance)
        value = contribution or (earlier.contribution if earlier else secrets.token_hex(32))
        if not re.fullmatch("[0-9a-f]{64}", value):
            raise ValueError("A contribution must have 64 hex digits in lower case.")
        sent = hashlib.sha256(value.encode()).hexdigest() if chance["sealed"] else value
        self._checks.begin(match.id, match.data, value, sent, self._key)
        if match.receipt:  # this player has created the match: the receipt covers its announced settings
            create = {"type": "create", "takes_seat": False, "bot": self._me().bot, "contribution": ""}
            self._checks.keep_receipt(match.id, create, match.receipt)
        key = {"key": self._key} if self._key else {}
        body = {"contribution": sent, **({} if seat is None else {"seat": seat}), **key}
        command = {"type": "join", "seat": seat, "bot": self._me().bot, "contribution": sent, **key}
        try:
            return self._open_if_due(self._command(match.id, "seats", command, body))
        except KontorError as error:
            if 400 <= error.status < 500:
                self._checks.restore(match.id, earlier)
            raise

    def _open_if_due(self, match: Match) -> Match:
        """Open your sealed contribution if it is due, and return the match after that."""
        if match.data["chance"]["due"] is None:
            return match
        evidence = self._checks.evidence(match.id)
        if evidence is None or evidence.opened or not evidence.announced["sealed"]:
            return match
        try:
            match = self.open_contribution(match.id, evidence.contribution)
        except RefusedError as refusal:
            if refusal.code != "not_due":  # it was opened in an earlier run
                raise
        evidence.set(opened=True)
        return match

    def open_contribution(self, match: str, value: str) -> Match:
        """Open your sealed contribution; the match starts when all contributions are opened."""
        return self._command(match, "contribution", {"type": "open", "value": value}, {"value": value})

    def leave(self, match: str) -> Match:
        """Leave your seat before the match starts."""
        left = self._command(match, "seats/me", {"type": "leave"}, method="DELETE")
        if evidence := self._checks.evidence(match):
            evidence.set(seated=False)
        return left

    def decline(self, match: str) -> Match:
        """Decline an invitation; the seat is then open to others."""
        return self._command(match, "decline", {"type": "decline"})

    def seat_bot(self, match: str, seat: int, bot: str) -> Match:
        """Give a free seat of a match that you created to a house bot, in its current version."""
        game = self._fetch_match(match, None, None).data["game"]
        version = self.connection.get(f"/v1/games/{game}")["bot_versions"][bot]
        body = {"seat": seat, "bot": bot, "bot_version": version}
        return self._open_if_due(self._command(match, "bots", {"type": "seat_bot", **body}, body))

    def start(self, match: str) -> Match:
        """Start a match that you created with `autostart=False`, once all seats are taken."""
        return self._open_if_due(self._command(match, "start", {"type": "start"}))

    def match(self, match: str, version: int | None = None, *, tell: str | None = None) -> Match:
        """Return a match as you may see it, now or at a version, with texts in the language `tell` if given.

        Opens your contribution if it is due.
        """
        found = self._fetch_match(match, version, tell)
        return found if version is not None else self._open_if_due(found)

    def _fetch_match(self, match: str, version: int | None = None, tell: str | None = None) -> Match:
        found = Match(self.connection.get(f"/v1/matches/{match}", version=version, tell=tell))
        return found if version is not None else self._record_position(match, found)

    def play(
        self, match: str, move: Json | Sequence[Json], version: int | None = None, *, tell: str | None = None
    ) -> Match:
        """Make a move, or several together; with a version, only if the match is still at it.

        With `tell`, the answer contains texts in this language.
        """
        moves = listed(move)
        body = moves[0] if isinstance(move, dict) else {"moves": moves}
        path = f"moves?tell={tell}" if tell else "moves"
        return self._command(match, path, {"type": "play", "moves": moves}, body, version)

    def play_many(
        self,
        moves: Iterable[tuple[Match, Json | Sequence[Json]]],
        *,
        tell: str | None = None,
        brief: bool = False,
    ) -> list[Match | KontorError]:
        """Make moves in many matches with few requests: each match with its move, or a list of moves.

        A move is made only if its match is still at the version of the given object. Each has its own result:
        the match after the move, or the error that `play` would have raised. With `tell`, the results contain
        texts in this language. With `brief`, they have neither view nor legal moves, which saves the service
        a fifth to two fifths of its work; use it if you get your turns from `turn_batches`.
        """
        requests = list(moves)
        path = f"/v1/moves?brief={str(brief).lower()}" + (f"&tell={tell}" if tell else "")
        parts = [requests[start : start + _MAX_COMMANDS] for start in range(0, len(requests), _MAX_COMMANDS)]
        return [result for part in parts for result in self._play_part(path, part)]

    def _play_part(
        self, path: str, part: list[tuple[Match, Json | Sequence[Json]]]
    ) -> list[Match | KontorError]:
        prepared = [self._prepared(match, move) for match, move in part]
        body = {"commands": [command for command, _ in prepared]}
        for tries in range(_BUSY_TRIES):
            answers = self.connection.command("POST", path, body)["answers"]
            if tries == _BUSY_TRIES - 1 or all(answer["status"] != 503 for answer in answers):
                break  # otherwise all are sent again: because of their keys, each is executed only once
            time.sleep(0.2 * 2**tries)
        return [self._result(answer, signed) for answer, (_, signed) in zip(answers, prepared, strict=True)]

    def _prepared(self, match: Match, move: Json | Sequence[Json]) -> tuple[Json, Json]:
        """Return a command in the form in which it is sent, and in the form that is signed."""
        moves = listed(move)
        signed: Json = {"type": "play", "moves": moves}
        if key := self._key_of_seat(match.id):
            signed, _ = self._signed(match.id, signed, match.version, key)
        sent = {"match": match.id, "moves": moves, "version": match.version, "key": secrets.token_urlsafe(18)}
        return sent | ({"signature": signed["signature"]} if key else {}), signed

    def _result(self, answer: Json, signed: Json) -> Match | KontorError:
        match, problem = answer["match"], answer["problem"]
        if problem is None:
            return self._answered(match, answer["answer"], signed)
        self._checks.keep_refused(match, signed)
        self._positions.pop(match, None)
        return (RefusedError if answer["status"] in (409, 412) else KontorError)(problem)

    def resign(self, match: str) -> Match:
        """Resign from a running match."""
        return self._command(match, "resignation", {"type": "resign"})

    def abort(self, match: str) -> Match:
        """Abort the match, or agree to abort it."""
        return self._command(match, "abort", {"type": "abort"})

    def _command(
        self,
        match: str,
        path: str,
        command: Json,
        body: Json | None = None,
        version: int | None = None,
        method: str = "POST",
    ) -> Match:
        """Send a command; without a version, sign and send it again if the match has changed in between."""
        key = self._key if command["type"] == "join" else self._key_of_seat(match)
        sent = None if method == "DELETE" else body or {}
        tries = 1 if key is None or version is not None else _SIGNING_TRIES
        while True:
            tries -= 1
            signed, at = (command, version) if key is None else self._signed(match, command, version, key)
            try:
                data = self.connection.command(
                    method, f"/v1/matches/{match}/{path}", sent, at, signed.get("signature")
                )
                return self._answered(match, data, signed)
            except RefusedError as refusal:
                self._checks.keep_refused(match, signed)
                if not tries or refusal.code != "stale_version":
                    raise
                self._positions.pop(match, None)

    def _key_of_seat(self, match: str) -> str | None:
        """Return the public key with which your seat was taken; None if its commands are not signed."""
        if evidence := self._checks.evidence(match):
            return evidence.key if evidence.seated else None
        if self._keys is None:
            return None
        found = self._fetch_match(match)
        return None if found.you is None else found.data["seats"][found.you].get("key")

    def _signed(self, match: str, command: Json, version: int | None, key: str) -> tuple[Json, int]:
        """Return a command with its signature, and the version of the match that it was signed for."""
        at, head = self._positions.get(match, (-1, ""))
        if at == -1 or version not in (None, at):
            found = self._fetch_match(match, version)
            at, head = found.version, found.head
        self._checks.check_facts(match, at, head)
        text = command_text(match, self._me().id, command, at, head)
        return {**command, "signature": to_base64(sign(self._seed(key), text))}, at

    def _answered(self, match: str, data: Json, command: Json) -> Match:
        answer = self.last_answers[match] = Match(data)
        self._checks.check_answer(match, data, command)
        return self._record_position(match, answer)

    def _record_position(self, match: str, position: Match) -> Match:
        """Record the position of a match, and check the match if it is over."""
        self._watch.raise_problem()
        if position.over:
            self._positions.pop(match, None)
        else:
            self._positions[match] = position.version, position.head
        self._checks.check_match(match, position.data)
        return position
