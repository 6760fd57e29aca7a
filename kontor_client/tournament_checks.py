"""Checks that a service keeps to what it signed about tournaments, and follows them in threads."""

import secrets
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from threading import Thread

from kontor_client.checks import Checks
from kontor_client.connection import Connection, KontorError, UntrustedServiceError, log
from kontor_client.evidence import TournamentEvidence, canonical, chain_of
from kontor_client.files import id_name, locked, service_name
from kontor_client.model import Json
from kontor_client.tournament_check import OTHER_COMMITMENT, check_receipt, check_tournament


class TournamentChecks:
    """Stores the evidence of the tournaments of a player, and compares the service's answers with it."""

    def __init__(self, connection: Connection, folder: Path, checks: Checks) -> None:
        self._connection, self._checks = connection, checks
        self._folder = folder / f"{service_name(connection.url)}.tournaments"

    def evidence(self, tournament: str) -> TournamentEvidence | None:
        """Return the evidence of a tournament; None if this player has not entered it with this client."""
        return TournamentEvidence.read(self._folder_of(tournament))

    def _folder_of(self, tournament: str) -> Path:
        return self._folder / id_name(tournament) / id_name(self._checks.player())

    def unchecked(self) -> Iterator[TournamentEvidence]:
        """Yield the evidence of all entered tournaments whose records have not been checked."""
        for file in sorted(
            self._folder.glob(f"*/{id_name(self._checks.player())}/{TournamentEvidence.file}")
        ):
            found = TournamentEvidence.read(file.parent)
            if found and found.entered and not found.checked and not found.broken:
                yield found

    def alone(self, tournament: str) -> AbstractContextManager[None]:
        """Keep other programs of the account from entering the tournament during the block."""
        return locked(self._folder_of(tournament) / "entry.lock")

    def begin(self, tournament: str, data: Json, player: str, key: str | None) -> TournamentEvidence:
        """Check the commitment of the service, and store it with the entry that is about to be sent."""
        chance, earlier = data["chance"], self.evidence(tournament)
        if chance["signed"] is not None:
            self._checks.check_commitment("tournament", tournament, chance)
        if earlier:
            self.require_commitment(earlier, chance)
        root = earlier.root if earlier and not earlier.entered else secrets.token_hex(32)
        evidence = TournamentEvidence(
            folder=self._folder_of(tournament),
            tournament=tournament,
            player=player,
            commitment=chance["commitment"],
            signed=chance["signed"],
            rotated=data["terms"]["rotated"],
            root=root,
            sealed=chain_of(root)[0],
            key=key,
        )
        self._earlier = earlier
        evidence.save()
        return evidence

    def restore(self, refused: TournamentEvidence) -> None:
        """Restore the evidence from before `begin`, because the service refused the entry."""
        if self._earlier:
            self._earlier.save()
        else:
            (refused.folder / refused.file).unlink()

    def require_commitment(self, evidence: TournamentEvidence, chance: Json) -> None:
        """Raise UntrustedServiceError if the service names another commitment than before the entry."""
        if self._checks.enabled and chance["commitment"] != evidence.commitment:
            self.fail(evidence, OTHER_COMMITMENT, canonical(chance))

    def check_answer(self, evidence: TournamentEvidence, answer: Json) -> None:
        """Check the receipt for a command, and store it."""
        receipt: Json = answer.get("receipt") or {}
        if self._checks.enabled:
            check_receipt(receipt, self._checks.keys)
            named = [receipt[name] for name in ("tournament", "version", "head")]
            if named != [evidence.tournament, answer["version"], answer["head"]]:
                self.fail(
                    evidence, "The receipt does not match the answer to the command.", canonical(answer)
                )
            self.require_commitment(evidence, answer["chance"])
        evidence.add("receipts.ndjson", receipt)

    def require_block(self, match: str) -> None:
        """Raise UntrustedServiceError unless an entered tournament has opened a match whose deal it fixed."""
        for evidence in self.unchecked() if self._checks.enabled else ():
            if evidence.rotated and self._opened(evidence.tournament, match):
                evidence.add("matches.ndjson", {"match": match})
                return
        if self._checks.enabled:
            raise UntrustedServiceError(
                "In this match no contribution counts, because a tournament is said to have fixed the deal. "
                "You have entered no tournament that has opened this match."
            )

    def _opened(self, tournament: str, match: str) -> bool:
        after, facts = 0, list[Json]()
        while True:
            page = self._connection.get(f"/v1/tournaments/{tournament}/events", after=after, limit=1000)
            facts = [event["fact"] for event in page["events"]]
            if any(fact["type"] == "match_opened" and fact["match"] == match for fact in facts):
                return True
            if not facts:
                return False
            after = page["events"][-1]["version"]

    def check_finished(self, tournament: str) -> None:
        """Compare the export of a tournament that is over, and of its matches, with the evidence, once.

        A match with the deal of others cannot be checked when it ends: its secret is revealed later.
        """
        evidence = self.evidence(tournament) if self._checks.enabled else None
        if evidence is None or evidence.checked:
            return
        if evidence.broken:
            raise UntrustedServiceError(evidence.broken, evidence.folder)
        content = self._connection.download(f"/v1/tournaments/{tournament}/export")
        try:
            head = check_tournament(content, evidence, self._checks.keys, self._commitment_of)
        except UntrustedServiceError as error:
            self.fail(evidence, error.problem["detail"], content)
        for joined in evidence.lines("matches.ndjson"):
            self._checks.check_finished(joined["match"])
        evidence.set(checked=head)

    def _commitment_of(self, match: str) -> str | None:
        found = self._checks.evidence(match)
        return found.commitment if found else None

    def fail(self, evidence: TournamentEvidence, detail: str, answer: bytes) -> None:
        """Store an answer that proves misconduct, and raise UntrustedServiceError."""
        evidence.keep("answer", answer)
        evidence.set(broken=detail)
        raise UntrustedServiceError(detail, evidence.folder)


class TournamentWatch:
    """One thread for each tournament that the player has entered and that is not over."""

    def __init__(self, follow: Callable[[str], None]) -> None:
        """`follow` opens the contribution to a tournament when it is due, and checks the record at the end.

        It is called in a thread, and must use a client of its own.
        """
        self._follow = follow
        self._threads: dict[str, Thread] = {}
        self._problem: UntrustedServiceError | None = None
        self._closed = False

    def follow(self, tournament: str) -> None:
        """Follow a tournament from now on."""
        self._closed = False
        known = self._threads.get(tournament)
        if known is None or not known.is_alive():
            thread = Thread(target=self._run, args=(tournament,), name="kontor-tournament", daemon=True)
            self._threads[tournament] = thread
            thread.start()

    def _run(self, tournament: str) -> None:
        try:
            self._follow(tournament)
        except UntrustedServiceError as error:
            self._problem = error
            log.error("Tournament %s: %s", tournament, error)
        except KontorError as error:
            if not self._closed:
                log.warning("Tournament %s is no longer followed: %s", tournament, error)

    def raise_problem(self) -> None:
        """Raise what a thread has found out about the service, in the thread of the caller."""
        if self._problem:
            raise self._problem

    def close(self) -> None:
        """Report no more lost connections; the threads end with the program."""
        self._closed = True
