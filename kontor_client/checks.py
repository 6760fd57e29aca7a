"""Checks that a service keeps to what it signed, from its commitment to a secret to the end of each match."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, NoReturn

from kontor_client.connection import Connection, UntrustedServiceError
from kontor_client.evidence import Evidence, announced_settings, canonical, has_terms
from kontor_client.export_check import SWAPPED, check_export, check_receipt, is_still_hidden
from kontor_client.files import id_name, locked, service_name, write_private
from kontor_client.model import Json
from kontor_client.service_keys import ServiceKeys
from kontor_client.shown_facts import ShownFacts

_SEED_TERMS = {"open_seed", "sealed", "branch", "in_block"}
_REMATCH_TERMS = (
    *(
        "game",
        "data",
        "options",
        "clock",
        "on_timeout",
        "private",
        "meet_bots",
        "sealed",
        "practice",
        "signed",
    ),
    *("rated", "required_witnesses", "max_returned_ms", "spectator_delay"),
)


class Checks:
    """Stores the evidence of a player's matches, and checks later answers of the service against it."""

    def __init__(
        self, connection: Connection, folder: Path, player: Callable[[], str], *, enabled: bool
    ) -> None:
        name = service_name(connection.url)
        self._connection, self.player, self.enabled = connection, player, enabled
        self._folder = folder / f"{name}.matches"
        self._evidence: dict[str, Evidence] = {}
        self._facts: dict[str, ShownFacts] = {}
        self.keys = ServiceKeys(
            folder / f"{name}.service-keys.json", lambda: connection.get("/.well-known/kontor-keys.json")
        )

    def evidence(self, match: str) -> Evidence | None:
        """Return the evidence of a match; None if this player has not taken a seat in it with this client."""
        evidence = self._evidence.get(match)
        if evidence is None and not self._folder_of(match).exists():
            return None
        if evidence is None or evidence.player != self.player():
            evidence = Evidence.read(self._folder_of(match) / id_name(self.player()))
        if evidence is not None:
            self._evidence[match] = evidence
        return evidence

    def _folder_of(self, match: str) -> Path:
        return self._folder / id_name(match)

    def check_created(self, data: Json, requested: Json) -> None:
        """Check that a created match has a new id, and the terms that were requested."""
        if self.enabled and self.evidence(data["id"]):
            raise UntrustedServiceError("The service has given a new match the id of an earlier one.")
        self.check_terms("created", data, requested)

    def check_rematch(self, match: str, data: Json) -> None:
        """Check that a rematch has the terms of the earlier match, as far as this client knows them."""
        earlier = self.evidence(match)
        if earlier:
            played = earlier.announced
            terms = {name: played[name] for name in _REMATCH_TERMS if name in played}
            self.check_terms("created", data, terms)

    def check_terms(self, made: str, data: Json, requested: Json) -> None:
        """Check that a match that was made for the player has the terms that were requested."""
        if not self.enabled:
            return
        actual = {**announced_settings(data), "tags": data["tags"], "seats": _seats(data["seats"])}
        data_set = data["ruleset"]["data"]  # requested as an option, but recorded apart from the options
        actual["options"] = dict.fromkeys(requested.get("options", ()), data_set) | data["options"]
        wrong = [name for name, value in _requested_terms(requested).items() if not _has(actual[name], value)]
        if _SEED_TERMS & {*wrong}:
            raise UntrustedServiceError(
                f"The service has {made} a match whose seed is not determined in the way that you requested."
            )
        if wrong:
            raise UntrustedServiceError(
                f"The service has {made} a match with other terms than you requested: {', '.join(wrong)}."
            )

    def check_facts(self, match: str, version: int, head: str) -> None:
        """Check that the facts which the service shows lead to a head, before a command is signed for it."""
        evidence = self.evidence(match) if self.enabled else None
        if evidence is None:
            return
        named = {"match": match, "version": version, "head": head}
        self._guard(evidence, named, lambda: self._follow_facts(evidence, version, head))

    def _follow_facts(self, evidence: Evidence, version: int, head: str) -> None:
        match = evidence.match
        facts = self._facts[match] = self._facts.get(match) or ShownFacts(evidence)
        while facts.version < version:
            query = {"after": facts.version, "limit": 1000, "records": "true"}
            events = self._connection.get(f"/v1/matches/{match}/events", **query)["events"]
            facts.add(events)
            if not events:
                break
        facts.require(version, head)

    def check_commitment(self, kind: Literal["match", "tournament"], subject: str, chance: Json) -> None:
        """Check the service's signed commitment, before a contribution is sent."""
        if self.enabled:
            signed = chance.get("signed")
            at = signed.get("at") if isinstance(signed, dict) else None
            statement = {"at": at, "commitment": chance["commitment"], kind: subject}
            prefix = "kontor.commitment.1" if kind == "match" else "kontor.tournament-commitment.1"
            self.keys.check("its commitment to a secret", prefix, statement, signed)

    @contextmanager
    def alone(self, match: str) -> Iterator[Evidence | None]:
        """Yield the evidence of a match, and keep other programs of the account out during the block."""
        with locked(self._folder_of(match) / id_name(self.player()) / "seat.lock"):
            self._evidence.pop(match, None)  # another program may just have taken a seat
            yield self.evidence(match)

    def begin(self, match: str, data: Json, contribution: str, sent: str, key: str | None) -> None:
        """Store the commitment, and the contribution that is about to be sent.

        After a refusal the service knows the contribution: it is sent only to the match that was shown then.
        """
        earlier, announced = self.evidence(match), announced_settings(data)
        if self.enabled and earlier and not has_terms(announced, earlier.announced):
            self._fail(earlier, "The service shows other terms than when you first wanted to join.", data)
        self._facts.pop(match, None)
        self._evidence[match] = Evidence(
            folder=self._folder_of(match) / id_name(self.player()),
            match=match,
            player=self.player(),
            commitment=data["chance"]["commitment"],
            signed=data["chance"].get("signed"),
            announced=announced,
            contribution=contribution,
            sent=sent,
            key=key,
        )
        self._evidence[match].save()

    def restore(self, match: str, earlier: Evidence | None) -> None:
        """Restore the evidence from before `begin`, because the service refused the seat."""
        if earlier:
            self._evidence[match] = earlier
            earlier.save()
        else:
            self._evidence[match].set(seated=False)

    def keep_refused(self, match: str, command: Json) -> None:
        """Store a signed command that was refused: it must not appear in the record of the match."""
        evidence = self.evidence(match)
        if evidence and "signature" in command:
            evidence.add("refused.ndjson", command)

    def check_answer(self, match: str, data: Json, command: Json) -> None:
        """Check the answer to a command, and store its receipt."""
        evidence = self.evidence(match)
        if self.enabled:
            self._compare_with_receipt(match, data, evidence)
            self._guard(evidence, data, lambda: check_receipt(data["receipt"], self.keys))
        if evidence and data.get("receipt"):
            self.keep_receipt(match, command, data["receipt"])

    def keep_receipt(self, match: str, command: Json, receipt: Json) -> None:
        """Store the receipt for a command."""
        self._evidence[match].add("receipts.ndjson", {"command": command, "receipt": receipt})

    def _compare_with_receipt(self, match: str, data: Json, evidence: Evidence | None) -> None:
        answered = [match, data["version"], data["head"]]
        receipt = data.get("receipt") or {}
        if answered != [receipt.get(name) for name in ("match", "version", "head")]:
            self._fail(evidence, "The receipt of the service does not match its answer to the command.", data)

    def check_match(self, match: str, data: Json) -> None:
        """Compare a response about a match with the evidence; if the match is over, check the whole match."""
        if self.enabled and data["id"] != match:
            raise UntrustedServiceError(f"The service has answered with a match other than {match}.")
        evidence = self.evidence(match) if self.enabled else None
        if evidence is None:
            return
        if "chance" in data and data["chance"]["commitment"] != evidence.commitment:
            self._fail(evidence, SWAPPED, data)
        if data["status"] in ("finished", "aborted"):
            self.check_finished(match)

    def check_finished(self, match: str) -> None:
        """Compare the export of a match that is over with the evidence, once.

        Another thread or process may do the same: a check only adds to the files.
        """
        self._evidence.pop(match, None)  # the files may have changed
        evidence = self.evidence(match) if self.enabled else None
        if evidence is not None and not evidence.checked:
            self._check_export(evidence)

    def _check_export(self, evidence: Evidence) -> None:
        if evidence.broken:
            raise UntrustedServiceError(evidence.broken, evidence.folder)
        content = self._connection.download(f"/v1/matches/{evidence.match}/export")
        if evidence.announced.get("in_block") and is_still_hidden(content):
            return  # other matches with the same deal are still being played
        receipt = self._guard(evidence, content, lambda: check_export(content, evidence, self.keys))
        evidence.set(checked=receipt["head"])
        evidence.add("receipts.ndjson", {"command": None, "receipt": receipt})
        del self._evidence[evidence.match]
        self._facts.pop(evidence.match, None)

    def _guard(self, evidence: Evidence | None, answer: Any, check: Callable[[], Any]) -> Any:
        """Run a check; if it fails, store the answer of the service as evidence."""
        try:
            return check()
        except UntrustedServiceError as error:
            self._fail(evidence, error.problem["detail"], answer)

    def _fail(self, evidence: Evidence | None, detail: str, answer: Any) -> NoReturn:
        if evidence is None:
            raise UntrustedServiceError(detail)
        export = isinstance(answer, bytes)
        evidence.keep("export.ndjson" if export else "answer.json", answer if export else canonical(answer))
        evidence.set(broken=detail)
        raise UntrustedServiceError(detail, evidence.folder)


def _requested_terms(requested: Json) -> Json:
    """Return what a request says about the terms of a new match, with the defaults that matter for trust."""
    terms = {
        name: requested.get(name, False) for name in ("practice", "private", "rated", "sealed", "signed")
    }
    terms |= {"branch": False, "in_block": False, "open_seed": requested.get("seed")}
    terms |= {"clock": requested.get("clock", {"kind": "none"})}
    given = (
        *("autostart", "data", "game", "max_returned_ms", "meet_bots", "on_timeout", "options"),
        *("required_witnesses", "seats", "spectator_delay", "tags"),
    )
    terms |= {name: requested[name] for name in given if requested.get(name) is not None}
    if "seats" in terms:  # a seat `me` is recorded as any other
        terms["seats"] = [{} if seat == {"type": "me"} else seat for seat in terms["seats"]]
    return terms


def _seats(seats: list[Json]) -> list[Json]:
    """Return the seats of a match in the form in which they are requested."""
    players = [seat.get("invited") or seat.get("player") or {} for seat in seats]
    return [{"type": seat["type"], "player": one.get("id")} for seat, one in zip(seats, players, strict=True)]


def _has(actual: Any, requested: Any) -> bool:
    """Return whether a value is the requested one; an object may have more fields, with their defaults."""
    if isinstance(requested, dict):
        return all(_has(actual.get(name), value) for name, value in requested.items() if name != "bot")
    if isinstance(requested, list) and isinstance(actual, list):
        return len(actual) == len(requested) and all(map(_has, actual, requested))
    return bool(actual == requested)


_OPEN = ("waiting", "offered")


class SeekChecks:
    """Keeps the terms of each seek of a player in a file, until the seek has ended."""

    def __init__(self, connection: Connection, folder: Path, checks: Checks) -> None:
        self._connection, self._checks = connection, checks
        self._folder = folder / f"{service_name(connection.url)}.seeks"

    def keep(self, seek: str, requested: Json) -> None:
        """Store what was sought."""
        write_private(self._kept() / f"{id_name(seek)}.json", json.dumps(requested) + "\n")

    def _kept(self) -> Path:
        return self._folder / id_name(self._checks.player())

    def check(self, match: str, data: Json) -> None:
        """Check that a match which the service offers for a seek has the terms of the seek."""
        kept = {file.stem: file for file in self._kept().glob("*.json")}
        if not kept:
            return
        seeks = {id_name(one["id"]): one for one in self._connection.get("/v1/seeks", mine=True)["seeks"]}
        for name, file in kept.items():
            seek = seeks.get(name, {"status": "ended", "match": None})
            if seek["match"] == match:
                self._require(data, json.loads(file.read_bytes()))
            if seek["status"] not in _OPEN:
                file.unlink(missing_ok=True)

    def _require(self, data: Json, requested: Json) -> None:
        taken = [seat | {"type": "open"} if seat["type"] == "invited" else seat for seat in data["seats"]]
        wanted = {**requested, "seats": [{"type": "open"}] * requested["seats"]}
        self._checks.check_terms("found", {**data, "seats": taken}, wanted)
