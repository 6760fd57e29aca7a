"""Follows the tournaments of a player in threads, so that contributions are opened in time."""

from collections.abc import Callable
from threading import Thread

from kontor_client.connection import KontorError, UntrustedServiceError, log


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
