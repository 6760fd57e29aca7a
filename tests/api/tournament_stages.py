"""Tournaments of the toy game at any stage, for tests of the API."""

from typing import Any

from kontor_games.service.kontor import Kontor
from tests.api.conftest import ApiUser
from tests.domain.tournaments.tournaments import chain_of

TERMS: dict[str, Any] = {
    "title": "Cup", "game": "fair", "seats": 2, "least_seats": 2, "points": [2, 0], "rounds": 1,
    "automatic": False, "correction_ms": 1000, "options": {"rounds": 1},
}  # fmt: skip


class Stages:
    """One tournament of an organiser and two entrants, brought to the stage that a test needs."""

    def __init__(self, kontor: Kontor, organiser: ApiUser, *entrants: ApiUser, **terms: Any) -> None:
        self.kontor = kontor
        self.organiser = organiser
        self.entrants = entrants
        made = organiser.post("/v1/tournaments", {**TERMS, **terms})
        assert made.status_code == 201, made.text
        self.id = made.json["id"]
        self.path = f"/v1/tournaments/{self.id}"

    def _do(self, who: ApiUser, what: str, body: Any = None) -> Any:
        answer = who.post(f"{self.path}/{what}", body)
        assert answer.status_code == 201, answer.text
        return answer.json

    def announced(self) -> "Stages":
        return self

    def opened(self) -> "Stages":
        self._do(self.organiser, "opening")
        return self

    def entered(self) -> "Stages":
        self.opened()
        for number, who in enumerate(self.entrants):
            self._do(who, "entrants", {"sealed": chain_of(number)[0]})
        return self

    def full(self) -> "Stages":
        """Another tournament of the same players, with the most entrants that its terms allow."""
        self.__init__(self.kontor, self.organiser, *self.entrants, most_entrants=2)  # type: ignore[misc]
        return self.entered()

    def withdrawn(self) -> "Stages":
        self.started()
        self._do(self.entrants[1], "entrants/me/withdrawal")
        return self

    def cancelled(self) -> "Stages":
        self._do(self.organiser, "cancellation", {"why": "rain"})
        return self

    def started(self) -> "Stages":
        self.opening()
        for number in range(len(self.entrants)):
            self._do(self.entrants[number], "contribution", self.opening_of(number))
        return self

    def opening(self) -> "Stages":
        """All have entered, and are asked to open their contributions."""
        self.entered()
        self._do(self.organiser, "start")
        return self

    def opening_of(self, number: int) -> dict[str, str]:
        """The body with which an entrant opens the contribution."""
        digest = self.organiser.get(self.path).json["chance"]["digest"]
        return {"value": chain_of(number)[1], "digest": digest}

    def paired(self) -> "Stages":
        self.started()
        self._do(self.organiser, "rounds")
        self.kontor.tournament_worker().step_all()
        return self

    @property
    def match(self) -> str:
        """The match of the first table."""
        return str(self.organiser.get(f"{self.path}/rounds/1").json["tables"][0]["matches"][0]["match"])

    def played(self) -> "Stages":
        self.paired()
        path = f"/v1/matches/{self.match}"
        for who in self.entrants:
            assert who.post(f"{path}/seats").status_code == 201
        for who in self.entrants[:1]:
            assert who.post(f"{path}/resignation").status_code == 201
        self.kontor.tournament_worker().step_all()
        return self

    def provisional(self) -> "Stages":
        self.played()
        self._do(self.organiser, "provisional-standings")
        return self

    def acknowledged(self) -> "Stages":
        self.provisional()
        for who in self.entrants:
            self._do(who, "acknowledgements")
        return self

    def final(self) -> "Stages":
        self.acknowledged()
        self._do(self.organiser, "sign-off", {"despite_protests": False})
        return self


STAGE_OF = {
    "open_tournament": "__init__", "enter_tournament": "opened", "withdraw_from_tournament": "entered",
    "withdraw_entrant": "entered", "start_tournament": "entered", "pair_round": "started",
    "get_round": "paired", "replay_tournament_match": "paired", "rule_result": "paired",
    "post_standings": "played", "acknowledge_standings": "provisional", "protest_standings": "provisional",
    "sign_off_standings": "acknowledged", "correct_result": "final", "get_standings": "played",
    "cancel_tournament": "opened", "open_tournament_contribution": "opening",
}  # fmt: skip
"""The stage at which an operation is possible; operations that are not listed are possible at any stage."""


def body_of(name: str, stages: Stages) -> Any:
    """A valid request body for the operation `name`."""
    if name in ("rule_result", "correct_result"):
        return {"match": stages.match, "places": [2, 1], "why": "by lot"}
    if name == "replay_tournament_match":
        return {"match": stages.match, "why": "power cut"}
    if name == "open_tournament_contribution":
        return stages.opening_of(0)
    why = {"why": "because"}
    return {
        "withdraw_entrant": {"entrant": 0, **why},
        "protest_standings": why,
        "cancel_tournament": why,
        "sign_off_standings": {"despite_protests": True},
    }.get(name)
